"""Whether every edge that the wheel made was taken: tapes and oscilloscope beside its own trace."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import boards
from firmware.services.recorder import files
from firmware.store.recorded_coup import DOUBT, FACT
from firmware.text.trace import open_trace
from tools.hil.stage.transcript import Line

BOARD = "roulette_ref"
NEAR_US = 30_000


class Tape(NamedTuple):
    """Edges of the wheel in the time that a tape covers, and what the tape has of them."""

    made: int
    # When: of those made and not on the tape at that microsecond; of those on the tape and not
    # made, or in doubt. In the wheel's microseconds.
    amiss_us: list[int]


def trace_of(path: Path) -> list[tuple[int, int, int]]:
    """All edges that the wheel made, in its microseconds."""
    with open_trace(path, boards.load(BOARD)) as trace:
        return [edge for edge in trace.edges() if edge[1] >= 0]


def beside(told: Sequence[Sequence[int]], trace: Path, shift_us: int) -> Tape:
    """Edges of one tape, from its first to its last. `shift_us` comes to their times."""
    return _compared(
        [(at_us + shift_us, line, level) for at_us, line, level in told], trace_of(trace)
    )


def tape_of(folder: Path, trace: Path, lines: Sequence[Line], shift_us: int) -> Tape:
    """All recorded coups in a folder. `lines`: what the controller told, to know when each was."""
    began_us = {
        line.told["coup"]: line.told["t_us"] + shift_us
        for line in lines
        if line.told["event"] == "coup_started"
    }
    made = trace_of(trace)
    count = 0
    amiss_us: list[int] = []
    for path in files.recordings(folder):
        coup = files.load(path, files.load_head(path), boards.load(BOARD))
        (note,) = [
            note for note in coup.notes
            if note.kind == FACT and note.value["event"] == "coup_started"
        ]  # fmt: skip
        from_us = began_us[coup.number] - note.at_us
        edges = [(at_us + from_us, line, level) for at_us, line, level in coup.edges]
        tape = _compared(edges, made)
        doubts_us = [note.at_us + from_us for note in coup.notes if note.kind == DOUBT]
        count += tape.made
        amiss_us += [*tape.amiss_us, *doubts_us]
    return Tape(count, amiss_us)


def _compared(taken: Sequence[Any], made: Sequence[Any]) -> Tape:
    """A process knows to some ms since when another counts; from edge to edge both know it to the
    microsecond. So the first edge is looked for nearby, and all others at their time after it."""
    if not taken:
        return Tape(0, [])
    at_us, *what = taken[0]
    near = made[
        bisect_left(made, at_us - NEAR_US, key=_time) : bisect_right(
            made, at_us + NEAR_US, key=_time
        )
    ]
    shifts = [edge[0] - at_us for edge in near if [*edge[1:]] == what] or [0]
    return min((_at(taken, made, shift_us) for shift_us in shifts), key=_amiss)


def _at(taken: Sequence[Any], made: Sequence[Any], shift_us: int) -> Tape:
    there = Counter((at_us + shift_us, line, level) for at_us, line, level in taken)
    first = bisect_left(made, taken[0][0] + shift_us, key=_time)
    end = bisect_right(made, taken[-1][0] + shift_us, key=_time)
    wanted = Counter(made[first:end])
    amiss = [*(wanted - there).elements(), *(there - wanted).elements()]
    return Tape(end - first, [edge[0] for edge in amiss])


def _amiss(tape: Tape) -> int:
    return len(tape.amiss_us)


def _time(edge: Any) -> int:
    at_us: int = edge[0]
    return at_us
