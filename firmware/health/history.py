"""What a replay remembers for people besides the evidence: acts, odds over time, scatter."""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware.core.health.watch import HealthWatch
from firmware.health.items import Acted, Item, Played

SAMPLES_MAX = 512  # of the odds over time; of more every second is left out


class Sample(NamedTuple):
    """The odds of each family after a line, as a part of those at which it is told."""

    line: int
    parts: dict[str, float]


class History:
    """Remembers what was played, as it was first recorded."""

    def __init__(self, compartments: int) -> None:
        """Has seen nothing yet."""
        self.acts: list[Acted] = []
        self.samples: list[Sample] = []
        # How often balls came to rest so many compartments past their launch.
        self.moved = [0] * compartments
        self._items = 0
        self._each = 1

    def add(self, item: Item, watch: HealthWatch) -> None:
        """Takes an item that `watch` has judged just now."""
        if isinstance(item, Acted):
            self.acts.append(item)
        elif isinstance(item, Played) and item.coup.launch_place is not None:
            moved = item.coup.direction * (item.coup.place - item.coup.launch_place)
            self.moved[moved % len(self.moved)] += 1
        self._items += 1
        if self._items % self._each == 0:
            self.samples.append(Sample(item.line, _parts(watch)))
        if len(self.samples) > SAMPLES_MAX:
            self.samples = self.samples[1::2]
            self._each *= 2

    def save(self) -> dict[str, Any]:
        """Returns all of it, as JSON has it."""
        return {
            "acts": self.acts,
            "samples": self.samples,
            "moved": self.moved,
            "items": self._items,
            "each": self._each,
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Takes what `save` returned."""
        self.acts = [Acted(*act) for act in saved["acts"]]
        self.samples = [Sample(*sample) for sample in saved["samples"]]
        self.moved = saved["moved"]
        self._items, self._each = saved["items"], saved["each"]


def _parts(watch: HealthWatch) -> dict[str, float]:
    found: dict[str, float] = {}
    for stream in watch.streams:
        part = stream.judge.total / stream.line
        found[stream.family] = max(part, found.get(stream.family, 0.0))
    return {family: float(f"{part:.3g}") for family, part in found.items()}
