"""A card table: one round after the other, from the shoe, the keys and the stakes that it is told.

No clock, no I/O, no randomness: times are those of the events. What is due, next_card of the rules
says. What goes wrong, and what people put right there, is in hold.py; how a round ends in
ending.py; what is shown in shown.py.
"""

from firmware.core import acts, faults
from firmware.core import facts as core_facts
from firmware.core.cards import ending, facts, hold, keys, people, shoe, shown, states, terminals
from firmware.core.cards.house import BETS, CARD, DECISION, HOUSE, INSURANCE, CardHouse
from firmware.core.cards.outputs import Outputs
from firmware.core.cards.play import DEALER, HOLE, Play
from firmware.core.cards.reasons import INTERRUPTED
from firmware.core.cards.restart_state import FRESH, Ended, OpenRound, RestartState
from firmware.core.coup.timers import Timers
from firmware.core.house import AUTO
from firmware.shims.typed import Any, Sequence
from firmware.stakes import card_kinds, card_round
from rules.cards import deck
from rules.cards import due as dues
from rules.cards.errors import CardsError
from rules.cards.stakes import accept

CHIPS = "chips\u00b7"  # and the seat: a name that no account has (accounts.py)

# Where a round stands for whom it waits, by what is due.
_STATES = (
    (states.CARDS_DUE, states.DEALING),
    (states.INSURANCE_DUE, states.INSURANCE),
    (states.DECISIONS_DUE, states.PLAYING),
    (states.DEALER_DUE, states.DEALER),
    (states.END_DUE, states.DONE),
)


