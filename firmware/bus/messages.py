"""What the controller tells the displays: a status, and the last outcomes. Plain values in and out.

A message that contradicts itself (a number that is not confirmed, a void without a reason) is no
message: `decode` answers None, and nobody has to ask again further on.
"""

import struct

from firmware.bus.frame import BYTE_ORDER
from firmware.shims.typed import Any, NamedTuple, Sequence

VERSION = 3
STATUS = 1
HISTORY = 2

# Outcomes a history holds: what the displays of the trade show.
HISTORY_MAX = 20
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

# Code, apparatus, its least and its greatest number.
GAMES = ((1, "roulette", 0, 36), (2, "vingt_trois", 1, 14), (3, "boule", 1, 9))
# Of the compartment, not of the number: at vingt-trois a number has two.
COLOURS = ((0, None), (1, "red"), (2, "black"), (3, "green"), (4, "yellow"), (5, "white"))

# Fields: name, struct code, meaning. docs/bus.md is generated from these.
HEADER_FIELDS = (
    ("version", "B", f"{VERSION}; another is not understood"),
    ("kind", "B", f"{STATUS} status, {HISTORY} history"),
    ("session", "I", "differs at each start of the controller"),
    ("counter", "I", "one more with every message of a session, of either kind"),
)
STATUS_FIELDS = (
    ("game", "B", "what is played, see the games; the same for a whole session"),
    ("state", "B", "of the coup, see the states"),
    ("coup", "I", "its number"),
    ("seq", "I", "sequence of results and voids"),
    ("rotor", "b", "1 ccw, -1 cw, 0 not known"),
    ("number", "B", f"only if CONFIRMED, else 0x{NO_NUMBER:02X}"),
    ("colour", "B", "of the number, else 0; see the colours"),
    ("reason", "B", "only if VOID, else 0; see the reasons"),
    ("verified", "B", "of the layout: 1; 0 where no source gives the order of the compartments"),
)
HISTORY_FIELDS = (
    ("game", "B", "as in a status"),
    ("first_seq", "I", "sequence of the oldest outcome; the others follow without a gap"),
    ("count", "B", f"outcomes that follow, {HISTORY_MAX} at most"),
)
OUTCOME_MEANING = (
    "two bytes an outcome, newest last: the number and its colour,"
    f" 0x{NO_NUMBER:02X} and 0 for a void"
)
# fmt: on

Status = NamedTuple(
    "Status",
    [
        ("session", int),
        ("counter", int),
        ("game", str),
        ("state", str),
        ("coup", int),
        ("seq", int),
        ("rotor", int),
        ("number", "int | None"),
        ("colour", "str | None"),
        ("reason", "str | None"),
        ("layout_verified", bool),
    ],
)
History = NamedTuple(
    "History",
    [
        ("session", int),
        ("counter", int),
        ("game", str),
        ("first_seq", int),
        # (number, colour), None for a void; newest last.
        ("outcomes", "tuple[tuple[int, str] | None, ...]"),
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
_GAME_CODES = {name: code for code, name, _, _ in GAMES}
_GAMES = {code: (name, low, high) for code, name, low, high in GAMES}
_COLOUR_CODES = {name: code for code, name in COLOURS}
_COLOUR_NAMES = dict(COLOURS)


def known_reason(reason: str | None) -> str:
    """`reason` if it has a code, else OTHER."""
    return reason if reason is not None and reason in _REASON_CODES else OTHER


def encode_status(status: Status) -> bytes:
    """The bytes of a status. Raises KeyError for a game, state, colour or reason without a code."""
    return struct.pack(
        STATUS_FORMAT,
        VERSION,
        STATUS,
        status.session,
        status.counter,
        _GAME_CODES[status.game],
        _STATE_CODES[status.state],
        status.coup,
        status.seq,
        status.rotor,
        NO_NUMBER if status.number is None else status.number,
        _COLOUR_CODES[status.colour],
        _REASON_CODES[status.reason],
        1 if status.layout_verified else 0,
    )


def encode_history(history: History) -> bytes:
    """The bytes of a history of at most HISTORY_MAX outcomes."""
    return struct.pack(
        HISTORY_FORMAT,
        VERSION,
        HISTORY,
        history.session,
        history.counter,
        _GAME_CODES[history.game],
        history.first_seq,
        len(history.outcomes),
    ) + b"".join([_outcome_bytes(outcome) for outcome in history.outcomes])


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
    session, counter, game, state_code, coup, seq, rotor = fields[2:9]
    number, colour, reason_code, verified = fields[9:]
    state = _STATE_NAMES.get(state_code)
    if state is None or rotor not in ROTORS or reason_code not in _REASON_NAMES:
        return None
    if verified > 1:
        return None
    if not _is_outcome(game, number, colour) or (number != NO_NUMBER) != (state == CONFIRMED):
        return None
    reason = _REASON_NAMES[reason_code]
    if (reason is not None) != (state == VOID):
        return None
    return Status(
        session,
        counter,
        _GAMES[game][0],
        state,
        coup,
        seq,
        rotor,
        None if number == NO_NUMBER else number,
        _COLOUR_NAMES[colour],
        reason,
        verified == 1,
    )


def _decode_history(payload: bytes) -> History | None:
    if len(payload) < _HISTORY_SIZE:
        return None
    _, _, session, counter, game, first_seq, count = struct.unpack(
        HISTORY_FORMAT, payload[:_HISTORY_SIZE]
    )
    told = payload[_HISTORY_SIZE:]
    if count > HISTORY_MAX or 2 * count != len(told) or game not in _GAMES:
        return None
    outcomes: list[Any] = []
    for at in range(0, len(told), 2):
        if not _is_outcome(game, told[at], told[at + 1]):
            return None
        number, colour = told[at], _COLOUR_NAMES[told[at + 1]]
        outcomes.append(None if number == NO_NUMBER else (number, colour))
    return History(session, counter, _GAMES[game][0], first_seq, tuple(outcomes))


def _is_outcome(game: int, number: int, colour: int) -> bool:
    """Whether that game has such a number, with a colour; or there is neither."""
    if game not in _GAMES or colour not in _COLOUR_NAMES:
        return False
    if number == NO_NUMBER or not colour:
        return number == NO_NUMBER and not colour
    _, low, high = _GAMES[game]
    return low <= number <= high


def _outcome_bytes(outcome: tuple[int, str] | None) -> bytes:
    if outcome is None:
        return bytes([NO_NUMBER, 0])
    number, colour = outcome
    return bytes([number, _COLOUR_CODES[colour]])
