"""`cylindre flash` as a process."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MIB = 1 << 20
# The command by its module: what is tested is the command, not that it is on the list.
_CODE = """
import sys
from tools import cli
from tools.commands import group
group.COMMANDS = tuple(dict(group.COMMANDS + (("flash", ""),)).items())
sys.exit(cli.main(sys.argv[1:]))
"""
COMMAND = (sys.executable, "-P", "-c", _CODE, "flash")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
