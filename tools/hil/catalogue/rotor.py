"""What can go wrong with the rotor: its motor, its bearing, the hand that turns or stops it."""

from tools.hil.fault import EITHER, NUMBER, TURNING, VOID, Expect, Fault, Parameter
from tools.hil.faults.rotor import Dead, Held, OneWay, Reversed, Runaway, SameWay

_REVERSAL = ("rotor_not_reversed",)
_STOPPED = ("rotor_not_reversed", "encoder", "timeout", "ball_lost", "sensors_disagree")
_REVERSED = (
    "LU-37-1.reversed", "FR-46.reversed", "FR-47.reversed", "SD-34.no_spin_direction",
    "UK-4.1.detected",
)  # fmt: skip

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("rotor_jams", "rotor", "The driven rotor stops at once and cannot be turned.",
          Held, Expect(EITHER, ("M10", *_STOPPED), by_coups=1, settles_coups=1),
          parameters=(Parameter("hold_turn_s2", "number", (5, 40), 20),),
          apparatus=TURNING, moments=("start", "launch", "drop"), lasts_s=(8.0, 30.0),
          by_hand=False, requires=("ON-21.1.9.disabled", "UK-4.1.detected")),
    Fault("rotor_stiff", "rotor", "The rotor's bearing is dry: it turns with effort.",
          Held, Expect(EITHER, settles_coups=1),
          parameters=(Parameter("hold_turn_s2", "number", (0.001, 0.02), 0.01),),
          apparatus=TURNING, lasts_s=(5.0, 60.0), requires=("LU-37-1.rest",)),
    Fault("rotor_braked", "rotor", "A hand brakes the rotor to rest and lets it go.",
          Held, Expect(EITHER, settles_coups=1),
          parameters=(Parameter("hold_turn_s2", "number", (0.3, 3.0), 1.0),),
          apparatus=TURNING, moments=("start", "launch", "drop", "rest"), lasts_s=(0.5, 5.0),
          requires=("GLI-3.4.4.influence",)),
    Fault("rotor_runs_away", "rotor", "The motor drives fully, whatever it is told.",
          Runaway, Expect(EITHER, ("M11", *_REVERSAL), by_s=30.0, settles_coups=1),
          apparatus=TURNING, moments=("start", "launch", "drop"), lasts_s=(20.0, 40.0),
          by_hand=False,
          requires=("UK-4.1.locked", "ON-21.1.9.disabled", "GLI-3.4.4.influence")),
    Fault("rotor_wrong_way", "rotor", "The motor's direction wire is crossed.",
          Reversed, Expect(EITHER, ("M14", *_REVERSAL), by_coups=0, settles_coups=1),
          apparatus=TURNING, moments=("start",), after_s=(0.0, 0.0), lasts_s=(20.0, 60.0),
          by_hand=False,
          requires=_REVERSED),
    Fault("rotor_one_way", "rotor", "The motor's direction is stuck.",
          OneWay,
          Expect(NUMBER, ("M14", *_REVERSAL), by_coups=1, settles_coups=1, next_outcome=VOID),
          apparatus=TURNING, moments=("launch",), lasts_s=(60.0, 90.0), by_hand=False,
          requires=_REVERSED),
    Fault("motor_dead", "rotor", "The power stage gives the motor nothing.",
          Dead, Expect(EITHER, ("M10", *_STOPPED), by_coups=1, settles_coups=1),
          apparatus=TURNING, moments=("start", "launch"), lasts_s=(25.0, 60.0), by_hand=False,
          requires=("ON-21.1.9.disabled", "UK-4.1.detected")),
    Fault("pushed_same_way", "rotor", "The croupier turns the rotor the same way twice.",
          SameWay, Expect(EITHER, _REVERSAL, by_coups=1, settles_coups=1, next_outcome=VOID),
          apparatus=TURNING, moments=("rest",), lasts_s=(30.0, 60.0), by_hand=True,
          requires=_REVERSED),
)
# fmt: on
