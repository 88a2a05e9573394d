"""A simulated table with faults in it. Whoever reads its edges takes it for the table.

Knows nothing of the controller and nothing of where it runs: the same world stands behind a
virtual machine, a pty, a real kernel's GPIO lines and a rig's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from tools.hil.faults import catalogue
from tools.hil.faults.world_fault import WorldFault
from tools.hil.scenario import FaultInjection
from tools.sim.sensors import Edge
from tools.sim.table import Table
from tools.sim.truth import CoupTruth
from tools.sim.turning_table import NEVER_US


class FaultInterval(NamedTuple):
    """When a fault of the scenario was at work. `end_us` None: it still is."""

    use: int  # its place in the scenario
    coup: int  # of the truth, in which it began
    begin_us: int
    end_us: int | None
    idle: bool = False  # of edges it should have changed none came so far


class World:
    """The port of a table (tools.sim.table.Table), with `uses` of faults in it.

    Faults of other layers (bus, display, host) are timed here and made elsewhere, by
    `intervals`.
    """

    def __init__(
        self, table: Table, board: dict[str, Any], uses: Sequence[FaultInjection], seed: int
    ) -> None:
        """`seed`: of the faults' own chance; the table has its own."""
        self.table = table
        self.board = board
        self.hand = table.hand
        self.line = {name: at for at, (name, *_) in enumerate(board["inputs"])}
        self.levels = table.initial_levels()  # as the table has them
        self.shown = list(self.levels)  # as the controller was told
        self.safety = {name: 0 for name, _ in board["safety_inputs"]}
        # A place carries them over: it looks at them, or puts here what each change calls.
        self.on_safety: Callable[[str, int], None] = lambda name, level: None
        self.tilt_mdeg = (0, 0)  # what a level sensor would read
        self.intervals: list[FaultInterval] = []
        self._uses = tuple(uses)
        self._seed = seed
        self._waiting = list(range(len(self._uses)))  # their moment has not come
        self._due: list[tuple[int, int, bool]] = []  # when, which, whether it begins; soonest last
        self._active: dict[int, WorldFault] = {}
        self._next_us = NEVER_US
        self._looks_us = 0  # before then no awaited moment comes

    # --- the table ----------------------------------------------------------------------------
    @property
    def truths(self) -> list[CoupTruth]:
        """What really happened."""
        return self.table.truths

    @property
    def now_us(self) -> int:
        """The table's time."""
        return self.table.now_us

    @property
    def finished(self) -> int:
        """Coups that are over for the people at the table."""
        return self.table.finished

    @property
    def acts_us(self) -> int:
        """Before then, whatever the motor does, only an encoder's lines move, and no fault acts."""
        if self._active:
            return self.now_us
        return min(self._next_us, self.table.acts_us)

    @property
    def turns_us(self) -> int:
        """Before then no fault begins and none ends."""
        return min(self._next_us, self.table.acts_us) if self._waiting else self._next_us

    def initial_levels(self) -> list[int]:
        """The level of every line at time 0, by line."""
        return self.table.initial_levels()

    def advance(self, until_us: int, motor_permille: int) -> list[Edge]:
        """The edges that the controller sees up to `until_us`, with the motor held so."""
        if self._is_quiet(until_us):
            found = self.table.advance(until_us, motor_permille)
            if found:
                self._note(found)
            return found
        edges: list[Edge] = []
        while self._next_us <= until_us:
            at_us = self._next_us
            edges += self._tell(self._pass(at_us, motor_permille))
            edges += self._tell(self._turn(at_us))
        return edges + self._tell(self._pass(until_us, motor_permille))

    # --- faults -------------------------------------------------------------------------------
    def before_sensors(self) -> list[int]:
        """The level of every line as its sensor has it: the table's, and what stands before it."""
        levels = list(self.levels)
        for fault in self._active.values():
            fault.cover(levels)
        return levels

    def set_safety(self, name: str, level: int) -> None:
        """The safety input of that name, if the board has it, stands at `level` from now on."""
        if name in self.safety:
            self.safety[name] = level
            self.on_safety(name, level)

    def _tell(self, edges: list[Edge]) -> list[Edge]:
        """What of these is an edge: a line cannot rise twice, whatever two faults make of it."""
        told = []
        for edge in edges:
            if self.shown[edge[1]] != edge[2]:
                self.shown[edge[1]] = edge[2]
                told.append(edge)
        return told

    def _note(self, found: list[Edge]) -> None:
        levels, shown = self.levels, self.shown
        for _, line, level in found:
            levels[line] = shown[line] = level

    def _is_quiet(self, until_us: int) -> bool:
        """Whether no fault is at work, and none can begin or end until then."""
        if self._active or until_us >= self._next_us:
            return False
        return not self._waiting or until_us < self._looks_us

    def _pass(self, until_us: int, permille: int) -> list[Edge]:
        if until_us <= self.table.now_us:
            return []
        for index, fault in self._active.items():
            driven = fault.drive(permille, self.table.now_us)
            if fault.idle and driven != permille:
                self._acted(index)
            permille = driven
        found = self.table.advance(until_us, permille)
        for _, line, level in found:
            self.levels[line] = level
        for index, fault in self._active.items():
            seen = fault.edges(found, until_us)
            if fault.idle and seen != found:
                self._acted(index)
            found = seen
            if fault.over:
                fault.over = False
                self._due = [due for due in self._due if due[1] != index]
                self._plan(until_us, index, begins=False)
        if self._waiting:
            self._look()
            self._looks_us = self.acts_us
        return found

    def _look(self) -> None:
        """Whose moment has come?"""
        for index in list(self._waiting):
            use = self._uses[index]
            if len(self.truths) < use.coup:
                continue
            moment_us = getattr(self.truths[use.coup - 1], f"t_{use.moment}_us")
            if moment_us is not None:
                self._waiting.remove(index)
                # A moment is known when it is past: what was due before begins now.
                self._plan(max(moment_us + use.after_us, self.now_us), index, begins=True)

    def _plan(self, at_us: int, index: int, *, begins: bool) -> None:
        self._due = sorted([*self._due, (at_us, index, begins)], reverse=True)
        self._next_us = self._due[-1][0]

    def _turn(self, at_us: int) -> list[Edge]:
        """A fault begins, or ends."""
        _, index, begins = self._due.pop()
        self._next_us = self._due[-1][0] if self._due else NEVER_US
        use = self._uses[index]
        entry = catalogue.find(use.fault)
        mine = entry.layer in catalogue.OF_THE_WORLD
        if not begins:
            self._change_interval(index, end_us=at_us)
            return self._end(index, at_us) if mine else []
        self.intervals.append(FaultInterval(index, len(self.truths), at_us, None))
        if use.lasts_us is not None:
            self._plan(at_us + use.lasts_us, index, begins=False)
        if not mine:
            return []
        rng = Random(f"{self._seed}/{index}/{use.fault}")
        fault = entry.make(self, catalogue.parameters_of(entry, use), rng)
        begins_with = fault.begin_fault(at_us)
        # What lies before a sensor comes before what is wrong with the sensor.
        self._active = dict(
            sorted([*self._active.items(), (index, fault)], key=lambda one: one[1].of_sensor)
        )
        edges = self._through(self._behind(index), begins_with, at_us)
        if fault.idle:
            self._change_interval(index, idle=True)
            if any(self.shown[line] != level for _, line, level in edges):
                self._acted(index)
        return edges

    def _acted(self, index: int) -> None:
        self._active[index].idle = False
        self._change_interval(index, idle=False)

    def _change_interval(self, index: int, **fields: Any) -> None:
        at = next(at for at, interval in enumerate(self.intervals) if interval.use == index)
        self.intervals[at] = self.intervals[at]._replace(**fields)

    def _end(self, index: int, at_us: int) -> list[Edge]:
        behind = self._behind(index)
        return self._through(behind, self._active.pop(index).end_fault(at_us), at_us)

    def _behind(self, index: int) -> list[WorldFault]:
        """The faults at work that see what that one lets through."""
        order = list(self._active)
        return [self._active[each] for each in order[order.index(index) + 1 :]]

    def _through(self, faults: list[WorldFault], edges: list[Edge], at_us: int) -> list[Edge]:
        """What these make of edges that a fault before them makes."""
        for fault in faults:
            edges = fault.edges(edges, at_us)
        return edges
