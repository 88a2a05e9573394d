"""Since when things have lain in the ring: what lies there is seen at every passing of a sensor.

A ball that hops about may come into one case twice by chance; it lay in none of them meanwhile.
"""

from firmware.core.sense.ring import Detection, RingSensors
from firmware.core.sense.rotor import RotorEncoder
from firmware.core.units import TURN
from firmware.shims.typed import Any, NamedTuple

GAP_UTURN = TURN * 80 // 100  # two thirds of a turn where one of three sensors is dead, and slack
KEPT = 6  # things followed at a time; a ball and what else may lie there are two or three

# place_uturn: where in the rotor's frame, whatever the zero mark has corrected meanwhile.
# at_us, steps (RotorEncoder.travelled), beams: when it was first seen there; last_steps: and last.
ObjectTrack = NamedTuple(
    "ObjectTrack",
    [("place_uturn", int), ("at_us", int), ("steps", int), ("beams", int), ("last_steps", int)],
)


class ObjectTracker:
    """Follows what lies in the ring. Knows nothing of balls and coups."""

    def __init__(self, rotor: RotorEncoder, ring: RingSensors) -> None:
        self._rotor = rotor
        self._ring = ring
        self.forget()

    def forget(self) -> None:
        """Forgets everything: a new coup."""
        self._tracks: list[ObjectTrack] = []

    def seen(self, detection: Detection, beams: int) -> ObjectTrack:
        """Takes a detection and gives its track. `beams`: how often a beam has seen the ball."""
        steps = self._rotor.travelled
        corrected = self._rotor.corrected * TURN // self._rotor.steps_turn
        place = detection.angle_uturn - self._ring.sensors[detection.sensor] + corrected
        kept = []
        same: Any = None
        for known in self._tracks:
            if (steps - known.last_steps) * TURN > GAP_UTURN * self._rotor.steps_turn:
                continue  # a sensor has passed there meanwhile and seen nothing
            away = abs((place - known.place_uturn + TURN // 2) % TURN - TURN // 2)
            if away * 2 * self._ring.compartments < TURN and same is None:
                same = ObjectTrack(known.place_uturn, known.at_us, known.steps, known.beams, steps)
            else:
                kept.append(known)
        track: ObjectTrack = same or ObjectTrack(place, detection.at_us, steps, beams, steps)
        self._tracks = kept[1 - KEPT :] + [track]
        return track
