"""What the limits of a table may become: Luxembourg art. 37-3, France art. 47."""

import datetime
import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules import limits, minimum
from rules.limits import WrongInput
from rules.minimum import Opening, forbidden
from rules.settle import check

LU = rules.load("roulette_lu")
BOULE = rules.load("boule_fr")
DAY = 739_941


# Of each season that begins after another: its first and last day.
SPANS = {"2027-28": {"season_from": DAY + 1, "season_to": DAY + 400}}


def opened(game: Any = LU, cents: int = 500, **more: Any) -> Opening:
    choices = {"day": DAY, "season": "2026-27"} | more
    choices = SPANS.get(choices["season"], {}) | choices
    return minimum.opening(game, minimum_cents=cents, **choices)


def in_season(opening: Opening, season: str) -> Opening:
    """The same in a season that begins on that day."""
    span = {"season_from": opening.day, "season_to": opening.day + 300}
    return opening._replace(season=season, **span)


def why_not(game: Any, *past: Opening) -> str:
    """Why the last of these openings is forbidden after the others; empty if it is not."""
    found = forbidden(game, past[:-1], past[-1])
    return "" if found is None else f"{found[0]}: {found[1]}"


def test_a_first_opening_is_free() -> None:
    assert why_not(LU, opened()) == ""


@pytest.mark.parametrize("cents", [25, 333])
def test_a_minimum_that_cannot_be_staked_on_a_simple_chance_is_refused(cents: int) -> None:
    """Art. 37-2: of a simple chance « chaque joueur [...] est payé de la moitié de sa mise »."""
    with pytest.raises(WrongInput) as found:
        opened(cents=cents)
    assert found.value.sentence == (
        f"a minimum of {cents} cents cannot be staked on deux_douzaines, which may be paid or lost"
        " by half: it must be an even number of cents."
    )
    assert opened(cents=2 * cents).minimum_cents == 2 * cents
    # Where nothing is halved, every minimum can be staked.
    assert opened(rules.load("roulette_live"), cents).minimum_cents == cents
    assert opened(BOULE, cents, table_minimum_cents=2 * cents).minimum_cents == cents


@pytest.mark.req("LU-37-3.day")
@pytest.mark.parametrize("cents", [1_000, 400])
def test_the_minimum_of_a_day_may_not_be_modified(cents: int) -> None:
    """Art. 37-3: « Durant une même journée, le minimum des mises pratiqué à une table déterminée ne
    peut être modifié. »"""
    why = why_not(LU, opened(), opened(cents=cents))
    assert why.startswith("art. 37-3: « Durant une même journée, le minimum des mises pratiqué")
    assert "500 cents for the whole of this day" in why
    assert why_not(LU, opened(), opened()) == ""
    # Nor does a new season begin in the middle of a day.
    assert "même journée" in why_not(LU, opened(), opened(cents=cents, season="2027-28"))


def test_a_clock_that_was_set_back_does_not_open_another_day() -> None:
    assert "même journée" in why_not(LU, opened(), opened(cents=1_000, day=DAY - 1))
    assert why_not(LU, opened(), opened(day=DAY - 1)) == ""


