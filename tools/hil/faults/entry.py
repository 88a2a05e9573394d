"""What an entry of the fault catalogue is. The entries stand beside what makes them, one file a
layer; tools/hil/faults/catalogue.py lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatch
from typing import Any, NamedTuple

from boards import apparatus

APPARATUS = apparatus.NAMES
TURNING = apparatus.TURNING

# Where a fault lies, from the ball outwards. A layer has one file in faults/.
LAYERS = ("sensors", "rotor", "ball", "chip", "level", "bus", "display", "host", "people")
LINE_LAYERS = ("bus", "display")  # of the line to the displays

PLACES = ("virtual", "process", "kernel", "rig")
# Where the wheel itself is simulated: a fault of wheel, sensors or hands can be made in all, but
# for those that only a level sensor tells.
EVERYWHERE = PLACES

# When in a coup a fault begins: moments of the truth (tools.sim.truth), in their order.
MOMENTS = ("start", "launch", "drop", "rest", "lift")

# What must become of the coups it touches. Never a wrong number, never a late call: always.
NUMBER = "number"  # the coup gets its number all the same
VOID = "void"  # it is void
EITHER = "either"  # right or void

# Requirements (tools/docs/evidence) that many entries show.
# What fails costs a coup its number at most, and never gives another.
PARTS = ("UK-2.2.parts",)
# And it is told.
TOLD = (*PARTS, "UK-4.1.detected")


class Parameter(NamedTuple):
    """One thing that can be said of a fault. `values`: patterns of line names for "line", the least
    and the most for "number" (whose unit ends the name), the words for "choice"."""

    name: str
    kind: str  # "line", "number" or "choice"
    values: tuple[Any, ...]
    default: Any = None  # None: has to be drawn or given

    def choices(self, board: dict[str, Any]) -> tuple[str, ...]:
        """The words that a "line" or "choice" may be on that board."""
        if self.kind == "choice":
            return tuple(self.values)
        names = [name for name, *_ in board["inputs"]]
        return tuple(name for name in names if any(fnmatch(name, value) for value in self.values))


class Expect(NamedTuple):
    """What must follow a fault, and by when.

    `codes`: one of these must be told (codes of firmware.core.faults, or reasons of a void); none:
    nothing need be. By the earlier of `by_s` seconds after it begins, and the end of the coup
    `by_coups` after the one in which it begins; whichever is given. `settles_coups`: so many coups
    after its end may still be void for its sake. `next_outcome`: of the coup after the one in which
    it begins. `never`: codes that must not be told while it lasts. `reasons`: a coup that it
    alone touched is void for one of these; none: for any.
    """

    outcome: str = EITHER
    codes: tuple[str, ...] = ()
    by_s: float | None = None
    by_coups: int | None = None
    settles_coups: int = 0
    next_outcome: str = EITHER
    never: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


class Fault(NamedTuple):
    """One entry of the catalogue."""

    name: str
    layer: str
    title: str  # a sentence: what is wrong
    make: Callable[..., Any]  # called as that layer's base class says
    expect: Expect
    requires: tuple[str, ...] = ()  # identifiers of requirements that this shows
    parameters: tuple[Parameter, ...] = ()
    apparatus: tuple[str, ...] = APPARATUS
    places: tuple[str, ...] = EVERYWHERE
    moments: tuple[str, ...] = ("start", "launch")  # where a campaign begins it
    after_s: tuple[float, float] = (0.0, 3.0)  # so long after the moment, drawn evenly
    lasts_s: tuple[float, float] | None = None  # None: to the end
    by_hand: bool | None = None  # only where a hand (True) or the motor (False) turns the rotor
    pairs: bool = True  # may be one of a pair
