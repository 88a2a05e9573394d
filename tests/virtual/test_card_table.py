"""A card table in virtual time: its line, its store, and what a start finds."""

from __future__ import annotations

from random import Random

import pytest

from firmware.core.cards import facts
from firmware.core.facts import Fault
from firmware.core.house import CROUPIER
from rules.cards.deck import text_of
from tools.virtual.card_hands import SIDE_BETS, Setup
from tools.virtual.card_line import BYTE_US, ShoeLine, doubled, dropped, garbage
from tools.virtual.card_table import VirtualCardTable
from tools.virtual.late_store import LateStore

HOUR_US = 3_600_000_000


def played(setup: Setup, rounds: int) -> VirtualCardTable:
    table = VirtualCardTable(setup)
    table.play(HOUR_US, lambda: table.ended >= rounds)
    return table


@pytest.mark.parametrize("game", SIDE_BETS)
def test_rounds_are_played_one_after_the_other_and_all_is_told_twice_alike(game: str) -> None:
    setup = Setup(game, 5, confirm=CROUPIER)
    table = played(setup, 4)
    results = [fact for fact in table.told if isinstance(fact, facts.RoundResult)]
    assert [result.round for result in results] == [1, 2, 3, 4]
    assert table.told == played(setup, 4).told
    assert table.told != played(setup._replace(seed=6), 4).told


def test_the_shoe_is_changed_when_the_cut_card_has_come() -> None:
    table = played(Setup("baccarat_live", 1), 60)
    kinds = [row.body["what"] for row in table.store.rows if row.kind == "card_shoe"]
    assert kinds.count("begun") > 1
    assert table.ended == 60


def test_a_controller_that_loses_its_power_voids_its_round_and_plays_on() -> None:
    table = played(Setup("blackjack_live", 2), 1)
    table.play(table.now_us + 8_000_000, lambda: False)
    number = table.table.round
    assert table.table.open
    table.kill()
    table.play(HOUR_US, lambda: table.ended >= 3)
    voids = {fact.round: fact.reason for fact in table.told if isinstance(fact, facts.RoundVoid)}
    assert voids == {number: "interrupted"}
    assert table.table.round == 3


def test_an_end_that_was_durable_and_not_told_is_told_by_its_rows() -> None:
    ends = (facts.RoundResult, facts.RoundVoid)
    told = set()
    for seed in range(1, 9):
        table = VirtualCardTable(Setup("baccarat_live", seed))
        table.play(HOUR_US, lambda: table.table.closing)  # noqa: B023
        assert table.ended == 0
        table.kill()
        table.play(HOUR_US, lambda: table.ended >= 1)  # noqa: B023
        told |= {type(fact) for fact in table.told if isinstance(fact, ends)}
    assert told == {*ends}


def test_bytes_take_their_time_on_the_line_and_come_in_their_order() -> None:
    line = ShoeLine()
    line.send(b"abc", 1_000)
    line.send(b"de", 1_000)
    assert line.received(1_000 + 3 * BYTE_US - 1) == b""
    assert line.received(1_000 + 3 * BYTE_US) == b"abc"
    assert line.due_us == 1_000 + 5 * BYTE_US
    assert line.received(2_000) == b"de"
    assert line.due_us is None


def test_what_befalls_a_line_befalls_what_is_said_next() -> None:
    line = ShoeLine()
    line.mangles.extend((dropped, doubled, garbage(Random(1))))
    for _ in range(4):
        line.send(b"abc", 0)
    heard = line.received(HOUR_US)
    assert heard.startswith(b"abcabc")
    assert heard.endswith(b"abc")
    assert len(heard) > 4 * 3
    line.dead_until_us = HOUR_US
    line.send(b"abc", HOUR_US - 1)
    assert line.due_us is None


def test_as_the_power_goes_the_first_few_of_what_waits_are_written() -> None:
    found = set()
    for seed in range(40):
        store = LateStore(Random(seed))
        for ticket in range(3):
            store.put(ticket, "card", {"ticket": ticket}, 0)
        assert store.done(0) == []
        store.lose(500)
        assert store.due_us is None
        assert {row.at_us for row in store.rows} <= {500}
        found.add(tuple(row.body["ticket"] for row in store.rows))
    assert found == {(), (0,), (0, 1), (0, 1, 2)}


def test_records_become_durable_in_their_order_and_later_where_the_disk_is_slow() -> None:
    store = LateStore(Random(1))
    body = {"a": 1}
    store.slow_us = 1_000_000
    store.put(1, "card", body, 0)
    store.slow_us = 0
    store.put(2, "card", {}, 10)
    body["a"] = 2
    assert store.done(999_999) == []
    assert store.done(HOUR_US) == [1, 2]
    assert store.rows[0].body == {"a": 1}


@pytest.mark.parametrize(
    ("game", "reader"),
    [
        ("blackjack_lu", facts.BARCODE),
        ("blackjack_live", facts.BARCODE),
        ("baccarat_live", facts.BARCODE),
        ("blackjack_lu", facts.PEOPLE),
        ("baccarat_live", facts.PEOPLE),
    ],
)
def test_a_table_without_a_shoe_of_its_own_plays_its_rounds_whole(game: str, reader: str) -> None:
    table = played(Setup(game, 7, reader=reader), 3)
    results = [fact for fact in table.told if isinstance(fact, facts.RoundResult)]
    assert [result.round for result in results] == [1, 2, 3]
    assert {result.verified for result in results} == {reader == facts.BARCODE}
    rows = [row.body for row in table.store.rows if row.kind == "card"]
    for truth in table.truths:
        dealt = [row for row in rows if row["round"] == truth.number]
        lies = [text_of(card.card) for card in truth.cards]
        assert sorted(row["card"] for row in dealt) == sorted(lies)  # the hole card's row is later
        assert {row["how"] for row in dealt} == {reader}
    assert "K15" not in [fact.code for fact in table.told if isinstance(fact, Fault)]


def test_a_table_without_a_shoe_of_its_own_changes_it_when_the_cut_card_has_come() -> None:
    for reader in (facts.BARCODE, facts.PEOPLE):
        table = played(Setup("baccarat_live", 1, reader=reader), 40)
        kinds = [row.body["what"] for row in table.store.rows if row.kind == "card_shoe"]
        assert kinds.count("begun") > 1
        ends = [fact for fact in table.told if isinstance(fact, facts.RoundVoid)]
        assert (table.ended, ends) == (40, [])
