"""`cylindre gateway` as people start it: a process between a controller's socket and a tty."""

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from at_rest import asked
from gateway_bench import SILENCE_S, silence
from patience import LAST_RESORT_S, Waiting, unless_stalled, until, within

from firmware.api import server
from firmware.api.server import Service
from firmware.core.facts import CCW, CW, CoupStarted, Result, View
from firmware.lib.errors import FAILED, INTERRUPTED, NO_DEVICE, OK, USAGE
from firmware.lib.places import STATUS_ONLY
from firmware.services.gateway.translator import FRESH_US

ROOT = Path(__file__).parents[3]
NO_MORE_BETS = View("NO_MORE_BETS", 11, 10, CCW, None, None, None)
CONFIRMED = View("CONFIRMED", 11, 11, CCW, 7, "red", None)
RESULT = Result(0, 11, 11, 7, 3, "red", True, True)


class Controller:
    """A controller's sockets, and a loop that comes round behind them."""

    def __init__(self, folder: Path) -> None:
        self.service = Service(folder, number_max=36, game="roulette")
        self._stop = threading.Event()
        self._loop = threading.Thread(target=self._run, daemon=True)
        self._loop.start()

    def _run(self) -> None:
        while not self._stop.wait(0.02):
            self.service.turns(time.monotonic_ns() // 1000, -275_000)  # 16.5 rpm

    def freeze(self) -> None:
        """Stops the loop; the sockets go on answering."""
        self._stop.set()
        self._loop.join()

    def close(self) -> None:
        self.freeze()
        self.service.close()


class Wire:
    """A pty whose far end has a name of our own, so that it can vanish and come back."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.heard = b""
        self.connect()

    def connect(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.link.symlink_to(os.ttyname(self._slave))

    def cut(self) -> None:
        if self.master >= 0:
            self.link.unlink()
            os.close(self.master)
            os.close(self._slave)
            self.master = -1

    def until(self, enough: Callable[[list[bytes]], object]) -> list[bytes]:
        """Reads until `enough` says so of the lines, with their ends, since the last time.

        Returns them: a test that is itself held up finds more of them than it waited for.
        """
        with Waiting("what the displays hear", told=lambda: self.heard) as waiting:
            while not enough(whole := re.findall(rb"[^\n]*\n", self.heard)):
                waiting.on()
                if select.select([self.master], [], [], 0.05)[0]:
                    self.heard += os.read(self.master, 4096)
        self.heard = self.heard[len(b"".join(whole)) :]
        return whole

    def lines(self, count: int) -> list[bytes]:
        """The next so many lines, with their ends; what has come behind them is dropped."""
        return self.until(lambda lines: len(lines) >= count)[:count]

    def forget(self) -> None:
        """Drops what has come."""
        while not self.empty:
            os.read(self.master, 4096)
        self.heard = b""

    @property
    def empty(self) -> bool:
        """Whether nothing has come."""
        return not select.select([self.master], [], [], 0)[0]


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Controller]:
    found = Controller(tmp_path)
    yield found
    found.close()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    found = Wire(tmp_path / "tty")
    yield found
    found.cut()


@pytest.fixture
def start(tmp_path: Path, wire: Wire) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    started: list[subprocess.Popen[str]] = []

    def begin(*options: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-P", "-m", "tools.cli", "gateway", "--port", str(wire.link)]
        process = subprocess.Popen(
            [*command, "--socket", str(tmp_path), *options],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def masked(lines: list[bytes]) -> list[bytes]:
    """Without the rotor's speed, which depends on how long it has turned."""
    return [re.sub(rb"(;\d);\d{3};(\d)\r", rb"\1;---;\2\r", line) for line in lines]


def said(process: "subprocess.Popen[str]") -> str:
    """Its next sentence."""
    assert process.stderr is not None
    return process.stderr.readline()


def confirm(controller: Controller) -> None:
    controller.service.take_fact(RESULT)
    controller.service.show_view(CONFIRMED)


def grows_old(folder: Path) -> None:
    """The result that was told is news no more, as the gateway is told."""
    status = {"do": "status"}
    age_ms = lambda: asked(folder, status, STATUS_ONLY)["status"]["result_age_ms"] or 0  # noqa: E731
    until(lambda: age_ms() * 1000 >= FRESH_US, "a result that is old")


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.mark.smoke
def test_a_result_goes_out_bare_and_then_in_state_5(
    controller: Controller, wire: Wire, start: Start
) -> None:
    controller.service.take_fact(CoupStarted(0, 11, 0))
    controller.service.show_view(NO_MORE_BETS)
    process = start()
    assert wire.lines(2) == [b"*X;4;011;  ;0;165;1\r\n"] * 2
    with unless_stalled(0.5, "a result is news for a second"):
        confirm(controller)
        told = masked(wire.until(lambda lines: re.search(rb"X;5.*X;5|X;1", b"".join(lines), re.S)))
        news = [line for line in told if line != b"*X;4;011;  ;0;---;1\r\n"]
        assert news[:3] == [b" 7\r\n", *[b"*X;5;011; 7;0;---;1\r\n"] * 2]
    process.terminate()
    assert process.wait(LAST_RESORT_S) == OK


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, OK)])
def test_a_signal_ends_it(
    controller: Controller, wire: Wire, start: Start, number: int, code: int
) -> None:
    controller.service.show_view(NO_MORE_BETS)
    process = start()
    wire.lines(1)
    process.send_signal(number)
    _, told = process.communicate(timeout=LAST_RESORT_S)
    assert (process.returncode, told) == (code, "")


