"""What the core is told and what it answers: the project's nouns, as records.

In: `Tick`, `Recorded`, `Trouble` and what people ask. (Edges come by a method of their own: an
object for each encoder edge would cost more than the work.)
Out: *facts* (the events of contracts/trace.md, for anyone) and *orders* (for the loop alone).
Times are microseconds of one monotonic clock. Rotor and ball directions are CCW, CW or UNKNOWN.
"""

from firmware.shims.typed import TYPE_CHECKING, Any, NamedTuple, Sequence

if TYPE_CHECKING:
    # One of the records below "out", which share no base: the type tells which.
    Fact = Any
    # What the core answers to an event: facts and orders, in order.
    Answer = Sequence[Fact]
    # The JSON object of a fact, in order. Any: of which type a value is follows from its key.
    FactLine = list[tuple[str, Any]]

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
# who: the croupier; manager: the member of the management present (art. 67-5); colour: only where
# the number alone does not tell it (vingt-trois), else None.
ManualEntered = NamedTuple(
    "ManualEntered",
    [
        ("at_us", int),
        ("number", int),
        ("colour", "str | None"),
        ("who", str),
        ("manager", str),
        ("why", str),
    ],
)
ClearAsked = NamedTuple("ClearAsked", [("at_us", int), ("who", str)])
# A coup that has ended is to stand otherwise; number: None makes it void. `colour` as above.
CorrectionAsked = NamedTuple(
    "CorrectionAsked",
    [
        ("at_us", int),
        ("coup", int),
        ("number", "int | None"),
        ("colour", "str | None"),
        ("who", str),
        ("manager", str),
        ("why", str),
    ],
)
# An employee has come to the table, or leaves it (Luxembourg art. 20-1: one at least at each coup).
EmployeePresent = NamedTuple("EmployeePresent", [("at_us", int), ("who", str), ("present", bool)])
# An employee signs off whoever sits at a terminal.
UnseatAsked = NamedTuple(
    "UnseatAsked", [("at_us", int), ("who", str), ("terminal", int), ("why", str)]
)
# Something of the players' accounts (firmware/stakes/accounts.py); what: an entry; given: of it.
EntryAsked = NamedTuple("EntryAsked", [("at_us", int), ("what", str), ("given", "dict[str, Any]")])
# Takes the wheel out of play, or puts it back. `who`: a technician or supervisor, logged in.
ServiceAsked = NamedTuple(
    "ServiceAsked", [("at_us", int), ("who", str), ("role", str), ("on", bool), ("why", str)]
)
# Turns the rotor out of play; way: its direction, as socket and coup records name it: CCW, CW or
# UNKNOWN, to let it run out; speed and time not then.
TurnAsked = NamedTuple(
    "TurnAsked",
    [
        ("at_us", int),
        ("who", str),
        ("role", str),
        ("way", int),
        ("speed_uturn_s", int),
        ("for_us", int),
    ],
)
# Something was done that is to be written down; sha256: of the file it is about, hex, or None.
ActDone = NamedTuple(
    "ActDone",
    [
        ("at_us", int),
        ("who", str),
        ("role", str),
        ("what", str),
        ("detail", str),
        ("sha256", "str | None"),
    ],
)
# Something outside the sensors went wrong: a code of faults.py, and what to fill its sentence with.
Trouble = NamedTuple("Trouble", [("at_us", int), ("code", str), ("detail", str)])

# What a Trouble told of has ended.
TroubleEnded = NamedTuple("TroubleEnded", [("at_us", int), ("code", str), ("detail", str)])

# The watch over the wheel's health has found something. code: of the fault to tell, or None; body:
# of the row to record, or None where that is recorded already.
HealthFound = NamedTuple(
    "HealthFound",
    [("at_us", int), ("code", "str | None"), ("detail", str), ("body", "dict[str, Any] | None")],
)

# The machine came round so much later than it was to: edges of that time may be lost.
StoodStill = NamedTuple("StoodStill", [("at_us", int), ("us", int)])

# How hard the rotor's motor works as the ball drops. spin_up_us: from rest to its speed, for this
# coup; None: not known; duty_permille: of what the motor can.
MotorEffort = NamedTuple(
    "MotorEffort", [("at_us", int), ("spin_up_us", "int | None"), ("duty_permille", int)]
)

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
        ("compartment", "int | None"),  # None if entered by hand where several have the number
        ("colour", str),
        ("verified", bool),
        ("layout_verified", bool),  # whether a source gives the order of the compartments
    ],
)
Void = NamedTuple("Void", [("at_us", int), ("coup", int), ("seq", int), ("reason", str)])
# What stands for a coup from now on: a number with its colour, or a void's reason; the other is
# None. `corrects`: the seq of what stood before.
Correction = NamedTuple(
    "Correction",
    [
        ("at_us", int),
        ("coup", int),
        ("seq", int),
        ("corrects", int),
        ("number", "int | None"),
        ("compartment", "int | None"),
        ("colour", "str | None"),
        ("reason", "str | None"),
    ],
)
Fault = NamedTuple("Fault", [("at_us", int), ("code", str), ("text", str)])
# A fault that was told has ended; detail: what its sentence was filled with.
FaultEnded = NamedTuple(
    "FaultEnded", [("at_us", int), ("code", str), ("detail", str), ("text", str)]
)
# An abandoned stake went into the casino's cash (Luxembourg art. 8); n: of its entry MARKED.
# Also what firmware/run/orphelins_service.py tells the core, to be passed on.
OrphelinPaidIn = NamedTuple(
    "OrphelinPaidIn",
    [("at_us", int), ("n", int), ("cents", int), ("total_cents", int), ("text", str)],
)
# What the croupier is counting up with the keys, for his own screen; None, None: forgotten.
NumberKeyed = NamedTuple(
    "NumberKeyed",
    [("at_us", int), ("coup", int), ("number", "int | None"), ("colour", "str | None")],
)

