"""Issue 24: clean coups of tables that nobody has tuned for are hardly ever void."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tools.bench.drawn_tables import APPARATUS, plans, play
from tools.testing.sizes import size

ONE_IN = 2_000  # clean coups may be void


@pytest.mark.parametrize("apparatus", APPARATUS)
def test_clean_coups_of_drawn_tables(apparatus: str, counted: Callable[[str, int], None]) -> None:
    found: Counter[str] = Counter()
    for plan in plans(apparatus, size("coups of drawn tables"), seed=24, plain=False, chips=False):
        found.update(play(plan))
    void = found["coups"] - found["right"] - found["wrong"]
    assert (found["wrong"], found["late"]) == (0, 0)
    assert void <= found["coups"] // ONE_IN, found
    counted("coups", found["coups"])
    counted("of them void", void)
    counted("wrong numbers", found["wrong"])


@pytest.mark.parametrize("apparatus", ["roulette", "vingt_trois"])
def test_no_chip_of_18_to_30_mm_is_a_number(apparatus: str) -> None:
    found: Counter[str] = Counter()
    for plan in plans(apparatus, 128, seed=24, plain=True, chips=True):
        found.update(play(plan))
    assert found["wrong"] == 0
    assert found["void foreign_object"] > 0
