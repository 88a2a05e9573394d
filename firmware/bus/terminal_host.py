"""The controller's side of the talk with the terminals: polls each in turn, one at a time, and does
with the stakes book (firmware/stakes) what they ask. Bytes and time in; polls out.

A reply counts once: the one to the poll that is out, within its slot, signed with that terminal's
key. Whatever comes late, again, or from nobody changes nothing.
"""

from firmware.bus import frame, mac, message_bytes, slots, terminal_bytes, terminal_messages
from firmware.bus.line_arbiter import LineArbiter
from firmware.bus.terminal_messages import Envelope, Payments, Poll, Sentence
from firmware.shims.typed import Any, Sequence
from firmware.stakes.answers import Answer

# Unheard for so long, a terminal is told as silent: three polls of the slowest round.
SILENT_US = 3_000_000
TWO_AT_ONE_ADDRESS = "T12"
SILENT = "T13"
OUT_OF_PLAY = ("FAULT", "SERVICE")
# Sign-ons that fail: so many are free, then each wait is twice the one before.
TRIES = 3
WAIT_US = 10_000_000
WAIT_MAX_US = 900_000_000
TRIED_MAX = 256  # remembered; more only while each of them waits
NO_CARDS = "no cards are played at this table"
WRONG_KEY = "there is no such account, or its PIN or card is another"


class Place:
    """What the controller knows of one terminal."""

    def __init__(self, address: int, key: bytes) -> None:
        self.address = address
        self.replies = terminal_messages.REPLY  # kind of what it says
        self.key = key
        self.counter = 0  # of the last poll to it
        self.polled_us = 0  # when that was
        self.replied = 0  # the boot that replied to that poll
        # Who replies here, lately: [boot, number of its last reply, when]; first come first.
        self.boots: list[list[int]] = []
        self.echoes = 0  # polls that told one of them that it was heard
        self.answered = 0  # the last request that was decided
        self.decision: Any = None  # and how, as firmware.stakes.answers.Answer
        self.known = 0
        self.paid_coup = 0
        self.paid = 0
        self.seat = 0  # of who was told them
        self.signed_on = 0  # the boot that showed the key of who sits there
        self.told_silent = False
        self.conflict = False  # two terminals reply here: the older one was heard after the newer


