"""The wheel of another process keeps the promises of the port Edges."""

import os
import pty
import threading
import tty
from collections.abc import Iterator
from itertools import count

import pytest
from patience import LAST_RESORT_S, until

import boards
from firmware.core.facts import DOUBT
from firmware.shims.virtual import VirtualMachine
from tools.hil import remote
from tools.hil.remote import RemoteWheel
from tools.hil.stage import wire

BOARD = boards.load("roulette_ref")
LEVELS = [0] * len(BOARD["inputs"])


class Far:
    """The other end of the line."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.unpacker = wire.Unpacker()
        self.number = 0
        self.heard: list[list] = []

    def hear(self) -> None:
        self.heard += self.unpacker.feed(os.read(self.master, 4096))

    def say(self, kind: str, *values: object) -> None:
        os.write(self.master, wire.pack(kind, self.number, *values))
        self.number += 1

    def answer(self, at_us: int = 0) -> None:
        while not (hello := [said for said in self.heard if said[0] == wire.HELLO]):
            self.hear()
        self.say(wire.BEGIN, hello[-1][1], at_us, LEVELS, [0, 1])

    def close(self) -> None:
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def far() -> Iterator[Far]:
    end = Far()
    yield end
    end.close()


@pytest.fixture
def machine() -> VirtualMachine:
    return VirtualMachine()


@pytest.fixture
def wheel(far: Far, machine: VirtualMachine) -> Iterator[RemoteWheel]:
    answering = threading.Thread(target=far.answer)
    answering.start()
    found = RemoteWheel(os.ttyname(far.slave), BOARD, machine, now_us=lambda: 1_000)
    answering.join(LAST_RESORT_S)
    yield found
    found.close()


def test_edges_come_as_they_were_stamped(wheel: RemoteWheel, far: Far) -> None:
    far.say(wire.EDGES, 900, 700, 1, 1, 800, 2, 1)
    assert wheel.read(1_000) == [(700, 1, 1), (800, 2, 1)]


def test_an_empty_answer_waits_for_the_wheel_to_say_so(wheel: RemoteWheel, far: Far) -> None:
    far.say(wire.EDGES, 500)
    far.say(wire.EDGES, 1_000)
    assert not wheel.read(1_000)


def test_what_a_dead_controller_left_unread_is_not_taken(far: Far, machine: VirtualMachine) -> None:
    far.say(wire.EDGES, 400, 300, 1, 1)
    answering = threading.Thread(target=far.answer, args=(600,))
    answering.start()
    wheel = RemoteWheel(os.ttyname(far.slave), BOARD, machine, now_us=lambda: 1_000)
    answering.join(LAST_RESORT_S)
    far.say(wire.EDGES, 1_000, 700, 2, 1)
    assert wheel.read(1_000) == [(700, 2, 1)]
    wheel.close()


def test_safety_inputs_stand_as_the_wheel_says(
    wheel: RemoteWheel, far: Far, machine: VirtualMachine
) -> None:
    (_, first), (_, second) = BOARD["safety_inputs"]
    assert (machine.level(first), machine.level(second)) == (0, 1)
    far.say(wire.SAFETY, [1, 0])
    far.say(wire.EDGES, 1_000)
    wheel.read(1_000)
    assert (machine.level(first), machine.level(second)) == (1, 0)


def test_a_lost_frame_is_a_doubt_about_every_line(wheel: RemoteWheel, far: Far) -> None:
    far.say(wire.EDGES, 500)
    far.number += 1
    far.say(wire.EDGES, 900, 800, 1, 1)
    found = [edge for _ in range(2) for edge in wheel.read(900)]
    assert found == [*[(500, line, DOUBT) for line in range(len(LEVELS))], (800, 1, 1)]


def test_outputs_go_to_the_wheel(wheel: RemoteWheel, far: Far, machine: VirtualMachine) -> None:
    pin = dict(BOARD["outputs"])["motor_enable"]
    far.heard.clear()
    machine.Pin(pin, machine.Pin.OUT, value=1)
    far.say(wire.EDGES, 1_000)
    wheel.read(1_000)
    far.hear()
    (said,) = far.heard
    assert said[0] == wire.OUT
    assert (pin, 1, 0) in list(zip(said[1::3], said[2::3], said[3::3], strict=True))


def test_of_a_silent_wheel_nothing_comes_and_what_comes_after_all_is_a_doubt(
    far: Far, machine: VirtualMachine
) -> None:
    clock = count(0, remote.SILENT_US)  # so much passes at every look
    answering = threading.Thread(target=far.answer)
    answering.start()
    found = RemoteWheel(os.ttyname(far.slave), BOARD, machine, now_us=lambda: next(clock))
    answering.join(LAST_RESORT_S)
    assert not found.read(5_000)
    far.say(wire.EDGES, 9_000, 4_000, 1, 1, 6_000, 2, 1)
    edges = until(lambda: list(found.read(9_000)), "an edge")
    assert edges == [(5_000, 1, DOUBT), (5_000, 1, 1), (6_000, 2, 1)]
    found.close()


def test_where_no_wheel_answers_there_is_a_sentence(
    far: Far, machine: VirtualMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "HELLO_S", 0.01)
    with pytest.raises(OSError, match=r"No wheel answers on .* Start its process first"):
        RemoteWheel(os.ttyname(far.slave), BOARD, machine)
