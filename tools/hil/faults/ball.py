"""Faults of the ball: how it is thrown, where it goes, who takes it. Two balls: second_ball.py."""

from __future__ import annotations

from typing import Any, cast

from tools.hil.faults.entry import EITHER, NUMBER, VOID, Expect, Fault, Parameter
from tools.hil.faults.second_ball import Forgotten, Lies, Thrown
from tools.hil.faults.world_fault import OnTable, OnTurning, WorldFault
from tools.sim.plate_parameters import PlateParameters
from tools.sim.sensors import Edge
from tools.sim.table import Mishaps


class Kept(WorldFault):
    """No ball is thrown while this lasts; at vingt-trois the plate does not fling it."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """The croupier waits."""
        cast(Mishaps, self.world.table).keep_ball(True)
        return []

    def end_fault(self, at_us: int) -> list[Edge]:
        """He throws it, if the coup waits for it still."""
        cast(Mishaps, self.world.table).keep_ball(False)
        return []


class Short(OnTable):
    """The throw is so weak that it leaves the track after a few turns."""

    def happen(self, table: Mishaps) -> bool:
        """It leaves the rim of a plate after `rim_s`; else it is little faster than it leaves the
        track at, `percent` of that."""
        p = table.parameters
        if isinstance(p, PlateParameters):
            weak = self.parameters["rim_s"]
            self._usual: dict[str, Any] = {"rim_s_range": p.rim_s_range}
        else:
            weak = p.exit_speed_rad_s * self.parameters["percent"] / 100
            self._usual = {"launch_speed_rad_s_range": p.launch_speed_rad_s_range}
        table.use(p.changed(**dict.fromkeys(self._usual, (weak, weak))))
        return True

    def mend(self, table: Mishaps) -> None:
        """As before."""
        table.use(table.parameters.changed(**self._usual))


class Along(OnTable, OnTurning):
    """The ball is thrown the way that the rotor turns."""

    def happen(self, table: Mishaps) -> bool:
        """In this coup."""
        self.rotor_table.croupier.throws_along = True
        return True

    def mend(self, table: Mishaps) -> None:
        """Throws against the rotor again."""
        self.rotor_table.croupier.throws_along = False


class Stuck(OnTable):
    """The ball stays on the track."""

    def happen(self, table: Mishaps) -> bool:
        """Where it is."""
        return table.stick_ball()


class Out(OnTable):
    """The ball leaps out of the wheel."""

    def happen(self, table: Mishaps) -> bool:
        """Before it rests."""
        return table.lose_ball()


class Moved(OnTable):
    """The ball at rest is thrown into another compartment, `places` on."""

    def happen(self, table: Mishaps) -> bool:
        """From rest to rest: the frets are low."""
        table.move_ball(int(self.parameters["places"]))
        return True


class Taken(OnTable):
    """The croupier takes the ball too early."""

    def happen(self, table: Mishaps) -> bool:
        """Wherever it is."""
        table.take_ball()
        return True


class Knocked(OnTable):
    """Something shakes the ball off the track before its time."""

    def happen(self, table: Mishaps) -> bool:
        """It drops."""
        table.knock_ball()
        return True


_TWO = ("two_balls", "foreign_object", "sensors_disagree", "W41", "W42")
_LOST = ("ball_lost", "timeout", "rotor_not_reversed", "too_few_turns", "sensors_disagree")
_WEAKLY = Parameter("percent", "number", (102, 125), 110)
# A plate's ball that lies sooner after the push is taken for one that lay there before.
_ROUND = Parameter("rim_s", "number", (1.1, 2.5), 1.5)

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("ball_not_thrown", "ball", "No ball is thrown in all the time that bets are open.",
          # 300 s, and for as long as a wheel that leans beside it may keep them from being opened.
          Kept, Expect(VOID, _LOST, by_s=330.0, settles_coups=1),
          moments=("start",), after_s=(0.0, 0.5), lasts_s=(480.0, 500.0),
          requires=("LU-37-1.rest", "UK-4.1.detected")),
    Fault("ball_thrown_late", "ball", "The croupier waits long before he throws the ball.",
          Kept, Expect(NUMBER), apparatus=("roulette",), by_hand=False,
          moments=("start",), after_s=(0.0, 0.5), lasts_s=(10.0, 120.0),
          requires=("LU-37-1.open",)),
    Fault("ball_thrown_late_dish", "ball", "The croupier waits long before he throws the ball.",
          Kept, Expect(NUMBER), apparatus=("boule",),
          moments=("start",), after_s=(0.0, 0.5), lasts_s=(10.0, 120.0),
          requires=("LU-37-1.open",)),
    Fault("ball_thrown_late_by_hand", "ball", "The rotor has nearly run out when the ball comes.",
          # Too slow to pass every sensor twice before the croupier takes the ball, or to pass one
          # before which the ball stands.
          Kept, Expect(reasons=("timeout", "ball_lost", "foreign_object")),
          apparatus=("roulette",), by_hand=True,
          moments=("start",), after_s=(0.0, 0.5), lasts_s=(10.0, 120.0),
          requires=("LU-37-1.open",)),
    Fault("ball_too_few_turns", "ball", "The ball is thrown so weakly that it drops at once.",
          # A call that could not be made before it dropped comes first, two sensors that differ, or
          # a ball that is taken before a slow rotor passed them.
          Short,
          Expect(VOID, ("too_few_turns", "timeout", "sensors_disagree", "ball_lost"), by_coups=0,
                 settles_coups=1),
          parameters=(_WEAKLY,), apparatus=("roulette", "boule"),
          moments=("start",), after_s=(0.0, 1.0),
          requires=("SD-34.four_turns", "SD-34.no_spin_turns")),
    Fault("ball_few_turns_plate", "ball", "The ball hardly goes round, as it may.",
          Short, Expect(NUMBER), parameters=(_ROUND,), apparatus=("vingt_trois",),
          moments=("start",), after_s=(0.0, 1.0), requires=("LU-37-1.rest",)),
    Fault("ball_along_rotor", "ball", "The ball is thrown the way that the rotor turns.",
          Along, Expect(VOID, ("same_direction",), by_coups=0, settles_coups=1),
          apparatus=("roulette",), moments=("start",), after_s=(0.0, 1.0),
          requires=("LU-37-1.against", "FR-46.against", "SD-34.opposite",
                    "SD-34.no_spin_direction", "UK-4.1.detected")),
    Fault("ball_stuck_in_track", "ball", "The ball stays on the track and never drops.",
          Stuck, Expect(VOID, _LOST, by_coups=1, settles_coups=1),
          moments=("launch",), after_s=(0.5, 4.0), requires=("LU-37-1.rest", "UK-4.1.detected")),
    Fault("ball_out_of_wheel", "ball", "The ball drops, and leaps out of the wheel.",
          Out, Expect(EITHER, _LOST, by_coups=1, settles_coups=1),
          moments=("drop",), after_s=(0.1, 2.5), requires=("SD-34.no_spin_out", "UK-4.1.detected")),
    Fault("ball_moved", "ball", "The ball rests, and is thrown into another compartment.",
          Moved, Expect(EITHER, settles_coups=1),
          parameters=(Parameter("places", "number", (-8, 8), 1),),
          moments=("rest",), after_s=(0.0, 8.0), requires=("LU-37-1.rest", "LIVE-1.1.rest")),
    Fault("ball_taken_early", "ball", "The ball is taken before its number is known.",
          Taken, Expect(EITHER, settles_coups=1),
          moments=("launch", "drop", "rest"), after_s=(0.0, 4.0), requires=("LU-37-1.rest",)),
    Fault("ball_knocked_off", "ball", "The ball leaves the track long before its time.",
          Knocked, Expect(EITHER, settles_coups=1),
          moments=("launch",), after_s=(1.5, 12.0), requires=("LU-37-1.call", "SD-34.call")),
    Fault("second_ball_thrown", "ball", "A second ball is thrown while the first one runs.",
          Thrown, Expect(VOID, _TWO, by_coups=1, settles_coups=1),
          apparatus=("roulette", "boule"), moments=("launch",), after_s=(0.2, 6.0),
          requires=("SD-34.no_spin_object", "UK-4.1.detected")),
    Fault("second_ball_laid", "ball", "Two balls lie on the plate.",
          Thrown, Expect(VOID, _TWO, by_coups=1, settles_coups=1),
          apparatus=("vingt_trois",), moments=("start",), after_s=(0.0, 0.5),
          requires=("SD-34.no_spin_object", "UK-4.1.detected")),
    Fault("second_ball_lies", "ball", "A second ball lies in the wheel when the coup begins.",
          Lies, Expect(VOID, _TWO, by_coups=1, settles_coups=1),
          moments=("start",), after_s=(0.0, 1.0),
          requires=("SD-34.no_spin_object", "UK-4.1.detected")),
    Fault("ball_forgotten", "ball", "The ball is left in the wheel, and another is thrown.",
          Forgotten, Expect(NUMBER, _TWO, by_coups=1, settles_coups=1),
          moments=("rest",), after_s=(0.5, 7.0),
          requires=("SD-34.no_spin_object", "UK-4.1.detected")),
)
# fmt: on
