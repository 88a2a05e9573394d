"""The calibration, step by step, at a bench and with a person. What is in the notes is not done
again; what the person leaves out is taken from the drawing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from boards import apparatus
from firmware.lib.errors import Failure
from tools.technician.calibrate import rim, ring
from tools.technician.calibrate.notes import Notes, Speeds
from tools.technician.calibrate.ring import Unclear
from tools.technician.selftest import encoder
from tools.technician.selftest.bench import (
    REST_MAX_S,
    Bench,
    joined,
    out_of_play,
    rests,
    spun,
    until,
)
from tools.technician.selftest.person import Person
from tools.technician.selftest.recording import Recording

_SLOW = (5, 6, 8, 10, 12)  # rpm tried, the first that holds is the lowest
_FAST = (26, 24, 22, 20)  # 30 rpm is a runaway (drivers/rotor_motor.py), and locks the wheel
_TURNS = 1.1  # at each: a whole one is judged
_REACH_MAX_S = 60.0  # a rotor that is to turn slower runs down by itself
_SETTLE_S = 1.0
_NEAR = 0.05  # of what was told, over an eighth of a turn: it has got there
_HELD_PERCENT = 3.0  # from what was told
_HELD_RIPPLE = 8.0


def find_speeds(bench: Bench, cycles: int, tell: Callable[[str], None]) -> Speeds | None:
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


WAYS = ("ccw", "cw")  # in turn, of one lay after the other
TURNS = 2.0  # at full speed; the run-out is measured too, and makes them some three
TRIES = 4  # of one step: then something else is wrong
THROWS = (1, -1, 1, -1)  # ccw and cw in turn, so that a beam's delay cancels
THROW_MAX_S = 90.0  # somebody finds the ball, throws it, and it falls
_GONE_S = 4.0  # no beam sees a ball for so long: it has left the track


class Wheel(NamedTuple):
    """What is calibrated."""

    board: dict[str, Any]
    names: list[str]  # of its compartments, in layout order, as people call them
    driven: bool
    lays: int
    rpm: float


def run(bench: Bench, wheel: Wheel, person: Person, notes: Notes, *, anew: bool = False) -> None:
    """Measures what the notes lack. Raises Failure, which names the faults that were told
    meanwhile; it and Ctrl-C leave what is measured in the notes.

    `anew`: what they hold is forgotten, once the wheel is out of play for this person: what another
    has measured is not lost for one who may not.
    """
    told = len(bench.faults)
    try:
        with out_of_play(bench, "calibration", person.inform):
            if anew:
                notes.forget()
            _measure(bench, wheel, person, notes)
    except Failure as failure:
        faults = dict.fromkeys(str(fault["text"]) for fault in bench.faults[told:])
        if type(failure) is not Failure or not faults:  # somebody stopped it
            raise
        raise Failure(failure.exit_code, " ".join([*faults, failure.sentence])) from None


def _measure(bench: Bench, wheel: Wheel, person: Person, notes: Notes) -> None:
    if wheel.board["rotor"] != "none" and wheel.driven:
        _ring(bench, wheel, person, notes)
    if apparatus.of(wheel.board["apparatus"]).beams_follow:
        _rim(bench, person, notes)
    if wheel.driven and notes.speeds is None:
        _speeds(bench, wheel, person, notes)
    if notes.level is None:
        _level(bench, person, notes)


def chosen(compartments: int, lays: int) -> list[int]:
    """Where the ball is to lie: compartments spread evenly, from 0."""
    return [at * compartments // lays for at in range(lays)]


def _ring(bench: Bench, wheel: Wheel, person: Person, notes: Notes) -> None:
    for turn, at in enumerate(chosen(len(wheel.names), wheel.lays)):
        if any(each.compartment == at for each in notes.lays):
            continue
        if not person.ask(f"Lay the ball into compartment {at} ({wheel.names[at]}), keep clear."):
            return
        way = WAYS[turn % 2]

        def measure(at: int = at, way: str = way) -> None:
            person.inform(f"Turning the ball in compartment {at} past the sensors, {way}.")
            heard, _ = spun(bench, way, wheel.rpm, TURNS)
            run = encoder.decode(heard, wheel.board["geometry"]["encoder_cycles"])
            notes.lays.append(ring.laid(heard, run, at))

        _tried(measure, person, notes)


def _rim(bench: Bench, person: Person, notes: Notes) -> None:
    if len(notes.throws) < len(THROWS):
        person.ask("Take the ball out.")
    while len(notes.throws) < len(THROWS):
        way = "ccw" if THROWS[len(notes.throws)] > 0 else "cw"
        if not person.ask(f"Throw the ball {way}, as hard as for a coup."):
            notes.throws = []
            return

        def measure(way: str = way) -> None:
            person.inform(f"Waiting for the ball: throw it {way} now.")
            kept = rim.crossings(_thrown(bench))
            if rim.way_of(kept) not in (way, None):
                raise Unclear(f"The ball ran the other way: throw it {way}.")
            notes.throws.append(kept)

        _tried(measure, person, notes)


def _thrown(bench: Bench) -> Recording:
    """Listens until a ball has run and left the track, or nobody threw one."""
    heard: Recording | None = None
    for _ in range(round(THROW_MAX_S / 0.5)):
        heard = joined(heard, bench.listen(0.5))
        rim_lines = {heard.names.index(name) for name in heard.called("rim")}
        seen = [at_us for at_us, line, _ in heard.edges if line in rim_lines]
        if seen and heard.end_us - seen[-1] > _GONE_S * 1_000_000:
            break
    assert heard is not None
    return heard


def _speeds(bench: Bench, wheel: Wheel, person: Person, notes: Notes) -> None:
    if not person.ask("Take the ball out: the rotor is turned at its lowest and highest speeds."):
        return
    notes.speeds = find_speeds(bench, wheel.board["geometry"]["encoder_cycles"], person.inform)
    notes.keep()


def _level(bench: Bench, person: Person, notes: Notes) -> None:
    if bench.parts().get("level") is None:
        return
    if not person.ask("Set the wheel level with a machinist's level on the rim."):
        return
    said = bench.parts()["level"]
    if said.get("error") or said.get("x_mdeg") is None:
        person.inform("The level sensor has not measured: left out.")
        return
    zero = said.get("zero_mdeg") or (0, 0)  # what was taken off what it read
    notes.level = (said["x_mdeg"] + zero[0], said["y_mdeg"] + zero[1])
    notes.keep()


def _tried(measure: Callable[[], None], person: Person, notes: Notes) -> None:
    """Again while it is unclear and the person wants to; raises the last Unclear then."""
    for left in range(TRIES - 1, -1, -1):
        try:
            measure()
            notes.keep()
            return
        except Unclear as unclear:
            if not left or not person.ask(f"{unclear} Again?"):
                raise
