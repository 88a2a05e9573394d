"""Nobody comes with the product: the void button proves who the first supervisor is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from patience import until
from service_bench import CONFIRMED, code, decide, hear, log_in, taken_in

from firmware.api.first_supervisor import DEAF_S, PAUSE_S, PRESSES, FirstSupervisor
from firmware.api.server import Service
from firmware.core.facts import CW, ActDone, CoupStarted
from firmware.keys import people as people_file
from firmware.keys.people import People
from firmware.lib.places import STATUS_ONLY

NEW = {"name": "paul", "pin": "602214"}
EVE = {"name": "eve", "pin": "662607"}


@pytest.fixture
def unmanned(service: Service) -> Service:
    """A wheel as it comes: nobody has a PIN."""
    service.show_view(CONFIRMED)
    return service


class Wheel:
    """A service whose seconds pass when a test says so, and that draws the number it is given."""

    def __init__(self, service: Service, presses: int = 4) -> None:
        self.service = service
        self.first = service.technicians.first
        self.now_s = 1000.0
        self.at_us = 0
        self.presses = presses
        self.first.clock_s = lambda: self.now_s
        self.first._draw = lambda: self.presses

    def press(self, times: int = 1, *, line: int = 2, level: int = 1) -> None:
        """Somebody presses, as contacts do: they bounce."""
        before = self.first._count
        for _ in range(times):
            self.at_us += 200_000
            for bounce_us, bounced in ((0, level), (2_000, 0), (5_000, level), (150_000, 0)):
                edge = (self.at_us + bounce_us, line, bounced)
                self.service.scope.add_edges([edge])
        taken_in(self.service)
        if line == 2 and level == 1 and self.first.name is not None:
            wanted = min(before + times, self.presses + 1)
            until(lambda: self.first.name is None or self.first._count >= wanted)

    def pause(self) -> None:
        """Nobody presses for as long as it takes."""
        self.now_s += PAUSE_S


@pytest.fixture
def first(unmanned: Service) -> Wheel:
    """The same wheel, with a hand at its button."""
    return Wheel(unmanned)


def told(caller: Any) -> dict[str, Any]:
    return hear(caller, lambda line: line.get("event") == "first")


def nobody(folder: Path) -> bool:
    """Whether nobody has a PIN, so far."""
    return not (folder / "people.jsonl").exists()


def test_whoever_stands_at_the_wheel_makes_the_first_supervisor(
    first: Wheel, call: Any, tmp_path: Path
) -> None:
    caller = call()
    assert caller.ask(do="first", person=NEW) == {
        "ok": True,
        "do": "first",
        "button": "btn_void",
        "presses": 4,
        "within_s": 60,
        "pause_s": 3,
    }
    first.press(4)
    assert nobody(tmp_path)  # a fifth may follow
    first.pause()
    assert told(caller) == {"event": "first", "ok": True, "name": "paul"}
    assert People(tmp_path / "people.jsonl").role_of("paul") == "supervisor"
    act = decide(first.service, ActDone)
    assert act[1:4] == ("paul", "supervisor", "first supervisor")
    assert caller.ask(do="login", person=NEW)["ok"]


@pytest.mark.parametrize("times", [1, 2, 3, 5, 6])
def test_any_other_number_of_presses_refuses_who_asked(
    first: Wheel, call: Any, tmp_path: Path, times: int
) -> None:
    caller = call()
    assert caller.ask(do="first", person=NEW)["ok"]
    first.press(times)
    first.pause()
    refused = told(caller)
    assert (refused["ok"], "than was told" in refused["why"]) == (False, True)
    act = decide(first.service, ActDone)
    assert act[1:5] == ("-", "-", "first refused", f"paul: {refused['why']}")
    first.press(4)
    first.pause()
    taken_in(first.service)
    assert caller.ask(do="status")["ok"]
    assert nobody(tmp_path)


def test_a_croupiers_press_between_two_coups_makes_nobody_supervisor(
    unmanned: Service, call: Any, tmp_path: Path
) -> None:
    """However the number is drawn: one press is nobody's proof."""
    wheel = Wheel(unmanned)
    caller = call()
    for presses in PRESSES:
        wheel.presses = presses
        assert caller.ask(do="first", person=NEW)["ok"]
        wheel.press()
        wheel.pause()
        assert told(caller)["ok"] is False
        wheel.now_s += DEAF_S
    assert nobody(tmp_path)


def test_the_number_is_drawn_anew_each_time_and_each_is_as_likely() -> None:
    drawn = [FirstSupervisor()._draw() for _ in range(2_000)]
    assert set(drawn) == {2, 3, 4, 5, 6}
    assert min(drawn.count(presses) for presses in PRESSES) > 300


