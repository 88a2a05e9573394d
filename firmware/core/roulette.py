"""The procedure of roulette: what the sensors mean for the coup.

Rotor set in motion -> ball in the track -> call -> drop -> number. Whatever cannot be decided is
void (DESIGN sections 1 and 3). Luxembourg art. 37-1: the rotor turns the other way at every coup,
the ball against it, and bets are open while the ball's speed holds it in the track.
"""

from firmware.core import ball, coup, drop, facts, pocket, rotor, timers, verify
from firmware.core.facts import UNKNOWN
from firmware.core.pocket import TURN
from firmware.core.presence import Presence
from firmware.core.table import Table
from firmware.shims.typed import Any

UNFOLLOWED_US = 3_000_000  # beams seen, then silence, before the ball's way was known
LOST_UTURN = TURN * 3 // 2  # four or five passings of the ring without a ball
LOST_US = 6_000_000  # settling takes that long at most (PHYSICS.md)
DARK_US = 1_000_000  # a beam dark for longer is not a ball
START_NEAR_US = 3_000_000  # contracts/trace.md: just before or after the first movement
# In tenths of the time from beam to beam: one missing beam was missed, two are a ball that left.
SILENT_BEAMS = 24
ONE_BEAM = 11
FAST_BEAMS = 30  # so many more while the ball is too fast to leave at all
STEADY_STEPS = 3  # without a missed beam before the drop, or it teaches nothing
RING_BEAMS = 13  # past one beam's time already, if the ring sees the ball
_RUNNING = (coup.BALL_IN_TRACK, coup.NO_MORE_BETS)
_BEFORE_DROP = (coup.BETS_OPEN, coup.BALL_IN_TRACK, coup.NO_MORE_BETS)


