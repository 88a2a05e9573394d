"""The only place where board, rules and drivers meet: builds a wheel out of its parts.

Used by everything that plays, in real time and in jumping time, on a Pi and on none: who calls
brings the machine (a provider of firmware.shims.machine), the edges and the store.
"""

import gc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from boards.card_tables import is_card_table
from drivers.clock_ds3231 import ClockDs3231
from drivers.expander_mcp23017 import ExpanderMcp23017
from drivers.lamps import Lamps
from drivers.level_adxl345 import LevelAdxl345
from drivers.rotor_motor import LIMITS, PERIOD_US, RotorMotor
from drivers.rs485 import Rs485Port
from drivers.watchdog import ProgressWatchdog
from firmware.bus.display_host import DisplayHost
from firmware.bus.line import TableLine
from firmware.bus.messages import Table
from firmware.bus.terminal_host import TerminalHost
from firmware.config import BAUD, Config
from firmware.config.game import Game
from firmware.core.controller import Controller
from firmware.core.coup.restart_state import FRESH, RestartState
from firmware.core.facts import EntryAsked, Trouble, TroubleEnded, View
from firmware.expander.edges import ExpandedEdges, Source, expanded
from firmware.loop import Core, Loop, Ports, ViewListener, WatchdogPort
from firmware.ports import Bus, Edges, EventSource, FactListener, MotorPort, Store
from firmware.run.slow_sensors import Checks, SlowSensors
from firmware.shims.machine import Machine
from firmware.stakes.book import Book
from firmware.store.journal import Journal
from rules.limits import base_of

# lgpio makes a Pi's waves in a thread. If that wakes 10 us late (an estimate, not yet measured on a
# Pi), the duty near 8 kHz is off by a tenth of the period, here by a hundredth. The rotor takes
# 1.5 s to follow and feels no ripple of either.
PWM_HZ = 1_000
# A hand may turn the rotor faster than a motor ever would; 2 turns a second is a mistake.
HAND_LIMIT_UTURN_S = 2_000_000
FINISH_US = 300_000  # a last record takes some ms; displays get loop.BEHIND_US
FINISH_TERMINALS_US = 1_000_000  # a round of all terminals: each hears what it was paid
_MINUTE_S = 60
# Takes (now_us, speed_uturn_s); must not wait, nor raise.
SpeedListener = Callable[[int, int], None]


class Hardware(NamedTuple):
    """What the machine brings: `levels` are those of the board's inputs when edges begin.

    `event_sources`: parts of it that have something to report, as the loop's other sources.
    """

    machine: Machine
    edges: Edges
    levels: Sequence[int] = ()
    event_sources: Sequence[EventSource] = ()


class DisplayLine:
    """The port `Bus`: the talk with displays and terminals, over a line that may go and come back.

    Also an `EventSource`, where what is wrong with a display or a terminal comes in. It hears no
    fact: where the prediction of the call stands is nothing for a table (firmware/api/guarded.py).
    """

    def __init__(self, line: TableLine, port: Rs485Port, name: str) -> None:
        """`name` is what people call the line: its device."""
        self._line = line
        self._port = port
        self._name = name
        self._at_us = 0  # of the last poll
        # Who asks to be the first supervisor; asked at each poll.
        self.asks: Callable[[], str | None] = lambda: None

    def show_view(self, view: View) -> None:
        """Gives the displays a new view; it leaves at the next `poll`."""
        self._line.show_view(view)

    def show_cards(self, view: Any) -> None:
        """Gives the displays what lies on a card table, a CardView of its core."""
        self._line.show_cards(view)

    @property
    def tells_cards(self) -> bool:
        """Returns whether the line has time to tell the displays what lies on a card table."""
        return self._line.display_host.tells_cards

    def poll(self, now_us: int) -> str | None:
        """Sends what is due, opens a lost line again. Returns what is wrong if that is new."""
        self._at_us = now_us
        self._line.tell_asks(self.asks())
        lost = self._port.poll(now_us)
        if not self._port.lost:  # else each display would be told as silent besides
            for frame in self._line.exchange(self._port.read(), now_us):
                self._port.write(frame)
        return f"{self._name} is gone." if lost is not None else None

    def due_us(self, now_us: int) -> int:
        """Returns when the next `poll` may do something, if nothing comes and nothing is shown
        before.
        """
        due_us = self._port.due_us(now_us)
        return due_us if self._port.lost else min(due_us, self._line.due_us(now_us))

    def is_behind(self) -> bool:
        """Returns whether a display that answers does not yet light what was told last."""
        return self._line.is_behind()

    def parts(self) -> dict[str, Any]:
        """Returns the line and its displays, for a technician. May be called by another thread."""
        displays = self._line.display_host.standings(self._at_us)
        return {"line": {"port": self._name, "lost": self._port.lost}, "displays": displays}

    def troubles(self) -> Sequence[Trouble]:
        """Returns what is newly wrong with a display or a terminal, at_us = 0."""
        return [Trouble(0, code, detail) for code, detail in self._line.troubles()]

    def ended(self) -> Sequence[TroubleEnded]:
        """Returns what was told so and has newly ended, at_us = 0."""
        return [TroubleEnded(0, code, detail) for code, detail in self._line.ended()]

    def take_events(self) -> Sequence[Trouble | TroubleEnded | EntryAsked]:
        """Returns the same, what of it has ended, and what money lies in an acceptor."""
        asked = [EntryAsked(0, *each) for each in self._line.take_asked()]
        return [*self.troubles(), *self.ended(), *asked]

    def decided(self, refusal: str | None) -> None:
        """Does nothing: a trouble is never refused, and of money the book tells the terminal."""

    def close(self) -> None:
        """Gives the port back."""
        self._port.close()


