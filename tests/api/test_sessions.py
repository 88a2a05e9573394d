"""Those who look after the wheel log in: who may, how long it holds, how it ends."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from patience import LAST_RESORT_S
from service_bench import code, decide, log_in, signer, taken

from firmware.api.server import Service
from firmware.api.sessions import IDLE_S, MOST_S, SESSIONS_MAX, Person, Sessions
from firmware.api.values import Refused
from firmware.core.facts import ActDone, Trouble
from firmware.keys import people as people_file
from firmware.lib.errors import Failure
from firmware.lib.places import STATUS_ONLY
from tools.technician.selftest.bench import SocketBench


def test_a_login_says_who_it_is_and_how_long_it_holds(wheel: Service, call: Any) -> None:
    told = call().ask(do="login", person=signer("sue"))
    assert len(told.pop("session")) == 32
    assert told == {
        "ok": True, "do": "login", "name": "sue", "role": "supervisor",
        "idle_s": 900, "most_s": 28800,
    }  # fmt: skip
    assert decide(wheel, ActDone) == ActDone(0, "sue", "supervisor", "login", "", None)


@pytest.mark.req("IEC-CR-2.1")
@pytest.mark.parametrize("name", ["anna", "weber"])
def test_who_plays_or_manages_does_not_look_after_the_wheel(
    wheel: Service, call: Any, name: str
) -> None:
    assert code(call().ask(do="login", person=signer(name))) == "wrong_role"


@pytest.mark.req("IEC-CR-2.8")
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


def test_a_logout_is_journalled_as_a_login_is(wheel: Service, call: Any) -> None:
    caller = call()
    caller.ask(do="logout", session=log_in(caller, "tom"))
    assert taken(wheel, 2) == [
        ActDone(0, "tom", "technician", what, "", None) for what in ("login", "logout")
    ]


@pytest.mark.parametrize("session", ["", "5f3c", "0" * 32, 7, None])
def test_a_session_that_nobody_has_opens_nothing(wheel: Service, call: Any, session: Any) -> None:
    expected = "no_session" if isinstance(session, str) and session else "wrong_value"
    assert code(call().ask(do="parts", session=session)) == expected


def test_a_session_holds_on_any_connection_to_the_control_socket(wheel: Service, call: Any) -> None:
    session = log_in(call(), "tom")
    assert call().ask(do="parts", session=session)["ok"]
    assert code(call(STATUS_ONLY).ask(do="parts", session=session)) == "not_allowed"


@pytest.mark.req("IEC-CR-1.3")
def test_who_is_removed_from_the_people_is_logged_out(
    wheel: Service, call: Any, people: Path
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    with people_file.editing(people) as known:
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


def test_a_supervisor_may_what_a_technician_may_and_not_the_other_way_round() -> None:
    tom, sue = Person("tom", "technician"), Person("sue", "supervisor")
    assert [who.may(role) for who in (tom, sue) for role in ("technician", "supervisor")] == [
        True,
        False,
        True,
        True,
    ]
    assert not Person("anna", "croupier").may("technician")


@pytest.mark.req("IEC-CR-2.5")
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


@pytest.mark.req("IEC-CR-2.5")
def test_a_stream_alone_keeps_no_session_open(hours: list[float]) -> None:
    opened = sessions(hours)
    token = opened.open(Person("tom", "technician"))["session"]
    hours[0] += IDLE_S - 1
    opened.person(token, used=False)
    hours[0] += 1
    with pytest.raises(Refused):
        opened.person(token)


@pytest.mark.req("IEC-CR-2.6")
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


@pytest.mark.req("IEC-CR-2.7")
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
            bench.listen(LAST_RESORT_S)
        with pytest.raises(Failure, match="has ended"):  # nor does what puts the wheel back
            bench.listen(LAST_RESORT_S)
