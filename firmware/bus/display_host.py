"""What the controller says to the displays, and when: at once, again, and to whoever missed it.

Knows nothing of a port: `poll` and `ask` return frames, and whether they leave is the caller's
affair. Nothing here takes longer for a display that verifies slowly.
"""

from firmware.bus import card_messages, frame, message_bytes, messages, record, slots
from firmware.bus.displays import Displays
from firmware.bus.line_arbiter import LineArbiter
from firmware.bus.messages import CONFIRMED, NO_DIGEST, Heartbeat, Table
from firmware.bus.record_cache import RecordCache, number_seq
from firmware.bus.slots import HEARTBEAT_US
from firmware.shims.typed import Any, Sequence

COPIES = 3  # of each outcome: at once, and twice more
TABLE_US = 2_000_000  # between two tables, though somebody lacks it
# Rotations sent at once, where nobody is silent: they take less time than silence would.
AT_ONCE = 8
IN_VAIN = 2  # times the same record was sent to who lacks the number; then others go before it
LEAD_US = 1_000_000  # until who still lacks a key is sent the rotations again, doubled each time
LEADS_MAX = 6  # times
NOTICE_US = 400_000  # between two notices, while somebody asks to be the first supervisor
# Displays that one notice answers: it is no longer than the longest record then, for which the line
# has time between two heartbeats.
NOTICE_SHARE = (
    messages.RECORD_SIZE + record.RECORD_MAX - messages.NOTICE_SIZE - messages.NOTICE_NAME_MAX - 1
) // messages.ANSWERED_SIZE


