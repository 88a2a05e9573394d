"""Faults of what the wheel stands on: tilt, knocks. A level sensor is on the boards for a Pi."""

from __future__ import annotations

from dataclasses import fields
from math import cos, radians, sin
from typing import cast

from tools.hil.faults.entry import EITHER, Expect, Fault, Parameter
from tools.hil.faults.world_fault import Overlay, WorldFault, lifted
from tools.sim.sensors import Edge
from tools.sim.table import Mishaps

_FLICKER_US = (200, 9_000)  # contacts and optics that shake; judgement
_FLICKERS_WITHIN_US = 60_000
_SHAKEN_MDEG = 3_000  # what a level sensor reads while it is shaken
_SHAKES_US = 200_000
_PLACES = (-3, 3)  # a ball at rest is thrown so many compartments away at most


class Tilted(WorldFault):
    """The wheel leans by `tilt_mdeg` towards the stator angle `low_deg`."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """The level sensor reads it, and the next ball feels it."""
        low = float(self.parameters["low_deg"])
        lean = float(self.parameters["tilt_mdeg"])
        self._level = self.world.tilt_mdeg
        self.world.tilt_mdeg = (round(lean * cos(radians(low))), round(lean * sin(radians(low))))
        table = cast(Mishaps, self.world.table)
        p = table.parameters
        self._usual = {}
        if any(field.name == "tilt_deg" for field in fields(p)):  # a plate's rim is no track
            self._usual = {
                "tilt_deg": p.tilt_deg,
                "tilt_low_point_deg": p.tilt_low_point_deg,
            }
            table.use(p.changed(tilt_deg=lean / 1000, tilt_low_point_deg=low))
        return []

    def end_fault(self, at_us: int) -> list[Edge]:
        """Somebody levels it."""
        self.world.tilt_mdeg = self._level
        table = cast(Mishaps, self.world.table)
        table.use(table.parameters.changed(**self._usual))
        return []


class Knocked(Overlay):
    """Somebody knocks the wheel: sensors flicker, the ball leaves the track or its compartment."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """All at once."""
        edges = super().begin_fault(at_us)
        world, rng = self.world, self.rng
        self._truth, self._level = world.truths[-1], world.tilt_mdeg
        self._shaken_us = at_us + _SHAKES_US
        world.tilt_mdeg = (_SHAKEN_MDEG, -_SHAKEN_MDEG)
        lines = [
            line
            for name, line in world.line.items()
            if name.startswith(("rim", "pocket", "cup")) and not world.shown[line]
        ]
        for line in rng.sample(lines, min(len(lines), int(self.parameters["sensors"]))):
            from_us = at_us + rng.randrange(_FLICKERS_WITHIN_US)
            self.put([(from_us, line, 1), (from_us + rng.randint(*_FLICKER_US), line, 0)])
        table = cast(Mishaps, world.table)
        table.knock_ball()
        table.move_ball(rng.randint(*_PLACES))
        return edges

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """The wheel stands still soon; the coup bears the marks."""
        if until_us >= self._shaken_us:
            self.world.tilt_mdeg = self._level
        self.over = lifted(self._truth, until_us)
        return super().edges(found, until_us)

    def end_fault(self, at_us: int) -> list[Edge]:
        """It stands still."""
        self.world.tilt_mdeg = self._level
        return super().end_fault(at_us)


_LOW = Parameter("low_deg", "number", (0, 359), 30)
_SENSED = ("virtual", "kernel")  # a reference board has no level sensor, and a rig no bus

# fmt: off
FAULTS: tuple[Fault, ...] = (
    # Over the 0.1 degrees of level.warn_deg by more than the sensor's scatter, told when it began
    # within two means of 256 readings, 5 s each.
    Fault("wheel_tilted", "level", "A foot of the wheel gives way: it leans.",
          Tilted, Expect(EITHER, ("L10",), by_s=20.0, settles_coups=2),
          parameters=(Parameter("tilt_mdeg", "number", (300, 1500), 500), _LOW), places=_SENSED,
          moments=("start", "launch", "drop"), after_s=(0.0, 10.0), lasts_s=(40.0, 120.0),
          requires=("MD-23.level", "UK-4.1.detected")),
    Fault("wheel_leans", "level", "The wheel leans by less than its sensor tells.",
          Tilted, Expect(EITHER, settles_coups=2, never=("L10",)),
          parameters=(Parameter("tilt_mdeg", "number", (10, 50), 30), _LOW), places=_SENSED,
          moments=("start", "launch"), after_s=(0.0, 10.0), lasts_s=(40.0, 120.0),
          requires=("LU-37-1.call",)),
    Fault("wheel_knocked", "level", "Somebody knocks the wheel.",
          Knocked, Expect(EITHER, settles_coups=1),
          parameters=(Parameter("sensors", "number", (1, 6), 3),),
          places=("virtual", "process", "kernel"),
          moments=("start", "launch", "drop", "rest"), after_s=(0.0, 10.0),
          requires=("GLI-3.4.4.influence",)),
)
# fmt: on
