"""What is generated in the documents says what the tables of the code say."""

import pytest

from firmware.core import coup
from firmware.core.faults import FAULTS
from tools.docs import diagram, faults
from tools.docs.__main__ import stale


def test_every_generated_page_is_current() -> None:
    assert list(stale()) == [], "run make docs"


def test_each_line_of_the_state_table_is_one_arrow() -> None:
    arrows = [line for line in diagram.diagram().splitlines() if "-->" in line]
    assert len(arrows) == len(coup.TRANSITIONS) + 1  # one leads to where a coup begins
    assert f"    {coup.BALL_IN_TRACK} --> {coup.NO_MORE_BETS}: {coup.CALL_DUE}" in arrows


def test_an_old_diagram_is_replaced_and_the_prose_around_it_stays() -> None:
    page = f"before\n{diagram.BEGIN}\nold\n{diagram.END}\nafter\n"
    new = diagram.written(page)
    assert "old" not in new
    assert new.startswith("before\n")
    assert new.endswith("\nafter\n")
    assert diagram.written(new) == new


@pytest.mark.parametrize(
    "page", ["", diagram.BEGIN, diagram.END, f"{diagram.END}\n{diagram.BEGIN}"]
)
def test_a_page_without_its_markers_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="needs one line"):
        diagram.written(page)


def test_every_fault_has_a_heading_that_messages_can_point_to() -> None:
    headings = [line for line in faults.page().splitlines() if line.startswith("## ")]
    assert headings == [f"## {kind.code}" for kind in FAULTS]
