"""The calibration, step by step, at a bench and with a person. What is in the notes is not done
again; what the person leaves out is taken from the drawing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tools.calibrate import rim, ring
from tools.calibrate.notes import Notes, Speeds
from tools.calibrate.ring import Unclear
from tools.selftest import turning
from tools.selftest.bench import Bench, joined, out_of_play, spun
from tools.selftest.person import Person
from tools.selftest.recording import Recording
from tools.selftest.turning import Turned

TURNS = 3.0  # each way and lay
TRIES = 4  # of one step: then something else is wrong
THROWS = (1, -1, 1, -1)  # ccw and cw in turn, so that a beam's delay cancels
THROW_MAX_S = 90.0  # somebody finds the ball, throws it, and it falls
_GONE_S = 4.0  # no beam sees a ball for so long: it has left the track
_SLOW = (5, 6, 8, 10, 12)  # rpm tried, the first that holds is the lowest
_FAST = (26, 24, 22, 20)  # 30 rpm is a runaway (drivers/rotor_motor.py), and locks the wheel
_HELD_PERCENT = 3.0  # from what was told
_HELD_RIPPLE = 8.0


class Wheel(NamedTuple):
    """What is calibrated."""

    board: dict[str, Any]
    names: list[str]  # of its compartments, in layout order, as people call them
    driven: bool
    lays: int
    rpm: float


def run(bench: Bench, wheel: Wheel, person: Person, notes: Notes) -> None:
    """Measures what the notes lack. Raises Failure; Ctrl-C leaves what is measured in the notes."""
    with out_of_play(bench, "calibration", person.tell):
        if wheel.board["rotor"] != "none" and wheel.driven:
            _ring(bench, wheel, person, notes)
        if wheel.board["apparatus"] != "vingt_trois":  # its beams see the ball by luck alone
            _rim(bench, person, notes)
        if wheel.driven and notes.speeds is None:
            _speeds(bench, wheel, person, notes)
        if notes.level is None:
            _level(bench, person, notes)


def chosen(compartments: int, lays: int) -> list[int]:
    """Where the ball is to lie: compartments spread evenly, from 0."""
    return [at * compartments // lays for at in range(lays)]


def _ring(bench: Bench, wheel: Wheel, person: Person, notes: Notes) -> None:
    for at in chosen(len(wheel.names), wheel.lays):
        done = {each.way for each in notes.lays if each.compartment == at}
        if done == {1, -1}:
            continue
        if not person.ask(f"Lay the ball into compartment {at} ({wheel.names[at]}), keep clear."):
            return

        def measure(at: int = at) -> None:
            both = [_laid(bench, wheel, person, at, way) for way in ("ccw", "cw")]
            notes.lays = [each for each in notes.lays if each.compartment != at] + both

        _tried(measure, person, notes)


def _laid(bench: Bench, wheel: Wheel, person: Person, at: int, way: str) -> ring.Laid:
    person.tell(f"Turning the ball in compartment {at} past the sensors, {way}.")
    run = _spin(bench, wheel, way, wheel.rpm, TURNS)
    if run.span is None:
        raise Unclear("The rotor never held one speed: run cylindre selftest first.")
    return ring.laid(run.heard, run.run, run.span, at)


def _rim(bench: Bench, person: Person, notes: Notes) -> None:
    if len(notes.throws) < len(THROWS):
        person.ask("Take the ball out.")
    while len(notes.throws) < len(THROWS):
        way = "ccw" if THROWS[len(notes.throws)] > 0 else "cw"
        if not person.ask(f"Throw the ball {way}, as hard as for a coup."):
            notes.throws = []
            return

        def measure(way: str = way) -> None:
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
    found = []
    for row in (_SLOW, _FAST):
        for rpm in row:
            person.tell(f"Turning at {rpm} rpm.")
            if _holds(_spin(bench, wheel, "ccw", rpm, 2.0), rpm):
                found.append(rpm)
                break
        else:
            person.tell(f"No speed from {row[0]} to {row[-1]} rpm was held: left out.")
            return
    notes.speeds = Speeds(*found)
    notes.keep()


def _holds(run: Turned, rpm: float) -> bool:
    pace = run.pace
    if pace is None:
        return False
    off = abs(abs(pace.rpm) / rpm * 100 - 100)
    return off <= _HELD_PERCENT and pace.ripple_percent <= _HELD_RIPPLE


def _level(bench: Bench, person: Person, notes: Notes) -> None:
    if bench.parts().get("level") is None:
        return
    if not person.ask("Set the wheel level with a machinist's level on the rim."):
        return
    said = bench.parts()["level"]
    if said.get("error") or said.get("x_mdeg") is None:
        person.tell("The level sensor has not measured: left out.")
        return
    zero = said.get("zero_mdeg") or (0, 0)  # what was taken off what it read
    notes.level = (said["x_mdeg"] + zero[0], said["y_mdeg"] + zero[1])
    notes.keep()


def _spin(bench: Bench, wheel: Wheel, way: str, rpm: float, turns: float) -> Turned:
    heard, let_go_us = spun(bench, way, rpm, turns)
    cycles = wheel.board["geometry"]["encoder_cycles"]
    return turning.taken(heard, cycles=cycles, way=way, rpm=rpm, let_go_us=let_go_us)


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
