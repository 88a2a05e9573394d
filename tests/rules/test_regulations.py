"""Each article of the regulations, quoted in the test that proves it."""

from typing import Any

import pytest

import rules
from rules import announce
from rules.settle import Payment, Refusal, Table, WrongInput, accept, open_table, settle

SIMPLE = ("pair", "impair", "manque", "passe", "rouge", "noir")


def table(game: str, **more: Any) -> Table:
    return open_table(rules.load(game), 500, **more)


def stake(bet: str, *on: int, cents: int = 500, player: str = "p1") -> dict[str, object]:
    return {"player": player, "bet": bet, "on": list(on), "cents": cents}


def won(game: str, given: dict[str, object], number: int, compartment: int | None = None) -> int:
    """What one stake of 1000 cents wins, in thousandths."""
    (payment,) = settle(table(game), [given | {"cents": 1000}], number, compartment)
    cents: int = payment.won_cents
    return cents


def refusal(game: str, *stakes: dict[str, object], **more: Any) -> Refusal:
    """The one refusal among stakes."""
    _, (found,) = accept(table(game, **more), list(stakes))
    return found


# Grand-ducal regulation of 12 February 1979, modified 2015: roulette anglaise


@pytest.mark.req("LU-37-2.pays")
@pytest.mark.parametrize(
    ("given", "number", "gain"),
    [
        # art. 37-2: "Mise sur un numéro plein qui rapporte trente-cinq fois la mise"
        (stake("plein", 17), 17, 35_000),
        (stake("plein", 0), 0, 35_000),
        # "Mise à cheval sur deux numéros qui rapporte dix-sept fois la mise"
        (stake("cheval", 17, 20), 20, 17_000),
        (stake("cheval", 0, 3), 0, 17_000),
        # "Mise sur une transversale (trois numéros) qui rapporte onze fois la mise"
        (stake("transversale", 16, 17, 18), 17, 11_000),
        (stake("transversale", 0, 2, 3), 0, 11_000),
        # "un carré (quatre numéros comprenant éventuellement le zéro) qui rapporte huit fois"
        (stake("carre", 17, 18, 20, 21), 21, 8_000),
        (stake("carre", 0, 1, 2, 3), 0, 8_000),
        # "Mise sur un sixain (six numéros) qui rapporte cinq fois la mise"
        (stake("sixain", 13, 14, 15, 16, 17, 18), 17, 5_000),
        # "Mise sur une douzaine ou une colonne qui rapporte deux fois la mise"
        (stake("douzaine", 2), 24, 2_000),
        (stake("colonne", 2), 17, 2_000),
        # "à cheval sur deux douzaines ou colonnes (vingt-quatre numéros) [...] une demi-fois"
        (stake("deux_douzaines", 1, 2), 24, 500),
        (stake("deux_colonnes", 2, 3), 36, 500),
        # "pair ou impair [...] manque (numéros 1 à 18) ou passe (numéros 19 à 36) [...] une fois"
        (stake("pair"), 36, 1_000),
        (stake("impair"), 35, 1_000),
        (stake("manque"), 18, 1_000),
        (stake("passe"), 19, 1_000),
        # "rouge (numéros rouges) ou noir (numéros noirs) qui rapporte une fois la mise"
        (stake("rouge"), 32, 1_000),
        (stake("noir"), 17, 1_000),
    ],
)
def test_art_37_2_what_each_combination_wins(
    given: dict[str, object], number: int, gain: int
) -> None:
    assert won("roulette_lu", given, number) == gain


@pytest.mark.req("LU-37-2.zero")
@pytest.mark.parametrize("bet", SIMPLE)
def test_art_37_2_at_zero_the_simple_chances_lose_half(bet: str) -> None:
    # "les mises placées sur les chances simples perdent de moitié [...] chaque joueur ayant joué
    # sur ces chances est payé de la moitié de sa mise."
    (payment,) = settle(table("roulette_lu"), [stake(bet, cents=1000)], 0, 0)
    assert payment == Payment("p1", bet, (), 1000, -500, 500)


