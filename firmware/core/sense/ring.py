"""The ring sensors: each pulse, in the rotor's frame, names a compartment and a residual."""

from firmware.core.sense.rotor import RotorEncoder
from firmware.core.units import PI_MICRO, TURN, TURN_MDEG
from firmware.shims.typed import Any, NamedTuple, Sequence

# Of the ball's width, by which detections of something that lies still may differ from it. A turn's
# may differ by more, where encoder or sensors stamp their edges badly: then two turns' tell.
WIDTH_PERCENT = 14
DOUBT_PERCENT = 25
NOISE_US = 3_000  # a ball at 2 m/s covers a sensor for 10 ms
NOISE_PERCENT = 25  # of what a resting ball covers: no ball, and nothing that could hide one
BLOCKED_UTURN = (
    TURN // 2
)  # rotor travel in front of a dark sensor that no ball in a pocket explains

# What one ring sensor saw pass.
# compartment: index in layout order; residual_uturn: signed distance from its centre;
# travel_uturn: how far the rotor turned meanwhile; angle_uturn: unwrapped, at the centre.
Detection = NamedTuple(
    "Detection",
    [
        ("at_us", int),
        ("sensor", int),
        ("compartment", int),
        ("residual_uturn", int),
        ("travel_uturn", int),
        ("angle_uturn", int),
    ],
)


class RingSensors:
    """Turns the edges of the ring sensors into detections."""

    def __init__(self, geometry: dict[str, Any], *, compartments: int, rotor: RotorEncoder) -> None:
        """`geometry` as in the boards: `pocket_deg`, `ball_mm`, `ring_radius_mm`.

        `pocket_mdeg`, if it is there: where a calibration found them (docs/calibration.md).
        """
        self.compartments = compartments
        drawn_mdeg = [1000 * degrees for degrees in geometry["pocket_deg"]]
        self.sensors: Sequence[int] = tuple(
            [mdeg * TURN // TURN_MDEG for mdeg in geometry.get("pocket_mdeg", drawn_mdeg)]
        )
        self.ball_uturn: int = (
            geometry["ball_mm"] * TURN * TURN // (2 * PI_MICRO * geometry["ring_radius_mm"])
        )
        self._rotor = rotor
        self._rises: list[Any] = [None] * len(self.sensors)  # (at_us, angle) while dark

    def edge(self, at_us: int, sensor: int, level: int) -> Detection | None:
        """Takes an edge; returns the Detection it ends, or None (a rise, or noise)."""
        angle = self._rotor.angle_uturn(at_us)
        if level:
            self._rises[sensor] = (at_us, angle)
            return None
        rise, self._rises[sensor] = self._rises[sensor], None
        if rise is None:
            return None
        rose_us, rose_angle = rise
        travel = abs(angle - rose_angle)
        if at_us - rose_us < NOISE_US or (
            travel * 100 < self.ball_uturn * NOISE_PERCENT and self._rotor.is_turning(at_us)
        ):
            return None
        centre = (angle + rose_angle) // 2
        compartment, residual = self.compartment_at(centre - self.sensors[sensor])
        return Detection(at_us, sensor, compartment, residual, travel, centre)

    def compartment_at(self, angle_uturn: int) -> tuple[int, int]:
        """Returns the compartment at minus this rotor-frame angle, and the signed residual.

        Layout order runs clockwise: compartment k is centred at phi - k/n (contracts/trace.md).
        """
        n = self.compartments
        parts = (angle_uturn % TURN) * n  # in n-ths of a micro-turn
        k = (parts + TURN // 2) // TURN
        return k % n, (parts - k * TURN) // n

    def dark(self) -> bool:
        """Returns whether a sensor has something in front of it."""
        return any(rise is not None for rise in self._rises)

    def blocked(self, at_us: int) -> int | None:
        """Returns the sensor that stays dark while the rotor turns on and on, or None."""
        for sensor, rise in enumerate(self._rises):
            if rise is not None and abs(self._rotor.angle_uturn(at_us) - rise[1]) > BLOCKED_UTURN:
                return sensor
        return None

    def is_ball_wide(self, detection: Detection) -> bool:
        """Returns whether the detection is as wide as a ball that lies still in its compartment."""
        return self.ball_uturn * 6 < detection.travel_uturn * 10 < self.ball_uturn * 15

    def are_ball_wide(self, detections: Sequence[Detection], percent: int) -> bool:
        """Returns whether these, all of one thing that lies still, are as wide as the ball.

        `percent`: of its width, by which they may differ. The middle one of the sensors has the
        say: dirt on one of them is no chip.
        """
        said = []
        for sensor in range(len(self.sensors)):
            widths = [
                detection.travel_uturn for detection in detections if detection.sensor == sensor
            ]
            if widths:
                said.append(sum(widths) // len(widths))
        said.sort()
        middle = said[(len(said) - 1) // 2] + said[len(said) // 2]
        return abs(middle - 2 * self.ball_uturn) * 50 <= percent * self.ball_uturn
