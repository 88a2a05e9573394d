"""A second ball: thrown, lying in the wheel from before, or left there."""

from __future__ import annotations

from typing import Any

from tools.hil.faults.world_fault import Overlay, lifted
from tools.hil.shadow import Shadow
from tools.sim.ball import AT_REST, Ball
from tools.sim.dish import VirtualDish
from tools.sim.dish_ball import InDish
from tools.sim.plate import VirtualPlate
from tools.sim.plate_ball import PlateBall
from tools.sim.sensors import Crossing, Edge, Layout
from tools.sim.track import Drag, roll
from tools.sim.truth import CoupTruth
from tools.sim.turning_table import TurningTable
from tools.sim.wheel import VirtualWheel
from tools.sim.wheel_ball import WheelBall


class Rider:
    """Something that lies on the rotor, as the ring sensors see it pass."""

    def __init__(self, layout: Layout, shadow: Shadow, *, psi: float, size_m: float) -> None:
        """`psi`: its angle from the rotor's zero, ccw, turns; `size_m`: how wide it is."""
        self._shadow = shadow
        self._psi = psi
        half = layout.ring_half_turn * size_m / layout.ball_m
        self._bounds = [
            ((pos + side * half) % 1.0, line, side) for pos, line in layout.ring for side in (-1, 1)
        ]
        self._ring, self._half = layout.ring, half

    def now(self, t: float) -> list[Crossing]:
        """What sees it where it lies at t."""
        turn = self._shadow.turn_at(t) + self._psi
        return [
            (t, line, 1)
            for pos, line in self._ring
            if abs((turn - pos + 0.5) % 1.0 - 0.5) < self._half
        ]

    def since(self, t: float) -> list[Crossing]:
        """What it passed between t and the shadow's last look."""
        until, speed = self._shadow.t_end, self._shadow.speed_at(t)
        way = speed * (until - t)
        passed = []
        for bound, line, side in self._bounds:
            before = (self._shadow.turn_at(t) + self._psi - bound + 0.5) % 1.0 - 0.5
            if (before < 0.0) != (before + way < 0.0):
                enters = (speed > 0) == (side < 0)
                passed.append((t - before / speed, line, int(enters)))
        return passed


_SEEDS = 1 << 30
_FALLS_US = 50_000  # a ball that is laid in is seen so much later


def _edges(crossings: list[Crossing]) -> list[Edge]:
    return [(round(t * 1e6), line, level) for t, line, level in crossings]


