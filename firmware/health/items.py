"""What a journal or a file of coups holds for the watch, one item a line, in order of time."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from firmware.core.health.facts import Coup, Wheel

SENSORS_MAX = 8


class Played(NamedTuple):
    """A coup that has a number. `line`: of the file, 1-based, as of the ones below."""

    line: int
    t_s: float
    coup: Coup


class Acted(NamedTuple):
    """A service act."""

    line: int
    t_s: float
    kind: str


class Corrected(NamedTuple):
    """A correction of the coup at the line `of`. `place`: its compartment; None: it is void."""

    line: int
    t_s: float
    of: int
    place: int | None


Item = Played | Acted | Corrected


class Recorded(Protocol):
    """A wheel, and what was recorded of it; `items` may be asked for again."""

    name: str
    wheel: Wheel
    numbers: Sequence[int]  # of each compartment; where one number has several, the compartments
    size: int  # of all that is recorded, in units of its own
    done: int  # how much of it was read

    def items(self) -> Iterator[Item]:
        """Yields what was recorded, in order. Raises Failure."""
        ...

    def knows_clock(self, line: int) -> bool:
        """Returns whether a supervisor knows that the clock went back at a line."""
        ...


def tie(line: int, values: Sequence[object]) -> int:
    """Returns the number out of a coup's own line that splits ties among ranks."""
    return zlib.crc32(repr((line, *values)).encode())
