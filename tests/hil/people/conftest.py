"""Lets the tests of this folder import the small world of those of the sensors."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "sensors"))
