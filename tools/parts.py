"""What `cylindre run` opens, one part after the other.

Whatever cannot be opened is a Failure; what was opened before it is closed by the stack.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from firmware import app, people
from firmware.attendant import Attendant
from firmware.bus.host import Host
from firmware.clerk import Clerk
from firmware.config import Config
from firmware.core.house import CROUPIER, PEOPLE, VOID
from firmware.core.manual import CROUPIERS_KEY
from firmware.game import Game
from firmware.people import People, PeopleError
from firmware.service.server import Service, ServiceError
from firmware.stakes.book import Book
from firmware.stakes.seal import BrokenSeal
from firmware.store.file import FileStore, JournalError
from rules.limits import WrongInput
from tools import opening
from tools.exits import CONFIGURATION, FAILED, NO_DEVICE, Failure
from tools.keys import read_terminals
from tools.places import ORPHELINS


class Choices(NamedTuple):
    """What the command line chose, besides the configuration."""

    game: Game
    config: Config
    port: str | None
    journal: Path
    sockets: Path
    preset: str | None
    seed: int | None
    coups: int | None
    line: Callable[[Any], str | None]
    started_us: int
    keys: Path | None = None  # the folder of the terminals' keys
    people: Path | None = None  # the file of those who may enter a number
    orphelins: Path | None = None  # the register of abandoned stakes


def open_store(choices: Choices, stack: contextlib.ExitStack) -> FileStore:
    """The journal, replayed. Raises Failure."""
    try:
        store = FileStore(choices.journal)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    stack.callback(store.close)
    if store.notice:
        click.echo(store.notice, err=True)
    return store


def open_hardware(choices: Choices, stack: contextlib.ExitStack) -> tuple[app.Hardware, str]:
    """The machine of the board, and what people call it."""
    board = choices.game.board
    if board["provider"] == "virtual":
        return _virtual(choices)
    from firmware.shims.pi import open_machine

    try:
        machine = open_machine(board)
        stack.callback(machine.close)
        found = app.Hardware(machine, machine.edges, machine.edges.initial_levels)
        if board.get("expanders"):
            edges = app.behind_expanders(board, machine, machine.edges, found.levels)
            stack.callback(edges.close)
            found = app.Hardware(machine, edges, edges.initial_levels, (edges,))
    except OSError as error:
        raise Failure(NO_DEVICE, _sentence(error)) from error
    return found, board["title"]


def _virtual(choices: Choices) -> tuple[app.Hardware, str]:
    """The built-in wheel of the board, in real time. The simulator is imported here alone."""
    from firmware.shims.virtual import VirtualMachine
    from tools import virtual
    from tools.sim.ports import Bridge, RealTimeWheel
    from tools.sim.table import presets, virtual_table

    board, rules = choices.game
    seed = int.from_bytes(os.urandom(4)) if choices.seed is None else choices.seed
    preset = choices.preset or presets(board["apparatus"])[0]
    hand = (choices.config.drive or board["rotor"]) == "hand"
    wheel = virtual_table(
        board,
        rules,
        preset,
        seed,
        hand,
        confirms=choices.config.confirm == CROUPIER,
        pace_us=choices.config.pace_us,
    )
    machine = VirtualMachine()
    edges = RealTimeWheel(wheel, Bridge(board, machine))
    hardware = virtual.hardware(board, machine, wheel, edges)
    return hardware, f"the virtual wheel {preset}, seed {seed}"


def way_out(choices: Choices, hardware: app.Hardware) -> tuple[Callable[[], Any], str] | None:
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
    elif "displays" in choices.game.board["buses"]:
        number = choices.game.board["buses"]["displays"][1]
        opener, name = lambda: hardware.machine.UART(number, baud), f"UART {number}"
    else:
        return None
    try:
        opener().deinit()
    except OSError as error:
        text = f"{_sentence(error)} Plug it in, or name another with --port."
        raise Failure(NO_DEVICE, text) from error
    return opener, name


def open_line(
    way_out: tuple[Callable[[], Any], str] | None,
    game: Game,
    store: FileStore,
    stack: contextlib.ExitStack,
    terminals: Terminals | None = None,
) -> app.DisplayLine | None:
    """The line to displays and terminals, where there is one."""
    if way_out is None:
        return None
    past = [(outcome.seq, outcome.number, outcome.colour) for outcome in store.outcomes]
    # Milliseconds: two starts within a second are two sessions.
    session = time.time_ns() // 1_000_000
    host = None if terminals is None else terminals.host
    line = app.display_line(
        *way_out,
        session=session,
        apparatus=game.board["apparatus"],
        past=past,
        layout_verified=game.rules["layout_verified"],
        host=host,
    )
    stack.callback(line.close)
    return line


class Terminals(NamedTuple):
    """A semi-automatic game's: who keeps their stakes, and who talks with them."""

    book: Book
    host: Host


