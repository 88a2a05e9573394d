"""`cylindre`, whose page sees the slots of a machine in a folder: slotted.py ROOT COMMAND."""

import sys
from pathlib import Path

from firmware.services.update import slot_status
from tools import cli


def main() -> int:
    slot_status.ROOT = Path(sys.argv.pop(1))
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
