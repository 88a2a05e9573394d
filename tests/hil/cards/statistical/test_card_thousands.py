"""Issue 27: rounds of every card game with every fault, singly and in pairs, by the thousand."""

from __future__ import annotations

import os
from collections.abc import Callable

from tools.hil.cards import faults, work
from tools.hil.cards.places import VIRTUAL
from tools.hil.cards.scenario import Plan
from tools.hil.cards.summary import CLEAN, Total
from tools.testing.sizes import size


def test_no_round_of_cards_is_wrong_whatever_goes_wrong(
    counted: Callable[[str, int], None],
) -> None:
    plan = Plan(7, size("rounds of cards with a fault"), size("rounds of cards with two faults"))
    total = Total(work.rows(plan, os.cpu_count() or 1))
    print(total.table())
    print(total.sentence())
    counted("rounds", total.rounds)
    counted("confirmed", total.confirmed)
    counted("void", total.void)
    counted("held", total.held)
    assert total.good, [row["broken"] for row in total.failed()]
    assert total.rounds >= plan.rounds + plan.pairs
    cells = total.cells()
    assert [name for name in (*faults.of_place(VIRTUAL), CLEAN) if not cells[name].rounds] == []
