"""What the controller tells the displays: a status, and the last outcomes. Plain values in and out.

A message that contradicts itself (a number that is not confirmed, a void without a reason) is no
message: `decode` answers None, and nobody has to ask again further on.
"""

import struct

from firmware.bus.frame import BYTE_ORDER
from firmware.shims.typed import NamedTuple, Sequence

VERSION = 1
STATUS = 1
HISTORY = 2

# Outcomes a history holds: what the displays of the trade show.
HISTORY_MAX = 20
# Two digits; a display narrows it to its own game.
NUMBER_MAX = 99
NO_NUMBER = 0xFF

CONFIRMED = "CONFIRMED"
VOID = "VOID"
# fmt: off
STATES = (
    (1, "BETS_OPEN"), (2, "BALL_IN_TRACK"), (3, "NO_MORE_BETS"), (4, "BALL_DROPPED"),
    (5, "DETECTED"), (6, CONFIRMED), (7, "MANUAL"), (8, VOID), (9, "FAULT"),
)
# Why a coup is void (contracts/trace.md). OTHER stands for a reason that this table lacks.
OTHER = "other"
REASONS = (
    (0, None), (1, "rotor_not_reversed"), (2, "same_direction"), (3, "too_few_turns"),
    (4, "moved_before_call"), (5, "foreign_object"), (6, "two_balls"), (7, "ball_lost"),
    (8, "sensors_disagree"), (9, "encoder"), (10, "timeout"), (11, "interrupted"),
    (12, "croupier"), (255, OTHER),
)
ROTORS = (-1, 0, 1)

# Fields: name, struct code, meaning. docs/bus.md is generated from these.
HEADER_FIELDS = (
    ("version", "B", f"{VERSION}; another is not understood"),
    ("kind", "B", f"{STATUS} status, {HISTORY} history"),
    ("session", "I", "differs at each start of the controller"),
    ("counter", "I", "one more with every message of a session, of either kind"),
)
STATUS_FIELDS = (
    ("state", "B", "of the coup, see the states"),
    ("coup", "I", "its number"),
    ("seq", "I", "sequence of results and voids"),
    ("rotor", "b", "1 ccw, -1 cw, 0 not known"),
    ("number", "B", f"only if CONFIRMED, else 0x{NO_NUMBER:02X}"),
    ("reason", "B", "only if VOID, else 0; see the reasons"),
)
HISTORY_FIELDS = (
    ("first_seq", "I", "sequence of the oldest outcome; the others follow without a gap"),
    ("count", "B", f"outcomes that follow, {HISTORY_MAX} at most"),
)
OUTCOME_MEANING = f"one byte an outcome, newest last: the number, 0x{NO_NUMBER:02X} for a void"
# fmt: on

Status = NamedTuple(
    "Status",
    [
        ("session", int),
        ("counter", int),
        ("state", str),
        ("coup", int),
        ("seq", int),
        ("rotor", int),
        ("number", "int | None"),
        ("reason", "str | None"),
    ],
)
History = NamedTuple(
    "History",
    [
        ("session", int),
        ("counter", int),
        ("first_seq", int),
        # Numbers, None for a void; newest last.
        ("outcomes", "tuple[int | None, ...]"),
    ],
)


def _format(*tables: Sequence[tuple[str, str, str]]) -> str:
    return BYTE_ORDER + "".join([field[1] for table in tables for field in table])


HEADER_FORMAT = _format(HEADER_FIELDS)
STATUS_FORMAT = _format(HEADER_FIELDS, STATUS_FIELDS)
HISTORY_FORMAT = _format(HEADER_FIELDS, HISTORY_FIELDS)
_HEADER_SIZE = struct.calcsize(HEADER_FORMAT)
_STATUS_SIZE = struct.calcsize(STATUS_FORMAT)
_HISTORY_SIZE = struct.calcsize(HISTORY_FORMAT)

_STATE_CODES = {name: code for code, name in STATES}
_STATE_NAMES = dict(STATES)
_REASON_CODES = {name: code for code, name in REASONS}
_REASON_NAMES = dict(REASONS)


def known_reason(reason: str | None) -> str:
    """`reason` if it has a code, else OTHER."""
    return reason if reason is not None and reason in _REASON_CODES else OTHER


def encode_status(status: Status) -> bytes:
    """The bytes of a status. Raises KeyError for a state or reason that has no code."""
    return struct.pack(
        STATUS_FORMAT,
        VERSION,
        STATUS,
        status.session,
        status.counter,
        _STATE_CODES[status.state],
        status.coup,
        status.seq,
        status.rotor,
        _number_byte(status.number),
        _REASON_CODES[status.reason],
    )


def encode_history(history: History) -> bytes:
    """The bytes of a history of at most HISTORY_MAX outcomes."""
    return struct.pack(
        HISTORY_FORMAT,
        VERSION,
        HISTORY,
        history.session,
        history.counter,
        history.first_seq,
        len(history.outcomes),
    ) + bytes([_number_byte(number) for number in history.outcomes])


def decode(payload: bytes) -> Status | History | None:
    """The message in a payload, or None if this is not a whole and consistent one."""
    if len(payload) < _HEADER_SIZE or payload[0] != VERSION:
        return None
    if payload[1] == STATUS:
        return _decode_status(payload)
    if payload[1] == HISTORY:
        return _decode_history(payload)
    return None


def _decode_status(payload: bytes) -> Status | None:
    if len(payload) != _STATUS_SIZE:
        return None
    fields = struct.unpack(STATUS_FORMAT, payload)
    _, _, session, counter, state_code, coup, seq, rotor, number, reason_code = fields
    state = _STATE_NAMES.get(state_code)
    if state is None or rotor not in ROTORS or reason_code not in _REASON_NAMES:
        return None
    if not _is_outcome(number) or (number != NO_NUMBER) != (state == CONFIRMED):
        return None
    reason = _REASON_NAMES[reason_code]
    if (reason is not None) != (state == VOID):
        return None
    return Status(session, counter, state, coup, seq, rotor, _number(number), reason)


def _decode_history(payload: bytes) -> History | None:
    if len(payload) < _HISTORY_SIZE:
        return None
    _, _, session, counter, first_seq, count = struct.unpack(
        HISTORY_FORMAT, payload[:_HISTORY_SIZE]
    )
    outcomes = payload[_HISTORY_SIZE:]
    if count > HISTORY_MAX or count != len(outcomes):
        return None
    for outcome in outcomes:
        if not _is_outcome(outcome):
            return None
    return History(session, counter, first_seq, tuple([_number(outcome) for outcome in outcomes]))


def _is_outcome(byte: int) -> bool:
    return byte <= NUMBER_MAX or byte == NO_NUMBER


def _number_byte(number: int | None) -> int:
    return NO_NUMBER if number is None else number


def _number(byte: int) -> int | None:
    return None if byte == NO_NUMBER else byte
