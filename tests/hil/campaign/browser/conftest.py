"""The browser, from the tests of the display's page."""

from display_page.conftest import browser, chromium  # noqa: F401
