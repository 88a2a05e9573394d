"""For all tests: how hypothesis searches."""

import os

from hypothesis import settings

# No test is timed. In CI the same examples every time, so that a red landing is red again under
# `CI=true make test`; elsewhere new ones at each run, and a failure prints what repeats it.
settings.register_profile(
    "cylindre", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True
)
settings.load_profile("cylindre")
