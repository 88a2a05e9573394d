"""Is the ball still in the wheel? A rotor that rests and moves on with its ball inside has not
begun a new coup (contracts/trace.md)."""

from firmware.core.sense.ring import Detection, RingSensors
from firmware.core.sense.rotor import RotorEncoder
from firmware.core.units import TURN
from firmware.shims.typed import Any

RING_UTURN = TURN * 42 // 100  # a third of a turn brings it to the next sensor, and some slack
BLIND_UTURN = TURN * 80 // 100  # two thirds where a sensor missed it before
TRACK_UTURN = TURN * 12 // 10  # from the last beam through slope and bounces to the ring
TRACK_US = 4_000_000
DETECTIONS_KEPT = 8  # of two things that lie there, four each
DETECTIONS_AT_REST = 4  # a whole turn: no ball that still hops stays so long
RUNS_US = 8_000_000  # a ball that no beam sees for longer does not run in the track


class Presence:
    """Remembers where the ball was last seen, and by how far the rotor has turned since."""

    def __init__(self, rotor: RotorEncoder, ring: RingSensors) -> None:
        self._rotor = rotor
        self._ring = ring
        self.forget()

    def forget(self) -> None:
        """Forgets the ball: a new coup."""
        self._seen_us: Any = None
        self._count = 0  # the rotor's, then
        self._steps = 0  # and how far it had turned ever
        self._detection: Any = None  # the last detection, if the ring saw it last
        self._window = RING_UTURN
        self._places: list[int] = []  # compartments of the last detections since a beam saw it
        # The last time that a beam saw something after the ring had: whether the ball was about
        # until then, and where it had lain.
        self._left: Any = None

    def in_track(self, at_us: int) -> None:
        """Takes that a beam of the track saw it."""
        if self._seen_us is None or self._detection is not None:
            self._left = (at_us, self.about(at_us), self.place())
        self._seen_us = at_us
        self._count = self._rotor.count
        self._steps = self._rotor.travelled
        self._detection = None
        self._places = []

    def in_ring(self, detection: Detection) -> bool:
        """Takes that a ring sensor saw it. True: in the compartment where it was last seen."""
        last = self._detection
        again = last is not None and last.compartment == detection.compartment
        if (
            detection.travel_uturn
        ):  # else it did not turn with the rotor: a hand, or a ball that hops
            self._places.append(detection.compartment)
        del self._places[:-DETECTIONS_KEPT]
        if again:
            travel = abs(detection.angle_uturn - last.angle_uturn)
            self._window = BLIND_UTURN if travel > RING_UTURN else RING_UTURN
        self._seen_us = detection.at_us
        self._count = self._rotor.count
        self._steps = self._rotor.travelled
        self._detection = detection
        return again

    def rests(self) -> bool:
        """Returns whether it last lay in one compartment for a turn, whatever lay elsewhere."""
        return bool(self._places) and self._places.count(self._places[-1]) >= DETECTIONS_AT_REST

    def place(self) -> int | None:
        """Returns the compartment in which it was last seen at rest, or None."""
        return self._places[-1] if self.rests() else None

    def place_at(self, at_us: int) -> int | None:
        """Returns the compartment where it lay until then, whatever beams saw since; or None."""
        if self._left is not None and self._left[0] >= at_us:
            place: int | None = self._left[2]
            return place
        return self.place()

    def gone_at(self, at_us: int) -> bool:
        """Returns whether it was known then to be gone, whatever a beam has seen since."""
        return self._left is not None and self._left[0] >= at_us and not self._left[1]

    def in_plate(self) -> bool:
        """Returns whether the ring saw it last."""
        return self._detection is not None

    def runs(self, at_us: int) -> bool:
        """Returns whether a beam saw it last, and not long ago."""
        return at_us < self.runs_until_us()

    def runs_until_us(self) -> int:
        """Returns until when it may run in the track; 0 unless a beam saw it last."""
        if self._seen_us is None or self._detection is not None:
            return 0
        return int(self._seen_us + RUNS_US)

    def seen_since(self, at_us: int) -> bool:
        """Returns whether it was seen after that time."""
        return self._seen_us is not None and self._seen_us > at_us

    def travel_uturn(self, since_steps: int) -> int:
        """Measures how far the rotor has turned since the ball was seen, or since then if later.

        `since_steps`: a value of `RotorEncoder.travelled`.
        """
        travelled = self._rotor.travelled - max(self._steps, since_steps)
        return travelled * TURN // self._rotor.steps_turn

    def about(self, at_us: int) -> bool:
        """Returns whether the ball may be there: it was seen, and is not known to be gone."""
        if self._seen_us is None:
            return False
        travel = self.travel_uturn(0)
        if self._detection is None:
            return at_us - self._seen_us < TRACK_US or travel < TRACK_UTURN
        if self._ring.dark() and self._ring.blocked(at_us) is None:
            return True
        # Forth it must come to the next sensor, forth and back to the one that saw it.
        away = abs(self._rotor.count - self._count) * TURN // self._rotor.steps_turn
        return away < self._window and travel < 2 * self._window
