"""The shoe's end of the line of docs/shoe.md, without I/O: what a shoe, or an adapter, must say.

It stands here beside the table's end and is portable: an adapter in front of a maker's shoe runs it
on a microcontroller, and the virtual table runs it around the simulated shoe, which knows nothing
of lines. It reads no card and moves none. Times are microseconds since the start of the shoe.
"""

from drivers import shoe_messages as messages
from drivers.shoe_messages import Message
from firmware.bus import frame
from firmware.bus.frame import Deframer
from firmware.shims.typed import Any

WAITING_MAX = 64  # events kept for a table that is away: cards of several rounds
ECHO_MAX = 8  # frames of ours that a table may be behind to be believed: a second and a half
_MS = 0xFFFFFFFF


class ShoeEnd:
    """Tells one table what happens in a shoe, until it has it."""

    def __init__(
        self, model: str, serial: str, decks: int, *, boot: int, key: "bytes | None" = None
    ) -> None:
        """`boot`: 64 random bits, new at each start, not 0. `key`: the table's; None: nothing is
        authenticated.

        Raises ValueError for a name that is not short ASCII.
        """
        self.again = False  # the card is to be pulled over the readers again
        self.counting = False  # the shoe is unloaded and counted, until it is empty
        self._about = (messages.name_bytes(model), messages.name_bytes(serial), decks)
        self._boot = boot
        self._key = key
        self._deframer = Deframer()
        self._session = 0  # of the table that is believed
        self._heard = 0  # its last counter
        self._heard_us = 0
        self._believed_at = 0  # our counter when it came to be believed
        self._released = False
        self._counter = 0
        self._n = 0  # of the last event
        self._cards = 0  # that the table had numbered with what it acknowledged last
        self._waiting: list[Any] = []  # (n, kind, fields) of events that the table may lack
        self._said = 0  # how many of them are under way
        self._said_us = 0
        self._hello_due = False
        self._beat_us = 0  # when the next one is due
        self._is_empty = False
        self._is_new_table = False  # what began anew may not know that

    def edge(self, side: int, now_us: int) -> None:
        """A card came to one end of the way: messages.IN or OUT."""
        self._is_empty = False
        if side == messages.IN:
            self.again = False
        self._happened(messages.EDGE, (side,), now_us)

    def card(self, card: int, ident: str, read1: int, read2: int, now_us: int) -> None:
        """A card was read: what it is taken for, its id, and what each reader read.

        Raises ValueError for an id that is not short ASCII.
        """
        self._is_empty = False
        fields = (card, messages.name_bytes(ident), read1, read2)
        self._happened(messages.CARD, fields, now_us)

    def cut(self, now_us: int) -> None:
        """The cut card was read."""
        self._happened(messages.CUT, (), now_us)

    def empty(self, now_us: int) -> None:
        """No card is left."""
        self.counting, self._is_empty = False, True
        self._happened(messages.EMPTY, (), now_us)

    def jam(self, now_us: int) -> None:
        """A card is stuck."""
        self._happened(messages.JAM, (), now_us)

    def is_released(self, now_us: int) -> bool:
        """Tells whether a card may leave now: the table said so, and is still there."""
        return self._released and now_us - self._heard_us < messages.SILENT_US

    def receive(self, data: bytes, now_us: int) -> None:
        """Takes the bytes that came by `now_us`."""
        for payload in self._deframer.feed(data):
            message = messages.opened(payload, self._key, messages.FROM_TABLE)
            if message is not None and message.boot == self._boot and self._believes(message):
                self._heard_us = now_us
                self._heed(message)

    @property
    def due_us(self) -> int:
        """Tells when to call `take_bytes` at the latest."""
        if self._hello_due or self._unsaid():
            return 0
        if self._said:
            return min(self._beat_us, self._said_us + messages.REPEAT_US)
        return self._beat_us

    def take_bytes(self, now_us: int) -> bytes:
        """Gives what is to be sent now."""
        out = b""
        if self._is_new_table:
            self._is_new_table = False
            if self._is_empty and not any(kind == messages.EMPTY for _, kind, _ in self._waiting):
                self._happened(messages.EMPTY, (), now_us)
        beats = now_us >= self._beat_us
        if self._hello_due or (beats and not self._session):
            self._hello_due = False
            first = self._waiting[0][0] if self._waiting else self._n + 1
            out += self._frame(messages.HELLO, self._about + (first, self._cards))
        if self._session:
            out += self._events(now_us)
            if beats:
                flags = messages.RELEASED if self.is_released(now_us) else 0
                flags |= messages.ASKED_AGAIN if self.again else 0
                flags |= messages.COUNTING if self.counting else 0
                out += self._frame(messages.BEAT, (self._n, _ms(now_us), flags))
        if beats:
            self._beat_us = now_us + messages.BEAT_US
        return out

    def _happened(self, kind: int, fields: Any, now_us: int) -> None:
        self._n += 1
        self._waiting.append((self._n, kind, (self._n, _ms(now_us)) + fields))
        if len(self._waiting) > WAITING_MAX:
            # The table finds that it is missing: n tells.
            self._waiting.pop(0)
            self._said = max(0, self._said - 1)

    def _believes(self, message: Message) -> bool:
        """Tells whether this is said now, and not a recording."""
        if message.session == self._session:
            if message.counter <= self._heard:
                return False
        elif message.kind != messages.WHO or not self._is_fresh(message.fields[0]):
            return False
        else:
            # Another table, or the same one started again.
            self._session, self._is_new_table = message.session, True
            self._believed_at = self._counter
            self._released = self.again = self.counting = False
            self._said = 0
        self._heard = message.counter
        return True

    def _is_fresh(self, echo: int) -> bool:
        """Tells whether who echoes that counter of ours has heard us just now."""
        return self._believed_at < echo <= self._counter < echo + ECHO_MAX

    def _heed(self, message: Message) -> None:
        if message.kind == messages.WHO:
            self._hello_due = True
        elif message.kind == messages.RELEASE:
            self._released = message.fields[0] == 1
        elif message.kind == messages.AGAIN:
            self.again = True
        elif message.kind == messages.COUNT:
            self.counting = message.fields[0] == 1
        else:
            n, self._cards = message.fields
            while self._waiting and self._waiting[0][0] <= n:
                self._waiting.pop(0)
                self._said = max(0, self._said - 1)

    def _unsaid(self) -> bool:
        """Tells whether an event waits that may be said at once."""
        return bool(self._session) and self._said < min(len(self._waiting), messages.WINDOW)

    def _events(self, now_us: int) -> bytes:
        if self._said and now_us - self._said_us >= messages.REPEAT_US:
            self._said = 0
        if not self._unsaid():
            return b""
        out = b""
        for _, kind, fields in self._waiting[self._said : messages.WINDOW]:
            out += self._frame(kind, fields)
            self._said += 1
        self._said_us = now_us
        return out

    def _frame(self, kind: int, fields: Any) -> bytes:
        self._counter += 1
        message = Message(kind, self._session, self._boot, self._counter, fields)
        return frame.encode(messages.written(message, self._key))


def _ms(now_us: int) -> int:
    return (now_us // 1000) & _MS
