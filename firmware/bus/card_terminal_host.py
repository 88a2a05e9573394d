"""The controller's side of the talk with the terminals of a card table, and with the host of those
who bet behind.

It does what a wheel's does (terminal_host.py). Besides, it tells what a player must decide, takes
his decision, and polls out of turn whoever waits for an answer.
"""

from firmware.bus import follower_bytes, follower_messages, slots, terminal_messages
from firmware.bus.follower_desk import FollowerDesk
from firmware.bus.terminal_host import WRONG_KEY, Place, TerminalHost, wait_of
from firmware.bus.terminal_messages import CardPayments, Envelope, Reply
from firmware.shims.typed import Any, Sequence

# Sign-ons at the followers' host that fail, of players who never showed their key there: so many at
# once, then one each so often. What is guessed of 140 accounts takes as long as of a few.
FAILURES_MAX = 10
FAILURE_US = 6_000_000
KNOWN_MAX = 256  # players who showed it, and so wait for nobody else's wrong keys


class CardTerminalHost(TerminalHost):
    """Polls the terminals of a card table. `book`: a CardBook, whose `behind` has the address of
    the host of followers, or None."""

    def __init__(
        self, session: int, keys: "dict[int, bytes]", book: Any, *, baud: int, displays: int = 0
    ) -> None:
        """As TerminalHost; `keys` has the followers' host, too. Raises ValueError, a sentence."""
        has_followers = book.behind.address in keys
        extra_us = slots.card_extra_us(baud, len(keys), followers=has_followers)
        super().__init__(session, keys, book, baud=baud, displays=displays, extra_us=extra_us)
        self._desk = FollowerDesk(book)
        self._followers: Place | None = None
        self._room = 0  # bytes that its reply may have
        self._heard = False  # whether it has replied to that
        self._failures_us = 0  # when those that failed there are forgotten, each FAILURE_US later
        self._known: list[int] = []  # accounts that have signed on there
        self._baud = baud
        self._short_us = slots.exchange_us(baud, slots.FOLLOWERS_SHORT)
        self._long_us = slots.exchange_us(baud, slots.FOLLOWERS_LONG)
        due_us = slots.wire_us(terminal_messages.DUE_SIZE, baud)
        self.slots_us = [slot_us + due_us for slot_us in self.slots_us]
        for at, place in enumerate(self._places):
            if place.address == book.behind.address:
                place.replies = follower_messages.FOLLOWER_REPLY
                self._followers = place
                self.slots_us[at] = self._short_us
        self._is_long: bool | None = None  # whether a poll out of turn may have a part
        self._was_seat = False  # the last poll was a seat's
        self._answers: list[Place] = []  # whose ask is decided, and has not been polled since
        self._waiting: list[tuple[Place, Reply]] = []  # whose ask waits for the core

    def poll(self, now_us: int, spare_us: int = 0) -> bytes:
        """As TerminalHost; empty for the followers' host if it was polled just now."""
        if self._places[self._next] is self._followers and self._is_known(now_us):
            self._next = (self._next + 1) % len(self._places)
            return b""
        return super().poll(now_us, spare_us)

    def poll_extra(self, now_us: int, spare_us: int) -> bytes:
        """Polls whose ask is decided by now; and the followers' host, that a follower waits no
        longer than a seat."""
        waiting, self._waiting = self._waiting, []
        for place, reply in waiting:
            self._try(place, reply)
        followers = self._followers
        if followers is not None and self._wants_followers(now_us):
            # Who has yet to ask has much to say; who was heard may be answered in few bytes.
            is_heard = self._desk.is_awaited and not self._desk.more
            if spare_us >= (self._short_us if is_heard else self._long_us):
                return self._poll(followers, now_us, spare_us - self._short_us)
        if not self._answers:
            return b""
        place = self._answers[0]
        is_long = not place.decision.accepted  # it says why
        if spare_us < (slots.long_poll_us(self._baud) if is_long else max(self.slots_us)):
            return b""
        since_long = self._since_long
        self._is_long = is_long
        framed = self._poll(place, now_us, 0)
        self._is_long = None
        self._since_long = since_long
        return framed

    def _wants_followers(self, now_us: int) -> bool:
        """Returns whether the followers' host is to be polled out of turn: not while silent."""
        if self._followers is None or not self._heard or self._followers.conflict:
            return False
        if self._desk.is_awaited:
            return self._was_seat  # in turns with the seats
        return not self._answers and not self._is_known(now_us)

    def _is_known(self, now_us: int) -> bool:
        """Returns whether the followers' host, polled just now, has asked nothing."""
        if self._followers is None or not self._heard or self._desk.is_awaited:
            return False
        often_us = slots.CROWDED_US if self._is_crowded(now_us) else slots.FOLLOWERS_US
        return now_us - self._followers.polled_us < often_us

    def _is_crowded(self, now_us: int) -> bool:
        """Returns whether so much is said that a seat waits longer for its turn than usual."""
        seats = [place.polled_us for place in self._places if place is not self._followers]
        return bool(seats) and now_us - min(seats) > slots.CROWDED_US

    def _may_be_long(self) -> bool:
        return super()._may_be_long() if self._is_long is None else self._is_long

    def _payload(self, place: Place, envelope: Envelope, now_us: int, spare_us: int) -> bytes:
        self._answers = [one for one in self._answers if one is not place]
        self._was_seat = place is not self._followers
        if place is not self._followers:
            return super()._payload(place, envelope, now_us, spare_us)
        self._heard = False
        flags = terminal_messages.OPEN * self._book.is_open
        flags += terminal_messages.EMPLOYEE * self._book.attended
        flags += terminal_messages.CONFLICT * place.conflict
        boot, echo = self._echo(place)
        alone = not place.conflict and len(place.boots) == 1
        both = slots.exchange_bytes(self._baud, self._short_us + max(0, spare_us))
        poll = self._desk.compose(
            boot, echo, state=self._state, flags=flags, both=both, alone=alone,
            is_free=not self._answers,
            is_long=not self._is_crowded(now_us),
        )  # fmt: skip
        self._room = poll.room
        return follower_bytes.follower_poll_bytes(envelope, poll, place.key)

    def _until_reply_us(self, place: Place) -> int:
        if place is not self._followers:
            return super()._until_reply_us(place)
        return slots.reply_within_us(self._baud, self._room)

    def _open(self, place: Place, payload: bytes) -> Any:
        if place is not self._followers:
            return super()._open(place, payload)
        return follower_bytes.open_follower_reply(payload, place.key)

    def _is_used(self, place: Place) -> bool:
        if place is not self._followers:
            return super()._is_used(place)
        return self._desk.is_used

    def _let_go(self, place: Place) -> None:
        if place is not self._followers:
            super()._let_go(place)
        else:
            self._desk.let_go()

    def _decide(self, place: Place, envelope: Envelope, reply: Any, now_us: int) -> None:
        if place is self._followers:
            self._heard = True

            def wrong_key(ask: Any) -> str:
                return self._wrong_follower(place, envelope, ask, now_us)

            self._desk.receive(reply, wrong_key)
            return
        answered = place.answered
        self._waiting = [one for one in self._waiting if one[0] is not place]
        super()._decide(place, envelope, reply, now_us)
        if place.answered != answered:
            self._answers.append(place)
        elif reply.request > answered:
            self._waiting.append((place, reply))

    def _wrong_follower(self, place: Place, envelope: Envelope, ask: Any, now_us: int) -> str:
        """Returns why who signs on over the followers' host does not show his account's key; empty
        if he does. What fails there keeps nobody from a seat, and nobody out who was in.
        """
        is_known = ask.account in self._known
        wait_us = self._failures_us - (FAILURES_MAX - 1) * FAILURE_US - now_us
        if wait_us > 0 and not is_known:
            return wait_of(wait_us)
        why = self._wrong_key(place, envelope, ask, (("follower", ask.account),), now_us)
        if not why and not is_known:
            self._known = self._known[1 - KNOWN_MAX :] + [ask.account]
        elif why == WRONG_KEY and not is_known:
            self._failures_us = max(self._failures_us, now_us) + FAILURE_US
        return why

    def _try(self, place: Place, reply: Reply) -> None:
        """Asks the book again what waits for the core."""
        if place.conflict:
            return
        decision = self._ask_book(place, reply)
        if decision is None:
            self._waiting.append((place, reply))
            return
        place.decision = decision
        place.answered = reply.request
        self._answers.append(place)

    def _decide_hand(self, place: Place, reply: Reply) -> Any:
        return self._book.decide(place.address, reply.boot, reply.request, reply.ask)

    def _due(self, place: Place) -> Any:
        return self._book.due(place.address)

    def _is_waiting(self, place: Place, coup: int) -> bool:
        return self._book.is_waiting(place.address, coup)  # type: ignore[no-any-return]

    def _payments(self, settled: Any, first: int, paid: "Sequence[Any]") -> Any:
        return CardPayments(settled.outcome, first, tuple(paid))
