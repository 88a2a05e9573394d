"""Edges for who is logged in: at once where nothing is predicted, held back before the call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from service_bench import CALLED, SERVICE, Caller, hear, log_in, taken_in

from firmware.api.scope import HELD_MAX, Scope
from firmware.api.server import Service
from firmware.core.facts import CW, Estimate, Fault, View

OPEN = View("BALL_IN_TRACK", 3, 2, CW, None, None, None)
EDGES = [(1_000, 0, 1), (2_000, 1, 1), (3_000, 0, 0)]


def listener(service: Service, call: Any, name: str = "tom") -> Caller:
    caller: Caller = call()
    told = caller.ask(do="edges", session=log_in(caller, name), on=True)
    assert told == {
        "ok": True, "do": "edges", "lines": ["rim0", "enc_a", "btn_void"], "levels": [0, 0, 0],
    }  # fmt: skip
    return caller


def frames(told: dict[str, Any]) -> bool:
    return told.get("event") == "edges"


@pytest.mark.parametrize("view", [SERVICE, CALLED, SERVICE._replace(state="FAULT")])
def test_out_of_play_and_after_the_call_edges_come_at_once(
    wheel: Service, call: Any, view: View
) -> None:
    wheel.show_view(view)
    caller = listener(wheel, call)
    wheel.scope.add_edges(EDGES)
    told = hear(caller, lambda told: frames(told) and told["edges"])
    assert told["edges"] == [list(edge) for edge in EDGES]
    assert (told["held"], told["lost"]) == (False, 0)


@pytest.mark.parametrize("state", ["BETS_OPEN", "BALL_IN_TRACK", "CONFIRMED", "VOID", "MANUAL"])
def test_before_the_call_nothing_that_predicts_is_told_and_then_all_of_it(
    wheel: Service, call: Any, state: str
) -> None:
    """DESIGN section 1: we are not a roulette computer."""
    number, colour = (17, "black") if state == "CONFIRMED" else (None, None)
    wheel.show_view(View(state, 3, 3, CW, number, colour, "croupier" if state == "VOID" else None))
    caller = listener(wheel, call)
    wheel.scope.add_edges(EDGES)
    for _ in range(3):
        told = hear(caller, frames)
        assert (told["held"], told["edges"]) == (True, [])
    wheel.show_view(CALLED)
    told = hear(caller, lambda told: frames(told) and not told["held"] and told["edges"])
    assert told["edges"] == [list(edge) for edge in EDGES]


def test_levels_are_those_that_were_told_not_those_that_are_held_back(
    wheel: Service, call: Any
) -> None:
    first = listener(wheel, call)
    wheel.scope.add_edges([(1_000, 0, 1)])
    hear(first, frames)
    second = call()
    told = second.ask(do="edges", session=log_in(second, "tom"), on=True)
    assert told["levels"] == [0, 0, 0]


def test_who_is_not_logged_in_hears_no_edge_and_no_estimate(wheel: Service, call: Any) -> None:
    stranger = call()
    assert stranger.ask(do="status")["ok"]
    wheel.show_view(CALLED)
    caller = listener(wheel, call)
    wheel.take_fact(Estimate(5, 4, {"why": "predicted", "drop_us": 900_000}))
    estimate = hear(caller, lambda told: told.get("event") == "estimate")
    assert estimate == {
        "event": "estimate", "t_us": 5, "coup": 4, "why": "predicted", "drop_us": 900_000,
    }  # fmt: skip
    wheel.scope.add_edges(EDGES)
    hear(caller, lambda told: frames(told) and told["edges"])
    assert set(stranger.ask(do="status")) == {"ok", "status"}


def test_edges_end_with_the_session(wheel: Service, call: Any, people: Path) -> None:
    caller = listener(wheel, call)
    people.unlink()
    hear(caller, lambda told: told == {"event": "session_ended"})
    wheel.show_view(SERVICE)
    wheel.scope.add_edges(EDGES)
    assert caller.ask(do="status")["ok"]


def test_who_wants_no_more_edges_gets_none(wheel: Service, call: Any) -> None:
    wheel.show_view(SERVICE)
    caller: Caller = call()
    session = log_in(caller, "tom")
    caller.ask(do="edges", session=session, on=True)
    caller.say(b'{"do":"edges","session":"%s","on":false}\n' % session.encode())
    assert hear(caller, lambda told: told.get("do") == "edges") == {"ok": True, "do": "edges"}
    wheel.scope.add_edges(EDGES)
    assert caller.ask(do="status")["ok"]


def test_a_long_hold_is_told_in_lines_of_a_bearable_length(wheel: Service, call: Any) -> None:
    caller = listener(wheel, call)
    many = [(at, 1, at & 1) for at in range(2_500)]
    wheel.scope.add_edges(many)
    wheel.show_view(CALLED)
    came: list[list[int]] = []
    while len(came) < len(many):
        told = hear(caller, frames)
        assert len(told["edges"]) <= 1_000
        came += told["edges"]
    assert came == [list(edge) for edge in many]


def test_what_no_longer_fits_is_counted(wheel: Service, call: Any) -> None:
    caller = listener(wheel, call)
    for start in range(0, 20_000, 1_000):
        wheel.scope.add_edges([(start + at, 1, at & 1) for at in range(1_000)])
    for _ in range(3):  # before the call it would say how far the rotor has turned
        assert hear(caller, frames)["lost"] == 0
    wheel.show_view(CALLED)
    told = hear(caller, lambda told: frames(told) and told["edges"])
    assert (told["lost"], told["edges"][0][0]) == (4_000, 4_000)


@pytest.mark.req("LU-house.computer")
def test_who_comes_before_the_call_is_not_told_how_the_lines_stand(
    wheel: Service, call: Any
) -> None:
    """Asked again and again it would be an oscilloscope: DESIGN section 1."""
    wheel.show_view(OPEN)
    caller: Caller = call()
    session = log_in(caller, "tom")
    for edge in EDGES:
        wheel.scope.add_edges([edge])
        taken_in(wheel)
        told = caller.ask(do="edges", session=session, on=True)
        assert told["levels"] == [0, 0, 0]
        caller.say(b'{"do":"edges","session":"%s","on":false}\n' % session.encode())
        hear(caller, lambda told: set(told) == {"ok", "do"})
    caller.ask(do="edges", session=session, on=True)
    wheel.show_view(CALLED)
    told = hear(caller, lambda told: frames(told) and told["edges"])
    # What came while nobody listened is how the lines stood then: of each its last edge.
    assert told["edges"] == [list(edge) for edge in EDGES[1:]]


def test_what_came_out_of_play_while_nobody_listened_is_in_the_levels(
    wheel: Service, call: Any
) -> None:
    wheel.show_view(SERVICE)
    wheel.scope.add_edges([(1_000, 0, 1), (2_000, 1, 1)])
    taken_in(wheel)
    caller: Caller = call()
    told = caller.ask(do="edges", session=log_in(caller, "tom"), on=True)
    assert told["levels"] == [1, 1, 0]
    told = hear(caller, frames)
    assert (told["lost"], told["edges"]) == (0, [])


def test_edges_that_no_longer_fit_say_nothing_before_the_call(wheel: Service, call: Any) -> None:
    """A level that moves as the oldest edge is lost would tell when the newest came."""
    wheel.show_view(OPEN)
    caller = listener(wheel, call)
    wheel.scope.add_edges([(at, 0, 1) for at in range(HELD_MAX + 1)])
    taken_in(wheel)
    told = call().ask(do="edges", session=log_in(call(), "sue"), on=True)
    assert told["levels"] == [0, 0, 0]
    wheel.show_view(CALLED)
    assert hear(caller, lambda told: frames(told) and told["edges"])["lost"] == 1


def test_an_estimates_times_count_from_the_start_of_the_program(tmp_path: Path) -> None:
    scope = Scope((), (), start_us=500)
    said = {"drop_us": 2_500, "press_us": 3_500, "throw_us": 1_500, "lead_us": 700}
    _, line = scope.estimate(Estimate(1_000, 7, said))
    told = json.loads(line)
    assert told == {
        "event": "estimate", "t_us": 500, "coup": 7,
        "drop_us": 2_000, "press_us": 3_000, "throw_us": 1_000, "lead_us": 700,
    }  # fmt: skip


@pytest.mark.parametrize("code", ["W31", "W32"])
def test_a_fault_that_stamps_the_rotors_place_waits_for_the_call(
    wheel: Service, call: Any, code: str
) -> None:
    """ADR 11: each new turn is a time stamp of its place."""
    wheel.show_view(OPEN)
    caller: Caller = call()
    wheel.take_fact(Fault(1_000, code, "the zero mark was missed"))
    wheel.take_fact(Fault(2_000, "W22", "rim0 is blind"))
    assert hear(caller, lambda told: told.get("event") == "fault")["code"] == "W22"
    assert caller.ask(do="status")["status"]["faults"] == ["W22"]
    wheel.show_view(CALLED)
    assert hear(caller, lambda told: told.get("event") == "fault")["code"] == code
    assert caller.ask(do="status")["status"]["faults"] == ["W22", code]
