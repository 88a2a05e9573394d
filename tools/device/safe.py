"""Safe mode: the controller does not come up, so the displays are told that the wheel is out of
service. Nothing of the wheel is opened but their line: no coup, no record, no motor.

A display believes this by its own key alone. No number is shown: there is no record to name.
"""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import click

from boards import raspberry
from drivers.rs485 import Rs485Port
from firmware import app
from firmware.bus import record
from firmware.bus.line import TableLine
from firmware.bus.sender import Talker
from firmware.bus.slots import LOOP_US
from firmware.config import BAUD, Config
from firmware.core.coup import SERVICE
from firmware.core.facts import UNKNOWN, View
from firmware.shims.boottime import boot_us
from firmware.shims.linux import tty
from tools import keys
from tools.device import notify
from tools.exits import CONFIGURATION, NO_DEVICE, Failure

OUT_OF_SERVICE = View(SERVICE, 0, 0, UNKNOWN, None, None, None)


def keep_safe(config: Config, board: dict[str, Any], folder: Path, port: str | None) -> None:
    """Tells the displays, until a signal comes. Raises Failure.

    `folder`: of the keys; `port`: of the line, where the board has none of its own.
    """
    path = port or config.port or _own_port(board)
    line = _line(config, board, folder, path)
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopped.set())
    manager = notify.manager(os.environ)
    click.echo(f"The wheel is out of service; the displays at {path} are told.", err=True)
    try:
        line.show(OUT_OF_SERVICE)
        if manager is not None:
            manager.tell("READY=1", "STATUS=out of service")
        while not stopped.wait(LOOP_US / 1e6):
            lost = line.poll(boot_us())
            if lost is not None:
                click.echo(f"{lost} It is opened again as soon as it is back.", err=True)
            for trouble in line.take():
                click.echo(f"Display: {trouble.code} {trouble.detail}", err=True)
            if manager is not None:
                manager.feed()
    finally:
        line.close()


def _own_port(board: dict[str, Any]) -> str:
    """The path of the port that the board's file names for the displays. Raises Failure."""
    if board["provider"] == "pi" and "displays" in board["buses"]:
        number = board["buses"]["displays"][1]
        for known, path, _ in raspberry.MODELS[board["model"]]["uarts"]:
            if known == number:
                return str(path)
    text = "There is no line to tell displays by: give --port, or [bus] port in the configuration."
    raise Failure(CONFIGURATION, text)


def _line(config: Config, board: dict[str, Any], folder: Path, path: str) -> app.DisplayLine:
    baud = config.baud or BAUD
    displays = keys.read_displays(folder, config.displays)
    if not displays:
        text = f"No display has a key in {folder}: none can be told. See cylindre provision --help."
        raise Failure(CONFIGURATION, text)
    try:
        talker = Talker(
            int.from_bytes(os.urandom(8)),
            displays,
            lambda seq: None,
            game=board["apparatus"],
            epoch=keys.read_epoch(folder),
            kid=record.key_id(keys.read_root(folder)),
            baud=baud,
        )
    except ValueError as error:
        raise Failure(CONFIGURATION, f"[bus] displays: {error}") from None
    try:
        tty(path, baud).deinit()
    except OSError as error:
        raise Failure(NO_DEVICE, error.strerror or str(error)) from None
    return app.DisplayLine(TableLine(talker), Rs485Port(lambda: tty(path, baud)), path)
