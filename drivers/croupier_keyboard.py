"""The croupier's keyboard of a card table: which key was pressed, and when nothing follows from it.

A key acts when it is let go: only then is it known that it was pressed alone, and not held. What is
held, bounces or is pressed together with another acts on nothing, and is told. A key switch is no
key: it is turned, and stays.

Two ways lead to it: a USB keyboard as Linux reads it (input_events.py), and a serial one with lines
of its own.
"""

from drivers.checked_line import Lines, fields_of
from drivers.input_events import InputEvents
from firmware.core.cards import facts
from firmware.shims.typed import TYPE_CHECKING, Any, NamedTuple, Sequence

if TYPE_CHECKING:
    Facts = list[Any]  # KeysIgnored, and records of firmware/core/cards/facts.py

BOUNCE_US = 20_000  # nobody presses a key for less, or twice within it
HELD_US = 1_500_000
NEVER_US = 1 << 62

# Pressed, and nothing follows. keys: which, perhaps none; why: one of these.
KeysIgnored = NamedTuple("KeysIgnored", [("at_us", int), ("keys", "Sequence[str]"), ("why", str)])
HELD = "held"
BOUNCED = "bounced"
TOGETHER = "together"
LOST = "lost"  # the keyboard, or a part of what it said, was lost

# fmt: off
# Key or switch, its name in a line of a serial keyboard, and the key of a USB one
# (linux/input-event-codes.h): an ordinary keyboard has them all but the switches.
TABLE: "tuple[tuple[str, str, str, int], ...]" = (
    (facts.KEY_START, "START", "KEY_F1", 59),
    (facts.KEY_NO_MORE_BETS, "RIEN", "KEY_F2", 60),
    (facts.KEY_CONFIRM, "CONFIRM", "KEY_F3", 61),
    (facts.KEY_VOID, "VOID", "KEY_F4", 62),
    (facts.KEY_BURN, "BURN", "KEY_F5", 63),
    (facts.KEY_EXPOSED, "EXPOSED", "KEY_F6", 64),
    (facts.KEY_CUT, "CUT", "KEY_F7", 65),
    (facts.KEY_TURNED, "TURNED", "KEY_F8", 66),
    (facts.KEY_CARD, "CARTE", "KEY_F9", 67),
    (facts.KEY_STAND, "RESTE", "KEY_F10", 68),
    (facts.KEY_DOUBLE, "DOUBLE", "KEY_F11", 87),
    (facts.KEY_PAIR, "PAIRE", "KEY_F12", 88),
    (facts.KEY_INSURANCE, "ASSURANCE", "KEY_8", 9),
    (facts.SEAT_KEYS[0], "SEAT1", "KEY_1", 2),
    (facts.SEAT_KEYS[1], "SEAT2", "KEY_2", 3),
    (facts.SEAT_KEYS[2], "SEAT3", "KEY_3", 4),
    (facts.SEAT_KEYS[3], "SEAT4", "KEY_4", 5),
    (facts.SEAT_KEYS[4], "SEAT5", "KEY_5", 6),
    (facts.SEAT_KEYS[5], "SEAT6", "KEY_6", 7),
    (facts.SEAT_KEYS[6], "SEAT7", "KEY_7", 8),
    (facts.SWITCH_CROUPIER, "CROUPIER", "KEY_F21", 191),
    (facts.SWITCH_MANAGEMENT, "MANAGEMENT", "KEY_F22", 192),
)
# fmt: on
CODES = {code: key for key, _, _, code in TABLE}
_NAMES = {name: key for key, name, _, _ in TABLE}

# A line of a serial keyboard: NAME-D-012*check, D down or U up, and its number.
_LEVELS = {"D": 1, "U": 0}
_NUMBERS = 1000


class _Down:
    """A key that is down."""

    def __init__(self, key: str, since_us: int) -> None:
        self.key = key
        self.since_us = since_us
        self.is_ignored = False


