"""`python -m tools.bench.health` (`make bench-health`): see command.py."""

from __future__ import annotations

import sys

from firmware.lib.errors import FAILED
from tools.testing import machine

if __name__ == "__main__":
    if missing := machine.remedies(machine.lacking(["numpy"])):
        print(missing[0], file=sys.stderr)
        sys.exit(FAILED)
    from tools.bench.health.command import main

    main()
