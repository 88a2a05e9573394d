"""As much of tools.hil.world.World as a fault of some lines needs, and what is seen through it."""

from collections.abc import Callable
from random import Random
from typing import Any

from tools.sim.sensors import Edge

NAMES = ("rim0", "rim1", "rim2", "enc_a", "enc_b", "enc_z", "btn_start", "btn_void")
RIM0, RIM1, _, A, B, Z, START, VOID = range(len(NAMES))


class SmallWorld:
    """Some lines, all low."""

    def __init__(self) -> None:
        self.line = {name: at for at, name in enumerate(NAMES)}
        self.levels = [0] * len(NAMES)
        self.shown = [0] * len(NAMES)
        self.safety = {"estop": 0}

    def set_safety(self, name: str, level: int) -> None:
        self.safety[name] = level

    def before_sensors(self) -> list[int]:
        return list(self.levels)


def seen(
    make: Callable[..., Any], edges: list[Edge], until_us: int, **parameters: Any
) -> list[Edge]:
    """What the controller sees of those edges with that fault from 0 on, a millisecond a time."""
    world = SmallWorld()
    fault = make(world, parameters, Random(1))
    told = list(fault.begin_fault(0))
    for end_us in range(1_000, until_us + 1_000, 1_000):
        due = [edge for edge in edges if end_us - 1_000 < edge[0] <= end_us]
        for _, line, level in due:
            world.levels[line] = level
        found = fault.edges(due, end_us)
        assert found == sorted(found)
        assert all(end_us - 1_000 <= at_us <= end_us for at_us, _, _ in found)
        told += found
    return told


def pulse(line: int, rise_us: int, width_us: int) -> list[Edge]:
    """A pulse."""
    return [(rise_us, line, 1), (rise_us + width_us, line, 0)]


def turning(steps: int, step_us: int = 10_000) -> list[Edge]:
    """The encoder of a rotor that turns ccw, from where A rises; the mark is at the first step."""
    edges = [(step_us // 2, Z, 1), (step_us * 3 // 2, Z, 0)]
    for step in range(steps):
        line, level = ((A, 1), (B, 1), (A, 0), (B, 0))[step % 4]
        edges.append(((step + 1) * step_us, line, level))
    return sorted(edges)
