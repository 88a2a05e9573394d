"""The signed record: results, voids and all else that must not be forged, as bytes.

One COSE_Sign1 (RFC 9052, tag 18) of a CBOR map with small numbers as keys. The same bytes are
journalled, broadcast and exported. Here is who reads them, on any machine: a controller that writes
them is firmware/store/signing.py. Equal records are equal bytes: there is no second form.
"""

import hashlib

from firmware.bus import card_record, cbor_small, messages
from firmware.shims.typed import Any, NamedTuple

RECORD_MAX = 320  # bytes: with the heads of a frame and a message, 30 ms at 115200 baud
NAME_MAX = 24  # bytes of UTF-8: of a wheel, a person, a board's serial number
RULES_MAX = 16  # of rules alone: their names are ours
KID_SIZE = 8
DIGEST_SIZE = 8
SIGNATURE_SIZE = 64
_UTC_MAX = 2**36 - 1  # seconds: the year 4147
_COUNT_MAX = 2**32 - 1

RESULT = "result"
VOID = "void"
CORRECTION = "correction"
ROTATION = "rotation"
CHECKPOINT = "checkpoint"
EPOCH = "epoch"
# fmt: off
KINDS = ((1, RESULT), (2, VOID), (3, CORRECTION), (4, ROTATION), (5, CHECKPOINT), (6, EPOCH))
ENDS = (RESULT, VOID)  # of a coup or a round of cards, one each
OUTCOMES = (RESULT, VOID, CORRECTION)  # these are counted by `seq`
# How far `utc` may be trusted.
UNSET, BEHIND, UNSYNCHRONISED, SYNCHRONISED = 0, 1, 2, 3
QUALITIES = (
    (UNSET, "not set, or not plausible"),
    (BEHIND, "behind what was recorded before: stepped back"),
    (UNSYNCHRONISED, "plausible, not synchronised"),
    (SYNCHRONISED, "synchronised"),
)
_GAMES = tuple([(code, name) for code, name, _, _ in messages.GAMES]) + messages.CARD_GAMES

