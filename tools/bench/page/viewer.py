"""One viewer of the service page, as a bench has it: counts what its stream tells."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Sequence
from typing import Any

SPAN_S_MIN = 2.0  # of a shorter one a rate says little
STILL_US = 250_000  # without an edge for so long the wheel rests, and less is told


class Viewer:
    """One open page with its oscilloscope. Lines of its event stream go in."""

    def __init__(self, *, keeps: bool = False) -> None:
        """`keeps`: every edge, in `edges`."""
        self.edges: list[list[int]] = []  # t_us, line, level
        self.size = 0
        self.count = 0  # of edges
        self.lost = 0  # of edges, as the controller says
        self.frames = 0
        self.gap_s = 0.0  # the longest between two frames of a wheel that moves
        self.told: list[tuple[int, int]] = []  # t_us and CRC-32 of each line of edges
        self._keeps = keeps
        self._name = b""
        self._frame_us = -1
        self._moved_us = 0  # the last edge
        self._came_s = 0.0
        self._frames = 0  # since the first of the span
        # When the first and the last frame with edges came, and how many came in between.
        self._span: list[float] = []
        self._spans: list[list[float]] = []

    def read_line(self, line: bytes) -> None:
        """A line of the stream."""
        self.size += len(line)
        if line.startswith(b"event: "):
            self._name = line[7:].strip()
        elif self._name == b"edges" and line.startswith(b"data: "):
            self._take_edges(line[6:], time.monotonic())

    def moving(self) -> list[float]:
        """Frames a second of each time in which edges were told as they came."""
        spans = [*self._spans, self._span] if self._span else self._spans
        return [
            round((frames - 1) / (last_s - first_s), 2)
            for first_s, last_s, frames in spans
            if last_s - first_s >= SPAN_S_MIN
        ]

    def _take_edges(self, data: bytes, now_s: float) -> None:
        told: dict[str, Any] = json.loads(data)
        self.told.append((told["t_us"], zlib.crc32(data)))
        self.lost += told["lost"]
        self.count += len(told["edges"])
        if self._keeps:
            self.edges += told["edges"]
        if told["t_us"] == self._frame_us:  # what was held back takes several lines
            return
        self._frame_us = told["t_us"]
        self.frames += 1
        edges = told["edges"]
        since_us = edges[0][0] if edges else told["t_us"]
        if told["held"] or since_us - self._moved_us > STILL_US:
            if self._span:
                self._spans.append(self._span)
            self._span, self._frames = [], 0
        if self._span:
            self.gap_s = max(self.gap_s, now_s - self._came_s)
        self._came_s = now_s
        self._frames += 1
        if edges and not told["held"]:
            self._moved_us = edges[-1][0]
            first_s = self._span[0] if self._span else now_s
            self._span = [first_s, now_s, self._frames if self._span else 1]
            self._frames = int(self._span[2])


def alike(seen: Sequence[Viewer]) -> bool:
    """Whether all were told the same lines of edges while all of them looked."""
    if not seen or not all(viewer.told for viewer in seen):
        return not any(viewer.told for viewer in seen)
    first_us = max(viewer.told[0][0] for viewer in seen)
    last_us = min(viewer.told[-1][0] for viewer in seen)
    heard = {
        tuple(line for line in viewer.told if first_us <= line[0] < last_us) for viewer in seen
    }
    return len(heard) == 1
