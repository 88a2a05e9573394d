"""A card table in virtual time: a simulated shoe and hands, the shipped drivers and machine.

    shoe -> ShoeEnd -> bytes -> ShoeSerial -> CardTable -> screen -> hand -> keys, cards

Nothing sleeps: time goes to whatever is due next. What everybody does hangs on the seed alone.
"""

from __future__ import annotations

import json
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
from firmware.core.cards.restart_state import Ended
from firmware.core.cards.table import CardTable
from firmware.core.house import AUTO, CROUPIER
from firmware.stakes import card_round
from rules.cards import deck
from rules.cards.round import play
from rules.cards.stakes import CardTable as Limits
from rules.cards.stakes import accept, open_table
from tools.sim.card_players import BASIC, RANDOM
from tools.sim.card_shoe import ShoeCard
from tools.sim.streams import stream
from tools.virtual.card_hands import KEY, WHO, CardHands, Setup, side_bets
from tools.virtual.card_line import ShoeLine
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
    """What happened on the cloth in a round."""

    number: int
    stakes: list[dict[str, Any]]
    cards: list[ShoeCard]
    said: dict[tuple[int, int, int, bool], str]

    def played(self, limits: Limits, engaged: Sequence[Any]) -> Any:
        """Plays these cards by the rules, as was decided. Raises CardsError where they are no
        round."""
        accepted, _ = accept(limits, list(self.stakes))
        cards: list[object] = [deck.text_of(card.card) for card in self.cards]
        decisions: list[object] = [
            {"seat": each.seat, "hand": each.hand, "do": each.do} for each in engaged
        ]
        return play(limits, accepted, cards, decisions)


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
        self, setup: Setup, limits: Limits | None = None, house: CardHouse = HOUSE
    ) -> None:
        """`limits`: None for those of a campaign. Nothing has happened yet; the shoe is loaded."""
        CardHands.__init__(self, limits or campaign_limits(setup.game), setup, 1_000_000)
        self.told: list[Any] = []
        self.ended = 0  # rounds
        self.truths: list[RoundTruth] = []
        self.house = house._replace(confirm=setup.confirm, reader=setup.reader)
        self.store = LateStore(stream(setup.seed, "store"))
        self.to_table, self.to_shoe = ShoeLine(), ShoeLine()
        self.table: CardTable
        self._is_down_until = 0  # the controller
        self._begin()

    @property
    def round(self) -> int:
        """The number of the last that began."""
        return int(self.table.round)

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
        """Tells the machine something now."""
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
        self.table = CardTable(self.limits, restart_state=state, house=self.house)
        self._answer(self.table.begin_play(self.now_us))
        reader = self.setup.reader
        if reader != facts.SHOE:
            self._take(plain_shoe.loaded(reader, self.decks, self.rng.getrandbits(64), self.now_us))

    def _end_round(self, fact: Any) -> None:
        """A round has ended, and that is told."""
        hand = self.croupier
        self.told.append(fact)
        self.ended += 1
        self.truths[-1] = RoundTruth(
            fact.round, list(hand.stakes), list(hand.cloth), dict(hand.said)
        )

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
                continue
            if kind in (facts.RoundResult, facts.RoundVoid):
                self._end_round(fact)
                continue
            self.told.append(fact)
            if kind is facts.Guide:
                self._show(fact)
            elif kind is facts.Release:
                self._shoe_serial.release(fact.is_on)
            elif kind is facts.RoundStarted:
                self.croupier.begin_round()
                hand = self.croupier
                self.truths.append(RoundTruth(fact.round, hand.stakes, hand.cloth, hand.said))
            elif kind is core_facts.Fault and fact.code == "P10":
                self.croupier.refused()

    def _show(self, guide: Any) -> None:
        if guide.code == facts.HELD and facts.AGAIN in dict(guide.args)["ways"]:
            self._shoe_serial.again()
        self.show_guide(guide, is_between=self.table.state in (states.CONFIRMED, states.VOID))

    # --- the hands --------------------------------------------------------------------------------

    def ask(self, event: Any) -> None:
        """Takes what people ask of the machine, or lay on the cloth."""
        if not self._is_down():
            if type(event) is facts.StakesLaid:
                self.truths[-1] = self.truths[-1]._replace(stakes=list(event.stakes))
            self._take(event._replace(at_us=self.now_us))

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
    facts.Acknowledged,
)
