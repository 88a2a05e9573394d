"""What is refused at a card table's terminals: in one sentence, by its article, and no cent moves.

Power that is lost at each row of a round gives all back, or has settled it once.
"""

from __future__ import annotations

from typing import Any

import pytest
from harness.card_terminals import (
    FOLLOWERS,
    NAMES,
    TerminalPlace,
    accounts_of,
    adds_up,
    ended,
    opened,
)

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.stakes import card_kinds
from firmware.stakes.answers import FOLLOWERS_MAX, Answer
from firmware.stakes.seal import BrokenSeal

SUMS = [199, 201, 20_002, 500.5, -500, 0, float("nan"), float("inf"), 10**30, True, "500", None]


def refused(place: TerminalPlace, said: Answer | None, rule: str, why: str) -> None:
    """It is refused so, in one sentence, and nobody's money has moved."""
    assert said is not None and not said.accepted
    assert said.rule == rule
    assert why in said.why, said.why
    assert "\n" not in said.why and not said.why.endswith(".")
    assert place.table.book is not None
    assert {place.cents(name) for name in NAMES} == {100_000}
    assert adds_up(place.terminals.money)


@pytest.mark.req("LIVE-2.6.1.limits")
@pytest.mark.parametrize("cents", SUMS)
@pytest.mark.parametrize("who", ["seat", "follower"])
def test_a_sum_that_is_none_is_no_stake(cents: Any, who: str) -> None:
    place = opened((3, "anna"), game="blackjack_lu", side_bets=("behind",))
    said = place.lay(3, cents) if who == "seat" else place.follow("bert", 3, cents)
    assert not said.accepted and said.why and "\n" not in said.why
    assert place.terminals.stakes() == []
    assert place.terminals.free_cents(place.number("bert")) == 100_000
    assert place.terminals.funds_cents(3) == 100_000


@pytest.mark.req("LU-33.limits")
@pytest.mark.parametrize(
    ("cents", "why"),
    [
        (100, "100 cents are under the minimum of 200"),
        (10_002, "10002 cents are over the maximum of 10000"),
        (501, "501 cents on main would have to be rounded: stakes on it are multiples of 2 cents"),
    ],
)
def test_a_stake_outside_the_limits_names_them(cents: int, why: str) -> None:
    place = opened((3, "anna"), game="blackjack_lu")
    said = place.lay(3, cents)
    refused(place, said, place.limits.rules["articles"]["limits"] if cents != 501 else said.rule,
            why)  # fmt: skip


@pytest.mark.req("LU-49-16.side")
@pytest.mark.parametrize("bet", ["super_gold", "perfect_pairs"])
def test_a_side_bet_that_the_house_does_not_name_is_refused(bet: str) -> None:
    place = opened((3, "anna"), game="blackjack_lu", side_bets=())
    assert place.lay(3, 1000).accepted
    refused(place, place.lay(3, 1000, bet=bet), "art. 49-16", f"this house does not offer {bet}")


def test_no_bet_behind_where_the_house_does_not_name_it() -> None:
    place = opened((3, "anna"), game="blackjack_lu", side_bets=())
    place.lay(3, 1000)
    refused(place, place.follow("bert", 3, 500), "art. 32", "this house does not offer behind")


@pytest.mark.parametrize("bet", ["lucky_ladies", "insurance", "", "behind"])
def test_a_bet_that_the_game_does_not_have_is_refused(bet: str) -> None:
    place = opened((3, "anna"))
    assert place.lay(3, 1000).accepted
    said = place.lay(3, 500, bet=bet)
    assert not said.accepted and said.rule and said.why
    assert len(place.terminals.stakes()) == 1


@pytest.mark.req("LIVE-2.9.2.any-hand")
@pytest.mark.parametrize("seat", [0, 5, 8, -1, 255, None])
def test_nobody_bets_behind_a_seat_that_nobody_plays(seat: Any) -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    refused(place, place.follow("bert", seat, 500), "2.9.2", f"nobody plays at seat {seat}")


@pytest.mark.req("LIVE-2.9.2.any-hand")
def test_a_follower_bets_behind_two_seats_and_once_behind_each() -> None:
    place = opened((3, "anna"), (4, "bert"))
    place.lay(3, 1000)
    place.lay(4, 1000)
    assert place.follow("carla", 3, 500).accepted
    assert place.follow("carla", 4, 700, double=False).accepted
    for seat in (3, 4):
        said = place.follow("carla", seat, 500)
        refused(place, said, "2.9.2", "this player has a stake on behind there already")
    assert place.terminals.free_cents(place.number("carla")) == 98_800


