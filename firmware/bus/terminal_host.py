"""The controller's side of the talk with the terminals: polls each in turn, one at a time, and does
with the stakes book (firmware/stakes) what they ask. Bytes and time in; polls out.

A reply counts once: the one to the poll that is out, within its slot, signed with that terminal's
key. Whatever comes late, again, or from nobody changes nothing.
"""

from firmware.bus import frame, message_bytes, slots, terminal_bytes, terminal_messages
from firmware.bus.line_arbiter import LineArbiter
from firmware.bus.terminal_messages import Envelope, Payments, Poll, Sentence
from firmware.shims.typed import Any, Sequence

# Unheard for so long, a terminal is told as silent: three polls of the slowest round.
SILENT_US = 3_000_000
TWO_AT_ONE_ADDRESS = "T12"
SILENT = "T13"
OUT_OF_PLAY = ("FAULT", "SERVICE")


class _Place:
    """What the controller knows of one terminal."""

    def __init__(self, address: int, key: bytes) -> None:
        self.address = address
        self.key = key
        self.counter = 0  # of the last poll to it
        self.replied = 0  # the boot that replied to that poll
        # Who replies here, lately: [boot, number of its last reply, when]; first come first.
        self.boots: list[list[int]] = []
        self.echoes = 0  # polls that told one of them that it was heard
        self.answered = 0  # the last request that was decided
        self.decision: Any = None  # and how, as firmware.stakes.answers.Answer
        self.known = 0
        self.paid_coup = 0
        self.paid = 0
        self.told_silent = False
        self.conflict = False  # two terminals reply here: the older one was heard after the newer


