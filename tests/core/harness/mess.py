"""What no apparatus does: edges at random, and requests that nobody expects."""

from __future__ import annotations

import random
from typing import Any

from firmware.core import facts, faults
from harness.places import LINES
from harness.sessions import Edge

CODES = [kind.code for kind in faults.FAULTS]
DELAYS_US = (0, 3_000, 700_000, 40_000_000)  # until a record is durable


def soup(seed: int, edges: int) -> list[Edge]:
    """Edges that no wheel makes: any line, any level, any pace."""
    r = random.Random(seed)
    at_us = 0
    paces = (200, 2_000, 15_000, 60_000, 300_000, 3_000_000)
    pace = r.choice(paces)
    found = []
    for _ in range(edges):
        if r.random() < 0.02:
            pace = r.choice(paces)
        at_us += r.randrange(pace)
        level = -1 if r.random() < 0.01 else r.randrange(2)
        found.append((at_us, r.randrange(len(LINES)), level))
    return found


def anything(r: random.Random, at_us: int, *, number: int | None = None) -> Any:
    """A request or a fault that nobody expected."""
    entered = r.randrange(-2, 40) if number is None else number
    return r.choice(
        (
            facts.Tick(at_us),
            facts.Recorded(at_us, 0),
            facts.VoidAsked(at_us, "x"),
            facts.ConfirmAsked(at_us, "x"),
            facts.EmployeePresent(at_us, "x", r.random() < 0.5),
            facts.ManualEntered(at_us, entered, None, "x", "y", "z"),
            facts.ClearAsked(at_us, "x"),
            facts.ClearAsked(at_us, "x"),
            facts.Trouble(at_us, r.choice(CODES), "x"),
        )
    )


def options(seed: int) -> dict[str, Any]:
    """What a house may choose where a rotor turns."""
    return {
        "driven": seed % 2 == 1,
        "confirm": ("auto", "croupier")[seed // 2 % 2],
        "call_us": (0, 1_000_000)[seed // 4 % 2],
        "undetected": ("void", "manual")[seed // 8 % 2],
    }