def test_a_poll_is_answered_at_once(controller: Controller, wire: Wire, start: Start) -> None:
    controller.service.show_view(NO_MORE_BETS)
    start("--mode", "extended")
    wire.lines(2)
    os.write(wire.master, b"*X\r\n")
    with within(0.4, "an answer"):  # the next line of its own comes in half a second
        found = wire.lines(1)[0]
    assert len(found) == 40


def test_a_controller_that_goes_leaves_the_line_silent_until_it_is_back(
    controller: Controller, wire: Wire, start: Start, tmp_path: Path
) -> None:
    controller.service.show_view(NO_MORE_BETS)
    process = start()
    wire.lines(1)
    controller.close()
    assert "is gone: the line is silent." in said(process)
    wire.forget()
    assert silence([wire.master])
    again = Controller(tmp_path)
    again.service.show_view(CONFIRMED)  # it stands where it stood, from its journal
    assert "It is back" in said(process)
    assert masked(wire.lines(3)) == [b"*X;1;012; 7;0;---;1\r\n"] * 3
    again.close()


def test_a_loop_that_stands_still_leaves_the_line_silent(
    controller: Controller, wire: Wire, start: Start
) -> None:
    controller.service.show_view(NO_MORE_BETS)
    start()
    wire.lines(1)
    controller.freeze()
    with within(SILENCE_S + 5.0, "silence"):  # a second, and what it takes to read it here
        while not silence([wire.master]):
            os.read(wire.master, 4096)


def test_a_gateway_that_was_suspended_tells_no_old_news(
    controller: Controller, wire: Wire, start: Start, tmp_path: Path
) -> None:
    controller.service.show_view(NO_MORE_BETS)
    process = start()
    wire.lines(1)
    process.send_signal(signal.SIGSTOP)
    os.waitpid(process.pid, os.WUNTRACED)
    confirm(controller)
    grows_old(tmp_path)
    wire.forget()
    process.send_signal(signal.SIGCONT)
    assert masked(wire.lines(4)) == [b"*X;1;012; 7;0;---;1\r\n"] * 4


def test_a_port_that_goes_away_is_waited_for_and_hears_no_old_news(
    controller: Controller, wire: Wire, start: Start, tmp_path: Path
) -> None:
    controller.service.show_view(NO_MORE_BETS)
    process = start()
    wire.lines(1)
    wire.cut()
    assert "plug it in again" in said(process)
    confirm(controller)
    grows_old(tmp_path)
    assert process.poll() is None
    wire.connect()
    assert "It is back" in said(process)
    assert masked(wire.lines(2)) == [b"*X;1;012; 7;0;---;1\r\n"] * 2


# --- what cannot be ------------------------------------------------------------------------------
def test_without_a_controller_or_a_port_it_says_so(
    tmp_path: Path, start: Start, wire: Wire
) -> None:
    process = start()
    _, told = process.communicate(timeout=LAST_RESORT_S)
    assert process.returncode == NO_DEVICE
    assert told.count("\n") == 1
    assert "No controller is running at" in told
    controller = Controller(tmp_path)
    wire.cut()
    process = start()
    _, told = process.communicate(timeout=LAST_RESORT_S)
    assert process.returncode == NO_DEVICE
    assert told.count("\n") == 1
    assert "There is no port" in told
    controller.close()


def test_limits_that_leave_no_speed_are_refused(start: Start) -> None:
    process = start("--slow-rpm", "30", "--fast-rpm", "20")
    _, told = process.communicate(timeout=LAST_RESORT_S)
    assert process.returncode == USAGE
    assert "No speed is legal" in told


def test_a_controller_of_another_version_is_named(
    tmp_path: Path, start: Start, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Old(server.TableStatus):
        def status(self) -> dict[str, Any]:
            return {"state": "BETS_OPEN", "coup": 3, "rotor": None}

    monkeypatch.setattr(server, "TableStatus", Old)
    controller = Controller(tmp_path)
    controller.service.show_view(View("BETS_OPEN", 0, 0, CW, None, None, None))
    process = start()
    _, told = process.communicate(timeout=LAST_RESORT_S)
    with contextlib.suppress(BlockingIOError):
        assert wire.empty
    assert process.returncode == FAILED
    assert "start it and the gateway from the same version" in told
    assert "Traceback" not in told
    controller.close()
