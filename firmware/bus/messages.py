"""What controller and displays say to each other: the words, the codes, the fields. Plain values.

message_bytes.py writes and reads them. terminal_messages.py has the talk with the players'
terminals; record.py what a signed record holds.
"""

import hashlib
import struct

from boards import apparatus, card_tables
from firmware.bus.frame import BYTE_ORDER
from firmware.shims.typed import Any, NamedTuple

VERSION = 7
HEARTBEAT = 1
RECORD = 2
TABLE = 5
ASK = 6
ANSWER = 7
NOTICE = 8
CARDS = 11
# Every kind on the line: 3 and 4 are those of terminal_messages.py, 9 and 10 of
# follower_messages.py, 11 of card_messages.py.
KINDS = (
    (HEARTBEAT, "heartbeat", "controller to all displays"),
    (RECORD, "record", "controller to all displays"),
    (3, "poll", "controller to one terminal"),
    (4, "reply", "one terminal to the controller"),
    (TABLE, "table", "controller to all displays"),
    (ASK, "ask", "controller to one display"),
    (ANSWER, "answer", "one display to the controller"),
    (NOTICE, "notice", "controller to some displays"),
    (9, "follower poll", "controller to a host of followers"),
    (10, "follower reply", "a host of followers to the controller"),
    (CARDS, "cards", "controller to some displays"),
)

ADDRESS_MAX = 32
# Outcomes a history holds: what the displays of the trade show.
HISTORY_MAX = 20
NO_NUMBER = 0xFF

CONFIRMED = "CONFIRMED"
VOID = "VOID"
# fmt: off
STATES = (
    (1, "BETS_OPEN"), (2, "BALL_IN_TRACK"), (3, "NO_MORE_BETS"), (4, "BALL_DROPPED"),
    (5, "DETECTED"), (6, CONFIRMED), (7, "MANUAL"), (8, VOID), (9, "FAULT"),
    (10, "SERVICE"),
    # Of a round of cards (firmware/core/cards/states.py), beside those of the same names.
    (11, "NO_SHOE"), (12, "DEALING"), (13, "INSURANCE"), (14, "PLAYING"), (15, "DEALER"),
    (16, "DONE"), (17, "HOLD"),
)
# Of a display that hears nobody; in a lit digest alone.
STALE = "STALE"
STALE_CODE = 0
# Why a coup is void (contracts/trace.md), or a round of cards (firmware/core/cards/reasons.py).
# OTHER stands for a reason that this table lacks.
OTHER = "other"
REASONS: "tuple[tuple[int, str | None], ...]" = (
    (0, None), (1, "rotor_not_reversed"), (2, "same_direction"), (3, "too_few_turns"),
    (4, "moved_before_call"), (5, "foreign_object"), (6, "two_balls"), (7, "ball_lost"),
    (8, "sensors_disagree"), (9, "encoder"), (10, "timeout"), (11, "interrupted"),
    (12, "croupier"), (13, "foreign_card"), (14, "hole_card_unreadable"), (15, "shoe_exhausted"),
    (16, "shoe_changed"), (17, "misdealt"), (255, OTHER),
)
ROTORS = (-1, 0, 1)

# Code, apparatus, its least and its greatest number.
GAMES: "tuple[tuple[int, str, int, int], ...]" = tuple(
    [(each.code, each.name) + each.numbers for each in apparatus.ALL]
)
# Card games have no numbers: code, family of the rules (rules/cards).
BLACKJACK: str = card_tables.BLACKJACK.name
BACCARAT: str = card_tables.BACCARAT.name
CARD_GAMES: "tuple[tuple[int, str], ...]" = tuple(
    [(each.code, each.name) for each in card_tables.ALL]
)
GAME_NAMES = {code: name for code, name, _, _ in GAMES}
GAME_NAMES.update(CARD_GAMES)
# Of the compartment, not of the number: at vingt-trois a number has two.
COLOURS: "tuple[tuple[int, str | None], ...]" = (
    (0, None), (1, "red"), (2, "black"), (3, "green"), (4, "yellow"), (5, "white"),
)
# A bet of another name travels as 0, which no table takes.
BETS: "tuple[tuple[int, str], ...]" = (
    (1, "plein"), (2, "cheval"), (3, "transversale"), (4, "carre"), (5, "sixain"),
    (6, "douzaine"), (7, "colonne"), (8, "deux_douzaines"), (9, "deux_colonnes"), (10, "pair"),
    (11, "impair"), (12, "manque"), (13, "passe"), (14, "rouge"), (15, "noir"),
)
# Where the prediction of the call stands (firmware/core/call/predictor.py).
CALLS = (
    (0, None, "nothing is told of it"),
    (1, "new", "nothing is learned of this wheel yet: the call is cautious"),
    (2, "learning", "few coups are learned: the margin is still wide"),
    (3, "learned", "the margin is that of this wheel"),
    (4, "relearning", "the wheel or its ball changed, or a call was late: the margin was widened"),
    (5, "refused", "what had been learned could not be used: the call is cautious again"),
)
NO_LEAD = 0xFFFF

