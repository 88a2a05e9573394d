"""What is generated in the documents says what the tables of the code say."""

import shutil
from pathlib import Path

import pytest

from firmware.core.cards import states as card_states
from firmware.core.coup import states
from firmware.core.faults import FAULTS
from tools.docs import bus_tables
from tools.docs.__main__ import DOCS, PARTS, stale
from tools.docs.part import Part
from tools.docs.tables import fault_codes, state_diagram

PART = Part("page.md", "list", "some/file.py", lambda: "new")


@pytest.mark.req("LU-20-2.described")
def test_every_generated_page_is_current() -> None:
    assert list(stale()) == [], "run make docs"


def test_every_page_that_says_it_is_generated_is_checked() -> None:
    pages = [*DOCS.glob("*.md"), DOCS.parent / "README.md"]
    said = [path for path in pages if "generated from" in path.read_text(encoding="utf-8")]
    assert sorted(said) == sorted({(DOCS / part.page).resolve() for part in PARTS})


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.what)
def test_a_page_that_is_not_current_is_found_and_mended(part: Part, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(DOCS, docs)
    shutil.copy(DOCS.parent / "README.md", tmp_path)
    path = docs / part.page
    current = path.read_text(encoding="utf-8")
    path.write_text(current.replace(part.first_line, part.first_line + "\nold"), encoding="utf-8")
    assert stale(docs, (part,)) == {path: current}


def test_what_is_old_is_replaced_and_the_prose_around_it_stays() -> None:
    page = PART.written(f"before\n{PART.first_line}\nold\n{PART.end}\nafter\n")
    assert page == f"before\n{PART.first_line}\n\nnew\n\n{PART.end}\nafter\n"
    assert PART.written(page) == page


@pytest.mark.parametrize(
    "page",
    [
        "",
        PART.first_line,
        PART.end,
        PART.end + PART.first_line,
        2 * PART.first_line + PART.end,
        PART.first_line + 2 * PART.end,
    ],
)
def test_a_page_without_its_markers_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match=r"page\.md needs one line"):
        PART.written(page)


@pytest.mark.req("LU-20-2.described")
def test_each_line_of_the_state_table_is_one_arrow() -> None:
    arrows = [line for line in state_diagram().splitlines() if "-->" in line]
    assert len(arrows) == len(states.TRANSITIONS) + len(states.STARTS)
    assert f"    {states.BALL_IN_TRACK} --> {states.NO_MORE_BETS}: {states.CALL_DUE}" in arrows


def test_a_round_of_cards_is_drawn_as_a_coup_is() -> None:
    arrows = [line for line in state_diagram(card_states).splitlines() if "-->" in line]
    assert len(arrows) == len(card_states.TRANSITIONS) + len(card_states.STARTS)
    assert f"    {card_states.HOLD} --> {card_states.DEALING}: {card_states.CARDS_DUE}" in arrows


def test_every_fault_has_a_heading_that_messages_can_point_to() -> None:
    headings = [line for line in fault_codes().splitlines() if line.startswith("## ")]
    assert headings == [f"## {kind.code}" for kind in FAULTS]


def test_every_field_of_the_bus_is_in_its_tables() -> None:
    tables = bus_tables.render()
    assert "| 36 | past | u8 |" in tables
    assert "| 15 | boot | u64 |" in tables
    assert "| 12 | croupier |" in tables
    assert "| 26 | next_key | 32 bytes |" in tables


def test_the_capacity_of_every_speed_is_in_the_tables() -> None:
    tables = bus_tables.render()
    assert "| 115200 | 32 | 32 | 29 | 25 | 17 |" in tables
    assert "| 19200 | 4 | 1 | 0 | 0 | 0 |" in tables
