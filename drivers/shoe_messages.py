"""What a card shoe and the table say to each other: the messages, their fields, and their bytes.

Frames as on the bus (firmware/bus/frame.py), point to point, both ways at once. No maker's
protocol is public, so this one is ours; who has a shoe of a maker writes an adapter that speaks it
(drivers/shoe_end.py). docs/shoe.md is generated from the tables below.

With a key each message ends with its code (firmware/bus/mac.py), over all before it: kind, session,
boot and counter too. A kind is said in one direction alone, so none can be sent back to its sender.
"""

import struct

from firmware.bus import mac
from firmware.bus.frame import BYTE_ORDER
from firmware.shims.typed import Any, NamedTuple, Sequence

VERSION = 1

# From the shoe.
HELLO = 1
CARD = 2
EDGE = 3
CUT = 4
EMPTY = 5
JAM = 6
BEAT = 7
# From the table.
ACK = 17
AGAIN = 18
RELEASE = 19
COUNT = 20
WHO = 21
FROM_SHOE = (HELLO, CARD, EDGE, CUT, EMPTY, JAM, BEAT)
FROM_TABLE = (ACK, AGAIN, RELEASE, COUNT, WHO)
# What happened at the shoe: numbered, kept and said again until the table has it.
EVENTS = (CARD, EDGE, CUT, EMPTY, JAM)

CARDS = 52  # a card is 13 * suit + rank: suits SHDC, ranks A to K
NO_CARD = 0xFF  # a reader that read nothing
IN = 1
OUT = 2
# Flags of a beat: what the shoe does of what it was told.
RELEASED = 1
ASKED_AGAIN = 2
COUNTING = 4
# Of events and cards: no shoe comes near it, and what counts on from there still fits its field.
NUMBER_MAX = 0x7FFFFFFF
NAME_SIZE = 16  # bytes of a model, a serial number or a card's id: ASCII, zeros behind it

BEAT_US = 200_000
SILENT_US = 1_000_000  # five beats
REPEAT_US = 100_000  # from an event that is not acknowledged to its repetition
WINDOW = 8  # events under way at once: their frames take 45 ms at 115200 baud

# fmt: off
# Field, struct code, meaning.
ENVELOPE_FIELDS = (
    ("version", "B", f"{VERSION}; another is not understood"),
    ("kind", "B", "see the messages"),
    ("session", "Q", "of the table, another for each boot that it believes; 0: the shoe believes"
                     " no table yet"),
    ("boot", "Q", "of the shoe, random, new at each start"),
    ("counter", "I", "one more with each frame of its sender; what is not above the last of its"
                     " session is not heard"),
)
_EVENT_FIELDS: "tuple[tuple[str, str, str], ...]" = (
    ("n", "I", "of the event: 1 for the first of a boot, then one more with each;"
               f" {NUMBER_MAX} at most"),
    ("t_ms", "I", "when it happened, ms since the start of the shoe"),
)
HELLO_FIELDS = (
    ("model", f"{NAME_SIZE}s", "ASCII, zeros behind it"),
    ("serial", f"{NAME_SIZE}s", "its serial number, likewise"),
    ("decks", "B", "that it is set up for"),
    ("first", "I", "n of the oldest event that is kept, or of the next one"),
    ("cards", "I", "`cards` of the last ack of this boot; 0: there was none"),
)
CARD_FIELDS = _EVENT_FIELDS + (
    ("card", "B", "what the shoe takes it for, 13 * suit + rank: suits SHDC, ranks A to K"),
    ("ident", f"{NAME_SIZE}s", "what tells this card from its likes, ASCII, zeros behind it: as"
                               " `S17-0345` where its set is marked; zeros: it has none"),
    ("read1", "B", f"what the first reader read; 0x{NO_CARD:02X}: nothing"),
    ("read2", "B", "what the second one read, likewise"),
)
EDGE_FIELDS = _EVENT_FIELDS + (
    ("side", "B", f"the front edge of a card came to the way {IN} in, before the readers;"
                  f" {OUT} out, behind them"),
)
BEAT_FIELDS = (
    ("last", "I", "n of the last event; 0: none yet"),
    ("t_ms", "I", "now; all events up to `last` happened before"),
    ("flags", "B", f"what it was told: {RELEASED}: a card may leave; {ASKED_AGAIN}: the card is to"
                   f" be pulled again; {COUNTING}: it is unloaded and counted, until it is empty"),
)
ACK_FIELDS = (
    ("n", "I", "of the last event that the table has, with all before it"),
    ("cards", "I", "how many cards it has numbered up to there, since the boot of the shoe"),
)
RELEASE_FIELDS = (("on", "B", "1: cards may leave; 0: none may, where the shoe has a brake"),)
COUNT_FIELDS = (("on", "B", "1: it is counted until it is empty; 0: no more, cards are dealt"),)
WHO_FIELDS = (("echo", "I", "the last counter that was heard of this boot"),)
# Code, name, from whom, what for, fields behind the envelope.
KINDS: "tuple[tuple[int, str, str, str, tuple[tuple[str, str, str], ...]], ...]" = (
    (HELLO, "hello", "shoe", "who it is; it answers `who`", HELLO_FIELDS),
    (CARD, "card", "shoe", "a card was read", CARD_FIELDS),
    (EDGE, "edge", "shoe", "a card came to one end of the way out", EDGE_FIELDS),
    (CUT, "cut", "shoe", "the cut card was read", _EVENT_FIELDS),
    (EMPTY, "empty", "shoe", "no card is left; said again to each new session", _EVENT_FIELDS),
    (JAM, "jam", "shoe", "a card is stuck", _EVENT_FIELDS),
    (BEAT, "beat", "shoe", f"it is there, every {BEAT_US // 1000} ms", BEAT_FIELDS),
    (ACK, "ack", "table", "what it has; it answers every event and every beat", ACK_FIELDS),
    (AGAIN, "again", "table", "the card is to be pulled over the readers again", ()),
    (RELEASE, "release", "table", "whether a card may leave", RELEASE_FIELDS),
    (COUNT, "count", "table", "whether it is unloaded over its readers, and counted", COUNT_FIELDS),
    (WHO, "who", "table", "say who you are; a new session begins with it", WHO_FIELDS),
)
# fmt: on

