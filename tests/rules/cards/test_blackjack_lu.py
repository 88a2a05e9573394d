"""Black Jack of Luxembourg, clause by clause (seeds 000, chapter II and the house rules)."""

import pytest
from card_rounds import main, played, stake, table, why_not, won

from rules.cards.deck import card_of
from rules.cards.round import CARD, next_card, open_round

LU = "blackjack_lu"


@pytest.mark.req("LU-II-1.deal")
def test_ii_1_a_card_to_each_hand_one_to_the_dealer_and_a_second_to_each_hand() -> None:
    # "le croupier distribue une carte pour chaque main en commençant à sa gauche [...] il se donne
    # une carte, puis distribue une seconde carte, toujours dans le même ordre, à chaque main"
    cards = "2S 3S 4S 8D 7S 6S 5S 9D"
    round_ = played(LU, main(6, 1, 3), cards, "1: stand, 3: stand, 6: stand")
    assert round_.places == ["s1", "s3", "s6", "d", "s1", "s3", "s6", "d"]


@pytest.mark.req("LU-II-1.deal")
def test_ii_1_the_dealer_has_no_second_card_before_all_hands_are_played() -> None:
    round_ = played(LU, main(1, 2), "2S 3S TD 7S 6S 4S TH 5C 8C", "1: hit stand, 2: hit stand")
    assert round_.places == ["s1", "s2", "d", "s1", "s2", "s1", "s2", "d", "d"]


@pytest.mark.req("LU-II-1.hand")
def test_ii_1_each_hand_is_determined_before_the_next_is_offered_a_card() -> None:
    # "La situation de chaque main est déterminée avant qu'une offre soit faite à la suivante"
    rule, why = why_not(LU, main(1, 2), "2S 3S TD 7S 6S 4S TH 5C", "2: stand, 1: stand")
    assert rule == "II.1"
    assert why == "seat 1, hand 1 decides now, and not seat 2, hand 1."


@pytest.mark.req("LU-II-1.bust")
def test_ii_1_more_than_21_is_lost_at_once_before_the_next_hand() -> None:
    # "Lorsqu'une main obtient un point supérieur à 21, elle a perdu et le croupier ramasse
    # immédiatement la mise"
    round_ = played(LU, main(1, 2), "TS 8S TD 6S 2S TC 9C 6C TH", "1: hit, 2: hit stand")
    assert round_.places[-4:] == ["s1", "s2", "d", "d"]
    assert [(each.seat, each.won_cents) for each in round_.payments()] == [(1, -1000), (2, 1000)]


def test_a_hand_of_21_stands_by_itself_unless_the_house_asks_it() -> None:
    cards = "5S TD 6S TC 8H"
    assert won(LU, main(4), cards, "4: hit") == {"main 4": 1000}
    asked = table(LU, stand_on_21=False)
    assert why_not(asked, main(4), cards, "4: hit")[0] == "II.1"
    assert won(asked, main(4), cards, "4: hit stand") == {"main 4": 1000}


@pytest.mark.req("LU-II-1.dealer")
@pytest.mark.parametrize(
    ("cards", "dealer"),
    [
        ("TS 9D 9S 7C 5H", 21),  # "s'il a 16 points ou moins, il est tenu de tirer"
        ("TS 9D 9S 8C", 17),  # "S'il a 17 points ou plus, il est obligé de rester"
        # "il doit le compter pour 11 points si avec cette valeur il atteint 17 ou plus"
        ("TS 6D 9S AC", 17),
        ("TS 2D 9S 4C AH", 17),
        ("TS 2D 9S 3C AH KD 5D", 21),
    ],
)
def test_ii_1_the_dealer_draws_to_16_and_stays_on_17_the_ace_counting_11(
    cards: str, dealer: int
) -> None:
    outcome = played(LU, main(4), cards, "4: stand").outcome()
    assert outcome["dealer"]["points"] == dealer


@pytest.mark.req("LU-II-1.pays")
@pytest.mark.parametrize(
    ("cards", "gain"),
    [
        ("TS 9D 9S 7C 6H", 1000),  # "plus de 21 points, il paie toutes les mises encore [...]"
        ("TS 9D 9S 9C", 1000),  # "paie celles qui ont un point supérieur au sien"
        ("TS 9D 9S TC", 0),  # "un point égal à celui du croupier sont nulles"
        ("TS 9D 8S TC", -1000),  # "ramasse les mises des mains [...] inférieur"
    ],
)
def test_ii_1_higher_is_paid_equal_is_null_lower_is_lost(cards: str, gain: int) -> None:
    assert won(LU, main(4), cards, "4: stand") == {"main 4": gain}


