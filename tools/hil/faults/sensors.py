"""Faults of the sensors: what happens to the edges between the table and the controller.

The table's edges alone are changed, never what is true. A line keeps to what a line can do: it
rises and falls in turn, so all but `Doubted` can be made on real lines as well.
"""

from __future__ import annotations

from firmware.core.facts import DOUBT
from tools.hil.faults.input_fault import InputFault
from tools.sim.sensors import Edge

_WAVE_LEAST_US = 50  # what is shorter no input lets through


class Stuck(InputFault):
    """The line `line` stands at `level`, whatever passes its sensor."""

    def begin(self, at_us: int) -> list[Edge]:
        """To that level at once."""
        return [(at_us, line, int(self.parameters["level"])) for line in self.lines]

    def change(self, at_us: int, line: int, level: int) -> None:
        """Nothing of it."""


class Missed(InputFault):
    """Each pulse of `line` is lost with a chance of `chance_percent`."""

    _lost = False

    def change(self, at_us: int, line: int, level: int) -> None:
        """A pulse is lost with both its edges."""
        if level:
            self._lost = self.rng.random() * 100 < self.parameters["chance_percent"]
        if not self._lost:
            self.put(at_us, line, level)


class Bounced(InputFault):
    """With a chance of `chance_percent` an edge of `line` comes thrice, within `bounce_us`."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """There, back, and there again."""
        self.take_back(line)
        self.put(at_us, line, level)
        if self.rng.random() * 100 < self.parameters["chance_percent"]:
            bounce_us = int(self.parameters["bounce_us"])
            back_us = self.rng.randint(1, bounce_us)
            self.put(at_us + back_us, line, 1 - level)
            self.put(at_us + self.rng.randint(back_us, bounce_us) + 1, line, level)


class Jittered(InputFault):
    """Every edge of `line` comes late by up to `jitter_us`, each by another time."""

    _last_us = 0

    def change(self, at_us: int, line: int, level: int) -> None:
        """Later, but never before the one that came before it."""
        late_us = self.rng.randint(0, int(self.parameters["jitter_us"]))
        self._last_us = max(at_us + late_us, self._last_us + 1)
        self.put(self._last_us, line, level)


class _Growing(InputFault):
    """A fault that grows by `grows_us_s` with every second that it lasts."""

    def begin(self, at_us: int) -> list[Edge]:
        """From nothing."""
        self._begin_us = at_us
        return []

    def amount_us(self, at_us: int) -> int:
        """How much it has become."""
        return int((at_us - self._begin_us) * self.parameters["grows_us_s"] / 1_000_000)


class Narrowed(_Growing):
    """Dirt: `line` answers later and later to what comes before its sensor, at last not at all."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """Pulses lose their beginning."""
        self.take_back(line)
        self.put(at_us + self.amount_us(at_us) * level, line, level)


class Widened(_Growing):
    """Dirt: `line` stays longer and longer with what has passed its sensor, at last for good."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """Pulses end later; those that meet become one."""
        self.take_back(line)
        self.put(at_us + self.amount_us(at_us) * (1 - level), line, level)


class Ambient(_Growing):
    """Lamps shine into the sensor of `line`: pulses at `wave_hz` that grow to nine tenths."""

    _lit = 0  # what the lamps make of it
    _level = 0  # what it should be
    _wave_us = 0  # the next edge of the lamps

    def begin(self, at_us: int) -> list[Edge]:
        """With the first half wave."""
        self._level = self.world.levels[self.lines[0]]
        self._wave_us = at_us
        return super().begin(at_us)

    def change(self, at_us: int, line: int, level: int) -> None:
        """Both are seen as one."""
        self.fill(at_us)
        self._level = level
        self.put(at_us, line, self._lit | level)

    def fill(self, until_us: int) -> None:
        """The waves until then."""
        period_us = 1_000_000 // int(self.parameters["wave_hz"])
        while self._wave_us <= until_us:
            at_us = self._wave_us
            lit_us = min(self.amount_us(at_us), period_us * 9 // 10)
            self._lit = int(not self._lit and lit_us >= _WAVE_LEAST_US)
            self._wave_us += lit_us if self._lit else period_us - lit_us
            self.put(at_us, self.lines[0], self._lit | self._level)


class Crossed(InputFault):
    """`line` and the next of its kind have changed places in the connector."""

    def names(self) -> tuple[str, ...]:
        """The two."""
        first: str = self.parameters["line"]
        alike = [name for name in self.world.line if _kind(name) == _kind(first)]
        return first, alike[(alike.index(first) + 1) % len(alike)]

    def begin(self, at_us: int) -> list[Edge]:
        """Each stands as the other did."""
        one, other = self.lines
        levels = self.world.levels
        return [(at_us, one, levels[other]), (at_us, other, levels[one])]

    def change(self, at_us: int, line: int, level: int) -> None:
        """It is the other's."""
        one, other = self.lines
        self.put(at_us, other if line == one else one, level)


class Doubted(InputFault):
    """An edge of `line` is lost now and again, and the controller is told that (on a Pi)."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """As firmware.shims.edge_ledger tells it: the doubt, then the level as it is."""
        if self.rng.random() * 100 < self.parameters["chance_percent"]:
            self.put(at_us, line, DOUBT)
        self.put(at_us, line, level)


def _kind(name: str) -> str:
    """What kind of line that is: its name without its number."""
    return name.rstrip("0123456789") if name[-1].isdigit() else name.split("_")[0]
