"""A wheel as far as updates know it: each state that its power, and people, lead to.

Real: the boot words, state.json, RAUC's note, and all of ours that reads and writes them. The power
is cut before each write of a step, and in the middle of one that is not atomic.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from update.slots_here import runs, starts, wrote

from firmware.lib import durable
from firmware.lib.errors import Failure
from firmware.lib.partitions import SLOTS, STATE_COPY, STATE_FILE, TRIES, Slot
from firmware.services.update import bootenv, commit, installing, rauc_calls, state
from firmware.services.update.slots import FIRMWARE, RAUC_STATE, STATE, named, other
from firmware.services.update.state import GOOD, HALF

STEPS = ("start", "early step", "checked, well", "checked, ill", "install", "install, torn",
         "install, cut", "install, cut, note lost", "roll back", "mark active")  # fmt: skip
_FILES = (FIRMWARE / STATE_FILE, FIRMWARE / STATE_COPY, STATE / state.NAME,
          RAUC_STATE / "central.raucs")  # fmt: skip
_CHECK = commit.Check("self-test", ("true",))
_UNCUT = 1000  # no step writes so often


class Wheel(NamedTuple):
    """Its files; the slot that runs, None: it is off; which are whole, and proved since then.

    `good`: which were ever called so, and have not begun to be written over since.
    """

    files: tuple[bytes | None, ...]
    on: str | None = None
    whole: frozenset[str] = frozenset("A")  # as flashed: nothing is in B
    checked: frozenset[str] = frozenset("A")
    good: frozenset[str] = frozenset()


class Cut(BaseException):
    """The power is gone."""


class Walk:
    """Takes steps in one folder, in which a wheel lies as flashed; `mounted`: a good bundle."""

    def __init__(self, root: Path, mounted: Path) -> None:
        self._root, self._mounted = root, mounted
        self._wheel = Wheel(())
        self._writes_left: int | None = None
        self._tears = self._torn = False
        self.flashed = Wheel(self._read())

    def follow(self, wheel: Wheel) -> Iterator[tuple[str, Wheel]]:
        """Every step from there, uncut and cut in each write, and what comes of it."""
        if wheel.on is not None:
            yield "power cut", wheel._replace(on=None)
        for step in STEPS[:1] if wheel.on is None else STEPS[1:]:
            cut, at = True, 0
            while cut:
                cut, came = self._take(wheel, step, at)
                yield f"{step}, cut before write {at}" if cut else step, came
                if cut and self._torn:
                    yield f"{step}, torn in write {at}", self._take(wheel, step, at, tears=True)[1]
                at += 1

    def proved_in_reach(self, wheel: Wheel) -> bool:
        """Whether a slot that was checked comes up, whatever is cut, if nobody does anything."""
        self._write(wheel.files)
        return any(starts(self._root) in wheel.whole & wheel.checked for _ in range(3 * TRIES))

    def called_good(self, wheel: Wheel) -> frozenset[str]:
        """The slots that the state calls good."""
        self._write(wheel.files)
        return self._called(GOOD)

    def in_reach(self, wheel: Wheel) -> set[str]:
        """What comes up if no check passes any more, and what a rollback would then go to."""
        wheel = wheel._replace(on=None)
        for _ in range(3 * TRIES):
            for step in ("start", "early step", "checked, ill"):
                if step == "start" or wheel.on is not None:
                    wheel = self._take(wheel, step, _UNCUT)[1]
            if wheel.on is not None:
                break
        found = {wheel.on or "nothing"}
        with contextlib.suppress(Failure):
            found.add(installing.way_back(self._root)[0].bootname)
        return found

    def after(self, *steps: str) -> Wheel:
        """As flashed, and then these, of which none was cut."""
        wheel = self.flashed
        for step in steps:
            wheel = wheel._replace(on=None) if step == "off" else self._take(wheel, step, _UNCUT)[1]
        return wheel

    def _take(self, wheel: Wheel, step: str, at: int, *, tears: bool = False) -> tuple[bool, Wheel]:
        """One step, its power cut at that write; whether it came so far."""
        self._write(wheel.files)
        if wheel.on is not None:
            runs(self._root, wheel.on, "1.0.0")
        self._wheel, self._writes_left, self._tears = wheel, at, tears
        cut = False
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(durable, "replace", self._replaces)
            patch.setattr(durable, "overwrite", self._overwrites)
            patch.setattr(commit, "first_failure", lambda *_: self._checked(step))
            try:
                self._do(step)
            except Cut:
                cut, self._wheel = self._writes_left == 0, self._wheel._replace(on=None)
            except Failure:
                pass
        good = (wheel.good & self._wheel.checked | self._called(GOOD)) - self._called(HALF)
        return cut, self._wheel._replace(files=self._read(), good=good)

    def _called(self, kind: str) -> frozenset[str]:
        now = state.load(self._root)
        return frozenset(slot.bootname for slot in SLOTS if now.of(slot).kind == kind)

    def _do(self, step: str) -> None:
        wheel, root = self._wheel, self._root
        here = named(wheel.on or "")
        if here is None:
            name = starts(root)  # U-Boot's own; what is not whole is reset
            self._wheel = wheel._replace(on=name if name in wheel.whole else None)
        elif step == "early step":
            commit.started(root)
        elif step.startswith("checked"):
            if not commit.settle(root, [_CHECK]).kept:
                self._wheel = self._wheel._replace(on=None)
        elif step.startswith("install"):
            self._install(step, other(here))
        elif step == "roll back":
            installing.go_back(root, installing.way_back(root)[0])
        else:
            rauc_calls.arm(root, other(here))

    def _install(self, step: str, into: Slot) -> None:
        """As RAUC does."""
        rauc_calls.pre_install(self._root, self._mounted)
        rauc_calls.withdraw(self._root, into)
        name, wheel = frozenset(into.bootname), self._wheel
        if step != "install, cut, note lost":
            wrote(self._root, "update", into)
        self._wheel = wheel._replace(whole=wheel.whole - name, checked=wheel.checked - name)
        if "cut" in step:
            raise Cut
        if step == "install":
            self._wheel = self._wheel._replace(whole=wheel.whole | name)
            wrote(self._root, "ok", into)
            rauc_calls.arm(self._root, into)

    def _checked(self, step: str) -> str | None:
        if step != "checked, well":
            return "self-test: ended with 1"
        wheel = self._wheel
        self._wheel = wheel._replace(checked=wheel.checked | {wheel.on or ""})
        return None

    def _replaces(self, path: Path, data: bytes) -> None:
        self._torn = False
        self._count()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def _overwrites(self, path: Path, data: bytes) -> None:
        self._torn = self._writes_left == 0  # this write, unlike the other kind, can be
        if self._tears and self._torn:
            path.write_bytes(data[:512] + path.read_bytes()[512:])  # a sector arrived
        self._count()
        path.write_bytes(data)

    def _count(self) -> None:
        assert self._writes_left is not None
        if self._writes_left == 0:
            raise Cut
        self._writes_left -= 1

    def _read(self) -> tuple[bytes | None, ...]:
        """As they lie there; of the two files of words, the one that nobody will read as the other.

        A whole state is copied before it is written over, so its copy is never read as it is now.
        """
        paths = [self._root / path for path in _FILES]
        words, copy, *rest = (path.read_bytes() if path.exists() else None for path in paths)
        if words is not None and bootenv.parse(words) is not None:
            return (words, words, *rest)
        return (b"torn", copy, *rest)

    def _write(self, files: tuple[bytes | None, ...]) -> None:
        for name, data in zip(_FILES, files, strict=True):
            path = self._root / name
            if data is None:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
