"""Lines of `cylindre run --json` and of the wheel's process, back as the records they were."""

from __future__ import annotations

from typing import Any

from firmware.core import facts
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
    "orphelin_paid_in": facts.OrphelinPaidIn,
}
_DIRECTIONS = {name: direction for direction, name in facts.DIRECTION_NAMES.items()}
_UNTOLD = 0  # what a line leaves out: the number that was detected and is not official yet


# What somebody has to act upon: its time is when it was heard, whatever its own time is.
_HEEDED = (facts.NoMoreBets, facts.Fault)


def fact(told: dict[str, Any], *, shift_us: int, heard_us: int) -> Any:
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


def truth(told: dict[str, Any]) -> CoupTruth:
    """The truth that a line of the wheel tells."""
    lay = tuple((until_us, at, number) for until_us, at, number in told.get("lay", ()))
    return CoupTruth(**told | {"lay": lay})
