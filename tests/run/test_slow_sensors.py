"""Level and clock: told once when something begins, from a thread that the loop never waits for."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from patience import LAST_RESORT_S

import boards
import rules
from drivers import clock_ds3231, level_adxl345
from drivers.clock_ds3231 import ClockDs3231
from drivers.level_adxl345 import SAMPLES
from firmware.config import Config
from firmware.config.game import Game
from firmware.core import faults
from firmware.core.facts import Fault, Trouble
from firmware.run import app
from firmware.run.slow_sensors import CLOCK_US, PERIOD_US, RETRY_US, SlowSensors
from firmware.shims.virtual import RegisterDevice, VirtualMachine
from tools.sim.ports import Bridge, JumpingWheel
from tools.sim.wheel import VirtualWheel
from tools.virtual.memory_store import MemoryStore

MEAN_US = SAMPLES * PERIOD_US
COUNT_MDEG = 223.8  # one count of the sensor, of 256 for gravity
BUS = 1

RULES = rules.load("roulette_lu")


class Bench:
    """Both chips on a bus in memory, and time by hand."""

    def __init__(self, **config: Any) -> None:
        self.machine = VirtualMachine()
        self.level = bytearray(64)
        self.level[0x00], self.level[0x30] = 0xE5, 0x80
        self.clock = bytearray(0x13)
        self.tilt(0, 0)
        self.plug(level_adxl345.ADDRESS, self.level)
        self.plug(clock_ds3231.ADDRESS, self.clock)
        i2c = self.machine.I2C(BUS)
        ClockDs3231(i2c).set(1_800_000_000)
        self.checks = app.checks(i2c, Config(**config))
        self.now_us = 5_000_000

    def plug(self, address: int, registers: bytearray) -> None:
        self.machine.attach_i2c(BUS, address, RegisterDevice(registers))

    def tilt(self, x: int, y: int, z: int = 256) -> None:
        """In counts."""
        for axis, count in enumerate((x, y, z)):
            at = 0x32 + 2 * axis
            self.level[at : at + 2] = count.to_bytes(2, "little", signed=True)

    def spend(self, us: int) -> list[Trouble]:
        found: list[Trouble] = []
        for _ in range(us // PERIOD_US):
            found += self.checks.poll(self.now_us)
            self.now_us += PERIOD_US
        return found

    def codes(self, us: int) -> list[str]:
        return [trouble.code for trouble in self.spend(us)]


def test_a_wheel_that_is_well_has_nothing_to_say() -> None:
    assert Bench().spend(4 * MEAN_US) == []


@pytest.mark.req("MD-23.level")
def test_a_tilt_is_told_once_in_hundredths_of_a_degree() -> None:
    bench = Bench()
    bench.tilt(1, -2)
    assert bench.spend(4 * MEAN_US) == [Trouble(0, "L10", "X +0.22, Y -0.45 degrees.")]
    said = faults.sentence("L10", "X +0.22, Y -0.45 degrees.")
    assert said.startswith("L10: The wheel is not level: X +0.22, Y -0.45 degrees. Level ")


def test_a_tilt_that_goes_and_comes_again_is_told_again() -> None:
    bench = Bench()
    told = []
    for counts in (1, 0, 1):
        bench.tilt(counts, 0)
        told.append(bench.codes(2 * MEAN_US))
    assert told == [["L10"], [], ["L10"]]


def test_a_tilt_is_over_only_below_half_of_what_is_told() -> None:
    bench = Bench(level_warn_mdeg=400)
    told = []
    for counts in (1, 2, 1, 2, 0, 2):  # 0.22, 0.45, ... degrees
        bench.tilt(counts, 0)
        told.append(bench.codes(2 * MEAN_US))
    assert told == [[], ["L10"], [], [], [], ["L10"]]


@pytest.mark.parametrize(("warn_mdeg", "told"), [(300, ["L10"]), (330, [])])
def test_a_tilt_counts_whichever_way_it_leans(warn_mdeg: int, told: list[str]) -> None:
    bench = Bench(level_warn_mdeg=warn_mdeg)
    bench.tilt(1, 1)  # 0.32 degrees in all
    assert bench.codes(2 * MEAN_US) == told


@pytest.mark.parametrize("counts", [1, 2, 20])
def test_a_tilt_is_seen_twice_before_it_is_told(counts: int) -> None:
    """Campaign of seed 12, pair 836: one mean of a wheel that leant by .04 degrees was .11."""
    bench = Bench(level_warn_mdeg=200)
    bench.tilt(counts, 0)
    assert [bench.codes(MEAN_US) for _ in range(2)] == [[], ["L10"]]


@pytest.mark.parametrize("counts", [1, 2, 20])
def test_one_mean_that_is_over_tells_nothing(counts: int) -> None:
    """Seed 102, pair 2372: a knock of .2 s made one mean of a wheel that was level .21 degrees."""
    bench = Bench(level_warn_mdeg=200)
    told = []
    for shown in (counts, 0, counts, 0):
        bench.tilt(shown, 0)
        told += bench.codes(MEAN_US)
    assert told == []


def test_what_the_sensor_reads_on_a_level_wheel_is_taken_off() -> None:
    bench = Bench(level_zero_x_mdeg=round(3 * COUNT_MDEG))
    bench.tilt(3, 0)
    assert bench.codes(2 * MEAN_US) == []
    bench.tilt(0, 0)
    assert [trouble.detail for trouble in bench.spend(2 * MEAN_US)] == ["X -0.67, Y +0.00 degrees."]


@pytest.mark.req("MD-23.level")
def test_a_level_sensor_that_is_pulled_is_told_once_and_asked_again() -> None:
    bench = Bench()
    bench.spend(MEAN_US)
    bench.machine.detach_i2c(BUS, level_adxl345.ADDRESS)
    assert bench.codes(5 * RETRY_US) == ["L11"]
    bench.plug(level_adxl345.ADDRESS, bench.level)
    bench.level[0x2D] = 0  # it forgot that it was to measure
    assert bench.codes(RETRY_US + MEAN_US) == []
    assert bench.level[0x2D] == 8
    bench.machine.detach_i2c(BUS, level_adxl345.ADDRESS)
    assert bench.codes(RETRY_US) == ["L11"], "it is lost a second time"


def test_l11_is_not_told_before_the_sensor_was_read_once() -> None:
    """At the page null is L11 (standing.mjs): a mean takes 5 s, and nothing is wrong meanwhile."""
    bench = Bench()
    bench.tilt(1, -2)
    bench.spend(MEAN_US - PERIOD_US)
    assert bench.checks.parts()["level"] == {"x_mdeg": None, "y_mdeg": None, "zero_mdeg": (0, 0)}
    bench.spend(PERIOD_US)
    assert bench.checks.parts()["level"] == {"x_mdeg": 223, "y_mdeg": -447, "zero_mdeg": (0, 0)}
    bench.machine.detach_i2c(BUS, level_adxl345.ADDRESS)
    bench.spend(PERIOD_US)
    assert bench.checks.parts()["level"] is None
    bench.plug(level_adxl345.ADDRESS, bench.level)
    bench.spend(RETRY_US)
    assert bench.checks.parts()["level"] is None, "it has not been read since"


@pytest.mark.parametrize("ready", [0x00, 0x80])
def test_a_level_sensor_that_never_gives_a_level_does_not_answer(ready: int) -> None:
    bench = Bench()
    bench.level[0x30] = ready
    bench.tilt(0, 0, z=-256)
    assert bench.codes(2 * MEAN_US) == []
    assert bench.codes(8 * MEAN_US) == ["L11"]


def test_a_clock_whose_oscillator_stopped_is_told_at_the_start() -> None:
    bench = Bench()
    bench.clock[0x0F] = 0x80
    assert bench.spend(PERIOD_US) == [Trouble(0, "T10", "")]
    assert bench.codes(2 * MEAN_US) == []


def test_the_clock_is_asked_again_each_hour() -> None:
    bench = Bench()
    told = []
    for status in (0x80, 0x80, 0, 0x80):
        bench.clock[0x0F] = status
        told.append([trouble.code for trouble in bench.checks.poll(bench.now_us)])
        assert bench.checks.poll(bench.now_us + CLOCK_US - 1) == []
        bench.now_us += CLOCK_US
    assert told == [["T10"], [], [], ["T10"]]


def test_a_clock_that_does_not_answer_is_told() -> None:
    bench = Bench()
    bench.machine.detach_i2c(BUS, clock_ds3231.ADDRESS)
    assert bench.codes(PERIOD_US) == ["T11"]


@pytest.mark.parametrize("code", ["L10", "L11", "T10", "T11"])
def test_neither_level_nor_clock_stops_play(code: str) -> None:
    assert faults.find(code).grade == faults.NOTICE


# --- the thread, and the wheel around it ---------------------------------------------------------
class Stuck:
    """Something to check that waits until it is allowed to answer, as a stuck bus does."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.free = threading.Event()
        self.done = threading.Event()

    def poll(self, now_us: int) -> list[Trouble]:
        if self.free.is_set():
            self.done.set()
            return []
        self.asked.set()
        assert self.free.wait(LAST_RESORT_S)
        return [Trouble(0, "L11", "")]