class TerminalHost:
    """Polls the terminals. Call `feed` with what came, then `poll`, in turns (line.py)."""

    def __init__(
        self,
        session: int,
        keys: "dict[int, bytes]",
        book: Any,
        *,
        baud: int,
        displays: int = 0,
        extra_us: int = 0,
    ) -> None:
        """`session`: 64 random bits, new at each start. `keys`: by address. `book`: a stakes book.
        `displays`: how many are on the same line; `extra_us`: time in a round for more than one
        short poll of each.

        Raises ValueError, a sentence, for more terminals than the line has time for.
        """
        most = slots.terminals_max(baud, displays, extra_us)
        if len(keys) > most:
            beside = f" beside {displays} displays" if displays else ""
            raise ValueError(
                f"A line of {baud} baud has time for {most} terminals{beside}, not {len(keys)}:"
                " each is polled once a second."
            )
        self.count = len(keys)
        self.slots_us: list[int] = [slots.terminal_slot_us(baud)] * len(keys)
        self.extra_us = extra_us
        self.arbiter = LineArbiter(baud)  # until the line gives its own
        self._session = session
        self._book = book
        self._reply_us = slots.reply_us(baud)
        self._places = [Place(address, keys[address]) for address in sorted(keys)]
        self._state = "BETS_OPEN"
        self._next = 0  # whose poll is next, of the places
        self._since_long = len(self._places) + 1  # polls since one had a part
        self._troubles: list[tuple[str, str]] = []
        # Sign-ons that failed, by account and by terminal: how many, and until when none is heard.
        # Not of accounts that are not there.
        self._failed: dict[Any, tuple[int, int]] = {}

    def set_state(self, state: str) -> None:
        """Takes the state of the coup, as the displays are told it."""
        self._state = state
        self._book.suspend(state in OUT_OF_PLAY)

    def poll(self, now_us: int, spare_us: int = 0) -> bytes:
        """Gives the frame of the next poll; the line is free and there are terminals. `spare_us`:
        so much longer than planned it may last. Empty if it is not needed."""
        place = self._places[self._next]
        self._next = (self._next + 1) % len(self._places)
        return self._poll(place, now_us, spare_us)

    def poll_extra(self, now_us: int, spare_us: int) -> bytes:
        """Gives the frame of a poll out of turn, which lasts no longer than that; empty if nobody
        is to have one. The line is free."""
        return b""

    def _poll(self, place: Place, now_us: int, spare_us: int) -> bytes:
        self._watch(place, now_us)
        place.counter += 1
        place.polled_us = now_us
        place.replied = 0
        envelope = Envelope(place.address, self._session, place.counter)
        framed = frame.encode(self._payload(place, envelope, now_us, spare_us))
        reply_us = self._until_reply_us(place)
        self.arbiter.allow_answer(place, self.arbiter.sent(len(framed), now_us) + reply_us)
        return framed

    def _payload(self, place: Place, envelope: Envelope, now_us: int, spare_us: int) -> bytes:
        """Returns the poll of that place."""
        poll = self._compose(place, now_us)
        return terminal_bytes.poll_bytes(envelope, poll, place.key, now_us)

    def _until_reply_us(self, place: Place) -> int:
        """Returns how long after that poll its reply may be on its way."""
        return self._reply_us

    def feed(self, payload: bytes, now_us: int) -> None:
        """Takes a payload that came by `now_us`."""
        for place in self._places:
            if message_bytes.address_of(payload, place.replies) == place.address:
                self._hear(place, payload, now_us)

    def troubles(self) -> "Sequence[tuple[str, str]]":
        """Gives what is newly wrong: (code of firmware/core/faults.py, detail)."""
        found = self._troubles
        self._troubles = []
        return found

    def _hear(self, place: Place, payload: bytes, now_us: int) -> None:
        opened = self._open(place, payload)
        if opened is None:
            return
        envelope, reply = opened
        if envelope.session != self._session or envelope.counter != place.counter:
            return
        if self.arbiter.answered(place, now_us):
            place.replied = reply.boot
            if self._is_alone(place, reply, now_us):
                self._decide(place, envelope, reply, now_us)
        elif place.replied not in (0, reply.boot):
            # The second reply to one poll: another terminal has that address, and its key.
            self._is_alone(place, reply, now_us)
            self._tell_conflict(place)

    def _open(self, place: Place, payload: bytes) -> Any:
        """Returns envelope and reply of a payload of that place; None for what its key did not
        sign."""
        return terminal_bytes.open_reply(payload, place.key)

    def _is_alone(self, place: Place, reply: Any, now_us: int) -> bool:
        """Notes who replied; whether nobody else has replied at that address lately."""
        _forget(place, now_us)
        for at, known in enumerate(place.boots):
            if known[0] == reply.boot:
                known[1:] = [reply.number, now_us]
                if at + 1 < len(place.boots):
                    self._tell_conflict(place)  # the older one lives: this is no restart
                return len(place.boots) == 1
        place.boots.append([reply.boot, reply.number, now_us])
        return len(place.boots) == 1

    def _tell_conflict(self, place: Place) -> None:
        if not place.conflict:
            place.conflict = True
            self._troubles.append((TWO_AT_ONE_ADDRESS, str(place.address)))

    def _watch(self, place: Place, now_us: int) -> None:
        """Notices silence, and that it or a conflict is over."""
        _forget(place, now_us)
        if len(place.boots) < 2:
            place.conflict = False
        if place.boots:
            place.told_silent = False
        elif self._is_used(place):
            if not place.told_silent:
                place.told_silent = True
                self._troubles.append((SILENT, str(place.address)))
            self._let_go(place)

    def _is_used(self, place: Place) -> bool:
        """Returns whether somebody is signed on there."""
        return self._book.player(place.address) is not None

    def _let_go(self, place: Place) -> None:
        """Signs off who sits there: once nothing lies (the book sees to that) he may sit down
        elsewhere."""
        self._book.sign_off(place.address)

    def _decide(
        self, place: Place, envelope: Envelope, reply: terminal_messages.Reply, now_us: int
    ) -> None:
        """Notes what the terminal knows, and does what it asks, once."""
        place.known = reply.known
        place.paid_coup = reply.paid_coup
        place.paid = reply.paid
        place.seat = reply.seat
        if self._is_another(place, reply.boot):
            # It was started anew: whoever is there now has shown no key. Once nothing lies (the
            # book sees to that) the seat is free.
            self._book.sign_off(place.address)
        settled = self._book.settled(place.address)
        own = not self._is_another(place, reply.boot)
        told = (reply.seat, reply.paid_coup, reply.paid)
        if own and settled.paid and told == (
            self._book.seat(place.address), settled.coup, len(settled.paid)
        ):  # fmt: skip
            self._book.acknowledge_payments(place.address, settled.coup)
        if reply.request > place.answered:
            decision = self._ask(place, envelope, reply, now_us)
            if decision is not None:  # else it is being recorded, and comes again
                place.decision = decision
                place.answered = reply.request

    def _ask(
        self, place: Place, envelope: Envelope, reply: terminal_messages.Reply, now_us: int
    ) -> Any:
        """Returns the answer to what the reply asks; None while it is being recorded."""
        if isinstance(reply.ask, terminal_messages.SignOnProof):
            answer = self._sign_on(place, envelope, reply.ask, now_us)
            if answer.accepted:
                place.signed_on = reply.boot
            return answer
        return self._ask_book(place, reply)

    def _ask_book(self, place: Place, reply: terminal_messages.Reply) -> Any:
        """Returns the book's answer to what the reply asks; None while it is being recorded."""
        book, address, request, ask = self._book, place.address, reply.request, reply.ask
        if self._is_another(place, reply.boot):
            return book.sign_on_first()
        if isinstance(ask, terminal_messages.PutIn):
            return book.put_in(address, reply.boot, request, ask.cents)
        if isinstance(ask, terminal_messages.SignOff):
            return book.sign_off(address)
        if isinstance(ask, terminal_messages.TakeBack):
            return book.take_back(address, ask.id)
        if isinstance(ask, terminal_messages.Decide):
            return self._decide_hand(place, reply)
        return book.stake(address, request, coup=ask.coup, bet=ask.bet, on=ask.on, cents=ask.cents)

    def _decide_hand(self, place: Place, reply: terminal_messages.Reply) -> Any:
        """Returns the answer to a Decide; None while it waits for the core."""
        return Answer(False, "", NO_CARDS)

    def _is_another(self, place: Place, boot: int) -> bool:
        """Returns whether somebody sits there who signed on at another start of the terminal."""
        return self._book.player(place.address) is not None and place.signed_on != boot

    def _sign_on(
        self, place: Place, envelope: Envelope, ask: terminal_messages.SignOnProof, now_us: int
    ) -> Answer:
        """Seats who shows the account's key. Wrong ones wait, of an account and of a terminal."""
        tried = (("account", ask.account), ("terminal", place.address))
        why = self._wrong_key(place, envelope, ask, tried, now_us)
        if why:
            return Answer(False, "", why)
        return self._book.sign_on(place.address, ask.account)  # type: ignore[no-any-return]

    def _wrong_key(
        self,
        place: Place,
        envelope: Envelope,
        ask: terminal_messages.SignOnProof,
        tried: "Sequence[Any]",
        now_us: int,
    ) -> str:
        """Returns why who signs on does not show the account's key; empty if he does. Wrong ones
        let what was `tried` wait."""
        wait_us = max([self._failed.get(one, (0, 0))[1] - now_us for one in tried])
        if wait_us > 0:
            return wait_of(wait_us)
        key = self._book.key(ask.account)
        # Of an account that is not there the same is reckoned.
        right = terminal_bytes.proof(
            envelope, place.key, ask.account, bytes(mac.KEY_SIZE) if key is None else key
        )
        if mac.is_same(right, ask.proof) and key is not None:
            for one in tried:
                self._failed.pop(one, None)
            return ""
        for one in tried:
            if key is not None or one[0] == "terminal":
                self._note_failure(one, now_us)
        return WRONG_KEY

    def _note_failure(self, tried: Any, now_us: int) -> None:
        """Lets an account or a terminal wait, and forgets who has waited longest ago."""
        count = self._failed.get(tried, (0, 0))[0] + 1
        until_us = now_us
        if count >= TRIES:
            until_us += min(WAIT_MAX_US, WAIT_US << min(16, count - TRIES))
        self._failed[tried] = (count, until_us)
        if len(self._failed) > TRIED_MAX:
            oldest = min(sorted(self._failed), key=lambda one: self._failed[one][1])
            if self._failed[oldest][1] <= now_us and oldest != tried:
                del self._failed[oldest]

    def take_asked(self) -> "Sequence[Any]":
        """Gives what terminals have asked that is to be recorded first (Book.take_asked)."""
        return self._book.take_asked()  # type: ignore[no-any-return]

    def _due(self, place: Place) -> Any:
        """Returns what who sits there must decide now; None at a wheel."""
        return None

    def _is_waiting(self, place: Place, coup: int) -> bool:
        """Returns whether a payment of that coup to who sits there waits; never at a wheel."""
        return False

    def _may_be_long(self) -> bool:
        """Returns whether a poll may have a part now.

        One long poll a round, and the next in the round after: each has its turn (slots.py).
        """
        return self._since_long > len(self._places)

    def _compose(self, place: Place, now_us: int) -> Poll:
        book = self._book
        # Whoever has not shown the key is told nothing of who sits there.
        own = bool(place.boots) and not self._is_another(place, place.boots[-1][0])
        seated = own and book.player(place.address) is not None
        flags = terminal_messages.OPEN * book.is_open + terminal_messages.EMPLOYEE * book.attended
        flags += terminal_messages.SEATED * seated + terminal_messages.CONFLICT * place.conflict
        flags += terminal_messages.UNSEATED * book.unseated(place.address)
        flags += terminal_messages.CARRIED * book.goes_on
        boot, number = self._echo(place)
        settled = book.settled(place.address) if own else book.last_settled()
        seat = book.seat(place.address) if own else 0
        flags += terminal_messages.WAITING * (seated and self._is_waiting(place, settled.coup))
        verdict = 0
        if place.decision is not None:
            verdict = (
                terminal_messages.ACCEPTED if place.decision.accepted else terminal_messages.REFUSED
            )
        part = None
        self._since_long += 1
        if self._may_be_long() and not place.conflict:
            part = self._part(place, settled, verdict, seat)
        if part is not None:
            self._since_long = 0
        return Poll(
            boot,
            number,
            self._state,
            book.coup,
            flags,
            place.answered,
            verdict,
            settled.coup,
            len(settled.paid),
            seat,
            book.funds_cents(place.address) if own else 0,
            part,
            self._due(place) if seated and not place.conflict else None,
        )

    def _echo(self, place: Place) -> "tuple[int, int]":
        """Returns who is told that it was heard: its boot, and its reply. Of two, each in its turn:
        both shall know."""
        if not place.boots:
            return 0, 0
        place.echoes += 1
        boot, number, _ = place.boots[place.echoes % len(place.boots)]
        return boot, number

    def _part(self, place: Place, settled: Any, verdict: int, seat: int) -> Any:
        """Returns what the terminal lacks: why it was refused, or what it was paid."""
        if verdict == terminal_messages.REFUSED and place.known != place.answered:
            return Sentence(place.decision.rule, place.decision.why)
        told = (place.paid_coup, place.seat) == (settled.coup, seat)
        first = place.paid if told else 0
        if first >= len(settled.paid):
            return None
        last = first + terminal_messages.PAYMENTS_MAX
        return self._payments(settled, first, settled.paid[first:last])

    def _payments(self, settled: Any, first: int, paid: "Sequence[Any]") -> Any:
        """Returns the part that tells those of the payments."""
        entries = tuple([tuple(one) for one in paid])
        return Payments(settled.number, settled.colour, first, entries)


def wait_of(us: int) -> str:
    """Returns what is answered to who is to wait so long."""
    return f"too many sign-ons failed: wait {-(-us // 1_000_000)} s"


def _forget(place: Place, now_us: int) -> None:
    """Who has not replied for SILENT_US is gone."""
    place.boots = [boot for boot in place.boots if now_us - boot[2] < SILENT_US]
