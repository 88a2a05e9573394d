"""A whole wheel in jumping time: board, rules, drivers, core, loop, and the virtual wheel."""

import os
import pty
import tty as raw_tty
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import boards
import rules
from firmware.bus.receiver import Lit, Receiver
from firmware.config import Config
from firmware.config.game import Game
from firmware.core.facts import (
    DOUBT,
    BallDropped,
    BallInTrack,
    Fault,
    NoMoreBets,
    Result,
    RotorMoving,
    Void,
)
from firmware.lib.signatures import verify
from firmware.run import app
from firmware.shims.linux import tty
from firmware.shims.virtual import VirtualMachine, uart_pair
from firmware.store.signing import public_of
from tools.hil.recorded import SigningStore
from tools.sim.ports import PUMP_US, Bridge, JumpingWheel, RealTimeWheel
from tools.sim.wheel import VirtualWheel
from tools.virtual.memory_store import MemoryStore

BOARD = boards.load("roulette_ref")
RULES = rules.load("roulette_lu")
KEY = bytes(range(32))
ROOT = public_of(KEY)


class Told(list[Any]):
    take_fact = list.append

    def kinds(self, kind: Any) -> list[Any]:
        return [fact for fact in self if isinstance(fact, kind)]


class Rig(NamedTuple):
    wheel: app.Wheel
    world: VirtualWheel
    machine: VirtualMachine
    bridge: Bridge
    told: Told
    store: MemoryStore

    def play_until(self, done: Any, limit_s: int = 200) -> None:
        """Steps until `done()`; a wheel that never gets there is a failure, not a hang."""
        while not done():
            assert self.world.now_us < limit_s * 1_000_000, self.told
            self.wheel.loop.step()


def rig(
    bus: Any = None,
    seed: int = 3,
    config: Config | None = None,
    store: MemoryStore | None = None,
) -> Rig:
    machine = VirtualMachine()
    config = config or Config()
    world = VirtualWheel(BOARD, RULES, "W2", seed, config.drive == "hand")
    bridge = Bridge(BOARD, machine)
    told, store = Told(), store or MemoryStore()
    wheel = app.build(
        game=Game(BOARD, RULES),
        config=config,
        hardware=app.Hardware(machine, JumpingWheel(world, bridge), world.initial_levels()),
        store=store,
        bus=bus,
        fact_listeners=(told,),
    )
    wheel.loop.begin_play()
    return Rig(wheel, world, machine, bridge, told, store)


def ended(told: Told) -> int:
    return len(told.kinds((Result, Void)))


@pytest.mark.parametrize("drive", ["driven", "hand"])
def test_two_coups_end_with_the_number_in_which_the_ball_lies(drive: str) -> None:
    bench = rig(config=Config(drive=drive))
    bench.play_until(lambda: bench.world.finished == 2)
    numbers = [fact.number for fact in bench.told.kinds(Result)]
    assert numbers == [truth.number for truth in bench.world.truths[:2]]


def test_the_same_seed_tells_the_same_facts() -> None:
    told = []
    for _ in range(2):
        bench = rig(seed=11)
        bench.play_until(lambda bench=bench: ended(bench.told) == 1)
        told.append(list(bench.told))
    assert told[0] == told[1]