@pytest.fixture
def stuck() -> Iterator[tuple[Stuck, SlowSensors]]:
    checks = Stuck()
    sensors = SlowSensors(checks)  # type: ignore[arg-type]
    yield checks, sensors
    checks.free.set()
    sensors.close()


def test_the_loop_does_not_wait_for_a_bus_that_is_stuck(stuck: tuple[Stuck, SlowSensors]) -> None:
    checks, sensors = stuck
    assert checks.asked.wait(LAST_RESORT_S)
    assert sensors.take_events() == []
    checks.free.set()
    assert checks.done.wait(LAST_RESORT_S)
    assert sensors.take_events() == [Trouble(0, "L11", "")]
    assert sensors.take_events() == []


def test_an_attendant_that_is_closed_goes_round_no_more() -> None:
    sensors = app.slow_sensors(boards.load("pi4"), Config(), VirtualMachine())
    assert sensors is not None
    assert "slow-sensors" in [thread.name for thread in threading.enumerate()]
    sensors.close()
    assert "slow-sensors" not in [thread.name for thread in threading.enumerate()]


def test_a_board_without_sensors_has_no_attendant() -> None:
    assert app.slow_sensors(boards.load("roulette_ref"), Config(), VirtualMachine()) is None


def test_what_the_attendant_finds_on_the_boards_bus_is_told_as_a_fault() -> None:
    board = {**boards.load("roulette_ref"), "buses": boards.load("pi4")["buses"]}
    machine = VirtualMachine()
    machine.attach_i2c(1, clock_ds3231.ADDRESS, RegisterDevice(bytearray(b"\xff" * 0x13)))
    sensors = app.slow_sensors(board, Config(), machine)
    assert sensors is not None
    world = VirtualWheel(board, RULES, "W1", 3)
    told: list[Any] = []

    class Outlet:
        take_fact = staticmethod(told.append)

    edges = JumpingWheel(world, Bridge(board, machine))
    wheel = app.build(
        game=Game(board, RULES),
        config=Config(),
        hardware=app.Hardware(machine, edges, world.initial_levels()),
        store=MemoryStore(),
        event_sources=(sensors,),
        fact_listeners=(Outlet(),),
    )
    wheel.loop.begin_play()
    faults_told: list[Fault] = []
    while len(faults_told) < 2:
        assert world.now_us < 10_000_000_000, told
        wheel.loop.step()
        faults_told = [fact for fact in told if isinstance(fact, Fault)]
    sensors.close()
    assert [fault.code for fault in faults_told] == ["L11", "T10"]
    assert faults_told[1].text.startswith("T10: The clock chip is not set")