def test_the_minimum_may_be_raised_from_one_day_to_the_next() -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison [...]
    le minimum des mises »."""
    assert why_not(LU, opened(), opened(cents=1_000, day=DAY + 1)) == ""


@pytest.mark.req("LU-37-3.season")
def test_the_minimum_may_not_go_down_within_a_season() -> None:
    """Art. 37-3: « jusqu'à la fin de la saison, le nouveau minimum ainsi fixé ne peut être ramené à
    un taux inférieur »."""
    first, raised = opened(), opened(cents=1_000, day=DAY + 1)
    why = why_not(LU, first, raised, opened(day=DAY + 2))
    assert why.startswith("art. 37-3: « jusqu'à la fin de la saison")
    assert "it cannot be 500 cents, for it was 1000 in this season already" in why
    later = opened(day=DAY + 300, season="2027-28", season_from=DAY + 2)
    assert why_not(LU, first, raised, later) == ""


def test_a_season_that_has_ended_does_not_come_back() -> None:
    first, next_season = opened(), opened(season="2027-28", day=DAY + 1)
    why = why_not(LU, first, next_season, opened(day=DAY + 2))
    assert "season 2026-27 has ended, for 2027-28 has begun" in why
    assert why_not(LU, first, next_season, opened(season="2027-28", day=DAY + 2)) == ""


def test_whoever_leaves_the_season_out_begins_no_other() -> None:
    named, bare = opened(cents=1_000), opened(season="", day=DAY + 1)
    assert "it cannot be 500 cents" in why_not(LU, named, bare)
    bare = opened(cents=1_000, season="", day=DAY + 1)
    assert why_not(LU, named, bare) == ""
    assert "it cannot be 500 cents" in why_not(LU, named, bare, opened(day=DAY + 2))
    # Nor does who names the first one at last end one that had no name.
    assert "it cannot be 500 cents" in why_not(LU, bare, opened(day=DAY + 2))
    later = opened(season="2027-28", day=DAY + 3, season_from=DAY + 3)
    assert why_not(LU, bare, opened(cents=1_000, day=DAY + 2), later) == ""


# --- a season has a first and a last day ------------------------------------------------------
def season(name: str, first: int, last: int, day: int, cents: int = 500) -> Opening:
    return opened(LU, cents, season=name, season_from=first, season_to=last, day=day)


def test_a_new_name_alone_begins_no_season_and_lowers_no_minimum() -> None:
    why = why_not(LU, opened(cents=1_000), opened(day=DAY + 1, season="b"))
    assert why.startswith("art. 37-3: « jusqu'à la fin de la saison » : a new season has a first")
    assert "give season_from and season_to of b" in why


@pytest.mark.parametrize(
    ("first", "last", "day", "why"),
    [
        (DAY + 10, DAY + 200, DAY + 10, "begins on 2026-12-01, and season a lasts to 2026-12-01"),
        (DAY - 50, DAY + 200, DAY + 20, "begins on 2026-10-02, and season a lasts to 2026-12-01"),
        (DAY + 11, DAY + 200, DAY + 10, "is from 2026-12-02 to 2027-06-09, and this day is 2026-1"),
        (DAY + 11, DAY + 20, DAY + 21, "is from 2026-12-02 to 2026-12-11, and this day is 2026-1"),
        (DAY + 11, DAY + 200, DAY + 11, ""),
    ],
)
def test_a_season_lies_beside_the_one_before_it(first: int, last: int, day: int, why: str) -> None:
    before = season("a", DAY - 100, DAY + 10, DAY)
    found = why_not(LU, before, season("b", first, last, day, cents=400))
    assert why in found and bool(found) is bool(why)


def test_after_a_season_without_days_the_next_begins_after_the_last_day_it_is_known_of() -> None:
    bare = opened(season="a", day=DAY + 5)
    assert "lasts to 2026-11-26" in why_not(LU, bare, season("b", DAY + 5, DAY + 9, DAY + 6))
    assert why_not(LU, bare, season("b", DAY + 6, DAY + 9, DAY + 6)) == ""


def test_the_days_of_a_season_stay_as_they_were_when_it_began() -> None:
    first = season("a", DAY - 1, DAY + 9, DAY)
    for other in (season("a", DAY - 1, DAY + 90, DAY + 1), season("a", DAY, DAY + 9, DAY + 1)):
        why = why_not(LU, first, other)
        assert "season a is from 2026-11-20 to 2026-11-30, and was not to be changed" in why
    assert why_not(LU, first, season("a", DAY - 1, DAY + 9, DAY + 9)) == ""
    # One that had none may get them.
    assert why_not(LU, opened(season="a"), season("a", DAY - 1, DAY + 9, DAY + 1)) == ""


def test_whoever_leaves_the_days_of_a_season_out_has_not_changed_them() -> None:
    first = season("a", DAY, DAY + 9, DAY)
    bare = opened(season="a", day=DAY + 10)
    said = "season a is from 2026-11-21 to 2026-11-30, and this day is 2026-12-01"
    assert said in why_not(LU, first, bare)
    assert said in why_not(LU, first, opened(season="", day=DAY + 10))
    assert why_not(LU, first, bare._replace(day=DAY + 9)) == ""


def test_a_wheel_remembers_the_latest_day_and_what_an_opening_leaves_out() -> None:
    first = season("a", DAY, DAY + 9, DAY + 5)
    for later in (opened(season="a", day=DAY + 1), opened(season="", day=DAY + 2)):
        assert minimum.carried((first,), later) == first
    assert minimum.carried((), first) == first
    other = opened(rules.load("roulette_live"), season="", day=DAY)
    assert minimum.carried((first,), other) == other


@pytest.mark.parametrize(
    "wrong",
    [
        {"season_from": DAY},
        {"season_to": DAY},
        {"season_from": DAY + 1, "season_to": DAY},
        {"season": "", "season_from": DAY, "season_to": DAY},
    ],
)
def test_a_season_has_both_days_in_their_order(wrong: dict[str, Any]) -> None:
    with pytest.raises(WrongInput, match="a season has a name, a first and a last day"):
        opened(**wrong)


@given(st.integers(1, 3_652_059))
def test_days_are_written_as_the_calendar_has_them(day: int) -> None:
    assert minimum._date(day) == datetime.date.fromordinal(day).isoformat()


SOME = st.tuples(
    st.integers(0, 9), st.integers(1, 6), st.sampled_from("abc"), st.integers(-3, 3),
    st.integers(0, 9),
)  # fmt: skip


@given(st.lists(SOME, max_size=30))
def test_whatever_seasons_are_tried_none_overlaps_and_none_has_a_lower_minimum(
    tried: list[tuple[int, int, str, int, int]],
) -> None:
    day, past = DAY, []
    for later, units, name, begins, lasts in tried:
        day += later
        now = season(name, day + begins, day + begins + lasts, day, 100 * units)
        if forbidden(LU, tuple(past), now) is None:
            past.append(now)
    spans = {one.season: (one.season_from, one.season_to) for one in past}
    in_order = sorted(spans.values())
    assert all(one[1] < other[0] for one, other in itertools.pairwise(in_order))
    for at, one in enumerate(past):
        assert one.season_from <= one.day <= one.season_to
        for other in past[at + 1 :]:
            if one.season == other.season:
                assert one.minimum_cents <= other.minimum_cents


def test_the_director_raises_the_minimum_of_the_authorisation_and_the_maxima_rise_with_it() -> None:
    """Art. 37-3: « Le minimum des mises est fixé par arrêté du Ministre des Finances. Toutefois, le
    directeur responsable a la possibilité d'augmenter en cours de saison [...] le minimum des mises
    fixé par l'arrêté d'autorisation [...]. Il est alors tenu d'augmenter les maxima des mises. »"""
    raised = opened(table_minimum_cents=700, day=DAY + 1)
    assert (raised.minimum_cents, raised.table_minimum_cents) == (500, 700)
    assert why_not(LU, opened(), raised) == ""
    assert "it cannot be 500 cents" in why_not(LU, opened(), raised, opened(day=DAY + 2))
    table = limits.open_table(LU, 500, None, 700)
    assert table.positions["plein"][(17,)].maximum_cents == 20 * 700
    stake = {"player": "p1", "bet": "plein", "on": [17], "cents": 14_001}
    refusal = check(table, stake, {})
    assert refusal is not None
    assert refusal.why == "14001 cents are over the maximum of 14000, 20 times the minimum of 700"
    assert check(table, stake | {"cents": 699}, {}).why == "699 cents are under the minimum of 700"