def test_the_number_is_told_to_who_asked_and_to_nobody_else(first: Wheel, call: Any) -> None:
    first.presses = 5
    others = [call(), call(STATUS_ONLY)]
    caller = call()
    assert caller.ask(do="first", person=NEW)["presses"] == 5
    first.press(5)
    first.pause()
    assert told(caller)["ok"]
    decide(first.service, ActDone)
    for other in others:
        other.say(b'{"do":"status"}\n')
        lines = [other.hear()]
        while "event" in lines[-1]:
            lines.append(other.hear())
        assert "presses" not in repr(lines)
        assert "paul" not in repr(lines[-1])  # nor does the status say who asks


@pytest.mark.parametrize(("level", "line"), [(0, 2), (1, 0), (-1, 2)])
def test_nothing_else_proves_who_asked(
    first: Wheel, call: Any, tmp_path: Path, level: int, line: int
) -> None:
    caller = call()
    caller.ask(do="first", person=NEW)
    first.press(4, level=level, line=line)
    first.pause()
    assert caller.ask(do="status")["ok"]
    assert nobody(tmp_path)
    first.at_us += 1_000_000
    first.press(4)
    first.pause()
    assert told(caller)["ok"]
    assert [person.name for person in people_file.load(tmp_path / "people.jsonl")] == ["paul"]


def test_a_press_before_it_was_asked_proves_nothing(
    first: Wheel, call: Any, tmp_path: Path
) -> None:
    caller = call()
    first.press(4)
    assert caller.ask(do="first", person=NEW)["ok"]
    first.pause()
    assert caller.ask(do="status")["ok"]
    assert nobody(tmp_path)


def test_where_there_is_a_supervisor_no_button_makes_another(wheel: Service, call: Any) -> None:
    assert code(call().ask(do="first", person=NEW)) == "not_now"


def test_while_a_coup_is_open_the_button_means_something_else(first: Wheel, call: Any) -> None:
    first.service.take_fact(CoupStarted(0, 4, CW))
    assert code(call().ask(do="first", person=NEW)) == "not_now"


@pytest.mark.parametrize("pin", ["12345", "111111", "60221 "])
def test_a_pin_that_is_none_is_refused_before_anybody_walks_to_the_button(
    unmanned: Service, call: Any, pin: str
) -> None:
    answer = call().ask(do="first", person={"name": "paul", "pin": pin})
    assert code(answer) == "wrong_value"


@pytest.mark.parametrize("name", ["\u202eluap", "pa\u2066ul", "pa\nul", "pa\u200bul", "x" * 41])
def test_a_name_that_cannot_stand_on_a_display_is_refused(
    unmanned: Service, call: Any, name: str
) -> None:
    answer = call().ask(do="first", person={"name": name, "pin": "602214"})
    assert code(answer) == "wrong_value"
    assert unmanned.asks_first is None


def test_the_press_of_who_stands_at_the_wheel_is_not_that_of_who_asked_before(
    first: Wheel, call: Any, tmp_path: Path
) -> None:
    """Two requests over the network and the technician's press made the attacker supervisor."""
    attacker, technician = call(), call()
    assert attacker.ask(do="first", person=EVE)["ok"]
    assert code(technician.ask(do="first", person=NEW)) == "busy"
    assert told(attacker)["ok"] is False
    assert code(attacker.ask(do="first", person=EVE)) == "too_soon"
    first.press(4)
    first.pause()
    assert attacker.ask(do="status")["ok"]
    assert nobody(tmp_path)


def test_where_two_ask_nobody_is_heard_for_a_minute(
    first: Wheel, call: Any, tmp_path: Path
) -> None:
    one, other = call(), call()
    assert one.ask(do="first", person=NEW)["ok"]
    assert code(other.ask(do="first", person=EVE)) == "busy"
    assert told(one) == {
        "event": "first",
        "ok": False,
        "name": "paul",
        "why": "Somebody else asked for that at the same time.",
    }
    for _ in range(59):
        first.now_s += 1
        for caller, person in ((one, NEW), (other, EVE)):
            assert code(caller.ask(do="first", person=person)) == "too_soon"
    first.press(4)
    first.now_s += 1
    assert one.ask(do="first", person=NEW)["ok"]
    first.press(4)
    first.pause()
    assert told(one)["ok"]
    assert [person.name for person in people_file.load(tmp_path / "people.jsonl")] == ["paul"]


