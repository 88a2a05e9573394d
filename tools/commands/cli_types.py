"""Numbers of the command line within bounds. `nan` is within all of them, and none of a length."""

from __future__ import annotations

import math
from typing import Any

import click

from firmware.lib.language import Message


class FiniteFloat(click.FloatRange):
    """As click.FloatRange, and a finite number."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Raises click's UsageError."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(Message("{found} is no number to reckon with.", found=found), param, ctx)
        return found
