"""The verdict: a number only when independent sensors agree, else the reason why not.

DESIGN section 3: every healthy sensor names the same compartment, over at least one full set plus
one repeat, residual below 35 % of the pitch, nothing else seen in the ring. With one sensor dead
all the others must agree over two full sets while the dead one stays silent at every passing.

A chip may look like the ball. What is not as wide is foreign, after four sights or, where those are
in doubt, after eight; of what is, no number is given until the ball itself would lie somewhere, and
all of the ring has passed a sensor since (docs/adr/0016). A chip lies still at once: what rocks to
rest before the sensors waits less.
"""

from firmware.core.sense.ring import DOUBT_PERCENT, WIDTH_PERCENT, Detection, RingSensors
from firmware.core.sense.rotor import RotorEncoder
from firmware.core.units import TURN
from firmware.shims.typed import NamedTuple, Sequence

RESIDUAL_PERCENT = 35  # of the pitch, DESIGN section 3
DEAD_MISSES = 2  # a sensor is known dead after that many passings without a sign
KEPT = 12  # detections remembered: four turns of one thing, two of two
# What one sensor's sights of a thing differ by if it moved between them. Of a ball that lies still
# they differ by 4.7 % of the pitch and 19 % of its width at most (recorded: 483 pairs of sights).
ROCKED_PERCENT = 5  # of the pitch
ROCKED_WIDTH_PERCENT = 25  # of the ball's width: it swung as it passed
ROCKED_SOONER_US = 1_600_000  # what rocked to rest need not wait for the last of `settled_us`
STABLE_VOTES = 4  # that often in one compartment, by two sensors or more: something lies there
DECIDING_VOTES = 8  # where any STABLE_VOTES of them in a row leave its width in doubt, these decide

# A verified compartment, the dead sensor or None, and the detections that were votes, the last of
# them if many; since_us: when the first of all was. proof: (key, value) of how it was verified, for
# the record of the result: votes that agreed, how many sensors voted, the worst residual.
RingVerdict = NamedTuple(
    "RingVerdict",
    [
        ("compartment", int),
        ("dead", "int | None"),
        ("detections", "Sequence[Detection]"),
        ("since_us", int),
        ("proof", "Sequence[tuple[str, int]]"),
    ],
)


