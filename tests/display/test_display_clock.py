"""What a display does with time, its clock being ours."""

import io
import json
import os
import select
import tty
from collections.abc import Iterator

import pytest

from firmware.bus.receiver import STALE_US, Receiver
from firmware.bus.sender import Talker
from tools.display.faces import Json
from tools.display.line import Line
from tools.display.main import Display


class Desk:
    """A display on a pty, with its far end and its clock in our hands."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.line = Line(os.ttyname(self.slave), 115200)
        self.line.open()
        self.now_us = 0
        self.receiver = Receiver()
        self.display = Display(self.line, Json(io.StringIO()), self.receiver, lambda: self.now_us)
        self.talker = Talker(1)
        self.talker.show("CONFIRMED", 42, 42, 1, 17, "black", None)

    def hear(self, now_us: int, data: bytes = b"") -> int | None:
        """The number lit after the talker, or `data`, was heard at `now_us`."""
        os.write(self.master, data or b"".join(self.talker.poll(now_us)))
        return self.step(now_us)

    def step(self, now_us: int) -> int | None:
        assert select.select([self.line], [], [], 10)[0]
        self.now_us = now_us
        self.display.step(readable=True)
        number: int | None = self.receiver.lit.number
        return number

    def hang_up(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            os.close(self.slave)
            self.master = -1


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.line.close()
    made.hang_up()


def test_a_display_that_slept_does_not_believe_what_waited_in_its_port(desk: Desk) -> None:
    assert desk.hear(1) == 17
    assert desk.hear(250_001) == 17
    assert desk.hear(250_001 + STALE_US + 1) is None
    assert desk.hear(250_001 + STALE_US + 2, b"\0") is None
    assert desk.hear(250_001 + STALE_US + 300_000) == 17


def test_a_port_that_vanishes_is_a_dash_at_once(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert desk.hear(1) == 17
    desk.hang_up()
    assert desk.step(2) is None
    assert "is gone" in capsys.readouterr().err
    assert not desk.line.is_open


def test_json_prints_a_line_when_what_is_lit_changes_and_only_then() -> None:
    out = io.StringIO()
    face, receiver, talker = Json(out), Receiver(), Talker(1)
    for at_us in range(0, 3_000_000, 50_000):
        if at_us == 500_000:
            talker.show("CONFIRMED", 42, 42, 1, 0, "green", None)
        receiver.feed(b"".join(talker.poll(at_us)), at_us)
        face.show(receiver.lit, "", at_us)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(line["t_us"], line["state"], line["shown"], line["seq"]) for line in lines] == [
        (0, "STALE", None, 0),
        (500_000, "CONFIRMED", 0, 42),
    ]