def test_the_motor_is_off_when_the_loop_no_longer_steps() -> None:
    bench = rig()
    bench.play_until(lambda: bench.bridge.permille(bench.world.now_us) != 0)
    now_us = bench.world.now_us
    assert bench.bridge.permille(now_us + PUMP_US // 2) != 0
    assert bench.bridge.permille(now_us + 2 * PUMP_US) == 0


def test_the_motors_wave_is_slow_enough_to_be_timed_by_software() -> None:
    bench = rig()
    bench.play_until(lambda: bench.bridge.permille(bench.world.now_us) != 0)
    assert bench.machine.freq(dict(BOARD["outputs"])["motor_pwm"]) == 1_000


def test_the_motor_is_off_after_the_loop_was_stopped() -> None:
    bench = rig()
    bench.play_until(lambda: bench.bridge.permille(bench.world.now_us) != 0)
    bench.wheel.loop.stop()
    bench.wheel.loop.run()
    assert bench.machine.duty_u16(dict(BOARD["outputs"])["motor_pwm"]) == 0
    assert bench.bridge.permille(bench.world.now_us) == 0


def test_a_coup_interrupted_by_a_stop_is_recorded_as_void() -> None:
    bench = rig()
    bench.play_until(lambda: bench.told.kinds(BallInTrack))
    bench.wheel.loop.stop()
    bench.wheel.loop.run()
    bench.wheel.loop.finish(app.FINISH_US)
    assert [fact.reason for fact in bench.told.kinds(Void)] == ["interrupted"]
    assert bench.store.records[-1][0] == "void"


def test_the_emergency_stop_turns_the_motor_off_and_says_so() -> None:
    bench = rig()
    bench.play_until(lambda: bench.bridge.permille(bench.world.now_us) != 0)
    bench.machine.set_input(dict(BOARD["safety_inputs"])["estop"], 1)
    bench.play_until(lambda: bench.told.kinds(Fault))
    assert bench.machine.duty_u16(dict(BOARD["outputs"])["motor_pwm"]) == 0
    assert bench.told.kinds(Fault)[0].code == "M12"


def signing() -> SigningStore:
    return SigningStore(Game(BOARD, RULES), KEY)


def display_line(open_uart: Any, name: str, store: SigningStore) -> app.DisplayLine:
    game = Game(BOARD, RULES)
    journal: Any = store
    return app.display_line(
        open_uart,
        name,
        game=game,
        config=Config(),
        journal=journal,
        displays={1: KEY},
        host=None,
        session=1,
    )


class Display:
    """A receiver at the far end of a line in memory."""

    def __init__(self) -> None:
        self.near, self.far = uart_pair()
        self.receiver = Receiver(1, KEY, ROOT, boot=1, verify=verify)
        self.shown: list[Lit] = []

    def open_uart(self) -> Any:
        if not self.near.plugged:
            raise OSError("unplugged")
        return Uart(self.near)

    def listen(self, now_us: int) -> None:
        self.far.write(self.receiver.feed(self.far.read(4096), now_us))
        while self.receiver.work():
            pass
        self.receiver.tick(now_us)
        lit = self.receiver.lit
        if not self.shown or self.shown[-1] != lit:
            self.shown.append(lit)


class Uart:
    """What the port driver wants of a machine.UART, over one end of the pair."""

    def __init__(self, end: Any) -> None:
        self._end = end

    def write(self, data: bytes) -> int:
        return int(self._end.write(data))

    def read(self) -> bytes:
        return bytes(self._end.read(4096))

    def deinit(self) -> None:
        self._end.close()


def test_a_port_that_vanishes_stops_no_coup_and_the_number_comes_when_it_is_back() -> None:
    display = Display()
    store = signing()
    bench = rig(display_line(display.open_uart, "ttyUSB0", store), store=store)

    def play(done: Any) -> None:
        def listened() -> bool:
            display.listen(bench.world.now_us)
            return bool(done())

        bench.play_until(listened)

    play(lambda: bench.told.kinds(BallInTrack))
    assert display.shown[-1].state == "BALL_IN_TRACK"
    display.near.unplug()
    play(lambda: bench.told.kinds(Result))
    number = bench.told.kinds(Result)[0].number
    assert [fact.code for fact in bench.told.kinds(Fault)] == ["B10"]
    assert number == bench.world.truths[0].number
    assert display.shown[-1].number is None
    display.near.plug()
    back_us = bench.world.now_us + 2_000_000
    play(lambda: bench.world.now_us > back_us)
    assert (display.shown[-1].state, display.shown[-1].number) == ("CONFIRMED", number)


@pytest.fixture
def line(tmp_path: Path) -> Iterator[tuple[Path, list[int]]]:
    """A tty by a path that survives its pseudo-terminal, as /dev/serial/by-id does."""
    handles: list[int] = []
    path = tmp_path / "port"
    yield path, handles
    for handle in handles:
        os.close(handle)


def plug(path: Path, handles: list[int]) -> int:
    """Makes a new pseudo-terminal appear at `path`; returns its master."""
    master, slave = pty.openpty()
    raw_tty.setraw(slave)
    os.set_blocking(master, False)
    path.unlink(missing_ok=True)
    path.symlink_to(os.ttyname(slave))
    os.close(slave)
    handles.append(master)
    return master


def test_a_real_terminal_that_is_closed_and_comes_back_carries_frames_again(
    line: tuple[Path, list[int]],
) -> None:
    path, handles = line
    first = plug(path, handles)
    bus = display_line(lambda: tty(str(path), 115_200), str(path), signing())
    bus.show_view(rig().wheel.controller.view())
    assert bus.poll(0) is None
    assert os.read(first, 4096)
    os.close(handles.pop())
    path.unlink()
    told = [bus.poll(now_us) for now_us in range(250_000, 5_000_000, 250_000)]
    assert [text for text in told if text] == [f"{path} is gone."]
    second = plug(path, handles)
    assert [bus.poll(now_us) for now_us in range(5_000_000, 7_000_000, 250_000)] == [None] * 8
    assert os.read(second, 4096)
    bus.close()


def test_real_time_gives_the_edges_of_jumping_time() -> None:
    clock = [5_000_000]
    jumping, real = (VirtualWheel(BOARD, RULES, "W1", 2, True) for _ in range(2))
    machine = VirtualMachine()
    jump = JumpingWheel(jumping, Bridge(BOARD, machine))
    live = RealTimeWheel(
        real,
        Bridge(BOARD, machine),
        now_us=lambda: clock[0],
        sleep_us=lambda us: clock.__setitem__(0, clock[0] + us + 70),
    )
    jumped: list[Any] = []
    lived: list[Any] = []
    for until_us in range(10_000, 20_000_000, 10_000):
        jumped += jump.read(until_us)
        lived += live.read(until_us + 5_000_000)
    assert len(jumped) > 500
    assert [(at_us - 5_000_000, line, level) for at_us, line, level in lived] == jumped


class Live:
    """A wheel in real time, by a clock of its own: each sleep takes `late_us()` more. `hear` stands
    between it and the loop."""

    def __init__(self, late_us: Any = lambda: 0, hear: Any = lambda edges, _: edges) -> None:
        self.now_us = 0
        self.told = Told()
        self.world = world = VirtualWheel(BOARD, RULES, "W1", 3)
        machine = VirtualMachine()

        def sleep(us: int) -> None:
            self.now_us += us + late_us()

        bridge = Bridge(BOARD, machine)
        live = RealTimeWheel(world, bridge, now_us=lambda: self.now_us, sleep_us=sleep)
        levels = world.initial_levels()
        self.edges = hear(live, levels)
        self.loop = app.build(
            game=Game(BOARD, RULES),
            config=Config(),
            hardware=app.Hardware(machine, self.edges, levels),
            store=MemoryStore(),
            fact_listeners=(self.told,),
        ).loop
        self.loop.begin_play()


@pytest.mark.parametrize("moment", [RotorMoving, NoMoreBets, Result])
def test_a_process_that_was_stopped_for_a_while_finds_no_rotor_that_ran_away(moment: Any) -> None:
    """Its enable stood still, so the charge pump let go: the rotor has run out meanwhile."""
    live = Live()

    def play_until(done: Any) -> None:
        while not done():
            live.loop.step()
            assert live.told.kinds(Fault) == []

    for turn in (1, 2):
        play_until(lambda: len(live.told.kinds(moment)) == turn)  # noqa: B023 - called at once
        live.now_us += 4_000_000
    play_until(lambda: live.world.finished == 3)


@pytest.mark.parametrize("seed", [1, 3])
def test_a_machine_that_is_late_again_and_again_makes_no_rotor_run_away(seed: int) -> None:
    """As one with more to run than cores: the speed is that of all that came, not of what was
    waited for."""
    chance = Random(seed)
    live = Live(lambda: chance.randint(0, 70_000))
    while live.world.finished < 4:
        live.loop.step()
        assert live.now_us < 600_000_000
    assert {fault.code for fault in live.told.kinds(Fault)} <= {"C11"}


class Frozen:
    """As a board whose kernel stood still with the machine: edges of that time are lost, and levels
    are compared afterwards."""

    def __init__(self, inner: RealTimeWheel, levels: Any) -> None:
        self.now_us = inner.now_us
        self.until_us = 0
        self._inner = inner
        self._told = list(levels)

    def read(self, until_us: int) -> list[tuple[int, int, int]]:
        lost_us, self.until_us = self.until_us, 0
        stand, found = list(self._told), []
        for at_us, line, level in self._inner.read(until_us):
            stand[line] = level
            if at_us > lost_us:
                found += [(at_us, line, DOUBT)] if level == self._told[line] else []
                found.append((at_us, line, level))
                self._told[line] = level
        for line, level in enumerate(stand):
            if level != self._told[line]:
                self._told[line] = level
                found += [(lost_us, line, DOUBT), (lost_us, line, level)]
        return found


@pytest.mark.parametrize("stood_us", [500_000, 1_500_000, 3_000_000])
def test_a_machine_that_stalls_is_told_as_that_and_does_not_void_as_encoder(stood_us: int) -> None:
    """Whatever of its edges the machine lost meanwhile."""
    live = Live(hear=Frozen)
    told = live.told
    ends = (Result, Void)
    while not told.kinds(BallDropped):
        live.loop.step()
    live.now_us += stood_us
    live.edges.until_us = live.now_us
    while len(told.kinds(ends)) < 3:
        live.loop.step()
    first, *others = told.kinds(ends)
    codes = [fault.code for fault in told.kinds(Fault)]
    assert (type(first), first.reason) == (Void, "timeout")
    assert "C12" in codes and "W31" not in codes
    assert [type(end) for end in others] == [Result, Result], codes


def test_a_hand_may_turn_a_rotor_that_no_motor_drives() -> None:
    bench = rig(config=Config(drive="hand"), seed=2)
    bench.play_until(lambda: bench.told.kinds(NoMoreBets))
    assert bench.machine.duty_u16(dict(BOARD["outputs"])["motor_pwm"]) == 0
    assert bench.told.kinds(Fault) == []