VERIFIED = 1  # flag: a source gives the order of the compartments

# Fields: name, struct code (a number: so many bytes), meaning. docs/bus.md is generated from these.
VERSION_FIELD = ("version", "B", f"{VERSION}; another is not understood")
HEARTBEAT_FIELDS = (
    VERSION_FIELD,
    ("kind", "B", f"{HEARTBEAT}"),
    ("session", "Q", "random, new at each start of the controller"),
    ("counter", "I", "one more with each heartbeat of a session"),
    ("game", "B", "what is played, see the games"),
    ("state", "B", "of the coup or the round of cards, see the states"),
    ("coup", "I", "its number"),
    ("epoch", "I", "of the last record"),
    ("seq", "I", "of the last record: of a result, a void or a correction; 0: none yet"),
    ("digest", "8s", "of that record's bytes: SHA-256, cut; zeros: none"),
    ("past", "B", f"records that can be asked for, that one and those before, {HISTORY_MAX} at"
                  " most"),
    ("kid", "8s", "of the key that signs now: SHA-256 of the public key, cut"),
    ("rotor", "b", "1 ccw, -1 cw, 0 not known, or none"),
    ("flags", "B", f"{VERIFIED}: a source gives the order of the compartments; else 0. It says"
                   " nothing of a card game"),
    ("table", "8s", "of the table's message: SHA-256, cut; zeros: there is none"),
)
ANSWERED_FIELDS = (
    ("address", "B", "of a display"),
    ("code", "8s", "HMAC-SHA-256 under that display's key, cut, of all before `count`, the address"
                   " and the challenge of its last answer"),
)
NOTICE_FIELDS = (
    VERSION_FIELD,
    ("kind", "B", f"{NOTICE}; who does not know it passes it over"),
    ("session", "Q", "random, new at each start of the controller"),
    ("counter", "I", "one more with each notice of a session"),
    ("name", "B", "bytes of the name of who asks to be the first supervisor"),
)
NOTICE_NAME_MAX = 160  # bytes of UTF-8: 40 characters, as in firmware/keys/people.py
RECORD_FIELDS = (VERSION_FIELD, ("kind", "B", f"{RECORD}"))
TABLE_FIELDS = (
    VERSION_FIELD,
    ("kind", "B", f"{TABLE}"),
    ("minimum_cents", "I", "the minimum of which the maxima are multiples"),
    ("table_minimum_cents", "I", "the least stake at this table"),
    ("call", "B", "where the prediction of the call stands, see there; it changes when a coup has"
                  " ended, never within one; our controllers tell it no table: 0"),
    ("call_coups", "I", "coups it has learned"),
    ("call_lead_ms", "H", "how long before the drop the call is to come;"
                          f" 0x{NO_LEAD:04X}: not known yet"),
    ("rules", "B", "bytes of the rules' name"),
    ("wheel", "B", "bytes of the wheel's name"),
    ("maxima", "B", "how many maxima"),
)
TABLE_NAME_MAX = 24  # bytes of UTF-8: as in a record
MAXIMUM_FIELDS = (("bet", "B", "see the bets"), ("multiple", "I", "its maximum, in minima"))
# How an ask and an answer, a poll and a reply begin.
ENVELOPE_FIELDS = (
    VERSION_FIELD,
    ("kind", "B", "see the messages"),
    ("address", "B", f"of the display or the terminal, 1 to {ADDRESS_MAX}"),
    ("session", "Q", "random, new at each start of the controller"),
    ("counter", "I", "of the question, one more with each to this address; an answer repeats it"),
)
ANSWER_FIELDS = (
    ("boot", "Q", "random, new at each start of the display"),
    ("challenge", "8s", "never the same twice: the heartbeats to come answer it"),
    ("epoch", "I", "of the newest record it believes; 0: none"),
    ("seq", "I", "of that record"),
    ("lit", "4s", "what it lights: SHA-256, cut, of the fields of `lit`"),
    ("want", "I", "seq of the newest record it lacks; 0: none"),
    ("kid", "8s", "of the newest key it knows"),
    ("table", "4s", "first bytes of the digest of the table's message it has; zeros: none"),
)
LIT_FIELDS = (
    ("state", "B", f"see the states; {STALE_CODE} while it hears nobody"),
    ("number", "B", f"0x{NO_NUMBER:02X} for a dash"),
    ("epoch", "I", "of the heartbeat"),
    ("seq", "I", "of the heartbeat"),
)
# fmt: on
NO_DIGEST = bytes(8)
LIT_SIZE = 4
CODE_SIZE = 8
TABLE_HELD_SIZE = 4

