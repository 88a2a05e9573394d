"""Which wheels, balls and sensors the bench goes through."""

from __future__ import annotations

from itertools import product

from tools.bench.call.changes import Campaign
from tools.bench.call.new_wheels import Fleet
from tools.bench.call.run import Plan
from tools.bench.call.spins import Eyes, Setting

# fmt: off
WHEELS = ("W1", "W2")
SCATTERS = (0.003, 0.01, 0.025)  # of the drop speed: PHYSICS.md
TILTS_DEG = (0.0, 0.1, 0.2)
BEAMS = (1, 3, 8)
JITTERS_US = (100, 1_000)
MISSED = (0.0, 0.005)
# fmt: on
PROMISED = Eyes(3, 100, 0.0)  # what the promises of issue 5 are about
PROMISED_SCATTER = 0.01  # the one whose coups are as many as it promises
_AT_A_TIME = 20  # new wheels
_FEWER = {PROMISED_SCATTER: 1, 0.003: 3}  # of the other only a median is promised


def promised(wheel: str, scatter: float, *, many: int, seed: int) -> Plan:
    """The run of a wheel that keeps the promises, or does not."""
    coups = max(many // _FEWER[scatter], 1)
    return Plan(Setting(wheel, scatter, 0.0), (PROMISED,), coups, coups, seed)


def plans(*, coups: int, many: int, seed: int) -> list[Plan]:
    """The whole grid: `coups` of each row, but `many` of the promised ones.

    No two of these, the long ones, beside each other: whoever stops the bench early has some rows.
    Eyes of a number of beams go together. They share the balls; who else does, changes nothing.
    """
    rows = product(_FEWER, WHEELS)
    long = [promised(wheel, scatter, many=many, seed=seed) for scatter, wheel in rows]
    done = [(plan.setting, eyes) for plan in long for eyes in plan.eyes]
    short = []
    for *setting, beams in product(WHEELS, SCATTERS, TILTS_DEG, BEAMS):
        at = Setting._make(setting)
        eyes = [Eyes(beams, *values) for values in product(JITTERS_US, MISSED)]
        left = tuple(one for one in eyes if (at, one) not in done)
        short.append(Plan(at, left, coups, coups, seed))
    apart = len(short) // len(long)
    for place, plan in enumerate(long):
        short.insert(place * (apart + 1), plan)
    return short


def campaigns(*, wheels: int, seed: int) -> list[Campaign]:
    """The wheels that change: those of the promises. None if `wheels` is 0."""
    settings = [Setting(wheel, scatter, 0.0) for wheel, scatter in product(WHEELS, _FEWER)]
    return [Campaign(setting, PROMISED, wheels, seed) for setting in settings if wheels]


def fleets(*, wheels: int, seed: int) -> list[Fleet]:
    """The new wheels, so few at a time that all processes have some. None if `wheels` is 0."""
    begins = range(0, wheels, _AT_A_TIME)
    return [Fleet(begin, min(_AT_A_TIME, wheels - begin), seed) for begin in begins]
