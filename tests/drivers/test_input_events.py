"""Devices that type: what Linux says of them, as lines of a barcode reader and as keys."""

import struct

from drivers.card_keys import BOUNCE_US, TABLE, CardKeys, UsbCardKeys
from drivers.input_events import InputEvents
from drivers.shoe_barcode import ShoeBarcode, TypingReader
from firmware.core.cards import facts
from rules.cards.deck import card_of

SYN, KEY = 0, 1
DROPPED, REPORT = 3, 0
SHIFT, ENTER = 42, 28
# The keys of a reader that types, as linux/input-event-codes.h numbers them.
CODES = dict(zip("1234567890", range(2, 12), strict=True)) | {"-": 12}
CODES |= {letter: 16 + at for at, letter in enumerate("QWERTYUIOP")}
CODES |= {letter: 30 + at for at, letter in enumerate("ASDFGHJKL")}
CODES |= {letter: 44 + at for at, letter in enumerate("ZXCVBNM")}


def event(kind: int, code: int, value: int, at_us: int = 5_000_000) -> bytes:
    return struct.pack("@LLHHi", at_us // 1_000_000, at_us % 1_000_000, kind, code, value)


def stroke(code: int) -> bytes:
    return event(KEY, code, 1) + event(KEY, code, 0)


def typed(line: str) -> bytes:
    """What a reader types for a line: each letter with shift, as they do."""
    found = b""
    for letter in line:
        if letter == "*":
            found += event(KEY, SHIFT, 1) + stroke(CODES["8"]) + event(KEY, SHIFT, 0)
        elif letter.isalpha():
            found += event(KEY, SHIFT, 1) + stroke(CODES[letter]) + event(KEY, SHIFT, 0)
        else:
            found += stroke(CODES[letter])
    return found + stroke(ENTER) + event(SYN, REPORT, 0)


def test_changes_are_given_with_the_time_of_the_kernel_and_a_repeat_is_none() -> None:
    data = event(KEY, 30, 1, 7) + event(KEY, 30, 2, 8) + event(KEY, 30, 0, 2_000_009)
    assert InputEvents().feed(data) == [(7, 30, 1), (2_000_009, 30, 0)]
    events = InputEvents()
    assert [found for byte in data for found in events.feed(bytes([byte]))] == [
        (7, 30, 1),
        (2_000_009, 30, 0),
    ]


def test_what_the_kernel_dropped_is_told_and_the_rest_of_its_report_is_not_believed() -> None:
    data = event(SYN, DROPPED, 0, 9) + event(KEY, 30, 1) + event(SYN, REPORT, 0) + event(KEY, 31, 1)
    assert InputEvents().feed(data) == [(9, None, 0), (5_000_000, 31, 1)]


def test_a_card_is_what_a_reader_types() -> None:
    line = "S17-0345-TH*Y"
    assert TypingReader().receive(typed(line)) == line.encode() + b"\n"
    (card,) = ShoeBarcode().receive(TypingReader().receive(typed(line)), 1)
    assert card == facts.CardRead(1, 1, card_of("TH"), "S17-0345", facts.BARCODE)


def test_a_line_of_which_something_was_dropped_names_no_card() -> None:
    whole = typed("S17-0345-TH*Y")
    cut = whole[:96] + event(SYN, DROPPED, 0) + event(SYN, REPORT, 0) + whole[96:]
    (card,) = ShoeBarcode().receive(TypingReader().receive(cut), 1)
    assert card.card is None


def test_another_key_in_a_line_spoils_it() -> None:
    whole = typed("S17-0345-TH*Y")
    (card,) = ShoeBarcode().receive(TypingReader().receive(stroke(99) + whole), 1)
    assert card.card is None


def test_every_key_for_the_cards_acts_when_it_goes_down_and_a_bounce_is_none() -> None:
    codes = {key: code for key, _, _, code in TABLE}
    keys = UsbCardKeys(CardKeys())
    assert keys.receive(event(KEY, codes["T"], 1, 10), 0) == [facts.CardTyped(10, "T", "")]
    assert keys.receive(event(KEY, codes["T"], 0, 20), 0) == []
    assert keys.receive(event(KEY, codes["H"], 1, 30), 0) == [facts.CardTyped(30, "T", "H")]
    (card,) = keys.receive(event(KEY, codes["ok"], 1, 40), 0)
    assert card == facts.CardRead(40, 1, card_of("TH"), "", facts.PEOPLE)
    back = event(KEY, codes["back"], 1, 50) + event(KEY, codes["back"], 1, 50 + BOUNCE_US - 1)
    assert keys.receive(back, 0) == [facts.CardPulledBack(50, 1, facts.PEOPLE)]
    assert keys.receive(event(KEY, 99, 1, 60), 0) == []
    lost = event(KEY, codes["9"], 1, 70) + event(SYN, DROPPED, 0, 80)
    assert keys.receive(lost, 0)[-1] == facts.CardTyped(80, "", "")
