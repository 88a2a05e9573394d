"""What the gateway does step by step, its clock and its controller being ours."""

import json
import os
import select
import socket
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gateway_bench import STILL
from patience import LAST_RESORT_S

from firmware.lib.errors import Failure
from firmware.services.gateway.link import Link, LinkLostError, Port
from firmware.services.gateway.main import RETRY_US, Gateway, run_gateway
from firmware.services.gateway.translator import FRESH_US, Translator

HOUR_US = 3_600_000_000
QUESTION = b'{"do":"status"}\n'
LINE_MAX = 65_536
CALLED = STILL._replace(state="NO_MORE_BETS", coup=11, rotor="ccw", ball="cw", rotor_rpm=16.5)
NEWS = CALLED._replace(state="CONFIRMED", ball=None, number=7, last_number=7, result_age_ms=0)


class Desk:
    """A gateway between a pty and a socket that accepts, and answers when it is told to."""

    def __init__(self, folder: Path) -> None:
        self.now_us = 0
        self.path = folder / "status.sock"
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.settimeout(LAST_RESORT_S)
        self._server.bind(str(self.path))
        self._server.listen()
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = Port(os.ttyname(self._slave))
        self.link = Link(self.path)
        self.gateway = Gateway(self.port, self.link, Translator(), lambda: self.now_us)
        self.gateway.open()
        self.accept()

    def accept(self) -> None:
        self.controller, _ = self._server.accept()
        self.controller.settimeout(LAST_RESORT_S)

    def answer(self, **facts: Any) -> None:
        """The controller answers the one question that is out."""
        assert self.controller.recv(4096) == QUESTION
        self.controller.sendall(json.dumps({"status": facts}).encode() + b"\n")

    def step(self, now_us: int) -> None:
        self.now_us = now_us
        told = self.link.is_open and bool(select.select([self.link], [], [], 0)[0])
        self.gateway.step(told, polled=False)

    def line(self) -> bytes:
        """What the displays hear, up to the end of a line."""
        heard = b""
        while not heard.endswith(b"\r\n"):
            assert select.select([self.master], [], [], LAST_RESORT_S)[0], heard
            heard += os.read(self.master, 4096)
        return heard

    def leave(self) -> None:
        """The controller ends."""
        self.controller.close()
        self._server.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        self.gateway.close()
        self.leave()
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def test_a_controller_that_accepts_and_never_answers_is_hung_up_on_after_a_second(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.step(0)
    desk.step(FRESH_US - 1)
    assert desk.link.is_open
    assert desk.controller.recv(4096) == QUESTION
    assert capsys.readouterr().err == ""
    desk.step(FRESH_US)
    assert not desk.link.is_open
    assert desk.controller.recv(4096) == b""
    assert capsys.readouterr().err.endswith("is gone: the line is silent.\n")
    desk.controller.close()
    desk.step(FRESH_US + RETRY_US)
    desk.accept()
    desk.answer(**CALLED._asdict())
    desk.step(FRESH_US + RETRY_US)
    assert desk.line() == b"*X;4;011;  ;0;165;1\r\n"
    assert capsys.readouterr().err == "It is back: the line speaks again.\n"


@pytest.mark.parametrize("heard", [False, True])
def test_a_result_that_was_asked_for_before_a_suspension_is_not_said_after_it(
    desk: Desk, heard: bool
) -> None:
    desk.step(0)
    desk.answer(**CALLED._asdict())
    desk.step(100_000)
    assert desk.line() == b"*X;4;011;  ;0;165;1\r\n"
    desk.answer(**NEWS._asdict())
    if heard:
        desk.step(150_000)
        assert desk.link.asked_us is None  # it has the number, and has not said it
    desk.step(HOUR_US)
    desk.answer(**NEWS._replace(result_age_ms=HOUR_US // 1000)._asdict())
    desk.step(HOUR_US + 50_000)
    assert desk.line() == b"*X;1;012; 7;0;165;1\r\n"  # nothing before it, and not as news


def test_a_port_is_tried_though_the_controller_is_gone_too(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.step(0)
    desk.leave()
    desk.step(100_000)
    assert "is gone: the line is silent." in capsys.readouterr().err
    desk.port.close()
    desk.step(RETRY_US)
    assert (desk.port.is_open, desk.link.is_open) == (True, False)


def test_its_clock_counts_a_suspended_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def clock(which: int) -> int:
        asked.append(which)
        return 0

    monkeypatch.setattr(time, "clock_gettime_ns", clock)
    with pytest.raises(Failure):
        run_gateway(str(tmp_path / "tty"), tmp_path / "status.sock", Translator())
    assert set(asked) == {time.CLOCK_BOOTTIME}


# --- the link's limit ----------------------------------------------------------------------------
def read(link: Link) -> dict[str, Any] | None:
    """Reads all that waits; the status in it."""
    while select.select([link], [], [], 0)[0]:
        came = link.read()
        if came is not None:
            return came[0]
    return None


def test_an_answer_that_does_not_end_is_from_no_controller(desk: Desk) -> None:
    start, end = b'{"status":{"game":"', b'"}}'
    longest = start + b"x" * (LINE_MAX - len(start) - len(end)) + end
    desk.link.ask(0)
    desk.controller.sendall(longest)
    assert read(desk.link) is None
    desk.controller.sendall(b"\n")
    assert read(desk.link) is not None
    desk.link.ask(0)
    desk.controller.sendall(longest + b" ")
    with pytest.raises(LinkLostError):
        read(desk.link)
    assert not desk.link.is_open
