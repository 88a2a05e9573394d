"""The procedure of vingt-trois: what the sensors mean for the coup.

`btn_start` -> call -> plate set in motion, the ball flung by it -> ball in the ring -> number. What
cannot be decided is void. French article 47: « L'employé chargé de la manoeuvre de l'appareil doit
obligatoirement actionner chaque fois le cylindre dans un sens opposé au précédent. Il annonce
« Rien ne va plus » avant d'effectuer cette manoeuvre. »

A coup opens and is called at once, by the press. The beams of the track often miss this ball, so
they say little: which way it runs, and that it is not in its case yet.
"""

from firmware.core.coup import states, timers, voting
from firmware.core.coup.evidence import PRESS, RING
from firmware.core.coup.table import Table
from firmware.core.games.rotor_sensors import RotorSensors
from firmware.core.sense import beams as beam_track
from firmware.core.sense import object_tracker, presence, ring
from firmware.core.sense.lost_edges import REST_US
from firmware.core.sense.rotor import BEGIN_US
from firmware.core.units import TURN
from firmware.shims.typed import Any, Callable, Sequence

MOTOR_US = 1_000_000  # contracts/trace.md: the call comes a second or more before the plate moves
PRESS_US = 3_500_000  # a press that comes too early is kept: whoever waits longer presses again
PUSH_STEPS = 18  # an eighth of a turn one way: no hand that lays a ball stirs the plate so far
START_US = 300_000  # from being pushed to the encoder's first step
# Since the push, and turns without a sign of the ball: from track to case it takes 12 s at most,
# and may be silent for three turns of the plate.
LOST = (15_000_000, TURN * 7 // 2)
UNSEEN_US = 8_000_000  # so long after the push the ball may run without a beam having seen it
SILENT_BEAMS = 2  # beams in a row that the ball may have left unseen, if the ring sees it
SILENT_US = 1_000_000  # where its pace is not known
# After the push no ball that was flung lies in a case so soon: 5 s, recorded. What lies there from
# before comes to a sensor within a third of a turn, two thirds if one is dead.
EARLY_US = 1_500_000
EARLY_UTURN = TURN * 30 // 100
EARLY_BLIND_UTURN = TURN * 60 // 100
STILL_US = 2_000_000  # no ball hops about in a plate that has stood for so long
# A 20 mm ball at 5 m/s, 2 turns a second: no plate flings it faster. Where most of its pulses are
# missed it cannot be followed, but what is so long may be the ball.
PULSE_US = (4_000, beam_track.PULSE_MAX_US)
BEAMS_AFTER = 2  # a single one may not have been the ball
QUIET_US = 4_000_000  # with two balls, one rests and the other may be out of sight for so long
_BEFORE_NUMBER = (states.NO_MORE_BETS, states.BALL_DROPPED)


class VingtTrois:
    """Leads the table through a coup of vingt-trois."""

    notices: Sequence[Any] = ()  # (code, detail) of faults to be told at the beginning

    def __init__(self, geometry: dict[str, Any], table: Table, *, learned: object) -> None:
        """`geometry` as in the boards. `learned`: nothing, the call needs no prediction."""
        self.table = table
        self._timers = table.timers
        self.sensors = RotorSensors(geometry, table)
        self.rotor, self.track = self.sensors.rotor, self.sensors.track
        self.voter, self.presence = self.sensors.voter, self.sensors.presence
        self.objects = object_tracker.ObjectTracker(self.rotor, self.sensors.ring)
        # What the controller and the table ask of the sensors alone.
        self.preset, self.collect_evidence = self.sensors.preset, self.sensors.collect_evidence
        self.settle, self.speed_uturn_s = self.rotor.settle, self.rotor.speed_uturn_s
        self.track.sparse = True
        self._press_us: Any = None  # a press that has not yet become a coup
        self._due = False  # it has ended the coup before, and begins the next once that is durable
        self._driving = False  # the motor has been told to turn the plate
        self._pending_us: Any = None  # the plate was set in motion and no coup opened for it yet
        self._thrown = False  # a ball runs in the track for the coup that is about to open
        self._called_us = 0
        self._pressed_us = 0  # the press that the call answered
        self._timed = False  # the push of the open coup has been compared with that
        self._flung_us: Any = None  # the open coup's plate, or the last one's, was set in motion
        self._flung_steps = 0
        self._stirred = False  # the rotor was set in motion in the open coup, as far as it tells
        self._ended_us: Any = None  # the last coup ended, and none has opened since
        self._was_in = False  # the ball lay or ran in the plate when that was moved again
        self._ran = False  # and it ran in the track
        self._lay: Any = None  # or lay in this case
        self._noise_us = 0  # something last spoke against the case in which the ball lies
        self._case: Any = None  # where the ring last saw something
        self._beams = 0  # how often a beam saw the ball
        self._settled = False  # or at least in some case
        self._moved_steps = 0  # RotorEncoder.travelled when the pending motion began
        self._object: Any = None  # of what the ring last saw lie there

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

    def doubt(self, name: str) -> None:
        """Has the sensors fail for a lost edge of this line, unless it is early."""
        self.sensors.doubt(name, early=self._early())

    def learned(self) -> None:
        """Returns None: nothing is learned."""
        return None

    def call_progress(self, at_us: int) -> None:
        """Returns None: nothing is predicted."""
        return None

    def started(self, at_us: int) -> None:
        """Takes `btn_start`: the call, and the coup that it begins."""
        self._press_us = at_us
        self.try_open(at_us)

    def stop(self) -> None:
        """Forgets what was about to begin: nothing comes any more."""
        self._pending_us = None
        self._forget_press()

    def tick(self, at_us: int) -> None:
        """Does what is due by now."""
        if self._timers.take_due(timers.MOTOR, at_us):
            self._driving = True
            self.table.drive_back(self.table.coup)
            self.rotor.ordered()
        if self._timers.take_due(timers.PRESS, at_us):
            self.try_open(at_us)
        if self._timers.take_due(timers.LIMIT, at_us):
            self.table.sensors_failed(self._reason_not_ended())

    def try_open(self, at_us: int) -> None:
        """Opens the coup that a press or a motion without one begins, as soon as it may."""
        table = self.table
        if table.state in states.OUT_OF_PLAY or table.state == states.MANUAL:
            self._pending_us = None
            self._forget_press()
        if not table.open and self._ended_us is None:
            self._ended_us = at_us
        self._let_run_out()
        if table.closing:
            return
        if self._pending_us is not None:
            self._try_uncalled(at_us)
        if self._press_us is not None and not table.closing:
            self._try_called(at_us)

    def _try_uncalled(self, at_us: int) -> None:
        """The plate was set in motion without a call: a void coup, once the last ball is gone."""
        if self._ran and self.presence.seen_since(self._pending_us):
            self._pending_us = None  # the ball of the same coup, still running
            self._thrown = False
            return
        if self.rotor.run_steps < PUSH_STEPS:
            return
        if self._was_in and not self._thrown and self._may_lie(at_us):
            return
        if self.table.open:
            self.table.sensors_failed(self._reason_not_ended())  # and again when that is recorded
            return
        self._open(at_us)
        self._flung(at_us)
        self.table.void_by_sensors("moved_before_call")

    def _try_called(self, at_us: int) -> None:
        """The croupier has pressed: the next coup, unless the ball of the last still runs."""
        table = self.table
        if not self._due and not self._may_begin(at_us):
            return
        if table.open:
            self._due = True
            table.sensors_failed(self._reason_not_ended())  # and again when that is recorded
            return
        pressed_us = self._press_us
        self._open(at_us)
        self._called_us = at_us
        self._pressed_us = pressed_us
        table.call(at_us, {"why": PRESS, "press_us": pressed_us})
        if table.house.driven:
            spoken_us = max(table.house.call_us, MOTOR_US)
            self._timers.set(timers.MOTOR, at_us + spoken_us)

    def _may_begin(self, at_us: int) -> bool:
        """Returns whether the press counts now; else it is kept for a while, or forgotten."""
        again = self.table.playing() and self._flung_us is None
        if again or at_us - self._press_us > PRESS_US:
            self._forget_press()
            return False
        if self._pending_us is not None:  # pushed before the press, or only stirred?
            rests_us = self.rotor.edge_us + BEGIN_US
        elif self._ball_in(at_us):
            # In a plate that a hand has stopped the ball that it flung still runs.
            rests_us = max(self.rotor.edge_us + REST_US, self.presence.runs_until_us())
        else:
            return True
        if rests_us > at_us:
            self._timers.set(timers.PRESS, rests_us)
        return rests_us <= at_us

    def _open(self, at_us: int) -> None:
        self._forget_press()
        self._pending_us = None
        self._ended_us = None
        self._flung_us = None
        self._stirred = False
        self._case = None
        self._beams = 0
        self._timed = False
        self._object = None
        self.objects.forget()
        self.track.reset()
        self._thrown = False
        self.sensors.forget_coup()
        self.table.begin_coup(at_us)

    def _forget_press(self) -> None:
        self._press_us = None
        self._due = False

    def _ball_in(self, at_us: int) -> bool:
        """True unless the last ball is known to be out of the wheel."""
        if self._flung_us is not None and not self.presence.rests():
            return not self.sensors.unseen(at_us, self._flung_us, self._flung_steps, LOST)
        return self.presence.about(at_us)

    def _may_lie(self, at_us: int) -> bool:
        """Returns whether the last ball may still be in the plate that has been moved again."""
        if not self._settled:
            return self._ball_in(at_us)
        return self._passes(presence.BLIND_UTURN) and self.presence.about(at_us)

    def _passes(self, limit_uturn: int) -> bool:
        """Returns whether the pending motion has turned the plate by less."""
        travelled = self.rotor.travelled - self._moved_steps
        return travelled * TURN < limit_uturn * self.rotor.steps_turn

    # --- the plate ------------------------------------------------------------------------------
    def _early(self) -> bool:
        """Returns whether nothing of the open coup is measured that a lost edge could spoil."""
        return self.table.state in (states.BETS_OPEN, states.NO_MORE_BETS)

    def _mark(self, at_us: int, level: int) -> None:
        # Until the ball lies there is time: the mark may yet agree.
        if not self.sensors.mark(at_us, level) and not self._early():
            self.sensors.encoder_failed()

    def _motion(self, at_us: int) -> None:
        """The plate was set in motion."""
        self.sensors.set_in_motion()
        if self._flung_us is None and (self.table.playing() or self._late_start()):
            self.track.reset()
            self._stirred = True
            return
        self._pending_us = at_us
        self._moved_steps = self.rotor.travelled
        self._ran = self._running(at_us)
        # What the beams have seen since may be what this push has flung.
        began_us = self.rotor.began_us - START_US
        self._lay = self.presence.place_at(began_us)
        known = self._lay is not None or self._flung_us is None
        self._was_in = self._ball_in(at_us) and not (known and self.presence.gone_at(began_us))
        stood = self.rotor.rested_us > STILL_US and self.presence.in_plate()
        self._settled = stood or self._lay is not None
        if not self._ran:
            self.track.reset()  # what runs from now on is another throw
        self.try_open(at_us)

    def _running(self, at_us: int) -> bool:
        """Returns whether the ball was last seen in the track, or was flung and not seen yet."""
        flung_us = self._flung_us
        if flung_us is not None and not self.presence.seen_since(flung_us):
            return bool(at_us - flung_us < UNSEEN_US)
        if not self.presence.runs(at_us):
            return False
        began_us = self.rotor.began_us - START_US
        return any(began_us - UNSEEN_US < seen.at_us < began_us for seen in self.track.crossings)

    def _late_start(self) -> bool:
        """Returns whether the motion belongs to the last coup, which ended as it began."""
        return self._ended_us is not None and self.rotor.began_us < self._ended_us + START_US

    def _let_run_out(self) -> None:
        """Stops driving once the coup has ended or waits for people: its ball is to be lifted."""
        table = self.table
        if self._driving and (not table.open or table.state == states.MANUAL):
            self._driving = False
            table.let_run_out()

    def _turned(self, at_us: int) -> None:
        """Judges all that is judged by the plate's travel, at every fourth step of the encoder."""
        # The rotor does not tell a push that goes on after one that failed. Without either the
        # plate still runs out from the coup before.
        moved = self._stirred or self.rotor.began_us >= self._called_us
        pushed = moved and self.rotor.run_steps >= PUSH_STEPS
        if pushed and not self._timed and self.table.playing():
            self._pushed(at_us)
        elif self._flung_us is None and self.table.playing() and self.rotor.dead():
            self._flung(at_us)  # the next press belongs to another coup
            self.table.sensors_failed("encoder")
        if self._pending_us is None:
            self.sensors.judge_direction(at_us, PUSH_STEPS)
        else:  # the coup that its direction belongs to has not opened
            self.try_open(at_us)
        self._watch(at_us)
        self._let_run_out()

    def _watch(self, at_us: int) -> None:
        """Watches the sensors and the ball while the plate turns that was set in motion."""
        if not self.table.playing() or self._flung_us is None or not self.sensors.watch(at_us):
            return
        if self._lost(at_us):
            self.table.void_by_sensors("ball_lost")
        else:
            self.sensors.watch_mark(at_us)

    def _pushed(self, at_us: int) -> None:
        """The encoder tells that the plate was set in motion for the open coup."""
        self._timed = True
        self.sensors.judge_unless_told()
        if self._flung_us is None:
            self._flung(at_us)
        if self.rotor.began_us < self._pressed_us + START_US:
            self.table.void_by_sensors("moved_before_call")

    def _flung(self, at_us: int) -> None:
        """The plate was set in motion for the open coup, and flings its ball."""
        self.table.evidence.time("flung_us", at_us)
        self._flung_us = at_us
        self._flung_steps = self.rotor.travelled
        self._timers.set(timers.MOTOR, None)

    def _lost(self, at_us: int) -> bool:
        """Returns whether the ball of the open coup must have left the wheel."""
        if self.table.state not in _BEFORE_NUMBER:
            return False
        return self.sensors.unseen(at_us, self._flung_us, self._flung_steps, LOST)

    # --- the ball -------------------------------------------------------------------------------
    def _rim(self, at_us: int, beam: int, level: int) -> None:
        rise_us, beams, known = self.track.rises[beam], self._beams, self.track.direction
        if self.sensors.rim(at_us, beam, level):
            self._crossed(at_us, news=bool(self.track.direction and not known))
        if level or rise_us is None or self._beams != beams or not self.table.playing():
            return
        if PULSE_US[0] <= at_us - rise_us <= PULSE_US[1]:
            self._beams += 1
            self._noise_us = at_us

    def _crossed(self, at_us: int, *, news: bool) -> None:
        """A beam saw the ball. `news`: and its direction is known since then."""
        if news and self._pending_us is not None:
            self._thrown = True  # whatever the ring remembered, the coup has begun
            self.try_open(at_us)
        if self.table.playing():
            self._in_track(at_us)

    def _in_track(self, at_us: int) -> None:
        """A beam saw the ball of the open coup."""
        table = self.table
        if self._flung_us is None:
            if not self.track.direction:
                return  # a hand may have laid it
            self._flung(at_us)  # whatever the encoder says
        self._noise_us = at_us  # it still runs: what lies in the ring is not the ball
        self._beams += 1
        if table.state == states.NO_MORE_BETS:
            if self.track.direction and not table.ball_direction:
                table.launched(at_us, self.track.direction)
        elif table.state == states.DETECTED:
            table.sensors_failed("sensors_disagree")

    def _pocket(self, at_us: int, sensor: int, level: int) -> None:
        detection = self.sensors.ring.edge(at_us, sensor, level)
        if detection is None:
            return
        again = self.presence.in_ring(detection)
        if self._pending_us is not None and not self._thrown and self._same_ball(detection, again):
            self._pending_us = None  # in its place: the same coup goes on
        if self.table.playing():
            self._in_ring(at_us, detection)

    def _same_ball(self, detection: ring.Detection, again: bool) -> bool:
        """Returns whether this is the ball from before the motion. `again`: seen there twice."""
        if self._lay is None:
            return again
        if again and detection.compartment != self._lay:
            self._thrown = True  # it was flung, and the beams have missed that
        return bool(detection.compartment == self._lay) and self._passes(presence.BLIND_UTURN)

    def _in_ring(self, at_us: int, detection: ring.Detection) -> None:
        """A ring sensor saw something in the open coup."""
        self._object = self.objects.seen(detection, self._beams)
        if self._flung_us is None:
            return
        if detection.compartment != self._case:
            self._case = detection.compartment
            self._noise_us = at_us
        if self.table.state == states.NO_MORE_BETS and self._left_track(at_us):
            self.voter.reset()
            self.sensors.dropped(at_us, RING)
        verdict = self.sensors.weigh(detection, intruder=self._intruder())
        if verdict is not None and self._accepts(at_us, verdict):
            self.sensors.detected(at_us, verdict)

    def _left_track(self, at_us: int) -> bool:
        """Returns whether the ring may see the ball: the beams would have seen it in the track."""
        if not self.track.crossings:
            return True
        beam_us = self.track.beam_us()
        silent_us = SILENT_US if beam_us is None else SILENT_BEAMS * beam_us
        return bool(at_us - self.track.crossings[-1].at_us > silent_us)

    # --- the number -----------------------------------------------------------------------------
    def _accepts(self, at_us: int, verdict: voting.RingVerdict) -> bool:
        """Returns whether nothing outside the ring speaks against what it says."""
        lain = self._object
        turned_uturn = (lain.steps - self._flung_steps) * TURN // self.rotor.steps_turn
        limit_uturn = EARLY_UTURN if verdict.dead is None else EARLY_BLIND_UTURN
        early = lain.at_us - self._flung_us < EARLY_US or turned_uturn < limit_uturn
        if early or self._beams - lain.beams >= BEAMS_AFTER:
            # It lay there before the ball could, or while the ball ran.
            self.table.void_by_sensors(self._intruder())
        return self.table.playing() and at_us - self._noise_us > QUIET_US

    def _intruder(self) -> str:
        """Returns the reason to void for what lies there while the ball runs.

        It may also be a ball that the plate did not fling.
        """
        return "foreign_object" if self._beams else "too_few_turns"

    def _reason_not_ended(self) -> str:
        """Returns the reason why a coup that should have ended has not."""
        if self._flung_us is None:
            return "timeout"
        if self.table.state == states.NO_MORE_BETS:
            return "ball_lost"
        return self.sensors.reason_no_number()