# A message that is whole and sound: `fields` as its table has them, behind the envelope.
Message = NamedTuple(
    "Message",
    [
        ("kind", int),
        ("session", int),
        ("boot", int),
        ("counter", int),
        ("fields", "Sequence[Any]"),
    ],
)


def codes(fields: "Sequence[tuple[str, str, str]]") -> str:
    """Gives the struct codes of these fields."""
    return "".join([field[1] for field in fields])


_ENVELOPE = BYTE_ORDER + codes(ENVELOPE_FIELDS)
_FORMATS = {code: _ENVELOPE + codes(fields) for code, _, _, _, fields in KINDS}
_SIZES = {code: struct.calcsize(_FORMATS[code]) for code in _FORMATS}


def written(message: Message, key: "bytes | None") -> bytes:
    """Gives the payload of a message. Raises struct.error for what its fields do not hold."""
    head = (VERSION, message.kind, message.session, message.boot, message.counter)
    payload = struct.pack(_FORMATS[message.kind], *(head + tuple(message.fields)))
    return payload if key is None else mac.signed(key, payload)


def opened(payload: bytes, key: "bytes | None", kinds: "Sequence[int]") -> "Message | None":
    """Gives the message in a payload; None if it is none of these kinds, or not this key's.

    The code is checked before anything else is read.
    """
    if key is not None:
        if not mac.is_signed(key, payload):
            return None
        payload = payload[: -mac.SIZE]
    if len(payload) < 2 or payload[0] != VERSION or payload[1] not in kinds:
        return None
    kind = payload[1]
    if len(payload) != _SIZES[kind]:
        return None
    values: Any = struct.unpack(_FORMATS[kind], payload)
    message = Message(kind, values[2], values[3], values[4], values[5:])
    return message if _is_sound(kind, message.fields) else None


def name_bytes(name: str) -> bytes:
    """Gives a name as its field carries it. Raises ValueError for one that is not short ASCII."""
    told = name.encode()
    if len(told) > NAME_SIZE or not _is_printable(told):
        raise ValueError(f"a name has {NAME_SIZE} letters, digits or signs at most")
    return told + bytes(NAME_SIZE - len(told))


def name_of(field: bytes) -> str:
    """Gives the name that a field of a sound message carries."""
    return field.rstrip(b"\0").decode()


def _is_sound(kind: int, fields: "Sequence[Any]") -> bool:
    """Tells whether the values are some that the message may have."""
    if kind in EVENTS and not 0 < fields[0] <= NUMBER_MAX:
        return False
    if kind == CARD:
        reads = (fields[2], fields[4], fields[5])
        return _is_name(fields[3]) and all(each < CARDS or each == NO_CARD for each in reads)
    if kind == EDGE:
        return fields[2] in (IN, OUT)
    if kind == HELLO:
        model, serial, decks, first, cards = fields
        is_numbered = 0 < first <= NUMBER_MAX and cards <= NUMBER_MAX
        return _is_name(model) and _is_name(serial) and decks > 0 and is_numbered
    if kind == BEAT:
        last: int = fields[0]
        flags: int = fields[2]
        return last <= NUMBER_MAX and flags & ~(RELEASED | ASKED_AGAIN | COUNTING) == 0
    if kind in (RELEASE, COUNT):
        return fields[0] in (0, 1)
    return True


def _is_name(field: bytes) -> bool:
    return _is_printable(field.rstrip(b"\0"))


def _is_printable(told: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in told)
