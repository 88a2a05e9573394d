"""A round as the machine of a card table plays it, on the line to the displays: one of this
version lights its states, and one of an older or newer version a dash, whatever it lit before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import rules
from firmware.bus import messages
from firmware.bus.receiver import DARK, Receiver
from firmware.bus.slots import FRESH_US
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.table import CardTable
from firmware.core.facts import UNKNOWN, View
from firmware.run.card_core import CardCore
from firmware.services.display.page_json import scene_fields
from firmware.services.display.scene import Director
from rules.cards.deck import card_of
from rules.cards.stakes import open_table
from tools.bench.busbench import Bench, Ledger

S = 1_000_000
THIS, OLDER, NEWER = messages.VERSION, messages.VERSION - 1, messages.VERSION + 1
SIX = "5S 2H 6D TC 8H 4S"
FIRST = "2C 3C 4C 5C 6C 7C"  # burned
# Game, its rules, a stake, the cards of a round and what is pressed at the end, the dealer's cards.
ROUNDS = {
    "baccarat": ("baccarat_live", {"player": "a", "bet": "player", "cents": 2000}, SIX, (), SIX),
    "blackjack": (
        "blackjack_live",
        {"player": "a", "seat": 1, "bet": "main", "cents": 2000},
        "TS 7D 9S TC",
        (facts.KEY_STAND, facts.KEY_TURNED),
        "7D TC",
    ),
}


class Aged:
    """A display whose software speaks another version of the bus."""

    def __init__(self, display: Receiver, version: int) -> None:
        self._display, self._version = display, version

    @contextmanager
    def _speaking(self) -> Iterator[Receiver]:
        before, messages.VERSION = messages.VERSION, self._version
        try:
            yield self._display
        finally:
            messages.VERSION = before

    @property
    def lit(self) -> Any:
        return self._display.lit

    def feed(self, data: bytes, now_us: int) -> bytes:
        with self._speaking() as display:
            return display.feed(data, now_us)

    def work(self) -> bool:
        with self._speaking() as display:
            return display.work()

    def tick(self, now_us: int) -> None:
        with self._speaking() as display:
            display.tick(now_us)


def views_of(game: str) -> list[View]:
    """What the loop gives the displays of a table from its start to the end of a round."""
    name, stake, cards, keys, _ = ROUNDS[game]
    core = CardCore(CardTable(open_table(rules.load(name))), ())
    found: list[View] = []
    clock = [1_000]

    def take(answers: Any) -> None:
        found.extend(each for each in answers if type(each) is View)
        for ticket in [each.ticket for each in answers if type(each) is core_facts.Record]:
            clock[0] += 100_000
            take(core.handle(core_facts.Recorded(clock[0], ticket)))

    def tell(kind: Any, *said: Any) -> None:
        clock[0] += 2_000_000
        take(core.handle(kind(clock[0], *said)))

    take(core.begin_play(clock[0]))
    tell(facts.ShoeLoaded, "ours", "17", 8, 5, True, 0)
    tell(facts.KeyPressed, facts.KEY_START)
    drawn = FIRST.split()
    for n, text in enumerate(drawn, 1):
        tell(facts.CardRead, n, card_of(text), f"S17-{n:04}", facts.SHOE)
    tell(facts.StakesLaid, [stake])
    tell(facts.KeyPressed, facts.KEY_NO_MORE_BETS)
    for n, text in enumerate(cards.split(), 1 + len(drawn)):
        tell(facts.CardRead, n, card_of(text), f"S17-{n:04}", facts.SHOE)
    for key in keys:
        tell(facts.KeyPressed, key)
    return found


def card_table(bench: Bench, game: str) -> None:
    """The controller on the line is that of a card table from now on."""
    bench.ledger = Ledger(game=game)
    bench.told = {"game": game, "table": None}
    bench.last_view = ("NO_SHOE", 0, 0, 0, None, None, None)
    bench.start()


@pytest.mark.parametrize("game", ROUNDS)
def test_a_display_of_another_version_shows_a_dash_for_a_whole_round_beside_one_that_lights_it(
    game: str,
) -> None:
    bench = Bench(3)
    card_table(bench, game)
    own, older, newer = bench.displays
    bench.displays[1:] = [Aged(older, OLDER), Aged(newer, NEWER)]  # type: ignore[list-item]
    views = views_of(game)
    assert [views[0].state, views[-1].state] == ["NO_SHOE", "CONFIRMED"]

    def told() -> bool:
        assert (own.lit.number, own.lit.colour) == (None, None)
        assert (older.lit, newer.lit) == (DARK, DARK)
        return False

    for view in views:
        assert (view.number, view.colour, view.rotor) == (None, None, UNKNOWN)
        if view.state == "CONFIRMED":
            bench.ledger.round(ROUNDS[game][-1])
        bench.view(*view)
        bench.run(S, told)
        assert (own.lit.state, own.lit.coup, own.lit.seq) == (view.state, view.coup, view.seq)
    assert len({view.state for view in views}) > 3


@pytest.mark.parametrize("version", [OLDER, THIS, NEWER])
@pytest.mark.parametrize("game", ROUNDS)
def test_a_number_that_a_display_lit_is_gone_once_a_card_table_is_on_its_line(
    game: str, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "VERSION", version)  # display and wheel are of one version
    bench = Bench(1)
    (display,) = bench.displays
    bench.run(S)
    bench.view(*bench.ledger.result(17))
    bench.run(S)
    assert (display.lit.state, display.lit.number) == ("CONFIRMED", 17)
    monkeypatch.setattr(messages, "VERSION", THIS)
    bench.displays[:] = [Aged(display, version)]  # type: ignore[list-item]
    card_table(bench, game)
    since_us = bench.now_us
    director = Director()

    def told() -> bool:
        lit = display.lit
        if bench.now_us > since_us + FRESH_US:
            assert lit.number is None
            assert version == THIS or lit == DARK
        shown = scene_fields(director.scene(lit, bench.now_us, lambda: display.outcomes))
        assert lit.game == "roulette" or shown["number"] is None
        return False

    for view in views_of(game):
        if view.state == "CONFIRMED":
            bench.ledger.round(ROUNDS[game][-1])
        bench.view(*view)
        bench.run(S, told)
    assert display.lit.state == ("CONFIRMED" if version == THIS else DARK.state)
