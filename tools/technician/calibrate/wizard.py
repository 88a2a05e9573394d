"""The calibration, step by step, at a bench and with a person. What is in the notes is not done
again; what the person leaves out is taken from the drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from boards import apparatus
from firmware.lib.errors import Failure
from firmware.lib.language import N_, Message, listed
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
    spun_s,
    until,
)
from tools.technician.selftest.course import HAND_S, TRIES, Course, Step
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
THROWS = (1, -1, 1, -1)  # ccw and cw in turn, so that a beam's delay cancels
THROW_MAX_S = 90.0  # somebody finds the ball, throws it, and it falls
_GONE_S = 4.0  # no beam sees a ball for so long: it has left the track
_THROW_S, _SPEEDS_S, _LEVEL_S = 17.0, 35.0, 0.5  # what they take (docs/calibration.md)
_LEVELLING_S = 120.0  # somebody sets a wheel level


class Wheel(NamedTuple):
    """What is calibrated."""

    board: dict[str, Any]
    names: list[str]  # of its compartments, in layout order, as people call them
    driven: bool
    lays: int
    rpm: float


class FailedStep(NamedTuple):
    """A step that was gone on from as it was: what was to be measured, why it is not and what to
    do, how often it was tried."""

    step: str
    why: str
    tries: int

    @property
    def words(self) -> Message:
        """For people."""
        values = {"step": Message(self.step), "why": Message(self.why), "n": self.tries}
        if self.tries == 1:
            return Message("{step}: {why}", **values)
        return Message("{step}: {why} It was tried {n} times.", **values)


def with_failed(text: str, failed: Sequence[FailedStep]) -> Message:
    """How it ended, and last, in lines of their own, the steps that failed."""
    return listed([text, *(each.words for each in failed)], "\n")


def nothing(failed: Sequence[FailedStep]) -> Message:
    """What is said where no step has measured anything."""
    if not failed:
        return Message("Nothing was measured: every step was left out.")
    return with_failed(N_("Nothing was measured."), failed)


def run(
    bench: Bench, wheel: Wheel, person: Person, notes: Notes, *, anew: bool = False
) -> list[FailedStep]:
    """Measures what the notes lack; what failed, and stays as drawn. Raises Failure, which names
    the faults that were told meanwhile; it and Ctrl-C leave what is measured in the notes.

    `anew`: what they hold is forgotten, once the wheel is out of play for this person: what another
    has measured is not lost for one who may not.
    """
    told = len(bench.faults)
    try:
        with out_of_play(bench, "calibration", person.inform):
            if anew:
                notes.forget()
            return _Wizard(bench, wheel, person, notes).measure()
    except Failure as failure:
        faults = dict.fromkeys(str(fault["text"]) for fault in bench.faults[told:])
        if type(failure) is not Failure or not faults:  # somebody stopped it
            raise
        raise Failure(failure.exit_code, " ".join([*faults, failure.sentence])) from None


def chosen(compartments: int, lays: int) -> list[int]:
    """Where the ball is to lie: compartments spread evenly, from 0."""
    return [at * compartments // lays for at in range(lays)]


class _Wizard:
    """Everything that a step works with."""

    def __init__(self, bench: Bench, wheel: Wheel, person: Person, notes: Notes) -> None:
        self._bench = bench
        self._wheel = wheel
        self._notes = notes
        self._lays = wheel.board["rotor"] != "none" and wheel.driven
        self._throws = apparatus.of(wheel.board["apparatus"]).beams_follow
        self._has_level = bench.parts().get("level") is not None
        self._course = Course(person, self._steps(), bench.forget)
        self._failed: list[FailedStep] = []

    def measure(self) -> list[FailedStep]:
        """From the first step to the last; those that failed."""
        if self._lays:
            self._ring()
        if self._throws:
            self._rim()
        if self._wheel.driven and self._notes.speeds is None:
            self._speeds()
        if self._has_level and self._notes.level is None:
            self._level()
        return self._failed

    def _steps(self) -> list[Step]:
        """All of them, also those that the notes have: what goes on goes on in the middle."""
        wheel, found = self._wheel, []
        if self._lays:
            lasts_s = spun_s(wheel.rpm, TURNS)
            found += [Step(f"lay-{at}", "lay", lasts_s, HAND_S) for at in self._compartments()]
        if self._throws:
            found += [Step(f"throw-{at}", "throw", _THROW_S, HAND_S) for at in range(len(THROWS))]
        if wheel.driven:
            found.append(Step("speeds", "speeds", _SPEEDS_S, HAND_S))
        if self._has_level:
            found.append(Step("level", "level", _LEVEL_S, _LEVELLING_S))
        return found

    def _compartments(self) -> list[int]:
        return chosen(len(self._wheel.names), self._wheel.lays)

    def _ring(self) -> None:
        bench, wheel, notes, course = self._bench, self._wheel, self._notes, self._course
        for turn, at in enumerate(self._compartments()):
            if any(each.compartment == at for each in notes.lays):
                continue
            course.begin_step(f"lay-{at}")
            text = f"Lay the ball into compartment {at} ({wheel.names[at]}), keep clear."
            if not course.ask(text):
                return
            way = WAYS[turn % 2]

            def measure(at: int = at, way: str = way) -> None:
                course.inform(f"Turning the ball in compartment {at} past the sensors, {way}.")
                heard, _ = spun(bench, way, wheel.rpm, TURNS)
                run = encoder.decode(heard, wheel.board["geometry"]["encoder_cycles"])
                notes.lays.append(ring.laid(heard, run, at))

            self._tried(f"compartment {at}", measure)

    def _rim(self) -> None:
        bench, notes, course = self._bench, self._notes, self._course
        is_out = False
        while len(notes.throws) < len(THROWS):
            course.begin_step(f"throw-{len(notes.throws)}")
            if not is_out:
                course.ask("Take the ball out.")
                is_out = True
            way = "ccw" if THROWS[len(notes.throws)] > 0 else "cw"

            def measure(way: str = way) -> None:
                course.inform(f"Waiting for the ball: throw it {way} now.")
                kept = rim.crossings(_thrown(bench))
                if rim.way_of(kept) not in (way, None):
                    raise Unclear(f"The ball ran the other way: throw it {way}.")
                notes.throws.append(kept)

            thrown = course.ask(f"Throw the ball {way}, as hard as for a coup.")
            if not thrown or not self._tried(f"throw {way}", measure):
                notes.throws = []
                return

    def _speeds(self) -> None:
        course, notes = self._course, self._notes
        course.begin_step("speeds")
        text = "Take the ball out: the rotor is turned at its lowest and highest speeds."
        if not course.ask(text):
            return
        cycles = self._wheel.board["geometry"]["encoder_cycles"]
        notes.speeds = find_speeds(self._bench, cycles, course.inform)
        notes.keep()
        if notes.speeds is None:
            why = "The motor does not hold them: test motor and encoder (cylindre selftest)."
            self._failed.append(FailedStep("speeds", why, 1))

    def _level(self) -> None:
        notes = self._notes
        self._course.begin_step("level")
        if not self._course.ask("Set the wheel level with a machinist's level on the rim."):
            return

        def measure() -> None:
            said = self._bench.parts()["level"]
            if said is None or said.get("error") or said.get("x_mdeg") is None:
                raise Unclear("The level sensor has not measured: look at its cable.")
            zero = said.get("zero_mdeg") or (0, 0)  # what was taken off what it read
            notes.level = (said["x_mdeg"] + zero[0], said["y_mdeg"] + zero[1])

        self._tried("level", measure)

    def _tried(self, step: str, measure: Callable[[], None]) -> bool:
        """Measures: again while it is unclear and the person wants to. Whether it is clear."""
        tries = 0
        while True:
            tries += 1
            try:
                measure()
                break
            except Unclear as unclear:
                if tries == TRIES or not self._course.again(f"{unclear} Again?"):
                    self._failed.append(FailedStep(step, str(unclear), tries))
                    return False
        self._notes.keep()
        return True


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
