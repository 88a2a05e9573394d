"""The self-test from its first part to its last, at a bench and with a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from firmware.lib.errors import Failure
from tools.technician.selftest import limits, optics, rotor_run, slow
from tools.technician.selftest.bench import Bench, joined, out_of_play, spun, until
from tools.technician.selftest.part import Part, judged, unfitted, untested
from tools.technician.selftest.person import Person
from tools.technician.selftest.recording import Recording
from tools.technician.selftest.rotor_run import Turned

TURNS = 3.0  # each way; a mean of three shows what comes once a turn
HAND_S = 30.0  # somebody who is asked for a hand has so long for each sensor, all together
STILL_S = 1.0
HANDS_OFF_S = 0.5  # a press takes some 0.2 s
_PEOPLES = "P"  # codes of what people ask (docs/faults.md)
_NO_HAND = "nobody lent a hand"


class Wheel(NamedTuple):
    """What is tested: its drawing, and what its house chose."""

    board: dict[str, Any]
    driven: bool  # by a motor
    warn_mdeg: int  # [level] warn_deg
    rpm: float


def parts(bench: Bench, wheel: Wheel, person: Person, why: str = "self-test") -> Iterator[Part]:
    """Takes the wheel out of play, and gives each part as it is tested. Raises Failure.

    Whoever stops asking for parts, or is interrupted, has the wheel put back into play.
    """
    told = len(bench.faults)
    with out_of_play(bench, why, person.inform):
        ends = ""
        try:
            yield from _all(bench, wheel, person)
        except Failure as failure:
            if not _codes(bench, told):
                raise
            ends = failure.sentence  # the wheel is locked, and told why before
        faults = _codes(bench, told)
        note = " ".join([*faults, ends]).strip()
        yield judged("controller", "faults", float(len(faults)), limits.FAULTS, note)


def _codes(bench: Bench, told: int) -> list[str]:
    """The faults since so many were told; what a person asked in vain is none of the wheel."""
    codes = {str(fault["code"]) for fault in bench.faults[told:]}
    return sorted(code for code in codes if not code.startswith(_PEOPLES))


def _all(bench: Bench, wheel: Wheel, person: Person) -> Iterator[Part]:
    turns = wheel.board["rotor"] != "none"
    lends = person.ask("Take the ball out, and keep clear of the wheel.")
    yield from _at_rest(bench, person)
    if turns and wheel.driven:
        yield from _turned(bench, wheel, person, ball=lends)
    elif turns:
        yield from _by_hand(bench, wheel, person)
    yield from _touched(bench, person, "rim")
    if not turns:
        yield from _touched(bench, person, "cup")
    person.inform("Asking level, clock, memory, line and displays.")
    yield from slow.parts(bench.parts(), warn_mdeg=wheel.warn_mdeg)


def _at_rest(bench: Bench, person: Person) -> Iterator[Part]:
    person.inform("Looking at every sensor with nothing before it.")
    bench.listen(HANDS_OFF_S)  # whoever was just about to begin a coup takes the finger off
    heard = bench.listen(STILL_S)
    for stem in ("rim", "pocket", "cup", "btn"):
        for name in heard.called(stem):
            yield optics.lit(heard, name, "at rest")


def _turned(bench: Bench, wheel: Wheel, person: Person, *, ball: bool) -> Iterator[Part]:
    cycles = wheel.board["geometry"]["encoder_cycles"]
    runs = []
    for way in ("ccw", "cw"):
        person.inform(f"Turning the rotor {way} at {wheel.rpm:g} rpm.")
        run = _spin(bench, wheel, way)
        runs.append(run)
        yield from rotor_run.parts(run, cycles)
        for name in [*run.heard.called("rim"), *run.heard.called("pocket")]:
            yield optics.lit(run.heard, name, f"turning {way}")
    yield rotor_run.alike(*runs)
    sensors = runs[0].heard.called("pocket")
    if not ball or not person.ask("Lay the ball into any compartment, and keep clear."):
        for name in sensors:
            yield untested(optics.group_of(name), name, f"no ball: {_NO_HAND}")
        return
    for way in ("ccw", "cw"):
        person.inform(f"Turning the ball past the ring sensors, {way}.")
        yield from _ring(_spin(bench, wheel, way), wheel)
    person.ask("Take the ball out.")


def _spin(bench: Bench, wheel: Wheel, way: str) -> Turned:
    heard, let_go_us = spun(bench, way, wheel.rpm, TURNS)
    cycles = wheel.board["geometry"]["encoder_cycles"]
    return rotor_run.taken(heard, cycles=cycles, way=way, rpm=wheel.rpm, let_go_us=let_go_us)


def _ring(run: Turned, wheel: Wheel) -> list[Part]:
    if run.span is None or not run.run.marks_us:
        names = run.heard.called("pocket")
        return [
            untested(optics.group_of(each), each, "the encoder says no angle") for each in names
        ]
    return optics.ring(run.heard, run.run, run.span, wheel.board["geometry"])


def _by_hand(bench: Bench, wheel: Wheel, person: Person) -> Iterator[Part]:
    """A rotor without a motor: its encoder alone, turned by whoever is there."""
    cycles = wheel.board["geometry"]["encoder_cycles"]
    yield unfitted(rotor_run.MOTOR, "motor", "a hand turns this rotor")
    for way in ("ccw", "cw"):
        if not person.ask(f"Turn the rotor {way} by hand: a good push, then let it run."):
            yield untested(rotor_run.ENCODER, f"encoder, {way}", _NO_HAND)
            continue
        heard = until(bench, lambda each: len(each.of("enc_a")) > 8 * cycles, HAND_S)
        run = rotor_run.taken(heard, cycles=cycles, way=way, rpm=0.0, let_go_us=heard.end_us)
        follows = float(run.run.direction * (1 if way == "ccw" else -1))
        yield judged(rotor_run.ENCODER, f"direction, {way}", follows, limits.WAY)
        yield from rotor_run.parts(run, cycles, driven=False)
    yield untested("ring sensors", "all", "they are tested where a motor turns the ball past them")


def _touched(bench: Bench, person: Person, stem: str) -> Iterator[Part]:
    """Somebody passes a finger before each, one after the other, in any order."""
    names = [name for name in bench.names if name.startswith(stem)]
    if not names:
        return
    group = optics.group_of(names[0])
    prompt = f"Pass one finger through {names[0]} to {names[-1]}, one after the other."
    if not person.ask(prompt):
        for name in names:
            yield untested(group, f"{name} dark", _NO_HAND)
        return
    heard: Recording | None = None
    left_s = HAND_S
    while left_s > 0:
        heard = joined(heard, bench.listen(0.5))
        left_s -= 0.5
        if optics.all_touched(heard, names):
            break
    assert heard is not None
    for name in names:
        yield from optics.touched(heard, name, [other for other in names if other != name])