@pytest.mark.req("LIVE-2.9.2.number")
def test_as_many_bet_behind_as_the_line_carries_and_one_more_does_not() -> None:
    names = tuple(f"n{n}" for n in range(FOLLOWERS_MAX + 2))
    place = opened((3, "n0"), names=names, cents=1000)
    place.lay(3, 1000)
    for name in names[1:-1]:
        assert place.follow(name, 3, 200).accepted
    said = place.follow(names[-1], 3, 200)
    assert (said.accepted, said.why) == (False, "140 players bet behind hands already")
    # Who leaves makes room once his bet has ended.
    place.terminals.behind.sign_off(place.number("n1"))
    assert not place.follow(names[-1], 3, 200).accepted
    assert place.terminals.behind.take_back(place.number("n2"), 3).accepted
    place.terminals.behind.sign_off(place.number("n2"))
    assert place.follow(names[-1], 3, 200).accepted
    ended(place)
    assert len(place.last(facts.RoundResult).payments) == FOLLOWERS_MAX + 1
    assert adds_up(place.terminals.money)


@pytest.mark.req("LIVE-2.9.2.until", "LIVE-2.6.1.closed")
def test_no_bet_behind_is_laid_or_taken_back_after_the_call() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    assert place.follow("bert", 3, 500).accepted
    place.call()
    late = place.follow("carla", 3, 500)
    assert (late.accepted, late.rule) == (False, "2.6.1")
    assert late.why == "« aucun pari ne pourra plus être placé » after « plus de paris »"
    back = place.terminals.behind.take_back(place.number("bert"), 3)
    assert (back.accepted, back.rule) == (False, "2.6.1")
    assert back.why.endswith("the stake lies")
    assert place.cents("bert") == 99_500


def test_a_bet_behind_is_taken_back_once() -> None:
    place = opened((3, "anna"))
    place.follow("bert", 3, 500)
    n = place.number("bert")
    assert place.terminals.behind.take_back(n, 3).accepted
    said = place.terminals.behind.take_back(n, 3)
    refused(place, said, "", "no bet of yours lies behind seat 3")
    assert place.terminals.free_cents(n) == 100_000


# --- decisions ------------------------------------------------------------------------------------


@pytest.mark.req("LIVE-2.6.5.insurance")
@pytest.mark.parametrize(("cents", "laid"), [(500, 500), (499, 499), (1, 1), (0, 500)])
def test_an_insurance_is_half_the_stake_or_less(cents: int, laid: int) -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("5S AD 6H 9C")
    said = place.decide(3, "insure", cents=cents)
    assert said is not None and said.accepted
    assert place.cents("anna") == 99_000 - laid


@pytest.mark.req("LIVE-2.6.5.insurance")
@pytest.mark.parametrize("cents", [501, 1000, 99_000, 10**12, -1])
def test_an_insurance_above_half_is_refused(cents: int) -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("5S AD 6H 9C")
    said = place.decide(3, "insure", cents=cents)
    assert said is not None and not said.accepted
    assert said.rule in ("2.6.5", "Luxembourg, art. 62") and said.why
    assert place.cents("anna") == 99_000
    assert place.state == states.INSURANCE
    assert place.decide(3, "insure").accepted  # type: ignore[union-attr]  # he may ask again


@pytest.mark.req("LU-II-2.insurance")
def test_in_luxembourg_an_insurance_is_exactly_half() -> None:
    place = opened((3, "anna"), game="blackjack_lu")
    place.lay(3, 1000)
    place.call()
    place.cards("5S AD 6H")
    said = place.decide(3, "insure", cents=400)
    assert said is not None
    assert (said.rule, said.why) == ("II.2", "an insurance of seat 3 is 500 cents.")


@pytest.mark.req("LIVE-2.6.6.double")
@pytest.mark.parametrize("cents", [1001, 10**12, -1])
def test_a_double_for_more_than_the_stake_is_refused(cents: int) -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("5S 9D 6H KC")
    said = place.decide(3, "double", cents=cents)
    assert said is not None and not said.accepted and said.rule and said.why
    assert place.cents("anna") == 99_000
    assert place.table.play.engagements == []


@pytest.mark.parametrize("do", ["surrender", "even_money", "", "insurance"])
def test_what_no_rule_knows_is_no_decision(do: str) -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("TS 9D 6H KC")
    said = place.decide(3, do)
    assert said is not None and said.rule == "form of a round"
    assert said.why.startswith("a decision is one of insure, no_insurance, hit, stand, double")
    assert place.table.play.engagements == []


@pytest.mark.req("LIVE-2.9.2.decides")
@pytest.mark.parametrize("terminal", [4, 5, FOLLOWERS])
def test_nobody_decides_for_the_hand_of_another(terminal: int) -> None:
    place = opened((3, "anna"), (4, "bert"))
    place.lay(3, 1000)
    place.lay(4, 1000)
    assert place.follow("carla", 3, 500).accepted
    place.call()
    place.cards("5S 6S 9D 6H 7H KC")
    said = place.decide(terminal, "double", seat=3, hand=1, seen=6)
    assert said is not None and not said.accepted
    if terminal == 4:
        assert said.why == "the hand of seat 3 is not yours"
    else:
        assert said.rule == "Luxembourg, art. 20-3 b"
    assert place.table.play.engagements == []


