"""Bets behind a hand (seeds 003, s. 2.9, "Pari après Blackjack")."""

import pytest
from card_rounds import behind, main, played, refusal, stake, table, why_not, won

import rules
from rules.cards.stakes import open_table

LIVE = "blackjack_live"


@pytest.mark.req("LIVE-2.9.1.paid")
def test_2_9_1_a_bet_behind_is_paid_exactly_as_the_hand() -> None:
    # "Ils seront payés lorsque le joueur qui gère la main gagne."
    stakes = [*main(4, cents=400), behind(4, "not", 0)]
    assert won(LIVE, stakes, "AS 9D TC 9C") == {"main 4": 600, "behind 4": 750}
    assert won(LIVE, stakes, "TS 9D 9S 9C", "4: stand") == {"main 4": 400, "behind 4": 500}
    assert won(LIVE, stakes, "TS 9D 6S 9C TH", "4: hit") == {"main 4": -400, "behind 4": -500}


@pytest.mark.req("LIVE-2.9.2.order")
def test_followers_are_paid_right_behind_the_hand_they_follow() -> None:
    stakes = [behind(1, "not", 0, who="a"), *main(1, 2), behind(2, "not", 0, who="b")]
    payments = played(LIVE, stakes, "TS 9S TD 9C 8C 9H", "1: stand, 2: stand").payments()
    assert [(each.player, each.seat) for each in payments] == [
        ("p2", 2), ("b", 2), ("p1", 1), ("a", 1),
    ]  # fmt: skip


@pytest.mark.req("LIVE-2.9.2.follows")
def test_2_9_2_who_follows_doubles_and_splits_with_his_own_stake() -> None:
    # "il doit automatiquement suivre les actions du véritable joueur (doubler et partager)"
    stakes = [*main(4), behind(4, "double", 1000)]
    cards, decided = "8S 9D 8C 9C 3H TH 9H", "4: split double, 4.2: stand"
    found = played(LIVE, stakes, cards, decided).payments()
    assert [(each.bet, each.hand, each.stake_cents, each.won_cents) for each in found] == [
        ("main", 2, 1000, -1000), ("behind", 2, 500, -500),
        ("main", 1, 2000, 2000), ("behind", 1, 1000, 1000),
    ]  # fmt: skip


@pytest.mark.req("LIVE-2.9.2.right-hand")
def test_2_9_2_who_does_not_follow_has_the_right_hand_of_a_pair_alone() -> None:
    # "la main droite du véritable joueur sera considérée comme la seule main du joueur"
    stakes = [*main(4), behind(4, "not", 10_000)]
    cards, decided = "8S 9D 8C 9C 3H TH 9H", "4: split double, 4.2: stand"
    assert won(LIVE, stakes, cards, decided) == {
        "main 4.2": -1000, "main 4": 2000, "behind 4": 500,
    }  # fmt: skip


def test_who_lacks_the_funds_does_not_follow_that_one_decision() -> None:
    # 500 are enough for the double of the right hand, not for the split before it.
    cards, decided = "8S 9D 8C 9C 3H TH 9H", "4: split double, 4.2: stand"
    short = won(LIVE, [*main(4), behind(4, "double", 499)], cards, decided)
    assert (short["behind 4"], "behind 4.2" in short) == (500, False)
    split_alone = won(LIVE, [*main(4), behind(4, "double", 999)], cards, decided)
    assert (split_alone["behind 4"], split_alone["behind 4.2"]) == (500, -500)
    later = won(LIVE, [*main(4), behind(4, "double", 500)], "5S 9D 6C 9C TH", "4: double")
    assert later["behind 4"] == 1000


def test_a_double_for_less_is_followed_in_proportion_rounded_down() -> None:
    stakes = [*main(4), behind(4, "double", 1000, cents=102)]
    found = played(LIVE, stakes, "5S 9D 6C 9C TH", "4: double/333").payments()
    assert [each.stake_cents for each in found] == [1333, 102 + 33]