class StateLamps:
    """The croupier's lamps, following the view."""

    def __init__(self, lamps: Lamps) -> None:
        self._lamps = lamps

    def show_view(self, view: View) -> None:
        """Lights what belongs to the state."""
        self._lamps.light(view.state)


class NoRotor:
    """The port `MotorPort` of a fixed dish: nothing turns, so nothing can run away."""

    due_us = 1 << 62  # never

    def drive(self, direction: int, now_us: int, speed_uturn_s: int | None) -> None:
        """Does nothing: nothing turns."""

    def poll(self, now_us: int, speed_uturn_s: int) -> str | None:
        """Returns None: nothing can fail."""
        return None

    def stop(self) -> None:
        """Does nothing: nothing turns."""

    def effort(self) -> None:
        """Returns None: there is no motor."""
        return None


class SpeedReportingMotor:
    """The port `MotorPort` of another, whose speed somebody is told once a period."""

    def __init__(self, rotor: MotorPort, speed_listener: SpeedListener) -> None:
        self._rotor = rotor
        self._listener = speed_listener
        self.drive = rotor.drive
        self.stop = rotor.stop
        self.effort = rotor.effort

    @property
    def due_us(self) -> int:
        """Returns the rotor's own."""
        return self._rotor.due_us

    def poll(self, now_us: int, speed_uturn_s: int) -> str | None:
        """Polls the rotor, then tells its speed."""
        fault = self._rotor.poll(now_us, speed_uturn_s)
        self._listener(now_us, speed_uturn_s)
        return fault


class LoopWatchdog:
    """Feeds the hardware watchdog while edges, core and store all get somewhere."""

    def __init__(self, dog: ProgressWatchdog, store: Journal) -> None:
        self._dog = dog
        self._store = store

    def poll(self, now_us: int) -> None:
        """Feeds the watchdog: the loop came round, and the store works."""
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
    game: Game,
    config: Config,
    hardware: Hardware,
    store: Store,
    restart_state: RestartState = FRESH,
    book: Book | None = None,
    bus: Bus | None = None,
    event_sources: Sequence[EventSource] = (),
    watchdog: WatchdogPort | None = None,
    view_listeners: Sequence[ViewListener] = (),
    fact_listeners: Sequence[FactListener] = (),
    speed_listener: SpeedListener | None = None,
    leaps: bool = False,
    tap: Callable[[Core], Core] = lambda core: core,
) -> Wheel:
    """Builds the wheel that plays a game. Leaves motor and lamps off; plays nothing yet.

    `speed_listener` is told once a period at which signed speed the rotor turns. `leaps`: time
    jumps, and polls that change nothing are left out (firmware.loop). `tap`: puts somebody who
    listens between loop and core.
    The first `Loop.begin_play`, then `Loop.run` (or `step`) make it play. Raises OSError if an
    output has another owner.
    """
    board = game.board
    driven = is_driven(board, config)
    controller = Controller(
        board,
        game.rules,
        restart_state=restart_state,
        house=config.house._replace(driven=driven),
        book=book,
    )
    for line, level in enumerate(hardware.levels):
        controller.preset(line, level)
    lamps = state_lamps(board, hardware.machine)
    rotor = _rotor(board, config, hardware.machine, driven=driven)
    ports = Ports(
        edges=hardware.edges,
        rotor=rotor if speed_listener is None else SpeedReportingMotor(rotor, speed_listener),
        store=store,
        bus=bus,
        event_sources=(*hardware.event_sources, *event_sources),
        watchdog=watchdog,
        view_listeners=(lamps, *view_listeners),
        fact_listeners=tuple(fact_listeners),
    )
    return Wheel(Loop(tap(controller), ports, PERIOD_US, leaps=leaps), controller)


def is_driven(board: dict[str, Any], config: Config) -> bool:
    """Returns whether a motor turns the rotor, not a hand."""
    return board["rotor"] != "none" and (config.drive or board["rotor"]) == "driven"


