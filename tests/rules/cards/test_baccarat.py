"""Baccarat and Punto 2000, clause by clause (seeds 003, section 3; 002)."""

import pytest
from card_rounds import played, refusal, stake, table, why_not, won

import rules
from rules.cards.errors import CardsError
from rules.cards.stakes import open_table

BANKER_TABLE = {  # 3.3: by the banker's points, the player's third cards on which he draws
    0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567",
    6: "67", 7: "",
}  # fmt: skip
THIRD = "TA23456789"  # a card of 0 to 9 points
STAKES = [stake(bet, cents=1000) for bet in ("player", "banker", "tie")]


@pytest.mark.req("LIVE-3.2.points")
def test_3_2_points_are_the_last_digit() -> None:
    # "5+5+5 = 15 = 5"
    outcome = played("baccarat_live", [], "5S KD 5H 2C 5D 7H").outcome()
    assert (outcome["player"], outcome["banker"]) == (5, 9)


@pytest.mark.req("LIVE-3.2.natural")
@pytest.mark.parametrize("cards", ["9S 2D TH 5C", "2S 4D TH 4C", "4S 9D 4H TC", "KS QD 9H 9C"])
def test_3_2_eight_or_nine_with_two_cards_ends_the_drawing(cards: str) -> None:
    # "aucune autre carte ne sera distribuée"
    assert played("baccarat_live", [], cards).places == ["P", "B", "P", "B"]


@pytest.mark.req("LIVE-3.3.player")
@pytest.mark.parametrize("points", range(8))
def test_3_3_the_player_draws_to_5(points: int) -> None:
    first = f"{THIRD[points]}S 7D TH TC"
    places = played("baccarat_live", [], first + (" 9D" if points < 6 else "")).places
    assert places == ["P", "B", "P", "B"] + (["P"] if points < 6 else [])


@pytest.mark.req("LIVE-3.3.banker")
@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("third", range(10))
def test_3_3_the_players_third_card_decides_whether_the_banker_draws(
    banker: int, third: int
) -> None:
    cards = f"2S {THIRD[banker]}D TH TC {THIRD[third]}D"
    draws = str(third) in BANKER_TABLE[banker]
    places = played("baccarat_live", [], cards + (" 2C" if draws else "")).places
    assert places[5:] == (["B"] if draws else [])


@pytest.mark.req("LIVE-3.3.player-stood")
@pytest.mark.parametrize("banker", range(8))
def test_3_3_where_the_player_stood_the_banker_draws_to_5(banker: int) -> None:
    # "doit tirer et la main du banquier doit rester à un total de 6"
    cards = f"6S {THIRD[banker]}D TH TC"
    places = played("baccarat_live", [], cards + (" 2C" if banker < 6 else "")).places
    assert places[4:] == (["B"] if banker < 6 else [])


@pytest.mark.req("LIVE-3.2.due")
def test_3_2_nobody_asks_for_a_card_or_refuses_one() -> None:
    # "une troisième carte peut être distribuée mais le joueur ne peut pas la demander"
    rule, why = why_not("baccarat_live", [], "6S 6D TH TC 2C")
    assert rule == "3.3"
    assert why == "the round ends after 4 cards, and 5 are given: 1 too many."
    rule, why = why_not("baccarat_live", [], "2S 6D TH TC")
    assert (rule, why) == ("3.3", "after 4 cards the next one goes to P, and there is none.")
    rule, _ = why_not("baccarat_live", [], "2S 6D TH TC 3D", "1: hit")
    assert rule == "3.2"


@pytest.mark.req("LIVE-3.3.1.pays")
@pytest.mark.parametrize(
    ("cards", "gains"),
    [
        ("9S 2D TH 5C", (1000, -1000, -1000)),  # "joueur gagnante: 1 - 1"
        ("2S 9D TH TC", (-1000, 950, -1000)),  # "banquier gagnante: 95 - 1", of a hundred
        ("9S 9D TH TC", (0, 0, 8000)),  # "égalité gagnante: 8 - 1"; 3.2: the others « nuls »
    ],
)
def test_3_3_1_what_wins(cards: str, gains: tuple[int, ...]) -> None:
    found = won("baccarat_live", STAKES, cards)
    assert tuple(found[bet] for bet in ("player", "banker", "tie")) == gains


@pytest.mark.req("LIVE-3.2.collected")
def test_lost_stakes_are_collected_before_any_is_paid() -> None:
    payments = played("baccarat_live", STAKES, "9S 2D TH 5C").payments()
    assert [each.bet for each in payments] == ["banker", "tie", "player"]


# Monaco, arrêté 2016-842