@pytest.mark.req("LU-II-1.black-jack")
@pytest.mark.parametrize(
    ("cards", "decided", "gain"),
    [
        ("AS 9D TS", "", 1500),  # "il est payé à raison de 3 pour 2"
        ("AS TD TS AC", "", 0),  # both
        # "Le Black Jack l'emporte toujours sur 21 points obtenus avec plus de deux cartes."
        ("TS TD 5S 6C AH", "4: hit", -1000),
        ("AS TD TS 9C", "", 1500),
    ],
)
def test_ii_1_a_black_jack_is_paid_three_for_two(cards: str, decided: str, gain: int) -> None:
    assert won(LU, main(4), cards, decided) == {"main 4": gain}


@pytest.mark.req("LU-II-1.order")
def test_ii_1_hands_are_paid_from_right_to_left_as_they_were_dealt_reversed() -> None:
    # "dans l'ordre prévu, de droite à gauche"
    cards = "9S 8S TS 9D 9C 8C KS 2C TH 3C 8D"
    decided = "1: stand, 2: split stand, 2.2: stand, 5: stand"
    payments = played(LU, main(1, 2, 5), cards, decided).payments()
    assert [(each.seat, each.hand) for each in payments] == [(5, 1), (2, 2), (2, 1), (1, 1)]


def test_the_dealer_draws_nothing_on_which_nothing_depends() -> None:
    # Over 21 alone, or Black Jacks against a first card that is no ace and no ten.
    assert played(LU, main(1), "TS TD 6S TC", "1: hit").places[-1] == "s1"
    assert played(LU, main(1), "AS 9D TS").places == ["s1", "d", "s1"]
    # A Black Jack waits for one card and no more; so does an insurance of a hand that is lost.
    assert played(LU, main(1), "AS TD TS 5C").places[-1] == "d"
    round_ = played(LU, main(1), "TS AD 6S TC 2C", "1: insure hit")
    assert round_.places[-2:] == ["s1", "d"]
    with_jack = [*main(1), stake("super_black", 1)]
    assert played(LU, with_jack, "TS TD 6S TC 5H", "1: hit").places[-1] == "d"
    assert played(LU, with_jack, "TS 9D 6S TC", "1: hit").places[-1] == "s1"
    never = table(LU, stop_when_decided=False)
    assert played(never, main(1), "TS TD 6S TC 5H 2H", "1: hit").places[-2:] == ["d", "d"]


@pytest.mark.req("LU-II-2.insurance")
def test_ii_2_insurance_is_half_the_stake_and_pays_two_for_one() -> None:
    # "dépose [...] une mise égale à la moitié de sa propre mise"; "2 pour 1"
    assert won(LU, main(4), "TS AD 9S TC", "4: insure stand") == {
        "main 4": -1000,
        "insurance 4": 1000,
    }
    lost = won(LU, main(4), "TS AD 9S 7C", "4: insure stand")
    assert lost == {"insurance 4": -500, "main 4": 1000}
    rule, why = why_not(LU, main(4), "TS AD 9S TC", "4: insure/400 stand")
    assert (rule, why) == ("II.2", "an insurance of seat 4 is 500 cents.")


@pytest.mark.req("LU-II-2.insurance")
def test_ii_2_insurance_is_offered_under_an_ace_alone_and_before_the_first_decision() -> None:
    # "Lorsque la première carte du croupier est un as"; "lorsqu'il a donné la deuxième carte"
    assert why_not(LU, main(4), "TS TD 9S AC", "4: insure stand")[0] == "II.2"
    rule, why = why_not(LU, main(4), "TS AD 9S TC", "4: stand")
    assert (rule, why) == ("II.2", "insurance is answered first, so no stand is taken.")
    assert why_not(LU, main(4, 5), "TS 2S AD 9S 7S", "4: insure insure")[0] == "II.2"


@pytest.mark.req("LU-II-2.order")
def test_ii_2_losing_stakes_are_collected_before_insurances_are_paid() -> None:
    # "si le croupier tire un 10, il ramasse les mises perdantes et paie les assurances"
    paid = played(LU, main(1, 2), "TS 9S AD 9C 8C TC", "1: insure, 2: insure, 1: stand, 2: stand")
    assert [(each.bet, each.seat) for each in paid.payments()] == [
        ("main", 2), ("main", 1), ("insurance", 2), ("insurance", 1),
    ]  # fmt: skip
    # "S'il n'a pas réalisé un Black Jack, il ramasse les assurances et encaisse ou paie"
    none = played(LU, main(1, 2), "TS 9S AD 9C 8C 7C", "1: insure, 2: insure, 1: stand, 2: stand")
    assert [each.bet for each in none.payments()] == ["insurance", "insurance", "main", "main"]


