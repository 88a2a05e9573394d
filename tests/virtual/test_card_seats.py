"""Players with accounts at a virtual card table: they play, and what they are told is theirs."""

from __future__ import annotations

import pytest

from firmware.core.cards import facts
from tools.virtual.card_hands import SIDE_BETS, Setup
from tools.virtual.card_seats import CardSeats
from tools.virtual.card_table import AccountBalances, VirtualCardTable

HOUR_US = 3_600_000_000


def seats_of(table: VirtualCardTable) -> CardSeats:
    assert table.seats is not None
    return table.seats


def played(setup: Setup, rounds: int) -> VirtualCardTable:
    table = VirtualCardTable(setup._replace(accounts=True))
    table.play(HOUR_US, lambda: table.ended >= rounds)
    return table


@pytest.mark.parametrize("game", SIDE_BETS)
def test_they_play_beside_who_has_chips_and_all_is_told_twice_alike(game: str) -> None:
    setup = Setup(game, 0)
    table = played(setup, 8)
    assert (table.told, seats_of(table).notices) == (
        (again := played(setup, 8)).told,
        seats_of(again).notices,
    )
    laid = [stake for truth in table.truths for stake in truth.stakes]
    assert {"account" in stake for stake in laid} == {True, False}
    assert seats_of(table).wrong == []
    assert len(seats_of(table).notices) > 4
    if "blackjack" in game:
        by = {fact.by for fact in table.told if isinstance(fact, facts.Engaged)}
        assert {*map(str, seats_of(table).terminals), facts.BY_KEYS} & by > {facts.BY_KEYS}


def test_followers_lack_money_for_some_decisions_and_have_it_for_others() -> None:
    table = played(Setup("blackjack_live", 4), 40)
    rows = [row.body for row in table.store.rows if row.kind == "card_engagement"]
    lays = [{bet for _, bet, _ in row["lays"]} for row in rows if row.get("lays")]
    assert {"behind", "main"} <= {bet for bets in lays for bet in bets}
    assert {"main"} in lays


def test_in_less_out_is_what_there_is_and_what_the_house_won() -> None:
    table = played(Setup("blackjack_lu", 3), 20)
    standings = [fact for fact in table.told if isinstance(fact, AccountBalances)]
    assert len(standings) > 20
    for each in standings:
        sums = each.sums
        there = sum(each.cents.values()) + each.lying_cents
        assert sums.in_cents - sums.out_cents == there + sums.staked_cents - sums.won_cents
    assert standings[-1].sums.staked_cents > 0


def test_a_void_before_the_call_tells_the_stakes_of_baccarat_with_no_hand() -> None:
    table = VirtualCardTable(Setup("baccarat_live", 2, accounts=True))
    table.play(HOUR_US, lambda: bool(seats_of(table).laid))
    table.press(facts.KEY_VOID)
    table.play(HOUR_US, lambda: table.ended == 1)
    assert not [fact for fact in table.told if isinstance(fact, facts.BetsClosed)]
    table.play(HOUR_US, lambda: bool(seats_of(table).notices))
    told = seats_of(table).notices[0].told
    assert told.outcome is None
    assert {(one.seat, one.hand, one.won_cents) for one in told.paid} == {(0, 0, 0)}


def test_a_screen_that_is_off_shows_the_croupier_nothing_and_then_what_is_due() -> None:
    table = VirtualCardTable(Setup("blackjack_lu", 1))
    table.play(HOUR_US, lambda: table.shown.code == facts.DEAL)
    table.switch_off_screen(8_000_000)
    seen = table.shown.seen
    table.play(table.now_us + 7_000_000, lambda: False)
    assert (table.croupier.screen.code, table.shown.seen) == ("", seen)
    table.play(HOUR_US, lambda: table.ended == 1)
    assert table.ended == 1
