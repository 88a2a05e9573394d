"""What a display may light, and for how long. Bytes and time in; what to light and to answer out.

A display lights what a heartbeat tells that answers a challenge of its own, less than FRESH_US old;
a number only as the signed record has it that this heartbeat names (docs/bus.md). Nothing that came
over the line changes anything before its code is checked.
"""

import struct

from firmware.bus import card_messages, frame, mac, message_bytes, messages
from firmware.bus.card_messages import Cards
from firmware.bus.frame import Deframer
from firmware.bus.messages import CONFIRMED, STALE, VOID, Answer, Envelope, Heartbeat, Table
from firmware.bus.record import Record
from firmware.bus.record_chain import RecordChain
from firmware.bus.slots import FRESH_US
from firmware.shims.typed import Any, NamedTuple, Sequence

# Challenges that may still be answered: a round is 100 ms at least, but an answer may be lost.
CHALLENGES_MAX = 8
# A challenge: HMAC-SHA-256 under the display's key, cut, of this word, the boot and how many
# challenges there were since then.
CHALLENGE = b"challenge"
CHALLENGE_FORMAT = "<QI"
# What a notice tells stands so long after the challenge that it answers: some are lost.
NOTICE_US = 3_000_000
_NEWS = (messages.HEARTBEAT, messages.RECORD, messages.TABLE)  # what may change what is lit

# What is lit. `number` and its `colour` are None for a dash; `manual`: people entered it, or
# corrected it. `history`: the last outcomes, newest last, (number, colour) or None where there is
# no number: for a void, and for a round of cards. `game`, `layout_verified`, `wheel` and `table`
# are None while they are not known; `layout_verified` also where cards are played.
Lit = NamedTuple(
    "Lit",
    [
        ("state", str),
        ("game", "str | None"),
        ("number", "int | None"),
        ("colour", "str | None"),
        ("epoch", int),
        ("seq", int),
        ("coup", int),
        ("rotor", int),
        ("reason", "str | None"),
        ("manual", bool),
        ("history", "tuple[tuple[int, str] | None, ...]"),
        ("layout_verified", "bool | None"),
        ("wheel", "str | None"),
        ("table", "Table | None"),
    ],
)
DARK = Lit(STALE, None, None, None, 0, 0, 0, 0, None, False, (), None, None, None)


