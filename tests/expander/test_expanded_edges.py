"""Cups behind I2C expanders: what the loop gets of them, on a virtual bus and from the thread."""

import errno
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import LAST_RESORT_S, Waiting

import boards
from boards import lines
from drivers.expander_mcp23017 import ExpanderMcp23017
from firmware.core import faults
from firmware.core.facts import DOUBT, Trouble
from firmware.expander import edges as expander
from firmware.expander.edges import POLL_US, SILENT_US, ExpandedEdges
from firmware.shims.virtual import VirtualMachine
from firmware.text.trace import line_names
from tools.sim.expander import ChipMcp23017, CupChips

Edge = tuple[int, int, int]
BUS = 1
NAMES = line_names(boards.load("boule_ref"))
RIM0, CUP00, CUP08, CUP09 = (NAMES.index(name) for name in ("rim0", "cup00", "cup08", "cup09"))
FIRST_CHIP = range(CUP00, CUP09)
CHIP_0 = "0x20 of i2c 1 (cup00 to cup08)"


class Dish:
    """Edges by the script, in time that jumps."""

    def __init__(self, script: Sequence[Edge] = ()) -> None:
        self.script = list(script)
        self.now = 0

    def now_us(self) -> int:
        return self.now

    def read(self, until_us: int) -> list[Edge]:
        self.now = max(self.now, until_us)
        found = [edge for edge in self.script if edge[0] <= self.now]
        self.script = self.script[len(found) :]
        return found


class Deaf:
    """The interrupt lines are cut: their edges do not arrive while `cut`."""

    def __init__(self, chips: CupChips) -> None:
        self._chips, self.now_us, self.cut = chips, chips.now_us, True

    def read(self, until_us: int) -> Iterator[Edge]:
        first = len(self._chips.initial_levels) - len(self._chips.chips)
        for edge in self._chips.read(until_us):
            if edge[1] < first or not self.cut:
                yield edge


class Table:
    """A dish with its chips, read inline as in the simulator."""

    def __init__(
        self,
        script: Sequence[Edge] = (),
        *,
        cups: int = 18,
        high: Sequence[int] = (),
        deaf: bool = False,
    ) -> None:
        board = boards.load("boule_ref", cups)
        self.dish = Dish(script)
        self.machine = VirtualMachine()
        levels = [int(line in high) for line in range(len(board["inputs"]))]
        self.world = CupChips(board, self.machine, self.dish, levels)
        self.deaf = Deaf(self.world)
        self.edges = expander.expanded(
            board,
            self.machine,
            self.deaf if deaf else self.world,
            ExpanderMcp23017,
            levels=self.world.initial_levels,
            inline=True,
        )

    def play(self, us: int, step_us: int = 10_000) -> list[Edge]:
        found: list[Edge] = []
        end_us = self.dish.now + us
        while self.dish.now < end_us:
            found += self.edges.read(self.dish.now + step_us)
        return found

    def turn(self, line: int, level: int) -> None:
        self.dish.script.append((self.dish.now + 1, line, level))

    @property
    def chip(self) -> ChipMcp23017:
        return self.world.chips[0]

    def codes(self) -> list[str]:
        return [trouble.code for trouble in self.edges.take_events()]


@st.composite
def scripts(draw: st.DrawFn) -> tuple[int, list[int], list[Edge]]:
    cups = draw(st.sampled_from([9, 18, 36]))
    count = cups + 5
    high = draw(st.lists(st.integers(0, count - 1), unique=True))
    levels = [int(line in high) for line in range(count)]
    at_us, script = 0, []
    for wait_us, line in draw(
        st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, count - 1)), max_size=60)
    ):
        at_us += wait_us + 1
        levels[line] ^= 1
        script.append((at_us, line, levels[line]))
    return cups, high, script


@given(scripts(), st.sampled_from([500, 10_000, 700_000]))
def test_every_edge_comes_out_as_it_went_in(
    scripted: tuple[int, list[int], list[Edge]], step_us: int
) -> None:
    cups, high, script = scripted
    table = Table(script, cups=cups, high=high)
    assert [line for line, level in enumerate(table.edges.initial_levels) if level] == sorted(high)
    assert table.play(2_000_000, step_us) == script
    assert table.codes() == []