class CardTable(Outputs):
    """Decides. `timers.due_us` says when to call `handle(Tick(due_us))` at the latest."""

    def __init__(
        self,
        limits: Any,
        *,
        restart_state: RestartState = FRESH,
        house: CardHouse = HOUSE,
        book: Any = None,
    ) -> None:
        """`limits`: the table of rules.cards.stakes, which says the game, its limits and house;
        `book`: the CardBook of the terminals (firmware/stakes), None where there are none.
        """
        Outputs.__init__(self)
        self.book = book
        self.limits = limits
        self.house = house
        self.timers = Timers()
        self.state = states.NO_SHOE
        self.round = restart_state.round
        self.seq = restart_state.seq  # the last that is durable
        self.open = False
        self.closing = False  # the open round's end is being recorded
        self.correcting = False
        self.paying = False  # that the management knows of a payment is being recorded
        self.play: Any = None  # the Play since the call
        self.hold: Any = None  # the hold.Hold while the state is HOLD
        self.too_many = 0  # cards that nobody asked for, in this round
        self.shoe = shoe.Shoe(self, restart_state.shoe)
        self.last: Any = restart_state.last  # the Ended, while no round is open
        self._chips: list[Any] = []  # accepted before the call, and no terminal's
        self._has_seats: bool = limits.rules["family"] == "blackjack"
        self._employees: list[str] = []  # where no book knows them
        self.is_late = False  # the croupier was reminded of what is due
        self.insuring_seat: Any = None  # whose key was pressed
        self.decided_us: Any = None  # when somebody decided last
        self.keyed: Any = None  # for which seat and hand, by a key; hand 0: its insurance
        self.people = people.People(self)
        self._shown = shown.Shown()
        self._locked = False  # a lock waits for the open round's end
        # The OpenRound that a restart found, until its void is durable.
        self._interrupted: Any = restart_state.interrupted
        if self._interrupted is not None:
            self.round, self.open = self._interrupted.round, True
            self.state = states.HOLD
            self.shoe.count.is_over = self.shoe.count.is_over or not self.shoe.count.in_play
        elif self.last is not None and self.shoe.count.in_play:
            self.state = states.VOID if self.last.end.get("reason") else states.CONFIRMED

    # --- events -----------------------------------------------------------------------------------

    def begin_play(self, at_us: int) -> "core_facts.Answer":
        """Begins, once: voids a round that a restart interrupted, and shows the state."""
        self.at_us = at_us
        if self.open:
            self.shoe.doubt()
            self.void(INTERRUPTED)
        self.end_shoe()
        return self._answer()

    def finish(self, at_us: int) -> "core_facts.Answer":
        """Ends: nothing comes any more, and a round still open is void, interrupted."""
        self.at_us = at_us
        if self.playing():
            self.shoe.doubt()
            self.void(INTERRUPTED)
        return self._answer()

    # Any: one of the records of facts.py, or of core/facts.py, "in".
    def handle(self, event: Any) -> "core_facts.Answer":
        """Takes any event."""
        self.at_us = event.at_us
        kind = type(event)
        if kind is core_facts.Tick:
            self._tick(event.at_us)
        elif kind is core_facts.Recorded:
            durable = self.pop_durable(event.ticket)
            if durable is not None:
                ending.durable(self, *durable)
        elif kind is facts.StakesLaid:
            self._lay(event.stakes)
        elif kind is facts.DecisionMade:
            self._decided(event)
        elif kind is facts.StakesChanged:
            pass  # what follows from them is told with the answer
        elif kind is facts.KeyPressed:
            keys.press(self, event.key)
        elif kind is core_facts.Trouble:
            self._trouble(event.code, event.detail)
        elif kind is core_facts.TroubleEnded:
            self.end_fault(event.code, event.detail)
        elif kind is core_facts.ActDone:
            self._act(event)
        elif kind is core_facts.EmployeePresent:
            self._employee(event.who, event.present)
        elif kind is core_facts.UnseatAsked:
            terminals.unseat(self, event)
        elif kind is core_facts.EntryAsked:
            terminals.enter_money(self, event)
        elif kind in shoe.EVENTS:
            self.shoe.handle(event)
        elif kind in people.EVENTS:
            self.people.handle(event)
        else:
            raise AssertionError(kind)
        return self._answer()

    def restart_state(self) -> RestartState:
        """Returns what a table that began now would be given of this one."""
        interrupted = None
        if self.open:
            stakes, cards, engagements = self.rows()
            known = [row for row in cards if row["to"] != HOLE or self.play.round.has_turned]
            interrupted = OpenRound(self.round, stakes, known, engagements)
        ended = self.round - 1 if self.open else self.round
        return RestartState(ended, self.seq, interrupted, self.shoe.count.state(), self.last)

    def view(self) -> facts.CardView:
        """Returns what the displays may show now."""
        return shown.view(self)

    # --- what the other files of this room ask ----------------------------------------------------

    def playing(self) -> bool:
        """Returns whether a round is open and its end not yet decided."""
        return self.open and not self.closing

    def waits(self) -> bool:
        """Returns whether a payment waits for the management."""
        return self.last is not None and self.last.waits

    def stakes_laid(self) -> "list[Any]":
        """Returns what lies on the cloth before the call."""
        if self.book is None:
            return list(self._chips)
        return list(self.book.stakes())

    def rows(self) -> "tuple[Any, Sequence[Any], Sequence[Any]]":
        """Returns the rows of the open round: its stakes or None, cards, engagements."""
        if self.play is not None:
            return self.play.stakes, self.play.cards, self.play.engagements
        if self._interrupted is not None:
            _, stakes, cards, engagements = self._interrupted
            return stakes, cards, engagements
        return None, [], []

    def record(
        self,
        kind: str,
        body: "dict[str, Any]",
        *,
        waits: bool = False,
        then: "dict[str, Any] | None" = None,
    ) -> None:
        """Asks for a durable record, of which the book hears: of an end once it is durable."""
        Outputs.record(self, kind, body, waits=waits, then=then)
        if self.book is not None and not waits:
            self.book.add_row(kind, body)

    def record_card(self, row: "dict[str, Any]") -> None:
        """Asks for the durable record of a card, with the reader's number that was last then."""
        row["n"] = self.shoe.count.n
        self.record(card_kinds.CARD_ROW, row)

    def enter(self, happening: str) -> None:
        """Goes on along the table of states. Asserts that there is such a line."""
        state = states.after(self.state, happening)
        assert state is not None, (self.state, happening)
        self.state = state

    def begin_round(self) -> None:
        """Opens the next round: stakes may be laid."""
        self.round += 1
        self.open = True
        self.shoe.count.begin_round(self.round)
        self.play, self.hold, self.last, self._interrupted = None, None, None, None
        self._chips, self.too_many = [], 0
        if self.book is not None:
            self.book.open_coup(self.round)
        self.forget_faults()
        self.shoe.forget_doubts()
        self.enter(states.STAKES_DUE)
        self.record(card_kinds.ROUND, {"round": self.round})
        self.emit(facts.RoundStarted(self.at_us, self.round))
        self.wait_for_stakes()

    def wait_for_stakes(self) -> None:
        """Has the stakes close by themselves in a while."""
        self.timers.clear()
        self.timers.set(BETS, self.at_us + self.house.bets_us)

    def lay_chips(self, seat: int) -> str | None:
        """Takes that chips lie at a seat, or no more: the croupier's key says so. Nobody counts
        them, so that they stand as the table's minimum. Returns why not, or None.
        """
        if not self._has_seats:
            return "chips have no seat at baccarat."
        if self.limits.floor_cents is None:
            return "this table has no minimum, for which chips could stand."
        if self.book is not None and self.book.player(seat) is not None:
            return f"who sits at seat {seat} stakes at the terminal."
        own = {
            "player": CHIPS + str(seat),
            "seat": seat,
            "bet": "main",
            "cents": self.limits.floor_cents,
        }
        before = self._chips if self.book is None else self.book.chips()
        after = [stake for stake in before if stake != own]
        if len(after) == len(before):
            after.append(own)
        self._lay(after)
        return None

    def close_bets(self, *, by_key: bool = False) -> str | None:
        """Calls rien ne va plus: seals the stakes, before any card. Returns why not, or None.

        At baccarat the croupier's key deals for chips that nobody has told the controller of.
        """
        if not self.stakes_laid() and (self._has_seats or not by_key):
            return "no stake lies on the cloth: no hand is dealt."
        laid = self.stakes_laid()
        _, refused = accept(self.limits, [card_round.bare(stake) for stake in laid])
        if refused:  # nothing is sealed that could not be told again
            return f"{refused[0].rule}: {refused[0].why}."
        body = card_round.body_of(self.limits, self.round, laid, self.employees())
        try:
            self.play = Play(self.limits, body)
        except CardsError as error:
            return error.rule + ": " + error.sentence
        self.record(card_kinds.STAKES, body)
        self.emit(facts.BetsClosed(self.at_us, self.round, body["count"], body["total_cents"]))
        self.enter(states.CARDS_DUE)
        self.go_on()
        return None

    # Any: what else its row says, of who entered it.
    def accept(self, card: int, *, ident: str, how: str, n: int, by: Any) -> None:
        """Deals a card that is the shoe's own to where it is due."""
        ordinal = self.shoe.count.count_card(card, ident)
        row = self.play.deal(card, ident=ident, how=how, ordinal=ordinal, n=n)
        row.update(by or {})
        self.tell_card(row)
        if row["to"] == DEALER and self.play.round.places.count(DEALER) == 1:
            shown.announce_gold_jack(self, card)
        self.go_on()

    def tell_card(self, row: "dict[str, Any]") -> None:
        """Records a card that lies at its place, and emits it; the hole card's value is not."""
        card = None
        if row["to"] != HOLE:
            card = deck.card_of(row["card"])
            self.record_card(row)
        self.emit(facts.CardDealt(self.at_us, self.round, row["k"], row["to"], card))

    def turn(self) -> None:
        """Takes that the hole card lies face up."""
        row = self.play.turn()
        self.record_card(row)
        card = deck.card_of(row["card"])
        self.emit(facts.HoleTurned(self.at_us, self.round, row["k"], card))
        self.go_on()

    def decide(
        self, seat: int, hand: int, do: str, *, cents: "int | None", by: str
    ) -> "tuple[str, str] | None":
        """Takes a decision, which counts from now on. Returns why not, article and sentence, or
        None.
        """
        keyed = (seat, hand if self.state == states.PLAYING else 0)
        short = terminals.why_short(self, seat, do, cents)
        if short is not None:
            return short
        funds = None if self.book is None else self.book.behind.funds(seat)
        try:
            row = self.play.decide(seat, hand, do, cents, by, funds)
        except CardsError as error:
            return error.rule, error.sentence
        self.decided_us = self.at_us
        self.keyed = keyed if by == facts.BY_KEYS else None
        self.record(card_kinds.ENGAGEMENT, row)
        said = (seat, hand, do, by, row["seen"], cents)
        self.emit(facts.Engaged(self.at_us, self.round, row["n"], *said))
        self.go_on()
        return None

    def insure_none(self, by: str) -> None:
        """Takes that whoever has not answered is not insured; by keys, who has no terminal."""
        for seat in self.play.due.choices:
            if by != facts.BY_KEYS or not self.is_held(seat):
                self.decide(seat, 1, "no_insurance", cents=None, by=by)

    def employees(self) -> "Sequence[str]":
        """Returns who of the house is at the table, by name."""
        return sorted(self._employees) if self.book is None else self.book.employees()

    def is_held(self, seat: int) -> bool:
        """Returns whether the hand of a seat is played at a terminal."""
        return self.book is not None and bool(self.book.is_held(seat))

    def go_on(self) -> None:
        """Goes where the rules say, and waits there for what is due."""
        if self.shoe.unsure is not None:
            hold.hold_round(self, self.shoe.unsure)
            return
        due = self.play.due
        if due.kind == dues.CHECK:
            self.emit(facts.HoleChecked(self.at_us, self.round, self.play.check()))
            due = self.play.due
        happening, was = self._happening(due), self.state
        if dict(_STATES)[happening] != was:
            self.enter(happening)
        elif due.kind == dues.INSURANCE:
            return  # its time runs on
        self.timers.clear()
        self.is_late, self.insuring_seat = False, None
        if due.kind == dues.CARD:
            self._wait_for_card()
        elif due.kind == dues.TURN:
            self.timers.set(CARD, self.at_us + self.house.card_us)
        elif due.kind == dues.DECISION:
            self.timers.set(DECISION, self.at_us + self.house.decision_us)
        elif due.kind == dues.INSURANCE:
            self.timers.set(INSURANCE, self.at_us + self.house.insurance_us)
        elif self.house.confirm == AUTO:
            self.confirm(AUTO)

    def confirm(self, who: str) -> None:
        """Makes the result of the open round official."""
        ending.confirm(self, who)

    def void(self, reason: str, *, who: str | None = None) -> None:
        """Voids the open round. Everything of it is returned. The first reason stands."""
        if self.playing():
            ending.void(self, reason, who)

    def lock(self) -> None:
        """Takes the table out of play until cleared; an open round ends first."""
        self._locked = self.open
        if not self.open and self.state != states.FAULT:
            self.enter(states.LOCKED)
            self.shoe.end(locked=True)

    def go_out(self) -> None:
        """Goes on from a round that has ended: out of play, or to another shoe, if it must."""
        if self._locked:
            self.lock()
        else:
            self.end_shoe()

    def end_shoe(self) -> None:
        """Goes where the shoe is changed, if it has ended and nothing waits here."""
        if not self.shoe.count.is_over or self.open or self.waits():
            return
        if states.after(self.state, states.SHOE_ENDED) is not None:
            self.enter(states.SHOE_ENDED)
            self.shoe.end(locked=False)

    # --- what the other files of this room have it note -------------------------------------------

    def take_hold(self, held: Any) -> None:
        """Takes a hold.Hold, or None: what was held is put right, and `go_on` goes back."""
        self.hold = held
        self.timers.clear()

    def take_play(self, play: Play) -> None:
        """Takes the round as it was read again."""
        self.play = play

    def note_too_many(self) -> None:
        """Notes that a card too many of this round is burned, or in the shoe again."""
        self.too_many += 1

    def choose_seat(self, seat: int | None) -> None:
        """Takes whose insurance the next key is about."""
        self.insuring_seat = seat

    def start_closing(self) -> None:
        """Takes that the end of the open round is decided, and is to be recorded."""
        self.closing = True
        self.timers.clear()

    def take_end(self, ended: Ended) -> None:
        """Takes the durable end of the open round."""
        self.closing, self.open, self.hold = False, False, None
        self.seq, self.last = ended.end["seq"], ended

    def note_correcting(self, *, correcting: bool) -> None:
        """Takes whether a correction is being recorded."""
        self.correcting = correcting

    def note_paying(self, *, paying: bool) -> None:
        """Takes whether it is being recorded that the management knows of a payment."""
        self.paying = paying

    def replace_last(self, ended: Ended) -> None:
        """Takes how the last round stands from now on, corrected or paid."""
        self.seq, self.last = ended.end["seq"], ended

    # --- within -----------------------------------------------------------------------------------

    def _happening(self, due: Any) -> str:
        if due.kind == dues.INSURANCE:
            return states.INSURANCE_DUE
        if due.kind == dues.DECISION:
            return states.DECISIONS_DUE
        if due.kind == dues.DONE:
            return states.END_DUE
        if due.kind == dues.TURN or (due.to == DEALER and self.play.is_dealt()):
            return states.DEALER_DUE
        # A seat is named where its hand plays; at baccarat none is, and a third card is dealt.
        return states.DECISIONS_DUE if due.seat is not None else states.CARDS_DUE

    def _wait_for_card(self) -> None:
        why = self.shoe.why_no_card()
        if self.shoe.is_empty:
            self.shoe.exhausted()
        elif why is not None:
            hold.hold_round(self, why)
        else:
            self.timers.set(CARD, self.at_us + self.house.card_us)

    def _tick(self, at_us: int) -> None:
        if self.timers.take_due(BETS, at_us) and self.close_bets() is not None:
            self.wait_for_stakes()  # there is nobody to deal to yet
        if self.timers.take_due(DECISION, at_us):
            due = self.play.due
            self.decide(due.seat, due.hand, "stand", cents=None, by=facts.BY_TIME)
        if self.timers.take_due(INSURANCE, at_us):
            self.insure_none(facts.BY_TIME)
        if self.timers.take_due(CARD, at_us):
            self.is_late = True
            self.timers.set(CARD, at_us + self.house.card_us)
            self.emit(core_facts.Fault(at_us, "K14", faults.sentence("K14", self.play.due.to)))

    def _lay(self, stakes: "Sequence[Any]") -> None:
        if self.state != states.BETS_OPEN or self.closing:
            self.refuse("stakes are laid before the call, and not now.")
            return
        if self.book is not None:
            refused = self.book.take_chips(stakes)
        else:
            self._chips, refused = accept(self.limits, list(stakes))
        for one in refused:
            self.refuse(one.rule + ": " + one.why + ".")

    def _decided(self, event: facts.DecisionMade) -> None:
        why_not: tuple[str, str] | None = None
        if self.state not in (states.PLAYING, states.INSURANCE) or not self.playing():
            why_not = ("", "nobody decides now.")
        elif event.seen is not None and event.seen != self.play.seen:
            why_not = ("", "that decision came after the next card: it does not exist.")
        else:
            said = (event.seat, event.hand, event.do)
            why_not = self.decide(*said, cents=event.cents, by=event.by)
        if not terminals.answer(self, event.by, why_not):
            self.refuse_by(why_not)

    def _trouble(self, code: str, detail: str) -> None:
        kind = faults.find(code)
        self.fault(code, detail)
        if kind.grade != faults.NOTICE:
            self.void(kind.reason)
        if kind.grade == faults.LOCK:
            self.lock()

    def _act(self, event: Any) -> None:
        act = core_facts.Act(
            event.at_us, event.what, event.who, event.role, event.detail, event.sha256
        )
        self.record(acts.KIND, acts.row_of(act))
        self.emit(act)

    def _employee(self, who: str, present: bool) -> None:
        if self.book is not None:
            terminals.employee(self, who, present=present)
            return
        if present and who not in self._employees:
            self._employees.append(who)
        elif not present and who in self._employees:
            self._employees.remove(who)
        self.emit(core_facts.Employees(self.at_us, self.employees()))

    def _answer(self) -> "core_facts.Answer":
        self._shown.tell_changes(self)
        return self.take_outputs()
