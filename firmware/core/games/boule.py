"""The procedure of boule: what the sensors mean for the coup.

btn_start -> throw -> call -> drop -> number. The dish is fixed: nothing turns but the ball.
Article 47 asks neither a direction nor a number of turns of the throw: its direction is recorded,
and required to alternate only where the house says so. Nothing is predicted here, so the time that
the call takes (House.call_us) is not subtracted from anything: the call comes at the throw's first
beam, or House.after_throw_us later, and at the latest when the ball is seen to leave the track.
Whatever cannot be decided is void (DESIGN sections 1 and 3).
"""

from firmware.core.coup import evidence, states, timers
from firmware.core.coup.table import Table
from firmware.core.games.boule_start import BouleStart
from firmware.core.sense import cups
from firmware.core.sense.throw import Throw
from firmware.shims.typed import Any, Callable, NamedTuple, Sequence

LOST_US = 6_000_000  # settling takes 2-6 s (PHYSICS.md), and a cup is met every second of it
LIFT_US = 3_000_000  # a ball still in its cup so long after the start was forgotten there
ROLLED = 3  # cups seen in turn since the start: no hand put the ball where it lies
_RUNNING = (states.BALL_IN_TRACK, states.NO_MORE_BETS)
_BEFORE_DROP = (states.BETS_OPEN, states.BALL_IN_TRACK, states.NO_MORE_BETS)
_THROWN = (states.BALL_IN_TRACK, states.NO_MORE_BETS, states.BALL_DROPPED)

# The cup that holds the ball, and since when it alone has. proof: (key, value) of how that was
# verified, for the record of the result: for how long it had when that was believed.
CupVerdict = NamedTuple(
    "CupVerdict",
    [("compartment", int), ("since_us", int), ("proof", "Sequence[tuple[str, int]]")],
)