def test_with_a_higher_minimum_the_maxima_rise() -> None:
    """Art. 37-3: « Il est alors tenu d'augmenter les maxima des mises. »"""
    raised = opened(cents=1_000, day=DAY + 1)
    assert raised.maximum_multiples == opened().maximum_multiples  # so they do
    multiples = dict(raised.maximum_multiples)
    multiples["cheval"] = 20  # the same maximum as before; no table of art. 37-3 opens so
    why = why_not(LU, opened(), raised._replace(maximum_multiples=multiples))
    assert "tenu d'augmenter les maxima" in why
    assert "the maximum of cheval is not above 20000 cents" in why


@pytest.mark.req("FR-47.season")
def test_a_boule_table_opened_at_twice_the_minimum_stays_there_for_the_season() -> None:
    """Art. 47: « des tableaux à mise minimale égale à deux fois le minimum [...]. Jusqu'à la fin de
    la saison, ce minimum ne peut être ramené au taux inférieur. »"""
    single = opened(BOULE, 200)
    double = opened(BOULE, 200, table_minimum_cents=400, day=DAY + 1)
    back = opened(BOULE, 200, day=DAY + 2)
    assert why_not(BOULE, single, double) == ""
    why = why_not(BOULE, single, double, back)
    assert why.startswith("art. 47: « Jusqu'à la fin de la saison, ce minimum ne peut être ramené")
    assert why_not(BOULE, double, in_season(back, "2027-28")) == ""


