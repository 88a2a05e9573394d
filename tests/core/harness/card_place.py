"""A card table with hands: a shoe that is told what lies in it, keys, people, a journal.

place = CardPlace("blackjack_lu")
place.open(); place.stake(4, 1000); place.call()
place.cards("KD 5S 9H"); place.key("card")
assert place.end.outcome["dealer"]["points"] == 19

Checked after every event: the table of states, rows before what they make official, numbers of
rounds and ends without a gap, a guide that says what is waited for, cards that leave the shoe only
where one is due, and no hole card before it is turned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import rules
from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.fold import Fold
from firmware.core.cards.hold import REACTS_US
from firmware.core.cards.house import HOUSE, CardHouse
from firmware.core.cards.keys import MEANT_US
from firmware.core.cards.restart_state import FRESH, RestartState
from firmware.core.cards.table import CardTable
from firmware.stakes import card_round
from firmware.stakes.card_book import CardBook
from rules.cards import deck
from rules.cards.stakes import open_table

ENDS = (facts.RoundResult, facts.RoundVoid)
BURNED = "2C 3C 4C 5C 6C 7C"  # what the shoe begins with here


class CardPlace:
    """One table, and who works there."""

    def __init__(
        self,
        game: str = "blackjack_lu",
        *,
        house: CardHouse = HOUSE,
        game_house: dict[str, Any] | None = None,
        side_bets: tuple[str, ...] | None = None,
        idents: bool = True,
        is_slow: bool = False,
        restart_state: RestartState = FRESH,
        make_book: Callable[[Any], CardBook] | None = None,
    ) -> None:
        """is_slow: nothing is durable before `write`; make_book: of its terminals, for its limits,
        None: there are none.
        """
        self.limits = open_table(rules.load(game), None, game_house, 200, None, side_bets)
        self.book = None if make_book is None else make_book(self.limits)
        self.table = CardTable(
            self.limits, restart_state=restart_state, house=house, book=self.book
        )
        self.at_us = 1_000_000
        self.n = 0  # the reader's
        self.typed = 0
        self.drawn = 0
        self.idents = idents
        self.is_slow = is_slow
        self.facts: list[Any] = []
        self.rows: list[tuple[str, Any]] = []
        self._tickets: list[int] = []
        self.laid: list[dict[str, Any]] = []
        self._guide: Any = None
        self._release: Any = None
        self._seq = 0
        self.take(self.table.begin_play(self.at_us))

    # --- what happens -----------------------------------------------------------------------------

    def tell(self, kind: Any, *given: Any) -> list[Any]:
        """Tells the table an event a tenth of a second later; returns what it answers."""
        self.at_us += 100_000
        return self.take(self.table.handle(kind(self.at_us, *given)))

    def take(self, answer: Sequence[Any]) -> list[Any]:
        """Takes an answer: keeps facts and rows, and makes rows durable."""
        found = list(answer)
        for fact in found:
            self.facts.append(fact)
            if isinstance(fact, facts.Guide) and fact.code != facts.GOLD_JACK_POSSIBLE:
                self._guide = fact
            elif isinstance(fact, facts.Release):
                self._release = fact
            elif isinstance(fact, ENDS):
                assert fact.seq > self._seq
                self._seq = fact.seq
            if isinstance(fact, core_facts.Record):
                self.rows.append((fact.kind, fact.body))
                self._tickets.append(fact.ticket)
        self.check()
        if not self.is_slow:
            found += self.write()
        return found

    def write(self) -> list[Any]:
        """Makes everything durable that is not yet."""
        found: list[Any] = []
        while self._tickets:
            ticket = self._tickets.pop(0)
            found += self.tell(core_facts.Recorded, ticket)
        return found

    def check(self) -> None:
        """What holds after every event."""
        table = self.table
        guide = self._guide
        if self._release.is_on:
            assert guide.code in (facts.BURNING, facts.DEAL, facts.LATE)
        if table.state == states.HOLD and not table.closing:
            assert guide.code == facts.HELD
            assert dict(guide.args)["ways"][-1] == facts.MAKE_VOID
            assert len(dict(guide.args)["ways"]) >= 1
            assert table.timers.due_us is None
        view = table.view()
        assert (view.outcome is None) or (view.reason is None)
        if table.open:
            assert (view.outcome, view.reason) == (None, None)
        is_corrected = table.last is not None and "corrects" in table.last.end
        if table.play is not None and table.play.is_hole_down and not is_corrected:
            dealers = dict(view.hands)["d"]
            assert len(dealers) < 2 or dealers[1] in (facts.BACK, facts.DASH)

    # --- the croupier -----------------------------------------------------------------------------

    def key(self, *keys: str) -> list[Any]:
        """Presses keys, each a second after what was before; returns what the last was answered."""
        found: list[Any] = []
        for key in keys:
            self.at_us += MEANT_US
            found = self.tell(facts.KeyPressed, key)
        return found

    def shoe(self, *, serial: str = "17", boot: int = 1, decks: int | None = None) -> list[Any]:
        """Connects a shoe."""
        if boot != 1 or serial != "17":
            self.n = 0
        decks = self.limits.decks if decks is None else decks
        return self.tell(facts.ShoeLoaded, "ours", serial, decks, boot, True, self.n)

    def open(self) -> None:
        """Loads a shoe and burns its first cards."""
        self.shoe()
        self.key(facts.KEY_START)
        self.cards(BURNED)

    def stake(self, seat: int | None, cents: int, *, bet: str = "main", **more: Any) -> list[Any]:
        """Lays one more stake; its player is named by the seat, p4, unless `player` says."""
        stake = {"player": f"p{seat}", "seat": seat, "bet": bet, "cents": cents}
        stake.update(more)
        if seat is None:
            del stake["seat"]
        self.laid.append(stake)
        return self.tell(facts.StakesLaid, list(self.laid))

    def call(self) -> list[Any]:
        """Calls rien ne va plus."""
        self.laid = []
        return self.key(facts.KEY_NO_MORE_BETS)

    def ident(self) -> str:
        """The identity of the next card."""
        self.drawn += 1
        return f"S17-{self.drawn:04}" if self.idents else ""

    def card(
        self, text: str | None, *, how: str = facts.SHOE, ident: str | None = None, skip: int = 0
    ) -> list[Any]:
        """Pulls a card over the reader. text: None where it cannot be read; skip: missed ones."""
        value = None if text is None else deck.card_of(text)
        if how == facts.PEOPLE:  # the keys number what is typed by themselves
            self.typed += 1
            return self.tell(facts.CardRead, self.typed, value, "", how)
        self.n += 1 + skip
        self.at_us += REACTS_US
        mark = self.ident() if ident is None else ident
        return self.tell(facts.CardRead, self.n, value, mark if text else "", how)

    def cards(self, texts: str) -> list[Any]:
        """Pulls several."""
        found: list[Any] = []
        for text in texts.split():
            found = self.card(text)
        return found

    def wait(self) -> list[Any]:
        """Lets time pass until the table wants to look again."""
        due_us = self.table.timers.due_us
        assert due_us is not None
        self.at_us = max(self.at_us, due_us)
        return self.take(self.table.handle(core_facts.Tick(due_us)))

    def begin(self, *seats: int, cents: int = 1000) -> None:
        """Opens a shoe, lays a main stake at each seat and calls."""
        self.open()
        for seat in seats:
            self.stake(seat, cents)
        self.call()

    # --- what was said ----------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """The state."""
        return self.table.state

    def all(self, kind: Any) -> list[Any]:
        """All facts of a kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def last(self, kind: Any) -> Any:
        """The last fact of a kind."""
        return self.all(kind)[-1]

    @property
    def end(self) -> Any:
        """The last end of a round."""
        return self.last(ENDS)

    @property
    def guide(self) -> tuple[str, dict[str, Any]]:
        """What is due now."""
        return self._guide.code, dict(self._guide.args)

    def due(self) -> str | None:
        """Where the next card goes."""
        code, args = self.guide
        return args["to"] if code in (facts.DEAL, facts.LATE) else None

    def faults(self) -> list[str]:
        """The codes of all faults."""
        return [fact.code for fact in self.all(core_facts.Fault)]

    def refusals(self) -> list[str]:
        """The sentences of what was refused."""
        return [fact.text for fact in self.all(core_facts.Fault) if fact.code == "P10"]

    def kinds(self) -> list[str]:
        """The kinds of the rows."""
        return [kind for kind, _ in self.rows]

    def paid(self) -> list[tuple[Any, ...]]:
        """The payments of the last round, from the rows alone."""
        stakes, cards, engagements, end = card_round.collect(self.rows)[-1]
        return [tuple(each) for each in card_round.payments(stakes, cards, engagements, end)]


def deciding(*seats: int) -> CardPlace:
    """A table where the first of these seats decides; 5 H is the dealer's."""
    place = CardPlace()
    place.begin(*(seats or (2,)))
    place.cards({1: "KS 5H 5S", 2: "KS 9D 5H 5S 3S"}[len(seats) or 1])
    return place


def folded(rows: list[tuple[str, Any]]) -> Any:
    """What a restart finds in these rows."""
    fold = Fold()
    for kind, body in rows:
        fold.add(kind, body)
    return fold.state()
