"""The fault catalogue: what can go wrong, what must follow, and by when."""

from __future__ import annotations

from typing import Any

from tools.hil.faults import (
    ball,
    bus,
    chip,
    display,
    encoder,
    host,
    level,
    people,
    rotor,
    sensors,
)
from tools.hil.faults.entry import Expect, Fault
from tools.hil.scenario import FaultInjection

FAULTS: tuple[Fault, ...] = (
    *sensors.FAULTS,
    *encoder.FAULTS,
    *rotor.FAULTS,
    *ball.FAULTS,
    *chip.FAULTS,
    *level.FAULTS,
    *bus.FAULTS,
    *display.FAULTS,
    *host.FAULTS,
    *people.FAULTS,
)
# Layers whose faults are made in the world (tools/hil/world.py); the others where it runs.
OF_THE_WORLD = frozenset(("sensors", "rotor", "ball", "chip", "level", "people"))

_BY_NAME = {fault.name: fault for fault in FAULTS}


def find(name: str) -> Fault:
    """The entry of that name. Raises KeyError."""
    return _BY_NAME[name]


def expect_of(use: FaultInjection) -> Expect:
    """What must follow: what the use says, or else the entry."""
    return find(use.fault).expect if use.expect is None else use.expect


def parameters_of(entry: Fault, use: FaultInjection) -> dict[str, Any]:
    """What the use says of the fault, and the defaults where it says nothing."""
    return {each.name: each.default for each in entry.parameters} | dict(use.parameters)
