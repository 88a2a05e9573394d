"""The only place where board, rules and drivers meet: builds a wheel out of its parts.

Used by everything that plays, in real time and in jumping time, on a Pi and on none: who calls
brings the machine (a provider of firmware.shims.machine), the edges and the store.
"""

import gc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import rules
from drivers.clock_ds3231 import ClockDs3231
from drivers.lamps import Lamps
from drivers.level_adxl345 import LevelAdxl345
from drivers.rotor_motor import LIMITS, PERIOD_US, RotorMotor
from drivers.rs485 import Rs485Port
from drivers.watchdog import ProgressWatchdog
from firmware.attendant import Attendant, Checks
from firmware.bus.sender import Talker
from firmware.config import Config
from firmware.core.controller import FRESH, Controller, Memory
from firmware.core.facts import View
from firmware.loop import Loop, Ports, Progress, Shows
from firmware.ports import Bus, Desk, Edges, Outlet, Store
from firmware.shims.machine import Machine
from firmware.store.file import FileStore

# lgpio makes a Pi's waves in a thread. If that wakes 10 us late (an estimate, not yet measured on a
# Pi), the duty near 8 kHz is off by a tenth of the period, here by a hundredth. The rotor takes
# 1.5 s to follow and feels no ripple of either.
PWM_HZ = 1_000
# A hand may turn the rotor faster than a motor ever would; 2 turns a second is a mistake.
HAND_LIMIT_UTURN_S = 2_000_000
BAUD = 115_200
FINISH_US = 300_000  # a last record takes some ms, its frame and three repeats 70 ms
_MINUTE_S = 60


class Hardware(NamedTuple):
    """What the machine brings: `levels` are those of the board's inputs when edges begin."""

    machine: Machine
    edges: Edges
    levels: Sequence[int] = ()


class DisplayLine:
    """The port `Bus`: what is said to the displays, over a line that may go and come back."""

    def __init__(self, talker: Talker, port: Rs485Port, name: str) -> None:
        """`name` is what people call the line: its device."""
        self._talker = talker
        self._port = port
        self._name = name

    def show(self, view: View) -> None:
        """Gives the displays a new view; it leaves at the next `poll`."""
        self._talker.show(view.state, view.coup, view.seq, view.rotor, view.number, view.reason)

    def poll(self, now_us: int) -> str | None:
        """Sends what is due, opens a lost line again. Returns what is wrong if that is new."""
        lost = self._port.poll(now_us)
        for frame in self._talker.poll(now_us):
            self._port.write(frame)
        return f"{self._name} is gone." if lost is not None else None

    def close(self) -> None:
        """Gives the port back."""
        self._port.close()


class StateLamps:
    """The croupier's lamps, following the view."""

    def __init__(self, lamps: Lamps) -> None:
        self._lamps = lamps

    def show(self, view: View) -> None:
        """Lights what belongs to the state."""
        self._lamps.show(view.state)


class LoopWatchdog:
    """Feeds the hardware watchdog while edges, core and store all get somewhere."""

    def __init__(self, dog: ProgressWatchdog, store: FileStore) -> None:
        self._dog = dog
        self._store = store

    def poll(self, now_us: int) -> None:
        """The loop came round: edges were read and the core was ticked. The store is asked."""
        self._dog.progress("edges")
        self._dog.progress("core")
        if self._store.awake():
            self._dog.progress("store")
        self._dog.poll()


class Wheel(NamedTuple):
    """One wheel, ready to play: its loop and the core inside."""

    loop: Loop
    controller: Controller