def display_line(
    open_uart: Callable[[], Any],
    name: str,
    *,
    game: Game,
    config: Config,
    journal: Journal,
    displays: dict[int, bytes],
    host: TerminalHost | None,
    session: int,
) -> DisplayLine:
    """Returns the line to displays and terminals.

    `displays`: their keys, by address. `host`: None where
    there are no terminals. `session`: 64 random bits, new at each start.

    Raises ValueError, a sentence, for more displays than the line has time for.
    """
    display_host = DisplayHost(
        session,
        displays,
        journal.record,
        game=game.board["apparatus"],
        epoch=journal.epoch,
        kid=journal.kid,
        rotations=journal.rotations,
        table=_table(game, config),
        layout_verified=game.rules.get("layout_verified", False),
        baud=config.baud or BAUD,
        terminals=0 if host is None else host.count,
        extra_us=0 if host is None else host.extra_us,
        cards=is_card_table(game.board),
    )
    line = TableLine(display_host, host)
    line.is_simulated = game.board["provider"] == "virtual"
    return DisplayLine(line, Rs485Port(open_uart), name)


def _table(game: Game, config: Config) -> Table:
    """Returns what the displays are told of the table: its limits follow from it."""
    if is_card_table(game.board):
        minimum_cents = config.stakes_minimum_cents or 0
        return Table(game.rules["name"], config.wheel_id, minimum_cents, minimum_cents, (), None)
    minimum_cents = config.stakes_minimum_cents or 0
    raised_cents = config.stakes_table_minimum_cents or 0
    return Table(
        game.rules["name"],
        config.wheel_id,
        base_of(game.rules, minimum_cents, raised_cents or minimum_cents),
        raised_cents,
        tuple((config.maxima or {}).items()),
        None,  # no display is told where the prediction of the call stands
    )


def stakes_book(
    game: Game,
    config: Config,
    terminals: Sequence[int],
    restart_state: RestartState,
    recalled: Any,
    **money: Any,
) -> Book:
    """Returns the stakes book of the terminals at those addresses.

    `recalled`: the last sealed stakes and their coup's end, or None; `money`: what else Book
    wants to know. Raises rules.limits.WrongInput for limits that the regulation forbids,
    firmware.stakes.seal.BrokenSeal for altered stakes.
    """
    assert config.stakes_minimum_cents is not None
    book = Book(
        game.rules,
        minimum_cents=config.stakes_minimum_cents,
        table_minimum_cents=config.stakes_table_minimum_cents,
        maximum_multiples=config.maxima,
        terminals=terminals,
        coup=max(restart_state.coup, restart_state.open_coup) + 1,
        **money,
    )
    if recalled is not None:
        book.restore(*recalled)
    return book


def slow_sensors(board: dict[str, Any], config: Config, machine: Machine) -> SlowSensors | None:
    """Returns the readings of level and clock, where the board names their bus.

    Raises OSError if the machine lacks that bus; a chip that does not answer is a notice.
    """
    if "sensors" not in board["buses"]:
        return None
    return SlowSensors(checks(machine.I2C(board["buses"]["sensors"][1]), config))


def behind_expanders(
    board: dict[str, Any],
    machine: Machine,
    edges: Source,
    levels: Sequence[int],
    *,
    inline: bool = False,
) -> ExpandedEdges:
    """Returns the board's edges with those of the lines behind its expanders. For the loop
    also an EventSource.

    `inline`: read in the loop's time, on a virtual bus. Raises OSError if the machine lacks a bus;
    a chip that does not answer is a notice.
    """
    return expanded(board, machine, edges, ExpanderMcp23017, levels=levels, inline=inline)


def checks(i2c: Any, config: Config) -> Checks:
    """Returns what is looked after on the bus `i2c`. Transfers nothing yet."""
    zero_mdeg = (config.level_zero_x_mdeg, config.level_zero_y_mdeg)
    level = LevelAdxl345(i2c, zero_mdeg=zero_mdeg)
    return Checks(level, ClockDs3231(i2c), warn_mdeg=config.level_warn_mdeg)


def watchdog(machine: Machine, timeout_s: int, store: Journal) -> LoopWatchdog:
    """Starts the hardware watchdog. Raises OSError if there is none."""
    return LoopWatchdog(ProgressWatchdog(machine.WDT(timeout=timeout_s * 1000)), store)


def freeze_garbage() -> None:
    """Keeps the garbage collector from what exists after start-up, for all of that stays."""
    gc.collect()
    gc.freeze()


def _rotor(board: dict[str, Any], config: Config, machine: Machine, *, driven: bool) -> MotorPort:
    if board["rotor"] == "none":
        return NoRotor()
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


def state_lamps(board: dict[str, Any], machine: Machine) -> StateLamps:
    """Returns the croupier's lamps of a board."""
    outputs, out = dict(board["outputs"]), machine.Pin.OUT
    lamps = Lamps(
        bets_open=machine.Pin(outputs["lamp_bets_open"], out),
        no_more_bets=machine.Pin(outputs["lamp_no_more_bets"], out),
        fault=machine.Pin(outputs["lamp_fault"], out),
    )
    return StateLamps(lamps)
