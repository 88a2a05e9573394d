"""A round of black jack with everybody listening at the sockets: what the hole card is leaves the
controller when it is turned, and who may hear of money, names and the croupier's screen does alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from all_surfaces import Caller

import rules
from firmware.api import guarded, request_table
from firmware.api.guarded import Guarded
from firmware.api.server import Service
from firmware.bus.card_messages import BACK, of_view
from firmware.core import facts as core_facts
from firmware.core.cards import facts, lines
from firmware.core.cards.table import CardTable
from firmware.lib.places import CONTROL, STATUS_ONLY
from firmware.run.card_core import CardCore
from rules.cards.deck import card_of, text_of
from rules.cards.stakes import open_table
from tools.bench.busbench import Bench, Ledger

START_US = 7_000_000
PLAYER = "zoe-who-plays"
STAKES = [
    {"player": PLAYER, "seat": 1, "bet": "main", "cents": 2000},
    {"player": "ada", "seat": 3, "bet": "main", "cents": 4000},
]
DEALT = "TS 8D {up} 9S 7C {hole}"  # seats 1 and 3, the dealer, again
NO_COMMANDS = "This socket only answers status."
FIRST = "2C 3C 4C 5C 6C 8C"  # burned


class Room:
    """A card table with its sockets, and somebody at each."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.us = START_US
        self.service = Service(
            folder, number_max=36, start_us=START_US, game="blackjack", wheel_us=lambda: self.us
        )
        self.member, self.looker = Caller(folder, CONTROL), Caller(folder, STATUS_ONLY)
        for caller in (self.member, self.looker):
            assert caller.ask(do="status")["ok"]  # it listens from now on
        self.core = CardCore(CardTable(open_table(rules.load("blackjack_live"))), ())
        self._n = 0
        # The line to the displays, and one that lights what it hears.
        self.line = Bench(1, game="blackjack", table=None, cards=True)
        self.line.ledger = Ledger(game="blackjack")
        self.line.start()
        self.line.run(1_000_000)
        self.lit: list[Any] = []
        self._take(self.core.begin_play(self.us))

    def _take(self, answers: Any) -> None:
        for answer in answers:
            if type(answer) is core_facts.View:
                self.service.show_view(answer)
                self._show(answer)
            elif type(answer) is not core_facts.Record:
                self.service.take_fact(answer)
                if type(answer) is facts.CardView:
                    self._show_cards(answer)
        for ticket in [each.ticket for each in answers if type(each) is core_facts.Record]:
            self.us += 1_000
            self._take(self.core.handle(core_facts.Recorded(self.us, ticket)))

    def _show(self, view: Any) -> None:
        if view.state == "CONFIRMED":
            self.line.ledger.round(" ".join(self.dealers))
        self.line.view(*view)

    def _show_cards(self, view: Any) -> None:
        self.line.line.show_cards(view)
        told = of_view(view)
        assert self.line.run(1_300_000, lambda: self.line.displays[0].cards == told)
        self.lit.append(told)

    @property
    def dealers(self) -> list[str]:
        """The dealer's cards, as the display lit them last."""
        hands = [cards for place, _, cards in self.lit[-1].hands if place == "d"]
        return [text_of(card) for cards in hands for card in cards]

    def tell(self, kind: Any, *said: Any) -> None:
        """Something happens, two seconds later."""
        self.us += 2_000_123
        self._take(self.core.handle(kind(self.us, *said)))

    def draw(self, texts: str) -> None:
        """Cards come out of the shoe."""
        for text in texts.split():
            self._n += 1
            self.tell(facts.CardRead, self._n, card_of(text), f"S17-{self._n:04}", facts.SHOE)

    def key(self, *keys: str) -> None:
        """The croupier presses keys."""
        for key in keys:
            self.tell(facts.KeyPressed, key)

    def deal(self, up: str, hole: str) -> None:
        """A round, up to what follows from its last card."""
        self.tell(facts.ShoeLoaded, "ours", "17", 8, 5, True, 0)
        self.key(facts.KEY_START)
        self.draw(FIRST)
        self.tell(facts.StakesLaid, STAKES)
        self.key(facts.KEY_NO_MORE_BETS)
        self.draw(DEALT.format(up=up, hole=hole))

    def said(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """All that member and looker were told; nothing follows."""
        self.service.close()
        return self.member.rest(), self.looker.rest()

    def close(self) -> None:
        self.service.close()
        self.member.close()
        self.looker.close()


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[list[Room]]:
    """Two tables."""
    found = [Room(tmp_path / name) for name in ("a", "b")]
    yield found
    for room in found:
        room.close()


def events(told: list[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in told]


def cards_in(value: Any) -> set[str]:
    """Every text anywhere in what was told."""
    if isinstance(value, dict):
        return {text for each in value.values() for text in cards_in(each)}
    if isinstance(value, list):
        return {text for each in value for text in cards_in(each)}
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize(
    ("up", "holes"),
    [
        ("TD", ("AH", "5H")),  # a Black Jack and none: with a ten up nobody checks
        ("6D", ("9H", "5D")),
        ("AD", ("9H", "5D")),  # insurance is asked for, and nobody takes it
    ],
)
def test_two_rounds_that_differ_in_the_hole_card_are_told_alike_until_it_is_turned(
    rooms: list[Room], up: str, holes: tuple[str, str]
) -> None:
    for room, hole in zip(rooms, holes, strict=True):
        room.deal(up, hole)
        if up == "AD":
            room.key(facts.KEY_NO_MORE_BETS)
        room.key(facts.KEY_STAND)
        room.key(facts.KEY_STAND)
    lines = [[each[::2] for each in room.line.wire.log] for room in rooms]
    assert lines[0] == lines[1]  # every byte on the line to the displays, and when
    assert rooms[0].lit == rooms[1].lit
    shown = [cards for told in rooms[0].lit for place, _, cards in told.hands if place == "d"]
    assert (card_of(up), BACK) in shown
    assert {BACK} == {cards[1] for cards in shown if len(cards) > 1}
    one, other = (room.said() for room in rooms)
    assert one == other
    for told in one:
        assert "hole_turned" not in events(told)
        assert ("hole_checked" in events(told)) == (up == "AD")
        assert cards_in(told).isdisjoint(holes)
        assert {"TS", up, "7C"} <= cards_in(told)  # and all others are


def test_the_hole_card_is_told_when_it_is_turned_and_not_before(rooms: list[Room]) -> None:
    room = rooms[0]
    room.deal("6D", "9H")
    room.key(facts.KEY_STAND, facts.KEY_STAND, facts.KEY_TURNED)
    room.draw("4H")
    backs = [told.hands[-1][2][1] for told in room.lit if told.hands and len(told.hands[-1][2]) > 1]
    turned = backs.index(card_of("9H"))
    assert set(backs[:turned]) == {BACK} and set(backs[turned:]) == {card_of("9H")}
    assert [end for _, end, _ in room.lit[-1].hands] == ["equal", "loses", None]  # 19, 15 to 19
    for told in room.said():
        names = events(told)
        turned = names.index("hole_turned")
        assert told[turned]["card"] == "9H"
        assert "9H" not in cards_in(told[:turned])
        assert "9H" in cards_in(told[names.index("round_result")]["outcome"]["dealer"])


def test_who_only_looks_hears_of_no_name_no_money_and_no_screen(rooms: list[Room]) -> None:
    room = rooms[0]
    room.deal("6D", "9H")
    room.tell(facts.CardTyped, "T", "")
    room.key(facts.KEY_STAND, facts.KEY_STAND, facts.KEY_TURNED)
    room.draw("4H")
    room.key(facts.KEY_START, facts.KEY_VOID)
    whole, public = room.said()
    assert {lines.GUIDE, lines.TYPED, "round_void"} <= set(events(whole))
    assert PLAYER in json.dumps(whole)
    assert PLAYER not in json.dumps(public) and "cents" not in json.dumps(public)
    for told in public:
        classed = guarded.EVERY_FACT | guarded.FACTS[told["event"]]  # type: ignore[operator]
        assert not [key for key in told if isinstance(classed[key], Guarded)]
        assert told["t_us"] % guarded.TENTH_US == 0
    expected = [name for name in events(whole) if not isinstance(guarded.FACTS[name], Guarded)]
    assert events(public) == expected


def test_what_displays_show_is_told_to_who_follows_the_screen_alone(rooms: list[Room]) -> None:
    room = rooms[0]
    room.deal("6D", "9H")
    answer = room.member.answer(do="guide")
    stood = events([each for each in answer["events"] if each["event"] != "fault"])
    assert stood[0] == "round_started"
    assert stood[-2:] == [lines.VIEW, lines.GUIDE]
    view = next(each for each in answer["events"] if each["event"] == lines.VIEW)
    assert dict(view["hands"])["d"] == ["6D", "back"]
    assert "9H" not in cards_in(answer)
    room.key(facts.KEY_STAND)
    whole, public = room.said()
    assert events(whole).count(lines.VIEW) == 1
    assert lines.VIEW not in events(public)


def test_times_of_a_guide_are_counted_from_the_start_as_all_times_are(rooms: list[Room]) -> None:
    room = rooms[0]
    room.deal("6D", "9H")
    told, _ = room.said()
    decides = [each for each in told if each["event"] == lines.GUIDE and each["code"] == "decide"]
    assert len(decides) == 1
    assert decides[0]["t_us"] == room.us - START_US
    assert decides[0]["until_us"] - decides[0]["t_us"] == 15_000_000


def test_a_round_that_is_open_is_no_idle_table(rooms: list[Room]) -> None:
    room = rooms[0]
    assert room.service._table_status.is_idle
    room.deal("6D", "9H")
    assert not room.service._table_status.is_idle
    room.key(facts.KEY_VOID)
    assert room.service._table_status.is_idle


def test_nobody_asks_a_card_table_anything_at_the_public_socket_and_no_stranger_for_two(
    rooms: list[Room],
) -> None:
    room = rooms[0]
    asked = {
        "card": {"card": "TH", "why": "torn"},
        "burn": {"why": "seen"},
        "count": {"why": "counted"},
        "rescan": {},
        "key": {"key": "start"},
        "guide": {},
        "correct_round": {"round": 1, "cards": None, "why": "film"},
        "pay": {},
    }
    kinds = {each.do: each for each in request_table.KINDS if each.at == request_table.CARDS}
    assert set(kinds) == set(asked)
    for do, given in asked.items():
        signers = kinds[do].signers
        whole = given | {each.name: {"name": each.name, "pin": "123456"} for each in signers}
        refused = room.looker.answer(do=do, **whole)["error"]
        assert (refused["code"], refused["text"]) == ("not_allowed", NO_COMMANDS)
        for each in signers:
            without = {key: value for key, value in whole.items() if key != each.name}
            assert room.member.answer(do=do, **without)["error"]["code"] == "wrong_keys"
