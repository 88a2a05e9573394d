"""When to call *rien ne va plus*: as the ball is about to leave the track, and never after.

Article 37-1 (seeds 000) lets players bet while the ball's speed holds it in the track.

What counts as the drop, here and everywhere: the ball leaves the zone of the rim beams. Sensors see
that only as a beam that no longer comes, so each coup brackets the drop between its last beam and
the one that is missing. What follows (slope, deflectors, bounces) is after the drop.

The ball leaves when its speed falls under one that differs a little from coup to coup (PHYSICS.md).
Each crossing says how fast the ball is (call/kalman.py), earlier coups how it will slow
(call/curve.py) and how fast it was when it left (call/margin.py): from these the latest moment at
which the chance of its having left is below the target. The only floats of the core are here and in
call/, on times relative to the coup's own crossings, good in single precision.
"""

from math import pi

from firmware.core.call import ball_tracker, change_detection, gap_forecast, kalman, learned
from firmware.core.call.curve import PRIOR_TURN_S2
from firmware.core.call.direction_model import DirectionModel
from firmware.core.facts import CCW, CW, CallProgress
from firmware.core.sense.beams import Crossing
from firmware.shims.typed import Any, Iterator, NamedTuple, Sequence

CAUTIOUS_TURN_S = 0.70  # 4.4 rad/s; the steepest track of PHYSICS.md (28 deg) lets go at 3.81
EARNED_COUPS = 3  # of both directions, before a margin is believed: one may be a freak
HEARD_COUPS = 5  # of a direction, before a change of its drops is looked for
KNOWN_COUPS = 20  # of a direction, before it is known what is strange there
LEARNED_COUPS = 200  # in all: the margin is about what it will be
RELEARNED_COUPS = 40  # in all: what changed is known again
STRUCK = 1e-4  # so unlikely is no drop by itself, but what margin.py calls a freak
FAST_SHARE = 1.3  # of the speed at which to call: a second or more before the drop
# The call's own chance is worked out if it may be due before so many beams, one of which may miss
# the ball.
REFINED_BEAMS = 2.4
RECORDED_EACH = 8  # coups: so often what was learned is recorded

# Where the call stands.
NEW = "new"
LEARNING = "learning"
KNOWN = "learned"
RELEARNING = "relearning"
REFUSED = "refused"
WHYS = (NEW, LEARNING, KNOWN, RELEARNING, REFUSED)
STRANGE = "strange"  # beside NEW, why a call kept to the cautious speed

# What a call is to go by. care: NEW or STRANGE where the cautious speed holds, else None.
_Due = NamedTuple(
    "_Due",
    [("at_us", int), ("speed", float), ("var", float), ("care", "str | None"), ("guarded", bool)],
)


