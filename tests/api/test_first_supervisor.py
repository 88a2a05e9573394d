"""Nobody comes with the product: the void button proves who the first supervisor is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service_bench import CONFIRMED, code, decide, hear, log_in, taken_in

from firmware.api.server import Service
from firmware.core.facts import CW, ActDone, CoupStarted
from firmware.keys import people as people_file
from firmware.keys.people import People

NEW = {"name": "paul", "pin": "602214"}


@pytest.fixture
def unmanned(service: Service) -> Service:
    """A wheel as it comes: nobody has a PIN."""
    service.show_view(CONFIRMED)
    return service


def press(service: Service, level: int = 1, line: int = 2) -> None:
    service.scope.add_edges([(1_000, line, level)])


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
    taken_in(unmanned)
    assert caller.ask(do="status")["ok"]
    assert not (tmp_path / "people.jsonl").exists()
    press(unmanned)
    assert hear(caller, lambda told: told.get("event") == "first")["ok"]
    assert [person.name for person in people_file.load(tmp_path / "people.jsonl")] == ["paul"]


def test_a_press_before_it_was_asked_proves_nothing(
    unmanned: Service, call: Any, tmp_path: Path
) -> None:
    caller = call()
    press(unmanned)
    taken_in(unmanned)
    assert caller.ask(do="first", person=NEW)["ok"]
    assert not (tmp_path / "people.jsonl").exists()


def test_where_there_is_a_supervisor_no_button_makes_another(wheel: Service, call: Any) -> None:
    assert code(call().ask(do="first", person=NEW)) == "not_now"


def test_while_a_coup_is_open_the_button_means_something_else(unmanned: Service, call: Any) -> None:
    unmanned.take_fact(CoupStarted(0, 4, CW))
    assert code(call().ask(do="first", person=NEW)) == "not_now"


@pytest.mark.parametrize("pin", ["12345", "111111", "60221 "])
def test_a_pin_that_is_none_is_refused_before_anybody_walks_to_the_button(
    unmanned: Service, call: Any, pin: str
) -> None:
    answer = call().ask(do="first", person={"name": "paul", "pin": pin})
    assert code(answer) == "wrong_value"


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
    unmanned.take_fact(CoupStarted(0, 4, CW))
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
        unmanned.scope.add_edges([(1, 0, 1)])
        assert caller.ask(do="first", person=NEW)["ok"]
    finally:
        unmanned.close()