# Who of the house is at the table, by name (Luxembourg art. 20-1), whenever that changes.
Employees = NamedTuple("Employees", [("at_us", int), ("present", "Sequence[str]")])
# A row of the players' accounts is durable.
# `ref`: what who asked for it calls it; None: a terminal's.
Entered = NamedTuple(
    "Entered",
    [("at_us", int), ("kind", str), ("body", "dict[str, Any]"), ("ref", "str | None")],
)

# A technician's act, as it is written down: firmware/core/coup/maintenance.py.
Act = NamedTuple(
    "Act",
    [
        ("at_us", int),
        ("what", str),
        ("who", str),
        ("role", str),
        ("detail", str),
        ("sha256", "str | None"),
    ],
)
# What a call went by, at the call, for technicians alone: a dict as CallPredictor.explain gives it.
Estimate = NamedTuple("Estimate", [("at_us", int), ("coup", int), ("said", "dict[str, Any]")])

# --- out: orders, for the loop --------------------------------------------------------------------
# Drive the rotor in a direction (UNKNOWN: let it run out), at the house's speed (None) or another.
Drive = NamedTuple("Drive", [("direction", int), ("speed_uturn_s", "int | None")])
RUN_OUT = Drive(UNKNOWN, None)
# Make durable, then answer Recorded(ticket). kind: "begun", "actuation", "evidence", "result", ...
Record = NamedTuple("Record", [("ticket", int), ("kind", str), ("body", "dict[str, Any]")])
# How far the prediction of the call has come, as a coup has ended and as the controller starts,
# never between: coups learned from, how long before the drop the call is expected to end (None: not
# known yet), and why (one of predictor.WHYS). For those who may command. Nothing of a coup that is
# played is in it.
CallProgress = NamedTuple(
    "CallProgress", [("at_us", int), ("coups", int), ("lead_us", "int | None"), ("why", str)]
)
# What the displays may show from now on. `number` and its `colour` are None unless confirmed.
View = NamedTuple(
    "View",
    [
        ("state", str),
        ("coup", int),
        ("seq", int),
        ("rotor", int),
        ("number", "int | None"),
        ("colour", "str | None"),
        ("reason", "str | None"),
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
    (Result, "result", ("coup", "seq", "number", "compartment", "colour", "verified",
                        "layout_verified")),
    (Void, "void", ("coup", "seq", "reason")),
    (Correction, "correction", ("coup", "seq", "corrects", "number", "compartment", "colour",
                                "reason")),
    (Fault, "fault", ("code", "text")),
    (FaultEnded, "fault_ended", ("code", "detail", "text")),
    (OrphelinPaidIn, "orphelin_paid_in", ("n", "cents", "total_cents", "text")),
)
_CROUPIER_FACTS = (
    (NumberKeyed, "number_keyed", ("coup", "number", "colour")),
    (Act, "act", ("what", "who", "role", "detail", "sha256")),
    (Entered, "entered", ("kind", "body", "ref")),
    (Employees, "employees", ("present",)),
)
# fmt: on


def fact_line(fact: object) -> "FactLine | None":
    """Returns the JSON object of one fact as a list of (key, value) pairs in the contract's order.

    Returns None for an order, which nobody outside the loop may see, and for what is the
    croupier's alone.
    """
    return _line(fact, _FACTS)


def croupiers_line(fact: object) -> "FactLine | None":
    """Returns the same for a fact that only who may command is told; None for any other.

    What predicts, an Estimate, is not among them: firmware/api/scope.py tells it."""
    return _line(fact, _CROUPIER_FACTS)


# Any: the type of a record of this module.
def _line(fact: "Fact", known: Sequence[tuple[Any, str, Sequence[str]]]) -> "FactLine | None":
    for kind, name, keys in known:
        if isinstance(fact, kind):
            pairs = [("t_us", fact.at_us), ("event", name)]
            for key in keys:
                value = getattr(fact, key)
                if key in ("rotor", "ball"):
                    value = DIRECTION_NAMES[value]
                pairs.append((key, value))
            return pairs
    return None
