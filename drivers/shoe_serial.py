"""The table's end of the line to a card shoe (docs/shoe.md), without I/O: bytes in, records out.

The shoe numbers what happens and says it again until it is acknowledged, so nothing counts twice,
and what is lost is told. With a key, what is not said by this shoe, now, changes nothing: the code
is checked first, each frame has a counter that rises, and a boot is believed only once it has
echoed a session that was never used before.

A card counts when its edge came in, both readers read the same card, and its edge came out within
3 s (drivers/card_pull.py): before that nobody is told what it is. Whether a card may be there at
all is the table's to judge (firmware/core/cards). Knows no port and no clock.
"""

from drivers import card_pull
from drivers import shoe_messages as messages
from drivers.card_pull import Pull
from drivers.shoe_messages import Message
from firmware.bus import frame
from firmware.bus.frame import Deframer
from firmware.core.cards import facts
from firmware.shims.typed import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    Facts = list[Any]  # records of firmware/core/cards/facts.py

LOST_US = 1_000_000  # what is not said again for so long will not come: ten repetitions
# Details of a ShoeTrouble: of SILENT,
NOT_OURS = "what is said has another key or version"
DEAF = "it speaks and does not answer"
# and of LYING.
LOST = "something that happened was not said"
BACK = "its numbers went back"
OUTSIDE_MAX = 32  # cards that are known as they go back: more than lie there in a round
_SESSIONS = 0xFFFFFFFFFFFFFFFF


