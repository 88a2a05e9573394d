"""What every apparatus with a turning rotor shares: its encoder, track and ring, read for a table.

Judges the rotor's direction at every motion, and what the ring says of the ball. Calls nobody but
the table: when a coup begins, is called and has its ball in the ring is the procedure of each
apparatus, which owns these sensors and asks them: roulette.py, vingt_trois.py.
"""

from firmware.core import facts
from firmware.core.coup import states, voting
from firmware.core.coup.table import Table
from firmware.core.facts import UNKNOWN
from firmware.core.sense import beams, ring, rotor
from firmware.core.sense.presence import Presence
from firmware.shims.typed import Any, Callable

DARK_US = 1_000_000  # a beam dark for longer is not a ball
_RUNNING = (states.BALL_IN_TRACK, states.NO_MORE_BETS)


class RotorSensors:
    """Reads the rotor, the track and the ring, and tells the table what speaks against a coup."""

    def __init__(self, geometry: dict[str, Any], table: Table) -> None:
        """`geometry` as in the boards."""
        self._table = table
        self.rotor = rotor.RotorEncoder(cycles=geometry["encoder_cycles"])
        self.track = beams.BallTrack(geometry)
        self.ring = ring.RingSensors(geometry, compartments=len(table.layout), rotor=self.rotor)
        self.voter = voting.Voter(self.ring, self.rotor)
        self.presence = Presence(self.rotor, self.ring)
        self._judged = True  # the direction of the present motion has been compared
        self._passed_first = (0, 0)  # the first beam: the rotor's angle, RotorEncoder.corrected
        self.forget_coup()

    def forget_coup(self) -> None:
        """Forgets all that was seen of a coup: another begins."""
        self.voter.reset()
        self.voter.settled_us = 0
        self.presence.forget()
        self.announced = False  # the direction of this coup's rotor has been told
        self._direction_before = self._table.rotor_direction
        self._slips_before = self.rotor.slips

    # --- the lines ------------------------------------------------------------------------------
    def preset(self, name: str, level: int) -> None:
        """Takes the level of a line before its first edge."""
        if name in ("enc_a", "enc_b"):
            self.rotor.preset(name[-1], level)
        elif not level:
            return
        elif name == "enc_z":
            self.rotor.edge_z(level)
        elif name.startswith("rim"):
            self.track.edge(0, int(name[3:]), level)
        else:
            self.ring.edge(0, int(name[6:]), level)

    def handler(
        self,
        name: str,
        *,
        moved: "Callable[[int], None]",
        turned: "Callable[[int], None]",
        rim: "Callable[[int, int, int], None]",
        pocket: "Callable[[int, int, int], None]",
        mark: "Callable[[int, int], None]",
    ) -> "Callable[[int, int], None] | None":
        """Returns what takes (at_us, level) of the line called `name`, or None.

        `moved` is called when the rotor is set in motion, `turned` at every fourth step of the
        encoder. `rim`, `pocket` (at_us, number, level) and `mark` take each edge of theirs.
        """
        if name in ("enc_a", "enc_b"):
            return self._encoder(name[-1], moved, turned)
        if name.startswith("rim"):
            beam = int(name[3:])
            return lambda at_us, level: rim(at_us, beam, level)
        if name.startswith("pocket"):
            sensor = int(name[6:])
            return lambda at_us, level: pocket(at_us, sensor, level)
        return mark if name == "enc_z" else None

    def _encoder(
        self, channel: str, moved: "Callable[[int], None]", turned: "Callable[[int], None]"
    ) -> "Callable[[int, int], None]":
        """Returns what takes the edges of channel "a" or "b"."""
        wheel = self.rotor
        edge = wheel.edge_a if channel == "a" else wheel.edge_b

        def take(at_us: int, level: int) -> None:
            if edge(at_us, level):
                moved(at_us)
            if not wheel.travelled & 3:
                turned(at_us)

        return take

    def mark(self, at_us: int, level: int) -> bool:
        """Takes an edge of the zero mark. False: mark and count contradict each other."""
        slips = self.rotor.slips
        agree = self.rotor.edge_z(level)
        put_right = self.rotor.slips > slips  # as between coups: no number is at stake
        # Of edges lost while the machine stood still neither cable nor disc nor mark is at fault.
        told = self.rotor.disputed or not self._table.stood_at(self.rotor.lost_us)
        if told and (put_right or not agree):
            self._table.fault(at_us, "W31", "")
        return agree

    def encoder_failed(self) -> None:
        """Has the sensors fail, for edges of the encoder that were lost."""
        self._table.sensors_failed(self._table.encoder_failed(self.rotor.lost_us))

    def rim(self, at_us: int, beam: int, level: int) -> bool:
        """Takes an edge of a beam. True: it saw the ball."""
        seen = self.track.edge(at_us, beam, level)
        if self.track.second_ball and self._table.state in _RUNNING:
            self._table.void_by_sensors("two_balls")
        if seen:
            self.presence.in_track(at_us)
            if beam == 0 and self.track.counts[0] == 1:
                angle_uturn = self.rotor.angle_uturn(self.track.crossings[-1].at_us)
                self._passed_first = (angle_uturn, self.rotor.corrected)
        return seen

    def doubt(self, name: str, *, early: bool) -> None:
        """Has the sensors fail for a lost edge of this line, unless it is early.

        `early`: nothing of the coup is measured yet that a lost edge could spoil.
        """
        if name.startswith("enc"):
            self.rotor.lose()
        if not early:
            if name.startswith("enc"):
                self.encoder_failed()
            else:
                self._table.sensors_failed("sensors_disagree")

    # --- the rotor ------------------------------------------------------------------------------
    def set_in_motion(self) -> None:
        """Notes a motion, whose direction is to be compared."""
        self._judged = False

    def judge_unless_told(self) -> None:
        """Has the direction of the present motion compared, unless this coup's has been told."""
        self._judged = self.announced

    def judge_direction(self, at_us: int, steps: int) -> None:
        """Compares the rotor's direction with the last actuation, once, `steps` into a motion.

        It is announced and kept.
        """
        if self._judged or self.rotor.run_steps < steps:
            return
        self._judged = True
        table = self._table
        direction = self.rotor.direction
        before, command = table.rotor_direction, table.commanded_direction
        table.turned(direction)
        if not table.playing():
            return
        if self.announced:  # set in motion again within one coup
            if direction != before and table.state != states.BETS_OPEN:
                table.void_by_sensors("rotor_not_reversed")
            return
        self.announced = True
        expected = command or -self._direction_before
        table.evidence.time("rotor_us", at_us)
        table.evidence.note("rotor_due", expected)
        table.evidence.note("driven", bool(command))
        table.emit(facts.RotorMoving(at_us, table.coup, direction))
        table.tell_view()
        if expected not in (UNKNOWN, direction):
            table.void_by_sensors("rotor_not_reversed")

    def watch(self, at_us: int) -> bool:
        """Ends the coup if the turning rotor shows a sensor at fault. False: the ring is blocked.

        A beam that stays dark is only told.
        """
        table = self._table
        rises = self.track.rises
        if rises.count(None) < len(rises):  # rare, and this is asked at every fourth step
            for beam, rise_us in enumerate(rises):
                if rise_us is not None and at_us - rise_us > DARK_US:
                    table.fault(at_us, "W21", str(beam))
        if self.rotor.dead():
            table.fault(at_us, "W31", "")
            table.sensors_failed("encoder")
        blocked = self.ring.blocked(at_us)
        if blocked is not None:
            table.fault(at_us, "W24", str(blocked))
            table.void_by_sensors("foreign_object")
        return blocked is None

    def watch_mark(self, at_us: int) -> None:
        """Believes no angle once the zero mark is missing."""
        if self.rotor.mark_missing():
            self.rotor.trusted = False
            self._table.fault(at_us, "W32", "")

    # --- the ball -------------------------------------------------------------------------------
    def dropped(self, at_us: int, by: str, seen_us: int | None = None) -> None:
        """Tells the table that the ball has left the track, as Table.dropped takes it."""
        self._table.evidence.note("rotor_uturn_s", abs(self.rotor.speed_uturn_s(at_us)))
        self._table.dropped(at_us, by, seen_us)

    def launch_place(self) -> int | None:
        """Returns the compartment that passed the first beam when the ball first did.

        None where no beam or no mark of the rotor proves it.
        """
        angle_uturn, corrected = self._passed_first
        if not self.track.counts[0] or not self.rotor.trusted or self.rotor.corrected != corrected:
            return None
        place, _ = self.ring.compartment_at(angle_uturn - self.track.first_uturn)
        return place

    def unseen(self, at_us: int, since_us: int, since_steps: int, limit: tuple[int, int]) -> bool:
        """Returns whether the ring saw nothing for `limit` since then, or since a detection.

        `limit`: a time, and how far the rotor has turned, in micro-turns.
        """
        limit_us, limit_uturn = limit
        return (
            at_us - since_us > limit_us
            and not self.ring.dark()
            and self.presence.travel_uturn(since_steps) > limit_uturn
        )

    def weigh(self, detection: ring.Detection, *, intruder: str) -> voting.RingVerdict | None:
        """Takes one more detection of something in the ring, and voids for what cannot be.

        `intruder`: the reason, where no ball can be at rest yet. Returns a verdict once the
        sensors agree on where the ball that has dropped lies.
        """
        table = self._table
        verdict = self.voter.add(detection)
        if table.state == states.BALL_DROPPED:
            reason = self.voter.intruder(ball_expected=True)
            if reason is None:
                return verdict
            table.void_by_sensors(reason)
        elif table.state == states.DETECTED:
            if detection.compartment != table.verdict.compartment:
                table.sensors_failed("sensors_disagree")
        elif self.voter.intruder(ball_expected=False) is not None:
            table.void_by_sensors(intruder)
        return None

    def detected(self, at_us: int, verdict: voting.RingVerdict) -> None:
        """Has the table take the number of a verdict. Emits which sensor is dead."""
        if verdict.dead is not None:
            self._table.fault(at_us, "W23", str(verdict.dead))
        self._table.detected(at_us, verdict)

    # --- the end --------------------------------------------------------------------------------
    def reason_no_number(self) -> str:
        """Returns the reason why a coup whose ball was to come into the ring has no number."""
        if not self.rotor.trusted or self.rotor.slips > self._slips_before:
            return self._table.encoder_failed(self.rotor.lost_us)
        if self.voter.in_doubt():
            return "foreign_object"
        if self.voter.disagree():
            return "sensors_disagree"
        return "timeout" if self.voter.detections else "ball_lost"

    def collect_evidence(self) -> None:
        """Notes what track, encoder and ring say as the open coup ends."""
        evidence, verdict = self._table.evidence, self._table.verdict
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
