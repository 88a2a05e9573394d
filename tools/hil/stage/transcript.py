"""All that the processes of a stage have said, as it came."""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware.core import facts
from tools.hil.verdict import BROKEN, Broken
from tools.hil.world import FaultInterval
from tools.sim.truth import CoupTruth

_KINDS: dict[str, Any] = {
    "coup_started": facts.CoupStarted,
    "rotor_moving": facts.RotorMoving,
    "ball_in_track": facts.BallInTrack,
    "no_more_bets": facts.NoMoreBets,
    "ball_dropped": facts.BallDropped,
    "detected": facts.Detected,
    "result": facts.Result,
    "void": facts.Void,
    "correction": facts.Correction,
    "fault": facts.Fault,
    "fault_ended": facts.FaultEnded,
    "orphelin_paid_in": facts.OrphelinPaidIn,
}
_DIRECTIONS = {name: direction for direction, name in facts.DIRECTION_NAMES.items()}
_UNTOLD = 0  # what a line leaves out: the number that was detected and is not official yet
# What somebody has to act upon: its time is when it was heard, whatever its own time is.
_HEEDED = (facts.NoMoreBets, facts.Fault)


def decode_fact(told: dict[str, Any], *, shift_us: int, heard_us: int) -> Any:
    """The fact that a line tells; firmware.core.facts.fact_line is the inverse.

    `shift_us` comes to its time; `heard_us`: when the line came. What a line does not tell is 0.
    """
    kind = _KINDS[told["event"]]
    values = []
    for name in kind._fields:
        if name == "at_us":
            at_us = told["t_us"] + shift_us
            values.append(max(at_us, heard_us) if kind in _HEEDED else at_us)
        elif name in ("rotor", "ball"):
            values.append(_DIRECTIONS[told[name]])
        else:
            values.append(told.get(name, _UNTOLD))
    return kind(*values)


def decode_truth(told: dict[str, Any]) -> CoupTruth:
    """The truth that a line of the wheel tells."""
    lay = tuple((until_us, at, number) for until_us, at, number in told.get("lay", ()))
    return CoupTruth(**told | {"lay": lay})


class Line(NamedTuple):
    """One thing that a process said: since when its times count, the object, when it was heard."""

    started_us: int
    told: dict[str, Any]
    heard_us: int


class Lit(NamedTuple):
    """The same of a display; `told` None: it went dark, for it is gone."""

    at_us: int
    place: int
    told: dict[str, Any] | None


class Transcript:
    """Keeps what a play leaves to be judged.

    Times are microseconds of CLOCK_MONOTONIC, but those of intervals and truths, which are the
    wheel's.
    """

    def __init__(self) -> None:
        """Nothing yet."""
        self.lines: list[Line] = []  # of the controllers
        self.lit: list[Lit] = []
        self.crashes_us: list[int] = []  # when a controller was found dead
        self.intervals: list[FaultInterval] = []
        self.broken: list[Broken] = []
        self.is_wired = False  # the wheel can be wired to
        self.begin_us = 0  # the wheel's time 0
        self.edges = 0  # that the wheel has made
        self.held_up_us = 0  # the longest time that the machine kept the wheel waiting
        self.over_us: int | None = None  # all coups have been played
        self._truths: dict[int, CoupTruth] = {}

    @property
    def truths(self) -> list[CoupTruth]:
        """What really happened, in order of time."""
        return [self._truths[number] for number in sorted(self._truths)]

    def say_broken(self, text: str) -> None:
        """The stage itself found something."""
        self.broken.append(Broken(BROKEN, None, text))

    def take_wheel(self, told: dict[str, Any]) -> FaultInterval | None:
        """One line of the wheel (tools.hil.stage); the interval that begins or ends with it."""
        ((name, value),) = told.items()
        if name == "ready":
            self.is_wired = True
        elif name == "start_us":
            self.begin_us = value
        elif name == "truth":
            truth = decode_truth(value)
            self._truths[truth.coup] = truth
        elif name == "over":
            self.over_us = self.begin_us + value
        elif name == "edges":
            self.edges = value
        elif name == "held_up_us":
            self.held_up_us = value
        elif name == "spell":
            return FaultInterval(*value)
        return None