# Key, name, form, limits of the form, meaning. Forms: `int` least and greatest; `code` a table of
# (code, word); `text` UTF-8 of at most so many bytes; `bytes` exactly so many; `cards` a byte each,
# at most so many; `bool`; `people` two texts. docs/bus.md is generated from this.
FIELDS: Any = (
    (1, "kind", "code", KINDS, "what is recorded"),
    (2, "wheel", "text", NAME_MAX, "the wheel's name: [wheel] id of its configuration"),
    (3, "epoch", "int", (1, _COUNT_MAX), "steps whenever the journal or its keys start anew"),
    (4, "seq", "int", (1, _COUNT_MAX),
     "counts results, voids and corrections together, without a gap within an epoch; of a rotation:"
     " the last one before it, absent if there was none"),
    (5, "coup", "int", (1, _COUNT_MAX), "its number; at a card table that of the round"),
    (6, "game", "code", _GAMES, "see the games"),
    (7, "number", "int", (0, 36), "of a result, or of a correction that gives one"),
    (8, "compartment", "int", (0, 254), "in layout order; absent where several have the number"),
    (9, "colour", "code", messages.COLOURS[1:], "of the number; see the colours"),
    (10, "reason", "code", messages.REASONS[1:], "of a void, or of a correction that voids"),
    (11, "rotor", "int", (-1, 1), "1 ccw, -1 cw, 0 not known"),
    (12, "ball", "int", (-1, 1), "1 ccw, -1 cw, 0 not known"),
    (13, "votes", "int", (0, _COUNT_MAX), "detections that name the compartment"),
    (14, "residual_uturn", "int", (-1_000_000, 1_000_000),
     "how far from the compartment's middle the worst of them was, millionths of a turn"),
    (15, "held_us", "int", (0, _COUNT_MAX), "how long the cup held the ball"),
    (16, "manual", "people", NAME_MAX,
     "croupier and member of the management who entered it, or a card of the round"),
    (17, "stakes", "bytes", 32, "seal of the stakes"),
    (18, "rules", "text", RULES_MAX, "their name"),
    (19, "rules_hash", "bytes", 8, "of the rules as loaded, layout included: SHA-256, cut"),
    (20, "layout_verified", "bool", None, "whether a source gives the order of the compartments"),
    (21, "firmware", "bytes", 8, "of the sources that decide: SHA-256, cut"),
    (22, "utc", "int", (0, _UTC_MAX), "seconds since 1970"),
    (23, "quality", "int", (UNSET, SYNCHRONISED), "how far utc may be trusted"),
    (24, "prev", "bytes", 16, "head of the journal's chain before this row, cut"),
    (25, "corrects", "int", (1, _COUNT_MAX), "seq of what is corrected"),
    (26, "next_key", "bytes", 32, "public key that signs from the next record on, and that alone"),
    (27, "n", "int", (1, _COUNT_MAX), "row of the journal"),
    (28, "head", "bytes", 32, "of the chain before this row"),
    (29, "board", "text", NAME_MAX, "serial number of the controller's board"),
    (30, "fram", "bytes", 8, "name of the FRAM"),
    (31, "sensors", "int", (0, 64), "how many voted"),
    (32, "after", "bytes", DIGEST_SIZE,
     "of the record of the outcome before, seq - 1: SHA-256, cut; absent if there was none"),
    (33, "seal", "bytes", 32,
     "of the list of all cards of the round: SHA-256 of its lines (firmware/stakes/card_seal.py)"),
    (34, "decks", "int", (1, card_record.DECKS_MAX), "of 52 cards, in the shoe"),
    (35, "authenticated", "bool", None, "whether the shoe proved all it said with its key"),
    (36, "verified", "bool", None, "whether a shoe read each card: people entered none"),
    (37, "cards", "cards", card_record.CARDS_MAX,
     "baccarat: all, in the order of the deal; black jack: the dealer's. Each is 13 * suit + rank:"
     " suits 0 pique, 1 cœur, 2 carreau, 3 trèfle; ranks 0 the ace to 12 the roi"),
    (38, "winner", "code", card_record.WINNERS, "of baccarat"),
    (39, "player_points", "int", (0, 9), "of baccarat"),
    (40, "banker_points", "int", (0, 9), "of baccarat"),
    (41, "dealer_points", "int", (2, card_record.POINTS_MAX),
     "of black jack: the best, with one ace as 11 up to 21"),
)

# What each kind must have beside kind, wheel, epoch, utc and quality, and what it may have.
_COUNTED = ("seq", "coup", "game", "rules", "rules_hash", "layout_verified", "firmware", "prev")
_VOTED = ("votes", "residual_uturn", "held_us", "sensors")  # how a number was verified
_ABOUT = ("game", "rules", "rules_hash", "layout_verified", "firmware", "prev")
# Of results, voids and corrections these are a wheel's.
SHAPES = (
    (RESULT, _COUNTED + ("number", "colour", "rotor", "ball"),
     ("compartment", "manual", "stakes", "after") + _VOTED),
    (VOID, _COUNTED + ("reason", "rotor", "ball"), ("stakes", "after")),
    (CORRECTION, _COUNTED + ("corrects", "manual"),
     ("number", "colour", "compartment", "reason", "rotor", "ball", "after")),
    (ROTATION, ("next_key",), ("seq",) + _ABOUT),
    (CHECKPOINT, ("n", "head"), ("seq", "coup") + _ABOUT),
    (EPOCH, ("next_key",), ("board", "fram") + _ABOUT),
)
# fmt: on
_ROUND = ("seq", "coup", "game", "rules", "rules_hash", "firmware", "prev")
# Those of a round of cards: the game, then as SHAPES.
ROUND_SHAPES = tuple(
    [
        (game, kind, must, may)
        for _, game in messages.CARD_GAMES
        for kind, must, may in (
            (RESULT, _ROUND + card_record.OUTCOMES[game] + card_record.READ, ("manual", "after")),
            (VOID, _ROUND + ("reason",), ("after",)),
            (
                CORRECTION,
                _ROUND + ("corrects", "manual"),
                card_record.OUTCOMES[game] + ("reason", "after"),
            ),
        )
    ]
)
ALWAYS = ("kind", "wheel", "epoch", "utc", "quality")
NAMES = tuple([field[1] for field in FIELDS])