class DisplayHost:
    """Tells the displays what they may show. Give it each new view; call `feed` with what came,
    then `poll`, then `ask`, each as often as its turn allows (line.py)."""

    def __init__(
        self,
        session: int,
        keys: "dict[int, bytes]",
        record_of: Any,
        *,
        game: str = "roulette",
        epoch: int = 1,
        kid: bytes = messages.NO_DIGEST,
        rotations: "Sequence[bytes]" = (),
        table: "Table | None" = None,
        layout_verified: bool = True,
        baud: int = 115_200,
        terminals: int = 0,
        cards: bool = False,
        extra_us: int = 0,
    ) -> None:
        """`session`: 64 random bits, new at each start. `keys`: of the displays, by address.
        `record_of(seq)`: the signed record of an outcome, or None; asked for the last
        messages.HISTORY_MAX at most. `epoch`, `kid`: of the journal, and of the key that signs now.
        `rotations`: the records that lead from the first key to that one. `terminals`: how many are
        on the same line, `extra_us`: time for their polls out of turn (slots.py). `cards`: what
        lies on a card table is told too, if there is time for it.

        Raises ValueError, a sentence, for more displays than the line has time for.
        """
        plan = (slots.card_plan if cards else slots.plan)(
            baud, len(keys), terminals, extra_us=extra_us
        )
        if plan is None:
            raise ValueError(_no_room(baud, len(keys), terminals, extra_us))
        self.count = len(keys)
        self.slot_us = plan.slot_us
        self.arbiter = LineArbiter(baud)
        self._plan = plan
        self._session = session
        self._record_cache = RecordCache(record_of)
        self._game = game
        self._epoch = epoch
        self._kid = kid
        self._rotations = [(record.kid(rotation), rotation) for rotation in rotations]
        self._leads: list[bytes] = []  # those that are being sent, in order
        self._is_lead = False  # what is sent now is one of them
        self._at_once = AT_ONCE  # so many more of them before a pause
        self._table = b"" if table is None else message_bytes.table_bytes(table)
        self._table_digest = message_bytes.table_digest(self._table) if self._table else NO_DIGEST
        self._layout_verified = layout_verified
        self._displays = Displays(self._session, keys, arbiter=self.arbiter, plan=plan)
        self._displays.kid = kid
        self._displays.table = self._table_digest[: messages.TABLE_HELD_SIZE]
        self._counter = 0
        self._view: Any = None
        self._copies = 0  # of the newest record, yet to be sent
        self._copied: tuple[int, bytes] = (0, b"")  # which one that is
        self._number_seq = 0  # from here on all records are needed to light the number
        # None: at the next poll.
        self._heartbeat_us: int | None = None
        self._apart_us = 0  # when the next record, refill or table may be sent
        self._table_us = 0
        self._served = 0  # the place served last
        self._asks: str | None = None  # who is to be told of by notices
        self._notice_us = 0  # when the next may be sent
        self._notices = 0  # ever
        self._noticed = 0  # answers given by them, ever
        self._cards: Any = None  # what lies on a card table; None: nothing is told of it
        self._cards_untold = 0  # displays that were not told it since it changed
        self._cards_us: list[int] = []  # when the last of these messages were sent
        self._cards_count = 0  # ever
        self._cards_answered = 0  # answers given by them, ever

    def set_view(
        self,
        state: str,
        coup: int,
        seq: int,
        rotor: int,
        number: "int | None",
        colour: "str | None",
        reason: "str | None",
    ) -> None:
        """Takes what the displays shall show from now on, a View's fields; `poll` sends it at once.

        Number, colour and reason are not sent: displays read them in the record of that `seq`. At a
        card table `coup` is the round, and nothing has a number, a colour or a rotor.
        """
        if state == CONFIRMED and not messages.is_card_game(self._game):
            assert number is not None, "confirmed without a number"
        view = (state, coup, seq, rotor, number if state == CONFIRMED else None)
        if view != self._view:
            self._view = view
            self._heartbeat_us = None

    def set_cards(self, cards: "card_messages.Cards | None") -> None:
        """Takes what lies on the card table: told at once, and again and again."""
        if self._plan.cards and cards != self._cards:
            self._cards = cards
            self._cards_untold = self.count

    @property
    def tells_cards(self) -> bool:
        """Tells whether the line has time for what lies on a card table."""
        return bool(self._plan.cards)

    def tell_asks(self, name: "str | None") -> None:
        """Takes who asks to be the first supervisor: told again and again until it is None."""
        self._asks = name

    def feed(self, payload: bytes, now_us: int) -> None:
        """Takes a payload that came by `now_us`."""
        self._displays.feed(payload, now_us)

    def is_behind(self) -> bool:
        """Tells whether a display that was heard does not yet light what was told last."""
        return self._displays.is_behind()

    def standings(self, now_us: int) -> "Sequence[Any]":
        """Tells how each display stands, as plain values for a technician."""
        return self._displays.standings(now_us)

    def troubles(self) -> "Sequence[tuple[str, str]]":
        """Gives what is newly wrong: (code of firmware/core/faults.py, detail)."""
        return self._displays.troubles()

    def ended(self) -> "Sequence[tuple[str, str]]":
        """Gives what was told so and has newly ended."""
        return self._displays.ended()

    def poll(self, now_us: int) -> "list[bytes]":
        """Gives the frames for all displays due at `now_us`, in order; a late poll sends none
        twice."""
        if self._view is None or not self.count:
            return []
        # News goes out behind whatever the line still sends, all else once that is over.
        has_news = self._heartbeat_us is None or self._has_new_cards(now_us)
        if not has_news and self.arbiter.is_busy(now_us):
            return []
        payloads = []
        if self._heartbeat_us is None or now_us >= self._heartbeat_us:
            self._heartbeat_us = now_us + HEARTBEAT_US
            payloads.append(self._heartbeat(now_us))
        self._is_lead = False
        more = b"" if payloads and self._copies < COPIES else self._more(now_us)
        if more:
            if self._is_lead and self._at_once and self._displays.all_heard(now_us):
                self._at_once -= 1
            else:
                self._at_once = AT_ONCE
                self._apart_us = now_us + self._plan.apart_us
            payloads.append(more)
        cards = self._next_cards(now_us)
        if cards:
            payloads.append(cards)
        frames = [frame.encode(payload) for payload in payloads]
        for framed in frames:
            self.arbiter.sent(len(framed), now_us)
        return frames

    def due_us(self, now_us: int) -> int:
        """Tells when `poll` may say something on a free line, if nothing happens before."""
        if self._view is None or self._heartbeat_us is None:
            return now_us
        heartbeat_us: int = self._heartbeat_us
        if self._has_more():
            more_us = max(now_us, self._apart_us)
            return min(heartbeat_us, more_us, self._cards_due_us(now_us))
        due_us = min(heartbeat_us, self._cards_due_us(now_us))
        if self._asks is not None:
            return min(due_us, max(now_us, self._apart_us, self._notice_us))
        return due_us

    def ask(self, now_us: int) -> "bytes | None":
        """Gives the frame of the next ask; None where there are no displays."""
        return self._displays.ask(now_us) if self.count and self._view is not None else None

    def _heartbeat(self, now_us: int) -> bytes:
        state, coup, seq, rotor, number = self._view
        held = self._record_cache.past(seq)
        epoch, digest = self._epoch, messages.NO_DIGEST
        if held:
            epoch, digest = held[0][2], record.digest(held[0][1])
            if self._copied != (seq, digest):
                self._copied = (seq, digest)
                self._number_seq = number_seq(held)
                self._copies = COPIES
                self._apart_us = now_us
        self._displays.newest = (self._epoch, seq)
        self._displays.sent_views.add(state, number if held else None, epoch, seq, now_us=now_us)
        self._counter += 1
        told = message_bytes.heartbeat_bytes(
            Heartbeat(
                self._session,
                self._counter,
                self._game,
                state,
                coup,
                epoch,
                seq,
                digest,
                len(held),
                self._kid,
                rotor,
                self._layout_verified,
                self._table_digest,
            )
        )
        self._displays.beat()
        return message_bytes.answered(told, self._displays.answers(now_us))

    def _more(self, now_us: int) -> bytes:
        """Returns the payload due besides heartbeats: a copy of the newest record, or what one
        lacks.
        """
        if now_us < self._apart_us:
            return b""
        return (self._next_record(now_us) if self._has_more() else b"") or self._notice(now_us)

    def _next_record(self, now_us: int) -> bytes:
        """Returns a copy of the newest record, or what one lacks."""
        if self._copies == COPIES:
            return self._record(self._copied[0])
        # Who lacks the number goes first, then the keys, copies that nobody may need, and the past.
        payload = self._next_served(now_us, urgent=True)
        if payload:
            return payload
        lacking = self._displays.lacking_key() if self._rotations and not self._leads else ()
        if lacking:
            self._lead(lacking, now_us)
        if self._leads:
            return self._next_rotation()
        if self._copies:
            return self._record(self._copied[0])
        return self._next_served(now_us, urgent=False)

    def _notice(self, now_us: int) -> bytes:
        """Returns who asks, for those displays whose turn it is."""
        if self._asks is None or now_us < self._notice_us:
            return b""
        answers = self._displays.answers(now_us)
        if not answers:
            return b""
        self._notice_us = now_us + NOTICE_US
        self._notices += 1
        first = self._noticed % len(answers)
        turn = (list(answers[first:]) + list(answers[:first]))[:NOTICE_SHARE]
        self._noticed += len(turn)
        told = message_bytes.notice_bytes(self._session, self._notices, self._asks)
        return message_bytes.answered(told, turn)

    def _has_new_cards(self, now_us: int) -> bool:
        """Returns whether what lies on the table has changed, and may be told by now."""
        return bool(self._cards_untold and self._cards and now_us >= self._cards_due_us(now_us))

    def _cards_due_us(self, now_us: int) -> int:
        """Returns when what lies on the table may be told next; it has its share of the line."""
        if self._cards is None or not self._displays.is_any_heard(now_us):
            return now_us + slots.FRESH_US
        sent = self._cards_us
        due_us = now_us if self._cards_untold or not sent else sent[-1] + slots.CARDS_US
        if len(sent) == self._plan.often:
            due_us = max(due_us, sent[0] + slots.FRESH_US)
        return due_us

    def _next_cards(self, now_us: int) -> bytes:
        """Returns what lies on the table, for those displays whose turn it is."""
        if self._cards is None or now_us < self._cards_due_us(now_us):
            return b""
        answers = self._displays.answers(now_us)
        if not answers:
            return b""
        self._cards_us = self._cards_us[1 - self._plan.often :] + [now_us]
        self._cards_count += 1
        told = card_messages.cards_bytes(
            self._session, self._cards_count, self._cards, self._plan.cards
        )
        first = self._cards_answered % len(answers)
        turn = list(answers[first:]) + list(answers[:first])
        turn = turn[: slots.answers_max(len(told))]
        self._cards_answered += len(turn)
        self._cards_untold = max(0, min(self._cards_untold, len(answers)) - len(turn))
        return message_bytes.answered(told, turn)

    def _has_more(self) -> bool:
        return bool(self._copies or self._leads or self._displays.is_lacking())

    def _next_served(self, now_us: int, *, urgent: bool) -> bytes:
        """Returns what the next in turn lacks; `urgent`: of those alone who lack the number."""
        places = self._displays.places
        for turn in range(1, len(places) + 1):
            at = (self._served + turn) % len(places)
            if urgent and not self._is_urgent(places[at]):
                continue
            payload = self._serve(places[at], now_us)
            if payload:
                self._served = at
                return payload
        return b""

    def _is_urgent(self, place: Any) -> bool:
        """Returns whether it lacks the number, and could check it.

        Whom it did not help to be sent the same again and again, for whatever reason, waits like
        those who lack the past.
        """
        in_vain = place.sent == place.want and place.times >= IN_VAIN
        return bool(place.kid == self._kid and place.want >= self._number_seq and not in_vain)

    def _serve(self, place: Any, now_us: int) -> bytes:
        """Returns what that display lacks most, if it can be told now; who lacks the same is served
        too.
        """
        places = self._displays.places
        if place.want and (place.beats or not place.is_dark):
            seq = place.want
            if [held for held in self._record_cache.past(self._view[2]) if held[0] == seq]:
                return self._record(seq)
            place.want = 0
        if place.lacks_table and self._table and now_us >= self._table_us:
            self._table_us = now_us + TABLE_US
            for one in places:
                one.lacks_table = False
            return self._table
        return b""

    def _record(self, seq: int) -> bytes:
        held = self._record_cache.find(seq, self._view[2])
        assert held is not None
        if seq == self._copied[0] and self._copies:
            self._copies -= 1
        # Between the newest record and that of the number are corrections. Who lacks one of them is
        # taken to lack the next too: it could say so a round later only.
        next_seq = seq - 1 if seq > self._number_seq else 0
        for place in self._displays.places:
            if place.want == seq:
                place.times = place.times + 1 if place.sent == seq else 1
                place.sent = seq
                place.want = next_seq
        return message_bytes.record_bytes(held[1])

    def _lead(self, lacking: "Sequence[Any]", now_us: int) -> None:
        """Begins to send the rotations, from the first on that one of these lacks. Whom that does
        not help gets them again ever more seldom: they take the time of the others."""
        names = [name for name, _ in self._rotations]
        first = len(names)
        for place in lacking:
            place.lacks_key = False
            place.led_us = now_us + (LEAD_US << min(place.leads, LEADS_MAX))
            place.leads += 1
            first = min(first, names.index(place.kid) if place.kid in names else 0)
        self._leads = [rotation for _, rotation in self._rotations[first:]]

    def _next_rotation(self) -> bytes:
        """Returns the next rotation.

        Behind the last one the newest record: now it can be checked.
        """
        self._is_lead = True
        rotation, self._leads = self._leads[0], self._leads[1:]
        if not self._leads and self._copied[0]:
            self._copies = max(self._copies, 1)
        return message_bytes.record_bytes(rotation)


def _no_room(baud: int, displays: int, terminals: int, extra_us: int) -> str:
    most = slots.displays_max(baud, terminals, extra_us)
    beside = f" beside {terminals} terminals" if terminals else ""
    return (
        f"A line of {baud} baud has time for {most} displays{beside}, not {displays}: each is asked"
        " and answered once a second. Take fewer displays, or a faster line."
    )
