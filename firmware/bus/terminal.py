"""A terminal's side of the talk: replies to its polls, asks for its player, and learns the truth.

It believes a poll that its own key signed, and that is newer than the last of the session; another
session (the controller was started again) only once that has echoed a reply made to it, so that no
poll of the past is believed. Bytes and time in; at most one reply out, at once or never.
"""

from firmware.bus import frame, message_bytes, terminal_bytes, terminal_messages
from firmware.bus.frame import Deframer
from firmware.bus.poll_session import PollSession
from firmware.bus.terminal_messages import CardPayments, Envelope, Payments, Reply, Sentence
from firmware.shims.typed import Any, NamedTuple, Sequence
from firmware.stakes.answers import CardDue, CardSettled

# Not polled for so long, whoever sits here is told that the controller is not heard.
STALE_US = 3_000_000
WAITING_MAX = 64  # asks that wait for their turn: all that a player could have on the cloth
CENTS_MAX = COUP_MAX = REQUEST_MAX = ACCOUNT_MAX = 0xFFFFFFFF  # as the frames have them
TOLD_MAX = 8  # settlements remembered: as many as the controller keeps
# What is due has a limit in tenths, told with every poll: it is another only if it is so far off.
ANOTHER_LIMIT_US = 500_000

# How the table stands, as the controller says. `state` is None while it is not heard.
Seat = NamedTuple(
    "Seat",
    [
        ("state", Any),
        ("coup", int),
        ("open", bool),
        ("employee", bool),
        ("seated", bool),
        ("conflict", bool),
        ("funds_cents", int),  # that whoever sits here may stake
        ("due", Any),  # at a card table, what he must decide now: a CardDue, on the clock of `feed`
    ],
)
UNHEARD = Seat(None, 0, False, False, False, False, 0, None)

# What happens, in order; `take_events` gives them.
# An ask was decided. `request`: its number, by which a stake is taken back and paid.
Decided = NamedTuple(
    "Decided", [("request", int), ("ask", Any), ("accepted", bool), ("rule", str), ("why", str)]
)
# A coup was settled with stakes of this terminal: entries are (id, cents, won_cents). A round of
# cards: CardSettled of firmware/stakes/answers.py.
Settled = NamedTuple("Settled", [("coup", int), ("number", Any), ("colour", Any), ("entries", Any)])
# An employee has signed off who sat here. `coup`: whose stakes are taken, or which is played.
Unseated = NamedTuple("Unseated", [("coup", int)])
# A coup ended in which these stakes, though accepted once, did not take part.
NotInPlay = NamedTuple("NotInPlay", [("coup", int), ("ids", Any)])
# What became of these stakes is told here no more, as the controller was started again after a
# later coup had ended: the account of their player has it.
NotTold = NamedTuple("NotTold", [("coup", int), ("ids", Any)])
# A throw was void and is made again in the same game: that stake lies for `coup`.
Carried = NamedTuple("Carried", [("coup", int), ("id", int)])
# What polls here is of another version of the bus: nothing of it is understood.
OtherVersion = NamedTuple("OtherVersion", [("version", int)])

TWO_HERE = (
    "T12",
    "two terminals reply at this address: both are refused until one is switched off",
)


