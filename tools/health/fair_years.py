"""Years of fair wheels of all kinds, looked at after every coup: is any told of?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import NamedTuple

from firmware.core.health.facts import Notice
from tools.health.drawn import KINDS, MIXED, WHEEL, Drawn
from tools.health.wheels import Wheels
from tools.testing.workers import Tell, silent

BLOCK = 50  # wheels played at once, each a year
_PART = 5_000  # coups


class FalseNotice(NamedTuple):
    """What was told of a fair wheel. `kind`: of wheel."""

    block: int
    wheel: int
    kind: str
    coup: int
    notice: Notice


def play(
    block: int,
    *,
    years: int = BLOCK,
    coups: int = WHEEL.coups_a_year,
    tell: Tell = silent,
) -> Iterator[FalseNotice]:
    """Plays a block of fair wheels, each as many coups; all fairness families together."""
    kinds = list(islice(cycle((*KINDS, MIXED)), years))
    drawn = Drawn((26, block), kinds)
    wheels = Wheels(WHEEL, years, drawn.chances)
    while wheels.coups < coups:
        part = min(_PART, coups - wheels.coups)
        for told in wheels.play(drawn.coups(part)):
            yield FalseNotice(block, told.wheel, kinds[told.wheel], told.coup, told.notice)
        tell(part * years)
