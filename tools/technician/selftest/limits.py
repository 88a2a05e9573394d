"""The limits of the self-test, each with its reason and where that comes from."""

from __future__ import annotations

from drivers.rotor_motor import LIMITS as MOTOR_LIMITS
from tools.technician.selftest.part import Limit

_RING_READS = "firmware/core/sense/ring.py: so wide is a ball that lies still"

# fmt: off
LOST = Limit(0, 0, "edges", "an edge that is lost makes every count a guess",
             remedy="Let nothing else run on this machine, then test again.")
FAULTS = Limit(0, 0, "faults", "none may come of a test (docs/faults.md)",
               remedy="See what docs/faults.md says of each code, mend that, then test again.")

# --- beams and ring sensors --------------------------------------------------------------------
LIT = Limit(0, 0.1, "% dark", "nothing is before it: dark means dirt, or sensor and light apart", 1,
            "Take away what is before it, clean sensor and light, and see that they face"
            " each other.")
DARK = Limit(1, 4, "pulses", "a finger is one pulse; a sensor that bounces makes many",
             remedy="Pass one finger through it, slowly and once. If it fails again, look at its"
             " cable and plug, and clean it.")
DARK_MS = Limit(5, 5000, "ms", "a finger takes longer than the noise that the core leaves out"
                " (PULSE_MIN_US, firmware/core/sense/beams.py)",
                remedy="Pass the finger through it slowly, and take it away again.")
CROSSTALK = Limit(0, 0, "pulses", "one finger is before one sensor",
                  remedy="Keep the other hand clear of the sensors. If it fails again, look for"
                  " stray light, and for cables that touch.")
SEEN = Limit(1, 1, "a turn", "a ball that lies in a compartment passes each sensor once a turn", 2,
             "See that one ball lies still in a compartment. If it fails again, clean the ring"
             " sensor, and look at its cable.")
WIDTH = Limit(60, 150, "% of the ball", _RING_READS,
              remedy="Clean the ring sensor, and set it to its distance from the ring.")
SCATTER = Limit(0, 0.25, "deg", "standard deviation; 35 % of the pitch decides (DESIGN section 3),"
                " so this is never the reason for a doubt", 2,
                "See that the ball lies still, and that the ring sensor is screwed tight.")
PLACE = Limit(-1.5, 1.5, "deg", "from the drawing, against the mean of the sensors: 35 % of a pitch"
              " is 3.4 deg at 37 compartments, less the ball's play of 1.9 deg", 2,
              "Set the ring sensor where the drawing has it, or calibrate the wheel (cylindre"
              " calibrate).")

# --- encoder -----------------------------------------------------------------------------------
_ENCODER = "Clean the encoder's disc and reading head, and look at its cable and plug."
WAY = Limit(1, 1, "as told", "channels or motor leads are swapped else",
            remedy="See that the rotor turns. If it turns the other way, change over the encoder's"
            " channels A and B, or the two leads of the motor.")
MARKS = Limit(1, 1, "a turn", "the zero mark is there once", 2,
              "Clean the zero mark, and look at the cable of channel Z.")
PHASE = Limit(60, 120, "deg", "90 deg apart; beyond 45 deg two edges may change places", 0,
              "Set the encoder's reading head anew: its distance, and square to the disc.")
SLIPS = Limit(0, 0, "edges", "an edge that cannot be is a missing one", remedy=_ENCODER)

# --- motor -------------------------------------------------------------------------------------
SPEED = Limit(97, 103, "% of told", "the control holds it within a few per cent"
              " (drivers/rotor_motor.py)", 1,
              "See that nothing brakes the rotor, and look at the motor's supply.")
RIPPLE = Limit(0, 4, "%", "between two edges the core takes the speed as even; 4 % are 0.1 deg", 1,
               "Look at coupling or belt, and whether the rotor rubs.")
FIRST = Limit(0, 2.5, "%", "once a turn: a disc out of centre, a rotor out of balance", 1,
              "Centre the encoder's disc, and balance the rotor.")
EVEN = Limit(0, 3, "%", "both ways alike: else something rubs one way", 1,
             "Look at bearing and coupling: something rubs one way.")
RUN_OUT = Limit(1, 60, "s", "sooner it rubs, later it does not come to rest between two coups", 1,
                "Look at the bearing of the rotor: it rubs, or it runs too freely.")

# --- slow parts --------------------------------------------------------------------------------
TILT = Limit(0, 100, "mdeg", "[level] warn_deg; the call is learned on a level wheel",
             remedy="Level the wheel. If it stands level, calibrate it (cylindre calibrate), and"
             " look at the sensor's cable.")
TRUSTED = Limit(1, 1, "trusted", "the chip says itself whether it has stopped since it was set",
                remedy="Change the clock's battery, then set the clock.")
HEARD = Limit(0, 3000, "ms ago", "longer is silent (firmware/bus/displays.py)",
              remedy="Look at the display's supply, its cable and its address.")
LIGHTS = Limit(1, 1, "as told", "it lights what it was told, or a dash (DESIGN section 4)",
               remedy="Look at the display: change it if a segment stays dark.")
ANSWERS = Limit(1, 1, "answers", "it is fitted, so it has to answer",
                remedy="Look at its supply, its cable and its plug.")
# fmt: on


def edges_a_turn(cycles: int) -> Limit:
    """Of one channel of the encoder."""
    why = "two edges a cycle (boards/)"
    return Limit(2 * cycles, 2 * cycles, "a turn", why, 2, _ENCODER)


def run_up(rpm: float) -> Limit:
    """How long it takes to a speed."""
    ramp_s = rpm / 60 * 1_000_000 / MOTOR_LIMITS.ramp_uturn_s2
    why = "the ramp of drivers/rotor_motor.py, and the rotor's own 1.5 s"
    return Limit(0, ramp_s + 2, "s", why, 1, SPEED.remedy)
