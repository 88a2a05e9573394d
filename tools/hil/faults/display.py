"""Faults of the displays, and of how they were set up. Each is told; play goes on (docs/bus.md)."""

from __future__ import annotations

from tools.hil.faults.bus import SILENT_S
from tools.hil.faults.entry import NUMBER, Expect, Fault, Parameter
from tools.hil.faults.line_fault import LineFault

OTHER = {1: 2, 2: 1}


class DisplayFault(LineFault):
    """A fault of the one at `display`."""

    @property
    def place(self) -> int:
        """Where it is on the line."""
        return int(self.parameters["display"])

    def outlives(self, other: LineFault, at_us: int) -> None:
        """Who was started by another fault's end is not to be well for that."""
        if isinstance(other, DisplayFault) and other.place == self.place:
            self.begin_fault(at_us)


class Dead(DisplayFault):
    """It has no power; at the end it starts anew."""

    def begin_fault(self, at_us: int) -> None:
        """Off."""
        self.line.power_off(self.place)

    def end_fault(self, at_us: int) -> None:
        """On."""
        self.line.power_on(self.place)


class Frozen(DisplayFault):
    """Its program stands still: it answers nothing, and its picture stays."""

    def begin_fault(self, at_us: int) -> None:
        """Stands still."""
        self.line.freeze(self.place)

    def end_fault(self, at_us: int) -> None:
        """Goes on."""
        self.line.thaw(self.place)


class SetUp(DisplayFault):
    """It is started with what belongs to the other display: its "address", its "key", or
    "both" (`others`)."""

    def begin_fault(self, at_us: int) -> None:
        """Started so."""
        others = self.parameters["others"]
        other = OTHER[self.place]
        self.line.power_on(
            self.place,
            address_of=0 if others == "key" else other,
            key_of=0 if others == "address" else other,
        )

    def end_fault(self, at_us: int) -> None:
        """Put right."""
        self.line.power_on(self.place)


_SILENT = Expect(NUMBER, ("B11",), by_s=SILENT_S)
# Who answer together spoil each other: one ask in some ten is answered by both, apart.
TWICE_S = 12.0
_WHICH = Parameter("display", "choice", ("1", "2"), "2")
_LONG_S = (6.0, 30.0)
_PLACES = ("virtual", "process", "kernel")
_MOMENTS = ("start", "launch", "drop", "rest")
_TOLD = ("LU-37-1.shown", "UK-4.1.detected")

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("display_dead", "display", "A display has no power.",
          Dead, _SILENT, _TOLD, moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES, parameters=(_WHICH,)),
    Fault("display_frozen", "display", "A display's program stands still, and so does its picture.",
          Frozen, _SILENT, _TOLD, moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES, parameters=(_WHICH,)),
    # Shorter than what is told as silent: it must be lit again, and nothing else.
    Fault("display_rebooted", "display", "A display starts anew.",
          Dead, Expect(NUMBER), ("LU-37-1.shown",), moments=_MOMENTS,
          lasts_s=(0.1, 2.5), places=_PLACES, parameters=(_WHICH,)),
    Fault("display_wrong_key", "display", "A display was set up with another one's key.",
          SetUp, _SILENT, (*_TOLD, "EN-5.4-4"), moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES,
          parameters=(_WHICH, Parameter("others", "choice", ("key",), "key"))),
    Fault("address_twice", "display", "Two displays have the same address.",
          SetUp, _SILENT, _TOLD, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES,
          parameters=(_WHICH, Parameter("others", "choice", ("address",), "address"))),
    Fault("display_twice", "display", "Two displays have the same address and the same key.",
          SetUp, Expect(NUMBER, ("B13",), by_s=TWICE_S), _TOLD, moments=_MOMENTS,
          lasts_s=(15.0, 30.0), places=_PLACES, pairs=False,  # noise makes it rarer still
          parameters=(_WHICH, Parameter("others", "choice", ("both",), "both"))),
)
# fmt: on
