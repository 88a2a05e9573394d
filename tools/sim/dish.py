"""The virtual boule dish: fixed, a rubber ball, a croupier who throws it and takes it out.

Nothing here is driven and nothing depends on what a controller does, so a ball's whole way is
worked out when it is thrown. Deterministic from its seed, however the time is cut into calls.
"""

from heapq import heapify, heappop, heappush
from math import inf
from typing import Any

from tools.sim.custom import FREE, Custom
from tools.sim.dish_ball import InDish, Settling, Surface
from tools.sim.dish_parameters import PRESETS, DishParameters
from tools.sim.sensors import Crossing, Edge, Rim, Stamper
from tools.sim.streams import stream
from tools.sim.track import Drag, Track, roll
from tools.sim.truth import CoupTruth, open_coup

__all__ = ["PRESETS", "CoupTruth", "VirtualDish"]

PRESS, THROW, LEAVE_TRACK, REST, CONFIRM, LIFT = range(6)
_LOOK_S = 0.5  # how often a croupier who keeps the ball thinks of throwing it


class VirtualDish:
    """One dish at one table.

    `preset` names a dish of PRESETS; `parameters` replaces it. `hand` changes nothing: there is no
    rotor. `custom`: what the house asks of the croupier. Raises KeyError for an unknown preset.
    """

    def __init__(
        self,
        board: dict[str, Any],
        rules: dict[str, Any],
        preset: str = "B1",
        seed: int = 0,
        hand: bool = False,
        *,
        parameters: DishParameters | None = None,
        custom: Custom = FREE,
    ) -> None:
        self.parameters = p = parameters or PRESETS[preset]
        self.layout = Rim(board)
        self.truths: list[CoupTruth] = []
        self.now_us = 0
        self.hand = hand
        self.finished = 0  # coups whose ball has been lifted
        cups = board["geometry"]["cups"]
        self.surface = Surface(
            p,
            cups=cups,
            ring_m=self.layout.ring_radius_m,
            track_m=self.layout.track_radius_m,
            ball_m=self.layout.ball_m,
        )
        self._custom = custom
        self._cup_line = [self.layout.line[f"cup{cup:02d}"] for cup in range(cups)]
        self._numbers = rules["layout"]
        self._drag = Drag(p.deceleration)
        self._croupier = stream(seed, "croupier")
        self._track_chance = stream(seed, "track")
        self._dish_chance = stream(seed, "dish")
        self._stamper = Stamper(
            lines=len(self.layout.names),
            latency_us=p.latency_us,
            jitter_us=p.jitter_us,
            rng=stream(seed, "stamps"),
        )
        self._direction = self._croupier.choice((1, -1))
        self._doing, self._t_next = PRESS, p.first_press_s
        self._thrown: float | None = None  # the last ball
        self._keeps_ball = False
        self._track: Track  # of the ball in play
        self._way: Settling
        self._ahead: list[Crossing] = []  # a heap: what the sensors will see
        self._quiet_until = 0.0

    @property
    def acts_us(self) -> int:
        """Before then nothing happens."""
        return max(self.now_us, int(self._quiet_until * 1e6))

    def initial_levels(self) -> list[int]:
        """The level of every line at time 0, by line: nothing is in the dish."""
        return [0] * len(self.layout.names)

    def advance(self, until_us: int, motor_permille: int = 0) -> list[Edge]:
        """Simulates to `until_us`; no motor is there to be driven.

        Returns the edges (at_us, line, level) stamped after the last call and by `until_us`.
        """
        self.now_us = until_us
        until = until_us * 1e-6
        if until < self._quiet_until:
            return []
        edges: list[Edge] = []
        while self._t_next <= until:
            # Who takes the ball has to know what sees it then.
            edges += self._stamped(self._t_next, int(self._t_next * 1e6))
            self._act(self._t_next)
        edges += self._stamped(until, until_us)
        soonest = self._ahead[0][0] if self._ahead else inf
        self._quiet_until = min(self._t_next, soonest, self._stamper.next_s)
        return edges

    def _stamped(self, until: float, until_us: int) -> list[Edge]:
        """What the sensors have seen by then, as far as it is stamped by then."""
        ahead = self._ahead
        crossings: list[Crossing] = []
        while ahead and ahead[0][0] <= until:
            crossings.append(heappop(ahead))
        return self._stamper.stamp(crossings, until_us)

    # --- what happens -----------------------------------------------------------------------
    def _act(self, t: float) -> None:
        """Does what was due at t, and says what comes next and when."""
        if self._doing == PRESS:
            self._press(t)
        elif self._doing == THROW:
            self._throw(t)
        elif self._doing == LEAVE_TRACK:
            self._leave_track(t)
        elif self._doing == REST:
            self._rest(t)
        elif self._doing == CONFIRM:
            self._confirm(t)
        else:
            self._lift(t)

    def _then(self, doing: int, t: float) -> None:
        self._doing, self._t_next = doing, t

    def _expect(self, t: float, line: int, level: int) -> None:
        heappush(self._ahead, (t, line, level))

    def _press(self, t: float) -> None:
        p = self.parameters
        open_coup(self.truths, t)
        self._button(t)
        self._then(THROW, t + self._croupier.uniform(*p.launch_s_range))

    def _button(self, t: float) -> None:
        button = self.layout.line["btn_start"]
        self._expect(t, button, 1)
        self._expect(t + self.parameters.press_us * 1e-6, button, 0)

    def _throw(self, t: float) -> None:
        if self._keeps_ball:
            self._then(THROW, t + _LOOK_S)
            return
        p, truth = self.parameters, self.truths[-1]
        other_way = p.alternates or self._croupier.random() < 0.5
        self._direction = direction = -self._direction if other_way else self._direction
        track = self._roll(t, direction)
        truth.launched_direction = direction
        truth.t_launch_us = round(t * 1e6)
        self._track = track
        self._thrown = t
        self._then(LEAVE_TRACK, t + track.duration_s)

    def _roll(self, t: float, direction: int) -> Track:
        """A ball thrown at t, and what the beams will see of it."""
        p, layout = self.parameters, self.layout
        start = self._track_chance.uniform(*p.launch_angle_deg_range) / 360
        track = roll(
            p,
            self._drag,
            self._track_chance,
            direction=direction,
            start_turn=start,
            radius_m=layout.track_radius_m,
            beams=layout.beams(start, direction),
        )
        for after, line, level in track.crossings:
            self._expect(t + after, line, level)
        return track

    def _leave_track(self, t: float) -> None:
        truth, track = self.truths[-1], self._track
        truth.t_drop_us = round(t * 1e6)
        truth.laps = track.laps
        truth.drop_deg = track.end_turn * 360
        self._way = way = InDish(
            self.parameters,
            self.surface,
            self._dish_chance,
            turn=track.end_turn,
            speed_m_s=self._direction * track.end_speed_rad_s * self.layout.track_radius_m,
        ).settle()
        for after, cup, level in way.seen:
            self._expect(t + after, self._cup_line[cup], level)
        self._then(REST, t + way.rest_s)

    def _rest(self, t: float) -> None:
        truth, cup = self.truths[-1], self._way.cup
        truth.t_rest_us = round(t * 1e6)
        truth.compartment = cup
        truth.number = None if cup is None else self._numbers[cup]
        confirms = self._custom.confirms and cup is not None
        doing = CONFIRM if confirms else LIFT
        self._then(doing, t + self._croupier.uniform(*self.parameters.lift_s_range))

    def _confirm(self, t: float) -> None:
        self._button(t)
        self._then(LIFT, t + self.parameters.confirm_to_lift_s)

    def _lift(self, t: float) -> None:
        self._vanish(t)
        self.truths[-1].t_lift_us = round(t * 1e6)
        self.finished += 1
        due = t + self._croupier.uniform(*self.parameters.next_press_s_range)
        # Where a press opened nothing, the throw did.
        self._then(PRESS, self._custom.not_before(due, self._thrown))

    # --- by hand, out of play (tools/sim/by_hand.py) --------------------------------------------
    def wait(self) -> None:
        """The croupier takes the ball and then his hands off, until `go_on`."""
        self.pick_up()
        self._t_next = inf

    def go_on(self) -> None:
        """The dish is the croupier's again, the ball in his hand: he begins a coup."""
        self._then(PRESS, self.now_us * 1e-6 + self.parameters.first_press_s)
        self._quiet_until = self.now_us * 1e-6

    def pick_up(self) -> None:
        """Somebody takes the ball, wherever it is."""
        self._vanish(self.now_us * 1e-6)
        if self.truths and self.truths[-1].t_lift_us is None:
            self.truths[-1].t_lift_us = self.now_us

    def put(self, cup: int) -> None:
        """Somebody lays the ball into a cup."""
        self._expect(self.now_us * 1e-6, self._cup_line[cup], 1)
        self._quiet_until = self.now_us * 1e-6

    def throw(self, direction: int) -> None:
        """Somebody throws the ball into the track, and catches it as it leaves that."""
        self._roll(self.now_us * 1e-6, direction)
        self._quiet_until = self.now_us * 1e-6

    def cover(self, line: int, lasts_s: float, after_s: float) -> None:
        """A finger is before a sensor, or on a button, for so long."""
        now = self.now_us * 1e-6
        self._expect(now + after_s, line, 1)
        self._expect(now + after_s + lasts_s, line, 0)
        self._quiet_until = now

    # --- what goes wrong (tools.sim.table.Mishaps) ------------------------------------------------
    def use(self, parameters: DishParameters) -> None:
        """Mishaps: other parameters of the throw."""
        self.parameters = parameters
        self._drag = Drag(parameters.deceleration)

    def keep_ball(self, keeps: bool) -> None:
        """Mishaps: the croupier keeps the ball."""
        self._keeps_ball = keeps

    def stick_ball(self) -> bool:
        """Mishaps: it stays on the track."""
        if self._doing != LEAVE_TRACK:
            return False
        self._unsee(self.now_us * 1e-6)
        self._end_badly(self.now_us * 1e-6)
        return True

    def lose_ball(self) -> bool:
        """Mishaps: it leaps out."""
        if self._doing != REST:
            return False
        self._vanish(self.now_us * 1e-6)
        self._end_badly(self.now_us * 1e-6)
        return True

    def knock_ball(self) -> None:
        """Mishaps: it leaves the track."""
        if self._doing == LEAVE_TRACK:
            self._vanish(self.now_us * 1e-6)
            self._then(LEAVE_TRACK, self.now_us * 1e-6)

    def move_ball(self, places: int) -> None:
        """Mishaps: it lies elsewhere."""
        truth = self.truths[-1]
        if self._doing not in (CONFIRM, LIFT) or truth.compartment is None:
            return
        cup = (truth.compartment + places) % len(self._cup_line)
        self._vanish(self.now_us * 1e-6)
        truth.moved(self.now_us)
        truth.compartment, truth.number = cup, self._numbers[cup]
        self._expect(self.now_us * 1e-6, self._cup_line[cup], 1)

    def take_ball(self) -> None:
        """Mishaps: it is taken."""
        if self._doing in (LEAVE_TRACK, REST, CONFIRM, LIFT):
            self._then(LIFT, self.now_us * 1e-6)
            self._quiet_until = self.now_us * 1e-6

    def _end_badly(self, t: float) -> None:
        """No number comes of it: the croupier sees that in time, and takes what he finds."""
        self._then(LIFT, t + self._croupier.uniform(*self.parameters.lift_s_range))

    def _unsee(self, t: float) -> None:
        """What the ball's sensors were going to see after t does not come."""
        button = self.layout.line["btn_start"]
        self._ahead = [seen for seen in self._ahead if seen[0] <= t or seen[1] == button]
        heapify(self._ahead)
        self._quiet_until = self.now_us * 1e-6

    def _vanish(self, t: float) -> None:
        """The ball is where no sensor sees it any more."""
        self._unsee(t)
        levels = self._stamper.levels
        for line in (*self._cup_line, *(line for _, line in self.layout.rim)):
            if levels[line]:
                self._expect(t, line, 0)