# Values as in FIELDS, codes as their words; None for what the record does not have.
Record = NamedTuple(
    "Record",
    [
        ("kind", Any),
        ("wheel", Any),
        ("epoch", Any),
        ("seq", Any),
        ("coup", Any),
        ("game", Any),
        ("number", Any),
        ("compartment", Any),
        ("colour", Any),
        ("reason", Any),
        ("rotor", Any),
        ("ball", Any),
        ("votes", Any),
        ("residual_uturn", Any),
        ("held_us", Any),
        ("manual", Any),
        ("stakes", Any),
        ("rules", Any),
        ("rules_hash", Any),
        ("layout_verified", Any),
        ("firmware", Any),
        ("utc", Any),
        ("quality", Any),
        ("prev", Any),
        ("corrects", Any),
        ("next_key", Any),
        ("n", Any),
        ("head", Any),
        ("board", Any),
        ("fram", Any),
        ("sensors", Any),
        ("after", Any),
        ("seal", Any),
        ("decks", Any),
        ("authenticated", Any),
        ("verified", Any),
        ("cards", Any),
        ("winner", Any),
        ("player_points", Any),
        ("banker_points", Any),
        ("dealer_points", Any),
    ],
)

# The protected header {1 (alg): -8 (EdDSA), 4 (kid): 8 bytes}, and the unprotected one: {}.
_PROTECTED = b"\xa2\x01\x27\x04\x48"
_COSE_SIGN1 = 18
_CONTEXT = b"\x84\x6aSignature1"  # RFC 9052, 4.4: what is signed begins so
_BY_KEY = {field[0]: field for field in FIELDS}
_RANGES = {name: (low, high) for _, name, low, high in messages.GAMES}
_SHAPES = {kind: (must, may) for kind, must, may in SHAPES}
_ROUND_SHAPES = {(game, kind): (must, may) for game, kind, must, may in ROUND_SHAPES}


def key_id(public: bytes) -> bytes:
    """Tells how a record names the key that signed it."""
    return hashlib.sha256(public).digest()[:KID_SIZE]


def digest(data: bytes) -> bytes:
    """Tells how a heartbeat names a record, and a record the outcome before it."""
    return hashlib.sha256(data).digest()[:DIGEST_SIZE]


def kid(data: bytes) -> "bytes | None":
    """Names the key that these bytes say signed them; None: no record. Checks nothing yet."""
    parts = opened(data)
    return None if parts is None else parts[0]


def parse(data: bytes) -> "Record | None":
    """Reads the record in these bytes; None if they are not exactly one. Checks no signature."""
    parts = opened(data)
    return None if parts is None else _record(parts[1])


def decode_signed(data: bytes, public: bytes, verify: Any) -> "Record | None":
    """Gives the record in these bytes if the key `public` signed it, else None.

    `verify(public, signature, message)` checks signatures. It is called at most once.
    """
    parts = opened(data)
    if parts is None or parts[0] != key_id(public):
        return None
    if not verify(public, parts[2], to_be_signed(parts[0], parts[1])):
        return None
    return _record(parts[1])


def opened(data: bytes) -> "tuple[bytes, bytes, bytes] | None":
    """Opens a COSE_Sign1 of ours: name of the key, payload, signature; None for anything else."""
    if len(data) > RECORD_MAX:
        return None
    try:
        envelope = cbor_small.decode(bytes(data))
    except cbor_small.CborError:
        return None
    if not isinstance(envelope, cbor_small.Tag) or envelope.number != _COSE_SIGN1:
        return None
    parts = envelope.value
    if not isinstance(parts, list) or len(parts) != 4:
        return None
    protected, unprotected, payload, signature = parts
    if unprotected != {} or not isinstance(unprotected, dict):
        return None
    for part in (protected, payload, signature):
        if not isinstance(part, bytes):
            return None
    name = protected[len(_PROTECTED) :]
    if protected[: len(_PROTECTED)] != _PROTECTED or len(name) != KID_SIZE:
        return None
    return (name, payload, signature) if len(signature) == SIGNATURE_SIZE else None


