"""A real card table with its sockets, the guide that follows it, and a real Chromium."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from display_page.conftest import browser, chromium  # noqa: F401

sys.path.insert(0, str(Path(__file__).parent))

from guide_stand import GuideStand, ServedTable, staff


@pytest.fixture(scope="session")
def people() -> bytes:
    """Who has a PIN."""
    return staff()


@pytest.fixture
def table(tmp_path: Path, people: bytes) -> Iterator[Callable[..., ServedTable]]:
    """Makes the table of a game, in a folder of its own."""
    made: list[ServedTable] = []

    def make(game: str = "blackjack_lu", **options: Any) -> ServedTable:
        made.append(ServedTable(tmp_path / f"table-{len(made)}", game, people, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def guide(request: pytest.FixtureRequest) -> Iterator[Callable[[ServedTable], GuideStand]]:
    """Makes the guide of a table; a browser leaves its page before it goes, and then waits for no
    answer any more."""
    made: list[GuideStand] = []

    def make(table: ServedTable) -> GuideStand:
        made.append(GuideStand(table.folder))
        return made[-1]

    yield make
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").driver.get("about:blank")
    for each in made:
        each.close()
