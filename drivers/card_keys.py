"""Cards that people enter: 13 keys for the rank, 4 for the suit, OK and back.

For a table whose shoe is out of order, or has none. What is typed is shown in full before it
counts, and counts with OK. Until the next card or decision it may be taken back. Every card is
marked as read by people.

The keys are those of a USB keyboard as Linux reads it, or of a small serial one with lines of its
own.
"""

from drivers.checked_line import Lines, fields_of
from drivers.input_events import InputEvents
from firmware.core.cards import facts
from firmware.core.cards.facts import CardTyped
from firmware.shims.typed import TYPE_CHECKING, Any
from rules.cards.deck import RANKS, SUITS, card_of

if TYPE_CHECKING:
    Facts = list[Any]  # records of firmware/core/cards/facts.py

OK = "ok"
BACK = "back"
KEYS = tuple(RANKS) + tuple(SUITS) + (OK, BACK)
BOUNCE_US = 20_000  # nobody presses the same key again so soon

# fmt: off
# Key, its name in a line of a serial keyboard, and the key of a USB one
# (linux/input-event-codes.h), which has them all.
TABLE: "tuple[tuple[str, str, str, int], ...]" = (
    ("A", "A", "KEY_A", 30),
    ("2", "2", "KEY_2", 3),
    ("3", "3", "KEY_3", 4),
    ("4", "4", "KEY_4", 5),
    ("5", "5", "KEY_5", 6),
    ("6", "6", "KEY_6", 7),
    ("7", "7", "KEY_7", 8),
    ("8", "8", "KEY_8", 9),
    ("9", "9", "KEY_9", 10),
    ("T", "T", "KEY_T", 20),
    ("J", "J", "KEY_J", 36),
    ("Q", "Q", "KEY_Q", 16),
    ("K", "K", "KEY_K", 37),
    ("S", "S", "KEY_S", 31),
    ("H", "H", "KEY_H", 35),
    ("D", "D", "KEY_D", 32),
    ("C", "C", "KEY_C", 46),
    (OK, "OK", "KEY_ENTER", 28),
    (BACK, "BACK", "KEY_BACKSPACE", 14),
)
# fmt: on
_CODES = {code: key for key, _, _, code in TABLE}
_NAMES = {name: key for key, name, _, _ in TABLE}
_NUMBERS = 1000  # of lines


class CardKeys:
    """Hears the keys, one after the other."""

    def __init__(self) -> None:
        self._rank = ""
        self._suit = ""
        self._n = 0  # of the last card that was entered
        self._may_go = False  # that card may still be taken back

    def press(self, key: str, at_us: int) -> "Facts":
        """Takes a key, of KEYS; gives what stands on the screen now, or what counts.

        Raises ValueError for another key.
        """
        if key not in KEYS:
            raise ValueError("there is no key " + key)
        if key == OK:
            return self._enter(at_us)
        if key == BACK:
            return self._go_back(at_us)
        if key in RANKS:
            self._rank = key
        else:
            self._suit = key
        return [CardTyped(at_us, self._rank, self._suit)]

    def lose(self, at_us: int) -> "Facts":
        """Something that was pressed was not heard: wipes out what is typed, and does not count."""
        self._rank = self._suit = ""
        return [CardTyped(at_us, "", "")]

    def keep(self) -> None:
        """A decision came, or what was entered is refused: nothing is taken back."""
        self._may_go = False

    def _enter(self, at_us: int) -> "Facts":
        if not self._rank or not self._suit:
            return [CardTyped(at_us, self._rank, self._suit)]
        card = card_of(self._rank + self._suit)
        self._rank = self._suit = ""
        self._n += 1
        self._may_go = True
        return [facts.CardRead(at_us, self._n, card, "", facts.PEOPLE)]

    def _go_back(self, at_us: int) -> "Facts":
        if not self._rank and not self._suit and self._may_go:
            self._may_go = False
            return [facts.CardPulledBack(at_us, self._n, facts.PEOPLE)]
        self._rank = self._suit = ""
        return [CardTyped(at_us, "", "")]


class _Presses:
    """Presses keys, and the same one not again within BOUNCE_US."""

    def __init__(self, keys: CardKeys) -> None:
        self._keys = keys
        self._last = ""
        self._last_us = 0

    def press(self, key: str, at_us: int) -> "Facts":
        is_bounce = key == self._last and at_us - self._last_us < BOUNCE_US
        self._last, self._last_us = key, at_us
        return [] if is_bounce else self._keys.press(key, at_us)


class UsbCardKeys:
    """Reads what Linux says of a keyboard: firmware/lib/input_device.py opens it."""

    def __init__(self, keys: CardKeys) -> None:
        self._keys = keys
        self._presses = _Presses(keys)
        self._events = InputEvents()

    def receive(self, data: bytes, now_us: int) -> "Facts":
        """Takes the bytes that came; gives what follows. The kernel stamps every event."""
        told: list[Any] = []
        for at_us, code, level in self._events.feed(data):
            if code is None:
                told.extend(self._keys.lose(at_us))
            elif level and code in _CODES:
                told.extend(self._presses.press(_CODES[code], at_us))
        return told


class SerialCardKeys:
    """Reads the lines of a serial keyboard, one for each key pressed, as `OK-012*check`.

    Each has a number, so that a lost one shows.
    """

    def __init__(self, keys: CardKeys) -> None:
        self._keys = keys
        self._presses = _Presses(keys)
        self._lines = Lines()
        self._number: int | None = None  # of the last line

    def receive(self, data: bytes, now_us: int) -> "Facts":
        """Takes the bytes that came by `now_us`; gives what follows."""
        told: list[Any] = []
        for line in self._lines.feed(data):
            pressed = _pressed(line)
            if pressed is None:
                self._number = None  # it may have had any
                told.extend(self._keys.lose(now_us))
                continue
            key, number = pressed
            if self._number is not None and number != (self._number + 1) % _NUMBERS:
                told.extend(self._keys.lose(now_us))
            self._number = number
            told.extend(self._presses.press(key, now_us))
        return told


def _pressed(line: str) -> "tuple[str, int] | None":
    """Returns key and number of a line; None for what is no line of such a keyboard."""
    fields = fields_of(line)
    if fields is None or len(fields) != 2:
        return None
    name, number = fields
    if name not in _NAMES or len(number) != 3 or not number.isdigit():
        return None
    return _NAMES[name], int(number)
