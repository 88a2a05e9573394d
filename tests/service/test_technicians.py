"""Those who look after the wheel, over the socket: sessions, roles, the first of them, edges."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from service_bench import PATIENCE_S, Caller, code, signer, taken

from firmware import people as register
from firmware.core.facts import (
    CCW,
    CW,
    UNKNOWN,
    ActDone,
    CoupStarted,
    Estimate,
    ServiceAsked,
    Trouble,
    TurnAsked,
    View,
)
from firmware.people import People
from firmware.service.requests import STATUS_ONLY
from firmware.service.server import Service
from firmware.service.sessions import IDLE_S, MOST_S, SESSIONS_MAX, Person, Sessions
from firmware.service.values import Refused
from tools.exits import Failure
from tools.selftest.bench import SocketBench

SERVICE = View("SERVICE", 3, 2, CW, None, None, None)
CONFIRMED = View("CONFIRMED", 3, 3, CW, 17, "black", None)
CALLED = View("NO_MORE_BETS", 3, 2, CW, None, None, None)


@pytest.fixture
def wheel(service: Service, people: Path) -> Service:
    """A wheel with its people; between two coups."""
    service.show(CONFIRMED)
    return service


def log_in(caller: Caller, name: str) -> str:
    told = caller.ask(do="login", person=signer(name))
    assert told["ok"], told
    return str(told["session"])


def decide(service: Service, asked: type[Any], refusal: str | None = None) -> Any:
    """As the loop does: takes events until one of that kind comes, decides each."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        (event,) = taken(service)
        service.decided(refusal if type(event) is asked else None)
        if type(event) is asked:
            return event
    raise AssertionError(f"no {asked.__name__} came")


