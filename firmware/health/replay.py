"""Plays what was recorded of a wheel through the watch, and corrections as they came.

A correction counts from its own line on: the sums are those of all coups as they stand then, and
what was told before stays told. So the answer for a record that ends at any line is the beginning
of the answer for the whole.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from firmware.core.health.facts import Epoch, Notice
from firmware.core.health.watch import HealthWatch
from firmware.health.history import History
from firmware.health.items import Acted, Corrected, Item, Played, Recorded

_KEPT_EACH = 5_000  # items between two states to go back to
_KEPT_MAX = 64
_RECENT_MAX = 2 * _KEPT_EACH  # items at hand: most corrections come soon


class GivenNotice(NamedTuple):
    """A notice, and the line after which it was first given."""

    line: int
    t_s: float
    notice: Notice


class Ended(NamedTuple):
    """What an act ended, and its line."""

    line: int
    t_s: float
    act: str
    epochs: tuple[Epoch, ...]


class _Kept(NamedTuple):
    """The watch's state after a line, and after how many items that is."""

    line: int
    items: int
    state: array[float]


class Replay:
    """A wheel's health, line by line."""

    def __init__(self, recorded: Recorded, new_watch: Callable[[], HealthWatch]) -> None:
        """`new_watch`: makes a watch that knows nothing, over that wheel."""
        self._recorded = recorded
        self._new_watch = new_watch
        self.watch = new_watch()
        self.notices: list[GivenNotice] = []
        self.ended: list[Ended] = []
        self.history = History(recorded.wheel.compartments)
        # The first line whose time is before the last one's, and that nobody knows of.
        self.clock_back: int | None = None
        self._t_s = 0.0
        self._count = 0  # items
        self._line = 0  # of the last
        self._stands: dict[int, int | None] = {}  # of corrected lines: the compartment
        self._kept: list[_Kept] = []
        self._each = _KEPT_EACH
        self._recent: deque[Item] = deque(maxlen=_RECENT_MAX)

    def run(self, items: Iterator[Item] | None = None) -> Iterator[Item]:
        """Plays one item after the other; yields each once it has been judged. Raises Failure.

        `items`: those after a state that was restored; None: all.
        """
        for item in self._recorded.items() if items is None else items:
            if self.clock_back is not None and self._recorded.knows_clock(self.clock_back):
                self.clock_back = None
            if item.t_s < self._t_s and self.clock_back is None:
                self.clock_back = item.line
            self._t_s = item.t_s
            if isinstance(item, Corrected):
                self._correct(item)
            else:
                self._play(item)
            self._count += 1
            self._line = item.line
            self._recent.append(item)
            self._keep(item.line)
            for notice in self.watch.take_notices():
                self.notices.append(GivenNotice(item.line, item.t_s, notice))
            self.history.add(item, self.watch)
            yield item

    def _play(self, item: Played | Acted) -> None:
        if isinstance(item, Acted):
            epochs = self.watch.act(item.kind)
            if epochs:
                self.ended.append(Ended(item.line, item.t_s, item.kind, tuple(epochs)))
        else:
            self._judge(item)

    def _judge(self, item: Played) -> None:
        place = self._stands.get(item.line, item.coup.place)
        if place is not None:
            self.watch.add(item.coup._replace(place=place))

    def _keep(self, line: int) -> None:
        if self._count % self._each:
            return
        self._kept.append(_Kept(line, self._count, array("d", self.watch.save())))
        if len(self._kept) > _KEPT_MAX:
            self._each *= 2
            self._kept = [each for each in self._kept if each.items % self._each == 0]

    def _correct(self, item: Corrected) -> None:
        """Judges all coups from the corrected one on anew, as they stand now."""
        told = self.watch.streams_told()
        self._stands[item.of] = item.place
        self._kept = [each for each in self._kept if each.line < item.of]
        self.watch = self._new_watch()
        first = 0
        if self._kept:
            first = self._kept[-1].items
            self.watch.restore(iter(self._kept[-1].state))
        for each in self._items_from(first):
            if isinstance(each, Acted):
                self.watch.act(each.kind)
            elif isinstance(each, Played):
                self._judge(each)
        self.watch.take_notices()
        self.watch.set_streams_told(told)

    def _items_from(self, first: int) -> Iterator[Item]:
        """Returns the items that were played, without so many at the beginning. Raises Failure."""
        skipped = len(self._recent) - (self._count - first)
        if skipped >= 0:
            return islice(self._recent, skipped, None)
        return islice(self._recorded.items(), first, self._count)

    # --- its state, to go on from ---------------------------------------------------------------
    def save(self) -> dict[str, Any]:
        """Returns all that is known, as JSON has it, for `restore` of the same wheel's replay."""
        return {
            "watch": self.watch.save(),
            "notices": self.notices,
            "ended": self.ended,
            "history": self.history.save(),
            "clock_back": self.clock_back,
            "t_s": self._t_s,
            "count": self._count,
            "line": self._line,
            "stands": list(self._stands.items()),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Takes what `save` returned; this replay is new.

        Raises LookupError, TypeError, ValueError or StopIteration for anything else.
        """
        self.watch.restore(iter(saved["watch"]))
        self.notices = [
            GivenNotice(line, t_s, Notice(*notice)) for line, t_s, notice in saved["notices"]
        ]
        self.ended = [
            Ended(
                line,
                t_s,
                act,
                tuple(Epoch._make([*epoch, tuple(counts)]) for *epoch, counts in epochs),
            )
            for line, t_s, act, epochs in saved["ended"]
        ]
        self.history.restore(saved["history"])
        self.clock_back = saved["clock_back"]
        self._t_s = saved["t_s"]
        self._count = saved["count"]
        self._line = saved["line"]
        self._kept.append(_Kept(self._line, self._count, array("d", saved["watch"])))
        self._stands = dict(saved["stands"])
