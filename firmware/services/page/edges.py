"""The edges of the last minutes, for the oscilloscope: kept as they came, read when exported."""

from __future__ import annotations

import io
import json
from collections import deque
from typing import Any

from vcd.writer import VCDWriter

from firmware.text.trace import SCOPE

KEPT_MAX = 4 * 1024 * 1024  # bytes: an hour of play; beside that a page has nothing
_EDGES = b'{"event":"edges"'
_LINES = b'{"ok":true,"do":"edges"'
_ESTIMATE = b'{"event":"estimate"'


class Kept:
    """Keeps what the controller says of edges; `add_line` says what of it is for the pages."""

    def __init__(self) -> None:
        self.lines = b""  # the answer that names the lines, once there was one
        self.whole_us = 0  # from here on the line was never away
        self._frames: deque[bytes] = deque()
        self._size = 0
        self._levels: list[int] = []  # of the lines, before the first frame kept
        self._now: list[int] = []  # and after the last
        self._now_us = 0
        self._sure_us = 0  # up to which none is held back
        self._anew: list[int] | None = None  # levels of a line that was away, until edges are told
        self._is_apart = False

    def add_line(self, line: bytes) -> tuple[str, bytes] | None:
        """Returns the event's name and its JSON, or None: what comes on this line is not all of
        edges.
        """
        data = line.rstrip(b"\n")
        if line.startswith(_EDGES):
            self._keep(data)
            return "edges", data
        if line.startswith(_ESTIMATE):
            return "estimate", data
        if line.startswith(_LINES):
            self._begin(data)
            return "lines", data
        return None

    def snapshot(self) -> str:
        """As `lines`, with how the lines stood when edges were told last: what is held back is
        later. For who begins to look."""
        said = json.loads(self.lines) | {"levels": self._now, "t_us": self._sure_us}
        return json.dumps(said, separators=(",", ":"))

    def part(self) -> None:
        """Ends what is kept: the controller is gone, and what another says does not join it."""
        self._is_apart = True

    def copy(self) -> Kept:
        """Returns a copy of all of it as it stands now, for a thread."""
        found = Kept()
        found.lines, found._now_us = self.lines, self._now_us
        found._frames, found._levels = self._frames.copy(), [*self._levels]
        return found

    def _begin(self, data: bytes) -> None:
        """The line is there, perhaps again: what came before is kept if it is of the same lines."""
        said = json.loads(data)
        same = bool(self.lines) and json.loads(self.lines)["lines"] == said["lines"]
        if same and self._frames and not self._is_apart:
            self._anew = said["levels"]
        else:
            self._forget(said["levels"])
        self.lines, self._now, self._is_apart = data, [*said["levels"]], False

    def _join(self, told: dict[str, Any]) -> None:
        """The line is there again, and edges are told: in between every line was in doubt."""
        levels, self._anew = self._anew or [], None
        edges = told["edges"]
        known_us = max(self._sure_us, edges[0][0] if edges else told["t_us"])
        self.whole_us = known_us
        doubt = [[self._sure_us, line, -1] for line in range(len(levels))]
        known = [[known_us, line, level] for line, level in enumerate(levels)]
        self._add(json.dumps({"edges": doubt + known}, separators=(",", ":")).encode())

    def _forget(self, levels: list[int]) -> None:
        self._frames.clear()
        self._size, self._now_us, self._sure_us, self.whole_us = 0, 0, 0, 0
        self._levels, self._anew = [*levels], None

    def _keep(self, data: bytes) -> None:
        told = json.loads(data)  # some 50 us, once for all viewers
        if told["t_us"] < self._now_us:  # another controller's time: what came before goes
            self._forget(self._now)
        elif self._anew is not None and not told["held"]:
            self._join(told)
        self._now_us = told["t_us"]
        if not told["held"]:
            self._sure_us = told["t_us"]
        for _, line, level in told["edges"]:
            self._now[line] = level
        self._add(data)

    def _add(self, data: bytes) -> None:
        self._frames.append(data)
        self._size += len(data)
        while self._size > KEPT_MAX:
            oldest = self._frames.popleft()
            self._size -= len(oldest)
            for _, line, level in json.loads(oldest)["edges"]:
                self._levels[line] = level

    def vcd(self, from_us: int, to_us: int) -> str | None:
        """Returns the edges between two times as a VCD with 1-bit wires; None if nothing is kept.

        Its zero is `from_us`, its end not after what was seen; a line in doubt stands as x.
        """
        if not self.lines:
            return None
        to_us = min(to_us, self._now_us)
        from_us = min(from_us, to_us)
        names = json.loads(self.lines)["lines"]
        levels: list[Any] = [_level(level) for level in self._levels]
        after: list[tuple[int, int, Any]] = []
        for frame in self._frames:
            for at_us, line, level in json.loads(frame)["edges"]:
                if at_us <= from_us:
                    levels[line] = _level(level)
                elif at_us <= to_us:
                    after.append((at_us, line, _level(level)))
        return _written(names, levels, sorted(after, key=_time), from_us, to_us)


def _written(
    names: list[str],
    levels: list[Any],
    edges: list[tuple[int, int, Any]],
    from_us: int,
    to_us: int,
) -> str:
    """Returns the text. Two changes of a line at one time: the later stands."""
    file = io.StringIO()
    with VCDWriter(file, timescale="1 us", date="", version="cylindre") as writer:
        wires = [
            writer.register_var(SCOPE, name, "wire", 1, levels[line])
            for line, name in enumerate(names)
        ]
        for at_us, line, level in edges:
            writer.change(wires[line], at_us - from_us, level)
        writer.close(max(to_us - from_us, 0))
    return file.getvalue()


def _time(edge: tuple[int, int, Any]) -> int:
    return edge[0]


def _level(level: int) -> Any:
    return level if level in (0, 1) else "x"
