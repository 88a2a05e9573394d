"""Announced bets: composed of what the text allows, all of it or nothing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import announced_bets, layouts
from rules.settle import accept, check, compose, key, open_table, settle

LU, LIVE = rules.load("roulette_lu"), rules.load("roulette_live")
TABLE = open_table(LU, 500)


def stake(bet: str, on: tuple[int, ...] = (), cents: int = 500, player: str = "p1") -> Any:
    return {"player": player, "bet": bet, "on": list(on), "cents": cents}


def numbers(name: str) -> list[int]:
    return sorted({number for _, on, _ in announced_bets.pieces(name, ()) for number in on})


def arc(first: int, last: int) -> list[int]:
    """The numbers of the wheel from one to the other, as they lie in it."""
    ring = list(layouts.EUROPEAN["layout"])
    start = ring.index(first)
    turned = ring[start:] + ring[:start]
    return sorted(turned[: turned.index(last) + 1])


def test_the_compositions_cover_the_arcs_of_the_wheel_and_each_number_once() -> None:
    assert numbers("voisins") == arc(22, 25)
    assert numbers("tiers") == arc(27, 33)
    assert numbers("orphelins_jeu") == sorted([*arc(17, 6), *arc(1, 9)])
    together = [*numbers("voisins"), *numbers("tiers"), *numbers("orphelins_jeu")]
    assert sorted(together) == list(range(37))


@pytest.mark.parametrize(
    ("name", "on", "pieces"),
    [("voisins", (), 9), ("tiers", (), 6), ("orphelins_jeu", (), 5), ("finale", (4,), 4),
     ("finale", (7,), 3), ("finale", (0,), 4)],
)  # fmt: skip
def test_as_many_pieces_lie_as_the_trade_counts(
    name: str, on: tuple[int, ...], pieces: int
) -> None:
    accepted, refused = accept(TABLE, [stake(name, on)])
    assert refused == []
    assert sum(each["cents"] for each in accepted) == pieces * 500
    assert all(each["bet"] in ("plein", "cheval", "transversale", "carre") for each in accepted)


def test_art_37_2_what_it_is_composed_of_is_paid_as_that() -> None:
    """« Les joueurs ne peuvent faire usage que des combinaisons suivantes »: 0 is in the
    transversale of two pieces, « onze fois la mise »."""
    accepted, _ = accept(TABLE, [stake("voisins")])
    won = {(each.bet, each.on): each.won_cents for each in settle(TABLE, accepted, 0)}
    assert won.pop(("transversale", (0, 2, 3))) == 11 * 1_000
    assert sum(won.values()) == -7 * 500


def test_live_1_3_voisins_are_refused_for_no_transversale_has_the_zero() -> None:
    """« Cheval: [...] deux numéros (autres que le zéro) »; nothing but plein is said to have it."""
    table = open_table(LIVE, 100, {"plein": 40, "cheval": 40, "transversale": 40, "carre": 40})
    given_ = [stake("voisins"), stake("tiers"), stake("orphelins_jeu"), stake("finale", (0,))]
    accepted, (refused,) = accept(table, given_)
    assert refused.stake is given_[0]
    assert (refused.rule, refused.why) == ("s. 1.3", "no transversale has the zero here")
    assert len(accepted) == 6 + 5 + 4


def test_all_of_it_lies_or_nothing() -> None:
    """One piece too many on 17-20: the other four do not lie either."""
    full = stake("cheval", (17, 20), 40 * 500)
    asked = stake("orphelins_jeu")
    accepted, (refused,) = accept(TABLE, [full, asked])
    assert accepted == [full]
    assert refused.stake is asked
    assert refused.why.startswith("20500 cents are over the maximum of 20000, 40 times")


def test_what_is_refused_carries_no_other_stake_over_the_minimum() -> None:
    """The piece on 1 would make 500 of 400 there; but that announced bet does not lie."""
    full = stake("cheval", (17, 20), 40 * 500)
    small = stake("plein", (1,), 400)
    accepted, refused = accept(TABLE, [full, small, stake("orphelins_jeu", cents=100)])
    assert accepted == [full]
    assert refused[0].why == "400 cents are under the minimum of 500"


def test_a_bet_that_does_not_lie_keeps_no_other_from_lying() -> None:
    """The finale's piece on 1 does not lie, for its piece on 11 is too much: there is room."""
    full = stake("plein", (11,), 9_000)
    finale, orphelins = stake("finale", (1,), 3_000), stake("orphelins_jeu", cents=8_000)
    accepted, (refused,) = accept(TABLE, [full, finale, orphelins])
    assert refused.stake is finale
    assert accepted == [full, *compose(LU, orphelins)]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (stake("finale", (10,)), "finale is on one digit, from 0 to 9"),
        (stake("finale", ()), "finale is on one digit, from 0 to 9"),
        (stake("finale", (1, 2)), "finale is on one digit, from 0 to 9"),
        (stake("voisins", (17,)), "voisins is on no numbers: its on is []"),
        (stake("tiers", cents=499), "499 cents are under the minimum of 500"),
    ],
)
def test_a_wrong_announced_bet_is_refused(wrong: Any, why: str) -> None:
    accepted, (refused,) = accept(TABLE, [wrong])
    assert (accepted, refused.stake, refused.why) == ([], wrong, why)


def test_where_one_stake_is_asked_for_an_announced_bet_is_none() -> None:
    refusal = check(TABLE, stake("tiers"), {})
    assert refusal is not None
    assert refusal.why == "tiers is announced for several stakes: give each of them"


@pytest.mark.parametrize("game", ["boule_fr", "vingt_trois_fr"])
def test_only_a_roulette_has_them(game: str) -> None:
    accepted, (refused,) = accept(open_table(rules.load(game), 500), [stake("tiers")])
    assert accepted == []
    assert refused.why.startswith('there is no bet "tiers" in ')


ANNOUNCED = st.builds(
    stake,
    st.sampled_from(announced_bets.NAMES),
    st.sampled_from([(), (3,), (8,), (0,)]),
    st.integers(1, 120).map(lambda half: 100 * half),
    st.sampled_from(["p1", "p2"]),
)
PLAIN = st.builds(
    stake,
    st.sampled_from(["plein"]),
    st.integers(0, 36).map(lambda number: (number,)),
    st.integers(1, 120).map(lambda half: 100 * half),
    st.sampled_from(["p1", "p2"]),
)


@given(st.lists(ANNOUNCED | PLAIN, max_size=12))
def test_whatever_is_announced_the_places_keep_the_limits_and_each_bet_lies_whole(
    stakes: list[Any],
) -> None:
    accepted, refused = accept(TABLE, stakes)
    out = [id(each.stake) for each in refused]
    lies = [part for each in stakes if id(each) not in out for part in compose(LU, each)]
    assert accepted == lies
    placed: dict[Any, int] = {}
    for each in accepted:
        placed[key(each)] = placed.get(key(each), 0) + each["cents"]
    for (_, bet, on), cents in placed.items():
        maximum = TABLE.positions[bet][on].maximum_cents
        assert TABLE.floor_cents <= cents and (maximum is None or cents <= maximum)
    # None is refused that could lie beside all that does.
    for one in refused:
        assert accept(TABLE, [*lies, one.stake])[1]
