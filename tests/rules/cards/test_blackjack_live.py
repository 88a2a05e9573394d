"""Live black jack, clause by clause (seeds 003, section 2)."""

import pytest
from card_rounds import main, played, refusal, stake, table, why_not, won

import rules
from rules.cards.deck import card_of
from rules.cards.hands import Hand
from rules.cards.stakes import open_table

LIVE = "blackjack_live"


@pytest.mark.req("LIVE-2.7.4.deal")
def test_2_7_4_the_dealers_second_card_lies_face_down_before_the_first_decision() -> None:
    # "une seconde carte face contre la table au donneur"
    round_ = played(LIVE, main(3, 1), "TS 9S TD 9C 8C 7H", "1: stand, 3: stand")
    assert round_.places == ["s1", "s3", "d", "s1", "s3", "d*"]


@pytest.mark.req("LIVE-2.7.8.check")
def test_2_7_8_under_an_ace_the_hole_card_is_checked_and_a_black_jack_ends_the_round() -> None:
    # "excepté dans le cas où la carte ouverte du donneur est un as"
    cards = "TS AD 5S KC"
    assert won(LIVE, main(4), cards, "4: no_insurance") == {"main 4": -1000}
    assert why_not(LIVE, main(4), cards, "4: no_insurance stand")[0] == "2.7.6"
    # Under a ten nobody looks: the hand is played.
    assert won(LIVE, main(4), "TS TD 5S AC 4H", "4: hit stand") == {"main 4": -1000}


@pytest.mark.req("LIVE-2.6.5.insurance")
def test_2_6_5_insurance_up_to_half_pays_two_for_one_on_a_king_queen_jack_or_ten() -> None:
    for hole in ("KC", "QC", "JC", "TC"):
        insured = won(LIVE, main(4), f"TS AD 9S {hole}", "4: insure")
        assert insured == {"main 4": -1000, "insurance 4": 1000}
    less = won(LIVE, main(4), "TS AD 9S 9C", "4: insure/200 stand")
    assert less == {"insurance 4": -200, "main 4": -1000}
    rule, why = why_not(LIVE, main(4), "TS AD 9S 9C", "4: insure/501 stand")
    assert (rule, why) == ("2.6.5", "an insurance of seat 4 is from 1 to 500 cents.")


def test_where_chips_cannot_make_half_insurance_goes_up_to_the_next_unit() -> None:
    # "vers une unité suivante qui peut être misée"
    fives = table(LIVE, unit_cents=500)
    insured = won(fives, main(4, cents=1500), "TS AD 9S KC", "4: insure")
    assert insured == {"main 4": -1500, "insurance 4": 2000}
    rule, why = why_not(fives, main(4), "TS AD 9S KC", "4: insure/300")
    assert (rule, why) == ("2.6.5", "an insurance of seat 4 is 500 cents, in chips of 500.")


@pytest.mark.req("LIVE-2.6.6.double")
def test_2_6_6_any_two_first_cards_are_doubled_with_as_much_or_less() -> None:
    # "une mise supplémentaire qui ne dépasse pas sa mise initiale, sur les deux premières cartes"
    assert won(LIVE, main(4), "5S 9D 3S 9C TH", "4: double") == {"main 4": 0}
    assert won(LIVE, main(4), "AS 9D 6S 9C 4H", "4: double/300") == {"main 4": 1300}
    rule, _ = why_not(LIVE, main(4), "AS 9D 6S 9C 4H", "4: double/1001")
    assert rule == "2.6.6"
    # "ou les deux premières cartes de paires": split hands too; not 21 (2.8.4), which stands.
    cards, decided = "5S 9D 5C 9C 6H TH 4S 7D", "4: split double, 4.2: hit stand"
    assert won(LIVE, main(4), cards, decided) == {"main 4.2": -1000, "main 4": 2000}


@pytest.mark.req("LIVE-2.6.6.returned")
def test_2_6_6_a_dealers_black_jack_takes_the_first_stake_alone_of_a_double() -> None:
    # "il ne ramassera que le montant de la mise initiale du joueur"
    (payment,) = played(LIVE, main(4), "5S TD 6S AC 9H", "4: double").payments()
    assert (payment.stake_cents, payment.won_cents, payment.returned_cents) == (2000, -1000, 1000)
    # One that is over 21 has been lost before.
    assert won(LIVE, main(4), "5S TD 7S AC TH", "4: double") == {"main 4": -2000}
    gentle = table(LIVE, bust_double_returned=True)
    assert won(gentle, main(4), "5S TD 7S AC TH", "4: double") == {"main 4": -1000}


@pytest.mark.req("LIVE-2.6.7.split")
def test_2_6_7_a_pair_is_split_once_and_the_first_hand_is_finished_first() -> None:
    # "tous les choix quant à cette première main doivent être effectués avant"
    cards, decided = "8S 9D 8C 9C 2H 9H TH", "4: split hit stand, 4.2: stand"
    round_ = played(LIVE, main(4), cards, decided)
    assert round_.places[4:] == ["s4", "s4", "s4.2"]
    # "Un joueur n'a pas le droit de partager une paire", again.
    rule, why = why_not(LIVE, main(4), "8S 9D 8C 9C 8H", "4: split split")
    assert (rule, why) == ("2.6.7", "a seat has 2 hands at most.")
    no_das = table(LIVE, das=False)
    assert why_not(no_das, main(4), "8S 9D 8C 9C 2H 9H", "4: split double")[0] == "2.6.6"


