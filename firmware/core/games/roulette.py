"""The procedure of roulette: what the sensors mean for the coup.

Rotor set in motion -> ball in the track -> call -> drop -> number. Whatever cannot be decided is
void (DESIGN sections 1 and 3). Luxembourg art. 37-1: the rotor turns the other way at every coup,
the ball against it, and bets are open while the ball's speed holds it in the track.
"""

from firmware.core import facts
from firmware.core.call import predictor
from firmware.core.coup import evidence, states, timers
from firmware.core.coup.table import Table
from firmware.core.games.rotor_sensors import RotorSensors
from firmware.core.sense import ring
from firmware.core.sense.drop_detector import DropDetector
from firmware.core.sense.rotor import DIRECTION_STEPS
from firmware.core.units import TURN
from firmware.shims.typed import Any, Callable, Sequence

UNFOLLOWED_US = 3_000_000  # beams seen, then silence, before the ball's direction was known
# Settling takes that long at most (PHYSICS.md); four or five passings of the ring without a ball.
LOST = (6_000_000, TURN * 3 // 2)
# Since it had left the track for certain; at most one ball in ten still moves then, in its pocket
# or low over the frets, where the ring sees it. Later would put off every number (docs/adr/0016).
SETTLES_US = 4_600_000
GONE = (6_000_000, TURN * 8 // 10)  # with a press for the next coup; one dead sensor is allowed
EMPTY_UTURN = TURN * 3 // 2  # so far without a detection of anything, and nothing lies in the ring
START_NEAR_US = 3_000_000  # contracts/trace.md: just before or after the first movement
LESSON_US = 20_000  # between two parts of what a drop teaches: edges come in meanwhile
_RUNNING = (states.BALL_IN_TRACK, states.NO_MORE_BETS)
_BEFORE_DROP = (states.BETS_OPEN, states.BALL_IN_TRACK, states.NO_MORE_BETS)


class Roulette:
    """Leads the table through a coup of roulette."""

    notices: Sequence[Any] = ()  # (code, detail) of faults to be told at the beginning

    def __init__(self, geometry: dict[str, Any], table: Table, *, learned: object) -> None:
        """`geometry` as in the boards; `learned` as the last row of that kind recorded it."""
        self.table = table
        self._timers = table.timers
        self.sensors = RotorSensors(geometry, table)
        self.rotor, self.track = self.sensors.rotor, self.sensors.track
        self.voter, self.presence = self.sensors.voter, self.sensors.presence
        # What the controller asks of the sensors alone.
        self.preset = self.sensors.preset
        self.settle, self.speed_uturn_s = self.rotor.settle, self.rotor.speed_uturn_s
        house = table.house
        self.predictor = predictor.CallPredictor(
            geometry, learned, call_us=house.call_us, late_ppb=house.late_ppb
        )
        # A wheel that has hardly played may have nothing recorded.
        if self.predictor.refusal and (learned is not None or table.coup > predictor.RECORDED_EACH):
            self.notices = (("W51", self.predictor.refusal),)
        self.drop_detector = DropDetector()
        self._lesson: Any = None  # what the last drop teaches, as far as it is not learned yet
        self._start_us: Any = None
        self._due = False  # the rotor is to be driven, once the last coup's end is durable
        self._pending_us: Any = None  # the rotor was set in motion and no coup opened for it yet
        self._thrown = False  # a ball runs in the track for the coup that is about to open
        self._called_us: Any = None
        self._called_blind = False  # by silence: the ball may have left before the call
        self._empty = False  # the ring has been without a ball since the coup began
        self._detection_steps = 0  # RotorEncoder.travelled when the ring last saw something
        self._forget_coup()

    # --- the controller's face ------------------------------------------------------------------
    def handler(self, name: str) -> "Callable[[int, int], None] | None":
        """Returns what takes (at_us, level) of the line called `name`, or None."""
        return self.sensors.handler(
            name,
            moved=self._motion,
            turned=self._turned,
            rim=self._rim,
            pocket=self._pocket,
            mark=self._mark,
        )

    def stop(self) -> None:
        """Forgets what was about to begin: nothing comes any more."""
        self._learn_rest()
        self._pending_us = None

    def doubt(self, name: str) -> None:
        """Has the sensors fail for a lost edge of this line, unless it is early."""
        self.sensors.doubt(name, early=self._early())

    def started(self, at_us: int) -> None:
        """Takes `btn_start`: what moves now, or has just begun to, is a new coup."""
        self._start_us = at_us
        self.try_open(at_us)
        if not self.table.house.driven:
            return
        if self._waits_in_vain(at_us):
            self.table.sensors_failed(self._reason_not_ended())
            self._due = self.table.closing
        elif self.table.closing and not self._due:
            self.table.refuse(at_us, "the end of the coup is being recorded.")
        else:
            self._start_rotor()

    def _waits_in_vain(self, at_us: int) -> bool:
        """Returns whether the open coup has found no number, and its ball has been taken out."""
        table = self.table
        lost = table.playing() and table.state == states.BALL_DROPPED
        return lost and self.sensors.unseen(at_us, self._dropped_us, self._dropped_steps, GONE)

    def _start_rotor(self) -> None:
        """Has the motor turn the rotor for the next coup, unless one is played."""
        table = self.table
        if table.open or table.state in states.OUT_OF_PLAY or table.commanded_direction:
            return
        if self.rotor.is_turning(table.at_us) and self.rotor.direction == table.direction_due():
            # A fault of the motor left it so: no motion would follow, and no coup begin.
            table.refuse(table.at_us, "the rotor has to come to rest first.")
            return
        table.drive_back(table.coup + 1)
        self.rotor.ordered()

    def learned(self) -> list[int]:
        """Returns what the call has learned."""
        self._learn_rest()
        return self.predictor.plain()

    def call_progress(self, at_us: int) -> facts.CallProgress:
        """Returns how far the prediction of the call has come by now."""
        return self.predictor.progress(at_us)

    def collect_evidence(self) -> None:
        """Notes what the sensors say as the open coup ends, and where its ball left the track."""
        self.sensors.collect_evidence()
        noted = self.table.evidence
        launch_place = self.sensors.launch_place()
        if launch_place is not None:
            noted.note("launch_place", launch_place)
        beam = self.drop_detector.last_beam(self.track) if self._dropped_us else None
        for key, value in self.predictor.explain_drop(beam, self.track.direction):
            noted.note(key, value)

    def tick(self, at_us: int) -> None:
        """Does what is due by now."""
        if self._timers.take_due(timers.CALL, at_us):
            self._call(at_us, evidence.PREDICTED)
        if self._timers.take_due(timers.SILENCE, at_us):
            self._silent(at_us)
        if self._timers.take_due(timers.LESSON, at_us):
            self._learn_part()
        if self._timers.take_due(timers.LIMIT, at_us):
            self.table.sensors_failed(self._reason_not_ended())

    # --- the rotor ------------------------------------------------------------------------------
    def _early(self) -> bool:
        """Returns whether nothing of the open coup is measured that a lost edge could spoil."""
        return self.table.state == states.BETS_OPEN

    def _motion(self, at_us: int) -> None:
        """The rotor was set in motion. A new coup, unless the ball still lies in the wheel."""
        self._pending_us = at_us
        self.sensors.set_in_motion()
        if not self.table.open or self.table.state not in _BEFORE_DROP:
            self.track.reset()  # what runs from now on is another throw
        self.try_open(at_us)

    def _mark(self, at_us: int, level: int) -> None:
        slips = self.rotor.slips
        if self.sensors.mark(at_us, level):
            return
        # Early in a coup a count with a lost edge is corrected by the mark; all else is doubt.
        if not self._early() or self.rotor.slips == slips:
            self.sensors.encoder_failed()

    def _turned(self, at_us: int) -> None:
        """Judges all that is judged by the rotor's travel, at every fourth step of the encoder."""
        if self._pending_us is None:
            self.sensors.judge_direction(at_us, DIRECTION_STEPS)
        else:  # the coup that its direction belongs to has not opened
            self.try_open(at_us)
        if not self.table.playing() or not self.sensors.watch(at_us):
            return
        if self._lost(at_us):
            self.table.void_by_sensors("ball_lost")
        else:
            self.sensors.watch_mark(at_us)

    def _lost(self, at_us: int) -> bool:
        """Returns whether the ball of the open coup must have left the wheel."""
        dropped = self.table.state == states.BALL_DROPPED
        return dropped and self.sensors.unseen(at_us, self._dropped_us, self._dropped_steps, LOST)

    def try_open(self, at_us: int) -> None:
        """Opens the coup that the rotor's motion begins, once the ball of the last is gone."""
        table = self.table
        if table.state in states.OUT_OF_PLAY:
            self._pending_us = None  # out of play: what moves now begins nothing
            self._due = False
        if self._due and not table.open:
            self._due = False
            self._start_rotor()
        if self._pending_us is None or table.closing:
            return
        pressed = self._start_us is not None and self._start_us > self._pending_us - START_NEAR_US
        # A motor takes longer to reverse it.
        pressed = pressed or table.commanded_direction != facts.UNKNOWN
        if not pressed and not self._thrown and self.presence.about(at_us):
            return
        if table.playing() and table.state == states.BETS_OPEN and not self.sensors.announced:
            self._pending_us = None  # a hand that stirs the rotor: still the same beginning
            self._thrown = False
            return
        if table.open:
            table.sensors_failed(self._reason_not_ended())  # and again when that is recorded
            return
        thrown = self._thrown
        if not thrown:
            self.track.reset()
        self._pending_us = None
        self._start_us = None
        self._forget_coup()
        table.begin_coup(at_us)
        if thrown:
            self.sensors.judge_direction(at_us, 0)  # the rotor has turned for a while
        seen = self.track.crossings[-1:]
        if seen and at_us - seen[0].at_us > UNFOLLOWED_US:
            table.void("interrupted")  # thrown and gone while the last end was being recorded

    # --- the ball -------------------------------------------------------------------------------
    def _rim(self, at_us: int, beam: int, level: int) -> None:
        known = self.track.direction
        if not self.sensors.rim(at_us, beam, level):
            return
        if self._pending_us is not None and self.track.direction and not known:
            self._thrown = True  # whatever the ring remembered, the coup has begun
            self.try_open(at_us)
        if self.table.playing():
            self._in_track(at_us)

    def _in_track(self, at_us: int) -> None:
        """A beam saw the ball of the open coup."""
        table = self.table
        if table.state == states.BETS_OPEN and self.track.direction:
            self._launched(at_us)
        if not table.playing():
            return
        if table.state in _RUNNING:
            self._crossed(at_us)
        elif table.state == states.BALL_DROPPED:
            self.voter.reset()  # it still runs: what lies in the ring is not the ball
            if any(seen.at_us > self._dropped_us for seen in self.track.crossings[-2:-1]):
                self.voter.settled_us = at_us + SETTLES_US  # two beams are no noise
        elif table.state == states.DETECTED:
            table.sensors_failed("sensors_disagree")
        elif table.state == states.BETS_OPEN:
            self._timers.set(timers.SILENCE, at_us + UNFOLLOWED_US)

    def _launched(self, at_us: int) -> None:
        """The direction of the ball is known: it is in the track for certain."""
        table = self.table
        table.enter(states.BALL_LAUNCHED, at_us)
        table.launched(at_us, self.track.direction)
        self.voter.reset()
        if table.ball_direction == self.rotor.motion_direction:
            table.void_by_sensors("same_direction")

    def _crossed(self, at_us: int) -> None:
        """A beam saw the ball: predicts the call, and when silence will mean the drop."""
        crossings = self.track.crossings
        self._called_blind = False
        if self.table.state == states.NO_MORE_BETS:
            self.predictor.follow(crossings, self.track.direction)
        else:
            call = self.predictor.crossed(crossings, self.track.direction)
            if call is not None and call <= at_us:
                guarded = self.predictor.guarded()
                self._call(at_us, evidence.THRESHOLD if guarded else evidence.PREDICTED)
            else:
                self._timers.set(timers.CALL, call)
        silent_us = self.drop_detector.crossed(self.track, is_fast=self.predictor.fast)
        if silent_us is not None:
            self._timers.set(timers.SILENCE, silent_us)

    def _call(self, at_us: int, why: str) -> None:
        """Rien ne va plus."""
        self._timers.set(timers.CALL, None)
        if why != evidence.SILENCE:
            self.predictor.called()
        said = self.predictor.explain(why)
        said["turns_uturn"] = self.track.turns_uturn()
        self._called_us = at_us
        self.table.call(at_us, said)

    def _silent(self, at_us: int) -> None:
        """The beams have not seen the ball for longer than a missed pulse explains."""
        table = self.table
        if table.state == states.NO_MORE_BETS:
            self._left_track(at_us, evidence.SILENCE)
        elif table.state == states.BALL_IN_TRACK:  # it may have left: no bet is safe any more
            self._call(at_us, evidence.SILENCE)
            self._called_blind = True
            self._timers.set(timers.SILENCE, self.drop_detector.longest_us(at_us))
        elif sum(self.track.counts) > 1:  # one beam, once, was a hand; a ball the ring will see
            self._unfollowed()

    def _unfollowed(self) -> None:
        """A ball was seen in the track, in no known direction: is that the beams' fault?"""
        if max(self.track.counts) > self.table.rules["ball_turns_min"]:
            self._beams_failed()  # one beam saw it lap by lap
        else:
            self.table.void_by_sensors("too_few_turns")

    def _beams_failed(self) -> None:
        """A ball was thrown, and the beams were too blind to tell its direction: no call came."""
        self._tell_blind()
        self.table.ask_people_or_void("sensors_disagree")

    def _tell_blind(self) -> int:
        """Emits a fault for each beam that has not seen the ball. Returns how many they are."""
        blind = [beam for beam, count in enumerate(self.track.counts) if not count]
        for beam in blind:
            self.table.fault(self.table.at_us, "W22", str(beam))
        return len(blind)

    def _left_track(self, at_us: int, seen: str) -> None:
        """The ball has left the zone of the rim beams."""
        table = self.table
        late = self._called_blind or self._called_after()  # and no beam has seen it since
        struck = not late and self._struck()
        if late or struck:
            table.fault(at_us, "C10", "")
        self._timers.set(timers.SILENCE, None)
        self._dropped_us = at_us
        self._dropped_steps = self.rotor.travelled
        self.voter.reset()
        self.sensors.dropped(at_us, seen, self.track.crossings[-1].at_us)
        self.voter.settled_us = self.drop_detector.gone_us + SETTLES_US
        blind = self._tell_blind()
        if self.track.turns_uturn() < table.rules["ball_turns_min"] * TURN:
            table.void_by_sensors("too_few_turns")
        elif not self.rotor.is_turning(at_us):
            table.void_by_sensors("rotor_not_reversed")
        elif not struck:  # that says nothing of the wheel
            self._learn(late, blind)
        if (late or struck) and table.has_terminals:
            table.void("timeout")  # the terminals took stakes after the drop
        elif late or struck:
            table.ask_people_or_void("timeout")

    def _called_after(self) -> bool:
        """Returns whether the call was not over when the next beam should have seen the ball."""
        return self._called_us is not None and self._over_us() > self.drop_detector.gone_us

    def _struck(self) -> bool:
        """Returns whether the ball was struck, and perhaps before the call was over."""
        gone_us = self.drop_detector.gone_us
        return self._called_us is not None and self.predictor.struck(self._over_us(), gone_us)

    def _over_us(self) -> int:
        return int(self._called_us + self.table.house.call_us)

    def _learn(self, late: bool, blind: int) -> None:
        """What this drop teaches about the next call."""
        if late:  # what was learned does not hold: another ball, another wheel
            self.predictor.called_late()
        left_us = self.drop_detector.left_us(self.track, blind)
        self._lesson = iter(()) if left_us is None else self.predictor.left(left_us)
        self._timers.set(timers.LESSON, self.table.at_us + LESSON_US)

    def _learn_part(self) -> None:
        """Learns the next part of what the last drop teaches; at last, records and tells it."""
        told = next(self._lesson, None)
        if told is None:
            self._lesson = None
            recorded = self.predictor.to_record()
            if recorded is not None:
                self.table.record("learned", {"learned": recorded}, None)
            self.table.emit_call_progress(self.table.at_us)
            return
        for code, detail in told:
            self.table.fault(self.table.at_us, code, detail)
        self._timers.set(timers.LESSON, self.table.at_us + LESSON_US)

    def _learn_rest(self) -> None:
        """Learns what is left of it, at once: the next coup begins, or none does."""
        while self._lesson is not None:
            self._learn_part()
        self._timers.set(timers.LESSON, None)

    # --- the number -----------------------------------------------------------------------------
    def _pocket(self, at_us: int, sensor: int, level: int) -> None:
        detection = self.sensors.ring.edge(at_us, sensor, level)
        if detection is None:
            return
        again = self.presence.in_ring(detection)
        if again and not self._thrown:
            self._pending_us = None  # the ball in its place: the same coup goes on
        if self.table.playing():
            self._in_ring(at_us, detection)

    def _in_ring(self, at_us: int, detection: ring.Detection) -> None:
        """A ring sensor saw something in the open coup."""
        if self.table.state == states.NO_MORE_BETS and at_us > self.drop_detector.gone_us:
            self._left_track(at_us, evidence.RING)
        if not self.table.playing():
            return
        if self.table.state == states.BETS_OPEN:
            self._weigh_early(detection)
            return
        verdict = self.sensors.weigh(detection, intruder="foreign_object")
        if verdict is not None:
            self.sensors.detected(at_us, verdict)

    def _weigh_early(self, detection: ring.Detection) -> None:
        """Judges one detection while bets are open and no ball is known to be in the track."""
        steps = self.rotor.travelled - self._detection_steps
        self._empty = self._empty or steps > self.rotor.steps_turn * EMPTY_UTURN // TURN
        self._detection_steps = self.rotor.travelled
        verdict = self.voter.add(detection)
        if self.track.crossings:
            if self.voter.intruder(ball_expected=False) is None:
                return
            thrown_us = self.track.crossings[0].at_us
            if self.voter.lay_before(thrown_us, detection.compartment):
                self.table.void_by_sensors("foreign_object")
            else:
                self._unfollowed()  # it never made the round of the beams
        elif verdict is not None and self._empty:  # else it may be the last coup's
            self._beams_failed()

    def _reason_not_ended(self) -> str:
        """Returns the reason why a coup that should have ended has not."""
        if self.table.state not in (states.BETS_OPEN, states.BALL_IN_TRACK):
            return self.sensors.reason_no_number()
        return "timeout" if self.track.crossings else "ball_lost"

    def _forget_coup(self) -> None:
        self._learn_rest()
        self.sensors.forget_coup()
        self.predictor.forget_coup()
        self.drop_detector.forget_coup()
        self._thrown = False
        self._called_blind = False
        self._called_us = None
        self._dropped_us = 0
        self._dropped_steps = 0
        self._empty = False
        self._detection_steps = self.rotor.travelled