@pytest.mark.req("LIVE-2.9.2.insured")
def test_2_9_2_a_follower_is_insured_exactly_when_the_seat_is() -> None:
    # "Tous les joueurs qui placent ces paris seront assurés."
    stakes = [*main(4), behind(4, "not", 250)]
    assert won(LIVE, stakes, "TS AD 9S TC", "4: insure") == {
        "main 4": -1000, "behind 4": -500, "insurance 4": 1000, "insurance_behind 4": 500,
    }  # fmt: skip
    assert "insurance_behind 4" not in won(LIVE, stakes, "TS AD 9S TC", "4: no_insurance")
    less = won(LIVE, stakes, "TS AD 9S TC", "4: insure/100")
    assert less["insurance_behind 4"] == 100  # 500 * 100 / 1000, doubled
    poor = [*main(4), behind(4, "not", 249)]
    assert "insurance_behind 4" not in won(LIVE, poor, "TS AD 9S TC", "4: insure")
    never = table(LIVE, follow_insured=False)
    assert "insurance_behind 4" not in won(never, stakes, "TS AD 9S TC", "4: insure")


def test_insurance_comes_before_doubles_and_splits_out_of_the_same_funds() -> None:
    stakes = [*main(4), behind(4, "double", 500)]
    found = won(LIVE, stakes, "5S AD 6C 9C TH", "4: insure double")
    assert (found["insurance_behind 4"], found["behind 4"]) == (-250, 500)


def test_behind_an_empty_seat_the_stake_is_returned() -> None:
    stakes = [*main(4), behind(5, "double", 500)]
    assert won(LIVE, stakes, "TS 9D 9S 9C", "4: stand") == {"behind 5": 0, "main 4": 1000}


@pytest.mark.req("LIVE-2.9.2.who")
def test_2_9_2_who_plays_at_the_table_does_not_bet_behind() -> None:
    # "Cette possibilité n'est pas disponible aux joueurs qui jouent déjà à une table."
    at = table(LIVE)
    own = behind(4, "not", 0, who="p4")
    assert refusal(at, *main(4), own).rule == "2.9.2"
    assert refusal(at, *main(4), behind(4, "not", 0), behind(4, "not", 0)).rule == "2.9.2"
    assert refusal(at, *main(4), behind(4, "no", 0)).rule == "2.9.2"  # type: ignore[arg-type]
    # As many players as like to.
    many = [behind(4, "not", 0, who=f"f{n}") for n in range(140)]
    assert len(played(at, [*main(4), *many], "TS 9D 9S 9C", "4: stand").payments()) == 141


@pytest.mark.req("LIVE-2.9.2.decides")
def test_2_9_2_only_the_seat_decides() -> None:
    # "Seul le joueur assis, et jouant, à la table peut prendre des décisions"
    stakes = [*main(4), behind(5, "double", 500)]
    assert why_not(LIVE, stakes, "TS 9D 9S 9C", "5: stand")[0] == "2.7.6"


def test_where_nobody_says_what_funds_a_follower_has_they_are_enough() -> None:
    follows = [*main(4), stake("behind", 4, 500, player="f", follow="double")]
    assert won(LIVE, follows, "5S 9D 6C 9C TH", "4: double")["behind 4"] == 1000
    silent = [*main(4), stake("behind", 4, 500, player="f")]  # and does not say that he follows
    assert won(LIVE, silent, "5S 9D 6C 9C TH", "4: double")["behind 4"] == 500


def test_at_luxembourg_a_table_takes_no_bet_behind_unless_its_house_names_it() -> None:
    # Art. 32, "dans les conditions prévues à l'article 32 ci-dessus", is not in our text.
    stakes = [*main(4), behind(4, "not", 0)]
    assert won("blackjack_lu", stakes, "AS 9D TC") == {"main 4": 1500, "behind 4": 750}
    closed = open_table(rules.load("blackjack_lu"), side_bets=())
    found = refusal(closed, *stakes)
    assert (found.rule, found.why) == ("art. 32", "this house does not offer behind")


def test_every_follower_of_a_seat_is_insured_however_it_is_split() -> None:
    stakes = [*main(4), behind(4, "not", 250, who="f"), behind(4, "double", 5000, who="g")]
    cards, decided = "8S AD 8C 9C TH TC", "4: insure split stand, 4.2: stand"
    found = played(LIVE, stakes, cards, decided).payments()
    insured = [each.player for each in found if each.bet == "insurance_behind"]
    assert insured == ["f", "g"]