def test_art_37_2_at_zero_all_else_loses_whole() -> None:
    for given in (stake("douzaine", 1), stake("deux_colonnes", 1, 2), stake("cheval", 1, 4)):
        assert won("roulette_lu", given, 0) == -1_000


@pytest.mark.req("LU-37-1.payments")
def test_art_37_1_payments_go_player_by_player_in_the_order_of_the_article() -> None:
    # "procède par joueur au paiement [...] dans l'ordre suivant: Colonnes, passe, impair, noir,
    # rouge, pair, manque, douzaines, sixains, transversale, carrés, chevaux et pleins"
    order = [
        stake("colonne", 1), stake("passe"), stake("impair"), stake("noir"), stake("rouge"),
        stake("pair"), stake("manque"), stake("douzaine", 1),
        stake("sixain", 1, 2, 3, 4, 5, 6), stake("transversale", 1, 2, 3),
        stake("carre", 1, 2, 4, 5), stake("cheval", 1, 2), stake("plein", 1),
    ]  # fmt: skip
    mixed = [dict(given, player=player) for given in reversed(order) for player in ("b", "a")]
    accepted, refused = accept(table("roulette_lu"), mixed)
    paid = settle(table("roulette_lu"), accepted, 17, 8)
    assert refused == []
    names = [given["bet"] for given in order]
    assert [(p.player, p.bet) for p in paid] == [("b", n) for n in names] + [
        ("a", n) for n in names
    ]


def test_art_37_1_two_dozens_are_paid_with_the_dozens_in_the_order_given() -> None:
    given = [
        stake("deux_douzaines", 2, 3, cents=600), stake("douzaine", 3), stake("plein", 4),
        stake("deux_douzaines", 1, 2), stake("deux_colonnes", 1, 2), stake("colonne", 3),
    ]  # fmt: skip
    paid = settle(table("roulette_lu"), given, 4, 4)
    assert [(p.bet, p.on) for p in paid] == [
        ("deux_colonnes", (1, 2)), ("colonne", (3,)), ("deux_douzaines", (2, 3)),
        ("douzaine", (3,)), ("deux_douzaines", (1, 2)), ("plein", (4,)),
    ]  # fmt: skip


@pytest.mark.req("LU-37-3.maxima")
@pytest.mark.parametrize(
    ("given", "times"),
    [
        # art. 37-3: "Sur les chances simples à 360 fois le minimum des mises [...] numéro plein 20
        # [...] cheval 40 [...] transversale 60 [...] carré 80 [...] sixain 120 [...] 12 numéros
        # 240 [...] 24 numéros 480"
        *((stake(bet), 360) for bet in SIMPLE),
        (stake("plein", 0), 20),
        (stake("cheval", 0, 1), 40),
        (stake("transversale", 1, 2, 3), 60),
        (stake("carre", 0, 1, 2, 3), 80),
        (stake("sixain", 1, 2, 3, 4, 5, 6), 120),
        (stake("douzaine", 3), 240),
        (stake("colonne", 3), 240),
        (stake("deux_douzaines", 2, 3), 480),
        (stake("deux_colonnes", 2, 3), 480),
    ],
)
def test_art_37_3_the_maximum_of_each_combination(given: dict[str, object], times: int) -> None:
    most = given | {"cents": 500 * times}
    assert accept(table("roulette_lu"), [most]) == ([most], [])
    found = refusal("roulette_lu", given | {"cents": 500 * times + 2})
    assert found.rule == "art. 37-3"
    assert f"the maximum of {500 * times}, {times} times the minimum of 500" in found.why


