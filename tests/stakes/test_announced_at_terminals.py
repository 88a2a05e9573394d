"""Announced bets at a terminal: one number for all that it is composed of, all or nothing."""

import pytest
from players import funded
from stakes_bench import book, ends, place, result

from firmware.stakes.answers import YES
from firmware.stakes.terminal_book import STAKES_MAX


@pytest.mark.req("LU-37-2.pays")
def test_an_announced_bet_lies_as_what_it_is_composed_of() -> None:
    """Art. 37-2: « Les joueurs ne peuvent faire usage que des combinaisons suivantes. »"""
    opened = book()
    assert place(opened, 1, 4, bet="tiers", on=(), cents=500) == YES
    assert place(opened, 1, 4, bet="tiers", on=(), cents=500) == YES  # the answer was lost
    assert not place(opened, 1, 4, bet="tiers", on=(), cents=600).accepted
    record = opened.close(7)
    assert [(one["bet"], one["on"], one["id"]) for one in record["stakes"]] == [
        ("cheval", [5, 8], 4),
        ("cheval", [10, 11], 4),
        ("cheval", [13, 16], 4),
        ("cheval", [23, 24], 4),
        ("cheval", [27, 30], 4),
        ("cheval", [33, 36], 4),
    ]
    ends(opened, result(7, 5, "red"))
    paid = opened.settled(1).paid
    assert [one.id for one in paid] == [4] * 6
    assert sum(one.won_cents for one in paid) == 17 * 500 - 5 * 500


def test_it_is_taken_back_whole() -> None:
    opened = book()
    before = opened.funds_cents(1)
    assert place(opened, 1, 4, bet="voisins", on=(), cents=500) == YES
    assert opened.funds_cents(1) == before - 9 * 500
    assert opened.take_back(1, 4) == YES
    assert opened.accepted_stakes(1) == []
    assert opened.funds_cents(1) == before


def test_one_part_over_the_maximum_lays_nothing() -> None:
    """Art. 37-3: a cheval has 40 times the minimum at most."""
    opened = book()
    assert place(opened, 1, 3, bet="cheval", on=(33, 36), cents=19_600) == YES
    over = place(opened, 1, 4, bet="tiers", on=(), cents=500)
    assert (over.accepted, over.rule) == (False, "art. 37-3")
    assert opened.accepted_stakes(1) == [(3, 19_600)]


def test_without_funds_for_all_of_it_nothing_lies() -> None:
    opened = book(money=funded("anna", "bert", cents=2_999))
    answer = place(opened, 1, 4, bet="tiers", on=(), cents=500)
    assert (answer.accepted, answer.rule) == (False, "art. 62")
    assert opened.accepted_stakes(1) == []
    assert opened.funds_cents(1) == 2_999


def test_its_parts_count_as_stakes_each() -> None:
    opened = book()
    for number in range(1, STAKES_MAX - 4):
        assert place(opened, 1, number, bet="rouge", on=(), cents=500) == YES
    assert not place(opened, 1, 99, bet="tiers", on=(), cents=500).accepted


@pytest.mark.parametrize("on", [(), (10,), (1, 2)])
def test_a_finale_is_on_one_digit(on: tuple[int, ...]) -> None:
    answer = place(book(), 1, 4, bet="finale", on=on, cents=500)
    assert (answer.accepted, answer.rule) == (False, "art. 37-2")
    assert "finale is on one digit, from 0 to 9" in answer.why


def test_where_the_game_has_no_announced_bets_none_is_taken() -> None:
    """Seeds 003, s. 1.3: with the zero nothing lies but plein."""
    answer = place(book("roulette_live", maximum_multiples=None), 1, 4, bet="voisins", on=())
    assert not answer.accepted
    assert answer.rule


def test_what_a_correction_leaves_no_money_for_goes_back_whole() -> None:
    """Art. 62: « tout enjeu sur parole est interdit »; all or nothing, as it was laid."""
    opened = book(money=funded("anna", "bert", cents=2_500))
    assert place(opened, 1, 3, bet="rouge", on=(), cents=1_000) == YES
    opened.close(7)
    ends(opened, result(7, 1, "red"))
    assert opened.funds_cents(1) == 3_500
    assert place(opened, 1, 4, bet="noir", on=(), cents=500, coup=8) == YES
    assert place(opened, 1, 5, bet="tiers", on=(), cents=500, coup=8) == YES
    opened.corrected({"coup": 7, "seq": 8, "corrects": 7, "number": 2, "colour": "black"})
    assert opened.accepted_stakes(1) == [(4, 500)]
    assert opened.funds_cents(1) == 1_000
