"""What every apparatus with a turning rotor shares: its encoder, track and ring, read for a table.

Judges the rotor's way at every motion, and what the ring says of the ball. When a coup begins, is
called and has its ball in the ring is the procedure of each apparatus: roulette.py, vingt_trois.py.
"""

from firmware.core import facts
from firmware.core.coup import states, timers, voting
from firmware.core.coup.table import Table
from firmware.core.facts import UNKNOWN
from firmware.core.sense import beams, ring, rotor
from firmware.core.sense.presence import Presence
from firmware.shims.typed import TYPE_CHECKING, Any, Callable, Sequence

if TYPE_CHECKING:
    from firmware.core.call.predictor import CallProgress


DARK_US = 1_000_000  # a beam dark for longer is not a ball
_RUNNING = (states.BALL_IN_TRACK, states.NO_MORE_BETS)


class RotorGame:
    """Reads the rotor, the track and the ring; a procedure derived from it leads the table."""

    steps_judged = rotor.DIRECTION_STEPS  # one way, before the rotor's way is compared
    notices: Sequence[Any] = ()  # (code, detail) of faults to be told at the beginning
    mark_spoils = True  # the coup, even early, where no lost edge explains that the count is wrong

    def __init__(self, geometry: dict[str, Any], table: Table) -> None:
        """`geometry` as in the boards."""
        self.table = table
        self._timers = table.timers
        self.rotor = rotor.Rotor(cycles=geometry["encoder_cycles"])
        self.speed_uturn_s = self.rotor.speed_uturn_s
        self.track = beams.Track(geometry)
        self.ring = ring.RingSensors(geometry, compartments=len(table.layout), rotor=self.rotor)
        self.voter = voting.Voter(self.ring, self.rotor)
        self.presence = Presence(self.rotor, self.ring)
        self._pending_us: Any = None  # the rotor was set in motion and no coup opened for it yet
        self._judged = True  # the way of the present motion has been compared
        self._announced = False  # the way of this coup's rotor has been told
        self._thrown = False  # a ball runs in the track for the coup that is about to open
        self._forget_coup()

    # --- what a procedure says ------------------------------------------------------------------
    def started(self, at_us: int) -> None:
        """Takes `btn_start`, where it does not confirm a number."""
        raise NotImplementedError

    def try_open(self, at_us: int) -> None:
        """Opens a coup that has waited for the end of the one before, or for its record."""
        raise NotImplementedError

    def _under_way(self) -> bool:
        """Tells whether a coup is open whose rotor has been set in motion."""
        return self.table.playing()

    def _early(self) -> bool:
        """Tells whether nothing of the open coup is measured that a lost edge could spoil."""
        raise NotImplementedError

    def _motion(self, at_us: int) -> None:
        """The rotor was set in motion."""
        raise NotImplementedError

    def _in_track(self, at_us: int) -> None:
        """A beam saw the ball of the open coup."""
        raise NotImplementedError

    def _in_ring(self, at_us: int, detection: ring.Detection) -> None:
        """A ring sensor saw something in the open coup."""
        raise NotImplementedError

    def _lost(self, at_us: int) -> bool:
        """Tells whether the ball of the open coup must have left the wheel."""
        raise NotImplementedError

    def _why_early(self) -> str | None:
        """Why the open coup has not come as far as the ring, or None if it has."""
        raise NotImplementedError

    # --- the controller's face ------------------------------------------------------------------
    def handler(self, name: str) -> "Callable[[int, int], None] | None":
        """Gives what takes (at_us, level) of the line called `name`, or None."""
        if name.startswith("rim"):
            beam = int(name[3:])
            return lambda at_us, level: self._rim(at_us, beam, level)
        if name.startswith("pocket"):
            sensor = int(name[6:])
            return lambda at_us, level: self._pocket(at_us, sensor, level)
        own = {"enc_a": self._encoder_a, "enc_b": self._encoder_b, "enc_z": self._mark}
        return own.get(name)

    def preset(self, name: str, level: int) -> None:
        """Takes the level of a line before its first edge."""
        if name in ("enc_a", "enc_b"):
            self.rotor.preset(name[-1], level)
        elif level:
            handler = self.handler(name)
            assert handler is not None, name
            handler(0, level)

    def stop(self) -> None:
        """Forgets what was about to begin: nothing comes any more."""
        self._pending_us = None

    def doubt(self, name: str) -> None:
        """Voids the coup for a lost edge of this line, unless it is early."""
        if name.startswith("enc"):
            self.rotor.lose()
        if not self._early():
            self.table.void("encoder" if name.startswith("enc") else "sensors_disagree")

    def settle(self) -> bool:
        """Settles a dispute of mark and disc: somebody has looked. False: there was none."""
        return self.rotor.settle()

    def tick(self, at_us: int) -> None:
        """Does what is due by now."""
        if self._timers.take_due(timers.LIMIT, at_us):
            self.table.void(self._why_open())

    def collect_evidence(self) -> None:
        """Notes what track, encoder and ring say as the open coup ends."""
        evidence, verdict = self.table.evidence, self.table.verdict
        evidence.note("turns_uturn", self.track.turns_uturn())
        evidence.note("beams", list(self.track.counts))
        evidence.note("slips", self.rotor.slips - self._slips_before)
        evidence.note("limit_uturn", self.voter.residual_max)
        if verdict is None:
            evidence.detections("against", self.voter.detections)
            return
        evidence.detections("votes", verdict.detections)
        place = verdict.compartment
        evidence.detections(
            "against", [seen for seen in self.voter.detections if seen.compartment != place]
        )
        if verdict.dead is not None:
            evidence.note("dead", verdict.dead)

    def learned(self) -> list[int] | None:
        """Gives what a restart should find of what was learned; None: nothing is."""
        return None

    def standing(self) -> "CallProgress | None":
        """Gives where the call's prediction stands; None: none is made."""
        return None

    # --- the rotor ------------------------------------------------------------------------------
    def _drive(self, number: int) -> None:
        """Has the motor turn the rotor for that coup, opposite to its last actuation.

        That is durable before the motor starts (Luxembourg art. 37-1, French article 47).
        """
        table = self.table
        way = -table.rotor or facts.CW
        table.drive(way, coup=number, by="command", speed_uturn_s=None)

    def _encoder_a(self, at_us: int, level: int) -> None:
        if self.rotor.edge_a(at_us, level):
            self._motion(at_us)
        if not self.rotor.travelled & 3:
            self._turned(at_us)

    def _encoder_b(self, at_us: int, level: int) -> None:
        if self.rotor.edge_b(at_us, level):
            self._motion(at_us)
        if not self.rotor.travelled & 3:
            self._turned(at_us)

    def _mark(self, at_us: int, level: int) -> None:
        slips = self.rotor.slips
        if self.rotor.edge_z(level):
            return
        self.table.fault(at_us, "W31", "")
        # Early in a coup a count with a lost edge is corrected by the mark; all else is doubt.
        if not self._early() or (self.mark_spoils and self.rotor.slips == slips):
            self.table.void("encoder")

    def _turned(self, at_us: int) -> None:
        """Every fourth step of the encoder: all that is judged by the rotor's travel."""
        if not self._judged and self.rotor.run >= self.steps_judged:
            self._judge_rotor(at_us)
        if self._pending_us is not None:
            self.try_open(at_us)
        if not self._under_way():
            return
        self._watch_beams(at_us)
        if self.rotor.dead():
            self.table.fault(at_us, "W31", "")
            self.table.void("encoder")
        blocked = self.ring.blocked(at_us)
        if blocked is not None:
            self.table.fault(at_us, "W24", str(blocked))
            self.table.void("foreign_object")
        elif self._lost(at_us):
            self.table.void("ball_lost")
        elif self.rotor.mark_missing():
            self.rotor.trusted = False
            self.table.fault(at_us, "W32", "")

    def _watch_beams(self, at_us: int) -> None:
        for beam, rise_us in enumerate(self.track.rises):
            if rise_us is not None and at_us - rise_us > DARK_US:
                self.table.fault(at_us, "W21", str(beam))

    def _unseen(self, at_us: int, since_us: int, since_steps: int, limit: tuple[int, int]) -> bool:
        """Says whether the ring saw nothing for `limit` since then, or since a detection."""
        limit_us, limit_uturn = limit
        return (
            at_us - since_us > limit_us
            and not self.ring.dark()
            and self.presence.travel_uturn(since_steps) > limit_uturn
        )

    def _judge_rotor(self, at_us: int) -> None:
        """The way the rotor turns is known: announced, kept, and compared with the last."""
        table = self.table
        if self._pending_us is not None:
            return  # the coup that it belongs to has not opened
        self._judged = True
        way = self.rotor.direction
        before, command = table.rotor, table.commanded
        table.turned(way)
        if not table.playing():
            return
        if self._announced:  # set in motion again within one coup
            if way != before and table.state != states.BETS_OPEN:
                table.void("rotor_not_reversed")
            return
        self._announced = True
        expected = command or -self._way_before
        table.evidence.time("rotor_us", at_us)
        table.evidence.note("rotor_due", expected)
        table.evidence.note("driven", bool(command))
        table.emit(facts.RotorMoving(at_us, table.coup, way))
        table.tell_view()
        if expected not in (UNKNOWN, way):
            table.void("rotor_not_reversed")

    # --- the ball -------------------------------------------------------------------------------
    def _rim(self, at_us: int, beam: int, level: int) -> None:
        known = self.track.direction
        ball_seen = self.track.edge(at_us, beam, level)
        if self.track.second_ball and self.table.state in _RUNNING:
            self.table.void("two_balls")
        if not ball_seen:
            return
        self.presence.in_track(at_us)
        if self._pending_us is not None and self.track.direction and not known:
            self._thrown = True  # whatever the ring remembered, the coup has begun
            self.try_open(at_us)
        if self.table.playing():
            self._in_track(at_us)

    def _pocket(self, at_us: int, sensor: int, level: int) -> None:
        detection = self.ring.edge(at_us, sensor, level)
        if detection is None:
            return
        again = self.presence.in_ring(detection)
        if self._pending_us is not None and not self._thrown and self._same_ball(detection, again):
            self._pending_us = None  # in its place: the same coup goes on
        if self.table.playing():
            self._in_ring(at_us, detection)

    def _same_ball(self, detection: ring.Detection, again: bool) -> bool:
        """Tells whether this is the ball from before the motion. `again`: seen there twice."""
        return again

    def _weigh(self, at_us: int, detection: ring.Detection) -> None:
        """One more detection of something in the ring: what does it say in this state?"""
        table = self.table
        verdict = self.voter.add(detection)
        if table.state == states.BALL_DROPPED:
            reason = self.voter.intruder(ball_expected=True)
            if reason is not None:
                table.void(reason)
            elif verdict is not None and self._accepts(at_us, verdict):
                if verdict.dead is not None:
                    table.fault(at_us, "W23", str(verdict.dead))
                table.detected(at_us, verdict)
        elif table.state == states.DETECTED:
            if detection.compartment != table.verdict.compartment:
                table.void("sensors_disagree")
        elif self.voter.intruder(ball_expected=False) is not None:
            self._intruder()

    def _accepts(self, at_us: int, verdict: voting.Verdict) -> bool:
        """Tells whether nothing outside the ring speaks against what it says."""
        return True

    def _intruder(self) -> None:
        """Something lies in the ring that cannot be the ball at rest."""
        self.table.void("foreign_object")

    def _why_open(self) -> str:
        """Why a coup that should have ended has not."""
        early = self._why_early()
        if early is not None:
            return str(early)
        if not self.rotor.trusted or self.rotor.slips > self._slips_before:
            return "encoder"
        if self.voter.disagree():
            return "sensors_disagree"
        return "timeout" if self.voter.detections else "ball_lost"

    def _dropped(self, at_us: int, seen: str) -> None:
        """The ball has left the zone of the rim beams. `seen`: how that is known (evidence.py)."""
        self._dropped_us = at_us
        self._dropped_steps = self.rotor.travelled
        self.voter.reset()
        self.table.dropped(at_us, seen)

    def _forget_coup(self) -> None:
        self._thrown = False
        self.voter.reset()
        self.voter.settled_us = 0
        self.presence.forget()
        self._way_before = self.table.rotor
        self._announced = False
        self._slips_before = self.rotor.slips
        self._dropped_us = 0
        self._dropped_steps = 0
