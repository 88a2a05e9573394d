"""What is sealed of a round, and that nothing of it can be changed unseen (CARDS M4, M7)."""

from __future__ import annotations

import copy
import hashlib
from typing import Any

import pytest
from harness.card_place import CardPlace

from firmware.core.cards import facts, states
from firmware.stakes import card_kinds, card_round, card_seal
from firmware.stakes.seal import BrokenSeal

ROWS = tuple[Any, list[Any], list[Any], Any]


def live_round() -> CardPlace:
    """A round of live black jack with a follower, insurance, a split and a double."""
    place = CardPlace("blackjack_live")
    place.open()
    place.stake(2, 1000)
    place.stake(2, 400, bet="behind", player="zoe", follow="double", funds_cents=2000)
    place.call()
    place.cards("8S AH 8D 9D")
    place.key("seat_2", facts.KEY_INSURANCE)
    place.key(facts.KEY_PAIR)
    place.card("3S")
    place.key(facts.KEY_DOUBLE)
    place.cards("TS KD")
    place.key(facts.KEY_STAND, facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    return place


def rows_of(place: CardPlace) -> ROWS:
    return copy.deepcopy(card_round.collect(place.rows)[-1])


@pytest.mark.req("TABLE-M4.sealed")
def test_the_seal_of_stakes_is_that_of_the_documented_lines() -> None:
    place = live_round()
    stakes = rows_of(place)[0]
    house = "".join(
        f"house {key} {str(value).lower()}\n" for key, value in sorted(stakes["house"].items())
    )
    lines = (
        "cylindre card stakes 1\nround 1\nrules blackjack_live\ndecks 8\nminimum 200\n"
        f"multiple -\nside *\n{house}stake 2 main 1000 - - p2\nstake 2 behind 400 double 2000 zoe\n"
    )
    assert card_seal.canonical(stakes).decode() == lines
    assert stakes["seal"] == hashlib.sha256(lines.encode()).hexdigest()


@pytest.mark.req("TABLE-M4.sealed")
def test_each_engagement_is_sealed_onto_the_one_before_with_the_cards_seen() -> None:
    stakes, _, engagements, end = rows_of(live_round())
    seal = stakes["seal"]
    told = []
    for row in engagements:
        line = f"engagement {row['n']} {row['seen']} 2 {row['hand']} {row['do']} - keys\n"
        seal = hashlib.sha256(f"after {seal}\n{line}".encode()).hexdigest()
        assert row["seal"] == seal
        told.append((row["n"], row["seen"], row["do"]))
    assert told == [(1, 4, "insure"), (2, 4, "split"), (3, 5, "double"), (4, 7, "stand")]
    assert end["stakes"] == seal


def test_the_seal_of_the_cards_is_that_of_the_documented_lines() -> None:
    _, cards, _, end = rows_of(live_round())
    lines = "cylindre cards 1\nround 1\nshoe 17\n"
    for row in sorted(cards, key=lambda row: int(row["k"])):
        k, ordinal, how = row["k"], row["ordinal"], row["how"]
        lines += f"card {k} {ordinal} {row['card']} {row['to']} {how} {row['id']}\n"
    assert "card 4 10 9D d* shoe S17-0010\n" in lines
    assert end["seal"] == hashlib.sha256(lines.encode()).hexdigest()
    assert len(bytes.fromhex(end["seal"])) == 32


@pytest.mark.req("TABLE-M7.rows")
def test_the_rows_alone_pay_the_round_again() -> None:
    place = live_round()
    stakes, cards, engagements, end = rows_of(place)
    found = card_round.payments(stakes, cards[::-1], engagements, end)
    assert found == place.end.payments
    assert {payment.player for payment in found} == {"p2", "zoe"}
    assert sum(payment.stake_cents for payment in found) == 3500 + 1400


def change(rows: ROWS, what: str) -> None:
    stakes, cards, engagements, end = rows
    if what == "stake":
        stakes["stakes"][0]["cents"] += 2
    elif what == "total":
        stakes["total_cents"] += 2
    elif what == "house":
        stakes["house"]["h17"] = True
    elif what == "player":
        stakes["stakes"][1]["player"] = "eve"
    elif what == "card":
        cards[-1]["card"] = "2S"
    elif what == "identity":
        cards[0]["id"] = "S17-0400"
    elif what == "place":
        cards[2]["to"] = "d"
    elif what == "card gone":
        cards.pop()
    elif what == "decision":
        engagements[-1]["do"] = "hit"
    elif what == "seen":
        engagements[1]["seen"] = 5
    elif what == "engagement gone":
        engagements.pop()
    elif what == "order":
        engagements.reverse()
    elif what == "end":
        end["stakes"] = stakes["seal"]
    else:
        del stakes["rules"]


@pytest.mark.req("TABLE-M4.sealed")
@pytest.mark.parametrize(
    "what",
    "stake,total,house,player,card,identity,place,card gone,decision,seen,engagement gone,order,"
    "end,rules".split(","),
)
def test_whatever_is_changed_in_the_rows_breaks_a_seal(what: str) -> None:
    rows = rows_of(live_round())
    card_round.payments(*rows)
    change(rows, what)
    with pytest.raises(BrokenSeal) as raised:
        card_round.payments(*rows)
    assert raised.value.sentence.endswith((".", "known"))


def test_an_engagement_that_claims_other_cards_is_none_however_it_is_sealed() -> None:
    """CARDS M4: sealed with the number of cards seen before it."""
    stakes, cards, engagements, end = rows_of(live_round())
    seal = stakes["seal"]
    for row in engagements:
        row["seen"] += row["do"] == "split"
        row["seal"] = seal = card_seal.engagement_seal(seal, row)
    end["stakes"] = seal
    with pytest.raises(BrokenSeal, match="Engagement 2 saw 5 cards, not 4"):
        card_round.payments(stakes, cards, engagements, end)


@pytest.mark.req("TABLE-M5.void")
def test_a_void_gives_everything_back_what_was_added_and_settled_at_once_too() -> None:
    """CARDS M5, PP3."""
    place = CardPlace("blackjack_lu")
    place.open()
    place.stake(2, 1000)
    place.stake(2, 1000, bet="perfect_pairs")
    place.stake(2, 500, bet="super_gold")
    place.stake(4, 600)
    place.call()
    place.cards("TS 5D AD TC 6S")
    place.key("seat_2", facts.KEY_INSURANCE, "seat_4", facts.KEY_STAND)
    place.key(facts.KEY_STAND, facts.KEY_DOUBLE)
    place.card("TD")  # 21 with the double; the round is void before the dealer draws
    place.key(facts.KEY_VOID)
    assert sorted(place.end.returned) == [
        ("p2", "insurance", 2, 1, 500),
        ("p2", "main", 2, 1, 1000),
        ("p2", "perfect_pairs", 2, 1, 1000),
        ("p2", "super_gold", 2, 1, 500),
        ("p4", "main", 4, 1, 1200),
    ]
    assert sorted(place.paid()) == [
        (player, bet, seat, hand, cents, 0, cents)
        for player, bet, seat, hand, cents in sorted(place.end.returned)
    ]


@pytest.mark.req("TABLE-M5.void")
def test_a_void_before_the_call_gives_back_what_lay() -> None:
    place = CardPlace()
    place.open()
    place.stake(2, 1000)
    place.stake(2, 500, bet="super_gold")
    place.stake(8, 500)  # no such seat
    place.key(facts.KEY_VOID)
    assert place.end.returned == [("p2", "main", 2, 1, 1000), ("p2", "super_gold", 2, 1, 500)]
    place.key(facts.KEY_START)
    assert place.table.stakes_laid() == []


@pytest.mark.req("TABLE-M7.rows")
def test_a_void_with_the_hole_card_down_has_its_row_after_it() -> None:
    place = CardPlace("blackjack_live")
    place.begin(2)
    place.cards("8S 9H 8D 9D")
    assert [row["to"] for kind, row in place.rows if kind == "card"][-1] == "s2"
    place.key(facts.KEY_VOID)
    assert place.kinds()[-2:] == [card_kinds.VOID, card_kinds.CARD_ROW]
    assert place.rows[-1][1]["to"] == "d*"
    assert len(rows_of(place)[1]) == 4
    assert place.paid() == [("p2", "main", 2, 1, 1000, 0, 1000)]
