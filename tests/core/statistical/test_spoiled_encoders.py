"""Encoders that lose 1 to 10 % of their pulses, cables that are out, marks that move, and pairs.

docs/adr/0005 has the table at the size of `make soak`. Wheels and plates of seven coups each.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import NamedTuple

import pytest
from harness.playing import ROULETTE, VINGT_TROIS
from harness.spoiled_encoder import Spoiled

from tools.testing.sizes import size

COUPS = 7
WHEELS = -(-size("coups of a spoilt encoder") // COUPS)


class Kind(NamedTuple):
    """In which coups pulses are lost, the mark lies aside, and the cable is out.

    `aside`: of so many cycles one is drawn. `later`: of so many spoilt coups one may cost more than
    the next; `wrong`: of so many wheels one may give wrong numbers, 0: none.
    """

    slips: Collection[int] = ()
    moved: Collection[int] = ()
    outs: Collection[int] = ()
    aside: Sequence[int] = range(1, 36)
    later: int = 200
    wrong: int = 0


LITTLE = (1, 2, 34, 35)
# Where the mark moves while pulses are lost, by no more cycles than may be, nothing can tell.
KINDS = {
    "slips": Kind(slips=(2, 5)),
    "cable out": Kind(outs=(2, 5), later=25),
    "moved mark": Kind(moved=(2, 3, 4)),
    "moved mark, slips later": Kind(slips=(4, 6), moved=range(2, 8)),
    "moved mark after slips": Kind(slips=(2,), moved=range(3, 8), wrong=20),
    "both in one coup": Kind(slips=(2,), moved=range(2, 8), wrong=50),
    "moved mark after slips, by little": Kind((2,), range(3, 8), aside=LITTLE, wrong=5),
    "both in one coup, by little": Kind(slips=(2,), moved=range(2, 8), aside=LITTLE, wrong=10),
}


class Counts:
    """What became of the coups of one kind."""

    def __init__(self) -> None:
        self.coups = self.spoilt = self.next_void = self.later_void = 0
        self.moved_numbers = self.wrong = self.wrong_wheels = 0
        self.seeds: list[int] = []  # what to repeat

    def add(self, kind: Kind, seed: int) -> None:
        """Plays one wheel."""
        r = random.Random(seed)
        apparatus = r.choice((ROULETTE, VINGT_TROIS))
        rate, cycles = r.uniform(0.01, 0.10), r.choice(kind.aside)
        coups = Spoiled(
            apparatus, seed=seed, coups=COUPS,
            slips=kind.slips, moved=kind.moved, outs=kind.outs, rate=rate, cycles=cycles,
        ).played()  # fmt: skip
        wrong = len(apparatus.wrong_numbers(coups))
        before = (self.later_void, self.moved_numbers)
        for number, coup in enumerate(coups, 1):
            named, spoilt = coup.outcome == "result", {*kind.slips, *kind.moved, *kind.outs}
            self.coups += 1
            self.spoilt += number in spoilt
            self.moved_numbers += named and number in kind.moved
            if number not in spoilt and not named:
                self.next_void += number - 1 in spoilt
                self.later_void += number - 1 not in spoilt
        self.wrong += wrong
        self.wrong_wheels += wrong > 0
        if wrong or (self.later_void, self.moved_numbers) != before:
            self.seeds.append(seed)


@pytest.mark.parametrize("name", KINDS)
def test_lost_pulses_cost_at_most_the_next_coup_and_a_moved_mark_is_no_number(name: str) -> None:
    kind, counts = KINDS[name], Counts()
    for seed in range(WHEELS):
        counts.add(kind, seed)
    print(
        f"{name}: {counts.coups} coups, {counts.spoilt} spoilt; void: the next {counts.next_void}, "
        f"later {counts.later_void}; {counts.moved_numbers} numbers of a moved mark, "
        f"{counts.wrong} wrong numbers on {counts.wrong_wheels} of {WHEELS} wheels {counts.seeds}"
    )
    assert counts.coups == COUPS * WHEELS
    assert counts.later_void * kind.later <= counts.spoilt
    assert counts.wrong_wheels * kind.wrong <= WHEELS
    if not kind.wrong:
        assert not counts.wrong
        assert not counts.moved_numbers
