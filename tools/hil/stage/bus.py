"""The line between controller and displays on real ttys: its time on the wire, its faults."""

from __future__ import annotations

import contextlib
import heapq
import os
import pty
import tty
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from firmware.bus.slots import LOOP_US, wire_us
from firmware.config import BAUD
from tools.hil.faults.line_fault import CONTROLLER, LineFrame, carried
from tools.hil.line_faults import LineFaults
from tools.hil.scenario import Scenario
from tools.hil.world import FaultInterval

_PAST_MAX = 400  # frames: half a minute
_CHUNK = 4096
_FRAME_MAX = 4096  # what never ends is noise, and passed on as it is


class Displays(Protocol):
    """Who has the displays' processes."""

    def power_off(self, place: int) -> None:
        """Kills one, not to be started again."""
        ...

    def power_on(self, place: int, *, address_of: int = 0, key_of: int = 0) -> None:
        """Starts it, with the address and the key of those displays; 0: its own."""
        ...

    def freeze(self, place: int) -> None:
        """Stops one (SIGSTOP)."""
        ...

    def thaw(self, place: int) -> None:
        """Lets it go on."""
        ...


class TtyLine:
    """A LinePort: so many ttys, `ends`, whose masters are joined here frame by frame."""

    def __init__(self, scenario: Scenario, count: int, displays: Displays) -> None:
        """Makes the pseudo-terminals, raw. Raises OSError."""
        self.places: Sequence[int] = range(count + 1)
        self.past: deque[bytes] = deque(maxlen=_PAST_MAX)
        self.power_off = displays.power_off
        self.power_on = displays.power_on
        self.freeze = displays.freeze
        self.thaw = displays.thaw
        self.masters: list[int] = []
        self.ends: list[str] = []
        self._slaves: list[int] = []
        self._held = [b"" for _ in self.places]
        self._free_us = [0 for _ in self.places]  # when each has said what it says
        self._due: list[tuple[int, int, int, bytes]] = []  # when, order, who hears it, what
        self._order = 0
        self._idle_us = 0
        for _ in self.places:
            master, slave = pty.openpty()
            self.masters.append(master)
            # Held open, or the master would report an error when a process lets go of its end.
            self._slaves.append(slave)
            tty.setraw(slave)
            os.set_blocking(master, False)
            self.ends.append(os.ttyname(slave))
        self._faults = LineFaults(self, scenario)

    def receive_from(self, source: int, now_us: int) -> None:
        """Takes what the station at `source` has said."""
        with contextlib.suppress(BlockingIOError):
            *whole, rest = (self._held[source] + os.read(self.masters[source], _CHUNK)).split(b"\0")
            if len(rest) > _FRAME_MAX:
                whole, rest = [*whole, rest], b""
            self._held[source] = rest
            for part in filter(None, whole):
                self._say(source, b"\0" + part + b"\0", now_us)

    def pass_on(self, intervals: Sequence[FaultInterval], now_us: int) -> None:
        """Begins and ends faults, and gives everybody what has come through to them by now."""
        self._faults.follow(intervals, now_us)
        if self._faults.working and now_us >= self._idle_us:
            self._idle_us = now_us + LOOP_US
            for fault in self._faults.working:
                for place in self.places:
                    for heard in fault.idle(place, now_us, LOOP_US):
                        self._plan(place, heard)
        while self._due and self._due[0][0] <= now_us:
            _, _, place, data = heapq.heappop(self._due)
            # Full: nobody reads there, and a line without a listener loses its bytes too.
            with contextlib.suppress(BlockingIOError):
                os.write(self.masters[place], data)

    @property
    def next_us(self) -> int | None:
        """When `pass_on` has something to do, if nothing comes before."""
        idle_us = [self._idle_us] if self._faults.working else []
        return min([*idle_us, *(due[0] for due in self._due[:1])], default=None)

    def unplug(self) -> None:
        """A pseudo-terminal cannot be pulled out."""
        raise NotImplementedError

    def plug(self) -> None:
        """Nor put back."""
        raise NotImplementedError

    def close(self) -> None:
        """Takes the line away."""
        for handle in (*self.masters, *self._slaves):
            os.close(handle)

    def _say(self, source: int, frame: bytes, now_us: int) -> None:
        """A frame lasts as long as it does at the line's speed, behind what its station said."""
        if source == CONTROLLER:
            self.past.append(frame)
        over_us = max(now_us, self._free_us[source]) + wire_us(len(frame), BAUD)
        self._free_us[source] = over_us
        for place in self.places:
            if place != source:
                for heard in carried(
                    self._faults.working, source, place, LineFrame(over_us, frame)
                ):
                    self._plan(place, heard)

    def _plan(self, place: int, heard: LineFrame) -> None:
        self._order += 1
        heapq.heappush(self._due, (heard.at_us, self._order, place, heard.data))
