"""Whole rounds by the croupier's keys, as next_card leads them (CARDS section 2)."""

from __future__ import annotations

from typing import Any

import pytest
from harness.card_place import CardPlace

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.house import HOUSE
from firmware.stakes import card_kinds
from rules.cards.deck import card_of


@pytest.mark.req("TABLE-M2.next")
def test_a_round_of_luxembourg_is_led_card_by_card_and_paid_from_its_rows() -> None:
    place = CardPlace()
    place.begin(2, 5)
    assert place.state == states.DEALING
    for text, to in (("KS", "s2"), ("9D", "s5"), ("6H", "d"), ("5S", "s2"), ("9S", "s5")):
        assert place.due() == to
        place.card(text)
    assert place.guide == (
        facts.DECIDE,
        {"seat": 2, "hand": 1, "points": "15", "choices": ("hit", "stand")},
    )
    place.key(facts.KEY_CARD)
    assert place.due() == "s2"
    place.card("6D")  # 21 stands by itself
    assert place.guide[1]["seat"] == 5
    place.key(facts.KEY_PAIR)
    place.card("2D")  # the right hand first: 11
    place.key(facts.KEY_DOUBLE)
    place.card("TD")
    assert place.due() == "s5.2"
    place.card("QC")
    place.key(facts.KEY_STAND)
    assert place.state == states.DEALER
    place.cards("TC 8C")
    assert place.state == states.CONFIRMED
    assert place.end.outcome["dealer"]["points"] == 24
    assert place.end.verified
    won = {(p.seat, p.hand): p.won_cents for p in place.end.payments}
    assert won == {(5, 2): 1000, (5, 1): 2000, (2, 1): 1000}
    assert place.paid() == [tuple(p) for p in place.end.payments]
    kinds = [kind for kind in place.kinds() if kind != card_kinds.SHOE]
    assert kinds[7] == card_kinds.STAKES
    assert kinds[-1] == card_kinds.RESULT
    assert [row["to"] for kind, row in place.rows if kind == card_kinds.CARD_ROW][6:] == (
        "s2 s5 d s2 s5 s2 s5 s5 s5.2 d d".split()
    )


@pytest.mark.req("LIVE-2.7.8.secret")
def test_a_live_round_keeps_its_hole_card_until_it_is_turned() -> None:
    place = CardPlace("blackjack_live")
    place.begin(1)
    place.cards("TS 7D 8S TH")
    assert dict(place.table.view().hands)["d"] == (card_of("7D"), facts.BACK)
    assert place.state == states.PLAYING
    place.key(facts.KEY_STAND)
    assert place.guide[0] == facts.TURN
    assert [row["to"] for kind, row in place.rows if kind == card_kinds.CARD_ROW][6:] == [
        "s1",
        "d",
        "s1",
    ]
    place.key(facts.KEY_TURNED)
    assert place.last(facts.HoleTurned).card == card_of("TH")
    assert place.state == states.CONFIRMED  # 17 stands
    assert place.end.payments[0].won_cents == 1000
    assert place.paid() == [tuple(p) for p in place.end.payments]


@pytest.mark.req("TABLE-M3.secret")
@pytest.mark.parametrize(("hole", "is_black_jack"), [("TH", True), ("9H", False)])
def test_an_ace_is_checked_after_the_insurance_and_a_black_jack_ends_the_round(
    hole: str, is_black_jack: bool
) -> None:
    """Live 2.7.8: the software says whether to check; a Black Jack ends the round there."""
    place = CardPlace("blackjack_live")
    place.begin(1, 3)
    place.cards(f"TS 8D AD 8S 9C {hole}")
    assert place.guide == (facts.INSURE, {"seats": (1, 3)})
    place.key("seat_1", facts.KEY_INSURANCE)
    assert not place.all(facts.HoleChecked)
    place.key("seat_3", facts.KEY_STAND)
    assert place.last(facts.HoleChecked).is_black_jack == is_black_jack
    if is_black_jack:
        place.key(facts.KEY_TURNED)
        assert place.state == states.CONFIRMED
        paid = {(p.bet, p.seat): p.won_cents for p in place.end.payments}
        assert paid == {("main", 3): -1000, ("main", 1): -1000, ("insurance", 1): 1000}
    else:
        assert place.state == states.PLAYING


@pytest.mark.req("TABLE-M2.next")
def test_baccarat_is_dealt_without_a_decision() -> None:
    place = CardPlace("baccarat_live")
    place.open()
    place.stake(None, 2000, bet="banker", player="p9")
    place.call()
    places = []
    for text in "2S 3D 3S KD 5H 9D".split():
        places.append(place.due())
        place.card(text)
    assert places == ["P", "B", "P", "B", "P", "B"]
    assert place.end.outcome["winner"] == "banker"
    assert place.paid() == [tuple(p) for p in place.end.payments]


def test_a_croupier_confirms_where_the_house_says_so_and_nothing_is_told_before_its_record() -> (
    None
):
    house: Any = list(HOUSE)
    house[0] = "croupier"
    place = CardPlace("baccarat_live", house=type(HOUSE)(*house))
    place.open()
    place.stake(None, 2000, bet="player", player="p9")
    place.call()
    place.cards("9S 3D KS KD")
    assert place.guide[0] == facts.CONFIRM
    place.is_slow = True
    place.key(facts.KEY_CONFIRM)
    assert place.guide[0] == facts.RECORDING
    assert not place.all(facts.RoundResult)
    assert place.table.view().outcome is None
    place.write()
    assert place.end.outcome["winner"] == "player"
    assert place.table.view().outcome == place.end.outcome


@pytest.mark.req("LIVE-2.6.1.closed")
def test_stakes_close_by_themselves_with_the_time_that_the_house_gives() -> None:
    place = CardPlace()
    place.open()
    place.wait()  # nobody has staked: the time begins again
    assert place.state == states.BETS_OPEN
    place.stake(1, 1000)
    place.wait()
    assert place.state == states.DEALING
    place.stake(2, 1000)  # "aucun pari ne pourra plus être placé" (2.6.1)
    assert "before the call" in place.refusals()[-1]
    assert place.all(facts.BetsClosed)[-1].total_cents == 1000
    assert place.due() == "s1"
    place.wait()  # 30 s without a card: a reminder, and no more
    assert place.guide[0] == facts.LATE
    assert place.faults() == ["P10", "K14"]


@pytest.mark.req("LIVE-2.7.6.time")
def test_who_does_not_decide_stands_and_who_does_not_answer_is_not_insured() -> None:
    place = CardPlace()
    place.begin(1)
    place.cards("TS AD 6S")
    place.wait()
    place.wait()
    done = [(row["do"], row["by"], row["seen"]) for kind, row in place.rows if "engag" in kind]
    assert done == [("no_insurance", "time", 3), ("stand", "time", 3)]


def test_the_next_round_begins_with_start_and_employees_stand_in_the_seal() -> None:
    place = CardPlace()
    place.tell(core_facts.EmployeePresent, "anna", True)
    place.begin(1)
    place.cards("TS 5D TC")
    place.key(facts.KEY_STAND)
    place.cards("KD 9D")
    assert place.guide[0] == facts.NEXT
    place.key(facts.KEY_START)
    assert (place.state, place.table.round) == (states.BETS_OPEN, 2)
    stakes = next(row for kind, row in place.rows if kind == card_kinds.STAKES)
    assert stakes["employees"] == ["anna"]
