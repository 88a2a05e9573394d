"""Which stakes a card table takes: limits, grain, seats, side bets, what a house may choose."""

from typing import Any

import pytest
from card_rounds import behind, main, refusal, stake, table, why_not

import rules
from rules.cards.errors import CardsError
from rules.cards.house import FORM
from rules.cards.stakes import CardTable, accept, open_table


def opened(game: str, minimum: int = 1000, **more: Any) -> CardTable:
    return open_table(rules.load(game), minimum_cents=minimum, **more)


def refused(game: str, **given: Any) -> tuple[str, str]:
    with pytest.raises(CardsError) as raised:
        open_table(rules.load(game), **given)
    return raised.value.rule, raised.value.sentence


@pytest.mark.req("LU-33.maxima")
def test_art_33_the_maximum_is_50_100_or_200_minima_and_nothing_else() -> None:
    # "fixé en début de séance par le directeur de l'établissement à 50, 100 ou 200 fois"
    for multiple in (50, 100, 200):
        at = opened("blackjack_lu", maximum_multiple=multiple)
        most = 1000 * multiple
        assert accept(at, main(4, cents=most))[1] == []
        found = refusal(at, *main(4, cents=most + 2))
        assert (found.rule, found.why) == (
            "art. 33", f"{most + 2} cents are over the maximum of {most}",
        )  # fmt: skip
    rule, why = refused("blackjack_lu", minimum_cents=1000, maximum_multiple=150)
    assert (rule, why) == ("art. 33", "maximum_multiple must be 50, 100 or 200 at blackjack_lu.")
    assert opened("blackjack_lu").ceiling_cents == 50_000


@pytest.mark.req("LU-33.limits")
def test_art_33_stakes_lie_within_minimum_and_maximum() -> None:
    # "doivent être exposées, dans les limites du minimum et du maximum"
    found = refusal(opened("blackjack_lu"), *main(4, cents=998))
    assert (found.rule, found.why) == ("art. 33", "998 cents are under the minimum of 1000")


@pytest.mark.req("LU-33.hands")
def test_art_33_a_player_may_have_several_hands_each_within_the_maximum() -> None:
    # "peut être dépassé dans le cas d'un joueur assis, titulaire de plusieurs mains"
    two = [stake("main", seat, 50_000, player="a") for seat in (1, 2)]
    assert accept(opened("blackjack_lu"), two) == (two, [])
    assert refusal(opened("blackjack_live"), *two).rule == "2.8.5"


@pytest.mark.parametrize(
    ("game", "bet", "cents", "rule"),
    [
        ("blackjack_lu", "main", 1001, "art. 33"),
        ("blackjack_live", "main", 1001, "2.6.1"),
        ("baccarat_live", "banker", 1010, "3.3.1"),
        ("punto_2000", "banker", 1001, "13.8"),
    ],
)
def test_a_stake_that_would_have_to_be_rounded_is_refused(
    game: str, bet: str, cents: int, rule: str
) -> None:
    found = refusal(table(game), stake(bet, 4, cents))
    assert found.rule == rule
    assert "would have to be rounded" in found.why
    whole = table(game).bets[bet].grain_cents
    assert accept(table(game), [stake(bet, 4, cents - cents % whole)])[1] == []


@pytest.mark.req("LU-perfect-pairs.limits")
def test_perfect_pairs_are_10_to_100_euros_in_units_of_10_beside_a_main_stake() -> None:
    # "par unité de 10 euros, la mise minimum étant de 10 euros et la mise maximum de 100 euros,
    # indépendamment de la hauteur de la mise initiale"
    at = opened("blackjack_lu", 200)
    for cents in (1000, 10_000):
        assert accept(at, [*main(4, cents=200), stake("perfect_pairs", 4, cents)])[1] == []
    for cents in (11_000, 1500):
        found = refusal(at, *main(4), stake("perfect_pairs", 4, cents))
        assert found.rule == "Perfect Pairs"
    # "Seuls les joueurs participant au jeu de Black Jack sont admis"
    assert refusal(at, *main(3), stake("perfect_pairs", 4)).rule == "Perfect Pairs"
    other = stake("perfect_pairs", 4, player="another")
    assert refusal(at, *main(4), other).rule == "Perfect Pairs"