@pytest.mark.req("LIVE-2.6.7.aces")
def test_2_6_7_a_split_ace_gets_one_card_and_a_ten_on_it_is_21() -> None:
    # "celle-ci comptera comme 21 et non pas comme Blackjack"
    assert won(LIVE, main(4), "AS 9D AC 9C TH 5H", "4: split") == {
        "main 4.2": -1000,
        "main 4": 1000,
    }
    on_ten = won(LIVE, main(4), "TS 9D TC 9C AH 9H", "4: split, 4.2: stand")
    assert on_ten["main 4"] == 1000
    house = table(LIVE, split_ten_ace_is_21=False)
    assert won(house, main(4), "TS 9D TC 9C AH 9H", "4: split, 4.2: stand")["main 4"] == 1500


def test_a_dealers_black_jack_takes_both_stakes_of_a_pair_unless_the_house_says_otherwise() -> None:
    cards, decided = "8S TD 8C AC TH 9H", "4: split stand, 4.2: stand"
    assert won(LIVE, main(4), cards, decided) == {"main 4.2": -1000, "main 4": -1000}
    one = table(LIVE, dealer_bj_takes_split=False)
    assert won(one, main(4), cards, decided) == {"main 4.2": 0, "main 4": -1000}


@pytest.mark.req("LIVE-2.8.4.draw")
def test_2_8_4_a_hand_of_21_soft_or_hard_draws_no_more() -> None:
    # "qui a un nombre total (total souple) de 21, ne peut pas tirer de carte supplémentaire"
    assert won(LIVE, main(4), "AS 9D 5S 9C 5H", "4: hit") == {"main 4": 1000}
    assert why_not(LIVE, main(4), "AS 9D 5S 9C 5H", "4: hit hit")[0] == "2.7.6"


@pytest.mark.req("LIVE-2.2.soft-17")
def test_2_2_the_house_says_whether_the_dealer_draws_on_a_soft_17() -> None:
    # "rester sur tous les 17" or "tirer jusqu'à un 17 souple"
    cards = "TS 6D 8S AC"
    assert won(LIVE, main(4), cards, "4: stand") == {"main 4": 1000}
    h17 = table(LIVE, h17=True)
    assert won(h17, main(4), cards + " 3H", "4: stand") == {"main 4": -1000}


@pytest.mark.req("LIVE-2.8.4.nothing-depends")
def test_2_8_4_the_dealer_draws_nothing_where_no_result_depends_on_it() -> None:
    # "le nombre de points du donneur n'aura aucun effet sur le résultat"
    assert played(LIVE, main(4), "TS 9D 6S 2C TH", "4: hit").places[-1] == "s4"
    assert played(LIVE, main(4), "AS 9D TS 2C").places[-1] == "d*"


@pytest.mark.req("LIVE-2.6.1.pays")
@pytest.mark.parametrize(
    ("cards", "decided", "gain"),
    [
        ("TS 9D 5S 7C 6H TC", "4: hit", 1000),  # 21 against more than 21: a slip says "inférieure"
        ("TS 9D TC 9C", "4: stand", 1000),
        ("AS 9D TC 9C", "", 1500),  # 2.6.3: "au moins 3-2"
        ("AS TD TC AC", "", 0),  # 2.6.2: both
        ("TS TD 5S AC 6H", "4: hit", -1000),  # 2.6.2: 21, "et non pas Blackjack"
        ("TS 9D 6S 7C TH", "4: hit", -1000),
    ],
)
def test_2_6_what_wins_and_what_loses(cards: str, decided: str, gain: int) -> None:
    assert won(LIVE, main(4), cards, decided) == {"main 4": gain}


@pytest.mark.req("LIVE-2.5.values")
@pytest.mark.parametrize(
    ("cards", "points"),
    [("2S 7D", 9), ("TS KD", 20), ("JS QD 5H", 25), ("AS 9D", 20), ("AS 9D 5H", 15), ("AS AD", 12)],
)
def test_2_5_an_ace_is_11_unless_the_hand_exceeds_21_then(cards: str, points: int) -> None:
    # "Si, avec une valeur de 11, le total de la main [...] dépasse 21, sa valeur sera de un."
    hand = Hand(0, [], False)
    for text in cards.split():
        hand.add_card(card_of(text))
    assert hand.points == points


@pytest.mark.req("LIVE-2.6.6.one-card")
def test_2_6_6_a_doubled_hand_gets_one_card() -> None:
    # "Une seule carte supplémentaire pourra être distribuée"
    rule, _ = why_not(LIVE, main(4), "5S 9D 3S 9C 2H 2C", "4: double hit")
    assert rule == "2.8.4"


@pytest.mark.req("LIVE-2.6.1.limits")
def test_2_6_1_stakes_lie_within_what_the_screen_says() -> None:
    # "Les mises minimums et maximums autorisées sont indiquées sur l'écran du jeu."
    at = open_table(rules.load(LIVE), minimum_cents=1000, maximum_multiple=5)
    for cents in (998, 5002):
        assert refusal(at, *main(4, cents=cents)).rule == "2.6.1"


@pytest.mark.req("LIVE-2.8.5.hand")
def test_2_8_5_an_account_has_one_hand() -> None:
    # "Le joueur ne peut placer de mise sur une seule main par compte."
    two = [stake("main", 1, player="a"), stake("main", 2, player="a")]
    assert refusal(table(LIVE), *two).why == "a player has one hand alone"


def test_what_has_no_cents_of_its_own_takes_none() -> None:
    at = table(LIVE)
    for decided in ("4: hit/5", "4: stand/5"):
        assert why_not(at, main(4), "TS 9D 2S 9C 5H", decided)[0] == "form of a round"
    assert why_not(at, main(4), "TS AD 9S 9C", "4: no_insurance/5")[0] == "form of a round"
    assert why_not(at, main(4), "5S 9D 6S 9C TH", "4: double/0")[0] == "2.6.6"
    assert why_not(at, main(4), "TS AD 9S 9C", "4.2: insure")[0] == "2.6.5"
