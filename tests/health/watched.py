"""Coups of a wheel that exists in numbers alone, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from firmware.core.health.facts import Coup, Notice, Wheel
from firmware.core.health.watch import HealthWatch

WHEEL = Wheel(37, (0.0, 120.0, 240.0), 3, 150_000, True)
SOUND = {"gap": (3, 4, 3), "slowing": 0, "missed": 0.0, "settled": 3_000}


def coups(
    seed: object,
    count: int,
    *,
    compartments: int = 37,
    change: Callable[[int, random.Random, dict[str, Any]], None] = lambda *_: None,
) -> Iterator[Coup]:
    """Draws coups of a sound wheel. `change`: alters the n-th one's fields, 1-based."""
    draw = random.Random(f"health {seed}")
    for number in range(1, count + 1):
        fields: dict[str, Any] = {
            "place": draw.randrange(compartments),
            "direction": 1 if number % 2 else -1,
            "rotor_uturn_s": draw.randrange(250_000, 450_000),
            "gap": draw.choices(range(3), (3, 4, 3))[0],
            "gaps_ppm": (300_000, 400_000, 300_000),
            "launch_place": draw.randrange(compartments),
            "slowing_ppm": int(draw.gauss(0, 3_000)),
            "settled_ms": int(draw.gauss(3_000, 500)),
            "seen": 7,
            "croupier": 1,
            "ball": 1,
            "spin_up_ms": int(draw.gauss(2_000, 100)),
            "duty_permille": int(draw.gauss(400, 20)),
            "tie": draw.randrange(1 << 32),
        }
        change(number, draw, fields)
        yield Coup(**fields)


def told(watch: HealthWatch, given: Iterator[Coup]) -> list[tuple[int, Notice]]:
    """Gives coups to the watch. Returns its notices, each with the coup after which it came."""
    found = []
    for coup in given:
        watch.add(coup)
        found += [(watch.coups, notice) for notice in watch.take_notices()]
    return found
