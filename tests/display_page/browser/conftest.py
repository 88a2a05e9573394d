"""A browser looks at the pages: whatever it fetches, it has left before their server goes."""

from collections.abc import Iterator

import pytest
from display_page.conftest import Browser, Stand


@pytest.fixture
def stand(stand: Stand, browser: Browser) -> Iterator[Stand]:
    """As everywhere; a page that is cut off while it fetches would complain on its console."""
    yield stand
    browser.driver.get("about:blank")
