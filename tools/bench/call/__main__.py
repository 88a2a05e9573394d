"""`python -m tools.bench.call` (`make bench-call`): see command.py."""

from __future__ import annotations

from tools.fast import switch

if __name__ == "__main__":
    switch.use_compiled()
    from tools.bench.call.command import main

    main()
