"""The line to displays and terminals, as `cylindre run` opens it. What cannot be is a Failure."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import click

from firmware.bus.terminal_host import TerminalHost
from firmware.config import BAUD
from firmware.config.keys import AT_TERMINALS
from firmware.keys.folder import read_displays, read_private, read_terminals
from firmware.keys.players import read_players
from firmware.keys.rotation import public_keys
from firmware.lib.errors import CONFIGURATION, FAILED, NO_DEVICE, Failure, sentence
from firmware.lib.language import N_, Message, translated
from firmware.lib.places import comes_back
from firmware.run import app
from firmware.run.parts import RunOptions
from firmware.run.recorder_tap import WayOut
from firmware.shims.linux import tty
from firmware.shims.machine import UART
from firmware.stakes.answers import REGULATION
from firmware.stakes.book import Book
from firmware.stakes.seal import SAME_GAME, BrokenSeal
from firmware.store import receipts
from firmware.store.journal import Journal, JournalError
from firmware.store.reader import accounts, epochs
from rules.limits import WrongInput


def way_out(options: RunOptions, hardware: app.Hardware) -> WayOut | None:
    """Returns what opens the line to the displays, and its name; None where there is no line.

    Without a port named, a real board uses the UART that its file names for the displays. It is
    tried once now: a port that is missing at the start is a mistake, later it is waited for.
    """
    port = options.port
    baud = options.config.baud or BAUD
    trial: Callable[[], Any]
    opener: Callable[[], Any]
    if port is not None:
        trial, opener, name = partial(tty, port, baud), tty_opener(port, baud), port
    elif "displays" in options.game.board["buses"]:
        number = options.game.board["buses"]["displays"][1]
        trial = opener = partial(hardware.machine.UART, number, baud)
        name = f"UART {number}"
    else:
        return None
    try:
        trial().deinit()
    except OSError as error:
        text = Message(
            "{sentence} Plug it in, or name another with --port.", sentence=Message(sentence(error))
        )
        raise Failure(NO_DEVICE, text) from error
    return opener, name


def tty_opener(port: str, baud: int) -> Callable[[], UART]:
    """Returns what opens `tty(port, baud)`, and again when it was lost, if it `comes_back`."""
    was_opened = False

    def open_it() -> UART:
        nonlocal was_opened
        if was_opened and not comes_back(port):
            raise FileNotFoundError(errno.ENOENT, f"Serial port {port} has hung up for good.")
        uart = tty(port, baud)
        was_opened = True
        return uart

    return open_it


class Terminals(NamedTuple):
    """Of a wheel or a card table: who keeps their stakes, and who talks with them."""

    book: Any  # a Book, or a CardBook of firmware/stakes/card_book.py
    host: TerminalHost


# Takes the terminals' addresses and what a book is to know of money; returns the book.
BookMaker = Callable[[tuple[int, ...], dict[str, Any]], Any]


def open_displays(options: RunOptions, has_line: bool) -> dict[int, bytes]:
    """Returns the keys of the displays on the line, by address. Raises Failure."""
    if not has_line:
        return {}
    found = read_displays(options.keys, options.config.displays)
    if not found:
        text = Message(
            "No display has a key in {keys}: none can show anything."
            " See cylindre provision --help.",
            keys=options.keys,
        )
        click.echo(translated(text), err=True)
    return found


def open_terminals(
    options: RunOptions,
    has_line: bool,
    journal: Journal,
    displays: int,
    make_book: BookMaker | None = None,
    host_of: Callable[..., TerminalHost] = TerminalHost,
) -> Terminals | None:
    """Opens the stakes and the talk with terminals, where the configuration has stakes.

    `displays`: how many share the line. `make_book`: None for a wheel's; `host_of`: what talks with
    them, a CardTerminalHost at a card table.

    Raises Failure.
    """
    config = options.config
    if config.stakes_minimum_cents is None:
        others = (config.terminals, config.maxima, config.stakes_table_minimum_cents)
        season = config.season or config.season_from or config.season_to
        if others != (None, None, None) or season or config.orphelins:
            text = Message("[stakes] minimum_cents is missing: nothing else of it holds without.")
            raise Failure(CONFIGURATION, text)
        return None
    keys = read_terminals(options.keys, config.terminals)
    if not keys:
        return None  # a table with a croupier: its limits hold, its stakes are chips
    if not has_line:
        raise Failure(CONFIGURATION, N_("[stakes] wants a line to the terminals: give --port."))
    try:
        make = make_book or _wheels_book(options, journal)
        book = make(tuple(keys), _money(options, journal))
        host = host_of(_session(), keys, book, baud=config.baud or BAUD, displays=displays)
    except WrongInput as error:
        raise Failure(
            CONFIGURATION, Message("[stakes] {sentence}", sentence=Message(error.sentence))
        ) from error
    except ValueError as error:
        raise Failure(
            CONFIGURATION, Message("[stakes] terminals: {error}", error=Message(str(error)))
        ) from error
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    except BrokenSeal as error:
        text = Message(
            "{journal}: {sentence} Keep it for inspection; start a new journal.",
            journal=options.journal,
            sentence=Message(error.sentence),
        )
        raise Failure(FAILED, text) from error
    return Terminals(book, host)


def _wheels_book(options: RunOptions, journal: Journal) -> BookMaker:
    def make(terminals: tuple[int, ...], money: dict[str, Any]) -> Book:
        return app.stakes_book(
            options.game,
            options.config,
            terminals,
            journal.restart_state,
            journal.stakes,
            relaunch=_relaunch(options),
            **money,
        )

    return make


def _money(options: RunOptions, journal: Journal) -> dict[str, Any]:
    """Returns what the book is to know of money; nothing where no stake is taken (art. 62).

    A virtual board's terminals have simulated acceptors, so that it plays by itself. Raises
    Failure, JournalError.
    """
    put_in = options.config.put_in
    if put_in is None and options.game.board["provider"] == "virtual":
        put_in = AT_TERMINALS
    if put_in is None:
        text = Message(
            "[money] is not there: terminals take no stake (art. 62). See put_in in cylindre config"
            " explain."
        )
        click.echo(translated(text), err=True)
        return {}
    money = accounts(journal.path)
    known = {one.n: (one.player, one.key) for one in money.all()}
    return {
        "money": money,
        "keys": {n: kept.key for n, kept in read_players(options.keys, known).items()},
        "put_in": put_in == AT_TERMINALS,
    }


def receipt_reader(
    options: RunOptions, journal: Journal
) -> Callable[[str], tuple[int, int, int] | str]:
    """Returns what reads receipts: of every epoch that the journal has. Never raises."""
    read = receipts.reader(lambda: public_keys(options.keys), lambda: epochs(journal.path))

    def read_or_say(text: str) -> tuple[int, int, int] | str:
        try:
            return read(text)
        except (Failure, JournalError) as error:
            return str(error).rstrip(".")

    return read_or_say


def _relaunch(options: RunOptions) -> bool:
    """Returns whether a throw that a foreign object makes void is made again in the same game."""
    chosen = options.config.relaunch
    if chosen is None:
        return bool(options.game.rules["regulation"] == REGULATION)
    return chosen == SAME_GAME


def receipt_signer(options: RunOptions, journal: Journal) -> Callable[[dict[str, Any]], str]:
    """Returns what signs the receipt of a payout. Its key is read anew: it may be rotated."""

    def sign(body: dict[str, Any]) -> str:
        return receipts.sign(
            read_private(options.keys),
            wheel=options.config.wheel_id,
            epoch=journal.epoch,
            body=body,
        )

    return sign


def open_line(
    way_out: WayOut | None,
    options: RunOptions,
    journal: Journal,
    stack: contextlib.ExitStack,
    *,
    displays: dict[int, bytes],
    terminals: Terminals | None,
) -> app.DisplayLine | None:
    """Returns the line to displays and terminals, where there is one. Raises Failure."""
    if way_out is None:
        return None
    try:
        line = app.display_line(
            *way_out,
            game=options.game,
            config=options.config,
            journal=journal,
            displays=displays,
            host=None if terminals is None else terminals.host,
            session=_session(),
        )
    except ValueError as error:
        raise Failure(
            CONFIGURATION, Message("[bus] displays: {error}", error=Message(str(error)))
        ) from error
    stack.callback(line.close)
    return line


def _session() -> int:
    """Another number at each start, which nobody can foresee."""
    return int.from_bytes(os.urandom(8))
