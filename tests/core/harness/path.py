"""An angle over time and when it passes what.

Angles in turns, ccw positive; times in seconds.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from itertools import pairwise
from math import ceil, floor, sqrt

from harness.places import RIM, RIM_BALL

Interval = tuple[float, float]
Pulse = tuple[int, int, int]  # begin, end, beam


class Path:
    """An angle over time: pieces of constant acceleration, one after the other."""

    def __init__(self, at: float, angle: float) -> None:
        self._at = [at]
        self._pieces: list[tuple[float, float, float, float]] = []  # angle, speed, accel., length
        self.end = at
        self.angle = angle

    def go(self, seconds: float, speed: float, last_speed: float | None = None) -> None:
        """Goes on for some seconds, from one speed to another."""
        last = speed if last_speed is None else last_speed
        acceleration = (last - speed) / seconds
        if abs(acceleration) < 1e-6:  # too little for the square root in `crossings`
            acceleration = 0.0
        self._pieces.append((self.angle, speed, acceleration, seconds))
        self.angle += (speed + last) / 2 * seconds
        self.end += seconds
        self._at.append(self.end)

    def at(self, time: float) -> float:
        """The unwrapped angle."""
        index = min(max(bisect.bisect_right(self._at, time) - 1, 0), len(self._pieces) - 1)
        angle, speed, acceleration, length = self._pieces[index]
        since = min(max(time - self._at[index], 0.0), length)
        return angle + speed * since + acceleration / 2 * since * since

    def crossings(
        self, offset: float, period: float, since: float, until: float
    ) -> Iterator[tuple[float, int, int]]:
        """(time, which n, way) of every passing of offset + n * period."""
        index = max(bisect.bisect_right(self._at, since) - 1, 0)
        while index < len(self._pieces) and self._at[index] < until:
            start = self._at[index]
            angle, speed, acceleration, length = self._pieces[index]
            turns_at = -speed / acceleration if acceleration else -1.0
            parts = [0.0, turns_at, length] if 0 < turns_at < length else [0.0, length]
            for begin, end in pairwise(parts):
                low = angle + speed * begin + acceleration / 2 * begin * begin
                high = angle + speed * end + acceleration / 2 * end * end
                way = 1 if high > low else -1
                first = (min(low, high) - offset) / period
                last = (max(low, high) - offset) / period
                which = range(floor(first) + 1, floor(last) + 1)
                if way < 0:  # what is touched going up is left going down
                    which = range(ceil(last) - 1, ceil(first) - 1, -1)
                for n in which:
                    there = offset + n * period - angle
                    if acceleration:
                        speed_there = way * sqrt(max(speed**2 + 2 * acceleration * there, 0.0))
                        time = start + (speed_there - speed) / acceleration
                    else:
                        time = start + there / speed
                    if since < time <= until:
                        yield time, n, way
            index += 1

    def near(self, place: float, width: float, since: float, until: float) -> list[Interval]:
        """When the angle is within half a width of a place (mod a turn)."""
        edges = [
            (time, way > 0) for time, _, way in self.crossings(place - width / 2, 1, since, until)
        ]
        edges += [
            (time, way < 0) for time, _, way in self.crossings(place + width / 2, 1, since, until)
        ]
        dark = abs((self.at(since) - place + 0.5) % 1 - 0.5) < width / 2
        found: list[Interval] = []
        begin = since
        for time, enters in sorted(edges):
            if dark and not enters:
                found.append((begin, time))
            if enters and not dark:
                begin = time
            dark = enters
        if dark:
            found.append((begin, until))
        return found

    def speed(self, time: float) -> float:
        """About how fast, turns a second; never 0."""
        return ((self.at(time + 0.05) - self.at(time - 0.05)) / 0.1) or 0.2


def throw(way: int, first: float, last: float, seconds: float, angle: float = 0.1) -> list[Pulse]:
    """The pulses of a ball that slows evenly, speeds in turns a second."""
    ball = Path(1.0, angle)
    ball.go(seconds, way * first, way * last)
    return sorted(
        (int(begin * 1e6), int(end * 1e6), beam)
        for beam, place in enumerate(RIM)
        for begin, end in ball.near(place, RIM_BALL, 1.0, ball.end)
    )
