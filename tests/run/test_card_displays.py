"""What a card table gives the line to its displays."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.run.card_play import _displays

VIEW = facts.CardView(states.DEALING, 1, 0, (), (), None, None, None, (), False, 1)


class Line:
    """One that keeps what it is given."""

    def __init__(self, tells_cards: bool) -> None:
        self.tells_cards = tells_cards
        self.shown: list[Any] = []

    def show_cards(self, view: Any) -> None:
        self.shown.append(view)


def test_the_line_is_given_each_view_of_the_cards_and_no_other_fact(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = Line(tells_cards=True)
    (listener,) = _displays(line, 2)  # type: ignore[arg-type]
    for fact in (VIEW, facts.RoundStarted(1, 1), core_facts.Tick(2)):
        listener.take_fact(fact)
    assert line.shown == [VIEW]
    assert capsys.readouterr().err == ""


def test_who_has_no_display_gives_nobody_cards() -> None:
    assert _displays(None, 2) == ()
    assert _displays(Line(tells_cards=True), 0) == ()  # type: ignore[arg-type]


def test_a_line_that_has_no_time_for_cards_is_told_of_as_the_table_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _displays(Line(tells_cards=False), 4)  # type: ignore[arg-type]
    said = capsys.readouterr().err
    assert said.startswith("The line to the displays has no time for cards: they show states")
    assert len(said.splitlines()) == 1