Heartbeat = NamedTuple(
    "Heartbeat",
    [
        ("session", int),
        ("counter", int),
        ("game", str),
        ("state", str),
        ("coup", int),
        ("epoch", int),
        ("seq", int),
        ("digest", bytes),
        ("past", int),
        ("kid", bytes),
        ("rotor", int),
        ("layout_verified", bool),
        ("table", bytes),
    ],
)
# Where the prediction of the call stands: coups learned, milliseconds it is to come before the drop
# (None: not known yet), and why (one of CALLS).
Call = NamedTuple("Call", [("coups", int), ("lead_ms", "int | None"), ("why", str)])
# What the page around the number needs of the table. `maxima`: (bet, multiple of the minimum);
# `call`: None where nothing is told of it.
Table = NamedTuple(
    "Table",
    [
        ("rules", str),
        ("wheel", str),
        ("minimum_cents", int),
        ("table_minimum_cents", int),
        ("maxima", "tuple[tuple[str, int], ...]"),
        ("call", "Call | None"),
    ],
)
Envelope = NamedTuple("Envelope", [("address", int), ("session", int), ("counter", int)])
Answer = NamedTuple(
    "Answer",
    [
        ("boot", int),
        ("challenge", bytes),
        ("epoch", int),
        ("seq", int),
        ("lit", bytes),
        ("want", int),
        ("kid", bytes),
        ("table", bytes),
    ],
)


def codes(fields: Any) -> str:
    """Gives the struct format of these fields."""
    return BYTE_ORDER + "".join([field[1] for field in fields])


HEARTBEAT_FORMAT = codes(HEARTBEAT_FIELDS)
ANSWERED_FORMAT = codes(ANSWERED_FIELDS)
NOTICE_FORMAT = codes(NOTICE_FIELDS)
TABLE_FORMAT = codes(TABLE_FIELDS)
MAXIMUM_FORMAT = codes(MAXIMUM_FIELDS)
ENVELOPE_FORMAT = codes(ENVELOPE_FIELDS)
ANSWER_FORMAT = codes(ANSWER_FIELDS)
LIT_FORMAT = codes(LIT_FIELDS)
HEARTBEAT_SIZE = struct.calcsize(HEARTBEAT_FORMAT)
ANSWERED_SIZE = struct.calcsize(ANSWERED_FORMAT)
RECORD_SIZE = len(RECORD_FIELDS)  # what stands before the record
NOTICE_SIZE = struct.calcsize(NOTICE_FORMAT)
TABLE_SIZE = struct.calcsize(TABLE_FORMAT)
MAXIMUM_SIZE = struct.calcsize(MAXIMUM_FORMAT)
ENVELOPE_SIZE: int = struct.calcsize(ENVELOPE_FORMAT)
ASK_SIZE = ENVELOPE_SIZE + CODE_SIZE
ANSWER_SIZE = ENVELOPE_SIZE + struct.calcsize(ANSWER_FORMAT) + CODE_SIZE
TABLE_MAX = TABLE_SIZE + 2 * TABLE_NAME_MAX + len(BETS) * MAXIMUM_SIZE


STATE_CODES = {name: code for code, name in STATES}
GAME_CODES = {name: code for code, name in GAME_NAMES.items()}
_LIT_CODES = {name: code for code, name in STATES + ((STALE_CODE, STALE),)}
_REASON_CODES = {name: code for code, name in REASONS}


def is_card_game(game: str) -> bool:
    """Tells whether cards are played, so that no outcome is a number."""
    return game in card_tables.NAMES


def known_reason(reason: str) -> str:
    """Gives `reason` if it has a code, else OTHER."""
    return reason if reason in _REASON_CODES else OTHER


def lit_digest(state: str, number: int | None, epoch: int, seq: int) -> bytes:
    """Names what a display lights, as it says and the controller expects. STALE: epoch, seq 0."""
    code = NO_NUMBER if number is None else number
    lit = struct.pack(LIT_FORMAT, _LIT_CODES[state], code, epoch, seq)
    return hashlib.sha256(lit).digest()[:LIT_SIZE]