@pytest.mark.req("LU-super-jack.piece")
def test_super_jack_takes_one_piece_a_line_of_the_minimum_at_least() -> None:
    # "ils ne peuvent placer qu'une seule pièce atteignant au moins le montant de la mise minimale"
    at = opened("blackjack_lu")
    gold = stake("super_gold", 4)
    assert refusal(at, *main(4), gold, gold).rule == "Super-Jack"
    assert refusal(at, *main(4), stake("super_gold", 4, 999)).rule == "Super-Jack"
    assert refusal(at, gold).rule == "Super-Jack"


@pytest.mark.req("LU-49-16.side")
def test_art_49_16_a_table_takes_the_side_bets_that_its_house_names() -> None:
    # "Les jeux annexes peuvent être organisés par le casino après agrément"
    side = stake("perfect_pairs", 4)
    named = open_table(rules.load("blackjack_lu"), side_bets=("perfect_pairs",))
    assert accept(named, [*main(4), side])[1] == []
    none = open_table(rules.load("blackjack_lu"), side_bets=())
    assert refusal(none, *main(4), side).rule == "art. 49-16"
    assert refused("blackjack_lu", side_bets=("main",))[0] == FORM


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (17, "a stake is an object"),
        ({"player": "a", "bet": "main", "seat": 4, "cents": 2.5}, "whole number"),
        ({"player": "a", "bet": "main", "seat": 4, "cents": "1000"}, "whole number"),
        ({"player": "a", "bet": "main", "seat": 4, "cents": -2}, "whole number"),
        ({"player": "a", "bet": "main", "cents": 1000}, "wants a seat, from 1 to 7"),
        ({"player": "a", "bet": "main", "seat": 0, "cents": 1000}, "from 1 to 7"),
        ({"player": "a", "bet": "main", "seat": 8, "cents": 1000}, "from 1 to 7"),
        ({"player": "a", "bet": "main", "seat": True, "cents": 1000}, "from 1 to 7"),
        ({"player": "a", "bet": "banker", "seat": 4, "cents": 1000}, 'no bet "banker"'),
        ({"player": "a", "bet": "plein", "on": [17], "cents": 1000}, 'no "on" in a stake'),
        ({"player": "", "bet": "main", "seat": 4, "cents": 1000}, "not empty"),
        ({"player": "a\nb", "bet": "main", "seat": 4, "cents": 1000}, "without controls"),
        ({"bet": "main", "seat": 4, "cents": 1000}, "player is missing"),
        ({"player": "a", "bet": 4, "seat": 4, "cents": 1000}, "bet must be a text"),
        (stake("main", 4, follow="not"), "only a bet behind"),
    ],
)
def test_a_stake_of_another_form_is_refused_in_one_clause(given: object, why: str) -> None:
    assert why in refusal(table("blackjack_lu"), given).why


def test_a_bet_behind_has_a_form_of_its_own() -> None:
    at = table("blackjack_live")
    assert "whole number" in refusal(at, *main(4), behind(4, "not", -1)).why
    assert refusal(at, *main(4), behind(4, "perhaps", 0)).rule == "2.9.2"


def test_a_seat_has_one_main_stake() -> None:
    assert refusal(table("blackjack_lu"), *main(4), stake("main", 4, player="b")).rule == "art. 32"


def test_at_baccarat_stakes_of_one_player_on_one_place_add_up() -> None:
    at = opened("baccarat_live", maximum_multiple=3)
    twice = [stake("player", cents=2000, player="a"), stake("player", 3, 2000, player="a")]
    assert refusal(at, *twice).why == "4000 cents are over the maximum of 3000"


@pytest.mark.parametrize(
    ("game", "decks", "rule"),
    [("baccarat_live", 6, "3.1"), ("blackjack_lu", 7, FORM), ("punto_2000", True, FORM)],
)
def test_decks_are_those_of_the_text_or_six_or_eight(game: str, decks: int, rule: str) -> None:
    assert refused(game, decks=decks)[0] == rule


