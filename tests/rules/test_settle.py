"""The settlement engine: what it refuses, and what it keeps whatever it is given."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import cloth
from rules.settle import FORM, WrongInput, accept, check, colour_of, key, open_table, settle

GOOD = {"player": "p1", "bet": "plein", "on": [17], "cents": 500}
TABLES = {name: open_table(rules.load(name), 500) for name in rules.WHEEL_GAMES}
LU = TABLES["roulette_lu"]


@pytest.mark.parametrize(
    ("change", "rule", "why"),
    [
        ({"cents": -500}, FORM, "cents must be from 1"),
        ({"cents": 0}, FORM, "cents must be from 1"),
        ({"cents": 10**12 + 1}, FORM, "cents must be from 1 to 1000000000000"),
        ({"cents": 500.0}, FORM, "cents must be a whole number"),
        ({"cents": 500.5}, FORM, "cents must be a whole number"),
        ({"cents": "500"}, FORM, "cents must be a whole number"),
        ({"cents": True}, FORM, "cents must be a whole number"),
        ({"cents": None}, FORM, "cents must be a whole number"),
        ({"euros": 5}, FORM, 'there is no "euros" in a stake'),
        ({"player": ""}, FORM, "player must be a text that is not empty"),
        ({"player": " "}, FORM, "player must be a text that is not empty"),
        ({"player": 7}, FORM, "player must be a text"),
        ({"player": "a\x1b[2J"}, FORM, "player must be a text without control characters"),
        ({"player": "\ud800"}, FORM, "player must be a text without control characters"),
        ({"player": "p" * 65}, FORM, "player must have 64 characters at most"),
        ({"bet": 7}, FORM, "bet must be a text"),
        ({"bet": ["plein"]}, FORM, "bet must be a text"),
        ({"on": 17}, FORM, "on must be a list"),
        ({"on": None}, FORM, "on must be a list"),
        ({"on": ["17"]}, FORM, "on must be a list of whole numbers"),
        ({"on": [17.0]}, FORM, "on must be a list of whole numbers"),
        ({"on": [True]}, FORM, "on must be a list of whole numbers"),
        ({"on": [[17]]}, FORM, "on must be a list of whole numbers"),
        ({"on": [10**5000]}, FORM, "on must be a list of whole numbers"),
        ({"bet": "zero"}, "art. 37-2", 'there is no bet "zero" in roulette_lu: its bets are plein'),
        ({"bet": "\n"}, "art. 37-2", "there is no bet this in"),
        ({"on": [37]}, "art. 37-2", "there is no 37 on the cloth"),
        ({"on": [-1]}, "art. 37-2", "there is no -1 on the cloth"),
        ({"on": []}, "art. 37-2", "plein is on one number, not on 0"),
        ({"on": [1, 2]}, "art. 37-2", "plein is on one number, not on 2"),
        ({"bet": "rouge"}, "art. 37-2", "rouge is on no numbers: its on is []"),
        ({"on": [16], "cents": 499}, "art. 37-3", "499 cents are under the minimum of 500"),
        (
            {"bet": "rouge", "on": [], "cents": 501},
            FORM,
            "501 cents are odd: a stake on rouge may be paid or lost by half",
        ),
        ({"bet": "deux_colonnes", "on": [1, 2], "cents": 501}, FORM, "501 cents are odd"),
    ],
)
def test_a_stake_that_is_wrong_is_refused_with_rule_and_reason(
    change: dict[str, Any], rule: str, why: str
) -> None:
    wrong = GOOD | change
    accepted, (refusal,) = accept(LU, [GOOD, wrong, GOOD])
    assert accepted == [GOOD, GOOD]
    assert refusal.stake is wrong
    assert (refusal.rule, refusal.why[: len(why)]) == (rule, why)


@pytest.mark.parametrize(
    ("bet", "on", "why"),
    [
        ("cheval", [1, 36], "1 and 36 are not neighbours on the cloth"),
        ("cheval", [3, 4], "3 and 4 are not neighbours on the cloth"),
        ("cheval", [0, 4], "0 and 4 are not neighbours on the cloth"),
        ("cheval", [17], "cheval is on two numbers, not on 1"),
        ("cheval", [17, 17], "17 stands twice in on"),
        ("cheval", [20, 17], "on must be sorted: [17, 20] and not [20, 17]"),
        ("cheval", [36, 37], "there is no 37 on the cloth"),
        ("transversale", [2, 3, 4], "2, 3 and 4 are not a row of the cloth"),
        ("transversale", [0, 1, 3], "0, 1 and 3 are not a row of the cloth"),
        ("carre", [3, 4, 6, 7], "3, 4, 6 and 7 do not meet in one corner of the cloth"),
        ("carre", [34, 35, 36, 37], "there is no 37 on the cloth"),
        ("sixain", [2, 3, 4, 5, 6, 7], "2, 3, 4, 5, 6 and 7 are not two neighbouring rows"),
        ("sixain", [0, 1, 2, 3, 4, 5], "no sixain has the zero here"),
        ("douzaine", [4], "the dozens are 1, 2 and 3, so there is no 4"),
        ("douzaine", [0], "the dozens are 1, 2 and 3, so there is no 0"),
        ("deux_douzaines", [3, 4], "the dozens are 1, 2 and 3, so there is no 4"),
        ("colonne", [1, 2], "colonne is on one column, not on 2"),
        ("deux_douzaines", [1, 3], "the dozens 1 and 3 do not lie side by side"),
        ("deux_colonnes", [2, 1], "on must be sorted: [1, 2] and not [2, 1]"),
        ("deux_colonnes", [1], "deux_colonnes is on two columns, not on 1"),
    ],
)
def test_a_place_that_the_cloth_does_not_have_is_refused(bet: str, on: list[int], why: str) -> None:
    refusal = check(LU, GOOD | {"bet": bet, "on": on}, {})
    assert refusal is not None
    assert (refusal.rule, refusal.why[: len(why)]) == ("art. 37-2", why)


@pytest.mark.parametrize("missing", ["player", "bet", "on", "cents"])
def test_a_stake_without_one_of_its_keys_is_refused(missing: str) -> None:
    refusal = check(LU, {name: GOOD[name] for name in GOOD if name != missing}, {})
    assert refusal is not None
    assert refusal.why == f"{missing} is missing"


@pytest.mark.parametrize("thing", [17, None, "plein", [], {}])
def test_what_is_no_stake_at_all_is_refused(thing: object) -> None:
    refusal = check(LU, thing, {})
    assert refusal is not None
    assert (refusal.stake, refusal.rule) == (thing, FORM)


def test_a_stake_is_checked_against_what_the_player_has_there_already() -> None:
    placed = {key(GOOD): 9_500}
    assert check(LU, GOOD, placed) is None
    placed[key(GOOD)] += 1
    refusal = check(LU, GOOD, placed)
    assert refusal is not None and refusal.rule == "art. 37-3"
    assert check(LU, GOOD | {"player": "p2"}, placed) is None
    assert check(LU, GOOD | {"on": [16]}, placed) is None
    assert placed == {key(GOOD): 9_501}


def taken(*cents: int, minimum_cents: int = 1_000, **more: Any) -> tuple[list[int], list[str]]:
    """What is accepted of so many cents on one place, and why the others are refused."""
    table = open_table(rules.load("roulette_lu"), minimum_cents)
    accepted, refused = accept(table, [GOOD | {"cents": each} | more for each in cents])
    return [stake["cents"] for stake in accepted], [refusal.why for refusal in refused]


@pytest.mark.parametrize("order", [(2_500, 500), (500, 2_500), (400, 600), (500, 500, 500)])
def test_a_minimum_holds_for_the_sum_on_a_place_in_whatever_order(order: tuple[int, ...]) -> None:
    """Seeds 003, s. 1.2: « si vous souhaitez miser 30 euros, vous cliquez sur un jeton
    de 25 euros puis vous le placez sur la table. Ensuite, cliquez sur un jeton de 5 euros puis
    déposez-le sur le jeton de 25 euros »: with a minimum of 10 euros, the 5 lie there too."""
    assert taken(*order) == (list(order), [])


def test_too_little_in_all_is_refused_stake_by_stake_with_the_sum() -> None:
    under = "999 cents are under the minimum of 1000"
    assert taken(500, 499) == ([], [under, under])
    # Another place or another player is no part of the sum.
    table = open_table(rules.load("roulette_lu"), 1_000)
    for other in ({"on": [16]}, {"player": "p2"}):
        stakes: list[object] = [GOOD, GOOD | other]
        assert [each.stake for each in accept(table, stakes)[1]] == stakes


@pytest.mark.parametrize(
    ("order", "kept", "why"),
    [
        ((15_000, 6_000), [15_000], "21000 cents are over the maximum of 20000, 20 times"),
        ((6_000, 15_000), [6_000], "21000 cents are over the maximum of 20000, 20 times"),
        ((500, 20_000), [20_000], "500 cents are under the minimum of 1000"),
        ((20_000, 500), [20_000], "20500 cents are over the maximum of 20000, 20 times"),
        ((600, 19_400, 600), [600, 19_400], "20600 cents are over the maximum of 20000, 20 times"),
    ],
)
def test_more_than_the_maximum_in_all_is_judged_as_it_comes(
    order: tuple[int, ...], kept: list[int], why: str
) -> None:
    accepted, (refused,) = taken(*order)
    assert (accepted, refused[: len(why)]) == (kept, why)


def test_what_is_no_stake_is_no_part_of_the_sum() -> None:
    """An odd stake on red does not carry another over the minimum."""
    accepted, refused = taken(999, 500, bet="rouge", on=[])
    assert accepted == []
    assert refused[1] == "500 cents are under the minimum of 1000"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"minimum_cents": 0}, "minimum_cents must be a whole number from 1"),
        ({"minimum_cents": True}, "minimum_cents must be a whole number"),
        ({"minimum_cents": 5.0}, "minimum_cents must be a whole number"),
        ({"maximum_multiples": [20]}, "maximum_multiples must be an object"),
        ({"maximum_multiples": {"zero": 20}}, 'there is no bet "zero" in roulette_lu'),
        ({"maximum_multiples": {"plein": True}}, "of plein must be a whole number"),
        ({"maximum_multiples": {"plein": "20"}}, "of plein must be a whole number"),
        ({"table_minimum_cents": -1}, "table_minimum_cents must be a whole number"),
    ],
)
def test_limits_that_are_none_open_no_table(more: dict[str, Any], why: str) -> None:
    with pytest.raises(WrongInput, match=why):
        open_table(**({"rules": rules.load("roulette_lu"), "minimum_cents": 500} | more))


@pytest.mark.parametrize(
    ("number", "compartment", "why"),
    [
        (37, None, "number must be one of roulette_lu: a whole number from 0 to 36"),
        (True, None, "number must be"),
        ("17", None, "number must be"),
        (17.0, None, "number must be"),
        (None, None, "number must be"),
        (17, 37, "compartment must be a whole number from 0 to 36, or null"),
        (17, -1, "compartment must be"),
        (32, True, "compartment must be"),
        (17, "8", "compartment must be"),
        (17, 7, "contradict each other: compartment 7 of roulette_lu has 25, not 17"),
    ],
)
def test_an_outcome_that_the_layout_does_not_have_settles_nothing(
    number: Any, compartment: Any, why: str
) -> None:
    with pytest.raises(WrongInput, match=why):
        settle(LU, [GOOD], number, compartment)


def test_an_order_nobody_verified_is_called_so_where_it_is_shown() -> None:
    with pytest.raises(WrongInput, match="UNVERIFIED"):
        colour_of(rules.load("vingt_trois_fr"), 7, 0)


# Stakes of all kinds: mostly on the cloth, some not, some that are no stakes.
def stakes_on(name: str) -> st.SearchStrategy[list[Any]]:
    places = [(bet.name, on) for bet in TABLES[name].rules["bets"] for on in cloth.positions(bet)]
    lists = st.lists(st.integers(-1, 40), max_size=6)
    good = st.builds(
        lambda player, place, cents: {
            "player": player, "bet": place[0], "on": list(place[1]), "cents": cents,
        },
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(places),
        st.integers(200, 12_000),
    )  # fmt: skip
    names = st.sampled_from(sorted({place[0] for place in places}))
    odd = st.fixed_dictionaries(
        {"player": st.text(max_size=3), "bet": names, "on": lists, "cents": st.integers()},
        optional={"euros": st.integers()},
    )
    return st.lists(good | odd | st.none() | st.dictionaries(names, lists), max_size=25)


CASES = st.sampled_from(rules.WHEEL_GAMES).flatmap(
    lambda name: st.tuples(
        st.just(TABLES[name]),
        stakes_on(name),
        st.integers(0, len(TABLES[name].rules["layout"]) - 1),
    )
)


@settings(deadline=None, max_examples=150)
@given(CASES)
def test_any_stakes_are_settled_in_order_and_refused_ones_touch_nothing(case: Any) -> None:
    table, stakes, at = case
    number = table.rules["layout"][at]
    accepted, refused = accept(table, stakes)
    assert len(accepted) + len(refused) == len(stakes)
    assert all(refusal.rule and refusal.why for refusal in refused)
    # Without the refused ones, the same: and once more, the same.
    assert accept(table, accepted) == (accepted, [])
    before = json.dumps(accepted)
    paid = settle(table, accepted, number, at)
    assert settle(table, accepted, number, at) == paid
    assert json.dumps(accepted) == before
    # Every stake once, whole cents, its player's group together, in the order of payment.
    assert sorted((p.player, p.bet, p.on, p.stake_cents) for p in paid) == sorted(
        (s["player"], s["bet"], tuple(s["on"]), s["cents"]) for s in accepted
    )
    assert all(type(p.won_cents) is int for p in paid)
    assert all(p.returned_cents == p.stake_cents + p.won_cents >= 0 for p in paid)
    players = list(dict.fromkeys(s["player"] for s in accepted))
    ranks = [(players.index(p.player), table.positions[p.bet][p.on].rank) for p in paid]
    assert ranks == sorted(ranks)
    # One player's sum on a place is within its maximum.
    sums: dict[Any, int] = {}
    for stake in accepted:
        sums[key(stake)] = sums.get(key(stake), 0) + stake["cents"]
    for (_, name, on), total in sums.items():
        maximum = table.positions[name][on].maximum_cents
        assert maximum is None or total <= maximum
