"""What the controller has to tell a host of followers, and does of what it asks, each thing once.

A host numbers its asks one by one, and says with each reply which it awaits: whatever comes before
has been heard. So what a lost reply or poll had is said again, and nothing is done twice. All that
a poll tells besides is heard once a reply to that very poll is here.
"""

from firmware.bus import follower_bytes, follower_messages, terminal_messages
from firmware.bus.follower_messages import Follow, FollowerPoll, FollowerReply, FollowerSignOff
from firmware.bus.frame import PAYLOAD_MAX
from firmware.bus.slots import FOLLOWERS_SHORT
from firmware.bus.terminal_messages import Sentence, SignOnProof
from firmware.shims.typed import Any
from firmware.stakes.answers import Answer, CardSettled

# Bytes of a short poll that are not the same in each.
_SHORT_ROOM = (
    FOLLOWERS_SHORT
    - follower_messages.REPLY_LEAST
    - follower_messages.AROUND
    - follower_messages.FOLLOWER_POLL_SIZE
)
FULL = f"a host of followers has room for {follower_messages.FOLLOWERS_MAX} players"


class FollowerDesk:
    """Serves one host. Give it each reply; ask it for each poll."""

    def __init__(self, book: Any) -> None:
        """`book`: a CardBook."""
        self._book = book
        self._behind = book.behind
        self.answered = 0  # the last ask that was decided
        self.more = 0  # asks that the host has yet to say
        self._boot = 0  # of the host that was heard last
        self._decisions: list[tuple[int, Answer]] = []  # that it does not know yet, in order
        self._signed_on: dict[int, int] = {}  # by account: the boot of the host that showed its key
        self._funds: dict[int, tuple[bool, int]] = {}  # by account: what the host knows
        self._left: list[int] = []  # accounts signed off unasked, of which the host is yet to hear
        # By account: round and seat of what it laid and has not taken back, until it knows the end.
        self._laid: dict[int, list[tuple[int, int]]] = {}
        self._paid: dict[int, tuple[int, int]] = {}  # by account: a telling, payments it knows
        # What the last poll told, and to which boot: its funds, the round, its players' payments.
        self._told_boot = 0
        self._told_funds: list[tuple[int, bool, int]] = []
        # Account, round, number of the telling, payments known then, of how many.
        self._told_paid: list[tuple[int, int, int, int, int]] = []

    @property
    def is_used(self) -> bool:
        """Tells whether somebody is signed on there."""
        return bool(self._signed_on)

    @property
    def is_awaited(self) -> bool:
        """Tells whether the host has asked what it does not know to be decided, or would ask."""
        return bool(self._decisions) or self.more > 0

    def let_go(self, boot: int = 0) -> None:
        """Signs off who signed on at another start of the host. What lies, lies."""
        for n in sorted(self._signed_on):
            if self._signed_on[n] != boot and self._behind.sign_off(n).accepted:
                self._leave(n)

    def receive(self, reply: FollowerReply, wrong_key: Any) -> None:
        """Takes a reply to the last poll. `wrong_key(ask)`: why a SignOnProof is none, or empty."""
        if reply.boot != self._boot:
            self._boot = reply.boot
            self._decisions, self._funds, self._left, self._laid, self._paid = [], {}, [], {}, {}
        elif reply.boot == self._told_boot and reply.first:
            self._confirm()
        self._told_boot = 0
        self.let_go(reply.boot)
        if not reply.first:
            return  # it does not believe us yet
        self.more = reply.more
        self._decisions = [one for one in self._decisions if one[0] >= reply.first]
        self.answered = max(self.answered, reply.first - 1)
        for at, ask in enumerate(reply.asks):
            number = reply.first + at
            if number > self.answered:
                self._decisions.append((number, self._decide(number, ask, wrong_key)))
                self.answered = number

    def compose(
        self,
        boot: int,
        echo: int,
        *,
        state: str,
        flags: int,
        both: int,
        alone: bool,
        is_free: bool,
        is_long: bool,
    ) -> FollowerPoll:
        """Returns the next poll, to a host of that boot: with its reply it has `both` bytes at
        most. `alone`: nobody else replies there, else nobody is told anything of a player.
        `is_free`: funds and payments may be told, too; `is_long`: in a poll that is longer for it.
        """
        size = min(PAYLOAD_MAX, both - follower_messages.REPLY_LEAST)
        room = size - follower_messages.AROUND - follower_messages.FOLLOWER_POLL_SIZE
        verdicts: list[Any] = []
        self._told_boot, self._told_funds, self._told_paid = 0, [], []
        coup, outcome, settled = 0, None, []  # type: tuple[int, Any, list[Any]]
        if alone and boot == self._boot:
            self._told_boot = boot
            before, (verdicts, room) = room, self._verdicts(room)
            # Answers first, all of them, in a poll as short as they allow. What it has room for
            # besides is for the rest, once all asks are here.
            if is_free and not self.more and len(verdicts) == len(self._decisions):
                rest = room
                if verdicts or not is_long:
                    rest = min(room, room - before + _SHORT_ROOM)
                room -= rest
                rest = self._tell_funds(rest)
                coup, outcome, settled, rest = self._tell_paid(rest)
                room += rest
        return FollowerPoll(
            boot,
            echo,
            state,
            self._book.coup,
            flags,
            min(PAYLOAD_MAX, both - size + room),
            self.answered,
            self._decisions[0][0] if self._decisions else self.answered + 1,
            tuple(verdicts),
            tuple(self._told_funds),
            coup,
            outcome,
            tuple(settled),
        )

    def _confirm(self) -> None:
        """Notes that the host has all that the last poll told."""
        for n, seated, cents in self._told_funds:
            self._funds[n] = (seated, cents)
            if not seated:
                del self._funds[n]
                self._left = [one for one in self._left if one != n]
        for n, coup, telling, known, of in self._told_paid:
            if known == of:
                self._forget_laid(n, [one for one in self._laid.get(n, []) if one[0] <= coup])
            if not of:
                continue
            self._paid[n] = (telling, known)
            if known == of and self._book.telling(n) == telling:
                self._book.acknowledge(n, coup)

    def _decide(self, number: int, ask: Any, wrong_key: Any) -> Answer:
        """Returns the answer to one ask."""
        behind, n = self._behind, ask.account
        answer: Answer
        if isinstance(ask, SignOnProof):
            if n not in self._signed_on and len(self._signed_on) >= follower_messages.FOLLOWERS_MAX:
                return Answer(False, "", FULL)
            why = wrong_key(ask)
            answer = Answer(False, "", why) if why else behind.sign_on(n)
            if answer.accepted:
                self._signed_on[n] = self._boot
                self._left = [one for one in self._left if one != n]
        elif self._signed_on.get(n) != self._boot:
            answer = self._book.sign_on_first()
        elif isinstance(ask, FollowerSignOff):
            answer = behind.sign_off(n)
            if answer.accepted:
                del self._signed_on[n]
        elif isinstance(ask, Follow):
            answer = behind.follow(
                n, number, coup=ask.coup, seat=ask.seat, double=ask.double, cents=ask.cents
            )
            if answer.accepted:
                self._laid[n] = self._laid.get(n, []) + [(ask.coup, ask.seat)]
        else:
            answer = behind.take_back(n, ask.seat)
            if answer.accepted:
                self._forget_laid(n, [(self._book.coup, ask.seat)])
        return answer

    def _forget_laid(self, n: int, gone: "list[tuple[int, int]]") -> None:
        """Forgets those bets of his: he took them back, or knows what became of them."""
        left = [one for one in self._laid.pop(n, []) if one not in gone]
        if left:
            self._laid[n] = left

    def _leave(self, n: int) -> None:
        """Notes that he is signed off unasked: the host is told so until it has heard it."""
        if self._signed_on.pop(n) == self._boot:
            self._left.append(n)

    def _verdicts(self, room: int) -> "tuple[list[Any], int]":
        """Returns as many verdicts as there is room for, and the room that is left."""
        verdicts: list[Any] = []
        for _, answer in self._decisions[: follower_messages.VERDICTS_MAX]:
            sentence = None if answer.accepted else Sentence(answer.rule, answer.why)
            size = 1
            if sentence is not None and sentence not in verdicts:
                size += len(follower_bytes.sentence_bytes(sentence))
            if size > room:
                break
            room -= size
            verdicts.append(sentence)
        return verdicts, room

    def _tell_funds(self, room: int) -> int:
        """Chooses whose funds the host does not know; returns the room that is left."""
        now = {}
        for n in sorted(self._signed_on):
            if not self._behind.is_signed_on(n):
                self._leave(n)  # the management has barred him
            elif self._signed_on[n] == self._boot:
                now[n] = (True, min(self._book.free_cents(n), terminal_messages.FUNDS_MAX))
        for n in sorted(set(now) | set(self._funds) | set(self._left)):
            told = now.get(n, (False, 0))
            if self._funds.get(n) != told and room >= follower_messages.FUNDS_SIZE:
                self._told_funds.append((n, told[0], told[1]))
                room -= follower_messages.FUNDS_SIZE
        return room

    def _tell_paid(self, room: int) -> "tuple[int, Any, list[Any], int]":
        """Returns a round, its outcome, and what players are paid in it who do not know: so much as
        there is room for; and the room that is left."""
        coup, outcome, players = 0, None, []  # type: tuple[int, Any, list[Any]]
        left = room - follower_messages.SETTLED_SIZE
        for n in sorted(set(self._signed_on) | set(self._laid)):
            settled = self._to_tell(n)
            if settled is None or (players and (settled.coup, settled.outcome) != (coup, outcome)):
                continue
            of = len(settled.paid)
            telling = self._book.telling(n)
            known = self._paid.get(n, (0, 0))
            first = known[1] if of and known[0] == telling else 0
            fit = (left - follower_messages.PLAYER_SIZE) // terminal_messages.CARD_PAYMENT_SIZE
            paid = tuple(settled.paid[first : first + max(0, fit)])
            if fit < 0 or (of and not paid):
                break
            coup, outcome = settled.coup, settled.outcome
            players.append((n, of, first, paid))
            self._told_paid.append((n, coup, telling, first + len(paid), of))
            left -= follower_messages.PLAYER_SIZE
            left -= len(paid) * terminal_messages.CARD_PAYMENT_SIZE
        return coup, outcome, players, left if players else room

    def _to_tell(self, n: int) -> "CardSettled | None":
        """Returns a round that ended, as a player is to be told: with what it paid him, or that
        none of his stakes took part; None for nothing.
        """
        settled: CardSettled = self._behind.settled(n)
        if settled.paid:
            if self._signed_on.get(n) == self._boot:
                return settled
            waits = [one for one in self._laid.get(n, []) if one[0] <= settled.coup]
            self._forget_laid(n, waits)  # until he signs on
            return None
        ended = [coup for coup, _ in self._laid.get(n, []) if coup < self._book.coup]
        return CardSettled(max(ended), None, ()) if ended else None