class Terminal:
    """Plays one terminal. Call `feed` with what comes and send what it returns at once."""

    def __init__(self, address: int, key: bytes, boot: int) -> None:
        """`boot`: 32 random bits, new at each start."""
        self.standing = UNHEARD
        self._address = address
        self._key = key
        self._boot = boot
        self._deframer = Deframer()
        self._polls = PollSession()
        self._number = 0  # of the last reply
        self._heard_us = 0
        self._coup = 0  # that was told last
        self._asks: list[Any] = []  # waiting
        self._request = 0  # the last number used
        self._current: Any = None  # what was asked and is not decided
        self._known = 0
        # Accepted stakes, by id: their coup, and the session that accepted them.
        self._placed: dict[int, Any] = {}
        self._carried: dict[int, int] = {}  # by id, what lies since a throw that was void: its coup
        self._seat = 0  # of who sits here, as the controller counts them
        self._paid_coup = 0
        self._entries: list[Any] = []
        self._paid_whole = True
        self._account = 0  # of who signed on last
        # The last settlements, with the account: a restarted controller tells them again.
        self._told: list[Any] = []
        self._happened: list[Any] = []
        self._unseated = False
        self._other_version = 0

    @property
    def deadline_us(self) -> int | None:
        """Tells when to call `tick` if nothing comes before; None while nothing is heard."""
        return None if self.standing.state is None else self._heard_us + STALE_US

    @property
    def idle(self) -> bool:
        """Tells whether all that was asked is decided."""
        return self._current is None and not self._asks

    def ask(self, ask: Any) -> None:
        """Asks for a SignOn, SignOff, Stake, TakeBack, PutIn or Decide of terminal_messages.py.

        A Stake or Decide of coup 0 gets the coup that was told last, however long it waits then;
        before any was told, the first that is. Raises ValueError, a sentence, for what no
        controller could take.
        """
        why = _unsendable(ask)
        if len(self._asks) >= WAITING_MAX:
            why = "too much is waiting already: the controller is not heard, or does not decide"
        if why:
            raise ValueError(why)
        self._asks.append(_meant(ask, self._coup))

    def take_events(self) -> "Sequence[Any]":
        """Gives what happened since the last call."""
        happened = self._happened
        self._happened = []
        return happened

    def feed(self, data: bytes, now_us: int) -> bytes:
        """Takes the bytes that came by `now_us`; returns what to send now."""
        self.tick(now_us)
        reply = b""
        for payload in self._deframer.feed(data):
            if message_bytes.address_of(payload, terminal_messages.POLL) != self._address:
                # Somebody else has the word now: too late for a reply.
                reply = b""
                self._look_at_version(payload)
                continue
            opened = terminal_bytes.open_poll(payload, self._key, now_us)
            if opened is not None and opened[0].address == self._address:
                reply = self._hear(opened[0], opened[1], now_us)
        return reply

    def tick(self, now_us: int) -> None:
        """Lets time pass: the controller is not heard once it was silent for STALE_US."""
        if self.standing.state is not None and now_us - self._heard_us >= STALE_US:
            self.drop()

    def drop(self) -> None:
        """Forgets the controller: the port is gone, or nobody listened for a while."""
        self._deframer = Deframer()
        self.standing = UNHEARD

    def _look_at_version(self, payload: bytes) -> None:
        """Says once that what would be a poll to us is of another version: nobody signed that."""
        begin = bytes([terminal_messages.POLL, self._address])
        version = payload[0] if payload[1:3] == begin else terminal_messages.VERSION
        heard = self.standing.state is not None
        if not heard and version not in (terminal_messages.VERSION, self._other_version):
            self._other_version = version
            self._happened.append(OtherVersion(version))

    def _hear(self, envelope: Envelope, poll: terminal_messages.Poll, now_us: int) -> bytes:
        """Returns a poll that our key signed; the reply to it."""
        if self._polls.is_old(envelope):
            return b""
        is_echo = (poll.boot, poll.echo) == (self._boot, self._number)
        if not self._polls.believes(envelope, is_echo):
            return self._reply(envelope, None)
        self._heard_us = now_us
        self._believe(poll)
        return self._reply(envelope, self._next(poll))

    def _believe(self, poll: terminal_messages.Poll) -> None:
        self.standing = Seat(
            poll.state,
            poll.coup,
            bool(poll.flags & terminal_messages.OPEN),
            bool(poll.flags & terminal_messages.EMPLOYEE),
            bool(poll.flags & terminal_messages.SEATED),
            bool(poll.flags & terminal_messages.CONFLICT),
            poll.funds,
            _same_due(self.standing.due, poll.due),
        )
        self._other_version = 0
        self._coup = poll.coup
        if poll.flags & terminal_messages.CARRIED:
            self._carry(poll.coup)
        self._asks = [_meant(ask, poll.coup) for ask in self._asks]
        if self.standing.open:
            # What was sealed before a restart has been settled by now; what was not is lost.
            self._forget_placed(
                lambda coup, session: coup >= poll.coup and session != self._polls.session
            )
        self._learn_unseated(poll)
        self._learn_verdict(poll)
        if self.standing.conflict:
            self._refuse_all()
        self._learn_payments(poll)

    def _carry(self, coup: int) -> None:
        """What was placed for the throw before lies for this one: it is in play."""
        for number in sorted(self._placed):
            if self._placed[number][0] < coup:
                del self._placed[number]
                self._carried[number] = 0
        for number in sorted(self._carried):
            if self._carried[number] < coup:
                self._carried[number] = coup
                self._happened.append(Carried(coup, number))

    def _learn_unseated(self, poll: terminal_messages.Poll) -> None:
        before = self._unseated
        self._unseated = bool(poll.flags & terminal_messages.UNSEATED)
        if self._unseated and not before:
            self._happened.append(Unseated(poll.coup))
        if self._unseated and self.standing.open:
            # What is not sealed was given back.
            self._forget_placed(lambda coup, session: coup >= poll.coup)

    def _refuse_all(self) -> None:
        """Refuses what waits. What is under way the controller may have heard: it decides that."""
        for ask in self._asks:
            self._happened.append(Decided(0, ask, False, *TWO_HERE))
        self._asks = []

    def _learn_verdict(self, poll: terminal_messages.Poll) -> None:
        if self._current is None or poll.answered != self._current[0]:
            return
        request, ask = self._current
        rule, why = "", ""
        if poll.verdict == terminal_messages.REFUSED:
            if not isinstance(poll.part, Sentence):
                return  # it comes with another poll
            rule, why = poll.part.rule, poll.part.why
        accepted = poll.verdict == terminal_messages.ACCEPTED
        if accepted and isinstance(ask, terminal_messages.Stake) and not self._is_paid(ask.coup):
            self._placed[request] = (ask.coup, self._polls.session)
        elif accepted and isinstance(ask, terminal_messages.TakeBack):
            self._placed.pop(ask.id, None)
        elif accepted and isinstance(ask, terminal_messages.SignOn):
            if ask.account != self._account:
                self._placed = {}  # another's
                self._carried = {}
            self._account = ask.account
        self._known = request
        self._current = None
        self._happened.append(Decided(request, ask, accepted, rule, why))

    def _learn_payments(self, poll: terminal_messages.Poll) -> None:
        if (poll.settled, poll.seat) != (self._paid_coup, self._seat):
            self._seat = poll.seat
            self._paid_coup = poll.settled
            self._entries = []
            self._paid_whole = False
        if self._paid_whole:
            return
        part = poll.part
        told: Any = None
        if isinstance(part, (Payments, CardPayments)) and part.first == len(self._entries):
            # No more than it says there are: a reply counts them in one byte.
            self._entries.extend(part.entries[: max(0, poll.paid - len(self._entries))])
        if len(self._entries) < poll.paid:
            return
        self._paid_whole = True
        if poll.paid and isinstance(part, Payments):
            told = Settled(poll.settled, part.number, part.colour, tuple(self._entries))
        elif poll.paid and isinstance(part, CardPayments):
            told = CardSettled(poll.settled, part.outcome, tuple(self._entries))
        if told is not None and (self._account, told) not in self._told:
            self._told = self._told[-TOLD_MAX:] + [(self._account, told)]
            self._happened.append(told)
        for number in sorted(self._carried):
            if self._carried[number] <= poll.settled:
                del self._carried[number]
        if poll.seat:
            # What waits for the management is told once it is paid.
            is_whole = not poll.flags & terminal_messages.WAITING
            self._forget_placed(lambda coup, session: coup <= poll.settled, tell=is_whole)
        else:
            # Nobody is told here what becomes of the stakes of who sits here no more. After a
            # restart it is known, and told, when he has signed on again.
            self._forget_placed(
                lambda coup, session: coup <= poll.settled and session == self._polls.session,
                tell=False,
            )

    def _is_paid(self, coup: int) -> bool:
        return self._paid_whole and coup <= self._paid_coup

    def _forget_placed(self, is_over: Any, tell: bool = True) -> None:
        """What was accepted for coups that are over, and not settled, did not take part. A
        controller that was started again tells the last coup before that alone."""
        settled_ids = [entry[0] for entry in self._entries]
        lost: dict[int, list[int]] = {}
        untold: dict[int, list[int]] = {}
        for number in sorted(self._placed):
            coup, session = self._placed[number]
            if is_over(coup, session):
                del self._placed[number]
                if tell and number not in settled_ids:
                    is_known = session == self._polls.session or coup >= self._paid_coup
                    (lost if is_known else untold).setdefault(coup, []).append(number)
        for coup in sorted(lost):
            self._happened.append(NotInPlay(coup, tuple(lost[coup])))
        for coup in sorted(untold):
            self._happened.append(NotTold(coup, tuple(untold[coup])))

    def _next(self, poll: terminal_messages.Poll) -> Any:
        """Returns the ask to be decided next, (number, ask); None if there is none, or not now."""
        # Above all that was ever asked from this address, whoever was here before us.
        number = max(self._request, poll.answered) + 1
        may_ask = self._current is None and not self.standing.conflict
        if may_ask and self._asks and number <= REQUEST_MAX:
            self._request = number
            self._current = (number, self._asks.pop(0))
        return self._current

    def _reply(self, envelope: Envelope, current: Any) -> bytes:
        self._number += 1
        request, ask = (0, None) if current is None else current
        reply = Reply(
            self._boot,
            self._number,
            self._known,
            self._paid_coup,
            len(self._entries),
            self._seat,
            request,
            ask,
        )
        return frame.encode(terminal_bytes.reply_bytes(envelope, reply, self._key))