def build(
    *,
    board: dict[str, Any],
    config: Config,
    hardware: Hardware,
    store: Store,
    memory: Memory = FRESH,
    bus: Bus | None = None,
    desks: Sequence[Desk] = (),
    watchdog: Progress | None = None,
    shows: Sequence[Shows] = (),
    outlets: Sequence[Outlet] = (),
) -> Wheel:
    """Builds the wheel of a board. Leaves motor and lamps off; plays nothing yet.

    The first `Loop.begin`, then `Loop.run` (or `step`) make it play. Raises OSError if an output
    has another owner.
    """
    driven = (config.drive or board["rotor"]) == "driven"
    outputs = dict(board["outputs"])
    controller = Controller(
        board,
        rules.load(board["rules"]),
        memory=memory,
        confirm=config.confirm,
        driven=driven,
        call_us=config.call_us,
    )
    for line, level in enumerate(hardware.levels):
        controller.preset(line, level)
    lamps = StateLamps(_lamps(hardware.machine, outputs))
    ports = Ports(
        edges=hardware.edges,
        rotor=_rotor(board, config, hardware.machine, driven=driven),
        store=store,
        bus=bus,
        desks=tuple(desks),
        watchdog=watchdog,
        shows=(lamps, *shows),
        outlets=tuple(outlets),
    )
    return Wheel(Loop(controller, ports, PERIOD_US), controller)


def display_line(
    open_uart: Callable[[], Any],
    name: str,
    *,
    session: int,
    past: Sequence[tuple[int, int | None]] = (),
) -> DisplayLine:
    """The line to the displays. `session` differs at every start; `past`: (seq, number or None)."""
    return DisplayLine(Talker(session, past), Rs485Port(open_uart), name)


def attendant(board: dict[str, Any], config: Config, machine: Machine) -> Attendant | None:
    """Who looks after level and clock, where the board names their bus.

    Raises OSError if the machine lacks that bus; a chip that does not answer is a notice.
    """
    if "sensors" not in board["buses"]:
        return None
    return Attendant(checks(machine.I2C(board["buses"]["sensors"][1]), config))


def checks(i2c: Any, config: Config) -> Checks:
    """What is looked after on the bus `i2c`. Transfers nothing yet."""
    zero_mdeg = (config.level_zero_x_mdeg, config.level_zero_y_mdeg)
    level = LevelAdxl345(i2c, zero_mdeg=zero_mdeg)
    return Checks(level, ClockDs3231(i2c), warn_mdeg=config.level_warn_mdeg)


def watchdog(machine: Machine, timeout_s: int, store: FileStore) -> LoopWatchdog:
    """Starts the hardware watchdog. Raises OSError if there is none."""
    return LoopWatchdog(ProgressWatchdog(machine.WDT(timeout=timeout_s * 1000)), store)


def settle() -> None:
    """After start-up: what exists now stays, so the collector need never look at it again."""
    gc.collect()
    gc.freeze()


def _rotor(board: dict[str, Any], config: Config, machine: Machine, *, driven: bool) -> RotorMotor:
    outputs, safety = dict(board["outputs"]), dict(board["safety_inputs"])
    limits = LIMITS
    if config.target_rpm is not None:
        limits = limits._replace(target_uturn_s=config.target_rpm * 1_000_000 // _MINUTE_S)
    if not driven:
        limits = limits._replace(limit_uturn_s=HAND_LIMIT_UTURN_S)
    out = machine.Pin.OUT
    return RotorMotor(
        pwm=machine.PWM(machine.Pin(outputs["motor_pwm"], out), freq=PWM_HZ, duty_u16=0),
        direction=machine.Pin(outputs["motor_dir"], out),
        enable=machine.Pin(outputs["motor_enable"], out, value=0),
        estop=machine.Pin(safety["estop"], machine.Pin.IN),
        overcurrent=machine.Pin(safety["overcurrent"], machine.Pin.IN),
        limits=limits,
    )


def _lamps(machine: Machine, outputs: dict[str, int]) -> Lamps:
    out = machine.Pin.OUT
    return Lamps(
        bets_open=machine.Pin(outputs["lamp_bets_open"], out),
        no_more_bets=machine.Pin(outputs["lamp_no_more_bets"], out),
        fault=machine.Pin(outputs["lamp_fault"], out),
    )
