"""`cylindre followers` as a process on a tty, and a controller at the other end of it."""

import json
import os
import select
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, until

from firmware.bus.card_terminal_host import CardTerminalHost
from firmware.bus.display_host import DisplayHost
from firmware.bus.line import TableLine
from firmware.keys.folder import provision, read_terminal
from firmware.lib.errors import NO_DEVICE, OK
from firmware.services.terminal.commands import sign_on
from tools.bench.card_line import FIRST_FOLLOWER, FOLLOWERS, CardBench

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-P", "-m", "tools.cli", "followers", "--keys", "keys")
ANNA = FIRST_FOLLOWER


class Controller:
    """A card table's line over the master of a tty."""

    def __init__(self, keys: dict[int, bytes]) -> None:
        bench = CardBench(seats=1, followers=1, displays=0)
        bench.account_keys[ANNA] = sign_on(ANNA, "4711").key
        self.book = bench.book
        self.book.take_chips([{"player": "chips", "seat": 1, "bet": "main", "cents": 500}])
        host = CardTerminalHost(77, keys, self.book, baud=115_200)
        self.line = TableLine(DisplayHost(77, {}, lambda seq: None), host)
        self.line.terminal_host.set_state("BETS_OPEN")  # type: ignore[union-attr]
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.port, self._slave = os.ttyname(slave), slave
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()

    def _carry(self) -> None:
        while not self._over.is_set():
            ready, _, _ = select.select([self.master], [], [], 0.005)
            data = os.read(self.master, 4096) if ready else b""
            for framed in self.line.exchange(data, time.monotonic_ns() // 1000):
                os.write(self.master, framed)

    def end(self) -> None:
        self._over.set()
        self._thread.join(LAST_RESORT_S)
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Controller]:
    provision(tmp_path / "keys", terminals=FOLLOWERS)
    made = Controller({FOLLOWERS: read_terminal(tmp_path / "keys", FOLLOWERS)})
    yield made
    made.end()


def start(folder: Path, port: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*COMMAND, "--port", port],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "PATH": "/usr/bin:/bin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_lines_on_standard_input_are_decided_and_told(
    tmp_path: Path, controller: Controller
) -> None:
    asked: list[dict[str, Any]] = [
        {"do": "sign_on", "account": ANNA, "pin": "4711"},
        {"do": "follow", "account": ANNA, "seat": 1, "cents": 700, "double": True},
        {"do": "hit"},
        {"do": "quit"},
    ]
    process = start(tmp_path, controller.port)
    said, why = process.communicate(
        "".join(json.dumps(each) + "\n" for each in asked), timeout=LAST_RESORT_S
    )
    assert (process.returncode, why) == (OK, "")
    told = [json.loads(line) for line in said.splitlines()]
    decided = [(one["do"], one["accepted"]) for one in told if one["event"] == "decided"]
    assert decided == [("sign_on", True), ("follow", True)]
    assert [one["line"] for one in told if one["event"] == "refused_here"] == ['{"do": "hit"}']
    laid = [(one["seat"], one["follow"]) for one in controller.book.stakes() if "follow" in one]
    assert laid == [(1, "double")]


def test_a_host_that_is_killed_leaves_its_bets_where_they_lie(
    tmp_path: Path, controller: Controller
) -> None:
    for amount in (700, 700):
        process = start(tmp_path, controller.port)
        assert process.stdin is not None and process.stdout is not None
        for each in (
            {"do": "sign_on", "account": ANNA, "pin": "4711"},
            {"do": "follow", "account": ANNA, "seat": 1, "cents": amount, "double": True},
        ):
            process.stdin.write(json.dumps(each) + "\n")
        process.stdin.flush()
        told: list[str] = []
        out = process.stdout
        reader = threading.Thread(target=lambda told=told, out=out: told.extend(out), daemon=True)
        reader.start()
        until(lambda told=told: any('"follow"' in line for line in told), "an answer")
        process.kill()
        process.communicate()
    assert [one["cents"] for one in controller.book.stakes() if "follow" in one] == [700]


def test_a_port_that_is_not_there_is_told(tmp_path: Path) -> None:
    provision(tmp_path / "keys", terminals=FOLLOWERS)
    process = start(tmp_path, "/dev/nowhere")
    _, why = process.communicate("", timeout=LAST_RESORT_S)
    assert process.returncode == NO_DEVICE
    assert "/dev/nowhere" in why
