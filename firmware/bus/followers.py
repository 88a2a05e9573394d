"""The side of a host of followers: one address for many named players who bet behind a seat.

It replies to its polls, asks for its players, and learns the truth. What it asks is numbered one by
one; a reply says again whatever is not answered yet, and so each is decided once. Bytes and time
in; at most one reply out, at once or never.
"""

from firmware.bus import (
    follower_bytes,
    follower_messages,
    frame,
    message_bytes,
    messages,
    terminal_messages,
)
from firmware.bus.follower_messages import (
    FOLLOWERS_MAX,
    NUMBER_MAX,
    Follow,
    FollowerPoll,
    FollowerReply,
    FollowerSignOff,
    FollowerSignOn,
    TakeBackBehind,
)
from firmware.bus.frame import Deframer
from firmware.bus.poll_session import PollSession
from firmware.bus.terminal import (
    ACCOUNT_MAX,
    CENTS_MAX,
    COUP_MAX,
    STALE_US,
    TOLD_MAX,
    TWO_HERE,
    Decided,
    OtherVersion,
)
from firmware.bus.terminal_messages import Envelope
from firmware.shims.typed import Any, NamedTuple, Sequence

WAITING_MAX = 1_024  # asks that wait for their answer: some of each player
# Accepted stakes whose end is not told yet: of all players behind all seats, and of some who left.
PLACED_MAX = FOLLOWERS_MAX * follower_messages.SEAT_MAX
# Numbers begin above so many: after a restart of the controller the players sign on first.
_RESERVED = FOLLOWERS_MAX

# How the table stands, as the controller says. `state` is None while it is not heard.
Standing = NamedTuple(
    "Standing",
    [("state", Any), ("coup", int), ("open", bool), ("employee", bool), ("conflict", bool)],
)
UNHEARD = Standing(None, 0, False, False, False)

# What happens, in order, beside Decided and OtherVersion of terminal.py; `take_events` gives them.
# What a player may stake now; `seated`: he is signed on.
FollowerFunds = NamedTuple("FollowerFunds", [("account", int), ("seated", bool), ("cents", int)])
# A round was settled with stakes of that player. As CardSettled of firmware/stakes/answers.py.
FollowerSettled = NamedTuple(
    "FollowerSettled", [("account", int), ("coup", int), ("outcome", Any), ("paid", Any)]
)
# Stakes of that player, though accepted once, took no part in a round: given back, or lost as the
# controller was started again. `bets`: number of the ask, seat and cents of each.
FollowerNotInPlay = NamedTuple(
    "FollowerNotInPlay", [("account", int), ("coup", int), ("bets", Any)]
)
# What became of these is told no more, as the controller was started again after a later
# coup had ended: that player's account has it.
FollowerNotTold = NamedTuple("FollowerNotTold", [("account", int), ("coup", int), ("bets", Any)])

NOT_KNOWN = (
    "T12",
    "another host of followers has replied here: it is not known whether this was taken",
)
NO_NUMBER = ("", "no number is left for an ask: start the controller again, and then this host")