class Boule:
    """Reads the track and the cups; leads the table through the coup."""

    notices: Sequence[Any] = ()  # (code, detail) of faults to be told at the beginning

    def __init__(self, geometry: dict[str, Any], table: Table, *, learned: object) -> None:
        """`geometry` as in the boards: `cups` and what Throw asks; `learned` is not used."""
        self.table = table
        self._timers = table.timers
        self.throw = Throw(geometry)
        self.cups = cups.Cups(geometry["cups"], ring_radius_mm=geometry["ring_radius_mm"])
        self.start = BouleStart(table, self.throw, self.cups)
        self._thrown_us: Any = None  # the first beam of the throw
        self._forget_coup()
        if table.state == states.VOID:
            self._thrown_us = 0  # before a restart: what is thrown now is another coup's

    def handler(self, name: str) -> "Callable[[int, int], None] | None":
        """Returns what takes (at_us, level) of the line called `name`, or None."""
        if name.startswith("rim"):
            beam = int(name[3:])
            return lambda at_us, level: self._rim(at_us, beam, level)
        if name.startswith("cup"):
            cup = int(name[3:])
            return lambda at_us, level: self._cup(at_us, cup, level)
        return None

    def preset(self, name: str, level: int) -> None:
        """Takes the level of a line before its first edge."""
        if level:
            handler = self.handler(name)
            assert handler is not None, name
            handler(0, level)

    def started(self, at_us: int) -> None:
        """Takes `btn_start`: the next coup, or the same while it waits for its throw."""
        table = self.table
        waiting = table.state == states.BETS_OPEN and self._thrown_us is None
        if waiting and table.playing() and self._lay:
            self._unproven()  # that was its throw, and the beams did not follow it
            waiting = False
        if table.open and (waiting or table.state not in (states.BETS_OPEN,) + _THROWN):
            return
        self.start.press(at_us)
        self.try_open(at_us)

    def speed_uturn_s(self, now_us: int) -> int:
        """Returns 0: the dish is fixed."""
        return 0

    def stop(self) -> None:
        """Forgets what was about to begin: nothing comes any more."""
        self.start.forget()

    def doubt(self, name: str) -> None:
        """Has the sensors fail for a lost edge of this line, from the throw on."""
        if self.table.state != states.BETS_OPEN or self._thrown_us is not None:
            self.table.sensors_failed("sensors_disagree")

    def tick(self, at_us: int) -> None:
        """Does what is due by now."""
        if self._timers.take_due(timers.CALL, at_us):
            self._call(at_us, evidence.THROW)
        if self._timers.take_due(timers.SILENCE, at_us):
            self._silent(at_us)
        if self._timers.take_due(timers.LIMIT, at_us):
            self._give_up()
        self._look(at_us)

    def collect_evidence(self) -> None:
        """Notes what beams and cups say as the open coup ends."""
        told = self.table.evidence
        told.note("turns_uturn", self.throw.turns_uturn)
        told.note("beams", self.throw.beams)
        told.note("came", self._comings())
        told.cups([(cup, self.cups.since_us(cup)) for cup in self.cups.occupied()])

    def learned(self) -> None:
        """Returns None: nothing is learned."""
        return None

    def settle(self) -> bool:
        """Returns False: nothing turns that could be in dispute."""
        return False

    def call_progress(self, at_us: int) -> None:
        """Returns None: the call comes with the throw, and nothing is predicted."""
        return None

    # --- beginning ------------------------------------------------------------------------------
    def try_open(self, at_us: int) -> None:
        """Opens the coup that a press, or a throw without one, begins; the last one ends first."""
        table = self.table
        if table.state in states.OUT_OF_PLAY:  # out of play: nothing begins
            self.stop()
        if table.closing:
            return
        if self.start.unpressed and not table.open:
            self._open_unpressed(at_us)
        elif self.start.counts(at_us):
            if table.open:
                self._give_up()  # and again when that is recorded
            else:
                self.throw.reset()
                self._begin(at_us)
        self._plan(at_us)

    def _begin(self, at_us: int) -> None:
        self.start.forget()
        self._forget_coup()
        self._begun_us = at_us
        self.table.begin_coup(at_us)

    def _open_unpressed(self, at_us: int) -> None:
        """Thrown before the start: no bets were open for it, so it cannot count."""
        self._begin(at_us)
        self._thrown_us = at_us
        self._launched(at_us)
        self.table.void_by_sensors("moved_before_call")

    # --- the track ------------------------------------------------------------------------------
    def _rim(self, at_us: int, beam: int, level: int) -> None:
        rise_us: Any = self.throw.pulse_began(at_us, beam, level)  # known where a ball crossed
        if rise_us is not None:
            self.cups.beam(rise_us, at_us)
            if not self.table.playing():
                self.start.seen(at_us)
            left = self._comings() > 0 or self.table.state == states.BALL_DROPPED
            self.throw.passing(at_us, left=left)
            self._passes[beam] += 1
        if self.throw.edge(at_us, beam, level):
            self.cups.ran(rise_us, at_us)
            self._crossed(at_us)
        if self._second_ball() and self.table.state in _RUNNING + (states.BALL_DROPPED,):
            self.table.void_by_sensors("two_balls")
        self._look(at_us)

    def _comings(self) -> int:
        """How often a cup has seen something come since the throw."""
        return 0 if self._thrown_us is None else self.cups.arrivals - self._arrivals_before

    def _second_ball(self) -> bool:
        """Returns whether beams, or beams and cups, saw more than one ball does."""
        if self.table.state == states.BALL_DROPPED:
            return self.throw.runs_on and (self.throw.second_ball or self._comings() > 0)
        # One coming alone may be a thing that fell into that cup: see cups.ran.
        return self.throw.second_ball or self.throw.runs_on

    def _crossed(self, at_us: int) -> None:
        """A beam saw the ball."""
        table = self.table
        if not table.playing():
            if self.start.thrown():
                self._thrown_between(at_us)
            return
        if table.state not in _BEFORE_DROP:
            return
        if table.state == states.BETS_OPEN and self._thrown_us is None:
            self._thrown(at_us)
        if self.throw.direction and not self._announced:
            self._launched(at_us)
        if table.playing():
            self._expect_drop(at_us)

    def _thrown_between(self, at_us: int) -> None:
        """Thrown while no coup is open."""
        if self.table.state == states.VOID and self._thrown_us is None:
            self._thrown_us = at_us  # the coup was void before its throw: this is that throw
            self.table.note_ball(self.throw.direction)
        else:
            self.start.unpressed = True
            self.try_open(at_us)

    def _thrown(self, at_us: int) -> None:
        """The first beam of the throw: the call, now or as much later as the house says."""
        self._thrown_us = at_us
        self._arrivals_before = self.cups.arrivals
        wait_us = self.table.house.after_throw_us
        if wait_us:
            self._timers.set(timers.CALL, at_us + wait_us)
        else:
            self._call(at_us, evidence.THROW)

    def _call(self, at_us: int, why: str) -> None:
        """Rien ne va plus."""
        self._timers.set(timers.CALL, None)
        said: dict[str, Any] = {"why": why, "after_us": self.table.house.after_throw_us}
        if self._thrown_us is not None:
            said["throw_us"] = self._thrown_us
        self.table.call(at_us, said)

    def _launched(self, at_us: int) -> None:
        """The direction of the ball is known: it is in the track for certain, and not in a cup."""
        table = self.table
        self._announced = True
        if table.state == states.BETS_OPEN:
            table.enter(states.BALL_LAUNCHED, at_us)
        table.launched(at_us, self.throw.direction)
        if table.house.alternate_throws and table.ball_direction == table.ball_direction_before:
            table.void_by_sensors("same_direction")

    def _expect_drop(self, at_us: int) -> None:
        """When silence of the beams will mean that the ball has left the track."""
        for beam in self.throw.dark(at_us):
            self.table.fault(at_us, "W21", str(beam))
        self._timers.set(timers.SILENCE, self.throw.silent_us(at_us))

    def _silent(self, at_us: int) -> None:
        """The beams have not seen the ball for longer than missed pulses explain."""
        if self.throw.direction or (self.start.met_cup() and self.cups.occupied()):
            self._left_track(at_us, evidence.SILENCE)
            return
        # No throw: a hand, or something else that passed a beam. Calling early is safe.
        self.throw.reset()
        self._thrown_us = None
        self._timers.set(timers.CALL, None)

    def _left_track(self, at_us: int, seen: str) -> None:
        """The ball has left the track. `seen`: how that is known (evidence.py)."""
        table = self.table
        if table.state != states.NO_MORE_BETS:
            self._call(at_us, evidence.DROP)
        self._timers.set(timers.SILENCE, None)
        self._dropped_us = at_us
        table.dropped(at_us, seen)
        self.cups.restart(at_us)
        if self.throw.turned(table.rules["ball_turns_min"]):
            self._tell_blind(self.throw.beams)
        else:
            self._unproven()

    def _unproven(self) -> None:
        """The beams do not prove the turns that a throw needs: is that their fault?"""
        if max(self._passes) > self.table.rules["ball_turns_min"]:  # one saw it lap by lap
            self._tell_blind(self._passes)
        self.table.void_by_sensors("too_few_turns")

    def _tell_blind(self, counts: Sequence[int]) -> None:
        """Emits a fault for each beam that has not seen the ball. `counts`: how often each has."""
        for beam, count in enumerate(counts):
            if not count:
                self.table.fault(self.table.at_us, "W22", str(beam))

    # --- the cups -------------------------------------------------------------------------------
    def _cup(self, at_us: int, cup: int, level: int) -> None:
        self.cups.edge(at_us, cup, level)
        self._look(at_us)

    def _look(self, at_us: int) -> None:
        """Whatever the cups and the time that has passed say by now."""
        self.cups.settle(at_us)
        table = self.table
        if table.playing() and self._dropping(at_us):
            self._left_track(at_us, evidence.CUP)
        if table.playing():
            rolls = table.state in _RUNNING and table.ball_direction
            if table.state == states.BETS_OPEN:
                self._warn(at_us)
            elif rolls or table.state == states.BALL_DROPPED:
                self._weigh(at_us)
            elif table.state == states.DETECTED and self._elsewhere():
                table.sensors_failed("sensors_disagree")
        if self.start.pressed_us is not None:
            self.try_open(at_us)
        self._plan(at_us)

    def _dropping(self, at_us: int) -> bool:
        """Returns whether a cup sees the ball, and the next beam has not."""
        state = self.table.state
        thrown = state in _RUNNING or (state == states.BETS_OPEN and self._thrown_us is not None)
        sure = bool(self.throw.direction) or self._rolled() or self._rests(at_us)
        return thrown and sure and self.start.met_cup() and at_us >= self.throw.gone_us

    def _rolled(self) -> bool:
        """Returns whether so many cups have seen something that it was a ball, and no hand."""
        return self.cups.arrivals - self._arrivals_before >= ROLLED

    def _rests(self, at_us: int) -> bool:
        """Returns whether something has lain in a cup for longer than hands take."""
        return any(at_us >= self._lifted_by_us(cup) for cup in self.cups.occupied())

    def _warn(self, at_us: int) -> None:
        """Emits what lies in the dish while there is time to take it out."""
        for cup in self.cups.occupied():
            if at_us < self._lifted_by_us(cup):
                continue
            self.table.fault(at_us, "W41", str(cup))
            if self.cups.since_us(cup) > self._begun_us:
                self._lay = True
            if self._rolled():
                self._unproven()  # thrown, and it never made the round of the beams

    def _lifted_by_us(self, cup: int) -> int:
        return max(self._begun_us, self.cups.since_us(cup)) + LIFT_US

    def _elsewhere(self) -> bool:
        """A cup other than the detected one sees something: the ball was not at rest."""
        return any(cup != self.table.verdict.compartment for cup in self.cups.occupied())

    def _weigh(self, at_us: int) -> None:
        """Is there a number, or a reason why there can be none?"""
        table = self.table
        found = self.cups.judge(at_us)
        if found is not None and found[0] != cups.HELD:
            code = "W42" if found[0] == cups.TWO else "W41"
            table.fault(at_us, code, " and ".join([str(cup) for cup in sorted(found[1])]))
            table.void_by_sensors(found[0])
        elif table.state != states.BALL_DROPPED:
            return
        elif found is not None:
            cup = found[1][0]
            held_us = self.cups.held_us(cup, at_us)
            table.detected(at_us, CupVerdict(cup, at_us - held_us, (("held_us", held_us),)))
        else:
            unsettled = self.cups.unsettled(at_us)
            if unsettled is not None:
                table.sensors_failed(unsettled)
            elif at_us >= self._lost_us(at_us):
                table.ask_people_or_void("ball_lost")  # or it rests between two cups

    def _lost_us(self, at_us: int) -> int:
        """When a ball that nothing sees any more is lost, as far as is known now."""
        seen_us = self._dropped_us
        for other_us in (self.cups.quiet_since_us(at_us), self.throw.crossed_us):
            if other_us is not None:
                seen_us = max(seen_us, other_us)
        return seen_us + LOST_US

    def _give_up(self) -> None:
        """A coup that should have ended has not."""
        if self.table.state == states.BETS_OPEN:
            self.table.void("timeout")
        else:
            self.table.ask_people_or_void(
                "sensors_disagree" if self.cups.occupied() else "ball_lost"
            )

    # --- when to look again ---------------------------------------------------------------------
    def _plan(self, at_us: int) -> None:
        due: list[Any] = []
        if self.start.pressed_us is not None and not self.table.closing:
            due.append(self.start.quiet_us(at_us))
        if self.table.playing():
            due.append(self.cups.due_us(at_us))
            if self.table.state in _BEFORE_DROP:
                due.extend([self._lifted_by_us(cup) for cup in self.cups.occupied()])
            if self.table.state == states.BALL_DROPPED:
                due.append(self._lost_us(at_us))
            if self.start.met_cup():
                due.append(self.throw.gone_us)
        due = [when for when in due if when is not None and when > at_us]
        self._timers.set(timers.LOOK, min(due) if due else None)

    def _forget_coup(self) -> None:
        self._begun_us = 0
        self._arrivals_before = self.cups.arrivals
        self._thrown_us = None
        # How often something like a ball has passed each beam; the throw forgets what it cannot
        # follow.
        self._passes = [0] * len(self.throw.beams)
        self._lay = False  # since the start something came into a cup and lay there
        self._announced = False  # the direction of the ball has been told
        self._dropped_us = 0
