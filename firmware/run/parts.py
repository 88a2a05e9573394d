"""What `cylindre run` opens, one part after the other.

Whatever cannot be opened is a Failure; what was opened before it is closed by the stack.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from firmware.api.server import Service, ServiceError
from firmware.config import Config
from firmware.config.game import Game
from firmware.config.this_wheel import Started, leave
from firmware.core.coup.manual import CROUPIERS_KEY
from firmware.core.house import CROUPIER, MANAGEMENT, PEOPLE, VOID, House
from firmware.keys import people
from firmware.keys.people import People, PeopleError
from firmware.lib.errors import CONFIGURATION, FAILED, NO_DEVICE, Failure, cause, sentence
from firmware.lib.language import N_, Message, listed, translated
from firmware.lib.places import ORPHELINS, RUN
from firmware.lib.places import PEOPLE as PEOPLE_FILE
from firmware.run import app
from firmware.run.recorder_tap import Recording
from firmware.run.slow_sensors import SlowSensors
from firmware.store.journal import Journal
from firmware.store.recorded_coup import Coup

if TYPE_CHECKING:
    from firmware.run.card_play import CardHardware
    from firmware.run.orphelins_service import OrphelinsService

OpenVirtual = Callable[["RunOptions", contextlib.ExitStack], "Opened"]
OpenTable = Callable[["RunOptions", contextlib.ExitStack], "CardHardware"]
# Takes the game, the settled configuration, the house and the stack.
Keep = Callable[[Coup], None]  # takes each coup and never waits
OpenRecorder = Callable[[Game, Config, House, contextlib.ExitStack], Keep]


class RunOptions(NamedTuple):
    """What the command line chose, besides the configuration."""

    game: Game
    config: Config
    port: str | None
    journal: Path
    sockets: Path
    coups: int | None
    line: Callable[[Any], str | None]
    started_us: int
    keys: Path  # the folder of the wheel's, the displays' and the terminals' keys
    own_keys: bool = False  # nobody chose that folder: the wheel makes its key there itself
    fram: Path | None = None  # the file that stands in for the FRAM
    people: Path | None = None  # the file of those who may enter a number
    orphelins: Path | None = None  # the register of abandoned stakes
    virtual: OpenVirtual | None = None  # what opens the wheel of a virtual board
    virtual_table: OpenTable | None = None  # and the card table of one
    recorder: OpenRecorder | None = None  # what keeps the last coups as they were seen
    records: Path | None = None  # where it keeps them
    config_file: Path | None = None
    elsewhere: bool = False  # where nobody chose it, another folder of sockets is as good


class Opened(NamedTuple):
    """A machine, and what people call it."""

    hardware: app.Hardware
    name: str
    # Of a virtual wheel: what lets people reach into it beside the sockets, once they are there.
    reach: Callable[[contextlib.ExitStack], None] = lambda stack: None
    # Of a virtual wheel that is faster than real time: what brings it back to that.
    slow_down: Callable[[], None] | None = None


def open_hardware(options: RunOptions, stack: contextlib.ExitStack) -> Opened:
    """Returns the machine of the board. Raises Failure."""
    board = options.game.board
    if board["provider"] == "virtual":
        assert options.virtual is not None
        return options.virtual(options, stack)
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
        raise Failure(NO_DEVICE, sentence(error)) from error
    return Opened(found, board["title"])


def open_recording(
    options: RunOptions, hardware: app.Hardware, stack: contextlib.ExitStack
) -> Recording:
    """Returns the recorder of coups; it records where somebody wants it."""
    game, opener = options.game, options.recorder
    if opener is None:
        return Recording(game.board, hardware.levels, None)

    def begin(config: Config) -> Keep:
        house = config.house._replace(driven=app.is_driven(game.board, config))
        return opener(game, config, house, stack)

    return Recording(game.board, hardware.levels, begin)


def open_orphelins_service(
    options: RunOptions, journal: Journal, stack: contextlib.ExitStack
) -> OrphelinsService | None:
    """Opens the table and its register of orphelins, where its limits are known."""
    if options.config.stakes_minimum_cents is None:
        return None
    from firmware.run import table_opening  # most of a MB that most wheels never need

    table_opening.open_table(options.game, options.config, journal, options.keys)
    found = table_opening.open_orphelins(
        options.orphelins or options.journal.with_name(ORPHELINS), journal
    )
    stack.callback(found.close)
    return found


def open_service(
    options: RunOptions, hardware: app.Hardware, stack: contextlib.ExitStack
) -> Service:
    """Returns the sockets of that hardware. Raises Failure."""
    try:
        service = _service(options, options.sockets, hardware)
    except ServiceError as error:
        if not options.elsewhere:
            raise Failure(FAILED, str(error)) from error
        service = _service_elsewhere(options, hardware, stack)
    stack.callback(service.close)
    return service


def _leave(options: RunOptions, sockets: Path) -> None:
    """Leaves what was chosen beside the sockets; without it the wheel plays all the same."""
    started = Started(
        board=options.game.board["name"],
        wheel=options.config.wheel_id,
        config=options.config_file,
        journal=options.journal,
        keys=options.keys,
        people=options.people or options.journal.with_name(PEOPLE_FILE),
        records=options.records,
    )
    try:
        leave(started, sockets)
    except OSError as error:
        text = Message(
            "{path}: {why}. Commands that are to find this wheel have to be told where its files"
            " are.",
            path=sockets / RUN,
            why=cause(error),
        )
        click.echo(translated(text), err=True)


def _service(options: RunOptions, folder: Path, hardware: app.Hardware) -> Service:
    service = Service(
        folder,
        number_max=max(options.game.rules.get("layout", (0,))),
        start_us=options.started_us,
        people=_people(options),
        game=options.game.board["apparatus"],
        lines=[name for name, _ in options.game.board["inputs"]],
        levels=hardware.levels,
        wheel_us=hardware.edges.now_us,
        driven=app.is_driven(options.game.board, options.config),
        croupiers=options.config.health_croupiers,
    )
    _leave(options, folder)
    return service


def _service_elsewhere(
    options: RunOptions, hardware: app.Hardware, stack: contextlib.ExitStack
) -> Service:
    """A second virtual wheel may play beside the first: with sockets in a folder of its own."""
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cylindre-"))
    try:
        service = _service(options, Path(folder), hardware)
    except ServiceError as error:
        raise Failure(FAILED, str(error)) from error
    text = Message(
        "No sockets can be made in {sockets}: they lie in {folder}.",
        sockets=options.sockets,
        folder=folder,
    )
    click.echo(translated(text), err=True)
    return service


def _people(options: RunOptions) -> People | None:
    """Returns who knows the PINs. A file that is there must be sound; one may be made later."""
    path = options.people
    if path is None:
        return None
    try:
        people.load(path)
    except FileNotFoundError:
        if options.config.undetected == PEOPLE and not _has_keys(options):
            text = Message(
                "Nobody can enter a number yet: {path} is missing. See cylindre people --help.",
                path=path,
            )
            click.echo(translated(text), err=True)
    except PeopleError as error:
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error
    return People(path)


def settle_undetected(options: RunOptions) -> Config:
    """Returns the configuration, where it leaves that open with what becomes of undetected numbers.

    French arrêté of 14 May 2007, art. 67-5: the people enter them, where somebody can. Says which.
    """
    config = options.config
    if config.undetected is None:
        config = replace(config, undetected=PEOPLE if _can_enter(options) else VOID)
    become = N_("the people enter them") if config.undetected == PEOPLE else N_("void")
    text = Message("Numbers that are not detected: {become}.", become=Message(become))
    click.echo(translated(text), err=True)
    return config


def _can_enter(options: RunOptions) -> bool:
    """True with keys on the board, or a croupier and a member of the management in the file."""
    if _has_keys(options):
        return True
    if options.people is None or not options.people.exists():
        return False
    return {CROUPIER, MANAGEMENT} <= {person.role for person in people.load(options.people)}


def _has_keys(options: RunOptions) -> bool:
    return CROUPIERS_KEY in dict(options.game.board["inputs"])


def open_slow_sensors(
    options: RunOptions, hardware: app.Hardware, stack: contextlib.ExitStack
) -> SlowSensors | None:
    """Returns who looks after level and clock, where the board has them. Raises Failure."""
    try:
        sensors = app.slow_sensors(options.game.board, options.config, hardware.machine)
    except OSError as error:
        raise Failure(NO_DEVICE, sentence(error)) from error
    if sensors is not None:
        stack.callback(sensors.close)
    return sensors


def open_watchdog(
    config: Config, hardware: app.Hardware, journal: Journal
) -> app.LoopWatchdog | None:
    """Returns the hardware watchdog, where the house wants it. Raises Failure."""
    if not config.watchdog_s:
        return None
    try:
        return app.watchdog(hardware.machine, config.watchdog_s, journal)
    except OSError as error:
        raise Failure(NO_DEVICE, sentence(error)) from error
