"""What of a wheel outlives a restart."""

from firmware.core.facts import UNKNOWN
from firmware.shims.typed import NamedTuple, Sequence

# How the last coup ended, corrections applied: `seq` of the record that stands, and a number with
# its colour or a void's reason; the other is None.
LastOutcome = NamedTuple(
    "LastOutcome",
    [("seq", int), ("number", "int | None"), ("colour", "str | None"), ("reason", "str | None")],
)

# coup: the last that ended; seq: the last given to a result, void or correction; rotor: the last
# actuation; ball: which way the last ball ran; open_coup: a coup that began or was set in motion
# (0: none since the last end); learned: of the call, as call/learned.py records it, or None; last:
# a LastOutcome, of `coup`, or None; corrections: (coup, seq) of each correction in the order of
# their seq, as far back as seq has counted without a break.
RestartState = NamedTuple(
    "RestartState",
    [
        ("coup", int),
        ("seq", int),
        ("rotor", int),
        ("ball", int),
        ("open_coup", int),
        ("learned", "list[int] | None"),
        ("last", "LastOutcome | None"),
        ("corrections", "Sequence[tuple[int, int]]"),
    ],
)
FRESH = RestartState(0, 0, UNKNOWN, UNKNOWN, 0, None, None, ())
