"""For all tests: how hypothesis searches, and where they import what they share from."""

import os
import signal
import sys
from pathlib import Path

from hypothesis import settings

# No test is timed. In CI the same examples every time, so that a red landing is red again under
# `CI=true make test`; elsewhere new ones at each run, and a failure prints what repeats it.
settings.register_profile(
    "cylindre", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True
)
settings.load_profile("cylindre")

# A shell that starts tests in the background has them ignore Ctrl-C, and so would whatever they
# start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests read English, whatever the machine speaks.
os.environ["CYLINDRE_LANG"] = "en"

# Tests show what a wheel plays, the sources; tests/fast shows that what is compiled does the same.
os.environ["CYLINDRE_INTERPRETED"] = "1"

# What tests start is no measure of how long a command takes.
os.environ["CYLINDRE_DURATIONS"] = ""

sys.path.insert(0, str(Path(__file__).parent))

# The mark `req`: which requirements a test shows; marks by folder and what the machine lacks; and
# that nothing is played to collect tests.
pytest_plugins = ["tools.docs.evidence.plugin", "tools.testing.plugin", "collecting"]