class Roulette:
    """Reads the rotor, the track and the ring; leads the table through the coup."""

    def __init__(self, geometry: Any, table: Table, *, learned: Any, call_us: int) -> None:
        """`geometry` as in the boards; `learned` as drop.restore takes it."""
        self.table = table
        self._timers = table.timers
        self.rotor = rotor.Rotor(cycles=geometry["encoder_cycles"])
        self.track = ball.Track(geometry)
        self.ring = pocket.Ring(geometry, compartments=len(table.layout), rotor=self.rotor)
        self.jury = verify.Jury(self.ring, self.rotor)
        self.caller = drop.Caller(drop.restore(learned), call_us=call_us)
        self.presence = Presence(self.rotor, self.ring)
        self.auto = True  # a verified number is official without a croupier
        self._pending_us: Any = None  # the rotor was set in motion and no coup opened for it yet
        self._judged = True  # the way of the present motion has been compared
        self._start_us: Any = None
        self._announced = False  # the way of this coup's rotor has been told
        self._beam_us: Any = None  # what the ball took from beam to beam
        self._gone_us = 0  # a ball that the ring sees from then on has left the track
        self._steady = 0  # steps from beam to beam with none missed
        self._thrown = False  # a ball runs in the track for the coup that is about to open
        self._called_blind = False  # by silence: the ball may have left before the call
        self._forget_coup()

    def handler(self, name: str) -> Any:
        """What takes (at_us, level) of the line called `name`, or None."""
        if name.startswith("rim"):
            beam = int(name[3:])
            return lambda at_us, level: self._rim(at_us, beam, level)
        if name.startswith("pocket"):
            sensor = int(name[6:])
            return lambda at_us, level: self._pocket(at_us, sensor, level)
        own = {"enc_a": self._encoder_a, "enc_b": self._encoder_b, "enc_z": self._mark}
        return own.get(name)

    def preset(self, name: str, level: int) -> None:
        """The level of a line before its first edge."""
        if name in ("enc_a", "enc_b"):
            self.rotor.preset(name[-1], level)
        elif level:
            self.handler(name)(0, level)

    def started(self, at_us: int) -> None:
        """`btn_start`: what moves now, or has just begun to, is a new coup."""
        self._start_us = at_us
        self.try_open(at_us)

    def stop(self) -> None:
        """Nothing comes any more, so nothing begins."""
        self._pending_us = None

    def doubt(self, name: str) -> None:
        """An edge of this line was lost: from the launch on, a doubt about the coup."""
        if name.startswith("enc"):
            self.rotor.lose()
        if self.table.state != coup.BETS_OPEN:
            self.table.void("encoder" if name.startswith("enc") else "sensors_disagree")

    def tick(self, at_us: int) -> None:
        """A time has come."""
        if self._timers.take(timers.CALL, at_us):
            self._call(at_us)
        if self._timers.take(timers.SILENCE, at_us):
            self._silent(at_us)
        if self._timers.take(timers.LIMIT, at_us):
            self.table.void(self._why_open())

    # --- the rotor ------------------------------------------------------------------------------
    def _encoder_a(self, at_us: int, level: int) -> None:
        if self.rotor.edge_a(at_us, level):
            self._motion(at_us)
        if not self.rotor.count & 3:
            self._turned(at_us)

    def _encoder_b(self, at_us: int, level: int) -> None:
        if self.rotor.edge_b(at_us, level):
            self._motion(at_us)
        if not self.rotor.count & 3:
            self._turned(at_us)

    def _mark(self, at_us: int, level: int) -> None:
        slips = self.rotor.slips
        if self.rotor.edge_z(level):
            return
        self.table.fault(at_us, "W31", "")
        # Before the launch a count with a lost edge is corrected by the mark; all else is doubt.
        if self.rotor.slips == slips or self.table.state != coup.BETS_OPEN:
            self.table.void("encoder")

    def _motion(self, at_us: int) -> None:
        """The rotor was set in motion. A new coup, unless the ball still lies in the wheel."""
        self._pending_us = at_us
        self._judged = False
        if not self.table.open or self.table.state not in _BEFORE_DROP:
            self.track.reset()  # what runs from now on is another throw
        self.try_open(at_us)

    def _turned(self, at_us: int) -> None:
        """Every fourth step of the encoder: all that is judged by the rotor's travel."""
        if not self._judged and self.rotor.run >= rotor.DIRECTION_STEPS:
            self._judge_rotor(at_us)
        if self._pending_us is not None:
            self.try_open(at_us)
        if not self.table.playing():
            return
        self._watch_beams(at_us)
        blocked = self.ring.blocked(at_us)
        if blocked is not None:
            self.table.fault(at_us, "W24", str(blocked))
            self.table.void("foreign_object")
        elif self.table.state == coup.BALL_DROPPED and self._lost(at_us):
            self.table.void("ball_lost")
        elif self.rotor.mark_missing():
            self.rotor.trusted = False
            self.table.fault(at_us, "W32", "")

    def _watch_beams(self, at_us: int) -> None:
        for beam, rise_us in enumerate(self.track.rises):
            if rise_us is not None and at_us - rise_us > DARK_US:
                self.table.fault(at_us, "W21", str(beam))

    def _lost(self, at_us: int) -> bool:
        return (
            at_us - self._dropped_us > LOST_US
            and not self.ring.dark()
            and self.presence.travel_uturn(self._dropped_steps) > LOST_UTURN
        )

    def _judge_rotor(self, at_us: int) -> None:
        """The way the rotor turns is known: announced, kept, and compared with the last."""
        table = self.table
        if self._pending_us is not None:
            return  # the coup that it belongs to has not opened
        self._judged = True
        way = self.rotor.direction
        before, table.rotor = table.rotor, way
        command, table.commanded = table.commanded, UNKNOWN
        if not command:  # alternation counts from the last actuation, void or not
            table.record("actuation", {"coup": table.coup, "rotor": way, "by": "encoder"}, None)
        if not table.playing():
            return
        if self._announced:  # set in motion again within one coup
            if way != before and table.state != coup.BETS_OPEN:
                table.void("rotor_not_reversed")
            return
        self._announced = True
        table.out.append(facts.RotorMoving(at_us, table.coup, way))
        table.show()
        expected = command or -self._way_before
        if expected not in (UNKNOWN, way):
            table.void("rotor_not_reversed")

    def try_open(self, at_us: int) -> None:
        """Opens the coup that the rotor's motion begins, once the ball of the last is gone."""
        table = self.table
        if table.state == coup.FAULT:
            self._pending_us = None  # out of play: what moves now begins nothing
        if self._pending_us is None or table.closing:
            return
        pressed = self._start_us is not None and self._start_us > self._pending_us - START_NEAR_US
        if not pressed and not self._thrown and self.presence.about(at_us):
            return
        if table.playing() and table.state == coup.BETS_OPEN and not self._announced:
            self._pending_us = None  # a hand that stirs the rotor: still the same beginning
            self._thrown = False
            return
        if table.open:
            table.void(self._why_open())  # and again when that is recorded
            return
        thrown = self._thrown
        if not thrown:
            self.track.reset()
        self._pending_us = None
        self._start_us = None
        self._forget_coup()
        table.begin(at_us)
        if thrown and not self._judged:  # the rotor has turned for a while
            self._judge_rotor(at_us)

    # --- the ball -------------------------------------------------------------------------------
    def _rim(self, at_us: int, beam: int, level: int) -> None:
        known = self.track.direction
        table = self.table
        ball_seen = self.track.edge(at_us, beam, level)
        if self.track.second_ball and table.state in _RUNNING:
            table.void("two_balls")
        if not ball_seen:
            return
        self.presence.in_track(at_us)
        if self._pending_us is not None and self.track.direction and not known:
            self._thrown = True  # whatever the ring remembered, the coup has begun
            self.try_open(at_us)
        if not table.playing():
            return
        if table.state == coup.BETS_OPEN and self.track.direction:
            self._launched(at_us)
        if not table.playing():
            return
        if table.state in _RUNNING:
            self._crossed(at_us)
        elif table.state == coup.BALL_DROPPED:
            self.jury.reset()  # it still runs: what lies in the ring is not the ball
        elif table.state == coup.DETECTED:
            table.void("sensors_disagree")
        elif table.state == coup.BETS_OPEN:
            self._timers.set(timers.SILENCE, at_us + UNFOLLOWED_US)

    def _launched(self, at_us: int) -> None:
        """The way of the ball is known: it is in the track for certain."""
        table = self.table
        table.enter(coup.BALL_LAUNCHED, at_us)
        table.ball = self.track.direction
        table.out.append(facts.BallInTrack(at_us, table.coup, table.ball))
        table.show()
        self.jury.reset()
        if table.ball == self.rotor.motion:
            table.void("same_direction")

    def _crossed(self, at_us: int) -> None:
        """A beam saw the ball: predicts the call, and when silence will mean the drop."""
        crossings = self.track.crossings
        self._called_blind = False
        call = self.caller.crossed(crossings)
        if self.table.state == coup.BALL_IN_TRACK:
            if call is not None and call <= at_us:
                self._call(at_us)
            else:
                self._timers.set(timers.CALL, call)
        if len(crossings) > 1:
            last, before = crossings[-1], crossings[-2]
            travel = max(last.turned_uturn - before.turned_uturn, 1)
            beams = len(self.track.counts)
            self._beam_us = (last.at_us - before.at_us) * (TURN // beams) // travel
            blind = sum(not count for count in self.track.counts)  # silent every time
            missed = travel * beams * 2 > TURN * (3 + 2 * blind)
            self._steady = 0 if missed else self._steady + 1
            late = 10 * blind
            if self.caller.fast(self._beam_us * beams):
                late += FAST_BEAMS
            self._gone_us = last.at_us + self._beam_us * (RING_BEAMS + late) // 10
            silent_us = self._beam_us * (SILENT_BEAMS + late) // 10
            self._timers.set(timers.SILENCE, last.at_us + silent_us)

    def _call(self, at_us: int) -> None:
        """Rien ne va plus."""
        self.table.enter(coup.CALL_DUE, at_us)
        self._timers.set(timers.CALL, None)
        self.table.out.append(facts.NoMoreBets(at_us, self.table.coup))
        self.table.show()

    def _silent(self, at_us: int) -> None:
        """The beams have not seen the ball for longer than a missed pulse explains."""
        table = self.table
        if table.state == coup.NO_MORE_BETS:
            self._left_track(at_us)
        elif table.state == coup.BALL_IN_TRACK:  # it may have left: no bet is safe any more
            self._call(at_us)
            self._called_blind = True
            self._timers.set(timers.SILENCE, at_us + self._beam_us * SILENT_BEAMS // 10)
        else:
            table.void("too_few_turns")

    def _left_track(self, at_us: int) -> None:
        """The ball has left the zone of the rim beams."""
        table = self.table
        late = self._called_blind  # and no beam has seen it since
        if late:
            table.fault(at_us, "C10", "")
        self._timers.set(timers.SILENCE, None)
        table.enter(coup.BALL_LEFT_TRACK, at_us)
        self._dropped_us = at_us
        self._dropped_steps = self.rotor.travelled
        self.jury.reset()
        table.out.append(facts.BallDropped(at_us, table.coup))
        table.show()
        blind = [beam for beam, count in enumerate(self.track.counts) if not count]
        for beam in blind:
            table.fault(at_us, "W22", str(beam))
        if self.track.turns_uturn() < table.rules["ball_turns_min"] * TURN:
            table.void("too_few_turns")
        elif not self.rotor.turning(at_us):
            table.void("rotor_not_reversed")
        else:
            self._learn(late, len(blind))
        if late:
            table.void("timeout")

    def _learn(self, late: bool, blind: int) -> None:
        """What this drop teaches about the next call."""
        if late:  # what was learned does not hold: another ball, another wheel
            self.caller.learned = drop.FRESH
        if blind < 2 and self._steady >= STEADY_STEPS:
            missing = ONE_BEAM * (1 + blind)
            self.caller.left(self.track.crossings[-1].at_us + self._beam_us * missing // 10)
        self.table.record("learned", {"learned": list(self.caller.learned)}, None)

    # --- the number -----------------------------------------------------------------------------
    def _pocket(self, at_us: int, sensor: int, level: int) -> None:
        sight = self.ring.edge(at_us, sensor, level)
        if sight is None:
            return
        again = self.presence.in_ring(sight)
        if self._pending_us is not None and again and not self._thrown:
            self._pending_us = None  # the same ball in its place: the same coup goes on
        if not self.table.playing():
            return
        if self.table.state == coup.NO_MORE_BETS and at_us > self._gone_us:
            self._left_track(at_us)
        if self.table.playing():
            self._weigh(at_us, sight)

    def _weigh(self, at_us: int, sight: pocket.Sight) -> None:
        """One more sight of something in the ring: what does it say in this state?"""
        table = self.table
        verdict = self.jury.hear(sight)
        if table.state == coup.BALL_DROPPED:
            reason = self.jury.intruder(ball_expected=True)
            if reason is not None:
                table.void(reason)
            elif verdict is not None:
                if verdict.dead is not None:
                    table.fault(at_us, "W23", str(verdict.dead))
                table.detected(at_us, verdict)
                if self.auto:
                    table.confirm("auto")
        elif table.state == coup.DETECTED:
            if sight.compartment != table.verdict.compartment:
                table.void("sensors_disagree")
        elif self.jury.intruder(ball_expected=False) is not None:
            if table.state != coup.BETS_OPEN:
                table.void("foreign_object")
            elif self.track.crossings:  # it never made the round of the beams
                table.void("too_few_turns")

    def _why_open(self) -> str:
        """Why a coup that should have ended has not."""
        if self.table.state in (coup.BETS_OPEN, coup.BALL_IN_TRACK):
            return "timeout" if self.track.crossings else "ball_lost"
        if not self.rotor.trusted or self.rotor.slips > self._slips_before:
            return "encoder"
        if self.jury.disagree():
            return "sensors_disagree"
        return "timeout" if self.jury.sights else "ball_lost"

    def _forget_coup(self) -> None:
        self._thrown = False
        self.jury.reset()
        self.caller.forget_coup()
        self.presence.forget()
        self._way_before = self.table.rotor
        self._announced = False
        self._slips_before = self.rotor.slips
        self._dropped_us = 0
        self._dropped_steps = 0
        self._beam_us = None
        self._gone_us = 0
        self._steady = 0
        self._called_blind = False
