"""Every kind of coup of a dish, judged against its truth, in dishes of all sizes."""

from __future__ import annotations

import pytest
from harness.dish import DishSession
from harness.dish_troubles import KINDS
from harness.playing import boule, complaints


def amiss(session: DishSession) -> list[str]:
    """All that is wrong with what the core says of it."""
    dish = boule(session.cups)
    assert session.lines == [name for name, _ in dish.board["inputs"]]
    coups = dish.coups(session)
    return complaints(coups) + dish.wrong_numbers(coups)


@pytest.mark.parametrize("cups", [9, 18, 36])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_coup_ends_as_its_truth_says(kind: str, cups: int) -> None:
    session = DishSession(5, cups=cups)
    for _ in range(6):
        session.play(kind)
        session.play("clean")
    assert not amiss(session)


@pytest.mark.parametrize("seed", range(12))
def test_troubles_in_any_order_leave_nothing_behind(seed: int) -> None:
    session = DishSession(seed, cups=(9, 18, 36)[seed % 3])
    for _ in range(24):
        session.play(session.random.choice(KINDS))
    assert not amiss(session)
