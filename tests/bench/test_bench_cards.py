"""`make bench-cards`: what it prints and ends with."""

from __future__ import annotations

from fractions import Fraction

import pytest
from click.testing import CliRunner, Result

from tools.bench.cards import command
from tools.bench.cards.figures import (
    KNOWN_PLAYS,
    LU,
    Known,
    KnownPlay,
    as_printed,
    deviation,
    of_side_bets,
)
from tools.bench.cards.played import Played

KNOWN = (Known("insurance", 8, "31/415", "here"), Known("insurance", 6, "7.39550 %", "there"))


def ran(monkeypatch: pytest.MonkeyPatch, known: tuple[Known, ...], *options: str) -> Result:
    monkeypatch.setattr(command, "EXACT", ((known, of_side_bets),))
    return CliRunner().invoke(command.main, ["--rounds", "300", "--jobs", "1", *options])


def test_what_agrees_ends_with_0_and_each_figure_has_its_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = ran(monkeypatch, KNOWN)
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["insurance", "8", "31/415", "31/415", "here"] in lines
    assert ["insurance", "6", "7.39550", "%", "7.39550", "%", "there"] in lines
    played = [line for line in lines if line and line[0].startswith("blackjack")]
    assert [line[:3] for line in played] == [
        [known.game, str(known.decks), "300"] for known in KNOWN_PLAYS
    ]


def test_one_digit_that_differs_is_marked_and_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = KNOWN[1]._replace(text="7.39551 %")
    done = ran(monkeypatch, (KNOWN[0], wrong))
    assert done.exit_code == 1
    marked = [line for line in done.stdout.splitlines() if line.endswith("DIFFERS")]
    assert len(marked) == 1 and "7.39550 %" in marked[0]


def test_a_mean_too_far_away_is_marked_and_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    far = tuple(known._replace(mean=0.5) for known in KNOWN_PLAYS)
    monkeypatch.setattr(command, "KNOWN_PLAYS", far)
    done = ran(monkeypatch, KNOWN)
    assert done.exit_code == 1 and done.stdout.count("DIFFERS") == len(far)


def test_the_plans_are_printed_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "soft 18" not in ran(monkeypatch, KNOWN).output
    lines = ran(monkeypatch, KNOWN, "--plans").stdout.splitlines()
    assert [line.split() for line in lines if line.startswith("hard 11")] == [
        ["hard", "11", *"DDDDDDDDHH"],
        ["hard", "11", *"DDDDDDDDDH"],
    ]
    assert "pair  A   P  P  P  P  P  P  P  P  P  ." in lines


def test_parts_of_a_game_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_BLOCK", 100)
    done = ran(monkeypatch, KNOWN, "--rounds", "250")
    assert [line.split()[2] for line in done.stdout.splitlines() if "jack_l" in line] == ["250"] * 3


def test_ours_is_printed_as_the_source_prints() -> None:
    ours = Fraction(1, 3)
    texts = {"9/2": "1/3", "1.000 %": "33.333 %", "0.12": "0.33"}
    assert {text: as_printed(ours, Known("", 8, text, "")) for text in texts} == texts
    assert as_printed(Fraction(1234567), Known("", 8, "1 000", "")) == "1 234 567"


def test_two_errors_are_one_of_the_difference() -> None:
    mine = Played(100, 100.0, 1000.0)
    known = KnownPlay(LU, 6, mean=0.0, error=0.4)
    assert mine.error == pytest.approx(0.3)
    assert deviation(mine, known) == pytest.approx(1.0 / 0.5)