class CallPredictor:
    """Decides when to call no more bets. Knows nothing of who is betting."""

    def __init__(
        self, geometry: dict[str, Any], recorded: object, *, call_us: int, late_ppb: int = 1_000
    ) -> None:
        """`geometry` as in the boards; `recorded` as plain() gave it, or None for a new wheel.

        `call_us`: how long the call itself takes; it is over before the ball may leave.
        `late_ppb`: the chance of a late call that is aimed at, in 1e-9.
        """
        self._geometry = geometry
        self._call_us = call_us
        self._late_ppb = late_ppb
        self.learned, self.refusal = learned.restore(recorded, geometry)
        track_mm = 2.0 * pi * geometry["track_radius_mm"]
        self._half_ball_turn = geometry["ball_mm"] / 2.0 / track_mm
        self._beams_turn = [degrees / 360.0 for degrees in geometry["rim_deg"]]
        self.forget_coup()
        self._crossings: Sequence[Crossing] = ()  # of the ball, as the track keeps them
        self._news = False  # what must not be lost with the controller
        self._taught = False  # by the last coup

    # --- the call -------------------------------------------------------------------------------
    def forget_coup(self) -> None:
        """Forgets the ball: a new throw, whose speed is not known yet."""
        self._due: Any = None
        self._tracker: Any = None
        self._called: Any = None  # the ball_tracker.BallState of a ball that is called
        self._foretold: Any = None  # the chance of each gap in ppm, as of the call
        self._slowing_ppm: Any = None

    def follow(self, crossings: Sequence[Crossing], direction: int) -> None:
        """Takes a crossing of a ball that is called already: what it shows is to be learned."""
        model = self.learned.model(direction)
        if self._tracker is None or self._tracker.model is not model:
            self._tracker = ball_tracker.BallTracker(model)
            self._due = None
        self._tracker.update(crossings)
        self._crossings = crossings

    def crossed(self, crossings: Sequence[Crossing], direction: int) -> int | None:
        """Takes a crossing. Returns when to call (us), unless a later crossing moves it.

        A time not after the crossing means: now. None: the ball's speed is not known yet.
        """
        self.follow(crossings, direction)
        known = self._tracker.known
        if known.motion is None:
            return None
        due = self._judge(known, self._tracker.model)
        if self._due is not None and _sped_up(known):  # no ball does: it was something else
            due = due if due.at_us < self._due.at_us else self._due
        self._due = due
        return due.at_us

    def guarded(self) -> bool:
        """Returns whether the last lap makes the guard speak."""
        return self._due is not None and self._due.guarded

    def fast(self, lap_us: int) -> bool:
        """Returns whether a ball of such a lap is too fast to leave, whatever beams are silent."""
        return lap_us * FAST_SHARE * CAUTIOUS_TURN_S < 1e6

    def _judge(self, known: ball_tracker.BallState, model: DirectionModel) -> _Due:
        """Returns when to call: at once if the guard speaks, else at the call's speed.

        That is the speed at which a call is late as seldom as aimed at; where little is learned, a
        cautious one.
        """
        care = self._care(known, model)
        guarded = known.laps[-1].lap_s >= _guard_lap_s(model)
        seen_us = known.crossing.at_us
        speed, noise = CAUTIOUS_TURN_S, model.assumed_noise()
        if care is None and self._due is not None:
            speed = self._due.speed  # as of the last crossing: the ball is known better now
        left_s, var = kalman.time_to(model.curve, known.motion, speed, noise=noise)
        beam_s = REFINED_BEAMS / (len(model.offsets) * known.motion.speed)
        if care is None and left_s - self._call_us / 1e6 < beam_s:
            speed = model.margin.mean()
            # How well the ball's speed will be known depends on when, and when on how well.
            for _ in range(2):
                _, var = kalman.time_to(model.curve, known.motion, speed, noise=noise)
                usual = model.margin.call_speed(self._late_ppb * 1e-9, var)
                speed = min(usual, CAUTIOUS_TURN_S)
            left_s, var = kalman.time_to(model.curve, known.motion, speed, noise=noise)
        at_us = seen_us if guarded else seen_us + int(left_s * 1e6) - self._call_us
        return _Due(at_us, speed, var, care, guarded)

    def _care(self, known: ball_tracker.BallState, model: DirectionModel) -> str | None:
        """Returns why the call is made with more caution than was learned, or None."""
        if self.learned.earning() < EARNED_COUPS:
            return NEW
        if model.coups < KNOWN_COUPS:
            return None
        return STRANGE if change_detection.is_strange(_motion_ratios(known, model)) else None

    def explain(self, why: str) -> dict[str, Any]:
        """Explains a call made now, for evidence.py, in whole micro-turns and microseconds."""
        said = {"why": why, "call_us": self._call_us, "learned": self.learned.coups}
        if self._due is None:
            return said
        due, known, model = self._due, self._tracker.known, self._tracker.model
        slowing = model.curve.at(known.motion.speed) * known.motion.scale
        said["care"] = due.care
        said["lap_us"] = int(known.laps[-1].lap_s * 1e6)
        said["guard_lap_us"] = int(_guard_lap_s(model) * 1e6)
        said["speed_uturn_s"] = int(known.motion.speed * 1e6)
        said["slowing_uturn_s2"] = int(slowing * 1e6)
        said["call_speed_uturn_s"] = int(due.speed * 1e6)
        said["doubt_ppm"] = int(due.var**0.5 / due.speed * 1e6)
        if due.care is None and due.speed < CAUTIOUS_TURN_S:
            said["late_ppb"] = self._late_ppb  # where caution speaks, no chance is worked out
        if self.learned.earning() >= EARNED_COUPS:  # before, too few drops have taught the margin
            usual = model.margin.mean()
            left_s, _ = kalman.time_to(
                model.curve, known.motion, usual, noise=model.assumed_noise()
            )
            said["drop_speed_uturn_s"] = int(usual * 1e6)
            said["spread_ppm"] = int(model.margin.scatter() * 1e6)
            said["drop_us"] = known.crossing.at_us + int(left_s * 1e6)
        return said

    def called(self) -> None:
        """Notes that the call is made now: where the ball will leave is foretold as of now."""
        due = self._due
        if due is not None and due.care != NEW:  # before, too few drops have taught the margin
            self._called = self._tracker.known

    def explain_drop(self, beam: int | None, direction: int) -> list[tuple[str, Any]]:
        """Returns how the ball left the track, for evidence.py: keys and values.

        `beam`: the last that it passed; None: not known.
        """
        said: list[tuple[str, Any]] = []
        if self._slowing_ppm is not None:
            said.append(("slowing_ppm", self._slowing_ppm))
        beams = len(self._beams_turn)
        if beam is not None and beams > 1:
            said.append(("gap", gap_forecast.gap_of(beam, direction, beams)))
            if self._foretold is not None:
                said.append(("gaps_ppm", self._foretold))
        return said

    # --- what coups teach -----------------------------------------------------------------------
    def left(self, missing_us: int) -> "Iterator[Sequence[tuple[str, str]]]":
        """Learns from a ball that has left the track: its beam at `missing_us` did not come.

        Goes on part by part, so that a slow board takes other events between two of them: whatever
        these are, it learns of the ball as it is known now. Each part yields what maintenance is to
        be told: (code, detail) of faults.
        """
        if self._tracker is None or self._tracker.known.motion is None:
            return iter(())
        known, model = self._tracker.known, self._tracker.model
        return self._lesson(known, model, tuple(self._crossings), missing_us)  # the track's go on

    def _lesson(
        self,
        known: ball_tracker.BallState,
        model: DirectionModel,
        crossings: Sequence[Crossing],
        missing_us: int,
    ) -> "Iterator[Sequence[tuple[str, str]]]":
        if self._bracket(known, model, missing_us) is None:
            return
        # What explain_drop tells, before this ball itself has taught anything.
        if model.curve.known():
            slowing = model.curve.at(CAUTIOUS_TURN_S) * known.motion.scale
            self._slowing_ppm = round((slowing / PRIOR_TURN_S2 - 1.0) * 1e6)
        forecast = self._forecast(model)
        if forecast is not None:
            while forecast.go_on():
                yield ()
            self._foretold = forecast.gaps_ppm()
        is_known = model.curve.known()
        for curve in self.learned.curves_taught(model):
            curve.learn(known.lessons)
            yield ()
        if not is_known:  # this ball itself has taught how it slowed
            again = ball_tracker.followed_again(model, crossings)
            known = known if again.motion is None else again
        bracket = self._bracket(known, model, missing_us)
        if bracket is None:
            return
        if model.coups >= HEARD_COUPS:
            changed = self.learned.change_detector.add(_ratios(known, model, bracket))
            if changed:
                self._relearn()
                yield (("W52", changed),)
            else:
                yield ()
        model.learn(known, bracket, by_us=missing_us - self._call_us)
        self._taught = True
        self.learned.coups += 1
        self.learned.relearning = max(self.learned.relearning - 1, 0)
        self.learned.lead_us = self._lead_us(known.motion, model)
        yield ()

    def _forecast(self, model: DirectionModel) -> "gap_forecast.GapForecast | None":
        """Returns the forecast of the gap from the motion at the call, if that is known."""
        if self._called is None or len(self._beams_turn) < 2:
            return None
        return gap_forecast.GapForecast(
            self._called,
            model,
            CCW if model is self.learned.models[0] else CW,
            beams_turn=self._beams_turn,
            early_turn=self._half_ball_turn,
        )

    def struck(self, called_us: int, missing_us: int) -> bool:
        """Returns whether a ball left the track as none that was learned does, and perhaps before
        the call: this came after the last beam that saw it, and none has since. Where nothing is
        learned the call is far too early for that. `missing_us`: a beam was due by then."""
        if self._tracker is None or self._tracker.known.motion is None:
            return False
        known, model = self._tracker.known, self._tracker.model
        if called_us <= known.crossing.at_us:
            return False
        bracket = self._bracket(known, model, missing_us)
        if bracket is None:
            return True
        likely: float = model.margin.chance(*bracket)
        return self.learned.earning() < EARNED_COUPS or likely < STRUCK

    def _bracket(
        self, known: ball_tracker.BallState, model: DirectionModel, missing_us: int
    ) -> "tuple[float, float, float] | None":
        """Returns the bracket of its speed as Margin.learn takes it.

        None: no ball leaves so fast, it was stopped or taken.
        """
        beams = len(model.offsets)
        silent_s = (missing_us - known.crossing.at_us) / 1e6
        missed = max(round(known.motion.speed * silent_s * beams), 1)
        # A beam sees the ball as soon as its edge is there, and half a ball later its middle.
        _, before = kalman.travel(model.curve, known.motion, -self._half_ball_turn)
        way = missed / beams - self._half_ball_turn
        seconds, after = kalman.travel(model.curve, known.motion, way)
        if (before + after) / 2.0 > CAUTIOUS_TURN_S or after >= before:
            return None
        # Until it left the track shook it on: by half of the way, on average.
        shaken = kalman.shaken_var(
            model.curve, known.motion, seconds / 2.0, noise=model.assumed_noise()
        )
        return after, before, known.motion.speed_var + shaken

    def called_late(self) -> None:
        """Forgets what was learned: the call came after the drop."""
        self._called = None
        self._relearn()

    def _relearn(self) -> None:
        self._news = True
        self.learned.relearn(RELEARNED_COUPS)

    def _lead_us(self, moved: kalman.MotionState, model: DirectionModel) -> int:
        """Expected from the end of a call by prediction to the drop, as this ball slowed."""
        if self.learned.earning() < EARNED_COUPS:
            speed = CAUTIOUS_TURN_S
        else:
            usual = model.margin.call_speed(self._late_ppb * 1e-9, moved.speed_var)
            speed = min(usual, CAUTIOUS_TURN_S)
        middle = model.margin.mean()
        # MicroPython's records have no _replace.
        then = kalman.MotionState(
            speed, moved.scale, moved.speed_var, moved.both_var, moved.scale_var
        )
        call_s, _ = kalman.time_to(model.curve, then, middle, noise=model.assumed_noise())
        return int(max(call_s, 0.0) * 1e6)

    # --- what is told of it ---------------------------------------------------------------------
    def progress(self, at_us: int) -> CallProgress:
        """Returns how far the wheel has come. Changes only when a ball has left the track."""
        coups = self.learned.coups
        lead_us = self.learned.lead_us or None
        earned = self.learned.earning() >= EARNED_COUPS
        if self.refusal not in (None, learned.MISSING) and not earned:
            return CallProgress(at_us, coups, lead_us, REFUSED)
        if self.learned.relearning:
            return CallProgress(at_us, coups, lead_us, RELEARNING)
        if not coups:
            return CallProgress(at_us, coups, lead_us, NEW)
        return CallProgress(at_us, coups, lead_us, LEARNING if coups < LEARNED_COUPS else KNOWN)

    # --- what outlives a restart ----------------------------------------------------------------
    def to_record(self) -> list[int] | None:
        """Returns what was learned, if it is time to record it, as a list of ints; else None."""
        coups = self.learned.coups
        young = coups <= RECORDED_EACH or coups % RECORDED_EACH == 0
        due = self._news or (self._taught and young)
        self._news = self._taught = False
        return self.plain() if due else None

    def plain(self) -> list[int]:
        """Returns what was learned, as it is recorded."""
        return learned.plain(self.learned, self._geometry)


def _sped_up(known: ball_tracker.BallState) -> bool:
    """Returns whether the last step was far too short for this ball."""
    last = known.seen[-1] if known.seen else None
    return last is not None and last.late < 0.0 and last.surprise >= ball_tracker.SURPRISE_MAX


def _guard_lap_s(model: DirectionModel) -> float:
    return model.guard.lap_s if model.guard.coups else 1.0 / CAUTIOUS_TURN_S


def _motion_ratios(known: ball_tracker.BallState, model: DirectionModel) -> list[float]:
    slow = model.measured_turn_s()  # what is usual of faster steps is not learned
    surprises = [seen.surprise for seen in known.seen if seen.speed < slow]
    return change_detection.motion_ratios(known.motion, model.spread, surprises, len(model.offsets))


def _ratios(
    known: ball_tracker.BallState, model: DirectionModel, bracket: tuple[float, float, float]
) -> list[float]:
    """Returns the ratios of a coup, for a ChangeDetector; of a direction hardly known, its drop's
    alone.
    """
    found = _motion_ratios(known, model)
    if model.coups < KNOWN_COUPS:
        found = [1.0] * len(found)
    return found + change_detection.drop_ratios(model.margin, *bracket)