def test_an_insurance_outlives_its_hand_and_a_black_jack_may_be_insured() -> None:
    assert won(LU, main(4), "TS AD 6S TC TH", "4: insure hit") == {
        "main 4": -1000,
        "insurance 4": 1000,
    }
    assert won(LU, main(4), "AS AD TS TC", "4: insure") == {"main 4": 0, "insurance 4": 1000}
    never = table(LU, insure_black_jack=False)
    assert won(never, main(4), "AS AD TS TC") == {"main 4": 0}


@pytest.mark.req("LU-II-3.pairs")
def test_ii_3_two_cards_of_one_value_are_two_hands_with_an_equal_stake_each() -> None:
    # "il doit engager une mise égale à sa mise initiale sur l'une des cartes"
    cards = "TS 9D KS 9C 2H 8H 8D"
    decided = "4: split stand, 4.2: hit stand"
    round_ = played(LU, main(4), cards, decided)
    assert round_.places == ["s4", "d", "s4", "s4", "s4.2", "s4.2", "d"]
    assert [(each.hand, each.stake_cents, each.won_cents) for each in round_.payments()] == [
        (2, 1000, 1000), (1, 1000, 1000),
    ]  # fmt: skip


@pytest.mark.req("LU-II-3.similar")
def test_ii_3_the_house_may_limit_pairs_to_similar_cards() -> None:
    # "limiter les paires aux cartes similaires"
    cards, decided = "TS 9D KS 9C 2H 8H 8D", "4: split stand, 4.2: hit stand"
    similar = table(LU, similar_only=True)
    rule, why = why_not(similar, main(4), cards, decided)
    assert (rule, why) == ("II.3", "this house lets only similar cards be split.")
    assert why_not(LU, main(4), "9S 9D KS", "4: split")[0] == "II.3"


@pytest.mark.req("LU-II-3.again")
def test_ii_3_a_new_pair_is_split_again_up_to_the_houses_limit() -> None:
    # "il peut à nouveau la séparer et déposer une autre mise égale"
    cards = "8S 9D 8C 8H 8D TS TC TD TH 9S"
    decided = "4: split split split stand, 4.2: stand, 4.3: stand, 4.4: stand"
    round_ = played(LU, main(4), cards, decided)
    assert round_.places[3:] == ["s4", "s4", "s4", "s4.2", "s4.3", "s4.4", "d"]
    assert sum(each.stake_cents for each in round_.payments()) == 4000
    two = table(LU, max_hands=2)
    assert why_not(two, main(4), cards, decided) == ("II.3", "a seat has 2 hands at most.")
    more = "8S 9D 8C 8H 8D 8S TC TD TH TS TC 9S"
    decided = "4: split split split split stand, 4.2: stand, 4.3: stand, 4.4: stand, 4.5: stand"
    assert why_not(LU, main(4), more, decided)[1] == "a seat has 4 hands at most."
    assert len(won(table(LU, max_hands=0), main(4), more, decided)) == 5


@pytest.mark.req("LU-II-3.aces")
def test_ii_3_a_split_ace_gets_one_card() -> None:
    # "il ne lui est permis de tirer qu'une seule carte pour chaque as"
    assert won(LU, main(4), "AS 9D AC 2H 9H 8D", "4: split") == {"main 4.2": 1000, "main 4": -1000}
    assert why_not(LU, main(4), "AS 9D AC 2H 9H 8D", "4: split hit")[0] == "II.1"
    # A third ace is not split, unless the house lets it.
    assert why_not(LU, main(4), "AS 9D AC AH 9H 8D", "4: split split")[0] == "II.1"
    again = table(LU, resplit_aces=True)
    cards = "AS 9D AC AH 9H 9C 8C 8D"
    assert len(won(again, main(4), cards, "4: split split")) == 3