def open_terminals(choices: Choices, has_line: bool, store: FileStore) -> Terminals | None:
    """Where the configuration has stakes; else none. Raises Failure."""
    config = choices.config
    if config.stakes_minimum_cents is None:
        others = (config.terminals, config.maxima, config.stakes_table_minimum_cents)
        if others != (None, None, None) or config.season or config.orphelins:
            text = "[stakes] minimum_cents is missing: nothing else of it holds without."
            raise Failure(CONFIGURATION, text)
        return None
    if choices.keys is None and config.terminals is None:
        return None  # a table with a croupier: its limits hold, its stakes are chips
    if choices.keys is None:
        raise Failure(CONFIGURATION, "[stakes] wants the terminals' keys: give --keys.")
    keys = read_terminals(choices.keys, config.terminals)
    if not keys:
        return None  # a folder of other keys
    if not has_line:
        raise Failure(CONFIGURATION, "[stakes] wants a line to the terminals: give --port.")
    try:
        book = app.stakes_book(choices.game, config, tuple(keys), store.memory, store.stakes)
        session = int.from_bytes(os.urandom(8))
        host = Host(session, keys, book, baud=config.baud or app.BAUD)
    except WrongInput as error:
        raise Failure(CONFIGURATION, f"[stakes] {error.sentence}") from error
    except ValueError as error:
        raise Failure(CONFIGURATION, f"[stakes] terminals: {error}") from error
    except BrokenSeal as error:
        text = f"{choices.journal}: {error.sentence} Keep it for inspection; start a new journal."
        raise Failure(FAILED, text) from error
    return Terminals(book, host)


def open_clerk(choices: Choices, store: FileStore, stack: contextlib.ExitStack) -> Clerk | None:
    """Where the table's limits are known: opens it with them. Who counts its orphelins."""
    if choices.config.stakes_minimum_cents is None:
        return None
    opening.open_table(choices.game, choices.config, store)
    found = opening.clerk(choices.orphelins or choices.journal.with_name(ORPHELINS), store)
    stack.callback(found.close)
    return found


def open_service(choices: Choices, stack: contextlib.ExitStack) -> Service:
    """The sockets. Raises Failure."""
    number_max = max(choices.game.rules["layout"])
    try:
        service = Service(
            choices.sockets,
            number_max=number_max,
            start_us=choices.started_us,
            people=_people(choices),
        )
    except ServiceError as error:
        raise Failure(FAILED, str(error)) from error
    stack.callback(service.close)
    return service


def _people(choices: Choices) -> People | None:
    """Who knows the PINs. A file that is there must be sound; one may be made later."""
    path = choices.people
    if path is None:
        return None
    try:
        people.load(path)
    except FileNotFoundError:
        if choices.config.undetected == PEOPLE and not _has_keys(choices):
            text = f"Nobody can enter a number yet: {path} is missing. See cylindre people --help."
            click.echo(text, err=True)
    except PeopleError as error:
        raise Failure(CONFIGURATION, "\n".join(error.sentences)) from error
    return People(path)


def settle_undetected(choices: Choices) -> Config:
    """The configuration, where it leaves that open with what becomes of undetected numbers.

    French arrêté of 14 May 2007, art. 67-5: the people enter them, where somebody can. Says which.
    """
    config = choices.config
    if config.undetected is None:
        config = replace(config, undetected=PEOPLE if _can_enter(choices) else VOID)
    become = "the people enter them" if config.undetected == PEOPLE else "void"
    click.echo(f"Numbers that are not detected: {become}.", err=True)
    return config


def _can_enter(choices: Choices) -> bool:
    """True with keys on the board, or a croupier and a member of the management in the file."""
    if _has_keys(choices):
        return True
    if choices.people is None or not choices.people.exists():
        return False
    return {person.role for person in people.load(choices.people)} == set(people.ROLES)


def _has_keys(choices: Choices) -> bool:
    return CROUPIERS_KEY in dict(choices.game.board["inputs"])


def open_attendant(
    choices: Choices, hardware: app.Hardware, stack: contextlib.ExitStack
) -> Attendant | None:
    """Who looks after level and clock, where the board has them. Raises Failure."""
    try:
        attendant = app.attendant(choices.game.board, choices.config, hardware.machine)
    except OSError as error:
        raise Failure(NO_DEVICE, _sentence(error)) from error
    if attendant is not None:
        stack.callback(attendant.close)
    return attendant


def open_watchdog(
    config: Config, hardware: app.Hardware, store: FileStore
) -> app.LoopWatchdog | None:
    """The hardware watchdog, where the house wants it. Raises Failure."""
    if not config.watchdog_s:
        return None
    try:
        return app.watchdog(hardware.machine, config.watchdog_s, store)
    except OSError as error:
        raise Failure(NO_DEVICE, _sentence(error)) from error


def _sentence(error: OSError) -> str:
    return error.strerror or str(error)
