"""What of a wheel outlives a restart."""

from firmware.core.facts import UNKNOWN
from firmware.shims.typed import Any, NamedTuple

# coup, seq: the last that ended; rotor: the last actuation; ball: which way the last ball ran;
# open_coup: a coup that began or was set in motion (0: none since the last end);
# learned: drop.Learned.
Memory = NamedTuple(
    "Memory",
    [
        ("coup", int),
        ("seq", int),
        ("rotor", int),
        ("ball", int),
        ("open_coup", int),
        ("learned", Any),
    ],
)
FRESH = Memory(0, 0, UNKNOWN, UNKNOWN, 0, None)
