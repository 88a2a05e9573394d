"""The ports of a card table's shoe and keyboard, at real lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serial_pair import SerialPair

from drivers import shoe_messages as messages
from drivers.checked_line import written
from drivers.shoe_end import ShoeEnd
from drivers.shoe_serial import ShoeSerial
from firmware.core.cards import facts, states
from firmware.core.facts import Trouble, TroubleEnded
from firmware.lib.errors import Failure
from firmware.run.device_port import RETRY_US
from firmware.run.keyboard_port import GONE, IGNORED, KeyboardPort
from firmware.run.shoe_port import ShoePort

STEP_US = 10_000


class Clock:
    """A clock that goes when it is told."""

    def __init__(self) -> None:
        self.us = 1_000_000

    def __call__(self) -> int:
        return self.us


class Uart:
    """The table's end of a line to a shoe's end, without a delay."""

    def __init__(self, shoe: ShoeEnd, clock: Clock) -> None:
        self.shoe, self.clock = shoe, clock

    def read(self) -> bytes:
        return self.shoe.take_bytes(self.clock.us)

    def write(self, data: bytes) -> int:
        self.shoe.receive(bytes(data), self.clock.us)
        return len(data)

    def deinit(self) -> None:
        pass


def heard(port: ShoePort, clock: Clock, steps: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(steps):
        clock.us += STEP_US
        found += port.take_events()
    return found


def test_a_shoe_says_what_it_is_and_does_what_the_table_orders() -> None:
    clock = Clock()
    end = ShoeEnd("m", "17", 6, boot=5, key=None)
    port = ShoePort(ShoeSerial(9, clock.us), lambda: Uart(end, clock), clock)
    (loaded,) = heard(port, clock, 60)
    assert (loaded.serial, loaded.decks, loaded.is_authenticated) == ("17", 6, False)
    assert not end.is_released(clock.us)
    port.take_fact(facts.Release(True))
    heard(port, clock, 30)
    assert end.is_released(clock.us)
    args = (("ways", (facts.AGAIN, facts.MAKE_VOID)),)
    port.take_fact(facts.Guide(0, facts.HELD, args, 0, None))
    heard(port, clock, 30)
    assert end.again
    ask(port, states.VOID, facts.COUNT)
    heard(port, clock, 30)
    assert not end.counting  # in the middle of a shoe two people say what is in it
    ask(port, states.NO_SHOE, facts.COUNT)
    heard(port, clock, 30)
    assert end.counting
    port.decided("nothing is made of it")
    port.close()


def ask(port: ShoePort, state: str, code: str) -> None:
    """The table is in that state, and its screen has that."""
    port.take_fact(facts.CardView(state, 1, 1, (), (), None, None, None, (), False, 0))
    port.take_fact(facts.Guide(0, code, (), 0, None))


def pull(end: ShoeEnd, port: ShoePort, clock: Clock) -> list[Any]:
    """Pulls the ten of hearts; gives what the table hears."""
    end.edge(messages.IN, clock.us)
    end.card(22, "", 22, 22, clock.us)
    end.edge(messages.OUT, clock.us)
    return heard(port, clock, 30)


def test_a_shoe_is_counted_again_until_its_count_is_right_or_two_people_confirm_it() -> None:
    clock = Clock()
    end = ShoeEnd("m", "17", 6, boot=5, key=None)
    port = ShoePort(ShoeSerial(9, clock.us), lambda: Uart(end, clock), clock)
    heard(port, clock, 60)
    ask(port, states.NO_SHOE, facts.COUNT)
    for _ in range(2):
        assert pull(end, port, clock) == []
        end.empty(clock.us)
        (counted,) = heard(port, clock, 30)
        assert sum(counted.counts) == counted.counts[22] == 1
    assert pull(end, port, clock) == []
    ask(port, states.NO_SHOE, facts.LOAD)
    (read,) = pull(end, port, clock)
    assert not end.counting
    assert (type(read), read.card) == (facts.CardRead, 22)


def test_a_count_that_is_due_is_begun_as_a_shoe_comes_or_begins_anew() -> None:
    clock = Clock()
    end = ShoeEnd("m", "17", 6, boot=5, key=None)
    uart = Uart(end, clock)
    port = ShoePort(ShoeSerial(9, clock.us), lambda: uart, clock)
    ask(port, states.NO_SHOE, facts.COUNT)  # before it has said anything
    heard(port, clock, 60)
    assert end.counting
    uart.shoe = ShoeEnd("m", "17", 6, boot=6, key=None)
    heard(port, clock, 60)
    assert uart.shoe.counting
    assert pull(uart.shoe, port, clock) == []


def test_a_count_is_begun_though_the_screen_asked_for_one_in_the_middle_of_the_shoe() -> None:
    clock = Clock()
    end = ShoeEnd("m", "17", 6, boot=5, key=None)
    port = ShoePort(ShoeSerial(9, clock.us), lambda: Uart(end, clock), clock)
    heard(port, clock, 60)
    ask(port, states.VOID, facts.COUNT)
    heard(port, clock, 30)
    assert not end.counting
    port.take_fact(facts.CardView(states.NO_SHOE, 1, 1, (), (), None, None, None, (), False, 0))
    heard(port, clock, 30)
    assert end.counting


@pytest.fixture
def keyboard() -> Iterator[tuple[SerialPair, KeyboardPort, Clock]]:
    """A serial keyboard: its line, the port, its clock."""
    line, clock = SerialPair(), Clock()
    port = KeyboardPort(line.name, clock)
    port.open()
    yield line, port, clock
    port.close()
    line.close()


def press(line: SerialPair, name: str, level: str, number: int) -> None:
    line.write(written([name, level, f"{number:03}"]).encode() + b"\n")


def test_a_key_at_a_serial_keyboard_is_an_event(
    keyboard: tuple[SerialPair, KeyboardPort, Clock],
) -> None:
    line, port, clock = keyboard
    press(line, "START", "D", 1)
    assert port.take_events() == []
    clock.us += 100_000
    press(line, "START", "U", 2)
    assert port.take_events() == [facts.KeyPressed(clock.us, facts.KEY_START)]


def test_keys_that_act_on_nothing_are_told_in_one_sentence(
    keyboard: tuple[SerialPair, KeyboardPort, Clock],
) -> None:
    line, port, clock = keyboard
    press(line, "START", "D", 1)
    press(line, "VOID", "D", 2)
    (told,) = port.take_events()
    assert told == Trouble(0, IGNORED, "start, void: together")
    clock.us += 2_000_000
    assert port.take_events() == []  # what is held together was told


def test_a_keyboard_that_goes_is_told_and_opened_again(tmp_path: Path) -> None:
    fifo = tmp_path / "keyboard"
    clock = Clock()
    port = KeyboardPort(str(fifo), clock)
    with pytest.raises(Failure):
        port.open()
    line = SerialPair()
    fifo.symlink_to(line.name)
    port.open()
    line.close()
    told = port.take_events()
    assert Trouble(0, GONE, str(fifo)) in told
    assert port.take_events() == []  # once
    fifo.unlink()
    line = SerialPair()
    fifo.symlink_to(line.name)
    clock.us += RETRY_US
    assert port.take_events() == [TroubleEnded(0, GONE, str(fifo))]
    port.close()
    line.close()
