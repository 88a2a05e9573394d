"""What of a card table outlives a restart."""

from firmware.core.cards import shoe_count
from firmware.shims.typed import Any, NamedTuple, Sequence

# A round that has ended, as its rows say: stakes is None where none were sealed; end: of the result
# or void, a correction's where one stands; waits: a payment of it waits for the management.
Ended = NamedTuple(
    "Ended",
    [
        ("stakes", "dict[str, Any] | None"),
        ("cards", "Sequence[dict[str, Any]]"),
        ("engagements", "Sequence[dict[str, Any]]"),
        ("end", "dict[str, Any]"),
        ("waits", bool),
    ],
)

# A round that began and has no end, as its rows say; stakes is None before the call.
OpenRound = NamedTuple(
    "OpenRound",
    [
        ("round", int),
        ("stakes", "dict[str, Any] | None"),
        ("cards", "Sequence[dict[str, Any]]"),
        ("engagements", "Sequence[dict[str, Any]]"),
    ],
)

# round: the last that ended; seq: the last given to a result, void or correction; interrupted: the
# OpenRound after it, or None; shoe: its count; last: the Ended of `round`, or None.
RestartState = NamedTuple(
    "RestartState",
    [
        ("round", int),
        ("seq", int),
        ("interrupted", "OpenRound | None"),
        ("shoe", "shoe_count.ShoeState"),
        ("last", "Ended | None"),
    ],
)
FRESH = RestartState(0, 0, None, shoe_count.NONE, None)
