"""The first supervisor and known browsers, over real HTTPS at a real controller with its wheel."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_bench import PINS, Table
from patience import LAST_RESORT_S, until

from firmware.api.first_supervisor import PRESSES
from firmware.keys.people import load
from tools.bench.page.client import Client

WRONG = "000111"


def client(table: Table) -> Client:
    return Client(table.port, LAST_RESORT_S)


class Listener:
    """What the first supervisor's asking came to, as every browser is told it."""

    def __init__(self, table: Table) -> None:
        self.told: list[dict[str, Any]] = []
        self.all = b""
        self._stream = client(table).stream()
        threading.Thread(target=self._listen, daemon=True).start()
        until(lambda: b"event: status" in self.all)

    def _listen(self) -> None:
        try:
            while data := self._stream.recv(65_536):
                self.all += data
                lines = self.all.decode(errors="ignore").split("\n")
                facts = [line[6:] for line in lines[:-1] if line.startswith('data: {"event":')]
                self.told = [fact for fact in map(json.loads, facts) if fact["event"] == "first"]
        except OSError:
            pass

    def close(self) -> None:
        self._stream.close()


@pytest.fixture
def unmanned(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path, staffed=False)
    made.play()
    made.serve()
    made.rest()
    yield made
    made.close()


def test_the_first_supervisor_is_who_was_told_the_number(unmanned: Table) -> None:
    heard = Listener(unmanned)
    status, asked = client(unmanned).ask("/api/first", {"name": "paul", "pin": "602214"})
    assert (status, asked["button"]) == (200, "btn_void")
    assert asked["presses"] in PRESSES
    for at in range(asked["presses"]):
        press = {"do": "press", "line": "btn_void", "s": 0.2, "after_s": 0.5 * at}
        unmanned.ask(press, "hand.sock")
    until(lambda: heard.told)
    (told,) = heard.told
    assert (told["ok"], told["name"]) == (True, "paul")
    assert [(each.name, each.role) for each in load(unmanned.people)] == [("paul", "supervisor")]
    assert b"presses" not in heard.all
    assert client(unmanned).log_in("paul", "602214")[0] == 200
    heard.close()


def test_two_browsers_that_ask_are_both_refused_and_a_press_is_nobodys(unmanned: Table) -> None:
    """An attacker's request, the technician's, the technician's press."""
    heard = Listener(unmanned)
    attacker, technician = client(unmanned), client(unmanned)
    assert attacker.ask("/api/first", {"name": "eve", "pin": "662607"})[0] == 200
    status, told = technician.ask("/api/first", {"name": "paul", "pin": "602214"})
    assert (status, told["error"]["code"]) == (409, "busy")
    status, told = attacker.ask("/api/first", {"name": "eve", "pin": "662607"})
    assert (status, told["error"]["code"]) == (429, "too_soon")
    unmanned.ask({"do": "press", "line": "btn_void", "s": 0.1}, "hand.sock")
    until(lambda: heard.told)
    assert [told["ok"] for told in heard.told] == [False]
    assert not unmanned.people.exists()
    heard.close()


def test_wrong_pins_at_the_page_keep_nobody_out_who_is_known_or_at_the_table(
    table: Table,
) -> None:
    table.play()
    table.serve()
    weber, stranger = client(table), client(table)
    assert weber.log_in("weber", PINS["weber"])[0] == 200
    assert weber.device.startswith("__Host-cylindre-device=")
    codes = [stranger.log_in("weber", WRONG)[1]["error"]["code"] for _ in range(3)]
    assert codes[0] == "wrong_pin"
    until(lambda: stranger.log_in("weber", WRONG)[1]["error"]["code"] == "too_soon")
    assert weber.log_in("weber", PINS["weber"])[0] == 200
    told = table.ask({"do": "login", "person": {"name": "weber", "pin": PINS["weber"]}})
    assert told["ok"]


def test_the_cookie_that_a_browser_keeps_is_for_this_host_and_no_script(table: Table) -> None:
    table.play()
    table.serve()
    weber = client(table)
    assert weber.log_in("weber", PINS["weber"])[0] == 200
    said = weber.set_cookies[0]
    assert said.startswith("__Host-cylindre-device=")
    for kept in ("Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=15552000"):
        assert kept in said
    assert PINS["weber"] not in said
    for cookie in ("x" * 1500, "a b", "", "<>"):
        other = client(table)
        other.device = f"__Host-cylindre-device={cookie}"
        assert other.log_in("weber", PINS["weber"])[0] == 200
