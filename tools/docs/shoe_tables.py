"""The tables of docs/shoe.md, from the drivers of a card table: messages, times, keys."""

import struct
from collections.abc import Sequence

from drivers import card_keys, card_pull, croupier_keyboard, shoe_end, shoe_serial
from drivers import shoe_messages as messages
from drivers.shoe_messages import Message
from firmware.bus import frame, mac
from tools.docs.field_tables import field_table, table
from tools.docs.part import Part

_ENVELOPE_SIZE = struct.calcsize(frame.BYTE_ORDER + messages.codes(messages.ENVELOPE_FIELDS))
# Of the vectors.
KEY = bytes(range(32))
SESSION = 0x1122334455667788
BOOT = 0x99AABBCCDDEEFF01


def render() -> str:
    """Every message, field by field, and the times."""
    parts = [
        "### Messages",
        table(
            ("kind", "message", "from", "what for"),
            [(code, name, sender, what) for code, name, sender, what, _ in messages.KINDS],
        ),
        "### How each begins",
        field_table(messages.ENVELOPE_FIELDS, 0),
        f"With a key each ends with {mac.SIZE} bytes more: HMAC-SHA-256, cut, of all before them.",
    ]
    for _, name, _, _, fields in messages.KINDS:
        if fields:
            parts += [f"### {name.capitalize()}", field_table(fields, _ENVELOPE_SIZE)]
    parts += [
        "### Times and limits",
        table(
            ("what", "how much"),
            [
                ("a beat, and a hello where no table is believed, every", _ms(messages.BEAT_US)),
                ("silence after which the other is not there", _ms(messages.SILENT_US)),
                ("an event that is not acknowledged is said again after", _ms(messages.REPEAT_US)),
                ("events under way at once, at most", messages.WINDOW),
                ("events that a shoe keeps, at most", shoe_end.WAITING_MAX),
                ("frames that the echo of a `who` may be behind, below", shoe_end.ECHO_MAX),
                ("an event that is not said again counts as lost after", _ms(shoe_serial.LOST_US)),
                ("from the edge in to the edge out of a card, at most", f"{card_pull.OUT_MS} ms"),
            ],
        ),
    ]
    return "\n\n".join(parts)


def _ms(us: int) -> str:
    return f"{us // 1000} ms"


def vectors() -> list[tuple[str, str]]:
    """One frame of most kinds: what it says, and its bytes in hexadecimal."""
    hello = (messages.name_bytes("virtual"), messages.name_bytes("0001"), 6, 1, 0)
    card = (2, 61_100, 22, messages.name_bytes("S17-0345"), 22, 22)
    found = (
        ("hello of a shoe that knows no table", 0, 1, messages.HELLO, hello),
        ("who, by the table", SESSION, 1, messages.WHO, (1,)),
        ("hello in that session", SESSION, 2, messages.HELLO, hello),
        ("event 1: a card comes in", SESSION, 3, messages.EDGE, (1, 61_000, messages.IN)),
        ("event 2: it is the ten of hearts", SESSION, 4, messages.CARD, card),
        ("event 3: it is out", SESSION, 5, messages.EDGE, (3, 61_200, messages.OUT)),
        ("ack of all three, one card numbered", SESSION, 2, messages.ACK, (3, 1)),
        ("beat: a card may leave", SESSION, 6, messages.BEAT, (3, 61_400, messages.RELEASED)),
    )
    lines = []
    for what, session, counter, kind, fields in found:
        payload = messages.written(Message(kind, session, BOOT, counter, fields), KEY)
        lines.append((what, frame.encode(payload).hex()))
    return lines


def render_vectors() -> str:
    """The vectors as they stand in the page."""
    lines = ["```text", "key:", f"  {KEY.hex()}"]
    for what, told in vectors():
        lines.append(f"{what}:")
        lines += [f"  {told[at : at + 88]}" for at in range(0, len(told), 88)]
    return "\n".join([*lines, "```"])


def keys() -> str:
    """Every key and switch of the croupier's keyboard."""
    return _keys("key or switch", croupier_keyboard.TABLE)


def keys_for_cards() -> str:
    """Every key for the cards."""
    return _keys("key", card_keys.TABLE)


def _keys(what: str, rows: Sequence[tuple[str, str, str, int]]) -> str:
    return table(
        (what, "in a line", "of a USB keyboard", "its code"),
        [(f"`{key}`", f"`{name}`", usb, code) for key, name, usb, code in rows],
    )


PART = Part("shoe.md", "messages", "drivers/shoe_messages.py", render)
VECTORS = Part("shoe.md", "frames", "tools/docs/shoe_tables.py", render_vectors)
CARD_KEYS = Part("shoe.md", "card keys", "drivers/card_keys.py", keys_for_cards)
KEYS = Part("shoe.md", "keys", "drivers/croupier_keyboard.py", keys)
