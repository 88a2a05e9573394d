"""Faults of the encoder: its channels, its zero mark, its cable."""

from __future__ import annotations

from tools.hil.faults.input_fault import InputFault
from tools.hil.faults.sensors import Crossed, Stuck

CHANNELS = ("enc_a", "enc_b")
MARK = "enc_z"
_CYCLE = 4  # edges of both channels
_REST_US = 100_000  # without an edge: contracts/trace.md


class CableOut(Stuck):
    """All that comes from the encoder stands at `level`."""

    def names(self) -> tuple[str, ...]:
        """Both channels and the mark."""
        return (*CHANNELS, MARK)


class Reversed(Crossed):
    """The channels have changed places: the rotor seems to turn the other way."""

    def names(self) -> tuple[str, ...]:
        """The two."""
        return CHANNELS


class Slipped(InputFault):
    """Once, the next `cycles` cycles of the encoder are lost; it counts on after them.

    At once: where the rotor comes to rest meanwhile, they are lost anew. Else as many might be lost
    on its way back, and nothing be wrong.
    """

    def names(self) -> tuple[str, ...]:
        """Both channels; the mark is another sensor."""
        return CHANNELS

    _lost = 0
    _last_us = 0

    def change(self, at_us: int, line: int, level: int) -> None:
        """Whole cycles are lost, or the levels would tell."""
        unfinished = self._lost < int(self.parameters["cycles"]) * _CYCLE
        if unfinished and at_us - self._last_us >= _REST_US:
            self._lost = 0
        self._last_us = at_us
        if unfinished:
            self._lost += 1
        else:
            self.put(at_us, line, level)


class MarkMoved(InputFault):
    """The sensor of the zero mark was pushed aside: the mark comes `steps` steps late."""

    _steps: int | None = None  # since the mark was there; None: it has not been yet
    _last_us = 0

    def names(self) -> tuple[str, ...]:
        """The mark's, and those by which the way is measured."""
        return (*CHANNELS, MARK)

    def change(self, at_us: int, line: int, level: int) -> None:
        """The mark from half a step before its step to half a step after, as wide as it is."""
        mark = self.world.line[MARK]
        if line == mark:
            self._steps = 0 if level else self._steps
            return
        self.put(at_us, line, level)
        if self._steps is not None:
            self._steps += 1
            late = self._steps - int(self.parameters["steps"])
            if late in (0, 1):
                self.put(at_us + (at_us - self._last_us) // 2, mark, 1 - late)
        self._last_us = at_us


class MarkTwice(MarkMoved):
    """A scratch: the zero mark comes a second time, `steps` steps after itself."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """The mark itself as well."""
        super().change(at_us, line, level)
        if line == self.world.line[MARK]:
            self.put(at_us, line, level)