@pytest.mark.req("LU-37-3.maxima")
def test_art_37_3_a_house_can_choose_no_other_multiples() -> None:
    assert table("roulette_lu", maximum_multiples={"plein": 20}) == table("roulette_lu")
    with pytest.raises(WrongInput, match=r"plein must be 20 \(roulette_lu, art. 37-3\), not 40"):
        table("roulette_lu", maximum_multiples={"plein": 40})


@pytest.mark.req("LU-37-1.announced")
def test_art_37_1_the_number_and_the_winning_simple_chances_are_announced() -> None:
    # "le croupier annonce à haute voix le numéro et les chances simples gagnantes"
    game = rules.load("roulette_lu")
    assert announce.announcement(game, 17, "black") == (
        "17, noir, impair et manque",
        "17, black, odd and 1 to 18",
    )
    assert announce.announcement(game, 36, "red")[0] == "36, rouge, pair et passe"
    assert announce.announcement(game, 0, "green") == ("zéro, vert", "zero, green")


# 003, section 1: live roulette


@pytest.mark.req("LIVE-1.4.pays")
@pytest.mark.parametrize("bet", SIMPLE)
def test_live_1_3_the_simple_chances_lose_whole_at_zero(bet: str) -> None:
    # "le zéro n'est pas couvert par l'une de ces cases"
    assert won("roulette_live", stake(bet), 0) == -1_000


@pytest.mark.req("LIVE-1.3.bets")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        # s. 1.3: "Cheval: [...] la ligne entre deux numéros (autres que le zéro)"
        (stake("cheval", 0, 1), "no cheval has the zero here"),
        (stake("transversale", 0, 1, 2), "no transversale has the zero here"),
        (stake("carre", 0, 1, 2, 3), "no carre has the zero here"),
        (stake("deux_douzaines", 1, 2), 'there is no bet "deux_douzaines" in roulette_live'),
        (stake("deux_colonnes", 1, 2), 'there is no bet "deux_colonnes" in roulette_live'),
    ],
)
def test_live_1_3_what_is_no_bet_there(given: dict[str, object], why: str) -> None:
    found = refusal("roulette_live", given)
    assert found.rule == "s. 1.3"
    assert found.why.startswith(why)


def test_live_1_3_a_plein_has_the_zero() -> None:
    # "Plein: [...] un seul numéro (y compris le zéro)"; s. 1.4: "1 numéro - 35 à 1"
    assert won("roulette_live", stake("plein", 0), 0) == 35_000


@pytest.mark.req("LIVE-1.2.limits")
def test_live_1_2_limits_are_those_of_the_table() -> None:
    # "un pari inférieur à la limite [...] minimum de la table, ou supérieur à la limite de paris
    # maximum, le montant que vous avez misé sera automatiquement refusé"
    free = stake("plein", 17, cents=10**12)
    assert accept(table("roulette_live"), [free]) == ([free], [])
    found = refusal("roulette_live", stake("plein", 17, cents=499))
    assert (found.rule, found.why) == ("s. 1.2", "499 cents are under the minimum of 500")
    found = refusal("roulette_live", stake("plein", 17, cents=1501), maximum_multiples={"plein": 3})
    assert found.rule == "s. 1.2"


def test_live_1_3_an_odd_stake_on_a_simple_chance_is_taken_for_none_is_halved() -> None:
    odd = stake("rouge", cents=501)
    assert accept(table("roulette_live"), [odd]) == ([odd], [])


# Article 47: boule


@pytest.mark.req("FR-47.boule_5")
@pytest.mark.parametrize("bet", SIMPLE)
def test_art_47_boule_at_5_all_simple_chances_lose(bet: str) -> None:
    # "lorsque le numéro 5 est sortant, la totalité des mises sur les chances simples est perdante"
    assert won("boule_fr", stake(bet), 5) == -1_000


