"""While a PIN is hashed the sockets go on answering; where it was given counts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, until
from people_bench import of
from service_bench import CONFIRMED, PINS, Caller, code, hear

from firmware.api.connection import Client
from firmware.api.pin_worker import WAITING_MAX
from firmware.api.server import Service
from firmware.core.facts import Trouble
from firmware.keys import people as people_file
from firmware.keys.people import People

ANNA = {"name": "anna", "pin": PINS["anna"]}


class Slow(People):
    """People whose PINs take as long to check as a test wants."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.gate = threading.Event()
        self.begun = 0

    def check(self, *given: Any) -> Any:
        self.begun += 1
        self.gate.wait(LAST_RESORT_S)
        return super().check(*given)


@pytest.fixture
def slow(tmp_path: Path, quick: None) -> Slow:
    return Slow(of(tmp_path, "anna", "weber", role="supervisor"))


@pytest.fixture
def service(tmp_path: Path, slow: Slow) -> Iterator[Service]:
    found = Service(tmp_path, number_max=36, people=slow)
    found.show_view(CONFIRMED)
    yield found
    slow.gate.set()
    found.close()


def ask_login(caller: Caller, pin: str = PINS["anna"], **more: str) -> Any:
    return caller.ask(do="login", person={"name": "anna", "pin": pin}, **more)


LOGIN = b'{"do":"login","person":{"name":"anna","pin":"%s"}}\n' % PINS["anna"].encode()


def test_who_asks_for_the_status_does_not_wait_for_a_hash(
    service: Service, call: Any, slow: Slow
) -> None:
    one, other = call(), call()
    one.say(LOGIN)
    until(lambda: slow.begun)
    for _ in range(20):
        assert other.ask(do="status")["ok"]
    slow.gate.set()
    assert one.hear()["session"]


def test_the_lines_of_one_client_are_answered_in_their_order(
    service: Service, call: Any, slow: Slow
) -> None:
    caller = call()
    caller.say(LOGIN + b'{"do":"status"}\n')
    until(lambda: slow.begun)
    slow.gate.set()
    assert [sorted(caller.hear())[:2] for _ in range(2)] == [["do", "idle_s"], ["ok", "status"]]


def test_where_too_many_wait_the_next_is_refused_at_once(
    service: Service, call: Any, slow: Slow
) -> None:
    callers = [call() for _ in range(WAITING_MAX + 2)]
    callers[0].say(LOGIN)
    until(lambda: slow.begun)
    for caller in callers[1:-1]:
        caller.say(LOGIN)
    until(lambda: service._pins._work.full())
    assert code(ask_login(callers[-1])) == "busy"
    slow.gate.set()
    for caller in callers[:-1]:
        assert caller.hear()["session"]
    assert ask_login(callers[-1])["ok"]


def test_who_hangs_up_while_his_pin_is_checked_leaves_nothing(
    service: Service, call: Any, slow: Slow
) -> None:
    caller, other = call(), call()
    caller.say(LOGIN)
    until(lambda: slow.begun)
    caller.close()
    slow.gate.set()
    assert ask_login(other)["ok"]
    until(lambda: other.ask(do="status")["status"]["clients"] == 1)


def test_a_controller_that_stops_does_not_wait_for_those_who_wait(
    service: Service, call: Any, slow: Slow
) -> None:
    callers = [call() for _ in range(3)]
    for caller in callers:
        caller.say(LOGIN)
    until(lambda: slow.begun and service._pins._work.qsize() == 2)
    stopping = threading.Thread(target=service.close)
    stopping.start()
    until(lambda: service._pins._closing)
    slow.gate.set()
    stopping.join()
    assert slow.begun == 1
    assert [caller.hear() for caller in callers] == [None, None, None]


@pytest.mark.usefixtures("open_gate")
def test_a_hash_that_fails_is_told_and_the_sockets_go_on(
    service: Service, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_memory(*_: object) -> bytes:
        raise RuntimeError("no memory")

    caller = call()
    with monkeypatch.context() as patch:
        patch.setattr(people_file, "_hash", without_memory)
        assert code(ask_login(caller)) == "failed"
    assert ask_login(caller)["ok"]


# --- where it is given ----------------------------------------------------------------------------


@pytest.fixture
def open_gate(slow: Slow) -> None:
    slow.gate.set()


@pytest.mark.usefixtures("open_gate")
def test_wrong_pins_at_the_page_keep_nobody_out_at_the_table(service: Service, call: Any) -> None:
    page, table = call(), call()
    for _ in range(3):
        assert "error" in ask_login(page, "000000", device="")
    assert code(ask_login(page, device="")) == "too_soon"
    assert ask_login(table)["ok"]
    assert code(ask_login(page, device="")) == "too_soon"


@pytest.mark.usefixtures("open_gate")
def test_a_program_with_a_user_of_its_own_is_no_table(
    service: Service, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service page cannot slow down the table, whatever it says."""
    real = Client.__init__

    def daemon(self: Client, *given: Any, **named: Any) -> None:
        real(self, *given, **named)
        self.is_daemon, self.who = True, "cylindre-page"

    with monkeypatch.context() as patch:
        patch.setattr(Client, "__init__", daemon)
        page = call()
        assert page.ask(do="status")["ok"]
    table = call()
    assert code(ask_login(page, "000000")) == "wrong_pin"
    assert code(ask_login(page)) == "too_soon"
    assert ask_login(table)["ok"]


@pytest.mark.usefixtures("open_gate")
def test_the_right_pin_passes_from_the_browser_that_knew_it(service: Service, call: Any) -> None:
    tablet, stranger = call(), call()
    kept = ask_login(tablet, device="")["device"]
    for _ in range(2):
        assert "error" in ask_login(stranger, "000000", device="")
    assert code(ask_login(stranger, device="")) == "too_soon"
    told = ask_login(tablet, device=kept)
    assert (told["ok"], told["device"]) == (True, kept)


@pytest.mark.usefixtures("open_gate")
def test_who_is_no_browser_is_given_nothing_to_keep(service: Service, call: Any) -> None:
    assert "device" not in ask_login(call())


@pytest.mark.parametrize("device", [7, None, "x" * 401, "é", ["a"]])
def test_what_no_browser_keeps_is_refused(service: Service, call: Any, device: Any) -> None:
    assert code(ask_login(call(), device=device)) == "wrong_value"


@pytest.mark.usefixtures("open_gate")
def test_the_sockets_say_the_same_of_somebody_unknown(service: Service, call: Any) -> None:
    def heard(name: str) -> list[Any]:
        caller = call()
        told = []
        for _ in range(2):
            caller.say(b'{"do":"login","person":{"name":"%s","pin":"000000"}}\n' % name.encode())
            error = hear(caller, lambda line: "error" in line)["error"]
            told.append(repr(error).replace(name, "NAME"))
        return told

    assert heard("anna") == heard("nobody")
    troubles = [event for event in service.take_events() if isinstance(event, Trouble)]
    assert [trouble[2] for trouble in troubles] == [
        "anna, 1 in a row",
        "somebody unknown, 1 in a row",
    ]


def test_a_hash_is_computed_beside_the_other_threads() -> None:
    """scrypt lets go of Python's lock: somebody else goes on meanwhile."""
    person = people_file.enrol("anna", "croupier", PINS["anna"])
    done = threading.Event()

    def check() -> None:
        people_file.matches(person, PINS["anna"])
        done.set()

    worker = threading.Thread(target=check)
    worker.start()
    turns = 0
    while not done.is_set():
        turns += 1
    worker.join()
    # With the lock held this thread has a turn before and after; beside it, some millions.
    assert turns > 1_000