class CroupierKeys:
    """Decides what the keys mean. Fed with every change of a key or a switch, in order."""

    def __init__(self) -> None:
        self._down: list[_Down] = []
        self._up_us: dict[str, int] = {}  # when a key was let go last
        self._turned: list[str] = []  # switches

    @property
    def due_us(self) -> int:
        """Tells when to call `tick` at the latest."""
        due = [each.since_us + HELD_US for each in self._down if not each.is_ignored]
        return min(due) if due else NEVER_US

    def feed(self, key: str, level: int, at_us: int) -> "Facts":
        """Takes that a key or switch went down (1) or up (0) at `at_us`.

        Raises ValueError for one that the keyboard has not.
        """
        told = self.tick(at_us)
        if key in facts.SWITCHES:
            self._turn(key, level, at_us, told)
        elif key not in facts.KEYS:
            raise ValueError("there is no key " + key)
        elif level:
            self._press(key, at_us, told)
        else:
            self._let_go(key, at_us, told)
        return told

    def tick(self, now_us: int) -> "Facts":
        """Lets time pass: a key is held."""
        told: list[Any] = []
        for each in self._down:
            if not each.is_ignored and now_us - each.since_us >= HELD_US:
                each.is_ignored = True
                told.append(KeysIgnored(now_us, (each.key,), HELD))
        return told

    def lose(self, at_us: int) -> "Facts":
        """Forgets what is down, and takes the switches for turned back: something was not heard."""
        told: list[Any] = [KeysIgnored(at_us, tuple([each.key for each in self._down]), LOST)]
        told.extend([facts.KeySwitched(at_us, key, False) for key in self._turned])
        self._down = []
        self._turned = []
        return told

    def _turn(self, key: str, level: int, at_us: int, told: "Facts") -> None:
        if (key in self._turned) == bool(level):
            return
        if level:
            self._turned.append(key)
        else:
            self._turned.remove(key)
        told.append(facts.KeySwitched(at_us, key, bool(level)))

    def _press(self, key: str, at_us: int, told: "Facts") -> None:
        if any(each.key == key for each in self._down):
            return
        self._down.append(_Down(key, at_us))
        if len(self._down) > 1:
            for each in self._down:
                each.is_ignored = True
            told.append(KeysIgnored(at_us, tuple([each.key for each in self._down]), TOGETHER))
        elif key in self._up_us and at_us - self._up_us[key] < BOUNCE_US:
            self._down[0].is_ignored = True
            told.append(KeysIgnored(at_us, (key,), BOUNCED))

    def _let_go(self, key: str, at_us: int, told: "Facts") -> None:
        for each in self._down:
            if each.key == key:
                self._down.remove(each)
                self._up_us[key] = at_us
                if each.is_ignored:
                    return
                if at_us - each.since_us < BOUNCE_US:
                    told.append(KeysIgnored(at_us, (key,), BOUNCED))
                else:
                    told.append(facts.KeyPressed(at_us, key))
                return


class UsbKeyboard:
    """Reads what Linux says of a keyboard: firmware/lib/input_device.py opens it."""

    def __init__(self, keys: CroupierKeys, codes: "dict[int, str] | None" = None) -> None:
        """`codes`: key or switch by its code, where the keyboard has others than TABLE."""
        self._keys = keys
        self._codes = CODES if codes is None else codes
        self._events = InputEvents()

    def receive(self, data: bytes) -> "Facts":
        """Takes the bytes that came; gives what follows. The kernel stamps every event."""
        told: list[Any] = []
        for at_us, code, level in self._events.feed(data):
            if code is None:
                told.extend(self._keys.lose(at_us))
            elif code in self._codes:
                told.extend(self._keys.feed(self._codes[code], level, at_us))
        return told


class SerialKeyboard:
    """Reads the lines of a serial keyboard: each has a number, so that a lost one shows."""

    def __init__(self, keys: CroupierKeys) -> None:
        self._keys = keys
        self._lines = Lines()
        self._number: int | None = None  # of the last line

    def receive(self, data: bytes, now_us: int) -> "Facts":
        """Takes the bytes that came by `now_us`; gives what follows."""
        told: list[Any] = []
        for line in self._lines.feed(data):
            change = _change(line)
            if change is None:
                self._number = None  # it may have had any
                told.extend(self._keys.lose(now_us))
                continue
            key, level, number = change
            if self._number is not None and number != (self._number + 1) % _NUMBERS:
                told.extend(self._keys.lose(now_us))
            self._number = number
            told.extend(self._keys.feed(key, level, now_us))
        return told


def _change(line: str) -> "tuple[str, int, int] | None":
    """Returns key, level and number of a line; None for what is no line of a keyboard."""
    fields = fields_of(line)
    if fields is None or len(fields) != 3:
        return None
    name, level, number = fields
    if name not in _NAMES or level not in _LEVELS or len(number) != 3 or not number.isdigit():
        return None
    return _NAMES[name], _LEVELS[level], int(number)