@pytest.mark.req("LU-II-3.no-black-jack")
def test_ii_3_21_of_split_aces_or_tens_is_no_black_jack() -> None:
    # "ce point n'est pas considéré comme un Black Jack et n'est payé qu'à égalité"
    aces = won(LU, main(4), "AS 9D AC TH 9H 8D", "4: split")
    assert aces["main 4"] == 1000
    tens = won(LU, main(4), "TS 9D KC AH 9H 8D", "4: split, 4.2: stand")
    assert tens["main 4"] == 1000
    lost = won(LU, main(4), "AS TD AC TH TC AD", "4: split")
    assert lost == {"main 4.2": -1000, "main 4": -1000}
    null = table(LU, split_21_equals_black_jack=True)
    assert won(null, main(4), "AS TD AC TH TC AD", "4: split") == {"main 4.2": 0, "main 4": 0}


@pytest.mark.req("LU-II-4.double")
@pytest.mark.parametrize(("first", "second"), [("4S", "5C"), ("4S", "6C"), ("5S", "6C")])
def test_ii_4_9_10_or_11_points_are_doubled_for_one_card(first: str, second: str) -> None:
    # "Lorsque le joueur a obtenu 9, 10 ou 11 points avec ses deux premières cartes"
    assert won(LU, main(4), f"{first} 9D {second} TS 8C", "4: double") == {"main 4": 2000}
    # "il n'a droit qu'à une seule carte supplémentaire"
    rule, _ = why_not(LU, main(4), f"{first} 9D {second} 2S 2H 8C", "4: double hit")
    assert rule == "II.1"


@pytest.mark.req("LU-II-4.double")
@pytest.mark.parametrize("hand", ["3S 5C", "6S 6C", "AS 8C", "AS 9C"])
def test_ii_4_no_other_points_are_doubled(hand: str) -> None:
    first, second = hand.split()
    rule, why = why_not(LU, main(4), f"{first} 9D {second} TS 8C", "4: double")
    assert rule == "II.4"
    assert why.startswith("a hand is doubled with 9, 10, 11 points")


def test_a_soft_hand_is_doubled_where_the_house_counts_its_ace_one() -> None:
    soft = table(LU, soft_double=True)
    assert won(soft, main(4), "AS 9D 8C TS 8D", "4: double") == {"main 4": 2000}
    assert why_not(LU, main(4), "4S 9D 2C 3S TS 8D", "4: hit double") == (
        "II.4",
        "only the first two cards may be doubled.",
    )
    rule, why = why_not(LU, main(4), "4S 9D 5C TS 8D", "4: double/500")
    assert (rule, why) == ("II.4", "a double adds 1000 cents.")


@pytest.mark.req("LU-II-4.pairs")
def test_ii_4_split_hands_are_doubled_unless_the_house_excludes_it() -> None:
    # "La double mise est autorisée pour toutes les mains y compris les paires"
    cards, decided = "8S 9D 8C 2H TH 3S TC TS", "4: split double, 4.2: double"
    assert won(LU, main(4), cards, decided) == {"main 4.2": 2000, "main 4": 2000}
    rule, why = why_not(table(LU, das=False), main(4), cards, decided)
    assert (rule, why) == ("II.4", "this house does not let a split hand double.")


@pytest.mark.req("LU-II-4.lost")
def test_a_dealers_black_jack_takes_doubled_and_split_stakes_whole() -> None:
    cards, decided = "8S TD 8C 3S TS TC AC", "4: split double, 4.2: stand"
    assert won(LU, main(4), cards, decided) == {"main 4.2": -1000, "main 4": -2000}


@pytest.mark.req("LU-perfect-pairs.pays")
@pytest.mark.parametrize(
    ("pair", "times"),
    [
        ("7S 7S", 25),  # "deux cartes identiques"
        ("7S 7C", 12),  # "de valeur et de couleur identique mais de symboles différents"
        ("7S 7H", 6),  # "de valeur identique mais de couleurs et symboles différents"
        ("JS QS", -1),  # a value is a rank
        ("7S 8S", -1),
    ],
)
def test_perfect_pairs_pay_25_12_or_6_times(pair: str, times: int) -> None:
    first, second = pair.split()
    stakes = [*main(4), stake("perfect_pairs", 4, 2000)]
    gained = won(LU, stakes, f"{first} 9D {second} 8D", "4: stand")
    assert gained["perfect_pairs 4"] == 2000 * times
    by_value = table(LU, pair_by_rank=False)
    if pair == "JS QS":
        assert won(by_value, stakes, f"{first} 9D {second} 8D", "4: stand")["perfect_pairs 4"] == (
            12 * 2000
        )


