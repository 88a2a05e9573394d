"""Issue 27: rounds of every card game with every fault, singly and in pairs, by the thousand."""

from __future__ import annotations

import os
from collections.abc import Callable

from tools.hil.cards import faults, work
from tools.hil.cards.places import VIRTUAL
from tools.hil.cards.scenario import Plan
from tools.hil.cards.summary import CLEAN, Total
from tools.testing.sizes import size

SEATS = tuple(fault.name for fault in faults.FAULTS if fault.layer == faults.SEATS)


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
    made = [name for name in faults.of_place(VIRTUAL) if name not in SEATS]
    cells = total.cells()
    assert [name for name in (*made, CLEAN) if not cells[name].rounds] == []


def test_no_cent_of_a_player_is_made_or_lost_whatever_goes_wrong(
    counted: Callable[[str, int], None],
) -> None:
    """Issue 28: players at terminals and behind hands, their money, kills, voids and leavings."""
    names = (*SEATS, "killed", "killed_recording", "void_pressed", "void_asked", "screen_off")
    rounds = size("rounds of cards with players' money")
    total = Total(
        work.rows(Plan(9, rounds, rounds // 4, names, accounts=True), os.cpu_count() or 1)
    )
    print(total.table())
    print(total.sentence())
    counted("rounds", total.rounds)
    counted("void", total.void)
    assert total.good, [row["broken"] for row in total.failed()]
    cells = total.cells()
    assert [name for name in (*names, CLEAN) if not cells[name].rounds] == []
