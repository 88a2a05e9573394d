"""`cylindre run` at a card table: opens shoe, keyboard, journal and displays, plays, closes it all.

As firmware/run/play.py for a wheel: whatever cannot be opened is a Failure before a card is drawn.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import click

from drivers.shoe_serial import ShoeSerial
from firmware.bus.card_terminal_host import CardTerminalHost
from firmware.bus.slots import CARD_LOOP_US
from firmware.config import BAUD, Config
from firmware.config.card_game import open_card_table
from firmware.config.keys import HAND
from firmware.core.cards.facts import (
    BARCODE,
    PEOPLE,
    SHOE,
    CardView,
    Release,
    RoundResult,
    RoundStarted,
    RoundVoid,
)
from firmware.core.cards.house import CardHouse
from firmware.core.cards.table import CardTable
from firmware.keys.folder import ensure_wheel, read_shoe
from firmware.lib.errors import (
    FAILED,
    INTERRUPTED,
    NO_DEVICE,
    OK,
    Failure,
    sentence,
    unwritten_output,
)
from firmware.lib.language import N_, Message, translated
from firmware.loop import Loop, Ports
from firmware.ports import FactListener
from firmware.run import app, journald, sd_notify
from firmware.run.bus_line import (
    open_displays,
    open_line,
    open_terminals,
    receipt_reader,
    receipt_signer,
    tty_opener,
    way_out,
)
from firmware.run.card_core import CardCore
from firmware.run.card_terminals import PlayedAtTerminals, card_book_of
from firmware.run.device_port import DevicePort
from firmware.run.ending import Since, caught_signals, check_recorded
from firmware.run.keyboard_port import KeyboardPort
from firmware.run.open_journal import open_journal, state_software
from firmware.run.parts import RunOptions, open_service, open_watchdog
from firmware.run.players_keeper import PlayersKeeper
from firmware.run.printer import Printer
from firmware.run.reader_port import BarcodePort, CardKeysPort
from firmware.run.shoe_port import ReleaseLine, ShoePort
from firmware.store import card_recall


class CardHardware(NamedTuple):
    """What a card table's machine brings. `open_shoe` gives the UART of the shoe, again and again;
    None: something else names the cards. `listeners`: keys for the cards; at a virtual table the
    hand that obeys the guide.

    Keyboard, barcode reader and keys are among `hardware.event_sources`.
    """

    hardware: app.Hardware
    name: str
    open_shoe: Callable[[], Any] | None
    listeners: Sequence[FactListener] = ()


def _open(options: RunOptions, stack: contextlib.ExitStack) -> CardHardware:
    if options.game.board["provider"] != "virtual":
        return open_real(options, stack)
    assert options.virtual_table is not None
    return options.virtual_table(options, stack)


def open_real(options: RunOptions, stack: contextlib.ExitStack) -> CardHardware:
    """Returns the machine of a real board, what names its cards, and its keyboard. Raises
    Failure.
    """
    from firmware.shims.pi import open_machine

    board = options.game.board
    try:
        machine = open_machine(board)
    except OSError as error:
        raise Failure(NO_DEVICE, sentence(error)) from error
    stack.callback(machine.close)
    own_shoe = partial(machine.UART, board["buses"]["shoe"][1], BAUD)
    parts = open_parts(options, machine.edges.now_us, own_shoe, stack)
    found = app.Hardware(machine, machine.edges, machine.edges.initial_levels, parts.ports)
    return CardHardware(found, board["title"], parts.open_shoe, parts.listeners)


class Parts(NamedTuple):
    """What is on a table, at ports of its own: as in CardHardware."""

    ports: tuple[DevicePort, ...]
    open_shoe: Callable[[], Any] | None
    listeners: Sequence[FactListener]


def open_parts(
    options: RunOptions,
    now_us: Callable[[], int],
    own_shoe: Callable[[], Any] | None,
    stack: contextlib.ExitStack,
) -> Parts:
    """Opens the croupier's keyboard and what names the cards, where [cards] says. Raises Failure.

    `own_shoe`: opens the board's own UART, for a shoe that has no other port.
    """
    config = options.config
    assert config.keyboard is not None
    ports: list[DevicePort] = [KeyboardPort(config.keyboard, now_us)]
    listeners: list[FactListener] = []
    decks = open_card_table(options.game, config).decks
    opener: Callable[[], Any] | None = None
    if config.reader == BARCODE:
        assert config.barcode is not None
        ports.append(BarcodePort(config.barcode, now_us, decks))
    elif config.reader == SHOE:
        opener = own_shoe if config.shoe is None else tty_opener(config.shoe, BAUD)
    if config.card_keys is not None:
        keys = CardKeysPort(config.card_keys, now_us, decks if config.reader == HAND else None)
        ports.append(keys)
        listeners.append(keys)
    for port in ports:
        port.open()
        stack.callback(port.close)
    return Parts(tuple(ports), None if opener is None else _opened(opener), listeners)


def _opened(opener: Callable[[], Any]) -> Callable[[], Any]:
    """Opens a UART now; returns what gives it, and each time after another. Raises Failure."""
    try:
        first = [opener()]
    except OSError as error:
        raise Failure(NO_DEVICE, sentence(error)) from error
    return lambda: first.pop() if first else opener()


class _Told:
    """Passes on what is told, and no order or view."""

    def __init__(self, listener: FactListener) -> None:
        self._listener = listener

    def take_fact(self, fact: Any) -> None:
        if type(fact) not in (CardView, Release):
            self._listener.take_fact(fact)


class _Displays:
    """Gives the line to the displays what lies on the table."""

    def __init__(self, line: app.DisplayLine) -> None:
        self._line = line

    def take_fact(self, fact: Any) -> None:
        if type(fact) is CardView:
            self._line.show_cards(fact)


def _displays(line: app.DisplayLine | None, displays: int) -> tuple[_Displays, ...]:
    """Returns who shows the cards, where a line has displays; says it where it has no time."""
    if line is None or not displays:
        return ()
    if not line.tells_cards:
        text = N_(
            "The line to the displays has no time for cards: they show states and a dash. Take"
            " fewer displays, or a faster line."
        )
        click.echo(translated(text), err=True)
    return (_Displays(line),)


class RoundCounter:
    """Stops the loop after so many rounds, however they ended."""

    def __init__(self, rounds: int) -> None:
        """`rounds`: 0 for no end."""
        self._left = rounds
        self._begun = False
        self.stop: Callable[[], None] = lambda: None

    def take_fact(self, fact: Any) -> None:
        """Counts results and voids of rounds that began here."""
        if isinstance(fact, RoundStarted):
            self._begun = True
        elif self._begun and isinstance(fact, RoundResult | RoundVoid):
            self._left -= 1
            if self._left == 0:
                self.stop()


def house_of(config: Config) -> CardHouse:
    """Returns what the house chooses of a round's course."""
    return CardHouse(
        confirm=config.confirm,
        bets_us=config.bets_us,
        decision_us=config.decision_us,
        insurance_us=config.insurance_us,
        card_us=config.card_us,
        burned=config.burned,
        count_at_change=True,
        reader=PEOPLE if config.reader == HAND else config.reader,
    )


