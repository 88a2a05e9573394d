"""Faults of the rotor: its motor, its bearing, the hand that turns it, pushes it or stops it."""

from __future__ import annotations

from tools.hil.faults.entry import EITHER, NUMBER, TURNING, VOID, Expect, Fault, Parameter
from tools.hil.faults.world_fault import OnTurning
from tools.sim.sensors import Edge

_FULL_PERMILLE = 1000


class Held(OnTurning):
    """Something holds the rotor back, by `hold_turn_s2`; once let go it turns as it is driven."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """It takes hold."""
        hold = float(self.parameters["hold_turn_s2"])
        self.rotor_table.disturb(lambda t, _: self.rotor_table.rotor.grip(t, hold))
        return []

    def end_fault(self, at_us: int) -> list[Edge]:
        """It lets go."""
        self.rotor_table.disturb(lambda t, _: self.rotor_table.rotor.grip(t, 0.0))
        return []


class Runaway(OnTurning):
    """The bridge drives fully one way, whatever it is told."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """The way that the rotor turns already, or either."""
        self._way = self.rotor_table.rotor.heading or self.rng.choice((1, -1))
        return []

    def drive(self, permille: int, now_us: int) -> int:
        """All it has."""
        return self._way * _FULL_PERMILLE


class Reversed(OnTurning):
    """The bridge's direction is wired the wrong way round."""

    def drive(self, permille: int, now_us: int) -> int:
        """The other way."""
        return -permille


class OneWay(OnTurning):
    """The bridge's direction stays as it is."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """As it turns now, or turned last. It is idle until it is told the other way."""
        self.idle = True
        self._way = self.rotor_table.rotor.heading or self.rng.choice((1, -1))
        return []

    def drive(self, permille: int, now_us: int) -> int:
        """As much as it is told, one way."""
        return self._way * abs(permille)


class Dead(OnTurning):
    """The power stage gives nothing."""

    def drive(self, permille: int, now_us: int) -> int:
        """Nothing."""
        return 0


class SameWay(OnTurning):
    """The croupier pushes the rotor the way that he pushed it last."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """From now on."""
        self.rotor_table.croupier.repeats_way = True
        return []

    def end_fault(self, at_us: int) -> list[Edge]:
        """Opposite to the last again."""
        self.rotor_table.croupier.repeats_way = False
        return []


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
          OneWay,  # of two coups on end one goes the other way
          Expect(NUMBER, ("M14", *_REVERSAL), by_coups=2, settles_coups=1, next_outcome=VOID),
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
