"""The key switches of a table: two keys and a button enter the number that was not detected."""

from __future__ import annotations

from typing import Any

import pytest
from harness.places import LAYOUT, LINES
from harness.playing import ROULETTE
from harness.stage import brought, session_of
from harness.watched import Watched
from harness.wheel import WheelSession

import boards
import rules
from firmware.core import facts
from firmware.core.controller import Controller
from firmware.core.coup import manual, states
from firmware.core.house import HOUSE, House
from firmware.core.sense.button import BOUNCE_US

CROUPIER, MANAGEMENT, COUNT = (len(LINES) + at for at in range(3))
KEYS = tuple((name, 90 + at) for at, name in enumerate(manual.LINES))
OWN = tuple((name, pin) for name, pin in ROULETTE.board["inputs"] if name in LINES)
KEYED = ROULETTE.board | {"inputs": OWN + KEYS}


def keyed(state: str = states.BALL_DROPPED, house: House = HOUSE) -> Watched:
    """A core with keys that has just come to that state."""
    return keyed_in(session_of(), state, house)


def keyed_in(session: WheelSession, state: str, house: House = HOUSE) -> Watched:
    return brought(Watched(Controller(KEYED, ROULETTE.rules, house=house)), session, state)


def turn(watched: Watched, line: int, level: int = 1) -> None:
    watched.edge(watched.at_us + 2 * BOUNCE_US, line, level)


def count(watched: Watched, presses: int) -> None:
    for _ in range(presses):
        turn(watched, COUNT, 1)
        turn(watched, COUNT, 0)


def shown(watched: Watched) -> list[Any]:
    return [fact.number for fact in watched.facts if isinstance(fact, facts.NumberKeyed)]


@pytest.mark.req("FR-67-5.management")
@pytest.mark.parametrize("number", [0, 1, 17, 36])
def test_two_keys_and_a_button_enter_a_number(number: int) -> None:
    """Art. 67-5: the croupier, in the presence of a member of the management, each with his own."""
    watched = keyed()
    turn(watched, CROUPIER)
    count(watched, number + 1)
    assert shown(watched) == list(range(number + 1))
    turn(watched, MANAGEMENT)
    (end,) = watched.ends
    assert (end.number, end.compartment) == (number, LAYOUT.index(number))
    body = watched.durable[-1][1]
    assert body["manual"] == ["key_croupier", "key_management"]
    assert watched.evidence()["why"] == "keys"


def test_after_the_highest_number_it_counts_from_the_lowest() -> None:
    watched = keyed()
    turn(watched, CROUPIER)
    count(watched, 38)
    assert shown(watched)[-2:] == [36, 0]


@pytest.mark.parametrize("back_first", [True, False])
def test_the_croupiers_key_turned_back_forgets_the_number(back_first: bool) -> None:
    watched = keyed()
    turn(watched, CROUPIER)
    count(watched, 5)
    turn(watched, CROUPIER, 0)
    assert shown(watched)[-1] is None
    if not back_first:
        turn(watched, CROUPIER)
    turn(watched, MANAGEMENT)
    assert not watched.ends
    assert watched.codes == ["P10"]


def test_without_the_croupiers_key_the_button_counts_nothing() -> None:
    watched = keyed()
    count(watched, 3)
    turn(watched, MANAGEMENT)
    assert shown(watched) == []
    assert not watched.ends


def test_the_managements_key_that_was_turned_before_enters_nothing() -> None:
    watched = keyed()
    turn(watched, MANAGEMENT)
    turn(watched, CROUPIER)
    count(watched, 3)
    assert not watched.ends
    turn(watched, MANAGEMENT, 0)
    assert not watched.ends
    turn(watched, MANAGEMENT)
    assert watched.ends[0].number == 2


