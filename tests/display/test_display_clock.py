"""What a display does with time, its clock being ours."""

import contextlib
import io
import json
import os
import select
import tty
from collections.abc import Iterator

import pytest
from bench_controller import Controller

from firmware.bus import message_bytes, messages
from firmware.bus.frame import Deframer
from firmware.bus.receiver import DARK, FRESH_US, Receiver
from firmware.lib.faces import Json, Plain
from firmware.lib.serial_line import Line
from firmware.lib.signatures import verify
from firmware.services.display.display import Display
from firmware.services.display.scene import ATTRACT_US, STARTING_US, Director
from firmware.services.display.shown import Shown

STEP_US = 5_000  # as the controller's loop has it


class Desk:
    """A display on a pty, with its far end and its clock in our hands."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.line = Line(os.ttyname(self.slave), 115200)
        self.line.open()
        self.now_us = 0
        self.controller = Controller()
        house = self.controller.house
        self.receiver = Receiver(1, house.keys[1], house.root, 7, verify)
        self.out = io.StringIO()
        self.display = Display(self.line, Json(self.out), self.receiver, lambda: self.now_us)

    @property
    def number(self) -> int | None:
        number: int | None = self.receiver.lit.number
        return number

    def talk(self, spend_us: int) -> None:
        """Lets both talk for so long."""
        until_us = self.now_us + spend_us
        while self.now_us < until_us:
            self.now_us += STEP_US
            self.say()
            self.display.light_faces()
            self.display.step(bool(select.select([self.line], [], [], 0)[0]))

    def say(self) -> list[bytes]:
        """The controller's turn alone; the frames that it said."""
        try:
            heard = os.read(self.master, 4096)
        except BlockingIOError:
            heard = b""
        said = self.controller.house.exchange(heard, self.now_us)
        for frame in said:
            os.write(self.master, frame)
        return said

    def hang_up(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            os.close(self.slave)
            self.master = -1


def is_ask(said: bytes) -> bool:
    (payload,) = Deframer().feed(said)
    return message_bytes.kind(payload) == messages.ASK


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.line.close()
    made.hang_up()


def test_a_display_answers_at_once_and_so_lights_the_number(desk: Desk) -> None:
    desk.controller.confirm(17)
    desk.talk(500_000)
    assert desk.number == 17


def test_a_display_that_slept_answers_no_old_ask_into_somebody_elses_slot(desk: Desk) -> None:
    desk.controller.confirm(17)
    desk.talk(500_000)
    until_us = desk.now_us + FRESH_US + STEP_US
    said: list[bytes] = []
    while desk.now_us < until_us or not said or not is_ask(said[-1]):
        desk.now_us += STEP_US
        said = desk.say()
    desk.now_us += STEP_US  # the ask waits last, and another has the word by now
    desk.display.step(readable=True)
    assert not select.select([desk.master], [], [], 0)[0]
    assert desk.number is None
    desk.talk(500_000)
    assert desk.number == 17


def test_an_answer_that_nobody_takes_is_left_out(desk: Desk) -> None:
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(desk.line.fileno(), bytes(4096))
    desk.line.write(b"too late")
    assert desk.line.is_open
    desk.controller.confirm(17)
    desk.talk(500_000)
    assert desk.number == 17


def test_a_display_that_hears_nobody_is_dark_within_a_second(desk: Desk) -> None:
    desk.controller.confirm(17)
    desk.talk(500_000)
    assert desk.display.wait_us() <= FRESH_US
    desk.now_us += FRESH_US
    desk.display.step(readable=False)
    assert desk.receiver.lit == DARK


def test_a_port_that_vanishes_is_a_dash_at_once(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.controller.confirm(17)
    desk.talk(500_000)
    assert desk.number == 17
    desk.hang_up()
    desk.display.step(readable=True)
    assert desk.number is None
    assert "is gone" in capsys.readouterr().err
    assert not desk.line.is_open


def test_json_prints_a_line_when_what_is_lit_changes_and_only_then(desk: Desk) -> None:
    desk.talk(500_000)
    for number in (0, 36):
        desk.controller.state("DETECTED")
        desk.talk(500_000)
        desk.controller.confirm(number)
        desk.talk(500_000)
    lines = [json.loads(line) for line in desk.out.getvalue().splitlines()]
    assert [(line["state"], line["shown"], line["epoch"], line["seq"]) for line in lines] == [
        ("STALE", None, 0, 0),
        ("BETS_OPEN", None, 1, 0),
        ("DETECTED", None, 1, 0),
        ("CONFIRMED", 0, 1, 1),
        ("DETECTED", None, 1, 1),
        ("CONFIRMED", 36, 1, 2),
    ]
    times = [line["t_us"] for line in lines]
    assert times == sorted(times)


def test_plain_lines_do_not_repeat_themselves() -> None:
    out, director = io.StringIO(), Director()
    face = Plain(out)
    lit = DARK._replace(state="BETS_OPEN", game="roulette", coup=1, layout_verified=True)
    # The name of the wheel comes later than the rest, and so does the history.
    named = lit._replace(wheel="T1")
    for later in (lit, named, named._replace(history=((17, "black"),))):
        face.show_picture(Shown(director.scene(later, 0), "", 0))
    assert out.getvalue() == "BETS_OPEN  coup 1  rotor -: -  last: -\n"


def test_a_table_attracts_before_its_first_coup_and_when_none_has_begun_for_long() -> None:
    director = Director()
    lit = DARK._replace(state="BETS_OPEN", game="roulette", layout_verified=True)
    assert director.scene(lit, 0).stage == "ATTRACT"
    assert director.scene(lit._replace(coup=1), 1).stage == "BETS_OPEN"
    assert director.scene(lit._replace(coup=1), 10 * ATTRACT_US).stage == "BETS_OPEN"
    for at, state in enumerate(("CONFIRMED", "VOID", "FAULT"), 2):
        ended = lit._replace(state=state, coup=at, seq=at)
        began_us = 100 * at * ATTRACT_US
        assert director.scene(ended, began_us).stage == state
        assert director.scene(ended, began_us + ATTRACT_US - 1).stage == state
        later = director.scene(ended, began_us + ATTRACT_US)
        assert later.stage == ("FAULT" if state == "FAULT" else "ATTRACT")


def test_who_asks_is_told_while_he_does_and_nothing_else_changes() -> None:
    plain, lines, director = io.StringIO(), io.StringIO(), Director()
    faces = (Plain(plain), Json(lines))
    lit = DARK._replace(state="BETS_OPEN", game="roulette", coup=1, layout_verified=True)
    for asks in (None, "paul", "paul", None):
        for face in faces:
            face.show_picture(Shown(director.scene(lit, 0, asks=asks), "", 0))
    said = "BETS_OPEN  coup 1  rotor -: -  last: -"
    assert plain.getvalue().splitlines() == [
        said,
        f'{said}  "paul" asks to be the first supervisor',
        said,
    ]
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [line.pop("asks", None) for line in told] == [None, "paul", None]
    assert told[0] == told[1] == told[2]


def test_a_display_that_was_just_started_misses_nobody_whom_it_has_not_listened_for() -> None:
    director = Director()
    times_us = (5, 5 + STARTING_US - 1, 5 + STARTING_US)
    stages = [director.scene(DARK, now_us).stage for now_us in times_us]
    assert stages == ["STARTING", "STARTING", "STALE"]


def test_who_was_heard_once_is_missed_at_once() -> None:
    director = Director()
    lit = DARK._replace(state="BETS_OPEN", game="roulette", coup=1)
    assert [director.scene(each, 0).stage for each in (DARK, lit, DARK)] == [
        "STARTING",
        "BETS_OPEN",
        "STALE",
    ]
