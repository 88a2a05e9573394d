"""One recorded coup: what the core saw and was told, what it decided, and what it began with.

Times are microseconds from the recording's own beginning, which is before the coup's: in the
longest rest of the rotor shortly before, so that a core that begins there knows all there is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Edge = tuple[int, int, int]  # at_us, line, level (0 or 1)

# What stands beside the edges. Of FACT a line of facts.fact_line, of ASKED an event of
# facts.py by name and fields, of DURABLE the kind of a record, of DOUBT a line, of DRIVE a
# direction, of BUS_IN and BUS_OUT bytes in hex.
FACT, ASKED, DURABLE, DOUBT, DRIVE, BUS_IN, BUS_OUT = (
    "fact", "asked", "durable", "doubt", "drive", "bus_in", "bus_out",
)  # fmt: skip


class Note(NamedTuple):
    """One thing that was said: at what time, of which kind, what."""

    at_us: int
    kind: str
    value: Any


class Coup(NamedTuple):
    """A whole recording. `cut`: it grew too long, and its end is missing."""

    number: int
    levels: tuple[int, ...]  # of the board's lines as it begins
    # firmware.core.coup.restart_state.RestartState as the last coup left it
    restart_state: dict[str, Any]
    rested: bool  # the rotor stood as the recording begins
    edges: list[Edge]
    notes: list[Note]
    end_us: int
    cut: bool
