"""What the core is told and what it answers: the project's nouns, as records.

In: `Tick`, `Recorded`, `Trouble` and what people ask. (Edges come by a method of their own: an
object for each encoder edge would cost more than the work.)
Out: *facts* (the events of contracts/trace.md, for anyone) and *orders* (for the loop alone).
Times are microseconds of one monotonic clock. Rotor and ball directions are CCW, CW or UNKNOWN.
"""

from firmware.shims.typed import Any, NamedTuple

CCW = 1
CW = -1
UNKNOWN = 0
DIRECTION_NAMES = {CCW: "ccw", CW: "cw", UNKNOWN: None}

# Neither 0 nor 1: the line lost an edge, or repeated one, or does not stand as its edges say.
DOUBT = -1

# --- in -----------------------------------------------------------------------------------------
Tick = NamedTuple("Tick", [("at_us", int)])
Recorded = NamedTuple("Recorded", [("at_us", int), ("ticket", int)])
VoidAsked = NamedTuple("VoidAsked", [("at_us", int), ("who", str)])
ConfirmAsked = NamedTuple("ConfirmAsked", [("at_us", int), ("who", str)])
ManualEntered = NamedTuple("ManualEntered", [("at_us", int), ("number", int), ("who", str)])
ClearAsked = NamedTuple("ClearAsked", [("at_us", int), ("who", str)])
# Something outside the sensors went wrong: a code of faults.py, and what to fill its sentence with.
Trouble = NamedTuple("Trouble", [("at_us", int), ("code", str), ("detail", str)])

# --- out: facts, for the displays, the log and whoever listens ------------------------------------
CoupStarted = NamedTuple("CoupStarted", [("at_us", int), ("coup", int), ("rotor", int)])
RotorMoving = NamedTuple("RotorMoving", [("at_us", int), ("coup", int), ("rotor", int)])
BallInTrack = NamedTuple("BallInTrack", [("at_us", int), ("coup", int), ("ball", int)])
NoMoreBets = NamedTuple("NoMoreBets", [("at_us", int), ("coup", int)])
BallDropped = NamedTuple("BallDropped", [("at_us", int), ("coup", int)])
# What the sensors say, before anybody has confirmed it; never shown on a display as a number.
Detected = NamedTuple(
    "Detected", [("at_us", int), ("coup", int), ("number", int), ("compartment", int)]
)
Result = NamedTuple(
    "Result",
    [
        ("at_us", int),
        ("coup", int),
        ("seq", int),
        ("number", int),
        ("compartment", int),
        ("colour", str),
        ("verified", bool),
    ],
)
Void = NamedTuple("Void", [("at_us", int), ("coup", int), ("seq", int), ("reason", str)])
Fault = NamedTuple("Fault", [("at_us", int), ("code", str), ("text", str)])

# --- out: orders, for the loop --------------------------------------------------------------------
# Drive the rotor in a direction (UNKNOWN: let it run out).
Drive = NamedTuple("Drive", [("rotor", int)])
# Make durable, then answer Recorded(ticket). kind: "actuation", "result", "void", "learned", ...
Record = NamedTuple("Record", [("ticket", int), ("kind", str), ("body", Any)])
# What the displays may show from now on. `number` is None unless it is confirmed.
View = NamedTuple(
    "View",
    [
        ("state", str),
        ("coup", int),
        ("seq", int),
        ("rotor", int),
        ("number", Any),
        ("reason", Any),
    ],
)

# fmt: off
_FACTS = (
    (CoupStarted, "coup_started", ("coup", "rotor")),
    (RotorMoving, "rotor_moving", ("coup", "rotor")),
    (BallInTrack, "ball_in_track", ("coup", "ball")),
    (NoMoreBets, "no_more_bets", ("coup",)),
    (BallDropped, "ball_dropped", ("coup",)),
    (Detected, "detected", ("coup",)),  # no number here: detected is not yet official
    (Result, "result", ("coup", "seq", "number", "compartment", "colour", "verified")),
    (Void, "void", ("coup", "seq", "reason")),
    (Fault, "fault", ("code", "text")),
)
# fmt: on


def fact_line(fact: Any) -> Any:
    """The JSON object of one fact as a list of (key, value) pairs in the contract's order.

    Returns None for an order, which nobody outside the loop may see.
    """
    for kind, name, keys in _FACTS:
        if isinstance(fact, kind):
            pairs = [("t_us", fact.at_us), ("event", name)]
            for key in keys:
                value = getattr(fact, key)
                if key in ("rotor", "ball"):
                    value = DIRECTION_NAMES[value]
                pairs.append((key, value))
            return pairs
    return None
