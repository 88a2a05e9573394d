"""Lets the tests of this folder import what they share, and gives them its fixtures."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from page_bench import (  # noqa: F401
    browser,
    chromium,
    client,
    page,
    played,
    table,
    weber,
)
