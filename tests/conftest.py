"""For all tests: how hypothesis searches, and where they import what they share from."""

import os
import sys
from pathlib import Path

from hypothesis import settings

# No test is timed. In CI the same examples every time, so that a red landing is red again under
# `CI=true make test`; elsewhere new ones at each run, and a failure prints what repeats it.
settings.register_profile(
    "cylindre", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True
)
settings.load_profile("cylindre")

sys.path.insert(0, str(Path(__file__).parent))
