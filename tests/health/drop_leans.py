"""Drops of a wheel that leans."""

from __future__ import annotations

import random
from typing import Any


def leaning(_coup: int, draw: random.Random, told: dict[str, Any], said: dict[str, Any]) -> None:
    """Low at 330 degrees: balls ccw lean to 60, in gap 0, balls cw to 240, between 1 and 2."""
    weights = (8, 2, 0) if told["ball"] == 1 else (0, 5, 5)
    said["gap"] = draw.choices(range(3), weights)[0]
