"""The virtual vingt-trois: a plate of 27 cases that flings the ball."""

from random import Random
from typing import Any

from tools.sim.ball import ON_PLATE, Ball
from tools.sim.croupier import (
    AWAIT_REST,
    AWAIT_STILL,
    BRAKE,
    CONFIRM,
    LIFT,
    PRESS,
    PUSH,
    WATCH,
    Croupier,
)
from tools.sim.custom import FREE, Custom
from tools.sim.plate_ball import PlateBall
from tools.sim.plate_parameters import PRESETS, PlateParameters
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth
from tools.sim.turning_table import TurningTable


class PlateCroupier(Croupier):
    """Presses, pushes where there is no motor, lifts the ball, brakes."""

    def __init__(
        self,
        *,
        parameters: PlateParameters,
        chance: Random,
        start_line: int,
        hand: bool,
        truths: list[CoupTruth],
        custom: Custom,
    ) -> None:
        super().__init__(
            parameters=parameters,
            chance=chance,
            start_line=start_line,
            hand=hand,
            truths=truths,
            custom=custom,
        )
        self._parameters = parameters

    def act(self, t: float, rotor: Rotor, ball: Ball, crossings: list[Crossing]) -> list[Crossing]:
        """Does what was due at t_next, and decides when to act next."""
        assert isinstance(ball, PlateBall)
        doing = self._doing
        if doing == PRESS:
            return self._press(t, ball)
        if doing == WATCH:
            return self._watch(t, ball)
        if doing == CONFIRM:
            return self._confirm(t)
        if doing == AWAIT_REST:
            self._await_end(t, ball)
        elif doing == LIFT:
            self._lift(t, rotor, ball, crossings)
            self._then(BRAKE, t + self._parameters.look_s)
        elif doing == BRAKE:
            return self._brake_if_free(t, rotor)
        elif doing == AWAIT_STILL:
            self._await_still(t, rotor, ball)
        elif doing == PUSH:
            self._push(t, rotor)
        else:
            self._let_go(t, rotor)
        return []

    def go_on(self, t: float) -> None:
        """The plate has to stand before he lays the ball on it."""
        self._then(BRAKE, t + self._parameters.look_s)

    def _press(self, t: float, ball: PlateBall) -> list[Crossing]:
        """The call; where the plate is already in motion there is nothing to call any more."""
        p = self._parameters
        if ball.moved is not None:
            self._then(AWAIT_REST, t + p.look_s)
            return []
        self._begin_coup(t)
        if self._hand:
            self._last = self._push_direction = self._next_way()
            self._then(PUSH, t + self._uniform(p.call_s_range))
        else:
            self._then(WATCH, t + p.look_s)
        return self._button(t)

    def _watch(self, t: float, ball: PlateBall) -> list[Crossing]:
        """Waits for the plate to move; presses, or pushes, again where nothing happens."""
        p = self._parameters
        self.t_next = t + p.look_s
        if ball.moved is not None:
            self._then(AWAIT_REST, t + p.look_s)
        elif t - (self._pressed or 0.0) > p.patience_s:
            self._pressed = t
            if not self._hand:
                return self._button(t)
            self._then(PUSH, t)
        return []

    def _await_end(self, t: float, ball: PlateBall) -> None:
        self._begun = ball.moved  # if he pressed, the coup began before: never after
        if ball.phase == ON_PLATE and ball.moved is not None and self._waited_long(t, ball.moved):
            self._then(LIFT, t + self._uniform(self._parameters.lift_s_range))
        else:
            self._await_rest(t, ball)

    def _waited_long(self, t: float, since: float) -> bool:
        return t - since > self._parameters.patience_s

    # --- the plate comes to rest --------------------------------------------------------------
    def _brake_if_free(self, t: float, rotor: Rotor) -> list[Crossing]:
        """No hand goes to a plate that the motor drives. One that it drives for long waits for a
        number to be confirmed: he presses again. Where he pushes it himself he lets go of it."""
        p = self._parameters
        if self._hand or not rotor.driven:
            self._brake(t, rotor)
            return []
        self.t_next = t + p.look_s
        if self._custom.confirms and t - (self._pressed or 0.0) > p.patience_s:
            self._pressed = t
            return self._button(t)
        return []

    def _await_still(self, t: float, rotor: Rotor, ball: PlateBall) -> None:
        p = self._parameters
        if rotor.driven:
            self._then(BRAKE, t + p.look_s)
        elif rotor.at_rest:
            ball.lay()
            self._next(PRESS, t + self._uniform(p.next_press_s_range))
        else:
            self.t_next = t + p.look_s


class VirtualPlate(TurningTable):
    """One vingt-trois plate at one table.

    `preset` names a plate of plate_parameters.PRESETS; `parameters` replaces it. With `hand` the
    croupier turns the plate and the motor is not connected. `custom`: what the house asks of him.
    Raises KeyError for an unknown preset.
    """

    def __init__(
        self,
        board: dict[str, Any],
        rules: dict[str, Any],
        preset: str = "V1",
        seed: int = 0,
        hand: bool = False,
        *,
        parameters: PlateParameters | None = None,
        custom: Custom = FREE,
    ) -> None:
        self.parameters = p = parameters or PRESETS[preset]
        numbers = rules["layout"]
        super().__init__(board, p, pockets=len(numbers), seed=seed, hand=hand)
        self.ball = PlateBall(
            parameters=p,
            layout=self.layout,
            numbers=numbers,
            rotor_marks=self.marks,
            seed=seed,
            truths=self.truths,
        )
        self.croupier = PlateCroupier(
            parameters=p,
            chance=stream(seed, "croupier"),
            start_line=self.layout.line["btn_start"],
            hand=hand,
            truths=self.truths,
            custom=custom,
        )

    def use(self, parameters: PlateParameters) -> None:
        """Mishaps: other parameters of the throw."""
        self.parameters = parameters
        self.ball.use(parameters)
