"""What commands take, with sentences of our own for what they do not: numbers and files.

A number is finite: `nan` is within all bounds, and no length. Whether a file can be read its reader
says, with the exit code that it has for a file that is not there.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from firmware.lib.language import N_, Message

journal_option = click.option(
    "--journal",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where coups are recorded  [default: of the wheel that is meant]",
)

# By the bounds there are: none, a lower one, both; both, the lower one being too low itself.
_WHOLE = (
    N_("'{value}' is not a whole number."),
    N_("'{value}' is not a whole number of at least {low}."),
    N_("'{value}' is not a whole number from {low} to {high}."),
    N_("'{value}' is not a whole number above {low}, up to {high}."),
)
_NUMBER = (
    N_("'{value}' is not a number."),
    N_("'{value}' is not a number of at least {low}."),
    N_("'{value}' is not a number from {low} to {high}."),
    N_("'{value}' is not a number above {low}, up to {high}."),
)


class _Worded(click.ParamType):  # type: ignore[type-arg]
    """A number whose refusal says what it should have been."""

    name = "number"
    sentences: tuple[str, ...]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the number. Raises click's UsageError."""
        try:
            found = super().convert(value, param, ctx)
        except click.BadParameter:
            found = math.nan
        if isinstance(found, float) and not math.isfinite(found):
            low, high = getattr(self, "min", None), getattr(self, "max", None)
            bounds = (low is not None) + (high is not None) + getattr(self, "min_open", False)
            said = Message(self.sentences[bounds], value=value, low=low, high=high)
            self.fail(said, param, ctx)
        return found


class Whole(_Worded, click.types.IntParamType):
    """Any whole number."""

    sentences = _WHOLE


class WholeRange(_Worded, click.IntRange):
    """A whole number within bounds."""

    sentences = _WHOLE


class Number(_Worded, click.types.FloatParamType):
    """Any finite number."""

    sentences = _NUMBER


class NumberRange(_Worded, click.FloatRange):
    """A finite number within bounds."""

    sentences = _NUMBER


def worded(kind: Any) -> Any:
    """Returns a type of click's with sentences of ours; any other as it is."""
    if isinstance(kind, _Worded):
        return kind
    if isinstance(kind, click.IntRange):
        return WholeRange(kind.min, kind.max, kind.min_open, kind.max_open, kind.clamp)
    if isinstance(kind, click.FloatRange):
        return NumberRange(kind.min, kind.max, kind.min_open, kind.max_open, kind.clamp)
    if isinstance(kind, click.types.IntParamType):
        return Whole()
    if isinstance(kind, click.types.FloatParamType):
        return Number()
    if isinstance(kind, click.Path):
        kind.readable = False
    return kind