@pytest.mark.req("LU-perfect-pairs.at-once")
def test_perfect_pairs_are_settled_first_whatever_becomes_of_the_hand() -> None:
    # "perdent immédiatement leur mise mais restent en jeu pour le déroulement de la partie"
    stakes = [*main(1, 2), stake("perfect_pairs", 2), stake("perfect_pairs", 1)]
    round_ = played(LU, stakes, "7S 9S TD 7H 5C TC 8S", "1: hit, 2: hit")
    assert [(each.bet, each.seat) for each in round_.payments()] == [
        ("perfect_pairs", 1), ("perfect_pairs", 2), ("main", 1), ("main", 2),
    ]  # fmt: skip


SUPER = ("super_black", "super_silver", "super_gold")


@pytest.mark.req("LU-super-jack.pays")
@pytest.mark.parametrize(
    ("dealer", "times"),
    [
        ("AH KH", (19, 77, 300)),  # each line for itself
        ("TH AH", (19, 77, 300)),
        ("AS KS", (19, 77, -1)),  # "dans une des quatre couleurs"
        ("AS KD", (19, -1, -1)),
        ("TS 9S", (-1, -1, -1)),
        ("9S TS", (-1, -1, -1)),
    ],
)
def test_super_jack_pays_19_77_and_300_times_for_the_dealers_two_cards(
    dealer: str, times: tuple[int, ...]
) -> None:
    first, second = dealer.split()
    stakes = [*main(4), *(stake(bet, 4, 500) for bet in SUPER)]
    asked = "4: no_insurance stand" if first[0] == "A" else "4: stand"
    gained = won(LU, stakes, f"TS {first} 9C {second}", asked)
    assert [gained[bet + " 4"] for bet in SUPER] == [500 * each for each in times]
    for_one = table(LU, super_jack_stake_kept=False)
    gained = won(for_one, stakes, f"TS {first} 9C {second}", asked)
    assert gained["super_gold 4"] == (500 * 299 if times[2] > 0 else -500)


@pytest.mark.req("LU-super-jack.order")
def test_super_jack_is_settled_after_all_else_losing_pieces_first() -> None:
    # "les paiements au titre de la ligne super-jack s'effectuent après les autres opérations";
    # "en retirant les pièces perdantes et en payant les pièces gagnantes"
    stakes = [stake("super_black", 4), stake("super_gold", 4), stake("super_silver", 4), *main(4)]
    payments = played(LU, stakes, "TS AS 9C TS", "4: insure stand").payments()
    assert [each.bet for each in payments] == [
        "main", "insurance", "super_gold", "super_black", "super_silver",
    ]  # fmt: skip


@pytest.mark.req("LU-super-jack.whatever")
def test_super_jack_does_not_depend_on_the_players_cards() -> None:
    # "indépendamment des valeurs des cartes des joueurs participants": all have lost, and he draws.
    stakes = [*main(4), stake("super_black", 4)]
    assert won(LU, stakes, "TS TD 6S TC AH", "4: hit") == {"main 4": -1000, "super_black 4": 19_000}


def test_at_luxembourg_no_card_is_looked_under_and_none_is_turned() -> None:
    round_ = open_round(table(LU), list(main(4)))
    for text in ("TS", "AD", "9S"):
        round_.deal(card_of(text))
    round_.decide(4, 1, "no_insurance")
    round_.decide(4, 1, "stand")
    assert (next_card(round_).kind, next_card(round_).to) == (CARD, "d")


def test_a_split_21_is_null_against_a_black_jack_with_two_cards_alone() -> None:
    null = table(LU, split_21_equals_black_jack=True)
    found = won(null, main(4), "TS TD KC 5H 6H 9S AC", "4: split hit, 4.2: stand")
    assert found == {"main 4.2": -1000, "main 4": -1000}
    asked = table(LU, stand_on_21=False)
    found = won(asked, main(4), "TS 9D KC AH 9S 8C", "4: split stand, 4.2: stand")
    assert found["main 4"] == 1000


def test_collected_insurances_come_after_hands_that_are_over_21() -> None:
    payments = played(
        LU, main(1, 2), "TS 9S AD 6C 8C TC 7C", "1: insure, 2: insure, 1: hit, 2: stand"
    )
    assert [(each.bet, each.seat) for each in payments.payments()] == [
        ("main", 1), ("insurance", 2), ("insurance", 1), ("main", 2),
    ]  # fmt: skip


def test_super_jack_goes_from_the_last_seat_to_the_first() -> None:
    stakes = [*main(1, 2), stake("super_gold", 1), stake("super_gold", 2)]
    found = played(LU, stakes, "TS 9S 9D 9C 8C 8D", "1: stand, 2: stand").payments()
    assert [each.seat for each in found if each.bet == "super_gold"] == [2, 1]
