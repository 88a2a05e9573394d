"""The lowest and the highest speed that the drive holds, from one run from rest to rest."""

from __future__ import annotations

from collections.abc import Callable

from tools.technician.calibrate.notes import Speeds
from tools.technician.selftest import encoder
from tools.technician.selftest.bench import REST_MAX_S, Bench, rests, until
from tools.technician.selftest.recording import Recording

_SLOW = (5, 6, 8, 10, 12)  # rpm tried, the first that holds is the lowest
_FAST = (26, 24, 22, 20)  # 30 rpm is a runaway (drivers/rotor_motor.py), and locks the wheel
_TURNS = 1.1  # at each: a whole one is judged
_REACH_MAX_S = 60.0  # a rotor that is to turn slower runs down by itself
_SETTLE_S = 1.0
_NEAR = 0.05  # of what was told, over an eighth of a turn: it has got there
_HELD_PERCENT = 3.0  # from what was told
_HELD_RIPPLE = 8.0


def found(bench: Bench, cycles: int, tell: Callable[[str], None]) -> Speeds | None:
    """The speeds, or None if none of the slow, or none of the fast ones is held.

    `cycles`: of the encoder's channels, a turn.
    """
    held = []
    for row in (_SLOW, _FAST):
        for rpm in row:
            if _holds(bench, cycles, rpm, tell):
                held.append(rpm)
                break
        else:
            tell(f"No speed from {row[0]} to {row[-1]} rpm was held: left out.")
            break
    bench.turn(None, 0, 0)
    until(bench, rests, REST_MAX_S)
    return Speeds(*held) if len(held) == 2 else None


def _holds(bench: Bench, cycles: int, rpm: int, tell: Callable[[str], None]) -> bool:
    """Whether it turns evenly at that speed, once it has got there."""
    tell(f"Turning at {rpm} rpm.")
    lasts_s = _TURNS * 60 / rpm
    bench.turn("ccw", rpm, _REACH_MAX_S + _SETTLE_S + lasts_s)
    until(bench, lambda heard: _near(heard, cycles, rpm), _REACH_MAX_S)
    bench.listen(_SETTLE_S)
    run = encoder.decode(bench.listen(lasts_s), cycles)
    pace = encoder.pace(run, (run.times_us[0], run.times_us[-1])) if run.times_us else None
    if pace is None:
        return False
    off_percent = abs(pace.rpm / rpm * 100 - 100)
    return off_percent <= _HELD_PERCENT and pace.ripple_percent <= _HELD_RIPPLE


def _near(heard: Recording, cycles: int, rpm: int) -> bool:
    run = encoder.decode(heard, cycles)
    back = run.steps_turn // 8
    if len(run.times_us) <= back:
        return False
    turns = (run.steps[-1] - run.steps[-1 - back]) / run.steps_turn
    now_rpm = turns / max(1, run.times_us[-1] - run.times_us[-1 - back]) * encoder.US_MIN
    return abs(now_rpm / rpm - 1) < _NEAR