def test_the_same_script_is_read_the_same_every_time() -> None:
    script = [(i * 7_001 + 1, CUP00 + i % 18, 1 - i // 18 % 2) for i in range(400)]
    assert Table(script).play(5_000_000) == Table(script).play(5_000_000) == script


def test_interrupt_lines_are_in_no_trace() -> None:
    for name in ("boule_ref", "boule_pi4"):
        assert not [line for line in line_names(boards.load(name)) if line.startswith("int")]
    assert (NAMES[0], NAMES[3], NAMES[20]) == ("rim0", "cup00", "cup17")
    assert NAMES[-2:] == ("btn_start", "btn_void")


def test_a_pulse_shorter_than_anything_is_seen() -> None:
    script = [(50_000, CUP00, 1), (50_001, CUP00, 0)]
    assert Table(script).play(100_000) == script


def test_a_chip_that_is_pulled_is_a_doubt_once_and_gives_its_levels_when_it_is_back() -> None:
    table = Table()
    table.machine.detach_i2c(BUS, 0x20)
    found = table.play(5 * POLL_US)
    assert [(line, level) for _, line, level in found] == [(line, DOUBT) for line in FIRST_CHIP]
    assert table.edges.take_events() == [Trouble(0, "W25", CHIP_0)]
    table.turn(CUP09, 1)
    assert table.play(POLL_US) == [(5 * POLL_US + 1, CUP09, 1)], "the other chip goes on"
    table.machine.attach_i2c(BUS, 0x20, table.chip)
    table.chip.set_pin(0, 1)
    found = table.play(5 * POLL_US)
    assert [(line, level) for _, line, level in found] == [
        (line, int(line == CUP00)) for line in FIRST_CHIP
    ]
    assert table.codes() == []
    table.machine.detach_i2c(BUS, 0x20)
    table.play(POLL_US)
    assert table.codes() == ["W25"], "it is lost a second time"


def test_a_chip_that_is_not_there_at_the_start_is_told() -> None:
    table = Table()
    table.machine.detach_i2c(BUS, 0x20)
    edges = expander.expanded(
        boards.load("boule_ref"), table.machine, table.world, ExpanderMcp23017, inline=True
    )
    assert edges.take_events() == [Trouble(0, "W25", CHIP_0)]
    found = edges.read(1000)
    assert [(line, level) for _, line, level in found] == [(line, DOUBT) for line in FIRST_CHIP]


class Flaky:
    """The driver of a chip whose next transfer fails; with `swallows` it had begun."""

    def __init__(self, driver: Any) -> None:
        self.start, self.check, self._read = driver.start, driver.check, driver.read
        self.fails: list[int] = []
        self.swallows = False

    def read(self) -> Any:
        if self.fails:
            if self.swallows:
                self._read()
            raise OSError(self.fails.pop(), "")
        return self._read()


def flaky() -> tuple[Table, Flaky]:
    table = Table()
    drivers = [Flaky(ExpanderMcp23017(table.machine.I2C(BUS), 0x20 + at)) for at in range(2)]
    table.edges = ExpandedEdges(boards.load("boule_ref"), table.world, drivers, inline=True)
    return table, drivers[0]


def test_one_address_that_is_not_acknowledged_is_asked_again() -> None:
    table, driver = flaky()
    driver.fails = [errno.ENODEV]
    table.turn(CUP00, 1)
    assert table.play(3 * POLL_US) == [(1, CUP00, 1)]
    assert table.codes() == []


def test_a_transfer_that_breaks_off_may_have_swallowed_a_pulse() -> None:
    table, driver = flaky()
    driver.fails, driver.swallows = [errno.EIO], True
    table.dish.script = [(1, CUP00, 1), (2, CUP00, 0)]
    found = table.play(3 * POLL_US)
    assert (1, CUP00, DOUBT) in found
    assert found[-1][1:] == (CUP08, 0)
    assert table.codes() == ["W25"]


def test_a_dip_of_the_supply_is_a_doubt_and_then_the_levels() -> None:
    table = Table(high=[CUP00])
    assert table.play(10_000) == []
    table.chip.brown_out()
    found = table.play(10_000)  # its idle line rises: no poll is waited for
    assert found[: len(FIRST_CHIP)] == [(10_000, line, DOUBT) for line in FIRST_CHIP]
    assert found[len(FIRST_CHIP) :] == [(10_000, line, int(line == CUP00)) for line in FIRST_CHIP]
    assert table.edges.take_events() == [Trouble(0, "W27", CHIP_0)]
    table.turn(CUP00, 0)
    assert table.play(5 * POLL_US) == [(20_001, CUP00, 0)], "it interrupts again"
    assert table.codes() == []


def test_a_dip_that_no_interrupt_tells_is_found_by_the_poll() -> None:
    table = Table(deaf=True)
    table.chip.brown_out()
    assert table.play(2 * POLL_US)[0][2] == DOUBT
    assert table.codes() == ["W27"]


def test_a_dead_interrupt_line_is_told_once_and_changes_are_polled() -> None:
    table = Table(deaf=True)
    table.turn(CUP00, 1)
    (edge,) = table.play(POLL_US)
    assert edge[1:] == (CUP00, 1)
    assert edge[0] == POLL_US, "the change is stamped when it is found"
    for level in (0, 1, 0):
        table.turn(CUP00, level)
        table.play(2 * POLL_US)
    assert table.edges.take_events() == [Trouble(0, "W26", CHIP_0)]
    table.deaf.cut = False
    table.turn(CUP00, 1)
    assert len(table.play(3 * POLL_US)) == 1
    table.deaf.cut = True
    table.turn(CUP00, 0)
    table.play(3 * POLL_US)
    assert table.codes() == ["W26"], "it is dead a second time"


def test_a_pulse_between_two_polls_of_a_dead_line_is_still_two_edges() -> None:
    table = Table([(10, CUP00, 1), (5_000, CUP00, 0)], deaf=True)
    assert [edge[1:] for edge in table.play(POLL_US)] == [(CUP00, 1), (CUP00, 0)]


@pytest.mark.parametrize("code", ["W25", "W26", "W27"])
def test_what_an_expander_tells_is_a_notice(code: str) -> None:
    assert faults.find(code).grade == faults.NOTICE
    assert faults.sentence(code, CHIP_0).startswith(f"{code}: The expander at {CHIP_0} ")


def test_a_change_between_two_bytes_of_a_transfer_waits_for_no_poll() -> None:
    table, driver = flaky()
    read = driver.read

    def read_while_it_changes() -> Any:
        reading = read()
        driver.read = read  # type: ignore[method-assign]
        table.chip.set_pin(1, 1)  # the line has not been low for anybody to see
        return reading

    assert table.play(10_000) == []
    driver.read = read_while_it_changes  # type: ignore[method-assign]
    table.turn(CUP00, 1)
    assert table.play(10_000) == [(10_001, CUP00, 1), (10_001, CUP00 + 1, 1)]
    table.play(3 * POLL_US)
    assert table.codes() == []


def test_a_chip_whose_addresses_were_disturbed_gives_no_level_that_is_none() -> None:
    table = Table(high=[CUP00])
    table.machine.I2C(BUS).writeto_mem(0x20, 0x0A, b"\x80")  # BANK 1: all registers elsewhere
    found = table.play(2 * POLL_US)
    assert [edge[1:] for edge in found] == [(line, DOUBT) for line in FIRST_CHIP] + [
        (line, int(line == CUP00)) for line in FIRST_CHIP
    ]
    assert table.codes() == ["W27"]


# --- the thread ----------------------------------------------------------------------------------
class Live:
    """The machine's edges in real time, pushed by the test."""

    def __init__(self) -> None:
        self._queue: list[Edge] = []
        self._more = threading.Condition()

    def now_us(self) -> int:
        return time.monotonic_ns() // 1000

    def push(self, line: int, level: int) -> int:
        with self._more:
            at_us = self.now_us()
            self._queue.append((at_us, line, level))
            self._more.notify()
        return at_us

    def read(self, until_us: int) -> list[Edge]:
        with self._more:
            self._more.wait_for(lambda: self._queue, max(0, until_us - self.now_us()) / 1_000_000)
            found, self._queue = self._queue, []
        return found


class Gate:
    """A driver that can be held: its next transfer then waits, as on a stuck bus."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self.open = threading.Event()
        self.open.set()
        self.waiting = threading.Event()

    def __getattr__(self, name: str) -> Any:
        def transfer() -> Any:
            if not self.open.is_set():
                self.waiting.set()
                assert self.open.wait(LAST_RESORT_S)
            return getattr(self._driver, name)()

        return transfer


class Pi:
    """A boule board with its reader's thread; the kernel's edges are pushed by the test."""

    def __init__(self, *, held: bool = False) -> None:
        self.board = boards.load("boule_pi4")
        self.chips = [ChipMcp23017() for _ in self.board["expanders"]]
        machine = VirtualMachine()
        self.gates = []
        for at, (_, address, _, _) in enumerate(self.board["expanders"]):
            machine.attach_i2c(BUS, address, self.chips[at])
            self.gates.append(Gate(ExpanderMcp23017(machine.I2C(BUS), address)))
        if held:
            self.hold()
        self.live = Live()
        watched = [number for number, _ in lines.watched(self.board)]
        self.interrupts = range(len(watched) - 2, len(watched))
        self.edges = ExpandedEdges(self.board, self.live, self.gates)
        self.given: list[Edge] = []

    def hold(self) -> None:
        for gate in self.gates:
            gate.waiting.clear()
            gate.open.clear()

    def free(self) -> None:
        for gate in self.gates:
            gate.open.set()

    def held(self) -> None:
        """Until the thread is inside a transfer."""
        with Waiting("a transfer") as waiting:
            while not any(gate.waiting.is_set() for gate in self.gates):
                waiting.on()
                self.step()

    def step(self) -> list[Edge]:
        found = list(self.edges.read(self.live.now_us() + 10_000))
        self.given += found
        return found

    def until(self, count: int) -> list[Edge]:
        """The next so many edges."""
        found: list[Edge] = []
        with Waiting("the next edge", told=lambda: found) as waiting:
            while len(found) < count:
                waiting.on()
                found += self.step()
        return found


@pytest.fixture
def pi(request: pytest.FixtureRequest) -> Iterator[Pi]:
    pi = Pi(held=getattr(request, "param", False))
    yield pi
    pi.free()
    pi.edges.close()
    assert pi.given == sorted(pi.given, key=lambda edge: edge[0]), "nothing earlier comes later"


def busy_elsewhere(pi: Pi) -> None:
    """The thread is held at the other chip: what the first one tells waits for it."""
    pi.gates[1].waiting.clear()
    pi.gates[1].open.clear()
    pi.held()


def test_a_cup_bears_the_stamp_of_its_interrupt(pi: Pi) -> None:
    busy_elsewhere(pi)
    pi.chips[0].set_pin(0, 1)
    at_us = pi.live.push(pi.interrupts[0], 1)
    pi.free()
    until_us = at_us + int(LAST_RESORT_S * 1_000_000)
    assert pi.edges.read(until_us) == [(at_us, CUP00, 1)]
    assert pi.live.now_us() < until_us, "it comes when the chip has answered"


def test_a_later_edge_that_is_given_already_moves_the_cups_behind_it(pi: Pi) -> None:
    busy_elsewhere(pi)
    pi.chips[0].set_pin(0, 1)
    pi.live.push(pi.interrupts[0], 1)
    rim_us = pi.live.push(RIM0, 1)
    assert pi.until(1) == [(rim_us, RIM0, 1)]
    pi.free()
    ((stamp_us, line, _),) = pi.until(1)
    assert line == CUP00
    assert stamp_us >= rim_us


def test_edges_of_the_machine_itself_pass_with_their_stamps(pi: Pi) -> None:
    place = [number for number, _ in lines.watched(pi.board)].index(NAMES.index("btn_start"))
    at_us = pi.live.push(place, 1)
    assert pi.until(1) == [(at_us, NAMES.index("btn_start"), 1)]


def test_a_transfer_that_hangs_stops_neither_the_loop_nor_the_beams(pi: Pi) -> None:
    pi.hold()
    pi.held()
    since_us = pi.live.now_us()
    at_us = pi.live.push(RIM0, 1)
    assert pi.until(1) == [(at_us, RIM0, 1)]
    found = pi.until(18)
    assert sorted(edge[1:] for edge in found) == [
        (line, DOUBT) for line in range(CUP00, CUP00 + 18)
    ]
    assert found[0][0] - since_us > SILENT_US // 2
    assert [trouble.code for trouble in pi.edges.take_events()] == ["W25"]
    assert pi.step() == [], "once"
    pi.chips[0].set_pin(0, 1)
    pi.free()
    found = pi.until(18)
    assert sorted(edge[1:] for edge in found)[0] == (CUP00, 1)
    assert sum(edge[2] for edge in found) == 1
    assert [trouble.code for trouble in pi.edges.take_events()] == []


def test_a_change_without_its_interrupt_is_polled_and_told(pi: Pi) -> None:
    pi.chips[0].set_pin(0, 1)
    assert [edge[1:] for edge in pi.until(1)] == [(CUP00, 1)]
    told: list[Trouble] = []
    with Waiting("the fault") as waiting:
        while not told:
            waiting.on()
            assert pi.step() == []
            told += pi.edges.take_events()
    assert told == [Trouble(0, "W26", CHIP_0)]


def test_a_bus_that_is_stuck_at_the_start_keeps_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expander, "_START_S", 0.01)
    pi = Pi(held=True)
    assert pi.edges.initial_levels == [0] * len(pi.board["inputs"])
    assert {edge[2] for edge in pi.until(18)} == {DOUBT}
    pi.free()
    assert {edge[2] for edge in pi.until(18)} == {0}
    pi.edges.close()


def test_a_reader_that_is_closed_goes_round_no_more() -> None:
    pi = Pi()
    assert "expander" in [thread.name for thread in threading.enumerate()]
    pi.edges.close()
    assert "expander" not in [thread.name for thread in threading.enumerate()]