@pytest.mark.req("FR-47.season")
@pytest.mark.parametrize("name", ["boule_fr", "vingt_trois_fr"])
def test_the_maxima_of_a_season_do_not_vary(name: str) -> None:
    """Art. 47: « Le maximum des mises est fixé par l'établissement au commencement de la saison et
    ne peut ensuite varier d'une séance à l'autre. »"""
    game = rules.load(name)
    first = opened(game, 200, maximum_multiples={"plein": 50})
    for multiple in (45, 40):
        other = opened(game, 200, maximum_multiples={"plein": multiple}, day=DAY + 1)
        why = why_not(game, first, other)
        assert why.startswith("art. 47: « Le maximum des mises est fixé par l'établissement")
        assert f"that of plein is 10000 cents in this season, and would be {multiple * 200}" in why
        assert why_not(game, first, in_season(other, "2027-28")) == ""
    assert why_not(game, first, opened(game, 200, maximum_multiples={"plein": 50})) == ""


def test_live_roulette_asks_nothing() -> None:
    """003, section 1, has nothing on a change of limits."""
    live = rules.load("roulette_live")
    for more in ({"cents": 100}, {"cents": 900}, {"maximum_multiples": {"plein": 3}}):
        assert why_not(live, opened(live), opened(live, **more)) == ""
    assert why_not(live, opened(live), opened(live, season="b"), opened(live)) == ""


def test_another_game_in_between_changes_nothing() -> None:
    live = rules.load("roulette_live")
    assert why_not(LU, opened(live, 1_000), opened()) == ""
    assert "même journée" in why_not(LU, opened(), opened(live, 9), opened(cents=1_000))


def test_limits_that_no_opening_may_have_are_refused_at_once() -> None:
    with pytest.raises(WrongInput, match="maximum_multiples of plein"):
        opened(maximum_multiples={"plein": 21})
    with pytest.raises(WrongInput, match="table_minimum_cents"):
        opened(table_minimum_cents=400)


def test_only_news_is_recorded() -> None:
    first = opened()
    assert minimum.is_news((), first)
    assert not minimum.is_news((first,), opened())
    assert minimum.is_news((first,), opened(day=DAY + 1))
    assert not minimum.is_news((first,), opened(day=DAY - 1))
    assert minimum.is_news((first,), opened(season="2027-28"))


@pytest.mark.parametrize("game", rules.WHEEL_GAMES)
def test_a_record_says_what_was_opened(game: str) -> None:
    now = opened(rules.load(game), 500)
    assert minimum.parse(json.loads(json.dumps(minimum.body(now)))) == now


@pytest.mark.parametrize(
    "change", [{"day": "1"}, {"minimum_cents": 5.0}, {"maximum_multiples": []}]
)
def test_what_is_no_record_of_an_opening_is_not_believed(change: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        minimum.parse(minimum.body(opened()) | change)
    with pytest.raises(KeyError):
        minimum.parse({})


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 6), st.sampled_from("ab")), max_size=30)
)
def test_whatever_is_tried_a_day_has_one_minimum_and_a_season_never_a_lower_one(
    tried: list[tuple[int, int, str]],
) -> None:
    day, past = DAY, []
    for later, units, season in tried:
        day += later
        now = opened(cents=100 * units, day=day, season=season)
        if forbidden(LU, tuple(past), now) is None and minimum.is_news(tuple(past), now):
            past.append(now)
    for at, one in enumerate(past):
        for other in past[at + 1 :]:
            if one.day == other.day:
                assert one.minimum_cents == other.minimum_cents
            if one.season == other.season:
                assert one.minimum_cents <= other.minimum_cents
    seasons = [one.season for one in past]
    assert seasons == sorted(seasons, key=seasons.index)


def test_what_did_not_prove_itself_is_taken_back_on_its_day() -> None:
    first, tried = opened(day=DAY - 3), opened(cents=600, day=DAY)
    assert minimum.is_way_back((first, tried), opened())
    assert minimum.is_way_back((first, tried, tried), opened())
    assert minimum.is_way_back((first, opened(BOULE), tried), opened(day=DAY - 1))
    assert not minimum.is_way_back((first, tried), opened(day=DAY + 1))
    assert not minimum.is_way_back((first, tried, tried._replace(day=DAY + 1)), opened(day=DAY + 1))
    assert not minimum.is_way_back((first, tried), opened(cents=700))
    assert not minimum.is_way_back((first, opened(cents=700, day=DAY - 2), tried), opened())
    assert not minimum.is_way_back((tried,), opened())
    assert not minimum.is_way_back((), opened())
