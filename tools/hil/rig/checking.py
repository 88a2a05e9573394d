"""The first test of a rig: each wire by itself, both ways. Says which are crossed, cut or shorted.

Signals that go into the wheel are raised here one after the other, and the probe there tells which
of its inputs rose; those that come out are raised there, and seen here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol

SETTLE_S = 0.02  # a wire and a pull of 50 kOhm need microseconds; ssh orders the rest


class Ours(Protocol):
    """Our side: tools.hil.rig.lines.RigLines."""

    def drive(self, signal: str, level: int) -> None:
        """Puts a level on the wire."""
        ...

    def levels(self) -> dict[str, int]:
        """What comes in."""
        ...


class Theirs(Protocol):
    """The wheel's: the probe."""

    def levels(self) -> dict[str, int]:
        """What comes in there."""
        ...

    def set(self, signal: str, level: int) -> None:
        """Sets an output there."""
        ...


def problems(ours: Ours, theirs: Theirs, settle: Callable[[float], None] = time.sleep) -> list[str]:
    """What is wrong with the wires, a sentence each; empty if each is where the file says."""
    into = list(theirs.levels())
    out = list(ours.levels())
    for signal in into:
        ours.drive(signal, 0)
    for signal in out:
        theirs.set(signal, 0)
    settle(SETTLE_S)
    found = list(_stuck(theirs.levels(), "the wheel's board"))
    found += _stuck(ours.levels(), "ours")
    if found:
        return found  # nothing can be told of others while one line is high by itself
    rose = {one: _rose(ours.drive, theirs.levels, one, settle) for one in into}
    found += _named(rose, "goes in")
    rose = {one: _rose(theirs.set, ours.levels, one, settle) for one in out}
    return found + list(_named(rose, "comes out"))


def _stuck(levels: dict[str, int], whose: str) -> Iterator[str]:
    for name, level in levels.items():
        if level:
            yield f"{name} is high at {whose} though nobody drives it: look for a short to 3.3 V."


def _rose(
    drive: Callable[[str, int], None],
    levels: Callable[[], dict[str, int]],
    signal: str,
    settle: Callable[[float], None],
) -> set[str]:
    """Which signals are seen when that one is raised."""
    drive(signal, 1)
    settle(SETTLE_S)
    seen = {name for name, level in levels().items() if level}
    drive(signal, 0)
    settle(SETTLE_S)
    return seen


def _named(rose: dict[str, set[str]], way: str) -> Iterator[str]:
    """Each fault once, by the names of its signals."""
    told: set[frozenset[str]] = set()
    for signal, seen in rose.items():
        if seen == {signal}:
            continue
        if not seen:
            yield f"{signal} {way} by a wire that is missing or cut, or at another pin."
        elif signal in seen:
            if (group := frozenset(seen)) not in told:
                told.add(group)
                yield f"{' and '.join(sorted(seen))} are shorted: each is seen on the other."
        else:
            yield f"{signal} {way} as {' and '.join(sorted(seen))}: the wires are crossed."