def play_cards(options: RunOptions) -> int:
    """Plays rounds until interrupted or done; returns the exit code. Raises Failure."""
    with contextlib.ExitStack() as stack:
        opened = _open(options, stack)
        return _play(options, opened, stack)


def _play(options: RunOptions, opened: CardHardware, stack: contextlib.ExitStack) -> int:
    game, config, hardware = options.game, options.config, opened.hardware
    now_us = hardware.edges.now_us
    port = way_out(options, hardware)
    if options.own_keys:
        ensure_wheel(options.keys)
    shoe_key = read_shoe(options.keys)
    journal = open_journal(
        game,
        config.wheel_id,
        journal=options.journal,
        folder=options.keys,
        fram=options.fram,
        stack=stack,
    )
    displays = open_displays(options, port is not None)
    limits, restart_state = open_card_table(game, config), card_recall.read(journal.path)
    terminals = open_terminals(
        options,
        port is not None,
        journal,
        len(displays),
        card_book_of(limits, restart_state, config.followers),
        CardTerminalHost,
    )
    line = open_line(port, options, journal, stack, displays=displays, terminals=terminals)
    service = open_service(options, hardware, stack)
    shoe = None
    if opened.open_shoe is not None:
        driver = ShoeSerial(int.from_bytes(os.urandom(8)), now_us(), shoe_key)
        shoe = ShoePort(driver, opened.open_shoe, now_us)
        stack.callback(shoe.close)
    keeper: PlayersKeeper | None = None
    outputs, machine = dict(game.board["outputs"]), hardware.machine
    release = ReleaseLine(machine.Pin(outputs["card_release"], machine.Pin.OUT))
    stack.callback(release.hold)
    book = None if terminals is None else terminals.book
    table = CardTable(limits, restart_state=restart_state, house=house_of(config), book=book)
    counter = RoundCounter(options.coups or 0)
    printer = Printer(options.line, lambda: loop.stop())
    listeners: tuple[FactListener, ...] = (
        counter,
        service,
        *(() if shoe is None else (shoe,)),
        release,
        *_displays(line, len(displays)),
        *opened.listeners,
        _Told(Since(options.started_us, printer)),
    )
    if book is not None and book.money is not None:
        keeper = PlayersKeeper(options.keys, book)
        stack.callback(keeper.close)
        listeners = (*listeners, keeper)
        service.sign_receipt = receipt_signer(options, journal)
        service.read_receipt = receipt_reader(options, journal)
    if (log := journald.log(os.environ)) is not None:
        stack.callback(log.close)
        listeners = (*listeners, log)
    if (manager := sd_notify.manager(os.environ)) is not None:
        stack.callback(manager.close)
    dog = sd_notify.watch(manager, journal, lambda: open_watchdog(config, hardware, journal))
    played = None if book is None else PlayedAtTerminals(book)
    sources = (*hardware.event_sources, shoe, service, journal, line, keeper, played)
    ports = Ports(
        edges=hardware.edges,
        rotor=app.SpeedReportingMotor(app.NoRotor(), service.turns),
        store=journal,
        bus=line,
        event_sources=[source for source in sources if source is not None],
        watchdog=dog,
        view_listeners=(
            app.state_lamps(game.board, hardware.machine),
            service,
            *(() if manager is None else (manager,)),
        ),
        fact_listeners=listeners,
    )
    core = CardCore(table, game.board["inputs"])
    loop = Loop(core, ports, bus_period_us=CARD_LOOP_US)
    counter.stop = loop.stop
    state_software(journal)
    app.freeze_garbage()
    text = Message(
        "Playing at {table}; journal {journal}.", table=opened.name, journal=options.journal
    )
    click.echo(translated(text), err=True)
    with caught_signals(loop) as caught:
        try:
            loop.begin_play()
            loop.run()
            if manager is not None:
                manager.notify("STOPPING=1")
            patience_us = app.FINISH_US if book is None else app.FINISH_TERMINALS_US
            loop.finish(patience_us, lambda: bool(caught), leaves=bool(caught))
        finally:
            printer.close()
    check_recorded(loop, journal)
    if printer.broken is not None:
        text = Message("{} No card counts any more.", unwritten_output(printer.broken))
        raise Failure(FAILED, text)
    if signal.SIGINT in caught:
        raise Failure(INTERRUPTED, N_("Interrupted: no card counts any more."))
    return OK