@pytest.mark.parametrize(
    ("game", "house", "rule"),
    [
        ("blackjack_lu", {"h17": True}, "II.1"),
        ("blackjack_lu", {"max_hands": -1}, "II.3"),
        ("blackjack_lu", {"das": 1}, "II.4"),
        ("blackjack_lu", {"dragon_odds": [1] * 6}, FORM),
        ("blackjack_live", {"max_hands": 4}, "2.6.7"),
        ("blackjack_live", {"stand_on_21": False}, "2.8.4"),
        ("blackjack_live", {"unit_cents": 0}, "2.6.5"),
        ("baccarat_live", {"h17": False}, FORM),
        ("punto_2000", {"dragon_odds": [30, 10, 6, 4, 2]}, "13.9"),
        ("punto_2000", {"dragon_odds": [30, 10, 6, 4, 2, 1.5]}, "13.9"),
        ("punto_2000", [], FORM),
    ],
)
def test_a_house_chooses_what_the_text_leaves_open_and_nothing_else(
    game: str, house: Any, rule: str
) -> None:
    assert refused(game, house=house)[0] == rule


@pytest.mark.parametrize("game", rules.CARD_GAMES)
def test_a_house_may_say_what_is_played_anyway(game: str) -> None:
    said = table(game)
    again = open_table(
        rules.load(game),
        said.decks,
        dict(said.house)
        | (
            {"dragon_odds": {"9": 30, "8": 10, "7": 6, "6": 4, "5": 2, "4": 1}}
            if "dragon_odds" in said.house
            else {}
        ),
    )
    assert again == said


@pytest.mark.parametrize(
    ("cards", "rule", "why"),
    [
        ("3S 5D KS 6X", "form of a round", 'there is no card "6X"'),
        ("3S 5D 3S 3S 3S", "II.1", "after 3 cards seat 4, hand 1 decides"),
    ],
)
def test_a_card_that_is_none_is_refused(cards: str, rule: str, why: str) -> None:
    found = why_not("blackjack_lu", main(4), cards, "4: hit" if "X" in cards else "")
    assert found[0] == rule
    assert found[1].startswith(why)


def test_no_card_comes_more_often_than_the_decks_have_it() -> None:
    cards = " ".join(["2S"] * 6 + ["8D"] + ["2S"])
    decided = "1: stand, 2: stand, 3: stand, 4: stand, 5: stand, 6: stand"
    rule, why = why_not("blackjack_lu", main(1, 2, 3, 4, 5, 6), cards, decided)
    assert rule == "II.1"
    assert why == "2S has come 6 times, and 6 decks have no more."


def test_without_a_main_stake_no_hand_is_dealt() -> None:
    assert why_not("blackjack_lu", [], "")[1] == "no seat has a main stake: no hand is dealt."


def test_what_goes_with_a_stake_outside_the_limits_is_refused_with_it_and_spoils_nothing() -> None:
    at = opened("blackjack_lu")
    short = stake("main", 4, 200)
    pairs = stake("perfect_pairs", 4)
    accepted, out = accept(at, [pairs, short, *main(5)])
    assert accepted == main(5)
    assert [(each.stake, each.of_limits) for each in out] == [(pairs, True), (short, True)]
    # One piece too many is no matter of limits, and neither is another's seat.
    _, (twice,) = accept(at, [*main(4), pairs, pairs])
    assert not twice.of_limits
    assert not refusal(at, *main(4), stake("perfect_pairs", 4, player="another")).of_limits


def test_refusals_come_in_the_order_of_the_stakes() -> None:
    stakes: list[object] = [stake("perfect_pairs", 3), 17, stake("main", 4, 999), stake("main", 9)]
    _, out = accept(opened("blackjack_lu"), stakes)
    assert [each.stake for each in out] == stakes


@pytest.mark.req("MC-13.9.odds")
def test_13_9_a_real_table_does_not_open_with_odds_that_nobody_has_verified() -> None:
    # "selon les cotes définies ci-dessous", which our text lacks
    punto = rules.load("punto_2000")
    assert open_table(punto).house["dragon_odds"][0] == (9, 30)
    with pytest.raises(CardsError, match="nobody has verified") as raised:
        open_table(punto, real=True)
    assert raised.value.rule == "13.9"
    assert open_table(punto, real=True, side_bets=())
    assert open_table(punto, house={"dragon_odds": [30, 10, 6, 4, 2, 1]}, real=True)


def test_at_baccarat_the_sum_on_a_place_reaches_the_minimum() -> None:
    at = opened("baccarat_live")
    two = [stake("player", cents=600, player="a"), stake("player", cents=600, player="a")]
    assert [each.stake for each in accept(at, two)[1]] == two[:1]
    for seat in (0, 15):
        assert "from 1 to 14" in refusal(table("baccarat_live"), stake("tie", seat)).why
