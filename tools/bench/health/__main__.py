"""`python -m tools.bench.health` (`make bench-health`): see command.py."""

from __future__ import annotations

if __name__ == "__main__":
    from tools.bench.health.command import main

    main()
