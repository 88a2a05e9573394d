"""The croupier's hands: button, brake, lift. What every turning apparatus has of him."""

from math import inf
from random import Random

from tools.sim.ball import AT_REST, LOST, Ball
from tools.sim.custom import Custom
from tools.sim.parameters import RotorPhysics
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing
from tools.sim.truth import CoupTruth, open_coup

(
    PRESS, BRAKE, AWAIT_STILL, START_BY_HAND, PUSH, LET_GO, WATCH, AWAIT_REST, CONFIRM, LIFT,
) = range(10)  # fmt: skip


class Croupier:
    """One croupier. `t_next` is when he does something next; the table then calls `act`."""

    def __init__(
        self,
        *,
        parameters: RotorPhysics,
        chance: Random,
        start_line: int,
        hand: bool,
        truths: list[CoupTruth],
        custom: Custom,
    ) -> None:
        self._turning = parameters
        self._chance = chance
        self._start_line = start_line
        self._hand = hand
        self._truths = truths
        self._custom = custom
        self._last = chance.choice((1, -1)) if hand else 0  # how the rotor turned last
        self._push_direction = 0
        self._pressed: float | None = None
        self._begun: float | None = None  # the last coup that he saw begin
        self.finished = 0
        # What he does wrong, if he does: keeps the ball, throws it with the rotor, pushes that the
        # same way again.
        self.keeps_ball = self.throws_along = self.repeats_way = False
        self._doing = PRESS
        self.t_next = parameters.first_press_s

    def act(self, t: float, rotor: Rotor, ball: Ball, crossings: list[Crossing]) -> list[Crossing]:
        """Does what was due at t_next, and decides when to act next.

        Answers what the sensors will see of it later: the beams of a ball just thrown, the button
        let go.
        """
        raise NotImplementedError

    def hurry(self, t: float) -> None:
        """He takes the ball at t, wherever it is."""
        self._then(LIFT, t)

    def wait(self) -> None:
        """He takes his hands off, until `go_on`."""
        self.t_next = inf

    def go_on(self, t: float) -> None:
        """The wheel is his again from t on, the ball in his hand: he begins a coup."""
        if self._hand:
            self._then(BRAKE, t + self._turning.look_s)
        else:
            self._last = 0  # whichever way it turned meanwhile, it will reverse
            self._then(PRESS, t + self._turning.first_press_s)

    def _then(self, doing: int, t: float) -> None:
        self._doing, self.t_next = doing, t

    def _uniform(self, span: tuple[float, float]) -> float:
        return self._chance.uniform(*span)

    def _begin_coup(self, t: float) -> None:
        open_coup(self._truths, t)
        self._pressed = t

    def _button(self, t: float) -> list[Crossing]:
        released = t + self._turning.press_us * 1e-6
        return [(t, self._start_line, 1), (released, self._start_line, 0)]

    def _await_rest(self, t: float, ball: Ball) -> None:
        if ball.phase == AT_REST:
            doing = CONFIRM if self._custom.confirms else LIFT
            self._then(doing, ball.rested + self._uniform(self._turning.lift_s_range))
        elif ball.phase == LOST:
            self._then(LIFT, t + self._uniform(self._turning.lift_s_range))
        else:
            self.t_next = t + 0.5

    def _confirm(self, t: float) -> list[Crossing]:
        """When he would lift the ball, for by then every apparatus has verified its number."""
        self._pressed = t
        self._then(LIFT, t + self._turning.confirm_to_lift_s)
        return self._button(t)

    def _next(self, doing: int, t: float) -> None:
        """What begins the next coup is due at t, or when the pace allows."""
        self._then(doing, self._custom.not_before(t, self._begun))

    def _lift(self, t: float, rotor: Rotor, ball: Ball, crossings: list[Crossing]) -> None:
        ball.lift(t, rotor, crossings)
        self.finished += 1

    # --- the rotor, by hand -------------------------------------------------------------------
    def _next_way(self) -> int:
        """Opposite to the last one."""
        return self._last if self.repeats_way else -self._last

    def _brake(self, t: float, rotor: Rotor) -> None:
        rotor.steer(t, 0.0, 0.0, self._turning.hand_brake_turn_s2)
        self._then(AWAIT_STILL, t + self._turning.look_s)

    def _push(self, t: float, rotor: Rotor) -> None:
        p = self._turning
        lasts = self._uniform(p.hand_push_s_range)
        speed = self._uniform(p.hand_speed_turn_s_range)
        rotor.steer(t, self._push_direction * speed / lasts, 0.0, 0.0)
        self._then(LET_GO, t + lasts)

    def _let_go(self, t: float, rotor: Rotor) -> None:
        rotor.steer(t, 0.0, 0.0, self._turning.free_friction_turn_s2)
        self._then(WATCH, t + self._turning.look_s)