def test_who_asks_twice_on_one_connection_is_two_who_ask(
    first: Wheel, call: Any, tmp_path: Path
) -> None:
    """All browsers of the service page ask on one: nobody can know that they are one person."""
    page = call()
    assert page.ask(do="first", person=NEW)["ok"]
    page.say(b'{"do":"first","person":{"name":"paul","pin":"662607"}}\n')
    assert code(hear(page, lambda line: "error" in line)) == "busy"
    first.press(4)
    first.pause()
    assert nobody(tmp_path)


def test_the_button_that_makes_a_coup_void_proves_nothing(
    first: Wheel, call: Any, tmp_path: Path
) -> None:
    """Else whoever asked between two coups would wait for the croupier's next void."""
    caller = call()
    assert caller.ask(do="first", person=NEW)["ok"]
    first.press(4)  # even where it was right so far
    first.service.take_fact(CoupStarted(0, 4, CW))
    refused = told(caller)
    assert (refused["ok"], refused["why"]) == (False, "A coup was opened.")
    first.press(4)
    first.pause()
    caller.say(b'{"do":"status"}\n')
    assert hear(caller, lambda line: "event" not in line)["ok"]
    assert nobody(tmp_path)


def test_who_wants_no_edges_any_more_still_waits_for_the_button(
    wheel: Service, call: Any, people: Path, lines: bytes
) -> None:
    hand = Wheel(wheel)
    caller = call()
    session = log_in(caller, "tom")
    people.write_bytes(b"".join(line for line in lines.splitlines(True) if b"sue" not in line))
    assert caller.ask(do="first", person=NEW)["ok"]
    caller.ask(do="edges", session=session, on=False)
    hand.press(4)
    hand.pause()
    assert told(caller)["ok"]


def test_who_has_hung_up_is_not_waited_for(first: Wheel, call: Any) -> None:
    gone, other = call(), call()
    assert gone.ask(do="first", person=NEW)["ok"]
    gone.close()
    until(lambda: first.first.name is None)
    first.now_s += DEAF_S
    assert other.ask(do="first", person=EVE)["ok"]


def test_who_hangs_up_has_no_other_number_drawn_until_he_likes_it(first: Wheel, call: Any) -> None:
    """Else he would draw two, and wait for somebody who presses twice."""
    drawn = 0
    for _ in range(30):
        eve = call()
        drawn += eve.ask(do="first", person=EVE).get("ok", False)
        eve.close()
        until(lambda: first.first.name is None)
        first.now_s += 10
    assert drawn == 5


def test_the_presses_of_who_was_refused_prove_nobody_who_asks_after_him(
    first: Wheel, call: Any, tmp_path: Path
) -> None:
    """The page tells everybody at once that he was refused, and he may press once more."""
    technician, eve = call(), call()
    assert technician.ask(do="first", person=NEW)["ok"]
    first.press(3)
    first.pause()
    assert told(technician)["ok"] is False
    assert code(eve.ask(do="first", person=EVE)) == "too_soon"
    first.press(4)
    first.pause()
    assert eve.ask(do="status")["ok"]
    assert nobody(tmp_path)


def test_the_button_is_waited_for_a_minute(first: Wheel, call: Any) -> None:
    caller = call()
    assert caller.ask(do="first", person=NEW)["ok"]
    assert first.service.asks_first == "paul"
    first.now_s += 60.5
    assert told(caller)["why"] == "The button was not pressed in time."
    assert first.service.asks_first is None
    first.press(4)
    first.now_s += DEAF_S
    assert caller.ask(do="first", person=NEW)["ok"]


def test_who_began_to_press_in_time_may_finish(first: Wheel, call: Any) -> None:
    caller = call()
    assert caller.ask(do="first", person=NEW)["ok"]
    for _ in range(4):
        first.now_s += 2 if first.first._count else 59
        first.press()
    first.pause()
    assert told(caller)["ok"]


def test_of_two_who_were_proven_one_is_the_first(first: Wheel, call: Any, people: Path) -> None:
    """A supervisor was added to the file while somebody was asking."""
    held = people.read_bytes()
    people.unlink()
    caller = call()
    assert caller.ask(do="first", person=NEW)["ok"]
    people.write_bytes(held)
    people.chmod(0o600)
    first.press(4)
    first.pause()
    assert told(caller)["why"] == "There is a supervisor already."
    assert people.read_bytes() == held


def test_why_somebody_could_not_be_added_is_a_sentence(
    first: Wheel, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told to every visitor of the page."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "/var/lib/cylindre/.people.jsonl.1234")

    monkeypatch.setattr(people_file, "_write", full)
    caller = call()
    assert caller.ask(do="first", person=NEW)["ok"]
    first.press(4)
    first.pause()
    why = "The file of people cannot be written: no space left on device."
    assert told(caller)["why"] == why
