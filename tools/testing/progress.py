"""Says at once how long a long command will take, and then how far it is.

    with Progress("bench-call", total=12_000, unit="coups", workers=2) as progress:
        for found in pool.imap_unordered(play, plans):
            progress.add(found.coups, note=f"{late} late")

At once: what the last whole run on this machine took, in seconds for one unit and worker; it is
kept in var/durations of the checkout (or $CYLINDRE_DURATIONS), from runs of KEPT_S or more. Where
none is known, `unit_s` tells, what it took elsewhere, or else the first TRIAL_S of the work. Then,
on standard error: at a terminal one line that is redrawn, elsewhere a line a minute, also while no
unit ends for long. Where units differ in cost, add their weights.

Ctrl-C and all else that ends the block early leave one last line, and are passed on. Print what
belongs above the line by `say`.

Not rich.progress: `cylindre hil campaign` runs where rich is not installed, and of all this rich
does the redrawing alone. It says nothing in a log, knows no last run, and takes its time left from
the last half minute, which jumps where units are long.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TextIO

# So much work, and such a share of all, before it is guessed how long the whole takes.
TRIAL_S = 2.0
TRIAL_SHARE = 0.005
LOG_S = 60.0  # between two lines where nobody looks
REDRAW_S = 0.25
KEPT_S = 10.0  # a shorter run says little of a longer one: start and end weigh too much
# The last run stands for so large a share of this one. It steadies what the first units tell.
LAST_SHARE = 0.05
FOLDER = "CYLINDRE_DURATIONS"  # in the environment: another folder; empty: nothing is kept
_COLUMNS = 80  # of a terminal that does not say

_ROOT = Path(__file__).resolve().parents[2]
_DRAWING = threading.Lock()


class Progress:
    """How far one command is. All is told to `out`; every method may be called from any thread."""

    def __init__(
        self, name: str, total: float, *, unit: str = "", like: str = "", done: float = 0.0,
        workers: int = 1, unit_s: float | None = None, out: TextIO | None = None,
        folder: Path | None = None, clock: Callable[[], float] = time.monotonic, beats: bool = True,
    ) -> None:  # fmt: skip
        """`total`: the sum of all that will be added; `done`: so much of it was before.

        `unit`: what is counted. If it is left out only percents are told, as where weights are no
        number of anything. `like`: what else decides how long a unit takes; runs of another kind
        are kept apart. `unit_s`: what a unit took one worker on another machine. `folder`: of the
        durations. `beats`: redraws by itself, by a thread.
        """
        self._name = name
        self._total = max(total, 1e-9)
        self._unit = unit
        self._done = self._before = done
        self._workers = workers
        self._out = sys.stderr if out is None else out
        self._clock = clock
        self._terminal = self._out.isatty()
        self._kept = _kept(folder, f"{name}-{like}" if like else name)
        here_s = _read(self._kept)
        self._where = "elsewhere" if here_s is None else "the last time"
        self._last_s = unit_s if here_s is None else here_s
        self._start_s = self._added_s = self._told_s = clock()
        self._guessed = self._last_s is not None
        self._note = self._drawn = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True) if beats else None

    def __enter__(self) -> Progress:
        self._start_s = self._added_s = self._clock()
        left_s = self.left_s()
        with _DRAWING:
            if left_s is None:
                self._draw(f"{self._name}: the first {TRIAL_S:.0f} s tell how long it takes")
            else:
                self._draw(f"{self._name}: about {duration(left_s)}, as {self._where}")
        if self._thread is not None:
            _hold_at_fork()
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        took_s = self._clock() - self._start_s
        how = f"done in {duration(took_s)}"
        if kind is not None:
            how = f"stopped after {duration(took_s)}, {self._far()}"
        elif took_s >= KEPT_S and self._done > self._before:
            _write(self._kept, took_s * self._workers / (self._done - self._before))
        with _DRAWING:
            self._draw(f"{self._name}: {how}{self._note}", last=True)

    def add(self, units: float = 1.0, note: str = "") -> None:
        """So much more is done. `note`: what else there is to say, until the next one."""
        with _DRAWING:
            self._done += units
            self._added_s = self._clock()
            self._note = f"; {note}" if note else self._note
        self.beat()

    def print_line(self, text: str, out: TextIO | None = None) -> None:
        """A line that stays, above the one that is redrawn; to `out` if it belongs elsewhere."""
        with _DRAWING:
            if self._terminal:
                self._put("\r\x1b[K")
                self._drawn = ""
            print(text, file=self._out if out is None else out, flush=True)
            if self._terminal:
                self._draw(self.line())

    def beat(self) -> None:
        """Tells how it stands, if it is time to; the thread does that."""
        with _DRAWING:
            since_s = self._clock() - self._told_s
            first = not self._guessed and self.left_s() is not None
            if first or since_s >= (REDRAW_S if self._terminal else LOG_S):
                self._guessed = self._guessed or first
                self._draw(self.line())

    def line(self) -> str:
        """How it stands."""
        left_s, spent_s = self.left_s(), self._clock() - self._start_s
        if left_s is None:
            rest = f"{duration(spent_s)} so far"
        elif left_s <= 0 and self._done < self._total:
            rest = f"{duration(spent_s)} so far, longer than thought"
        else:
            rest = f"{duration(max(left_s, 0))} left"
        return f"{self._name}: {self._far()}, {rest}{self._note}"

    def left_s(self) -> float | None:
        """The time left. None: it cannot be known yet. Below 0: it should have been over.

        Each unit corrects it; until the next one it runs down as the clock does.
        """
        spent_s, done = self._added_s - self._start_s, self._done - self._before
        whole = self._total - self._before
        if self._last_s is not None:
            share = LAST_SHARE * whole
            spent_s, done = spent_s + share * self._last_s / self._workers, done + share
        elif spent_s < TRIAL_S or done < TRIAL_SHARE * whole:
            return None
        rest_s = spent_s / max(done, 1e-9) * (self._total - self._done)
        return rest_s - (self._clock() - self._added_s)

    def _far(self) -> str:
        if self._unit:
            return f"{self._done:,.0f} of {self._total:,.0f} {self._unit}"
        return f"{math.floor(100 * self._done / self._total + 1e-6)} %"

    def _beat(self) -> None:
        while not self._over.wait(REDRAW_S):
            self.beat()

    def _draw(self, line: str, *, last: bool = False) -> None:
        """Under the lock."""
        self._told_s = self._clock()
        if self._terminal:
            line = line[: _columns(self._out) - 1]
            if last or line != self._drawn:
                self._put(f"\r{line}\x1b[K" + ("\n" if last else ""))
            self._drawn = line
        else:
            self._put(f"{line}\n")

    def _put(self, text: str) -> None:
        # Nobody may read it any more: the work is worth going on with.
        with contextlib.suppress(OSError, ValueError):
            self._out.write(text)
            self._out.flush()


def duration(seconds: float) -> str:
    """As a person says it."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def _columns(out: TextIO) -> int:
    """How wide that terminal is: a line that wraps cannot be redrawn."""
    try:
        return os.get_terminal_size(out.fileno()).columns or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS


def _kept(folder: Path | None, name: str) -> Path | None:
    """Where the pace of the last run is; None where there is no checkout to keep it in."""
    if folder is None:
        chosen = os.environ.get(FOLDER)
        if chosen == "" or not (_ROOT / "pyproject.toml").exists():
            return None
        folder = Path(chosen) if chosen else _ROOT / "var/durations"
    return folder / f"{name}.json"


def _read(path: Path | None) -> float | None:
    """Seconds for one unit and worker. None: not known; what cannot be read is not, either."""
    if path is None:
        return None
    try:
        unit_s = float(json.loads(path.read_text(encoding="utf-8"))["unit_s"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return unit_s if 0 < unit_s < math.inf else None


def _write(path: Path | None, unit_s: float) -> None:
    """For the next run. Where it cannot be written, that one tries for itself."""
    if path is None:
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        part.write_text(json.dumps({"unit_s": unit_s}) + "\n", encoding="utf-8")
        part.replace(path)


@cache
def _hold_at_fork() -> None:
    """No fork while the thread writes: what is forked would find the stream locked for ever."""
    os.register_at_fork(
        before=_DRAWING.acquire,
        after_in_parent=_DRAWING.release,
        after_in_child=_DRAWING.release,
    )