class FollowersHost:
    """Stands for the followers. Call `feed` with what comes and send what it returns at once."""

    def __init__(self, address: int, key: bytes, boot: int) -> None:
        """`boot`: 32 random bits, new at each start."""
        self.standing = UNHEARD
        self.funds: dict[int, int] = {}  # by account, of who is signed on: what he may stake
        self._address = address
        self._key = key
        self._boot = boot
        self._deframer = Deframer()
        self._polls = PollSession()
        self._number = 0  # of the last reply
        self._heard_us = 0
        self._coup = 0  # that was told last
        self._asks: list[Any] = []  # whose answer is awaited, in order; the first of them were said
        self._said = 0  # so many
        self._first = 0  # number of the first; 0 before a poll was believed
        self._again = 0  # so many of the first sign on again, for the controller was started anew
        self._keys: dict[int, FollowerSignOn] = {}  # by account: what signs on who is signed on
        # Accepted stakes, by number, and the session that accepted each.
        self._placed: dict[int, tuple[Follow, Any]] = {}
        self._paying: dict[int, tuple[int, list[Any]]] = {}  # by account: round, payments so far
        # By account, the last settlements: a restarted controller tells them again.
        self._told: dict[int, list[FollowerSettled]] = {}
        self._happened: list[Any] = []
        self._other_version = 0

    @property
    def deadline_us(self) -> int | None:
        """Tells when to call `tick` if nothing comes before; None while nothing is heard."""
        return None if self.standing.state is None else self._heard_us + STALE_US

    @property
    def idle(self) -> bool:
        """Tells whether all that was asked is decided."""
        return not self._asks

    def ask(self, ask: Any) -> None:
        """Asks for one of follower_messages.py. A Follow of coup 0 gets the coup that was told
        last; before any was told, the first that is. Raises ValueError, a sentence, for what no
        controller could take.
        """
        why = _unsendable(ask)
        if len(self._asks) >= WAITING_MAX:
            why = "too much is waiting already: the controller is not heard, or does not decide"
        if why:
            raise ValueError(why)
        self._asks.append(_meant(ask, self._coup))

    def take_events(self) -> "Sequence[Any]":
        """Gives what happened since the last call. A reply tells the controller that it was heard:
        take it before the reply is sent.
        """
        happened = self._happened
        self._happened = []
        return happened

    def feed(self, data: bytes, now_us: int) -> bytes:
        """Takes the bytes that came by `now_us`; returns what to send now."""
        self.tick(now_us)
        reply = b""
        for payload in self._deframer.feed(data):
            reply = b""  # to an earlier one it would be too late: somebody else has the word now
            kind = follower_messages.FOLLOWER_POLL
            if message_bytes.address_of(payload, kind) != self._address:
                self._look_at_version(payload)
            else:
                opened = follower_bytes.open_follower_poll(payload, self._key)
                if opened is not None:
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
        is_ours = payload[1:3] == bytes([follower_messages.FOLLOWER_POLL, self._address])
        heard = self.standing.state is not None
        if is_ours and not heard and payload[0] not in (messages.VERSION, self._other_version):
            self._other_version = payload[0]
            self._happened.append(OtherVersion(payload[0]))

    def _hear(self, envelope: Envelope, poll: FollowerPoll, now_us: int) -> bytes:
        """Returns the reply to a poll that our key signed."""
        if self._polls.is_old(envelope):
            return b""
        is_echo = (poll.boot, poll.echo) == (self._boot, self._number)
        before = self._polls.session
        if not self._polls.believes(envelope, is_echo):
            return self._reply(envelope, 0, [])
        if self._polls.session != before:
            self._begin_session(poll)
        self._heard_us = now_us
        self._believe(poll)
        return self._reply(envelope, self._first, self._fitting(poll.room))

    def _begin_session(self, poll: FollowerPoll) -> None:
        """The controller was started, or we were: who was signed on signs on before all else."""
        if not self._first:
            self._first = _behind(max(poll.answered, _RESERVED))
            return
        self.funds = {}
        self._asks, self._said = self._asks[self._again :], self._said - self._again
        self._first += self._again
        again = [self._keys[account] for account in sorted(self._keys)]
        self._again = len(again)
        self._asks, self._said = again + self._asks, self._said + self._again
        self._first -= self._again

    def _believe(self, poll: FollowerPoll) -> None:
        self.standing = Standing(
            poll.state,
            poll.coup,
            bool(poll.flags & terminal_messages.OPEN),
            bool(poll.flags & terminal_messages.EMPLOYEE),
            bool(poll.flags & terminal_messages.CONFLICT),
        )
        self._other_version = 0
        self._coup = poll.coup
        self._asks = [_meant(ask, poll.coup) for ask in self._asks]
        if self.standing.open:
            # What was sealed before a restart has been settled by now; what was not is lost.
            self._forget_placed(
                lambda ask, session: ask.coup >= poll.coup and session != self._polls.session
            )
        if poll.boot == self._boot:
            self._learn_verdicts(poll)
            self._learn_funds(poll)
            self._learn_payments(poll)
        # Of what was said before another host spoke here nobody tells us any more.
        while self._said and self._first < poll.first:
            self._decide(False, NOT_KNOWN[0], NOT_KNOWN[1])
        if not self._said:
            self._first = max(self._first, _behind(poll.answered))
        if self.standing.conflict:
            self._refuse_unsaid(TWO_HERE)
        elif self._first + self._said > NUMBER_MAX:
            self._refuse_unsaid(NO_NUMBER)

    def _refuse_unsaid(self, why: "tuple[str, str]") -> None:
        for ask in self._asks[self._said :]:
            self._happened.append(Decided(0, ask, False, why[0], why[1]))
        self._asks = self._asks[: self._said]

    def _learn_verdicts(self, poll: FollowerPoll) -> None:
        for at, sentence in enumerate(poll.verdicts):
            if self._said and poll.first + at == self._first:
                if sentence is None:
                    self._decide(True, "", "")
                else:
                    self._decide(False, sentence.rule, sentence.why)

    def _decide(self, accepted: bool, rule: str, why: str) -> None:
        """Takes the answer to the first ask."""
        ask, number = self._asks.pop(0), self._first
        self._first += 1
        self._said -= 1
        self._again = max(0, self._again - 1)
        if isinstance(ask, FollowerSignOn):
            if accepted:
                self._keys[ask.account] = ask
            elif self._keys.get(ask.account) == ask:
                del self._keys[ask.account]
        elif isinstance(ask, FollowerSignOff) and accepted:
            self._sign_off(ask.account)
        elif isinstance(ask, Follow) and accepted:
            self._placed[number] = (ask, self._polls.session)
            if len(self._placed) > PLACED_MAX:
                del self._placed[min(self._placed)]
        elif isinstance(ask, TakeBackBehind) and accepted:
            where = (ask.account, self._coup, ask.seat)
            self._forget_placed(lambda laid, _: tuple(laid)[:3] == where, tell=False)
        self._happened.append(Decided(number, ask, accepted, rule, why))

    def _sign_off(self, account: int) -> None:
        """Forgets who was signed off at his wish, and what would sign him on again; not his
        stakes: he is told if they take no part.
        """
        sign_on = self._keys.pop(account, None)
        unsaid = [ask for ask in self._asks[self._said :] if ask is not sign_on]
        self._asks = self._asks[: self._said] + unsaid
        self._paying.pop(account, None)
        self._told.pop(account, None)

    def _forget_placed(
        self, is_over: Any, paid: "Sequence[int]" = (), *, ended: int = 0, tell: bool = True
    ) -> None:
        """Forgets accepted stakes, and tells of those that were not paid. `ended`: the round that
        is told: of one before it a controller that was started again tells nothing.
        """
        lost: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        untold: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for number in sorted(self._placed):
            ask, session = self._placed[number]
            if is_over(ask, session):
                del self._placed[number]
                if tell and number not in paid:
                    bet = (number, ask.seat, ask.cents)
                    is_known = session == self._polls.session or ask.coup >= ended
                    (lost if is_known else untold).setdefault((ask.account, ask.coup), []).append(
                        bet
                    )
        for account, coup in sorted(lost):
            bets = tuple(lost[account, coup])
            self._happened.append(FollowerNotInPlay(account, coup, bets))
        for account, coup in sorted(untold):
            self._happened.append(FollowerNotTold(account, coup, tuple(untold[account, coup])))

    def _learn_funds(self, poll: FollowerPoll) -> None:
        for account, seated, cents in poll.funds:
            told = cents if seated else None
            if not seated:
                self._sign_on_again(account)
            if self.funds.get(account) == told:
                continue
            if seated:
                self.funds[account] = cents
            else:
                del self.funds[account]
            self._happened.append(FollowerFunds(account, seated, cents))

    def _sign_on_again(self, account: int) -> None:
        """Signs on who was signed off because nothing was heard of us for a while."""
        sign_on = self._keys.get(account)
        if sign_on is not None and sign_on not in self._asks and len(self._asks) < WAITING_MAX:
            self._asks.append(sign_on)

    def _learn_payments(self, poll: FollowerPoll) -> None:
        for account, of, first, paid in poll.settled:
            coup, entries = self._paying.get(account, (0, []))
            if coup != poll.paid_coup or first == 0:
                entries = []
            if first != len(entries):
                continue
            entries = entries + list(paid)
            self._paying[account] = (poll.paid_coup, entries)
            if len(entries) < of:
                continue
            told = FollowerSettled(account, poll.paid_coup, poll.outcome, tuple(entries))
            before = self._told.get(account, [])
            self._end_of(account, poll.paid_coup, entries)
            if of and told not in before:
                self._told[account] = (before + [told])[-TOLD_MAX:]
                self._happened.append(told)

    def _end_of(self, account: int, coup: int, entries: "list[Any]") -> None:
        """Takes that a player's round has ended: what of his stakes is not paid took no part."""
        self._forget_placed(
            lambda ask, _: ask.account == account and ask.coup <= coup,
            [paid.id for paid in entries],
            ended=coup,
        )

    def _fitting(self, room: int) -> "list[Any]":
        """Returns the asks that a reply of so many bytes has room for, all meant for one round."""
        room -= follower_messages.AROUND + follower_messages.FOLLOWER_REPLY_SIZE
        fitting: list[Any] = []
        coup = 0
        for ask in self._asks:
            room -= follower_bytes.ask_size(ask)
            another = isinstance(ask, Follow) and coup not in (0, ask.coup)
            if room < 0 or another or self._first + len(fitting) > NUMBER_MAX:
                break
            if isinstance(ask, Follow):
                coup = ask.coup
            fitting.append(ask)
        self._said = max(self._said, len(fitting))
        return fitting

    def _reply(self, envelope: Envelope, first: int, asks: "list[Any]") -> bytes:
        self._number += 1
        coup = 0
        for ask in asks:
            if isinstance(ask, Follow):
                coup = ask.coup
        more = len(self._asks) - len(asks) if first else 0
        reply = FollowerReply(self._boot, self._number, first, coup, tuple(asks), more)
        return frame.encode(follower_bytes.follower_reply_bytes(envelope, reply, self._key))


def _behind(number: int) -> int:
    """Returns the number behind that of an ask, whatever a poll says that was."""
    return min(number, NUMBER_MAX) + 1


def _meant(ask: Any, coup: int) -> Any:
    """Returns the ask; a stake that has no coup yet gets that one (0: none is known)."""
    if isinstance(ask, Follow) and ask.coup == 0:
        return Follow(ask.account, coup, ask.seat, ask.double, ask.cents)
    return ask


def _unsendable(ask: Any) -> str:
    """Returns why a frame cannot carry this; empty if it can."""
    if not 0 < ask.account <= ACCOUNT_MAX:
        return f"there is no account {ask.account}"
    has_seat = isinstance(ask, (Follow, TakeBackBehind))
    if has_seat and not 0 < ask.seat <= follower_messages.SEAT_MAX:
        return f"there is no seat {ask.seat}"
    if isinstance(ask, Follow):
        if not 0 <= ask.coup <= COUP_MAX:
            return f"there is no round {ask.coup}"
        if not 0 < ask.cents <= CENTS_MAX:
            return f"a stake is whole cents from 1 to {CENTS_MAX}"
    return ""
