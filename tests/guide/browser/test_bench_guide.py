"""`python -m tools.bench.guide`: what it measures, and what it makes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner

from tools.bench import guide
from tools.bench.guide import Measured, _measured, rows


def test_a_card_is_drawn_with_the_frame_that_first_shows_it_or_a_later_one() -> None:
    accepted = {"1:1": 1000.0, "1:2": 1100.0, "1:3": 1200.0, "2:1": 1300.0}
    drawn = [["1:1", 1010.0], ["1:3", 1230.0], ["1:3", 1240.0], ["1:9", 1500.0]]
    measured = _measured(accepted, drawn, 900.0, 100.0)
    assert measured == Measured([10.0, 130.0, 30.0], 1, 900.0, 100.0)


@pytest.mark.parametrize(
    ("measured", "kept"),
    [
        (Measured([10.0] * 99 + [500.0] * 2, 0, 900, 100), [False, True, True]),
        (Measured([10.0] * 199 + [500.0], 0, 900, 100), [True, True, True]),
        (Measured([10.0] * 100, 1, 900, 1001), [True, False, False]),
    ],
)
def test_a_promise_is_kept_or_it_is_not(measured: Measured, kept: list[bool]) -> None:
    assert [row.kept for row in rows(measured)] == kept


def test_where_no_browser_is_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide, "can_measure", lambda: False)
    done = CliRunner().invoke(guide.main)
    assert (done.exit_code, done.stdout.startswith("Not measured")) == (0, True)


def test_cards_that_are_dealt_fast_are_all_seen(needs: Callable[..., None]) -> None:
    needs("chromium")
    measured = guide.measure(cards=20, every_s=0.05)
    assert len(measured.cards_ms) + measured.missed == 20
    assert all(took > 0 for took in measured.cards_ms)
    assert measured.stands_still_ms > 0
    assert measured.goes_ms > 0
