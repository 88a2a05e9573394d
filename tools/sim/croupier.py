"""The croupier: presses the button, throws the ball, lifts it, and turns the rotor by hand.

With a driven rotor he leaves it alone; by hand he brakes it and spins it the other way each coup.
"""

from math import inf
from random import Random

from tools.sim.ball import AT_REST, Ball
from tools.sim.parameters import Parameters
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing
from tools.sim.truth import CoupTruth

PRESS, BRAKE, AWAIT_STILL, START_BY_HAND, PUSH, LET_GO, WATCH, AWAIT_REST, LIFT = range(9)


class Croupier:
    """One croupier. `t_next` is when he does something next; the wheel then calls `act`.

    `act` answers what the sensors will see of it later: the beams of a ball just thrown, the
    button let go.
    """

    def __init__(
        self,
        *,
        parameters: Parameters,
        chance: Random,
        start_line: int,
        hand: bool,
        truths: list[CoupTruth],
    ) -> None:
        self._parameters = parameters
        self._chance = chance
        self._start_line = start_line
        self._hand = hand
        self._truths = truths
        self._last = chance.choice((1, -1)) if hand else 0  # how the rotor turned last
        self._push_direction = 0
        self._pressed: float | None = None
        self._moving_since: float | None = None
        self._moving = 0  # the direction seen since then
        self._throw_after = 0.0
        self.finished = 0
        self._doing = START_BY_HAND if hand else PRESS
        self.t_next = parameters.first_press_s

    def act(self, t: float, rotor: Rotor, ball: Ball, crossings: list[Crossing]) -> list[Crossing]:
        """Does what was due at t_next, and decides when to act next."""
        doing = self._doing
        if doing == WATCH:
            return self._watch(t, rotor, ball)
        if doing == PRESS:
            return self._press(t, crossings)
        if doing == AWAIT_REST:
            self._await_rest(t, ball)
        elif doing == LIFT:
            self._lift(t, rotor, ball, crossings)
        elif doing == START_BY_HAND:
            return self._start_by_hand(t)
        else:
            self._handle_rotor(t, rotor)
        return []

    def _then(self, doing: int, t: float) -> None:
        self._doing, self.t_next = doing, t

    def _uniform(self, span: tuple[float, float]) -> float:
        return self._chance.uniform(*span)

    # --- a coup begins ----------------------------------------------------------------------
    def _press(self, t: float, crossings: list[Crossing]) -> list[Crossing]:
        self._begin_coup(t)
        self._then(WATCH, t + self._parameters.look_s)
        return self._button(t)

    def _begin_coup(self, t: float) -> None:
        self._truths.append(CoupTruth(coup=len(self._truths) + 1, t_start_us=round(t * 1e6)))
        self._moving_since, self._pressed = None, t

    def _button(self, t: float) -> list[Crossing]:
        released = t + self._parameters.press_us * 1e-6
        return [(t, self._start_line, 1), (released, self._start_line, 0)]

    # --- the ball ---------------------------------------------------------------------------
    def _watch(self, t: float, rotor: Rotor, ball: Ball) -> list[Crossing]:
        """Waits until the rotor turns as it should, then throws the ball against it."""
        p = self._parameters
        self.t_next = t + p.look_s
        speed = rotor.speed_at(t)
        direction = 0 if abs(speed) < p.moving_turn_s else 1 if speed > 0 else -1
        if direction != self._moving or self._moving_since is None:
            self._moving, self._moving_since = direction, t
            self._throw_after = t + self._uniform(p.launch_s_range)
        pressed = self._pressed or 0.0
        if direction == 0:
            if not self._hand and t - pressed > p.patience_s:  # nothing happens: press again
                self._pressed = t
                return self._button(t)
            return []
        if direction == self._last and t - pressed < p.patience_s:
            return []  # it will surely reverse
        if t - self._moving_since < p.steady_s or t < self._throw_after:
            return []
        return self._throw(t, direction, ball)

    def _throw(self, t: float, direction: int, ball: Ball) -> list[Crossing]:
        truth = self._truths[-1]
        truth.rotor = self._last = direction
        seen = ball.launch(t, -direction, truth)
        self._then(AWAIT_REST, ball.t_next)
        return seen

    def _await_rest(self, t: float, ball: Ball) -> None:
        if ball.phase == AT_REST:
            self._then(LIFT, ball.rested + self._uniform(self._parameters.lift_s_range))
        else:
            self.t_next = t + 0.5

    def _lift(self, t: float, rotor: Rotor, ball: Ball, crossings: list[Crossing]) -> None:
        ball.lift(t, rotor, crossings)
        self.finished += 1
        if self._hand:
            self._then(BRAKE, t + self._parameters.look_s)
        else:
            self._then(PRESS, t + self._uniform(self._parameters.next_press_s_range))

    # --- the rotor, by hand -------------------------------------------------------------------
    def _start_by_hand(self, t: float) -> list[Crossing]:
        """The hand goes to the rotor; the button just before or after its first movement."""
        press_after = self._uniform(self._parameters.hand_press_s_range)
        push = t if press_after >= 0 else t - press_after
        self._begin_coup(t)
        self._push_direction = -self._last
        self._then(PUSH, push)
        return self._button(push + press_after)

    def _handle_rotor(self, t: float, rotor: Rotor) -> None:
        p = self._parameters
        if self._doing == BRAKE:
            rotor.steer(t, 0.0, 0.0, p.hand_brake_turn_s2)
            self._then(AWAIT_STILL, t + p.look_s)
        elif self._doing == AWAIT_STILL:
            if rotor.speed_at(t) == 0.0 and rotor.t_end == inf:
                self._then(START_BY_HAND, t + self._uniform(p.hand_still_s_range))
            else:
                self.t_next = t + p.look_s
        elif self._doing == PUSH:
            lasts = self._uniform(p.hand_push_s_range)
            speed = self._uniform(p.hand_speed_turn_s_range)
            rotor.steer(t, self._push_direction * speed / lasts, 0.0, 0.0)
            self._then(LET_GO, t + lasts)
        else:
            rotor.steer(t, 0.0, 0.0, p.free_friction_turn_s2)
            self._then(WATCH, t + p.look_s)
