"""The pages and the browser of the pictures, from the tests of those pages."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "page"))

from display_page.conftest import chromium, stand  # noqa: F401
from page_bench import browser, page, played  # noqa: F401
