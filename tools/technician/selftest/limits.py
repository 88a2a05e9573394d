"""The limits of the self-test, each with its reason and where that comes from."""

from __future__ import annotations

from drivers.rotor_motor import LIMITS as MOTOR_LIMITS
from tools.technician.selftest.part import Limit

_RING_READS = "firmware/core/sense/ring.py: so wide is a ball that lies still"

# fmt: off
LOST = Limit(0, 0, "edges", "an edge that is lost makes every count a guess")
FAULTS = Limit(0, 0, "faults", "none may come of a test (docs/faults.md)")

# --- beams and ring sensors --------------------------------------------------------------------
LIT = Limit(0, 0.1, "% dark", "nothing is before it: dark means dirt, or sensor and light apart", 1)
DARK = Limit(1, 4, "pulses", "a finger is one pulse; a sensor that bounces makes many")
DARK_MS = Limit(5, 5000, "ms", "a finger takes longer than the noise that the core leaves out"
                " (PULSE_MIN_US, firmware/core/sense/beams.py)")
CROSSTALK = Limit(0, 0, "pulses", "one finger is before one sensor")
SEEN = Limit(1, 1, "a turn", "a ball that lies in a compartment passes each sensor once a turn", 2)
WIDTH = Limit(60, 150, "% of the ball", _RING_READS)
SCATTER = Limit(0, 0.25, "deg", "standard deviation; 35 % of the pitch decides (DESIGN section 3),"
                " so this is never the reason for a doubt", 2)
PLACE = Limit(-1.5, 1.5, "deg", "from the drawing, against the mean of the sensors: 35 % of a pitch"
              " is 3.4 deg at 37 compartments, less the ball's play of 1.9 deg", 2)

# --- encoder -----------------------------------------------------------------------------------
WAY = Limit(1, 1, "as told", "channels or motor leads are swapped else")
MARKS = Limit(1, 1, "a turn", "the zero mark is there once", 2)
PHASE = Limit(60, 120, "deg", "90 deg apart; beyond 45 deg two edges may change places", 0)
SLIPS = Limit(0, 0, "edges", "an edge that cannot be is a missing one")

# --- motor -------------------------------------------------------------------------------------
SPEED = Limit(97, 103, "% of told", "the control holds it within a few per cent"
              " (drivers/rotor_motor.py)", 1)
RIPPLE = Limit(0, 4, "%", "between two edges the core takes the speed as even; 4 % are 0.1 deg", 1)
FIRST = Limit(0, 2.5, "%", "once a turn: a disc out of centre, a rotor out of balance", 1)
EVEN = Limit(0, 3, "%", "both ways alike: else something rubs one way", 1)
RUN_OUT = Limit(1, 60, "s", "sooner it rubs, later it does not come to rest between two coups", 1)

# --- slow parts --------------------------------------------------------------------------------
TILT = Limit(0, 100, "mdeg", "[level] warn_deg; the call is learned on a level wheel")
TRUSTED = Limit(1, 1, "trusted", "the chip says itself whether it has stopped since it was set")
HEARD = Limit(0, 3000, "ms ago", "longer is silent (firmware/bus/displays.py)")
LIGHTS = Limit(1, 1, "as told", "it lights what it was told, or a dash (DESIGN section 4)")
ANSWERS = Limit(1, 1, "answers", "it is fitted, so it has to answer")
# fmt: on


def edges_a_turn(cycles: int) -> Limit:
    """Of one channel of the encoder."""
    return Limit(2 * cycles, 2 * cycles, "a turn", "two edges a cycle (boards/)", 2)


def run_up(rpm: float) -> Limit:
    """How long it takes to a speed."""
    ramp_s = rpm / 60 * 1_000_000 / MOTOR_LIMITS.ramp_uturn_s2
    return Limit(
        0, ramp_s + 2, "s", "the ramp of drivers/rotor_motor.py, and the rotor's own 1.5 s", 1
    )