# --- whose leader goes ----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["take_back", "sign_off", "unseated"])
def test_a_leader_who_goes_before_the_call_leaves_the_bet_to_go_back_at_it(how: str) -> None:
    place = opened((3, "anna"), (4, "bert"))
    place.lay(3, 1000)
    number = place.requests
    place.lay(4, 1000)
    assert place.follow("carla", 3, 500).accepted
    if how == "unseated":
        place.tell(core_facts.UnseatAsked, "claire", 3, "asked to go")
    else:
        assert place.terminals.take_back(3, number).accepted
        if how == "sign_off":
            assert place.terminals.sign_off(3).accepted
    place.turn()
    place.call()
    assert place.cents("carla") == 99_500
    place.cards("TS 9D 9H KC")
    place.decide(4, "stand")
    place.key(facts.KEY_TURNED)
    assert (place.cents("anna"), place.cents("carla")) == (100_000, 100_000)
    told = place.terminals.behind.settled(place.number("carla"))
    assert [(one.seat, one.cents, one.won_cents) for one in told.paid] == [(3, 500, 0)]
    assert adds_up(place.terminals.money)


@pytest.mark.req("LIVE-2.7.6.time")
def test_a_leader_whose_terminal_is_dead_is_stood_by_time_and_his_followers_are_paid() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.call()
    place.cards("TS 9D TH KC")
    place.wait()
    place.key(facts.KEY_TURNED)
    assert (place.cents("anna"), place.cents("carla")) == (101_000, 100_500)


@pytest.mark.req("TABLE-M5.void")
def test_a_round_that_is_void_after_a_split_and_an_insurance_gives_followers_all_back() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.call()
    place.cards("8S AD 8H 9C")
    place.decide(3, "insure")
    place.decide(3, "split")
    place.card("3S")
    place.decide(3, "double")
    assert place.cents("carla") == 100_000 - 500 - 250 - 500 - 500
    place.key(facts.KEY_VOID)
    assert {place.cents(name) for name in NAMES} == {100_000}
    told = place.terminals.behind.settled(place.number("carla"))
    assert sum(one.cents for one in told.paid) == 1750
    assert {one.won_cents for one in told.paid} == {0}


# --- money in the round, and power ----------------------------------------------------------------


@pytest.mark.req("LU-62.cash")
def test_nothing_that_lies_is_paid_out_within_the_round() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.pay_out("anna", 99_001)
    assert "art. 62: « argent comptant » : account 1 has 99000 cents" in place.refusals()[-1]
    place.call()
    place.cards("5S 9D 6H KC")
    place.pay_out("anna", 99_001)
    assert "account 1 has 99000 cents" in place.refusals()[-1]
    place.pay_out("anna")
    assert place.cents("anna") == 0
    place.pay_out("anna")
    assert "nothing of account 1 is free" in place.refusals()[-1]
    said = place.decide(3, "double")
    assert said is not None and said.rule == "Luxembourg, art. 62"
    assert place.decide(3, "stand").accepted  # type: ignore[union-attr]
    place.key(facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    assert adds_up(place.terminals.money)


@pytest.mark.req("TABLE-M6.interrupted", "LU-62.cash")
def test_power_lost_at_any_row_gives_all_back_or_has_settled_it_once() -> None:
    place = opened((3, "anna"))
    before = len(place.rows)
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.follow("dora", 3, 600, double=False)
    place.call()
    place.cards("8S AD 8H 9C")
    place.decide(3, "insure", cents=300)
    place.decide(3, "split")
    place.card("3S")
    place.decide(3, "double")
    place.card("TD")
    place.card("TH")
    place.decide(3, "stand")
    place.key(facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    after = {name: place.cents(name) for name in NAMES}
    assert after["anna"] != 100_000 != after["carla"]
    kinds = {kind for kind, _ in place.rows[before:]}
    assert {card_kinds.STAKES, card_kinds.ENGAGEMENT, card_kinds.RESULT} <= kinds
    ends = [at for at, (kind, _) in enumerate(place.rows) if kind == card_kinds.RESULT]
    for at in range(before, len(place.rows) + 1):
        again = TerminalPlace("blackjack_live", rows=place.rows[:at])
        wanted = after if at > ends[0] else dict.fromkeys(NAMES, 100_000)
        assert {name: again.cents(name) for name in NAMES} == wanted, at
        assert adds_up(again.terminals.money)
        once_more = again.kill()  # at the row behind it
        assert {name: once_more.cents(name) for name in NAMES} == wanted, at
        assert adds_up(once_more.terminals.money)


def test_stakes_are_not_sealed_onto_others_that_have_no_end() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    rows = list(place.rows)
    ((_, stakes),) = [row for row in rows if row[0] == card_kinds.STAKES]
    with pytest.raises(BrokenSeal, match="Round 1 has no end, and stakes of round 2 are sealed"):
        accounts_of([*rows, (card_kinds.STAKES, stakes | {"round": 2})])
    with pytest.raises(BrokenSeal, match="Round 1 has no end, and round 2 ends"):
        accounts_of([*rows, (card_kinds.VOID, {"round": 2, "reason": "croupier"})])
    assert accounts_of([*rows, (card_kinds.STAKES, stakes)]).lying_cents() == 1000  # told again
