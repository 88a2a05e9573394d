"""The self-test from its first part to its last, at a bench and with a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from firmware.lib.errors import Failure
from firmware.lib.language import Message, listed
from tools.technician.selftest import limits, optics, rotor_run, slow
from tools.technician.selftest.bench import Bench, out_of_play, spun, spun_s, until
from tools.technician.selftest.course import HAND_S, TRIES, Course, Step
from tools.technician.selftest.part import FAILED, Part, judged, unfitted, untested
from tools.technician.selftest.person import Nobody, Person
from tools.technician.selftest.rotor_run import Turned

TURNS = 3.0  # each way; a mean of three shows what comes once a turn
FINGERS_S = 30.0  # somebody who is asked for a hand has so long for all sensors together
FINGER_S = 1.0  # from one sensor to the next
PUSH_S = 10.0  # eight turns by hand
STILL_S = 1.0
HANDS_OFF_S = 0.5  # a press takes some 0.2 s
_PEOPLES = "P"  # codes of what people ask (docs/faults.md)
_NO_HAND = "nobody lent a hand"
_WAYS = ("ccw", "cw")
_SAID_MAX = 3  # parts that a question names


class Wheel(NamedTuple):
    """What is tested: its drawing, and what its house chose."""

    board: dict[str, Any]
    driven: bool  # by a motor
    warn_mdeg: int  # [level] warn_deg
    rpm: float

    @property
    def turns(self) -> bool:
        """Whether it has a rotor."""
        return bool(self.board["rotor"] != "none")


def parts(bench: Bench, wheel: Wheel, person: Person, why: str = "self-test") -> Iterator[Part]:
    """Takes the wheel out of play, and gives each part as it is tested. Raises Failure.

    Whoever stops asking for parts, or is interrupted, has the wheel put back into play.
    """
    told = len(bench.faults)
    planned = steps(bench, wheel, hand=not isinstance(person, Nobody))
    course = Course(person, planned, bench.forget)
    with out_of_play(bench, why, person.inform):
        ends = ""
        try:
            yield from _all(bench, wheel, course)
        except Failure as failure:
            if not _codes(bench, told):
                raise
            ends = failure.sentence  # the wheel is locked, and told why before
        faults = _codes(bench, told)
        note = " ".join([*faults, ends]).strip()
        yield judged("controller", "faults", float(len(faults)), limits.FAULTS, note)


def steps(bench: Bench, wheel: Wheel, *, hand: bool) -> list[Step]:
    """All steps of a test, in order; those that need a hand only where somebody lends one."""
    hand_s = HAND_S if hand else 0.0
    found = [Step("rest", "rest", HANDS_OFF_S + STILL_S, hand_s)]
    if wheel.turns and wheel.driven:
        turned_s = spun_s(wheel.rpm, TURNS)
        found += [Step(f"turn-{way}", "turn", turned_s) for way in _WAYS]
        if hand:
            found += [Step("ball-ccw", "turn", turned_s, hand_s), Step("ball-cw", "turn", turned_s)]
            found.append(Step("ball-out", "ball-out", 0.0, hand_s))
    elif wheel.turns and hand:
        found += [Step(f"by-hand-{way}", "by-hand", PUSH_S, hand_s) for way in _WAYS]
    for stem in _stems(wheel) if hand else ():
        if names := _called(bench, stem):
            name = f"finger-{stem}"
            found.append(Step(name, name, FINGER_S * len(names), hand_s))
    return [*found, Step("slow", "slow", 0.5)]


def _stems(wheel: Wheel) -> tuple[str, ...]:
    return ("rim",) if wheel.turns else ("rim", "cup")


def _called(bench: Bench, stem: str) -> list[str]:
    return [name for name in bench.names if name.startswith(stem)]


def _codes(bench: Bench, told: int) -> list[str]:
    """The faults since so many were told; what a person asked in vain is none of the wheel."""
    codes = {str(fault["code"]) for fault in bench.faults[told:]}
    return sorted(code for code in codes if not code.startswith(_PEOPLES))


def _all(bench: Bench, wheel: Wheel, course: Course) -> Iterator[Part]:
    course.begin_step("rest")
    lends = course.ask("Take the ball out, and keep clear of the wheel.")
    if lends:
        yield from _tried(course, lambda tries: _nth(tries, _at_rest(bench, course)))
    else:
        yield from _at_rest(bench, course)
    if wheel.turns and wheel.driven:
        yield from _turned(bench, wheel, course, ball=lends)
    elif wheel.turns:
        yield from _by_hand(bench, wheel, course)
    for stem in _stems(wheel):
        yield from _touched(bench, course, stem)
    course.begin_step("slow")
    course.inform("Asking level, clock, memory, line and displays.")
    yield from slow.parts(bench.parts(), warn_mdeg=wheel.warn_mdeg)


def _tried(course: Course, measure: Callable[[int], list[Part]]) -> list[Part]:
    """Measures, with a hand, the first time, the second: while something fails and somebody wants
    to."""
    for tries in range(1, TRIES + 1):
        found = measure(tries)
        failed = _failed(found)
        if not failed or tries == TRIES or not course.again(_question(failed)):
            break
    return found


def _failed(parts: Sequence[Part]) -> list[Part]:
    return [part for part in parts if part.outcome == FAILED]


def _nth(tries: int, parts: Sequence[Part]) -> list[Part]:
    return [part._replace(tries=tries) for part in parts]


def _question(failed: list[Part]) -> Message:
    """What failed, what to do about it, and whether it is to be tried again."""
    said = [
        Message("{part}: {measured}.", part=Message(part.name), measured=part.measured)
        for part in failed[:_SAID_MAX]
    ]
    if len(failed) > _SAID_MAX:
        said.append(Message("{n} more failed.", n=len(failed) - _SAID_MAX))
    remedies = dict.fromkeys(Message(part.remedy or "") for part in failed[:_SAID_MAX])
    return listed([*said, *remedies, Message("Again?")], " ")


def _at_rest(bench: Bench, course: Course) -> list[Part]:
    course.inform("Looking at every sensor with nothing before it.")
    bench.listen(HANDS_OFF_S)  # whoever was just about to begin a coup takes the finger off
    heard = bench.listen(STILL_S)
    return [
        optics.lit(heard, name, "at rest")
        for stem in ("rim", "pocket", "cup", "btn")
        for name in heard.called(stem)
    ]


def _turned(bench: Bench, wheel: Wheel, course: Course, *, ball: bool) -> Iterator[Part]:
    cycles = wheel.board["geometry"]["encoder_cycles"]
    runs = []
    for way in _WAYS:
        course.begin_step(f"turn-{way}")
        course.inform(f"Turning the rotor {way} at {wheel.rpm:g} rpm.")
        run = _spin(bench, wheel, way)
        runs.append(run)
        yield from rotor_run.parts(run, cycles)
        for name in [*run.heard.called("rim"), *run.heard.called("pocket")]:
            yield optics.lit(run.heard, name, f"turning {way}")
    yield rotor_run.alike(*runs)
    if ball:
        course.begin_step("ball-ccw")
        ball = course.ask("Lay the ball into any compartment, and keep clear.")
    if not ball:
        for name in runs[0].heard.called("pocket"):
            yield untested(optics.group_of(name), name, f"no ball: {_NO_HAND}")
        return
    for way in _WAYS:
        if way != _WAYS[0]:
            course.begin_step(f"ball-{way}")

        def pass_ball(tries: int, way: str = way) -> list[Part]:
            course.inform(f"Turning the ball past the ring sensors, {way}.")
            return _nth(tries, _ring(_spin(bench, wheel, way), wheel))

        yield from _tried(course, pass_ball)
    course.begin_step("ball-out")
    course.ask("Take the ball out.")


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


def _by_hand(bench: Bench, wheel: Wheel, course: Course) -> Iterator[Part]:
    """A rotor without a motor: its encoder alone, turned by whoever is there."""
    cycles = wheel.board["geometry"]["encoder_cycles"]
    yield unfitted(rotor_run.MOTOR, "motor", "a hand turns this rotor")
    for way in _WAYS:
        course.begin_step(f"by-hand-{way}")
        if not course.ask(f"Turn the rotor {way} by hand: a good push, then let it run."):
            yield untested(rotor_run.ENCODER, f"encoder, {way}", _NO_HAND)
            continue

        def push(tries: int, way: str = way) -> list[Part]:
            heard = until(bench, lambda each: len(each.of("enc_a")) > 8 * cycles, FINGERS_S)
            run = rotor_run.taken(heard, cycles=cycles, way=way, rpm=0.0, let_go_us=heard.end_us)
            follows = float(run.run.direction * (1 if way == "ccw" else -1))
            direction = judged(rotor_run.ENCODER, f"direction, {way}", follows, limits.WAY)
            return _nth(tries, [direction, *rotor_run.parts(run, cycles, driven=False)])

        yield from _tried(course, push)
    yield untested("ring sensors", "all", "they are tested where a motor turns the ball past them")


def _touched(bench: Bench, course: Course, stem: str) -> Iterator[Part]:
    """Somebody passes a finger before each, one after the other, in any order."""
    names = _called(bench, stem)
    if not names:
        return
    course.begin_step(f"finger-{stem}")
    prompt = f"Pass one finger through {names[0]} to {names[-1]}, one after the other."
    if not course.ask(prompt):
        for name in names:
            yield untested(optics.group_of(name), f"{name} dark", _NO_HAND)
        return
    found: dict[str, list[Part]] = {}

    def pass_finger(tries: int) -> list[Part]:
        wanted = [name for name in names if _failed(found.get(name, ())) or name not in found]
        heard = until(bench, lambda each: optics.all_touched(each, wanted), FINGERS_S)
        for name in wanted:
            others = [other for other in names if other != name]
            found[name] = _nth(tries, optics.touched(heard, name, others))
        return [part for name in names for part in found[name]]

    yield from _tried(course, pass_finger)
