"""`cylindre run` at work: opens what a wheel needs, plays, and closes it all again.

Whatever cannot be opened is a Failure before anything moves.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

import rules
from firmware import app
from firmware.attendant import Attendant
from firmware.config import Config
from firmware.core.facts import CoupStarted, Result, Void
from firmware.loop import Loop
from firmware.service.server import Service, ServiceError
from firmware.store.file import FileStore, JournalError
from tools.exits import FAILED, INTERRUPTED, NO_DEVICE, OK, Failure, unwritten
from tools.printer import Printer


class Choices(NamedTuple):
    """What the command line chose, besides the configuration."""

    board: dict[str, Any]
    config: Config
    port: str | None
    journal: Path
    sockets: Path
    preset: str | None
    seed: int | None
    coups: int | None
    line: Callable[[Any], str | None]
    started_us: int


class Counter:
    """Stops the loop after so many coups, however they ended.

    One that a crash left open, and that ends now, was not played now.
    """

    def __init__(self, coups: int) -> None:
        self._left = coups
        self._begun = False
        self.stop: Callable[[], None] = lambda: None

    def tell(self, fact: Any) -> None:
        """Counts results and voids."""
        if isinstance(fact, CoupStarted):
            self._begun = True
        elif self._begun and isinstance(fact, Result | Void):
            self._left -= 1
            if self._left == 0:
                self.stop()


def play(choices: Choices) -> int:
    """Plays until interrupted or done; returns the exit code. Raises Failure."""
    with contextlib.ExitStack() as stack:
        board, config = choices.board, choices.config
        hardware, name = _hardware(choices, stack)
        way_out = _way_out(choices, hardware)
        attendant = _attendant(choices, hardware, stack)
        store = _store(choices, stack)
        line = _line(way_out, store, stack)
        service = _service(choices, stack)
        counter = Counter(choices.coups or 0)
        printer = Printer(choices.line, lambda: loop.stop())
        wheel = app.build(
            board=board,
            config=config,
            hardware=hardware,
            store=store,
            memory=store.memory,
            bus=line,
            desks=(service,) if attendant is None else (service, attendant),
            watchdog=_watchdog(config, hardware, store),
            shows=(service,),
            outlets=(counter, service, _Since(choices.started_us, printer)),
        )
        loop = wheel.loop
        counter.stop = loop.stop
        app.settle()
        click.echo(f"Playing on {name}; journal {choices.journal}.", err=True)
        with _signals(loop) as caught:
            try:
                loop.begin()
                loop.run()
                loop.finish(app.FINISH_US)
            finally:
                printer.close()
        if printer.broken is not None:
            raise Failure(FAILED, f"{unwritten(printer.broken)} The wheel was stopped.")
        if signal.SIGINT in caught:
            raise Failure(INTERRUPTED, "Interrupted: the rotor is off.")
        return OK


class _Since:
    """Passes facts on with their times counted from the start of the process."""

    def __init__(self, start_us: int, printer: Printer) -> None:
        self._start_us = start_us
        self._printer = printer

    def tell(self, fact: Any) -> None:
        self._printer.tell(fact._replace(at_us=fact.at_us - self._start_us))


@contextlib.contextmanager
def _signals(loop: Loop) -> Iterator[set[int]]:
    """Lets signals stop the loop between two steps; gives the set of those that came."""
    caught: set[int] = set()

    def stop(number: int, _: object) -> None:
        caught.add(number)
        loop.stop()

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [(number, signal.signal(number, stop)) for number in numbers]
    try:
        yield caught
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _store(choices: Choices, stack: contextlib.ExitStack) -> FileStore:
    try:
        store = FileStore(choices.journal)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    stack.callback(store.close)
    if store.notice:
        click.echo(store.notice, err=True)
    return store


def _hardware(choices: Choices, stack: contextlib.ExitStack) -> tuple[app.Hardware, str]:
    """The machine of the board, and what people call it."""
    if choices.board["provider"] == "virtual":
        return _virtual(choices)
    from firmware.shims.pi import open_machine

    try:
        machine = open_machine(choices.board)
    except OSError as error:
        raise Failure(NO_DEVICE, _sentence(error)) from error
    stack.callback(machine.close)
    edges = machine.edges
    return app.Hardware(machine, edges, edges.initial_levels), choices.board["title"]


def _virtual(choices: Choices) -> tuple[app.Hardware, str]:
    """The built-in wheel of the board, in real time. The simulator is imported here alone."""
    from firmware.shims.virtual import VirtualMachine
    from tools.sim.ports import Bridge, RealTimeWheel
    from tools.sim.wheel import VirtualWheel

    board = choices.board
    seed = int.from_bytes(os.urandom(4)) if choices.seed is None else choices.seed
    preset = choices.preset or "W1"
    hand = (choices.config.drive or board["rotor"]) == "hand"
    wheel = VirtualWheel(board, rules.load(board["rules"]), preset, seed, hand)
    machine = VirtualMachine()
    edges = RealTimeWheel(wheel, Bridge(board, machine))
    hardware = app.Hardware(machine, edges, wheel.initial_levels())
    return hardware, f"the virtual wheel {preset}, seed {seed}"


def _way_out(choices: Choices, hardware: app.Hardware) -> tuple[Callable[[], Any], str] | None:
    """What opens the line to the displays, and its name; None where there is no line.

    Without a port named, a real board uses the UART that its file names for the displays. It is
    tried once now: a port that is missing at the start is a mistake, later it is waited for.
    """
    port = choices.port
    baud = choices.config.baud or app.BAUD
    opener: Callable[[], Any]
    if port is not None:
        from firmware.shims.linux import tty

        opener, name = lambda: tty(port, baud), port
    elif "displays" in choices.board["buses"]:
        number = choices.board["buses"]["displays"][1]
        opener, name = lambda: hardware.machine.UART(number, baud), f"UART {number}"
    else:
        return None
    try:
        opener().deinit()
    except OSError as error:
        text = f"{_sentence(error)} Plug it in, or name another with --port."
        raise Failure(NO_DEVICE, text) from error
    return opener, name


def _line(
    way_out: tuple[Callable[[], Any], str] | None, store: FileStore, stack: contextlib.ExitStack
) -> app.DisplayLine | None:
    if way_out is None:
        return None
    past = [(outcome.seq, outcome.number) for outcome in store.outcomes]
    # Milliseconds: two starts within a second are two sessions.
    session = time.time_ns() // 1_000_000
    line = app.display_line(*way_out, session=session, past=past)
    stack.callback(line.close)
    return line


def _service(choices: Choices, stack: contextlib.ExitStack) -> Service:
    number_max = max(rules.load(choices.board["rules"])["layout"])
    try:
        service = Service(choices.sockets, number_max=number_max, start_us=choices.started_us)
    except ServiceError as error:
        raise Failure(FAILED, str(error)) from error
    stack.callback(service.close)
    return service


def _attendant(
    choices: Choices, hardware: app.Hardware, stack: contextlib.ExitStack
) -> Attendant | None:
    try:
        attendant = app.attendant(choices.board, choices.config, hardware.machine)
    except OSError as error:
        raise Failure(NO_DEVICE, _sentence(error)) from error
    if attendant is not None:
        stack.callback(attendant.close)
    return attendant


def _watchdog(config: Config, hardware: app.Hardware, store: FileStore) -> app.LoopWatchdog | None:
    if not config.watchdog_s:
        return None
    try:
        return app.watchdog(hardware.machine, config.watchdog_s, store)
    except OSError as error:
        raise Failure(NO_DEVICE, _sentence(error)) from error


def _sentence(error: OSError) -> str:
    return error.strerror or str(error)
