"""Where things lie unless the command line says otherwise."""

from pathlib import Path

STATE_FOLDER = Path("var")  # journal, people and sockets of a board lie in the folder of its name
DEVICE_SOCKETS = Path("/run/cylindre")  # where the unit of a device has them
JOURNAL = "journal.db"
KEYS = "keys"
PEOPLE = "people.jsonl"  # beside the journal, one JSON object a line
CALIBRATION = ".calibration"  # in the place of the journal's suffix: what was measured of the wheel
ORPHELINS = "orphelins.jsonl"  # the register of abandoned stakes, beside the journal
