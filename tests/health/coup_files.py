"""Files of coups, as docs/health.md has them, drawn from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.core.health.watch import HealthWatch
from firmware.health.coup_file import CoupFile
from firmware.health.replay import Replay

ORDER = [*range(0, 37, 2), *range(1, 37, 2)]  # some order of the numbers
NAMES = "t_s number direction drop_uturn rotor_uturn_s gap q0 q1 q2 launch_place slowing_ppm"
NAMES = ",".join([*NAMES.split(), "settle_ms", "votes", "croupier", "ball"])
HEADER = {"wheel": "R7", "pockets": 37, "order": ORDER, "beams_deg": [0, 120, 240]}
Change = Callable[[int, random.Random, dict[str, Any]], None]


def line(number: int, draw: random.Random, change: Change = lambda *_: None) -> str:
    """The n-th coup of a sound wheel, unless it is changed."""
    fields: dict[str, Any] = {
        "t_s": number * 40.5,
        "number": draw.randrange(37),
        "direction": 1 if number % 2 else -1,
        "drop_uturn": draw.randrange(1_000_000),
        "rotor_uturn_s": draw.randrange(250_000, 450_000),
        "gap": draw.choices(range(3), (3, 4, 3))[0],
        "q0": 300_000,
        "q1": 400_000,
        "q2": 300_000,
        "launch_place": draw.randrange(37),
        "slowing_ppm": int(draw.gauss(0, 15_000)),
        "settle_ms": int(draw.gauss(3_000, 500)),
        "votes": 7,
        "croupier": 1,
        "ball": 1,
    }
    change(number, draw, fields)
    return ",".join(str(value) for value in fields.values())


def act(number: int, kind: str, /, **more: object) -> str:
    """A service act after the n-th coup."""
    return "! " + json.dumps({"t_s": number * 40.5 + 1, "act": kind, **more})


def text(count: int, seed: object = 0, change: Change = lambda *_: None) -> list[str]:
    """The lines of a file of so many coups."""
    draw = random.Random(f"file {seed}")
    coups = [line(number, draw, change) for number in range(1, count + 1)]
    return ["# " + json.dumps(HEADER), NAMES, *coups]


def written(path: Path, lines: list[str]) -> Path:
    """Writes lines to a file."""
    path.write_text("".join(f"{each}\n" for each in lines))
    return path


def replayed(path: Path) -> Replay:
    """Plays a file through the watch, to its end."""
    file = CoupFile(path)
    replay = Replay(file, lambda: HealthWatch(file.wheel))
    for _ in replay.run():
        pass
    return replay
