"""Faults of the displays themselves, and of how they were set up."""

from __future__ import annotations

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
            self.begin(at_us)


class Dead(DisplayFault):
    """It has no power; at the end it starts anew."""

    def begin(self, at_us: int) -> None:
        """Off."""
        self.line.power_off(self.place)

    def end(self, at_us: int) -> None:
        """On."""
        self.line.power_on(self.place)


class Frozen(DisplayFault):
    """Its program stands still: it answers nothing, and its picture stays."""

    def begin(self, at_us: int) -> None:
        """Stands still."""
        self.line.freeze(self.place)

    def end(self, at_us: int) -> None:
        """Goes on."""
        self.line.thaw(self.place)


class SetUp(DisplayFault):
    """It is started with what belongs to the other display: its "address", its "key", or
    "both" (`others`)."""

    def begin(self, at_us: int) -> None:
        """Started so."""
        others = self.parameters["others"]
        other = OTHER[self.place]
        self.line.power_on(
            self.place,
            address_of=0 if others == "key" else other,
            key_of=0 if others == "address" else other,
        )

    def end(self, at_us: int) -> None:
        """Put right."""
        self.line.power_on(self.place)
