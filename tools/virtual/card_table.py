"""A card table in virtual time: a simulated shoe and hands, the shipped drivers and machine.

    shoe -> ShoeEnd -> bytes -> ShoeSerial -> CardTable -> screen -> hand -> keys, cards

Nothing sleeps: time goes to whatever is due next. What everybody does hangs on the seed alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import rules
from drivers import plain_shoe
from drivers.card_keys import OK, CardKeys
from drivers.croupier_keyboard import CroupierKeys
from drivers.shoe_barcode import ShoeBarcode
from drivers.shoe_serial import ShoeSerial
from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.fold import Fold
from firmware.core.cards.house import HOUSE, CardHouse
from firmware.core.cards.restart_state import Ended, RestartState
from firmware.core.cards.table import CardTable
from firmware.core.house import AUTO, CROUPIER
from firmware.run.card_terminals import PlayedAtTerminals, card_book_of
from firmware.stakes import accounts, card_round
from firmware.stakes.card_book import CardBook
from rules.cards import deck, due
from rules.cards.errors import CardsError
from rules.cards.round import next_card, open_round
from rules.cards.stakes import CardTable as Limits
from rules.cards.stakes import accept, open_table
from tools.sim.card_players import BASIC, RANDOM
from tools.sim.card_shoe import ShoeCard
from tools.sim.streams import stream
from tools.virtual.card_hands import KEY, WHO, CardHands, Setup, players_of, side_bets
from tools.virtual.card_line import ShoeLine
from tools.virtual.card_seats import CardSeats
from tools.virtual.late_store import LateStore

__all__ = [
    "MINIMUM_CENTS",
    "WHO",
    "RoundTruth",
    "Setup",
    "VirtualCardTable",
    "campaign_limits",
    "drawn_setup",
    "side_bets",
]

STARTS_US = 1_500_000  # the controller, until it is there again
MINIMUM_CENTS = 1_000


class RoundTruth(NamedTuple):
    """What happened on the cloth in a round. `said`, and `cents` where it was for less, by (seat,
    hand, cards seen, whether of insurance).
    """

    number: int
    stakes: list[dict[str, Any]]
    cards: list[ShoeCard]
    said: dict[tuple[int, int, int, bool], str]
    cents: dict[tuple[int, int, int, bool], int]

    def played(
        self, limits: Limits, engaged: Sequence[Any], funds: Sequence[dict[Any, int]] = ()
    ) -> Any:
        """Plays these cards by the rules, as was decided. `funds`: what each player with an account
        could add as each decision was made. Raises CardsError where they are no round."""
        accepted, _ = accept(limits, [card_round.bare(stake) for stake in self.stakes])
        round_: Any = open_round(limits, accepted)
        lay = lying_on_hands(round_) if funds else Counter()
        cards = [card.card for card in self.cards]
        decided = 0
        while (kind := next_card(round_).kind) != due.DONE:
            if kind == due.CARD and cards:
                round_.deal(cards.pop(0))
            elif kind == due.CHECK:
                round_.check()
            elif kind == due.TURN:
                round_.turn()
            elif kind != due.CARD and decided < len(engaged):
                has = left(round_, lay, funds[decided]) if funds else None
                self.decide(round_, engaged[decided], has)
                decided += 1
            else:
                raise CardsError("", f"nothing comes where {kind} is due.")
        if cards or decided < len(engaged):
            raise CardsError("", "it has cards or decisions too many.")
        return round_

    def decide(self, round_: Any, each: Any, has: dict[Any, int] | None) -> None:
        """Has a decision made in a round of the rules, an Engaged, for as much as was said."""
        of_insurance = each.do in (due.INSURE, due.NO_INSURANCE)
        cents = self.cents.get((each.seat, each.hand, each.seen, of_insurance)) or None
        round_.decide(each.seat, each.hand, each.do, cents, has)


def left(round_: Any, lay: Counter[Any], funds: dict[Any, int]) -> dict[Any, int]:
    """What is left of the funds of who has added to what `lay` on the hands of a round."""
    lies = lying_on_hands(round_)
    return {who: cents - (lies[who] - lay[who]) for who, cents in funds.items()}


def lying_on_hands(round_: Any) -> Counter[Any]:
    """What lies on hands and insurances of a round of black jack, by player."""
    found: Counter[Any] = Counter()
    for seat in round_.seats:
        found[seat.player] += seat.insured_cents
        for part in seat.hands[0].parts:
            found[part.follower.player] += part.follower.insured_cents
        for hand in seat.hands:
            found[seat.player] += hand.stake_cents + hand.added_cents
            for part in hand.parts:
                found[part.follower.player] += part.stake_cents + part.added_cents
    return found


class Restarted(NamedTuple):
    """The controller is there again. `rows`: so many are durable."""

    at_us: int
    rows: int


class CorrectionRefused(NamedTuple):
    """What two people asked, a RoundCorrectionAsked, is not done."""

    at_us: int
    asked: Any


class MoneyAsked(NamedTuple):
    """An employee asks for an entry of the accounts. `lies`: stakes on the cloth, by player."""

    at_us: int
    what: str
    given: dict[str, Any]
    lies: Counter[str]


class AccountBalances(NamedTuple):
    """How the accounts stand as a round has ended: cents by account, and sums of all."""

    at_us: int
    round: int
    cents: dict[int, int]
    lying_cents: int
    sums: accounts.Meters


def campaign_limits(game: str) -> Limits:
    """Returns the table that a campaign plays at: all side bets of its players are taken."""
    return open_table(rules.load(game), minimum_cents=MINIMUM_CENTS, side_bets=side_bets(game))


def drawn_setup(game: str, seed: int, rng: Random) -> Setup:
    """Some table of that game."""
    return Setup(
        game,
        seed,
        idents=rng.random() < 0.7,
        key=KEY if rng.random() < 0.5 else None,
        confirm=CROUPIER if rng.random() < 0.3 else AUTO,
        style=RANDOM if rng.random() < 0.4 else BASIC,
    )


def end_told(last: Ended, at_us: int) -> Any:
    """What a journal tells of an end that was durable and not told as the power went."""
    end = last.end
    who = (at_us, end["round"], end["seq"])
    paid = []
    if last.stakes is not None:
        paid = card_round.payments(last.stakes, last.cards, last.engagements, end)
    if "reason" in end:
        back = [(each.player, each.bet, each.seat, each.hand, each.stake_cents) for each in paid]
        return facts.RoundVoid(*who, end["reason"], back)
    said = (end["outcome"], end["seal"], end["verified"])
    return facts.RoundResult(*who, *said, paid, end["held"])


class VirtualCardTable(CardHands):
    """One table with everything on it. `told`: all that came out of its machine, in order."""

    def __init__(
        self,
        setup: Setup,
        limits: Limits | None = None,
        house: CardHouse = HOUSE,
        followers: int | None = None,
    ) -> None:
        """`limits`: None for those of a campaign; `followers`: where players have accounts, so
        many, and a terminal at each seat. Nothing has happened yet; the shoe is loaded.
        """
        CardHands.__init__(self, limits or campaign_limits(setup.game), setup, 1_000_000)
        self.is_called = False  # rien ne va plus, in the round that is open
        self.told: list[Any] = []
        self.ended = 0  # rounds
        self.truths: list[RoundTruth] = []
        self.house = house._replace(confirm=setup.confirm, reader=setup.reader)
        self.store = LateStore(stream(setup.seed, "store"))
        self.to_table, self.to_shoe = ShoeLine(), ShoeLine()
        self.table: CardTable
        self.seats: CardSeats | None = None
        if setup.accounts:
            self.seats = CardSeats(self, followers)
            self.croupier.players = players_of(
                self.limits, setup.seed, setup.style, self.seats.free_seats()
            )
        self._book: CardBook | None = None
        self._is_down_until = 0  # the controller
        self._begin()

    @property
    def round(self) -> int:
        """The number of the last that began."""
        return int(self.table.round)

    @property
    def book(self) -> CardBook | None:
        """The stakes book of the terminals, while the controller has power."""
        return None if self._is_down() else self._book

    # --- what is done to it -----------------------------------------------------------------------

    def kill(self) -> None:
        """The controller loses its power, if it has any: what is not durable is lost, and it starts
        again.
        """
        if self._is_down():
            return
        self.store.lose(self.now_us)
        self._is_down_until = self.now_us + STARTS_US
        self.later(STARTS_US, self._begin)

    def say_at_the_bell(self, offset_us: int) -> None:
        """The hand that decides now is keyed in so long after its time runs out, or before; if the
        round is not over by then.
        """
        screen, hand, ended = self.croupier.screen, self.croupier, self.ended
        assert self.until_us is not None
        after_us = max(self.until_us + offset_us - self.now_us, 0)
        key = hand.decide_hand(screen)
        self.later(after_us, lambda: self.press(key) if self.ended == ended else None)

    def inform(self, kind: Any, *given: Any) -> None:
        """Tells the machine something now, if it has power."""
        if not self._is_down():
            self._take(kind(self.now_us, *given))

    # --- time -------------------------------------------------------------------------------------

    def play(self, until_us: int, is_over: Callable[[], bool]) -> None:
        """Lets time pass until then, or until it is over."""
        while not is_over():
            due_us = self._due_us()
            if due_us > until_us:
                self.now_us = until_us
                return
            self.now_us = max(self.now_us, due_us)
            self._step()

    def _is_down(self) -> bool:
        return self.now_us < self._is_down_until

    def _due_us(self) -> int:
        due = [
            self.hands_due_us,
            self.to_table.due_us,
            self.to_shoe.due_us,
            self.store.due_us,
        ]
        if not self._is_down():
            due += [self._shoe_serial.due_us, self.table.timers.due_us, self._keys.due_us]
        return min(each for each in due if each is not None)

    def _step(self) -> None:
        now_us = self.now_us
        self.sense()
        self.to_table.send(self.shoe_says(), now_us)
        heard = self.to_table.received(now_us)
        if not self._is_down():
            told = self._shoe_serial.receive(heard, now_us)
            for fact in told if self.setup.reader == facts.SHOE else ():
                self._take(fact)
            for fact in self._keys.tick(now_us):
                self._say(fact)
            if self.table.timers.due_us is not None and self.table.timers.due_us <= now_us:
                self._take(core_facts.Tick(now_us))
            for ticket in self.store.done(now_us):
                self._take(core_facts.Recorded(now_us, ticket))
            self.to_shoe.send(self._shoe_serial.take_bytes(), now_us)
        else:
            self.store.done(now_us)
        self.shoe_hears(self.to_shoe.received(now_us))
        self.act()
        if not self._is_down() and self._book is not None:
            self._take_asked(self._book)

    def _take_asked(self, book: CardBook) -> None:
        """Takes what was asked of the book that the machine has to judge."""
        now_us = self.now_us
        for event in PlayedAtTerminals(book).take_events():
            self._take(event._replace(at_us=now_us))
        for what, given in book.take_asked():
            self._take(core_facts.EntryAsked(now_us, what, given))

    # --- the machine ------------------------------------------------------------------------------

    def _begin(self) -> None:
        """The controller starts: it knows what its rows say, as firmware/store/card_recall.py."""
        fold = Fold()
        for row in self.store.rows:
            fold.add(row.kind, json.loads(json.dumps(row.body)))
        state = fold.state()
        if state.last is not None and self.ended < state.round:
            self._end_round(end_told(state.last, self.now_us))
        self._shoe_serial = ShoeSerial(self.rng.getrandbits(64), self.now_us, self.shoe_key)
        self._keys, self._card_keys, self._barcode = CroupierKeys(), CardKeys(), ShoeBarcode()
        if self.seats is not None:
            self._book = self._opened_book(self.seats, state)
        self.told.append(Restarted(self.now_us, len(self.store.rows)))
        self.table = CardTable(self.limits, restart_state=state, house=self.house, book=self._book)
        self._answer(self.table.begin_play(self.now_us))
        if self.seats is not None:
            self._take(core_facts.EmployeePresent(self.now_us, WHO[0], True))
            self.seats.begin_play()
            if not self.table.open:
                self.stand()
        reader = self.setup.reader
        if reader != facts.SHOE:
            self._take(plain_shoe.loaded(reader, self.decks, self.rng.getrandbits(64), self.now_us))

    def _opened_book(self, seats: CardSeats, state: RestartState) -> CardBook:
        """The book of a start: it knows what the rows say, and nothing else."""
        money = accounts.Accounts()
        for row in self.store.rows:
            if row.kind in accounts.FOLDED:
                money.add_row(row.kind, json.loads(json.dumps(row.body)))
        make = card_book_of(self.limits, state, seats.host)
        book: CardBook = make(seats.addresses(), {"money": money, "put_in": True})
        return book

    def _end_round(self, fact: Any) -> None:
        """A round has ended, and that is told."""
        hand = self.croupier
        self.told.append(fact)
        self.ended += 1
        self.truths[-1] = RoundTruth(fact.round, self._lying(), list(hand.cloth), *self._said())
        self.is_called = False
        if self.seats is not None:
            self.seats.end_round()

    def _lying(self) -> list[dict[str, Any]]:
        """What lies: before the call of players with accounts, then chips."""
        if self.is_called:
            return self.truths[-1].stakes
        own = [] if self.seats is None else self.seats.laid
        return [*own, *self.croupier.stakes]

    def _said(self) -> tuple[Any, Any]:
        return dict(self.croupier.said), {} if self.seats is None else dict(self.seats.cents)

    def stand(self) -> None:
        """Notes how the accounts stand."""
        if self._book is not None and (money := self._book.money):
            cents = {each.n: each.cents for each in money.all()}
            lying = money.lying_cents()
            self.told.append(AccountBalances(self.now_us, self.ended, cents, lying, money.total()))

    def _take(self, event: Any) -> None:
        if type(event) is facts.KeySwitched or type(event) in _OF_MACHINE:
            self._answer(self.table.handle(event))
        else:
            self._say(event)

    def _say(self, fact: Any) -> None:
        self.told.append(fact)

    def _answer(self, answer: Any) -> None:
        for fact in answer:
            kind = type(fact)
            if kind is core_facts.Record:
                self.store.put(fact.ticket, fact.kind, fact.body, self.now_us)
                if fact.kind in accounts.ENTRIES:
                    self.told.append(fact)
                continue
            if kind in (facts.RoundResult, facts.RoundVoid):
                self._end_round(fact)
                self.stand()
                continue
            self.told.append(fact)
            if kind is facts.Guide:
                self._show(fact)
            elif kind is facts.Release:
                self._shoe_serial.release(fact.is_on)
            elif kind is facts.RoundCorrection:
                self.stand()
            elif kind is facts.RoundStarted:
                self.croupier.begin_round()
                hand = self.croupier
                self.truths.append(RoundTruth(fact.round, hand.stakes, hand.cloth, hand.said, {}))
            elif kind is facts.BetsClosed:
                self.truths[-1] = self.truths[-1]._replace(stakes=self._lying())
                self.is_called = True
            elif kind is core_facts.Fault and fact.code == "P10":
                self.croupier.refused()

    def _show(self, guide: Any) -> None:
        if guide.code == facts.HELD and facts.AGAIN in dict(guide.args)["ways"]:
            self._shoe_serial.again()
        self.show_guide(guide, is_between=self.table.state in (states.CONFIRMED, states.VOID))
        if self.seats is not None:
            self.seats.see(guide.code)

    # --- the hands --------------------------------------------------------------------------------

    def ask(self, event: Any) -> None:
        """Takes what people ask of the machine, or lay on the cloth."""
        if self._is_down():
            return
        if type(event) is core_facts.EntryAsked:
            lies: Counter[str] = Counter()
            for stake in self._lying():
                lies[stake["player"]] += stake["cents"]
            self.told.append(MoneyAsked(self.now_us, event.what, dict(event.given), lies))
        elif type(event) is facts.RoundCorrectionAsked:
            self.told.append(event)
        was_correcting = self.table.correcting
        self._take(event._replace(at_us=self.now_us))
        is_taken = self.table.correcting and not was_correcting
        if type(event) is facts.RoundCorrectionAsked and not is_taken:
            self.told.append(CorrectionRefused(self.now_us, event))

    def count_shoe(self) -> None:
        """Takes that the shoe is unloaded over its readers."""
        self._shoe_serial.count()

    def feed(self, key: str, level: int) -> None:
        """Takes that a key or switch of the croupier's goes down or up."""
        if not self._is_down():
            for fact in self._keys.feed(key, level, self.now_us):
                self._take(fact)

    def read_line(self, data: bytes) -> None:
        """Takes what a barcode reader says of a card."""
        if not self._is_down():
            for fact in self._barcode.receive(data, self.now_us):
                self._take(fact)

    def type_card(self, card: int) -> None:
        """Takes a card that is typed on the keys for cards."""
        if not self._is_down():
            text = deck.text_of(card)
            for key in (text[0], text[1], OK):
                for fact in self._card_keys.press(key, self.now_us):
                    self._take(fact)


_OF_MACHINE = (
    core_facts.Tick,
    core_facts.Recorded,
    core_facts.VoidAsked,
    core_facts.ClearAsked,
    core_facts.EmployeePresent,
    core_facts.UnseatAsked,
    core_facts.EntryAsked,
    facts.StakesChanged,
    facts.DecisionMade,
    facts.CardRead,
    facts.CardPulledBack,
    facts.CutCardSeen,
    facts.ShoeEmpty,
    facts.ShoeTrouble,
    facts.ShoeTroubleEnded,
    facts.ShoeLoaded,
    facts.ShoeCounted,
    facts.KeyPressed,
    facts.StakesLaid,
    facts.CardEntered,
    facts.BurnAsked,
    facts.CountConfirmed,
    facts.RescanAsked,
    facts.RoundCorrectionAsked,
    facts.Acknowledged,
)
