from pathlib import Path

import pytest

from tools.docs import bus_tables

PAGE = Path(__file__).parents[2] / "docs" / "bus.md"


def test_the_page_has_the_tables_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert bus_tables.written(page) == page, "run make docs"


def test_every_field_is_in_the_tables() -> None:
    tables = bus_tables.render()
    assert "| 20 | number | u8 | only if CONFIRMED, else 0xFF |" in tables
    assert "| 12 | croupier |" in tables


@pytest.mark.parametrize("page", ["", bus_tables.BEGIN, bus_tables.END + bus_tables.BEGIN])
def test_a_page_without_its_markers_is_not_written(page: str) -> None:
    with pytest.raises(ValueError, match="needs one line"):
        bus_tables.written(page)