@pytest.mark.req("FR-47.boule_pays")
def test_art_47_boule_pays_seven_times_and_once() -> None:
    # "Miser sur un numéro plein qui rapporte sept fois la mise [...] une chance simple (rouge,
    # noir, pair, impair, passe ou manque) qui rapporte une fois la mise"
    winning = {
        "rouge": (2, 4, 7, 9), "noir": (1, 3, 6, 8), "pair": (2, 4, 6, 8), "impair": (1, 3, 7, 9),
        "manque": (1, 2, 3, 4), "passe": (6, 7, 8, 9),
    }  # fmt: skip
    for number in range(1, 10):
        assert won("boule_fr", stake("plein", number), number) == 7_000
        for bet, numbers in winning.items():
            assert won("boule_fr", stake(bet), number) == (1_000 if number in numbers else -1_000)


def test_art_47_boule_is_announced_with_its_chances_but_5_with_none() -> None:
    game = rules.load("boule_fr")
    assert announce.announcement(game, 7, "red")[0] == "7, rouge, impair et passe"
    assert announce.announcement(game, 4, "red")[1] == "4, red, even and 1 to 4"
    assert announce.announcement(game, 5, "yellow") == ("5, jaune", "5, yellow")


@pytest.mark.req("FR-47.maxima")
@pytest.mark.parametrize(
    ("game", "bet", "low", "high"),
    [
        # "Pour les mises sur les numéros pleins, il ne peut être inférieur à quarante fois à la
        # boule ou vingt fois au vingt-trois, ni supérieur à cent fois à la boule ou cinquante fois
        # au vingt-trois, au montant du minimum"
        ("boule_fr", stake("plein", 9), 40, 100),
        ("vingt_trois_fr", stake("plein", 14), 20, 50),
        # "Pour les mises sur les chances simples [...] deux cents fois à la boule ou cent fois au
        # vingt-trois, ni supérieur à cinq cents fois à la boule ou à deux cent cinquante fois"
        ("boule_fr", stake("pair"), 200, 500),
        ("vingt_trois_fr", stake("rouge"), 100, 250),
    ],
)
def test_art_47_the_range_of_each_maximum(
    game: str, bet: dict[str, object], low: int, high: int
) -> None:
    name = str(bet["bet"])
    for chosen, times in ((None, low), ({name: low}, low), ({name: high}, high)):
        found = table(game, maximum_multiples=chosen)
        most, more = bet | {"cents": 500 * times}, bet | {"cents": 500 * times + 1}
        accepted, refused = accept(found, [more, most])
        assert (accepted, [given.rule for given in refused]) == ([most], ["art. 47"])
    for times in (low - 1, high + 1):
        with pytest.raises(WrongInput, match=f"must be from {low} to {high} .*art. 47.*{times}"):
            table(game, maximum_multiples={name: times})


def test_art_47_a_boule_table_may_open_at_twice_the_minimum_but_no_more() -> None:
    # "ouvrir [...] des tableaux à mise minimale égale à deux fois le minimum fixé par l'arrêté
    # d'autorisation"; the maxima are multiples of "[le] minimum fixé par l'arrêté d'autorisation"
    doubled = table("boule_fr", table_minimum_cents=1000)
    accepted, refused = accept(
        doubled,
        [
            stake("plein", 1, cents=999),
            stake("plein", 1, cents=20_000),
            stake("plein", 2, cents=20_001),
        ],
    )
    assert [given["cents"] for given in accepted] == [20_000]
    assert "under the minimum of 1000" in refused[0].why
    assert "the maximum of 20000, 40 times the minimum of 500" in refused[1].why
    assert table("boule_fr", table_minimum_cents=500) == table("boule_fr")
    with pytest.raises(WrongInput, match=r"must be 500 or 1000 .*art. 47.*not 1500"):
        table("boule_fr", table_minimum_cents=1500)
    with pytest.raises(WrongInput, match=r"must be 500 where .*not 1000"):
        table("vingt_trois_fr", table_minimum_cents=1000)