class Voter:
    """Collects the detections of one coup after the drop and judges them."""

    def __init__(self, ring: RingSensors, rotor: RotorEncoder) -> None:
        self._ring = ring
        self._rotor = rotor
        self._sensors = len(ring.sensors)
        self.residual_max: int = TURN // ring.compartments * RESIDUAL_PERCENT // 100
        self._rocked_uturn: int = TURN // ring.compartments * ROCKED_PERCENT // 100
        self.settled_us = 0  # the ball may hop about, unseen, until then
        self.reset()

    def reset(self) -> None:
        """Forgets every detection: a new coup, or the angles before are not to be believed."""
        self.detections: list[Detection] = []
        self._restart()

    def _restart(self) -> None:
        # The votes that agree so far, each with the zero mark's passings before it.
        self._chain: list[tuple[Detection, int]] = []
        self._misses = [0] * self._sensors
        self._since_miss = 0  # votes before the last miss
        self._slips = self._rotor.slips

    def add(self, detection: Detection) -> RingVerdict | None:
        """Takes a detection; returns a RingVerdict once the number is verified, else None."""
        self.detections.append(detection)
        del self.detections[:-KEPT]
        if self._slips != self._rotor.slips:
            self.reset()
            self.detections.append(detection)
        if not self._votes(detection):
            self._restart()
            return None
        if self._chain and not self._continues(detection):
            self._restart()
        if self._misses[detection.sensor]:
            # It sees, so what it missed before was no ball at rest: only later votes count.
            del self._chain[: self._since_miss]
            self._misses = [0] * self._sensors
        self._chain.append((detection, self._rotor.checks))
        return self._verdict()

    def _votes(self, detection: Detection) -> bool:
        near = abs(detection.residual_uturn) <= self.residual_max
        return near and self._ring.is_ball_wide(detection)

    def _continues(self, detection: Detection) -> bool:
        """Returns whether this is the same ball's next passing, sensors in the rotor's order."""
        last, _ = self._chain[-1]
        if detection.compartment != last.compartment:
            return False
        direction = self._rotor.direction
        turned = (detection.angle_uturn - last.angle_uturn) * direction
        if not 0 < turned < TURN + TURN // 4:
            return False
        # ccw: a ball in the rotor meets the sensors in ascending order, cw: in descending.
        sensor = (last.sensor + direction) % self._sensors
        while sensor != detection.sensor:
            self._misses[sensor] += 1
            self._since_miss = len(self._chain)
            sensor = (sensor + direction) % self._sensors
        # The same sensor twice running is a whole turn in which all the others were silent.
        return detection.sensor != last.sensor

    def _verdict(self) -> RingVerdict | None:
        """Returns the number that the votes so far verify, or None. All of this is asked:

        - Votes in a row name one compartment, in the rotor's order of sensors (`_continues`). A
          vote is as wide as a ball at rest and within `residual_max` of the centre (`_votes`).
        - They are one more than there are sensors: a full set and a repeat. Or one sensor, and no
          other, was silent at DEAD_MISSES passings or more: then two full sets of the others.
        - The zero mark agrees with the count, no edge was lost since, and one of its passings lies
          among the votes.
        - The ball has settled (`_settled_us`), and all of the ring has passed a sensor since.
        - The last STABLE_VOTES votes are, by the sensors' middle, as wide as the ball itself, and
          none before them have left that in doubt (`_has_ball_width`).

        That nothing else lies in the ring, `intruder` says; that the ball has dropped, the table.
        """
        votes = len(self._chain)
        silent = [sensor for sensor in range(self._sensors) if self._misses[sensor]]
        # One passing of the zero mark inside the votes ties them to the layout.
        if not self._rotor.trusted or self._rotor.checks == self._chain[0][1]:
            return None
        dead = None
        if silent:
            dead = silent[0]
            if len(silent) > 1 or self._misses[dead] < DEAD_MISSES:
                return None
            if votes < 2 * (self._sensors - 1):
                return None
        elif votes < self._sensors + 1:
            return None
        detections = [detection for detection, _ in self._chain]
        # Between two sensors' votes all of the ring passes one of them; a dead one sees nothing.
        swept = detections[-2] if dead is None else detections[-self._sensors]
        if swept.at_us < self._settled_us(detections):
            return None
        place = detections[0].compartment
        if not self._ring.are_ball_wide(detections[-STABLE_VOTES:], WIDTH_PERCENT):
            return None
        if not self._has_ball_width(place, (place,)):
            return None
        worst = max(abs(detection.residual_uturn) for detection in detections)
        sensors = len({detection.sensor for detection in detections})
        proof = (("votes", votes), ("sensors", sensors), ("residual_uturn", worst))
        return RingVerdict(place, dead, detections[-KEPT:], detections[0].at_us, proof)

    def _settled_us(self, votes: Sequence[Detection]) -> int:
        """Returns since when the ball would lie somewhere, were it not what these votes saw.

        Sooner where that has rocked to rest, as a ball does and no chip.
        """
        rocked = any(self._has_moved(votes[0], vote) for vote in votes)
        return self.settled_us - ROCKED_SOONER_US if rocked else self.settled_us

    def _has_moved(self, first: Detection, later: Detection) -> bool:
        """Returns whether a thing moved in its compartment as one sensor saw it, or in between.

        A sensor is compared with itself, at one angle of the rotor: where sensor and mark sit, and
        what dirt narrows its view, is the same both times.
        """
        if first.sensor != later.sensor:
            return False
        swung = abs(later.travel_uturn - first.travel_uturn) * 100
        moved = abs(later.residual_uturn - first.residual_uturn)
        return moved > self._rocked_uturn or swung > self._ring.ball_uturn * ROCKED_WIDTH_PERCENT

    def intruder(self, *, ball_expected: bool) -> str | None:
        """Returns the reason to void that what lies in the ring is by itself, or None.

        Two things seen in turn by several sensors each are two balls if both are as wide as a
        ball, else a ball and a foreign object. Where no ball is expected yet (it runs in the
        track), a single thing in the ring is foreign.
        """
        balls = self._lying(True)
        if self._lying(False) or (balls and not ball_expected):
            return "foreign_object"
        wide = [self._has_ball_width(compartment, balls) for compartment in balls]
        if False in wide or (len(balls) > 1 and None in wide):  # one of them is surely no ball
            return "foreign_object"
        return "two_balls" if len(balls) > 1 else None

    def in_doubt(self) -> bool:
        """Returns whether more sights were to tell if what lies there is as wide as the ball."""
        balls = self._lying(True)
        return None in [self._has_ball_width(compartment, balls) for compartment in balls]

    def _lying(self, as_ball: bool) -> list[int]:
        """Returns the compartments in which something as wide as a ball (or not) lies."""
        places = {detection.compartment for detection in self.detections}
        return [compartment for compartment in places if self._lies(compartment, as_ball)]

    def _lies(self, compartment: int, as_ball: bool) -> bool:
        """Does something as wide as a ball (or not) lie there, as far as the detections tell?"""
        seen = [
            detection
            for detection in self.detections
            if detection.compartment == compartment
            and (self._votes(detection) if as_ball else not self._ring.is_ball_wide(detection))
        ]
        if len(seen) < STABLE_VOTES:
            return False
        fresh = abs(self.detections[-1].angle_uturn - seen[-1].angle_uturn) < TURN // 2
        return fresh and any(detection.sensor != seen[0].sensor for detection in seen)

    def _has_ball_width(self, compartment: int, lying: Sequence[int]) -> "bool | None":
        """Is the thing that lies there as wide as the ball? None: more sights will tell.

        Nothing speaks against it before nothing hops about, there or elsewhere: the ball may have,
        as wide as it then seemed. From then on any four sights in a row tell, and where they leave
        it in doubt, the last eight.
        """
        seen: list[Detection] = []
        for detection in reversed(self.detections):
            hops = detection.at_us < self.settled_us
            if hops or detection.compartment not in lying or not self._votes(detection):
                break
            if detection.compartment == compartment:
                seen.append(detection)
        del seen[DECIDING_VOTES:]
        rows = [seen[at : at + STABLE_VOTES] for at in range(len(seen) - STABLE_VOTES + 1)]
        if all(self._ring.are_ball_wide(row, WIDTH_PERCENT) for row in rows):
            return True
        if not all(self._ring.are_ball_wide(row, DOUBT_PERCENT) for row in rows):
            return False
        if len(seen) < DECIDING_VOTES:
            return None
        return self._ring.are_ball_wide(seen, WIDTH_PERCENT)

    def lay_before(self, at_us: int, compartment: int) -> bool:
        """Returns whether something was seen in that compartment before then."""
        return any(
            seen.at_us < at_us and seen.compartment == compartment for seen in self.detections
        )

    def disagree(self) -> bool:
        """Returns whether the last detections name several compartments."""
        return len({detection.compartment for detection in self.detections[-self._sensors :]}) > 1
