"""What is told of the last numbers, and of the limits."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.bus.messages import Table
from firmware.services.display.scene import limits_of
from firmware.services.display.tally import SHOWN, WINDOW_MAX, Book, Outcome
from firmware.text.display_words import BETS, SIMPLE

ROULETTE = rules.load("roulette_lu")
POCKETS = list(zip(ROULETTE["layout"], ROULETTE["colours"], strict=True))
RED, BLACK, ZERO = (36, "red"), (17, "black"), (0, "green")


def book(outcomes: list[Outcome], *, game: str = "roulette", first: int = 1) -> Book:
    made = Book()
    made.add_outcomes(game, [((1, coup), told) for coup, told in enumerate(outcomes, first)])
    return made


def test_there_is_no_tally_before_the_first_number() -> None:
    assert Book().tally() is None
    assert book([None]).tally() is None


def test_voids_do_not_count_and_zero_belongs_to_no_simple_chance() -> None:
    told = book([RED, None, BLACK, BLACK, ZERO]).tally()
    assert told is not None
    assert told.window == 4
    assert [[share.count for share in pair] for pair in told.pairs] == [[1, 2], [2, 1], [2, 1]]
    assert told.pairs[0][0].chance == "red"
    assert told.pairs[2] == (("1 to 18", 2), ("19 to 36", 1))


@pytest.mark.parametrize(
    ("game", "outcomes", "counts"),
    [
        ("vingt_trois", [(7, "red"), (7, "black"), (13, "white")], [[1, 1]]),
        ("boule", [(5, "yellow"), (9, "red"), (1, "black")], [[1, 1], [2, 0], [1, 1]]),
    ],
)
def test_each_game_has_its_own_chances(game: str, outcomes: Any, counts: Any) -> None:
    told = book(outcomes, game=game).tally()
    assert told is not None
    assert [[share.count for share in pair] for pair in told.pairs] == counts


def test_hot_came_most_often_then_last_and_cold_has_been_away_longest() -> None:
    told = book([BLACK, RED, RED, BLACK, ZERO, (5, "red")], game="roulette").tally()
    assert told is not None
    assert (told.hot, told.hot_more) == (((17, 2), (36, 2)), 0)
    assert [ago for _, ago in told.cold] == [None] * SHOWN
    assert told.cold_more == 37 - 4 - SHOWN
    every = book([*POCKETS, POCKETS[1]]).tally()
    assert every is not None
    assert every.cold[:2] == ((POCKETS[0][0], 38), (POCKETS[2][0], 36))
    assert every.cold_more == 0


def test_a_correction_takes_the_place_of_what_was_told() -> None:
    made = book([RED, RED])
    made.add_outcomes("roulette", [((1, 2), BLACK)])
    told = made.tally()
    assert told is not None
    assert [share.count for share in told.pairs[0]] == [1, 1]


def test_a_coup_that_was_missed_ends_the_window_until_it_is_told() -> None:
    made = book([RED] * 5)
    made.add_outcomes("roulette", [((1, 9), BLACK)])
    told = made.tally()
    assert told is not None and told.window == 1
    made.add_outcomes("roulette", [((1, coup), None) for coup in (6, 7, 8)])
    told = made.tally()
    assert told is not None and told.window == 6


def test_another_game_or_epoch_begins_anew() -> None:
    made = book([RED] * 5)
    made.add_outcomes("roulette", [((2, 6), BLACK)])
    told = made.tally()
    assert told is not None and told.window == 1
    made.add_outcomes("boule", [((2, 7), (1, "black"))])
    told = made.tally()
    assert told is not None and told.window == 1


@given(st.lists(st.one_of(st.none(), st.sampled_from(POCKETS)), max_size=900))
def test_the_window_has_a_limit_and_its_sums_are_right(outcomes: list[Outcome]) -> None:
    made = Book()
    for at in range(0, len(outcomes), 20):
        made.add_outcomes(
            "roulette",
            [((1, at + place), told) for place, told in enumerate(outcomes[at : at + 20])],
        )
    numbers = [told for told in outcomes if told is not None]
    found = made.tally()
    if not numbers:
        assert found is None
        return
    assert found is not None
    assert 0 < found.window <= min(len(numbers), WINDOW_MAX)
    last = numbers[-found.window :]
    zeros = sum(number == 0 for number, _ in last)
    for one, other in found.pairs:
        assert one.count + other.count == found.window - zeros
    for number, count in found.hot:
        assert [n for n, _ in last].count(number) == count > 1


# --- limits --------------------------------------------------------------------------------------
def maxima(table: Table) -> dict[str, int | None]:
    found = limits_of(table)
    assert found is not None
    return {bet: limit.maximum_cents for limit in found.maxima for bet in limit.bets}


def test_maxima_are_multiples_of_the_minimum() -> None:
    """Luxembourg, art. 37-3: "Sur les chances simples à 360 fois le minimum"."""
    told = maxima(Table("roulette_lu", "T", 500, 500, (), None))
    assert (told["plein"], told["cheval"], told["carre"]) == (10_000, 20_000, 40_000)
    assert told[SIMPLE] == 180_000


def test_what_the_house_chose_and_a_doubled_minimum_count() -> None:
    """France, art. 47: boule tables "à mise minimale égale à deux fois le minimum"."""
    found = limits_of(Table("boule_fr", "T", 200, 400, (("plein", 100), ("rouge", 200)), None))
    assert found is not None
    assert found.minimum_cents == 400
    assert [limit.maximum_cents for limit in found.maxima] == [20_000, 40_000]


def test_a_game_without_maxima_says_so_in_one_line() -> None:
    found = limits_of(Table("roulette_live", "T", 100, 100, (), None))
    assert found is not None
    assert [limit.maximum_cents for limit in found.maxima] == [None]


@pytest.mark.parametrize(
    "table",
    [
        None,
        Table("no_such_rules", "T", 500, 500, (), None),
        Table("roulette_lu", "T", 0, 0, (), None),
        Table("roulette_lu", "T", 500, 400, (), None),
        Table("boule_fr", "T", 500, 1500, (), None),
        Table("roulette_lu", "T", 500, 500, (("plein", 99),), None),
    ],
)
def test_limits_that_are_not_known_or_not_allowed_are_none(table: Table | None) -> None:
    assert limits_of(table) is None


def test_every_bet_has_a_name() -> None:
    for name in rules.WHEEL_GAMES:
        found = limits_of(Table(name, "T", 500, 500, (), None))
        assert found is not None
        for limit in found.maxima:
            assert set(limit.bets) <= set(BETS)