def _same_due(before: "CardDue | None", told: "CardDue | None") -> "CardDue | None":
    """Returns what is due, with the limit told first of the same."""
    if before is None or told is None or before[:6] + before[7:] != told[:6] + told[7:]:
        return told
    if before.until_us is None or told.until_us is None:
        return told
    return before if abs(before.until_us - told.until_us) < ANOTHER_LIMIT_US else told


def _meant(ask: Any, coup: int) -> Any:
    """Returns the ask; what has no coup yet gets that one (0: none is known)."""
    if isinstance(ask, terminal_messages.Stake) and ask.coup == 0:
        return terminal_messages.Stake(coup, ask.bet, ask.cents, ask.on)
    if isinstance(ask, terminal_messages.Decide) and ask.coup == 0:
        return terminal_messages.Decide(coup, *ask[1:])
    return ask


def _unsendable(ask: Any) -> str:
    """Returns why a frame cannot carry this; empty if it can."""
    if isinstance(ask, terminal_messages.SignOn):
        if not 0 < ask.account <= ACCOUNT_MAX:
            return f"there is no account {ask.account}"
    elif isinstance(ask, terminal_messages.PutIn):
        if not 0 < ask.cents <= CENTS_MAX:
            return f"money is whole cents from 1 to {CENTS_MAX}"
    elif isinstance(ask, terminal_messages.Stake):
        if not 0 <= ask.coup <= COUP_MAX:
            return f"there is no coup {ask.coup}"
        if not 0 < ask.cents <= CENTS_MAX:
            return f"a stake is whole cents from 1 to {CENTS_MAX}"
        if len(ask.on) > terminal_messages.ON_MAX or not all(
            0 <= number < 100 for number in ask.on
        ):
            return f"a stake lies on {terminal_messages.ON_MAX} numbers at most, each from 0 to 99"
    elif isinstance(ask, terminal_messages.Decide):
        if ask.do not in [name for _, name in terminal_messages.DECISIONS]:
            return f'there is no decision "{ask.do}"'
        if not 0 <= ask.cents <= CENTS_MAX:
            return f"money is whole cents from 1 to {CENTS_MAX}"
        if not 0 <= ask.coup <= COUP_MAX or max(ask.seat, ask.hand, ask.seen) > 255:
            return f"there is no round {ask.coup} with a hand {ask.hand} of seat {ask.seat}"
    elif isinstance(ask, terminal_messages.TakeBack) and not 0 < ask.id <= CENTS_MAX:
        return f"there is no stake {ask.id}"
    return ""
