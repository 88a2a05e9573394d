"""The virtual roulette wheel."""

from random import Random
from typing import Any

from tools.sim.ball import Ball
from tools.sim.causes import check, in_coup, on_duty
from tools.sim.croupier import (
    AWAIT_REST,
    AWAIT_STILL,
    BRAKE,
    CONFIRM,
    LIFT,
    PRESS,
    PUSH,
    START_BY_HAND,
    WATCH,
    Croupier,
)
from tools.sim.custom import FREE, Custom
from tools.sim.parameters import PRESETS, Parameters
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth
from tools.sim.turning_table import TurningTable
from tools.sim.wheel_ball import WheelBall

_SLOWS = 0.995  # from look to look; its ripple is less, and a rotor that runs out loses more


class WheelCroupier(Croupier):
    """Throws the ball against a rotor that turns as it should."""

    def __init__(
        self,
        *,
        parameters: Parameters,
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
        self._lasting = parameters
        self._parameters = parameters  # in this coup
        self._moving_since: float | None = None
        self._moving = 0  # the direction seen since then
        self._throw_after = 0.0
        self._speed = 0.0  # of the rotor, when he last looked
        if hand:
            self._doing = START_BY_HAND

    def act(self, t: float, rotor: Rotor, ball: Ball, crossings: list[Crossing]) -> list[Crossing]:
        """Does what was due at t_next, and decides when to act next."""
        assert isinstance(ball, WheelBall)
        doing = self._doing
        if doing == WATCH:
            return self._watch(t, rotor, ball)
        if doing == PRESS:
            return self._press(t)
        if doing == CONFIRM:
            return self._confirm(t)
        if doing == AWAIT_REST:
            self._await_rest(t, ball)
        elif doing == LIFT:
            self._clear(t, rotor, ball, crossings)
        elif doing == START_BY_HAND:
            return self._start_by_hand(t)
        elif doing == BRAKE:
            self._brake(t, rotor)
        elif doing == AWAIT_STILL:
            self._await_still(t, rotor)
        elif doing == PUSH:
            self._push(t, rotor)
        else:
            self._let_go(t, rotor)
        return []

    def _press(self, t: float) -> list[Crossing]:
        self._begin_coup(t)
        self._then(WATCH, t + self._parameters.look_s)
        return self._button(t)

    def _begin_coup(self, t: float) -> None:
        super()._begin_coup(t)
        truth = self._truths[-1]
        self._turning = self._parameters = in_coup(self._lasting, truth.coup)
        shift = on_duty(self._lasting.shifts, truth.coup)
        truth.croupier = 0 if shift is None else shift.at
        self._moving_since = None

    def use(self, parameters: Parameters) -> None:
        """Other hands, from the next coup on."""
        self._lasting = parameters

    # --- the ball ---------------------------------------------------------------------------
    def _watch(self, t: float, rotor: Rotor, ball: WheelBall) -> list[Crossing]:
        """Waits until the rotor turns as it should, then throws the ball against it."""
        p = self._parameters
        self.t_next = t + p.look_s
        speed = rotor.speed_at(t)
        slows = abs(speed) < abs(self._speed) * _SLOWS
        self._speed = speed
        direction = 0 if abs(speed) < p.moving_turn_s else 1 if speed > 0 else -1
        if direction != self._moving or self._moving_since is None:
            self._moving, self._moving_since = direction, t
            self._throw_after = t + self._uniform(p.launch_s_range)
        pressed = self._pressed or 0.0
        if direction == 0:
            if t - pressed > p.patience_s:  # nothing happens: press, or push, again
                self._pressed = t
                if not self._hand:
                    return self._button(t)
                self._then(PUSH, t)
            return []
        if direction == self._last and t - pressed < p.patience_s:
            return []  # it will surely reverse
        if t - self._moving_since < p.steady_s or t < self._throw_after or self.keeps_ball:
            return []
        if slows and not self._hand:  # it is about to reverse
            return []
        return self._throw(t, direction, ball)

    def _throw(self, t: float, direction: int, ball: WheelBall) -> list[Crossing]:
        # A rotor that did not reverse began nothing: then the throw does.
        self._begun = t if direction == self._last else self._moving_since
        truth = self._truths[-1]
        truth.rotor = self._last = direction
        seen = ball.launch(t, direction if self.throws_along else -direction, truth)
        self._then(AWAIT_REST, ball.t_next)
        return seen

    def _clear(self, t: float, rotor: Rotor, ball: WheelBall, crossings: list[Crossing]) -> None:
        self._lift(t, rotor, ball, crossings)
        if self._hand:
            self._then(BRAKE, t + self._parameters.look_s)
        else:
            self._next(PRESS, t + self._uniform(self._parameters.next_press_s_range))

    # --- the rotor, by hand -------------------------------------------------------------------
    def _start_by_hand(self, t: float) -> list[Crossing]:
        """The hand goes to the rotor; the button just before or after its first movement."""
        press_after = self._uniform(self._parameters.hand_press_s_range)
        push = t if press_after >= 0 else t - press_after
        self._begin_coup(t)
        self._push_direction = self._next_way()
        self._then(PUSH, push)
        return self._button(push + press_after)

    def _await_still(self, t: float, rotor: Rotor) -> None:
        if rotor.speed_at(t) == 0.0 and rotor.at_rest:
            self._next(START_BY_HAND, t + self._uniform(self._parameters.hand_still_s_range))
        else:
            self.t_next = t + self._parameters.look_s


__all__ = ["CoupTruth", "VirtualWheel"]


class VirtualWheel(TurningTable):
    """One roulette wheel at one table.

    `preset` names a wheel of parameters.PRESETS; `parameters` replaces it. With `hand` the croupier
    turns the rotor and the motor is not connected. `custom`: what the house asks of him.
    Raises KeyError for an unknown preset, ValueError for a part that the wheel does not have.
    """

    def __init__(
        self,
        board: dict[str, Any],
        rules: dict[str, Any],
        preset: str = "W1",
        seed: int = 0,
        hand: bool = False,
        *,
        parameters: Parameters | None = None,
        custom: Custom = FREE,
    ) -> None:
        self.parameters = p = parameters or PRESETS[preset]
        numbers = rules["layout"]
        check(p, len(numbers))
        super().__init__(board, p, pockets=len(numbers), seed=seed, hand=hand)
        self.ball = WheelBall(
            parameters=p,
            layout=self.layout,
            numbers=numbers,
            rotor_marks=self.marks,
            seed=seed,
        )
        self.croupier = self._hands = WheelCroupier(
            parameters=p,
            chance=stream(seed, "croupier"),
            start_line=self.layout.line["btn_start"],
            hand=hand,
            truths=self.truths,
            custom=custom,
        )

    def use(self, parameters: Parameters) -> None:
        """Mishaps: another track, ring or throw, from the next coup on."""
        self.parameters = parameters
        self.ball.use(parameters)
        self._hands.use(parameters)
