"""What each bet of each game returns over all compartments of its apparatus, exactly."""

from collections import Counter
from fractions import Fraction

import pytest

import rules
from rules import cloth
from rules.settle import open_table, settle

STAKE = 1_000
SIMPLE = ("pair", "impair", "manque", "passe", "rouge", "noir")
CASES = [
    pytest.param(game, bet.name, on, id=f"{game}-{bet.name}-{'-'.join(map(str, on))}")
    for game in rules.WHEEL_GAMES
    for bet in rules.load(game)["bets"]
    for on in cloth.positions(bet)
]


def expected(game: str, bet: str) -> Fraction:
    """Luxembourg, art. 37-2: "perdent de moitié"; live, s. 1.3: zero not covered; art. 47."""
    if game in ("boule_fr", "vingt_trois_fr"):
        return Fraction(8, 9)
    if game == "roulette_lu" and bet in SIMPLE:
        return Fraction(73, 74)
    return Fraction(36, 37)


@pytest.mark.req("LU-20-2.return", "LIVE-1.4.pays")
@pytest.mark.parametrize(("game", "bet", "on"), CASES)
def test_a_bet_returns_exactly_what_its_game_promises(
    game: str, bet: str, on: tuple[int, ...]
) -> None:
    table = open_table(rules.load(game), 500)
    stake = {"player": "p1", "bet": bet, "on": list(on), "cents": STAKE}
    layout = table.rules["layout"]
    returned = 0
    for at, number in enumerate(layout):
        (payment,) = settle(table, [stake], number, at)
        assert payment.returned_cents == STAKE + payment.won_cents
        returned += payment.returned_cents
    assert Fraction(returned, STAKE * len(layout)) == expected(game, bet)


@pytest.mark.parametrize("cups", [9, 36])
def test_a_dish_of_9_or_36_cups_returns_the_same(cups: int) -> None:
    table = open_table(rules.load("boule_fr", rules.layouts.boule(cups)), 500)
    layout = table.rules["layout"]
    assert len(layout) == cups
    for bet in table.rules["bets"]:
        for on in cloth.positions(bet):
            stake = {"player": "p1", "bet": bet.name, "on": list(on), "cents": STAKE}
            paid = [settle(table, [stake], number, at)[0] for at, number in enumerate(layout)]
            returned = sum(payment.returned_cents for payment in paid)
            assert Fraction(returned, STAKE * cups) == Fraction(8, 9)


def test_the_cloth_has_as_many_places_as_a_cloth_has() -> None:
    found = {game: Counter(case.values[1] for case in CASES if case.values[0] == game)
             for game in rules.WHEEL_GAMES}  # fmt: skip
    with_zero = {"plein": 37, "cheval": 60, "transversale": 14, "carre": 23, "sixain": 11}
    without = {"plein": 37, "cheval": 57, "transversale": 12, "carre": 22, "sixain": 11}
    blocks = {"douzaine": 3, "colonne": 3}
    pairs = {"deux_douzaines": 2, "deux_colonnes": 2}
    simple = dict.fromkeys(SIMPLE, 1)
    assert found["roulette_lu"] == with_zero | blocks | pairs | simple
    assert found["roulette_live"] == without | blocks | simple
    assert found["boule_fr"] == {"plein": 9} | simple
    assert found["vingt_trois_fr"] == {"plein": 14, "rouge": 1, "noir": 1}