def hear(caller: Caller, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The next line that is wanted."""
    end = time.monotonic() + PATIENCE_S
    while (told := caller.hear()) is not None and time.monotonic() < end:
        if wanted(told):
            return told
    raise AssertionError(f"it never came: {told}")


# --- sessions -------------------------------------------------------------------------------------
def test_a_login_says_who_it_is_and_how_long_it_holds(wheel: Service, call: Any) -> None:
    told = call().ask(do="login", person=signer("sue"))
    assert len(told.pop("session")) == 32
    assert told == {
        "ok": True, "do": "login", "name": "sue", "role": "supervisor",
        "idle_s": 900, "most_s": 28800,
    }  # fmt: skip
    assert decide(wheel, ActDone) == ActDone(0, "sue", "supervisor", "login", "", None)


@pytest.mark.parametrize("name", ["anna", "weber"])
def test_who_plays_or_manages_does_not_look_after_the_wheel(
    wheel: Service, call: Any, name: str
) -> None:
    assert code(call().ask(do="login", person=signer(name))) == "wrong_role"


def test_a_wrong_pin_is_told_and_written_down_and_the_next_has_to_wait(
    wheel: Service, call: Any
) -> None:
    caller = call()
    assert code(caller.ask(do="login", person=signer("sue", "000001"))) == "wrong_pin"
    trouble, act = taken(wheel, 2)
    assert trouble == Trouble(0, "P12", "sue, 1 in a row")
    assert act == ActDone(0, "-", "-", "login refused", "sue, 1 in a row", None)
    assert code(caller.ask(do="login", person=signer("sue"))) == "too_soon"


def test_a_session_ends_when_its_owner_says_so(wheel: Service, call: Any) -> None:
    caller = call()
    session = log_in(caller, "tom")
    assert caller.ask(do="logout", session=session) == {"ok": True, "do": "logout"}
    assert code(caller.ask(do="parts", session=session)) == "no_session"


@pytest.mark.parametrize("session", ["", "5f3c", "0" * 32, 7, None])
def test_a_session_that_nobody_has_opens_nothing(wheel: Service, call: Any, session: Any) -> None:
    expected = "no_session" if isinstance(session, str) and session else "wrong_value"
    assert code(call().ask(do="parts", session=session)) == expected


def test_a_session_holds_on_any_connection_to_the_control_socket(wheel: Service, call: Any) -> None:
    session = log_in(call(), "tom")
    assert call().ask(do="parts", session=session)["ok"]
    assert code(call(STATUS_ONLY).ask(do="parts", session=session)) == "not_allowed"


def test_who_is_removed_from_the_people_is_logged_out(
    wheel: Service, call: Any, people: Path
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    with register.editing(people) as known:
        known[:] = [person for person in known if person.name != "tom"]
    assert code(caller.ask(do="parts", session=session)) == "no_session"


class Everybody:
    """People who all have one role."""

    def __init__(self, role: str | None = "technician") -> None:
        self.role = role

    def role_of(self, name: str) -> str | None:
        return self.role


@pytest.fixture
def hours() -> list[float]:
    return [0.0]


def sessions(hours: list[float], people: Any = None) -> Sessions:
    return Sessions(people or Everybody(), lambda: hours[0])


def test_a_session_ends_after_a_quarter_of_an_hour_in_which_nothing_was_asked(
    hours: list[float],
) -> None:
    opened = sessions(hours)
    token = opened.open(Person("tom", "technician"))["session"]
    for _ in range(3):
        hours[0] += IDLE_S - 1
        assert opened.person(token).name == "tom"
    hours[0] += IDLE_S
    with pytest.raises(Refused):
        opened.person(token)


def test_a_stream_alone_keeps_no_session_open(hours: list[float]) -> None:
    opened = sessions(hours)
    token = opened.open(Person("tom", "technician"))["session"]
    hours[0] += IDLE_S - 1
    opened.person(token, used=False)
    hours[0] += 1
    with pytest.raises(Refused):
        opened.person(token)


def test_a_session_ends_after_a_working_day_however_busy(hours: list[float]) -> None:
    opened = sessions(hours)
    token = opened.open(Person("tom", "technician"))["session"]
    while hours[0] + IDLE_S / 2 < MOST_S:
        hours[0] += IDLE_S / 2
        opened.person(token)
    hours[0] = MOST_S
    with pytest.raises(Refused):
        opened.person(token)


def test_a_role_that_is_lost_ends_the_session(hours: list[float]) -> None:
    people = Everybody()
    opened = sessions(hours, people)
    token = opened.open(Person("tom", "technician"))["session"]
    people.role = "croupier"
    with pytest.raises(Refused):
        opened.person(token)


def test_the_session_used_longest_ago_gives_way(hours: list[float]) -> None:
    opened = sessions(hours)
    tokens = []
    for _ in range(SESSIONS_MAX + 1):
        hours[0] += 1
        tokens.append(opened.open(Person("tom", "technician"))["session"])
    with pytest.raises(Refused):
        opened.person(tokens[0])
    assert len({opened.person(token).name for token in tokens[1:]}) == 1
    assert len(set(tokens)) == len(tokens)


# --- roles ----------------------------------------------------------------------------------------
def test_only_a_supervisor_takes_the_wheel_out_of_play_or_turns_it(
    wheel: Service, call: Any
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    for request in (
        {"do": "service", "on": True, "why": "check"},
        {"do": "turn", "way": "ccw"},
        {"do": "calibrate", "values": {}},
    ):
        assert code(caller.ask(**request, session=session)) == "wrong_role"


def test_what_a_supervisor_asks_is_the_cores_to_decide_with_name_and_role(
    wheel: Service, call: Any
) -> None:
    caller = call()
    session = log_in(caller, "sue")
    decide(wheel, ActDone)
    caller.say(b'{"do":"service","session":"%s","on":true,"why":"check"}\n' % session.encode())
    asked = decide(wheel, ServiceAsked)
    assert asked == ServiceAsked(0, "sue", "supervisor", True, "check")
    assert caller.hear() == {"ok": True, "do": "service"}
    caller.say(b'{"do":"turn","session":"%s","way":"cw","rpm":20,"for_s":30}\n' % session.encode())
    turned = decide(wheel, TurnAsked, "P10: What was asked is not done: x. Look.")
    assert turned == TurnAsked(0, "sue", "supervisor", CW, 333_333, 30_000_000)
    assert code(caller.hear()) == "not_now"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"way": "ccw", "rpm": 5, "for_s": 1}, (CCW, 83_333, 1_000_000)),
        ({"way": "cw", "rpm": 28.0, "for_s": 120}, (CW, 466_667, 120_000_000)),
        ({"way": None}, (UNKNOWN, 0, 0)), ({"way": "ccw", "rpm": 20}, None),
        ({"way": "cw", "for_s": 20}, None),
        ({"way": "ccw", "rpm": 4.9}, None), ({"way": "ccw", "rpm": 29}, None),
        ({"way": "ccw", "rpm": True}, None), ({"way": "ccw", "rpm": "20"}, None),
        ({"way": "ccw", "for_s": 0}, None), ({"way": "ccw", "for_s": 121}, None),
        ({"way": "ccw", "for_s": float("nan")}, None), ({"way": "ccw", "rpm": float("inf")}, None),
        ({"way": "left"}, None), ({"way": 1}, None), ({"way": ["ccw"]}, None), ({}, None),
    ],
)  # fmt: skip
def test_a_turn_is_within_its_limits_or_refused(
    wheel: Service, call: Any, given: dict[str, Any], expected: Any
) -> None:
    caller = call()
    session = log_in(caller, "sue")
    decide(wheel, ActDone)
    if expected is None:
        answer = caller.ask(do="turn", session=session, **given)
        assert code(answer) in ("wrong_value", "wrong_keys", "not_json")
        return
    line = {"do": "turn", "session": session, **given}
    caller.say(json.dumps(line).encode() + b"\n")
    assert decide(wheel, TurnAsked)[3:] == expected


@pytest.mark.parametrize(
    "given",
    [
        {"what": "theft", "detail": "x"}, {"what": "note", "detail": ""},
        {"what": "note", "detail": "x" * 401}, {"what": "note", "detail": "a\nb"},
        {"what": "note", "detail": "x", "sha256": "AB" * 32},
        {"what": "note", "detail": "x", "sha256": "ab" * 31},
        {"what": "note", "detail": "x", "sha256": 7}, {"what": ["note"], "detail": "x"},
    ],
)  # fmt: skip
def test_an_act_is_of_a_known_kind_and_short(
    wheel: Service, call: Any, given: dict[str, Any]
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    assert code(caller.ask(do="act", session=session, **given)) == "wrong_value"


def test_a_technicians_act_reaches_the_core_with_its_hash(wheel: Service, call: Any) -> None:
    caller = call()
    session = log_in(caller, "tom")
    decide(wheel, ActDone)
    sha256 = "0123456789abcdef" * 4
    line = b'{"do":"act","session":"%s","what":"config","detail":"pace","sha256":"%s"}\n'
    caller.say(line % (session.encode(), sha256.encode()))
    assert decide(wheel, ActDone) == ActDone(0, "tom", "technician", "config", "pace", sha256)
    assert caller.hear() == {"ok": True, "do": "act"}


# --- the first supervisor -------------------------------------------------------------------------
NEW = {"name": "paul", "pin": "602214"}


@pytest.fixture
def unmanned(service: Service) -> Service:
    """A wheel as it comes: nobody has a PIN."""
    service.show(CONFIRMED)
    return service


def press(service: Service, level: int = 1, line: int = 2) -> None:
    service.scope.take([(1_000, line, level)])


def test_whoever_stands_at_the_wheel_makes_the_first_supervisor(
    unmanned: Service, call: Any, tmp_path: Path
) -> None:
    caller = call()
    told = caller.ask(do="first", person=NEW)
    assert told == {"ok": True, "do": "first", "button": "btn_void", "within_s": 60}
    press(unmanned)
    assert caller.hear() == {"event": "first", "ok": True, "name": "paul"}
    assert People(tmp_path / "people.jsonl").role_of("paul") == "supervisor"
    act = decide(unmanned, ActDone)
    assert act[1:4] == ("paul", "supervisor", "first supervisor")
    assert caller.ask(do="login", person=NEW)["ok"]


@pytest.mark.parametrize(("level", "line"), [(0, 2), (1, 0), (-1, 2)])
def test_nothing_else_proves_who_asked(
    unmanned: Service, call: Any, tmp_path: Path, level: int, line: int
) -> None:
    caller = call()
    caller.ask(do="first", person=NEW)
    press(unmanned, level, line)
    press(unmanned)
    assert hear(caller, lambda told: told.get("event") == "first")["ok"]
    assert [person.name for person in register.load(tmp_path / "people.jsonl")] == ["paul"]


def test_a_press_before_it_was_asked_proves_nothing(
    unmanned: Service, call: Any, tmp_path: Path
) -> None:
    caller = call()
    press(unmanned)
    assert caller.ask(do="status")["ok"]  # the service has looked at the lines since, or will
    time_seen = time.monotonic() + PATIENCE_S
    while unmanned.scope._batches and time.monotonic() < time_seen:
        pass
    assert caller.ask(do="first", person=NEW)["ok"]
    assert not (tmp_path / "people.jsonl").exists()


def test_where_there_is_a_supervisor_no_button_makes_another(wheel: Service, call: Any) -> None:
    assert code(call().ask(do="first", person=NEW)) == "not_now"


def test_while_a_coup_is_open_the_button_means_something_else(unmanned: Service, call: Any) -> None:
    unmanned.tell(CoupStarted(0, 4, CW))
    assert code(call().ask(do="first", person=NEW)) == "not_now"


@pytest.mark.parametrize("pin", ["12345", "111111", " 602214"])
def test_a_pin_that_is_none_is_refused_before_anybody_walks_to_the_button(
    unmanned: Service, call: Any, pin: str
) -> None:
    answer = call().ask(do="first", person={"name": "paul", "pin": pin})
    assert pin == " 602214" or code(answer) == "wrong_value"


def test_where_two_ask_for_the_button_at_once_it_proves_neither(
    unmanned: Service, call: Any, tmp_path: Path
) -> None:
    first, second = call(), call()
    assert first.ask(do="first", person=NEW)["ok"]
    assert code(second.ask(do="first", person={"name": "eve", "pin": "662607"})) == "busy"
    press(unmanned)
    assert first.hear() == {"event": "first", "ok": False, "name": "paul"}
    assert not (tmp_path / "people.jsonl").exists()


def test_the_button_that_makes_a_coup_void_proves_nothing(
    unmanned: Service, call: Any, tmp_path: Path
) -> None:
    """Else whoever asked between two coups would wait for the croupier's next void."""
    caller = call()
    assert caller.ask(do="first", person=NEW)["ok"]
    unmanned.tell(CoupStarted(0, 4, CW))
    assert hear(caller, lambda told: told.get("event") == "first")["ok"] is False
    press(unmanned)
    caller.say(b'{"do":"status"}\n')
    assert hear(caller, lambda told: "event" not in told)["ok"]
    assert not (tmp_path / "people.jsonl").exists()


def test_who_wants_no_edges_any_more_still_waits_for_the_button(
    wheel: Service, call: Any, people: Path, lines: bytes
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    people.write_bytes(b"".join(line for line in lines.splitlines(True) if b"sue" not in line))
    assert caller.ask(do="first", person=NEW)["ok"]
    caller.ask(do="edges", session=session, on=False)
    press(wheel)
    assert hear(caller, lambda told: told.get("event") == "first")["ok"]


def test_the_button_is_waited_for_a_minute(tmp_path: Path, call: Any) -> None:
    seconds = [0.0]
    unmanned = Service(
        tmp_path, number_max=36, people=People(tmp_path / "people.jsonl"), lines=("btn_void",)
    )
    try:
        unmanned.technicians._clock_s = lambda: seconds[0]
        caller = call()
        assert caller.ask(do="first", person=NEW)["ok"]
        seconds[0] = 60.5
        assert caller.hear() == {"event": "first", "ok": False, "name": "paul"}
        unmanned.scope.take([(1, 0, 1)])
        assert caller.ask(do="first", person=NEW)["ok"]
    finally:
        unmanned.close()


# --- edges ----------------------------------------------------------------------------------------
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
    wheel.show(view)
    caller = listener(wheel, call)
    wheel.scope.take(EDGES)
    told = hear(caller, lambda told: frames(told) and told["edges"])
    assert told["edges"] == [list(edge) for edge in EDGES]
    assert (told["held"], told["lost"]) == (False, 0)


@pytest.mark.parametrize("state", ["BETS_OPEN", "BALL_IN_TRACK", "CONFIRMED", "VOID", "MANUAL"])
def test_before_the_call_nothing_that_predicts_is_told_and_then_all_of_it(
    wheel: Service, call: Any, state: str
) -> None:
    """DESIGN section 1: we are not a roulette computer."""
    number, colour = (17, "black") if state == "CONFIRMED" else (None, None)
    wheel.show(View(state, 3, 3, CW, number, colour, "croupier" if state == "VOID" else None))
    caller = listener(wheel, call)
    wheel.scope.take(EDGES)
    for _ in range(3):
        told = hear(caller, frames)
        assert (told["held"], told["edges"]) == (True, [])
    wheel.show(CALLED)
    told = hear(caller, lambda told: frames(told) and not told["held"] and told["edges"])
    assert told["edges"] == [list(edge) for edge in EDGES]


def test_levels_are_those_that_were_told_not_those_that_are_held_back(
    wheel: Service, call: Any
) -> None:
    first = listener(wheel, call)
    wheel.scope.take([(1_000, 0, 1)])
    hear(first, frames)
    second = call()
    told = second.ask(do="edges", session=log_in(second, "tom"), on=True)
    assert told["levels"] == [0, 0, 0]


def test_who_is_not_logged_in_hears_no_edge_and_no_estimate(wheel: Service, call: Any) -> None:
    stranger = call()
    assert stranger.ask(do="status")["ok"]
    wheel.show(CALLED)
    caller = listener(wheel, call)
    wheel.tell(Estimate(5, 4, {"why": "predicted", "drop_us": 900_000}))
    estimate = hear(caller, lambda told: told.get("event") == "estimate")
    assert estimate == {
        "event": "estimate", "t_us": 5, "coup": 4, "why": "predicted", "drop_us": 900_000,
    }  # fmt: skip
    wheel.scope.take(EDGES)
    hear(caller, lambda told: frames(told) and told["edges"])
    assert set(stranger.ask(do="status")) == {"ok", "status"}


def test_edges_end_with_the_session(wheel: Service, call: Any, people: Path) -> None:
    caller = listener(wheel, call)
    people.unlink()
    hear(caller, lambda told: told == {"event": "session_ended"})
    wheel.show(SERVICE)
    wheel.scope.take(EDGES)
    assert caller.ask(do="status")["ok"]


def test_who_wants_no_more_edges_gets_none(wheel: Service, call: Any) -> None:
    wheel.show(SERVICE)
    caller: Caller = call()
    session = log_in(caller, "tom")
    caller.ask(do="edges", session=session, on=True)
    caller.say(b'{"do":"edges","session":"%s","on":false}\n' % session.encode())
    assert hear(caller, lambda told: told.get("do") == "edges") == {"ok": True, "do": "edges"}
    wheel.scope.take(EDGES)
    assert caller.ask(do="status")["ok"]


def test_a_long_hold_is_told_in_lines_of_a_bearable_length(wheel: Service, call: Any) -> None:
    caller = listener(wheel, call)
    many = [(at, 1, at & 1) for at in range(2_500)]
    wheel.scope.take(many)
    wheel.show(CALLED)
    came: list[list[int]] = []
    while len(came) < len(many):
        told = hear(caller, frames)
        assert len(told["edges"]) <= 1_000
        came += told["edges"]
    assert came == [list(edge) for edge in many]


def test_what_no_longer_fits_is_counted(wheel: Service, call: Any) -> None:
    caller = listener(wheel, call)
    for start in range(0, 20_000, 1_000):
        wheel.scope.take([(start + at, 1, at & 1) for at in range(1_000)])
    for _ in range(3):  # before the call it would say how far the rotor has turned
        assert hear(caller, frames)["lost"] == 0
    wheel.show(CALLED)
    told = hear(caller, lambda told: frames(told) and told["edges"])
    assert (told["lost"], told["edges"][0][0]) == (4_000, 4_000)


def test_what_came_while_nobody_listened_is_told_to_nobody(wheel: Service, call: Any) -> None:
    for start in range(0, 20_000, 1_000):
        wheel.scope.take([(start + at, 1, at & 1) for at in range(1_000)])
    wheel.scope.take([(20_000, 0, 1)])
    end = time.monotonic() + PATIENCE_S
    while wheel.scope._batches and time.monotonic() < end:
        pass
    caller: Caller = call()
    told = caller.ask(do="edges", session=log_in(caller, "tom"), on=True)
    assert told["levels"] == [1, 1, 0]
    wheel.show(CALLED)
    told = hear(caller, lambda told: frames(told) and not told["held"])
    assert (told["lost"], told["edges"]) == (0, [])


def test_what_wants_a_session_is_no_request_without(wheel: Service, call: Any) -> None:
    assert code(call().ask(do="service", on=True, why="x")) == "wrong_keys"


def test_parts_that_are_asked_for_again_and_again_keep_no_session_open(
    wheel: Service, call: Any
) -> None:
    """A view that lies open asks every 2 s."""
    hours = [0.0]
    wheel.technicians._sessions._clock_s = lambda: hours[0]
    caller = call()
    session = log_in(caller, "tom")
    for _ in range(3):
        assert caller.ask(do="parts", session=session)["ok"]
        hours[0] += IDLE_S / 3
    assert code(caller.ask(do="parts", session=session)) == "no_session"


def test_a_test_at_the_bench_ends_with_the_session_and_waits_for_no_edge(
    wheel: Service, call: Any, people: Path, tmp_path: Path
) -> None:
    token = log_in(call(), "tom")
    asks = SimpleNamespace(token=token, act=None)
    with closing(SocketBench(cast(Any, asks), tmp_path)) as bench:
        people.unlink()
        with pytest.raises(Failure, match="has ended"):
            bench.listen(PATIENCE_S)
        with pytest.raises(Failure, match="has ended"):  # nor does what puts the wheel back
            bench.listen(PATIENCE_S)