class Receiver:
    """Plays one display. Call `feed` with what comes, send at once what it returns; `work` for as
    long as it has some, and `tick` with the time it is by then; then light `lit`.

    Within a session the counters must rise. Another session is answered, and so believed, only
    when the present one has been silent for FRESH_US.
    """

    def __init__(self, address: int, key: bytes, root: bytes, boot: int, verify: Any) -> None:
        """`key`: of this display alone. `root`: the wheel's first public key. `boot`: 64 random
        bits, new at each start. `verify(public, signature, message)` checks signatures: that of
        ed25519 on MicroPython, of firmware.lib.signatures on CPython."""
        self.lit = DARK
        # Who asks to be the first supervisor, to be shown beside what is lit; None: nobody.
        self.asks: str | None = None
        self._address = address
        self._key = key
        self._boot = boot
        self._record_chain = RecordChain(root, verify)
        self._deframer = Deframer()
        # The session and counter of the last ask that was answered, and when that was. Forgotten
        # after FRESH_US: who has this display's key could have said the greatest counter.
        self._asked = (0, 0, 0)
        self._issued = 0  # challenges, ever
        # Those that may still be answered: (challenge, session that asked, when).
        self._challenges: list[tuple[bytes, int, int]] = []
        # The session that is believed, and the counter of its last heartbeat.
        self._session: int | None = None
        self._counter = 0
        self._told: Heartbeat | None = None  # that heartbeat; None while stale
        self._until_us = 0
        self._table: Table | None = None
        self._table_digest = messages.NO_DIGEST
        self._table_of: int | None = None  # the last session whose table it was
        self._notices = 0  # the counter of the last notice of the session
        self._asks_until_us = 0
        self._cards: Cards | None = None  # what lies on a card table, as it was told last
        self._cards_told = 0  # the counter of that message
        self._cards_until_us = 0

    @property
    def deadline_us(self) -> int | None:
        """Tells when to call `tick` if nothing comes before; None while there is only the dash."""
        if self._told is None or self._cards is None:
            return None if self._told is None else self._until_us
        return min(self._until_us, self._cards_until_us)

    @property
    def cards(self) -> "Cards | None":
        """Gives what lies on the card table, of the round that `lit` is about; None: a dash."""
        cards = self._cards
        if cards is None or self.lit.game is None or cards.round != self.lit.coup:
            return None
        return cards if card_messages.fits(cards, self.lit.game) else None

    @property
    def first(self) -> "int | None":
        """Gives the first round of the shoe that is played, with which the roads begin; 0: none
        has begun; None: nobody tells."""
        return None if self._cards is None else self._cards.first

    @property
    def round_end(self) -> "Record | None":
        """Gives the signed record of how the round of cards ended that `lit` is about: its winner
        and points, or its reason; None: a dash, while it is open too."""
        if self.lit.game is None or not messages.is_card_game(self.lit.game):
            return None
        return self._record_chain.outcome()

    @property
    def ends(self) -> "tuple[tuple[int, Record], ...]":
        """Gives the last coups or rounds, newest last, each with the record that stands for it."""
        return self._record_chain.ends()

    @property
    def outcomes(self) -> "tuple[tuple[int, tuple[int, str] | None], ...]":
        """Gives what `lit.history` has, each with its coup: for who keeps a longer one."""
        return self._record_chain.outcomes()

    def feed(self, data: bytes, now_us: int) -> bytes:
        """Takes the bytes that came by `now_us`; returns what to send now. Checks no signature."""
        return self.receive_payloads(self._deframer.feed(data), now_us)

    def receive_payloads(self, payloads: "Sequence[bytes]", now_us: int) -> bytes:
        """Gives the same, of frames that somebody else has opened."""
        self._expire(now_us)
        reply = b""
        is_news = False
        for payload in payloads:
            kind = message_bytes.kind(payload)
            # Whatever follows an ask, somebody else has the word by then: too late for an answer.
            reply = b""
            if kind == messages.ASK:
                reply = self._answer(payload, now_us)
            elif kind == messages.HEARTBEAT:
                self._hear(payload, now_us)
            elif kind == messages.RECORD:
                self._record_chain.add_record(payload[messages.RECORD_SIZE :])
            elif kind == messages.NOTICE:
                self._notice(payload, now_us)
            elif kind == messages.CARDS:
                self._hear_cards(payload, now_us)
            elif kind == messages.TABLE and self._told is not None:
                self._learn_table(payload, self._told.table)
            is_news = is_news or kind in _NEWS
        if is_news:
            self._light()
        return reply

    def waits(self, now_us: int, takes_us: int = 0) -> bool:
        """Tells whether a signature waits to be checked, which takes `takes_us` here, at most.

        What is lit would be too old by then? Then `lit` is the dash: light it before you `work`.
        """
        if not self._record_chain.waits:
            return False
        if self._told is not None and now_us + takes_us >= self._until_us:
            self.lit = DARK
        return True

    def work(self) -> bool:
        """Checks one signature, if one waits, which takes long; False if none does.

        Nothing else happens meanwhile: who needs longer for it than until `deadline_us`, which is
        less than FRESH_US away, asks `waits` and goes dark first. What was checked stays.
        """
        return self._record_chain.work()

    def tick(self, now_us: int) -> None:
        """Lets time pass: the dash, FRESH_US after the last challenge that was answered."""
        self._expire(now_us)
        self._light()  # as it is after `work`

    def drop(self) -> None:
        """Shows the dash now: the port is gone, or nobody listened for a while."""
        self._deframer = Deframer()
        self._challenges = []
        self._hear_nobody()
        self._light()

    def _expire(self, now_us: int) -> None:
        if now_us >= self._asks_until_us:
            self.asks = None
        if self._cards is not None and now_us >= self._cards_until_us:
            self._cards = None
        if self._told is not None and now_us >= self._until_us:
            self._hear_nobody()
            self._light()

    def _hear_nobody(self) -> None:
        """Forgets whom it believed, too: who has this display's key could have said the greatest
        counter, and that must not outlive him. A challenge is never the same twice anyway."""
        self._told = None
        self._session = None
        self._counter = 0
        self._notices = 0
        self.asks = None
        self._cards = None
        self._cards_told = 0
        self._record_chain.follow_heartbeat(None)

    def _answer(self, payload: bytes, now_us: int) -> bytes:
        """The answer to an ask that is ours, is news, and comes from whom we believe."""
        envelope = message_bytes.open_ask(payload, self._address, self._key)
        if envelope is None:
            return b""
        if self._told is not None and envelope.session != self._session:
            return b""
        session, counter, at_us = self._asked
        is_recent = now_us - at_us < FRESH_US
        if is_recent and envelope.session == session and envelope.counter <= counter:
            return b""
        self._asked = (envelope.session, envelope.counter, now_us)
        self._issued += 1
        told = CHALLENGE + struct.pack(CHALLENGE_FORMAT, self._boot, self._issued)
        challenge = mac.hmac_sha256(self._key, told)[: messages.CODE_SIZE]
        kept = self._challenges[1 - CHALLENGES_MAX :]
        self._challenges = kept + [(challenge, envelope.session, now_us)]
        self._light()
        self._record_chain.answered()
        return self._framed(envelope, challenge)

    def _framed(self, envelope: Envelope, challenge: bytes) -> bytes:
        lit = self.lit
        epoch, seq = self._record_chain.newest
        answer = Answer(
            self._boot,
            challenge,
            epoch,
            seq,
            messages.lit_digest(lit.state, lit.number, lit.epoch, lit.seq),
            self._record_chain.want(),
            self._record_chain.kid,
            self._table_digest[: messages.TABLE_HELD_SIZE],
        )
        return frame.encode(message_bytes.answer_bytes(envelope, answer, self._key))

    def _hear(self, payload: bytes, now_us: int) -> None:
        """A heartbeat: believed if it answers a challenge of ours in time."""
        fresh = self._fresh(now_us)
        opened = message_bytes.open_heartbeat(
            payload, self._address, self._key, [one[0] for one in fresh]
        )
        if opened is None:
            return
        told, place = opened
        _, asked_by, issued_us = fresh[place]
        if told.session != asked_by:
            return
        if told.session == self._session and told.counter <= self._counter:
            return
        if told.session != self._session:
            self._notices = 0
            self._cards, self._cards_told = None, 0
        # An earlier challenge may be answered after a later one.
        self._until_us = max(self._until_us if self._told else 0, issued_us + FRESH_US)
        self._session = told.session
        self._counter = told.counter
        self._told = told
        self._challenges = [one for one in fresh if one[1] == told.session]
        self._record_chain.follow_heartbeat(told)

    def _notice(self, payload: bytes, now_us: int) -> None:
        """A notice: believed as a heartbeat is, in the session that is believed already."""
        fresh = self._fresh(now_us)
        opened = message_bytes.open_notice(
            payload, self._address, self._key, [one[0] for one in fresh]
        )
        if opened is None or self._told is None:
            return
        session, counter, name, place = opened
        _, asked_by, issued_us = fresh[place]
        if session != self._session or session != asked_by or counter <= self._notices:
            return
        self._notices = counter
        self.asks = name
        self._asks_until_us = issued_us + NOTICE_US

    def _hear_cards(self, payload: bytes, now_us: int) -> None:
        """What lies on a card table: believed as a notice is, and good for as long as a state."""
        fresh = self._fresh(now_us)
        opened = card_messages.open_cards(
            payload, self._address, self._key, [one[0] for one in fresh]
        )
        if opened is None or self._told is None:
            return
        session, counter, cards, place = opened
        _, asked_by, issued_us = fresh[place]
        if session != self._session or session != asked_by or counter <= self._cards_told:
            return
        self._cards_told = counter
        self._cards = cards
        self._cards_until_us = issued_us + FRESH_US

    def _fresh(self, now_us: int) -> "Sequence[tuple[bytes, int, int]]":
        """Returns the challenges that may still be answered."""
        return [one for one in self._challenges if now_us - one[2] < FRESH_US]

    def _learn_table(self, payload: bytes, digest: bytes) -> None:
        table = message_bytes.open_table(payload, digest)
        if table is not None:
            self._table = table
            self._table_digest = digest
            self._table_of = self._session

    def _light(self) -> None:
        told = self._told
        if told is None:
            self.lit = DARK
            return
        found = self._record_chain.outcome() if told.state in (CONFIRMED, VOID) else None
        number, colour, reason, manual = None, None, None, False
        if found is not None and told.state == CONFIRMED and found.number is not None:
            number, colour, manual = found.number, found.colour, found.manual is not None
        elif found is not None and told.state == VOID:
            reason, manual = found.reason, found.manual is not None
        if self._table_digest == told.table:
            self._table_of = self._session
        # Of a session's next table, which differs in the call alone, only the digest may be here.
        is_told = self._table_of == self._session and told.table != messages.NO_DIGEST
        table = self._table if is_told else None
        self.lit = Lit(
            told.state,
            told.game,
            number,
            colour,
            told.epoch,
            told.seq,
            told.coup,
            told.rotor,
            reason,
            manual,
            self._record_chain.history(),
            None if messages.is_card_game(told.game) else told.layout_verified,
            self._record_chain.wheel if table is None else table.wheel,
            table,
        )