@pytest.mark.req("FR-47.each_player")
def test_art_47_the_maximum_is_each_players_alone_and_never_the_tables() -> None:
    # "Le maximum des mises s'applique [...] à chaque joueur considéré isolément. Le casino n'est
    # pas admis à fixer un maximum pour l'ensemble des mises appartenant à des joueurs différents"
    most = [stake("plein", 7, cents=20_000, player=f"p{number}") for number in range(50)]
    assert accept(table("boule_fr"), most) == (most, [])


def test_art_47_one_players_stakes_on_a_position_add_up_and_the_one_too_many_is_refused() -> None:
    given = [
        stake("plein", 7, cents=15_000), stake("plein", 8, cents=15_000),
        stake("plein", 7, cents=5_001), stake("plein", 7, cents=5_000),
        stake("plein", 7, cents=500),
    ]  # fmt: skip
    accepted, refused = accept(table("boule_fr"), given)
    assert accepted == [given[0], given[1], given[3]]
    assert [found.stake for found in refused] == [given[2], given[4]]
    assert "(15000 of them lie there already)" in refused[0].why


# Article 47: vingt-trois


@pytest.mark.req("FR-47.vt_pays")
@pytest.mark.parametrize(
    ("numbers", "times"),
    [
        # "en plein sur un des numéros 1, 2, 3, ou 4 qui rapporte vingt-trois fois la mise"
        ((1, 2, 3, 4), 23),
        # "5, 6, 7, 8, 9, 10 ou 11 qui rapporte onze fois la mise"
        ((5, 6, 7, 8, 9, 10, 11), 11),
        # "12, 13 ou 14 qui rapporte sept fois la mise"
        ((12, 13, 14), 7),
    ],
)
def test_art_47_vingt_trois_pays_by_number(numbers: tuple[int, ...], times: int) -> None:
    for number in numbers:
        assert won("vingt_trois_fr", stake("plein", number), number) == 1_000 * times
        other = 14 if number != 14 else 1
        assert won("vingt_trois_fr", stake("plein", other), number) == -1_000


def test_art_47_vingt_trois_colours_are_those_of_the_case() -> None:
    game = rules.load("vingt_trois_fr")
    for at, (number, colour) in enumerate(zip(game["layout"], game["colours"], strict=True)):
        assert won("vingt_trois_fr", stake("rouge"), number, at) == (
            1_000 if colour == "red" else -1_000
        )


@pytest.mark.req("FR-47.vt_13")
@pytest.mark.parametrize("bet", ["rouge", "noir"])
def test_art_47_vingt_trois_at_13_the_simple_chances_lose(bet: str) -> None:
    # "Lorsque le numéro 13 sort, la totalité des mises sur les chances simples est perdante."
    assert won("vingt_trois_fr", stake(bet), 13) == -1_000
    assert won("vingt_trois_fr", stake(bet), 13, 0) == -1_000
    # By the article, and not for want of a colour: where a house has painted it, too.
    for colour in ("red", "black"):
        game = rules.load("vingt_trois_fr")
        game["colours"] = (colour, *game["colours"][1:])
        (paid,) = settle(open_table(game, 500), [stake(bet)], 13, 0)
        assert paid.won_cents == -500


def test_at_vingt_trois_a_colour_needs_the_case_unless_the_number_has_one_colour() -> None:
    assert won("vingt_trois_fr", stake("rouge"), 3) == 1_000
    assert won("vingt_trois_fr", stake("rouge"), 4) == -1_000
    assert won("vingt_trois_fr", stake("plein", 7), 7) == 11_000
    with pytest.raises(WrongInput, match="compartment must be given: 7 is red in one"):
        won("vingt_trois_fr", stake("rouge"), 7)


def test_art_47_vingt_trois_announces_number_and_colour() -> None:
    game = rules.load("vingt_trois_fr")
    assert announce.announcement(game, 7, "red") == ("7, rouge", "7, red")
    assert announce.announcement(game, 7, None) == ("7", "7")
    assert announce.announcement(game, 13, "white")[0] == "13, blanc"