class ShoeSerial:
    """Hears one shoe. Call `receive` when bytes come or `due_us` is reached, then `take_bytes`."""

    def __init__(self, session: int, now_us: int, key: "bytes | None" = None) -> None:
        """`session`: 64 random bits, new at each start. `key`: the shoe's, 32 bytes; None: anybody
        on the line is believed, and `is_authenticated` says so.
        """
        self.is_authenticated = key is not None
        self._key = key
        self._deframer = Deframer()
        self._session = session & _SESSIONS  # that is believed, once `_boot` is known
        self._boot: int | None = None  # that is believed
        self._about: Any = None  # model, serial, decks of that boot
        self._heard = 0  # its last counter
        self._heard_us = now_us
        self._silent = False  # and told
        self._instead = ""  # what is heard meanwhile: a detail of SILENT
        self._n = 0  # of the last event that is here
        self._behind_us: int | None = None  # since when a later one is known of
        self._lying = False  # and told
        self._jammed = False  # and told
        self._pull = Pull()
        self._cards = 0  # that came out since its boot, as the table numbers them
        self._outside: list[Any] = []  # the last of them that did not go back: (number, read)
        self._counts: list[int] | None = None  # while the shoe is unloaded and counted
        # What the shoe is to do, and what is to be said to it.
        self._release = False
        self._again = False
        self._flags = 0  # what its last beat says that it does
        self._ack_due = False
        self._who_due: Any = None  # (boot, echo) of a shoe that is not believed yet
        self._counter = 0

    @property
    def due_us(self) -> "int | None":
        """Tells when to call `receive` if no byte comes before; None while the shoe is silent."""
        return None if self._silent else self._heard_us + messages.SILENT_US

    def release(self, on: bool) -> None:
        """Has the shoe let cards leave, or hold them; at the start it holds them."""
        self._release = on

    def again(self) -> None:
        """Has the shoe ask for the card once more; it does until an edge comes in."""
        self._again = True

    def count(self, on: bool = True) -> None:
        """Counts the cards that come from now on, until the shoe is empty: ShoeCounted. False: no
        more, they are cards again.
        """
        self._counts = [0] * messages.CARDS if on else None

    def receive(self, data: bytes, now_us: int) -> "Facts":
        """Takes the bytes that came by `now_us`, perhaps none; gives what follows, in order."""
        told: list[Any] = []
        for payload in self._deframer.feed(data):
            message = messages.opened(payload, self._key, messages.FROM_SHOE)
            if message is None:
                self._instead = NOT_OURS
            elif message.boot == self._boot and message.session == self._session:
                if message.counter > self._heard:
                    self._hear(message, now_us, told)
            else:
                self._court(message, now_us, told)
        if not self._silent and now_us - self._heard_us >= messages.SILENT_US:
            self._silent = True
            told.append(facts.ShoeTrouble(now_us, facts.SILENT, self._instead))
        return told

    def take_bytes(self) -> bytes:
        """Gives what is to be sent now; a few frames at most."""
        out = b""
        if self._who_due is not None:
            boot, echo = self._who_due
            self._who_due = None
            out += self._frame(messages.WHO, self._next_session(), boot, (echo,))
        if self._boot is None:
            return out
        if self._ack_due:
            self._ack_due = False
            out += self._say(messages.ACK, (self._n, self._cards))
        # What its beats say that it does stands until the next one.
        if bool(self._flags & messages.RELEASED) != self._release:
            self._flags ^= messages.RELEASED
            out += self._say(messages.RELEASE, (1 if self._release else 0,))
        if self._again and not self._flags & messages.ASKED_AGAIN:
            self._flags |= messages.ASKED_AGAIN
            out += self._say(messages.AGAIN, ())
        if bool(self._flags & messages.COUNTING) != (self._counts is not None):
            self._flags ^= messages.COUNTING
            out += self._say(messages.COUNT, (0 if self._counts is None else 1,))
        return out

    def _next_session(self) -> int:
        """Returns the session of the next boot that is believed: never one of another boot."""
        return (self._session + 1) & _SESSIONS or 1

    def _court(self, message: Message, now_us: int, told: "Facts") -> None:
        """Believes who says hello in the session that was offered; asks everybody else."""
        if message.session != self._next_session() or message.kind != messages.HELLO:
            self._instead = DEAF
            self._who_due = (message.boot, message.counter)
            return
        model, serial, decks, first, cards = message.fields
        if message.boot != self._boot:
            # What another controller of this table has of this boot is not asked for again.
            self._n = first - 1 if self._boot is None else 0
            self._pull = Pull()
            if self._n:
                self._pull.lose()  # it may have come in before
            self._cards = cards
            self._outside = []
            self._counts = None
            self._behind_us = None
            self._about = None
        self._session = message.session
        self._boot = message.boot
        self._flags = 0
        about = (model, serial, decks)
        if about != self._about:
            self._about = about
            names = (messages.name_of(model), messages.name_of(serial))
            told.append(
                facts.ShoeLoaded(
                    now_us,
                    names[0],
                    names[1],
                    decks,
                    message.boot,
                    self.is_authenticated,
                    self._cards,
                )
            )
        self._hear(message, now_us, told)

    def _hear(self, message: Message, now_us: int, told: "Facts") -> None:
        """Takes a message that this shoe says now."""
        self._heard = message.counter
        self._heard_us = now_us
        self._instead = ""
        if message.kind == messages.HELLO:
            return
        self._ack_due = True
        if message.kind == messages.BEAT:
            self._beat(message, now_us, told)
            return
        n = message.fields[0]
        self._catch_up(n - 1, now_us, told)
        if n == self._n + 1:
            self._n = n
            self._behind_us = None
            self._event(message, now_us, told)

    def _beat(self, message: Message, now_us: int, told: "Facts") -> None:
        last, t_ms, self._flags = message.fields
        if last < self._n:
            self._lie(BACK, last, now_us, told)
        else:
            self._catch_up(last, now_us, told)
        if last != self._n:
            return
        # Not before: what people confirm of the cloth, they confirm with all that was said.
        if self._silent:
            self._silent = False
            told.append(facts.ShoeTroubleEnded(now_us, facts.SILENT))
        if self._lying:
            self._lying = False
            told.append(facts.ShoeTroubleEnded(now_us, facts.LYING))
        self._tell(self._pull.wait(t_ms), now_us, told)

    def _catch_up(self, last: int, now_us: int, told: "Facts") -> None:
        """Everything up to `last` happened: gives up what is not said again for LOST_US."""
        if last <= self._n:
            return
        if self._behind_us is None:
            self._behind_us = now_us
        elif now_us - self._behind_us >= LOST_US:
            self._lie(LOST, last, now_us, told)

    def _lie(self, how: str, last: int, now_us: int, told: "Facts") -> None:
        """Goes on behind event `last`; whatever lay between is told as missing."""
        self._n = last
        self._behind_us = None
        self._pull.lose()
        self._cards += 1  # one at least may be missing: their numbers say so
        self._counts = None
        if not self._lying:
            self._lying = True
            told.append(facts.ShoeTrouble(now_us, facts.LYING, how))

    def _event(self, message: Message, now_us: int, told: "Facts") -> None:
        kind, fields = message.kind, message.fields
        if kind == messages.JAM:
            self._pull.spoil()
            if not self._jammed:
                self._jammed = True
                told.append(facts.ShoeTrouble(now_us, facts.JAM, ""))
        elif kind == messages.EMPTY:
            self._empty(now_us, told)
        elif kind == messages.CUT:
            self._pull.read(fields[1], card_pull.CUT)
            told.append(facts.CutCardSeen(now_us))
        elif kind == messages.CARD:
            _, t_ms, card, ident, read1, read2 = fields
            is_agreed = card == read1 == read2 and card != messages.NO_CARD
            read = (card, messages.name_of(ident)) if is_agreed else None
            self._pull.read(t_ms, read)
        else:
            if self._jammed:
                self._jammed = False
                told.append(facts.ShoeTroubleEnded(now_us, facts.JAM))
            if fields[2] == messages.IN:
                self._again = False
                self._tell(self._pull.come_in(fields[1]), now_us, told)
            else:
                self._tell(self._pull.come_out(fields[1]), now_us, told)

    def _empty(self, now_us: int, told: "Facts") -> None:
        counts, self._counts = self._counts, None
        if counts is None:
            told.append(facts.ShoeEmpty(now_us))
        else:
            told.append(facts.ShoeCounted(now_us, tuple(counts)))

    def _tell(self, became: "Sequence[tuple[str, Any]]", now_us: int, told: "Facts") -> None:
        """Numbers the cards that are out, or counts them."""
        for what, read in became:
            if self._counts is not None:
                if what == card_pull.CARD_OUT:
                    self._counts[read[0]] += 1
            elif what == card_pull.PULLED_BACK:
                told.append(facts.CardPulledBack(now_us, facts.NEVER_OUT, facts.SHOE))
            elif what == card_pull.WENT_BACK and read == card_pull.CUT:
                pass  # it is no card
            elif what == card_pull.WENT_BACK:
                told.append(facts.CardPulledBack(now_us, self._gone_back(read), facts.SHOE))
            else:
                self._cards += 1
                self._outside = self._outside[1 - OUTSIDE_MAX :] + [(self._cards, read)]
                card, ident = (None, "") if what == card_pull.UNREAD else read
                told.append(facts.CardRead(now_us, self._cards, card, ident, facts.SHOE))

    def _gone_back(self, read: Any) -> int:
        """Returns the number of the card that went back: of the last one out, if it reads as it, or
        if that was not read and no other one that is out reads so.
        """
        others = [known for _, known in self._outside[:-1]]
        n, last = self._outside[-1] if self._outside else (facts.UNKNOWN, read)
        if read is None or not (read == last or (last is None and read not in others)):
            self._outside = []
            return facts.UNKNOWN
        self._outside = self._outside[:-1]
        number: int = n
        return number

    def _say(self, kind: int, fields: Any) -> bytes:
        assert self._boot is not None
        return self._frame(kind, self._session, self._boot, fields)

    def _frame(self, kind: int, session: int, boot: int, fields: Any) -> bytes:
        self._counter += 1
        message = Message(kind, session, boot, self._counter, fields)
        return frame.encode(messages.written(message, self._key))