class TerminalHost:
    """Polls the terminals. Call `feed` with what came, then `poll`, in turns (line.py)."""

    def __init__(
        self, session: int, keys: "dict[int, bytes]", book: Any, *, baud: int, displays: int = 0
    ) -> None:
        """`session`: 64 random bits, new at each start. `keys`: by address. `book`: a stakes book.
        `displays`: how many are on the same line.

        Raises ValueError, a sentence, for more terminals than the line has time for.
        """
        most = slots.terminals_max(baud, displays)
        if len(keys) > most:
            beside = f" beside {displays} displays" if displays else ""
            raise ValueError(
                f"A line of {baud} baud has time for {most} terminals{beside}, not {len(keys)}:"
                " each is polled once a second."
            )
        self.count = len(keys)
        self.arbiter = LineArbiter(baud)  # until the line gives its own
        self._session = session
        self._book = book
        self._reply_us = slots.reply_us(baud)
        self._places = [_Place(address, keys[address]) for address in sorted(keys)]
        self._state = "BETS_OPEN"
        self._next = 0  # whose poll is next, of the places
        self._since_long = len(self._places) + 1  # polls since one had a part
        self._troubles: list[tuple[str, str]] = []

    def set_state(self, state: str) -> None:
        """Takes the state of the coup, as the displays are told it."""
        self._state = state
        self._book.suspend(state in OUT_OF_PLAY)

    def poll(self, now_us: int) -> bytes:
        """Gives the frame of the next poll; the line is free and there are terminals."""
        place = self._places[self._next]
        self._next = (self._next + 1) % len(self._places)
        self._watch(place, now_us)
        place.counter += 1
        place.replied = 0
        envelope = Envelope(place.address, self._session, place.counter)
        framed = frame.encode(terminal_bytes.poll_bytes(envelope, self._compose(place), place.key))
        self.arbiter.allow_answer(place, self.arbiter.sent(len(framed), now_us) + self._reply_us)
        return framed

    def feed(self, payload: bytes, now_us: int) -> None:
        """Takes a payload that came by `now_us`."""
        address = message_bytes.address_of(payload, terminal_messages.REPLY)
        for place in self._places:
            if place.address == address:
                self._hear(place, payload, now_us)

    def troubles(self) -> "Sequence[tuple[str, str]]":
        """Gives what is newly wrong: (code of firmware/core/faults.py, detail)."""
        found = self._troubles
        self._troubles = []
        return found

    def _hear(self, place: _Place, payload: bytes, now_us: int) -> None:
        opened = terminal_bytes.open_reply(payload, place.key)
        if opened is None:
            return
        envelope, reply = opened
        if envelope.session != self._session or envelope.counter != place.counter:
            return
        if self.arbiter.answered(place, now_us):
            place.replied = reply.boot
            if self._is_alone(place, reply, now_us):
                self._decide(place, reply)
        elif place.replied not in (0, reply.boot):
            # The second reply to one poll: another terminal has that address, and its key.
            self._is_alone(place, reply, now_us)
            self._tell_conflict(place)

    def _is_alone(self, place: _Place, reply: terminal_messages.Reply, now_us: int) -> bool:
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

    def _tell_conflict(self, place: _Place) -> None:
        if not place.conflict:
            place.conflict = True
            self._troubles.append((TWO_AT_ONE_ADDRESS, str(place.address)))

    def _watch(self, place: _Place, now_us: int) -> None:
        """Notices silence, and that it or a conflict is over."""
        _forget(place, now_us)
        if len(place.boots) < 2:
            place.conflict = False
        if place.boots:
            place.told_silent = False
        elif self._book.player(place.address) is not None:
            if not place.told_silent:
                place.told_silent = True
                self._troubles.append((SILENT, str(place.address)))
            # Once nothing lies there (the book sees to that) the player may sit down elsewhere.
            self._book.sign_off(place.address)

    def _decide(self, place: _Place, reply: terminal_messages.Reply) -> None:
        """Notes what the terminal knows, and does what it asks, once."""
        place.known = reply.known
        place.paid_coup = reply.paid_coup
        place.paid = reply.paid
        settled = self._book.settled(place.address)
        if settled.paid and (reply.paid_coup, reply.paid) == (settled.coup, len(settled.paid)):
            self._book.acknowledge_payments(place.address, settled.coup)
        if reply.request > place.answered:
            place.decision = self._ask(place.address, reply.request, reply.ask)
            place.answered = reply.request

    def _ask(self, address: int, request: int, ask: Any) -> Any:
        book = self._book
        if isinstance(ask, terminal_messages.SignOn):
            return book.sign_on(address, ask.player)
        if isinstance(ask, terminal_messages.SignOff):
            return book.sign_off(address)
        if isinstance(ask, terminal_messages.TakeBack):
            return book.take_back(address, ask.id)
        return book.stake(address, request, coup=ask.coup, bet=ask.bet, on=ask.on, cents=ask.cents)

    def _compose(self, place: _Place) -> Poll:
        book = self._book
        seated = book.player(place.address) is not None
        flags = terminal_messages.OPEN * book.is_open + terminal_messages.EMPLOYEE * book.attended
        flags += terminal_messages.SEATED * seated + terminal_messages.CONFLICT * place.conflict
        flags += terminal_messages.UNSEATED * book.unseated(place.address)
        # Of two, each in its turn: both shall know.
        boot, number = 0, 0
        if place.boots:
            place.echoes += 1
            boot, number, _ = place.boots[place.echoes % len(place.boots)]
        settled = book.settled(place.address)
        verdict = 0
        if place.decision is not None:
            verdict = (
                terminal_messages.ACCEPTED if place.decision.accepted else terminal_messages.REFUSED
            )
        part = None
        self._since_long += 1
        # One long poll a round, and the next in the round after: each has its turn (slots.py).
        if self._since_long > len(self._places) and not place.conflict:
            part = _part(place, settled, verdict)
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
            part,
        )


def _forget(place: _Place, now_us: int) -> None:
    """Who has not replied for SILENT_US is gone."""
    place.boots = [boot for boot in place.boots if now_us - boot[2] < SILENT_US]


def _part(place: _Place, settled: Any, verdict: int) -> Any:
    """Returns what the terminal lacks: why it was refused, or what it was paid."""
    if verdict == terminal_messages.REFUSED and place.known != place.answered:
        return Sentence(place.decision.rule, place.decision.why)
    first = place.paid if place.paid_coup == settled.coup else 0
    if first >= len(settled.paid):
        return None
    entries = [tuple(paid) for paid in settled.paid[first : first + terminal_messages.PAYMENTS_MAX]]
    return Payments(settled.number, settled.colour, first, tuple(entries))