class OfThisCoup(Overlay):
    """Something of its own before the sensors, until the croupier has taken the ball."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """Of the coup that is played."""
        self.truth = self.world.truths[-1]
        return super().begin_fault(at_us)

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """Then he takes this as well."""
        self.over = lifted(self.truth, until_us)
        return super().edges(found, until_us)


class Thrown(OfThisCoup):
    """A second ball is thrown."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """Whatever number the first comes to, two are in the wheel."""
        edges = super().begin_fault(at_us)
        self.truth.spoiled = True
        self._seed = self.rng.randrange(_SEEDS)
        table = self.world.table
        self._ball: Ball | None = None
        self._rider: Rider | None = None
        self._at = at_us * 1e-6
        if isinstance(table, VirtualDish):
            self.put(self._through_dish(table, self._at))
            return edges
        assert isinstance(table, TurningTable)
        self._shadow = Shadow(table.rotor, self._at)
        self._layout = table.layout
        self._ball = self._another(table)
        return edges

    def _another(self, table: TurningTable) -> Ball:
        """One of the same kind, with a chance of its own."""
        its = CoupTruth(0, 0)
        same: Any = {
            "layout": table.layout,
            "numbers": tuple(range(table.layout.pockets)),
            "rotor_marks": table.marks,
            "seed": self._seed,
        }
        if isinstance(table, VirtualPlate):
            return PlateBall(parameters=table.parameters, truths=[its], **same)
        assert isinstance(table, VirtualWheel)
        ball = WheelBall(parameters=table.parameters, **same)
        way = self.truth.launched_direction or 1
        self.put(_edges(ball.launch(self._at, way, its)))
        return ball

    def _through_dish(self, dish: VirtualDish, t: float) -> list[Edge]:
        p, layout, start = dish.parameters, dish.layout, self.rng.random()
        way = self.truth.launched_direction or 1
        track = roll(
            p,
            Drag(p.deceleration),
            self.rng,
            direction=way,
            start_turn=start,
            radius_m=layout.track_radius_m,
            beams=layout.beams(start, way),
        )
        speed = way * track.end_speed_rad_s * layout.track_radius_m
        found = InDish(p, dish.surface, self.rng, turn=track.end_turn, speed_m_s=speed).settle()
        seen = [(t + after, line, level) for after, line, level in track.crossings]
        for after, cup, level in found.seen:
            seen.append((t + track.duration_s + after, layout.line[f"cup{cup:02d}"], level))
        return _edges(seen)

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """It goes on as far as the table has gone."""
        if self._ball is not None:
            self._go_on(self._ball, until_us * 1e-6)
        return super().edges(found, until_us)

    def _go_on(self, ball: Ball, until: float) -> None:
        at, self._at = self._at, until
        shadow = self._shadow
        shadow.follow(until)
        if self._rider is not None:
            self.put(_edges(self._rider.since(at)))
            return
        seen: list[Crossing] = []
        ball.plan(at, shadow)
        while ball.t_next <= until:
            t = ball.t_next
            seen += ball.act(t, shadow, seen)
            ball.plan(t, shadow)
        if ball.phase == AT_REST:
            self._rider = Rider(
                self._layout, shadow, psi=ball.resting_turn, size_m=self._layout.ball_m
            )
        self.put(_edges(seen))


class Lies(OfThisCoup):
    """A second ball lies in a compartment, and turns with the rotor."""

    spoils = True  # whatever number the ball in play comes to

    def size_m(self) -> float:
        """How wide it is."""
        assert isinstance(self.world.table, TurningTable)
        return float(self.world.table.layout.ball_m)

    def begin_fault(self, at_us: int) -> list[Edge]:
        """Anywhere."""
        edges = super().begin_fault(at_us)
        self.truth.spoiled = self.spoils
        self._place(at_us)
        return edges

    def _place(self, at_us: int) -> None:
        table = self.world.table
        self._at = at_us * 1e-6
        self._rider: Rider | None = None
        if isinstance(table, TurningTable):
            place = self.rng.randrange(table.layout.pockets) / table.layout.pockets
            self._ride(table, place, self.size_m())
        else:
            names = [name for name in self.world.line if name.startswith("cup")]
            line = self.world.line[self.rng.choice(names)]
            self.put([(at_us + _FALLS_US, line, 1)])

    def _ride(self, table: TurningTable, psi: float, size_m: float) -> None:
        self._shadow = Shadow(table.rotor, self._at)
        self._rider = Rider(table.layout, self._shadow, psi=psi, size_m=size_m)
        self.put(_edges(self._rider.now(self._at)))

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """It turns as far as the rotor has turned."""
        if self._rider is not None:
            at, self._at = self._at, until_us * 1e-6
            self._shadow.follow(self._at)
            self.put(_edges(self._rider.since(at)))
        return super().edges(found, until_us)


class Forgotten(Lies):
    """The ball of this coup is left in its compartment; another is thrown in the next.

    It lies where the ball lies: at first nobody sees any difference.
    """

    spoils = False  # of this coup its number is right

    def _place(self, at_us: int) -> None:
        table = self.world.table
        self._at = at_us * 1e-6
        self._rider = None
        self._next: CoupTruth | None = None
        if isinstance(table, TurningTable):
            self._ride(table, table.ball.resting_turn, self.size_m())
        elif self.truth.compartment is not None:
            self.put([(at_us, self.world.line[f"cup{self.truth.compartment:02d}"], 1)])

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """It is taken with the ball of the next coup."""
        seen = super().edges(found, until_us)
        self.over = False
        if self._next is None and self.world.truths[-1] is not self.truth:
            self._next = self.world.truths[-1]
            self._next.spoiled = True
        elif self._next is not None:
            self.over = lifted(self._next, until_us)
        return seen
