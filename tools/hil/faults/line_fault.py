"""What a fault of the line or of a display is to the line it happens on, wherever that line is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

CONTROLLER = 0  # its place on the line; displays have theirs from 1 on


class LineFrame(NamedTuple):
    """What one station hears, and when its last byte is there."""

    at_us: int
    data: bytes


class LinePort(Protocol):
    """A line as its faults can get at it: in memory (tools/hil/line.py) or of real ttys."""

    @property
    def places(self) -> Sequence[int]:
        """CONTROLLER, and a place for each display."""
        ...

    @property
    def past(self) -> Iterable[bytes]:
        """Frames that the controller said lately, oldest first."""
        ...

    def power_off(self, place: int) -> None:
        """That display is dead: it hears nothing, says nothing and is dark."""
        ...

    def power_on(self, place: int, *, address_of: int = 0, key_of: int = 0) -> None:
        """It starts anew, with the address and the key of those displays; 0: its own."""
        ...

    def freeze(self, place: int) -> None:
        """It does nothing any more, and goes on lighting what it lit."""
        ...

    def thaw(self, place: int) -> None:
        """It goes on, dark, and knows nothing of what came meanwhile."""
        ...

    def unplug(self) -> None:
        """The controller's adapter is pulled out."""
        ...

    def plug(self) -> None:
        """It is put back."""
        ...


class LineFault:
    """One fault at work. It changes nothing by itself; the makers override what they spoil.

    `begin_fault` and `end_fault` are called once each. While it lasts, `carry` is given every
    frame that a station says, once for each other station, and `idle`, where it `idles`, is called
    for each station once a period of some milliseconds. What they give is heard, and nothing else.
    Chance comes from `rng` alone.
    """

    idles = False  # whether `idle` gives anything

    def __init__(self, line: LinePort, parameters: dict[str, Any], rng: Random) -> None:
        self.line = line
        self.parameters = parameters
        self.rng = rng

    def begin_fault(self, at_us: int) -> None:
        """It begins."""

    def end_fault(self, at_us: int) -> None:
        """It is over. What it still holds is lost."""

    def outlives(self, other: LineFault, at_us: int) -> None:
        """Another one is over, and may have put right what is still to be wrong."""

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """What the station at `place` hears of the frame that the one at `source` said; on a sound
        line, `heard`. None of it earlier than that."""
        return (heard,)

    def idle(self, place: int, now_us: int, period_us: int) -> Iterable[LineFrame]:
        """What the station at `place` hears besides, in the period that begins now."""
        return ()


def carried(
    faults: Iterable[LineFault], source: int, place: int, heard: LineFrame
) -> list[LineFrame]:
    """What the station at `place` hears of a frame behind all these faults."""
    found = [heard]
    for fault in faults:
        found = [later for one in found for later in fault.deliveries(source, place, one)]
    return found