@pytest.mark.req("MC-13.8.banco")
def test_13_8_banco_is_paid_even_and_half_with_6() -> None:
    # "sauf si « banco » gagne avec le point « 6 » [...] une demi fois la mise"
    assert won("punto_2000", STAKES, "2S 9D TH TC")["banker"] == 1000
    assert won("punto_2000", STAKES, "2S 6D TH TC 3H")["banker"] == 500
    assert won("punto_2000", STAKES, "6S 5D TH TC AH")["banker"] == 0  # 6 to 6
    assert won("punto_2000", STAKES, "6S 4D TH TC 3H")["banker"] == 1000


DRAGON = [stake(bet, cents=100) for bet in ("dragon_player", "dragon_banker")]


@pytest.mark.req("MC-13.9.dragon")
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("9S 8D TH TC", 1, -1),  # "« naturelle » [...] payée à égalité", whatever the margin
        ("8S 8D TH TC", 0, 0),  # "Si la main « naturelle » fait « égalité » [...] rendue"
        ("2S 9D TH TC", -1, 1),
        ("7S 4D TH TC AH", -1, -1),  # won by two: "un écart inférieur à quatre points"
        ("TS 7D TH TC 9H", -1, -1),  # by two, with three cards
        ("TS 2D TH TC 9H AC", 6, -1),  # by six: 4
        ("3S 6D TH TC 9H", -1, 1),  # by four
        ("7S 7D TH TC", -1, -1),  # a tie that is no natural
    ],
)
def test_13_9_the_dragon_bonus(cards: str, player: int, banker: int) -> None:
    found = won("punto_2000", DRAGON, cards)
    odds = {6: 4}.get(player, player)
    assert (found["dragon_player"], found["dragon_banker"]) == (100 * odds, 100 * banker)


@pytest.mark.req("MC-13.9.margin")
@pytest.mark.parametrize(
    ("margin", "odds"), [(9, 30), (8, 10), (7, 6), (6, 4), (5, 2), (4, 1), (3, -1), (1, -1)]
)
def test_13_9_a_hand_of_three_cards_is_paid_by_its_margin(margin: int, odds: int) -> None:
    # The player has 9 of three cards; the banker stands on 7, or draws to 9 - margin.
    banker = 9 - margin
    cards = f"TS TD TH TC 9H {THIRD[banker]}C"
    assert won("punto_2000", DRAGON, cards)["dragon_player"] == 100 * odds


def test_the_odds_are_the_houses_and_so_is_what_the_text_leaves_open() -> None:
    own = table("punto_2000", dragon_odds=[30, 10, 4, 4, 2, 2])
    assert won(own, DRAGON, "TS TD TH TC 9H 2C")["dragon_player"] == 400
    # A two-card 7 that wins by seven, and by the letter loses.
    cards = "7S TD TH TC TD"
    assert won("punto_2000", DRAGON, cards)["dragon_player"] == 600
    letter = table("punto_2000", dragon_two_card=False)
    assert won(letter, DRAGON, cards)["dragon_player"] == -100
    tie = table("punto_2000", dragon_tie_lost=False)
    assert set(won(tie, DRAGON, "7S 7D TH TC").values()) == {0}


@pytest.mark.req("MC-13.9.order")
def test_13_9_the_dragon_bonus_is_settled_after_all_other_stakes() -> None:
    # "le croupier ramasse les mises perdantes et paie les mises gagnantes avant de procéder aux
    # mêmes opérations sur les paris du « Dragon Bonus »"
    payments = played("punto_2000", DRAGON + STAKES, "9S 2D TH 5C").payments()
    assert [each.bet for each in payments] == [
        "banker", "tie", "player", "dragon_banker", "dragon_player",
    ]  # fmt: skip


@pytest.mark.req("MC-13.9.alone")
def test_13_9_the_dragon_bonus_wants_no_other_stake() -> None:
    # "sans avoir engagé d'enjeu sur « punto », « banco » ou « égalité »"
    assert won("punto_2000", DRAGON[:1], "TS TD TH TC 9H 2C") == {"dragon_player": 600}


def test_by_the_letter_a_hand_of_three_cards_still_wins() -> None:
    letter = table("punto_2000", dragon_two_card=False)
    assert won(letter, DRAGON, "TS TD TH TC 9H 2C")["dragon_player"] == 600


@pytest.mark.req("LIVE-3.1.decks")
def test_3_1_baccarat_is_played_with_eight_decks() -> None:
    # "se joue avec 8 paquets de 52 cartes"
    assert table("baccarat_live").decks == 8
    with pytest.raises(CardsError) as raised:
        table("baccarat_live", 6)
    assert raised.value.rule == "3.1"


@pytest.mark.req("LIVE-3.2.limits")
def test_3_2_stakes_under_the_minimum_or_over_the_maximum_are_refused() -> None:
    # "inférieur à la limite de mise minimum de la table, ou supérieur à la limite"
    at = open_table(rules.load("baccarat_live"), minimum_cents=1000, maximum_multiple=5)
    for cents in (999, 5001):
        assert refusal(at, stake("player", cents=cents)).rule == "3.2"
