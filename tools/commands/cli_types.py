"""Numbers of the command line within bounds. `nan` is within all of them, and none of a length."""

from __future__ import annotations

import math
from typing import Any

import click


class FiniteFloat(click.FloatRange):
    """As click.FloatRange, and a finite number."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Raises click's UsageError."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"{found} is no number to reckon with.", param, ctx)
        return found
