"""A barcode reader over which each card is pulled: a line a card, with a check (checked_line.py).

    S17-0345-TH*7       shoe or set, number of the card in it, card, check character
    S17-0000-XX*G       the cut card

The reader types lines as a keyboard does, or sends them over a serial port. It has one reading and
no edges: of a card whose code it did not see it says nothing, and people find that one is missing.
"""

from drivers.checked_line import Lines, fields_of
from drivers.input_events import InputEvents
from firmware.core.cards import facts
from firmware.shims.typed import TYPE_CHECKING, Any
from rules.cards.deck import card_of
from rules.limits import WrongInput

if TYPE_CHECKING:
    Facts = list[Any]  # records of firmware/core/cards/facts.py

SET_MAX = 8  # characters of the name of a set
NUMBER_SIZE = 4  # digits: eight decks have 416 cards
CUT_CARD = "XX"

# The characters of a line by the keys of a reader that types (linux/input-event-codes.h), set to
# the layout of the United States, as they come. A letter is itself with and without shift.
_ROWS = ((2, "1234567890-"), (16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"))
_LETTERS = {code + at: row[at] for code, row in _ROWS for at in range(len(row))}
_LETTERS[55] = "*"  # of the keypad
_LETTERS[28] = _LETTERS[96] = "\n"
_STAR = 9  # the key of 8, with shift
_SHIFTS = (42, 54)
LOST = "?"  # in a line of which something was lost: it names no card


class ShoeBarcode:
    """Hears one reader."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._n = 0  # lines that were a card, or should have been

    def receive(self, data: bytes, now_us: int) -> "Facts":
        """Takes the bytes that came by `now_us`; gives the cards, None where a line is not right.

        Each card of a set has a number of its own: one that is read twice has the same `ident`.
        """
        told: list[Any] = []
        for line in self._lines.feed(data):
            read = read_of(line)
            if read is not None and read[1] is None:
                told.append(facts.CutCardSeen(now_us))
                continue
            self._n += 1
            ident, card = ("", None) if read is None else read
            told.append(facts.CardRead(now_us, self._n, card, ident, facts.BARCODE))
        return told


class TypingReader:
    """Reads what Linux says of a reader that types as a keyboard does: the bytes of its lines."""

    def __init__(self) -> None:
        self._events = InputEvents()
        self._down: list[int] = []  # shifts

    def receive(self, data: bytes) -> bytes:
        """Takes the bytes of input events that came; gives what was typed."""
        typed = ""
        for _, code, level in self._events.feed(data):
            if code is None:
                self._down = []
                typed += LOST
            elif code in _SHIFTS:
                self._down = [other for other in self._down if other != code]
                if level:
                    self._down.append(code)
            elif level:
                typed += "*" if code == _STAR and self._down else _LETTERS.get(code, LOST)
        return typed.encode()


def read_of(line: str) -> "tuple[str, int | None] | None":
    """Gives a line's ident, as "S17-0345", and its card: None for the cut card.

    None for what is no such line.
    """
    fields = fields_of(line)
    if fields is None or len(fields) != 3:
        return None
    name, number, text = fields
    if not 0 < len(name) <= SET_MAX or len(number) != NUMBER_SIZE or not number.isdigit():
        return None
    ident = name + "-" + number
    if text == CUT_CARD:
        return ident, None
    try:
        return ident, card_of(text)
    except WrongInput:
        return None