def protected_header(name: bytes) -> bytes:
    """Gives the protected header of a record signed by the key of that name."""
    return _PROTECTED + name


def to_be_signed(name: bytes, payload: bytes) -> bytes:
    """Gives the very bytes that the key of that name signs for a payload (RFC 9052, 4.4)."""
    return _CONTEXT + _string(protected_header(name)) + b"\x40" + _string(payload)


def _string(data: bytes) -> bytes:
    """Bytes as CBOR."""
    size = len(data)
    if size < 24:
        return bytes([0x40 | size]) + data
    if size < 256:
        return bytes([0x58, size]) + data
    return bytes([0x59, size >> 8, size & 0xFF]) + data


def _record(payload: bytes) -> "Record | None":
    """The record that a payload is."""
    try:
        found = cbor_small.decode(payload)
    except cbor_small.CborError:
        return None
    if not isinstance(found, dict):
        return None
    values: dict[str, Any] = {}
    for key in found:
        if key not in _BY_KEY:
            return None
        _, name, form, limits, _ = _BY_KEY[key]
        value = _value(found[key], form, limits)
        if value is None:
            return None
        values[name] = value
    if not _is_whole(values):
        return None
    return Record(*[values.get(name) for name in NAMES])


def _value(value: Any, form: str, limits: Any) -> Any:
    """Returns what stands in a field, with a code's word; None if it is not of that form."""
    if form == "bool":
        return value if isinstance(value, bool) else None
    if isinstance(value, bool):  # an int, too, to Python
        return None
    if form == "int":
        fits = isinstance(value, int) and limits[0] <= value <= limits[1]
        return value if fits else None
    if form == "code":
        return dict(limits).get(value) if isinstance(value, int) else None
    if form == "bytes":
        return value if isinstance(value, bytes) and len(value) == limits else None
    if form == "cards":
        return value if isinstance(value, bytes) and card_record.are_cards(value) else None
    if form == "text":
        return value if _is_name(value, limits) else None
    if not isinstance(value, list) or len(value) != 2:
        return None
    return tuple(value) if _is_name(value[0], limits) and _is_name(value[1], limits) else None


def _is_name(value: Any, most: int) -> bool:
    return isinstance(value, str) and 0 < len(value.encode()) <= most


def _is_whole(values: "dict[str, Any]") -> bool:
    """Tells whether this has what its kind must have, nothing else, and agrees with itself."""
    kind = values.get("kind")
    if kind not in _SHAPES:
        return False
    of_cards = _ROUND_SHAPES.get((values.get("game", ""), kind))
    must, may = of_cards or _SHAPES[kind]
    for name in ALWAYS + must:
        if name not in values:
            return False
    for name in values:
        if name not in ALWAYS and name not in must and name not in may:
            return False
    if not (card_record.agrees(values) if of_cards else _agrees(values)):
        return False
    if kind == CORRECTION:
        # It gives an outcome or voids, and comes after what it corrects.
        has_outcome = "cards" in values or "number" in values
        return has_outcome != ("reason" in values) and values["corrects"] < values["seq"]
    return True


def _agrees(values: "dict[str, Any]") -> bool:
    """Tells whether what is said of a number, if there is one, agrees."""
    has_number = "number" in values
    if has_number != ("colour" in values) or ("compartment" in values and not has_number):
        return False
    if has_number:
        low, high = _RANGES[values["game"]]
        if not low <= values["number"] <= high:
            return False
    # People or sensors, never both.
    return "manual" not in values or not any(name in values for name in _VOTED)