def test_contacts_that_bounce_count_once() -> None:
    watched = keyed()
    for level in (1, 0, 1, 0, 1):  # the key settles turned
        watched.edge(watched.at_us + 2_000, CROUPIER, level)
    watched.until(watched.at_us + BOUNCE_US)
    for level in (1, 0, 1, 0):
        watched.edge(watched.at_us + 2_000, COUNT, level)
    assert shown(watched) == [0]


@pytest.mark.parametrize("state", [states.BALL_IN_TRACK, states.DETECTED, states.CONFIRMED])
def test_where_nothing_may_be_entered_nothing_is_counted(state: str) -> None:
    house = HOUSE._replace(confirm="croupier") if state == states.DETECTED else HOUSE
    watched = keyed(state, house)
    before = len(watched.ends)
    turn(watched, CROUPIER)
    count(watched, 2)
    turn(watched, MANAGEMENT)
    assert shown(watched) == []
    assert watched.codes == ["P10", "P10", "P10"]
    assert len(watched.ends) == before


def test_what_was_counted_for_one_coup_is_not_entered_for_the_next() -> None:
    session = session_of(2)
    watched = keyed_in(session, states.NO_MORE_BETS)
    turn(watched, CROUPIER)
    count(watched, 8)
    for edge in session.edges():
        if watched.at_us < edge[0]:
            watched.edge(*edge)
            if watched.core.table.coup == 2 and watched.core.state == states.BALL_DROPPED:
                break
    turn(watched, MANAGEMENT)
    assert [end.coup for end in watched.ends] == [1]
    assert watched.codes[-1:] == ["P10"]
    turn(watched, MANAGEMENT, 0)
    count(watched, 1)
    turn(watched, MANAGEMENT)
    assert [end.coup for end in watched.ends] == [1, 2]
    assert watched.ends[1].number == 0


@pytest.mark.parametrize("line", [CROUPIER, MANAGEMENT, COUNT])
def test_a_doubtful_edge_of_a_key_enters_nothing_and_voids_nothing(line: int) -> None:
    watched = keyed()
    turn(watched, CROUPIER)
    count(watched, 4)
    watched.edge(watched.at_us + BOUNCE_US, line, facts.DOUBT)
    assert watched.codes == ["W33"]
    assert not watched.ends
    if line == CROUPIER:
        turn(watched, MANAGEMENT)
        assert not watched.ends


def test_a_key_that_was_left_turned_at_the_start_is_not_turned() -> None:
    watched = Watched(Controller(KEYED, ROULETTE.rules))
    watched.start([0] * len(LINES) + [1, 0, 0])
    count(watched, 2)
    assert shown(watched) == []


def test_what_is_counted_is_for_the_croupiers_screen_alone() -> None:
    """DESIGN section 4: a display shows a number only if it is confirmed."""
    watched = keyed()
    turn(watched, CROUPIER)
    count(watched, 18)
    fact = watched.facts[-1]
    assert facts.fact_line(fact) is None
    assert dict(facts.croupiers_line(fact)) == {
        "t_us": fact.at_us,
        "event": "number_keyed",
        "coup": 1,
        "number": 17,
        "colour": "black",
    }
    assert watched.core.view().number is None
    views = [order for order in watched.orders if isinstance(order, facts.View)]
    assert all(view.number is None for view in views)


def test_at_vingt_trois_the_button_goes_through_the_colours_too() -> None:
    game = rules.load("vingt_trois_fr")
    found = manual.choices(game)
    assert [number for number, _ in found[:6]] == [1, 2, 3, 4, 5, 5]
    assert found[4:6] == [(5, "black"), (5, "red")]
    assert len(found) == 4 + 2 * 7 + 2 * 2 + 1
    assert all(manual.unlike(game, number, colour) is None for number, colour in found)


@pytest.mark.parametrize("name", [name for name in boards.WHEELS if name.endswith("_ref")])
def test_a_board_without_keys_has_no_line_for_them(name: str) -> None:
    """contracts/trace.md names every line of a reference board."""
    assert not [line for line, _ in boards.load(name)["inputs"] if line in manual.LINES]
