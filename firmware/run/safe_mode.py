"""Safe mode: the controller does not come up, so the displays are told that the wheel is out of
service. Nothing of the wheel is opened but their line: no coup, no record, no motor.

A display believes this by its own key alone. No number is shown: there is no record to name.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drivers.rs485 import Rs485Port
from firmware.bus import record
from firmware.bus.display_host import DisplayHost
from firmware.bus.line import TableLine
from firmware.bus.slots import LOOP_US
from firmware.config import BAUD, Config
from firmware.config.this_wheel import displays_port
from firmware.core.coup.states import SERVICE
from firmware.core.facts import UNKNOWN, View
from firmware.keys import folder as keys
from firmware.lib.errors import CONFIGURATION, INTERRUPTED, NO_DEVICE, Failure
from firmware.lib.language import N_, Message
from firmware.lib.signals import handled
from firmware.run import app, sd_notify
from firmware.shims.boottime import boot_us
from firmware.shims.linux import tty

Say = Callable[[str, str, dict[str, Any]], None]
OUT_OF_SERVICE = View(SERVICE, 0, 0, UNKNOWN, None, None, None)


def keep_safe(
    config: Config, board: dict[str, Any], folder: Path, port: str | None, say: Say
) -> None:
    """Tells the displays, until a signal comes. Raises Failure, exit 130 for SIGINT.

    `folder`: of the keys; `port`: of the line, where the board has none of its own. `say`: takes a
    kind, a sentence, and what else a program wants to know.
    """
    path = port or displays_port(board, config)
    if path is None:
        raise Failure(
            CONFIGURATION,
            N_(
                "There is no line to tell displays by: give --port, or [bus] port in the"
                " configuration."
            ),
        )
    line = _line(config, board, folder, path)
    stopped = threading.Event()
    caught: set[int] = set()

    def stop(number: int, _: object) -> None:
        caught.add(number)
        stopped.set()

    manager = sd_notify.manager(os.environ)
    text = Message("The wheel is out of service; the displays at {path} are told.", path=path)
    with handled(stop, signal.SIGINT, signal.SIGTERM, signal.SIGHUP), contextlib.closing(line):
        say("out_of_service", text, {"port": path})
        line.show_view(OUT_OF_SERVICE)
        if manager is not None:
            manager.notify("READY=1", "STATUS=out of service")
        while not stopped.wait(LOOP_US / 1e6):
            lost = line.poll(boot_us())
            if lost is not None:
                say(
                    "line_lost",
                    Message("{lost} It is opened again as soon as it is back.", lost=lost),
                    {},
                )
            for trouble in line.troubles():
                told = {"code": trouble.code, "detail": trouble.detail}
                say(
                    "fault",
                    Message("Display: {code} {detail}", code=trouble.code, detail=trouble.detail),
                    told,
                )
            if manager is not None:
                manager.feed()
    if signal.SIGINT in caught:
        raise Failure(INTERRUPTED, N_("Interrupted: the displays are told nothing, and turn dark."))


def _line(config: Config, board: dict[str, Any], folder: Path, path: str) -> app.DisplayLine:
    baud = config.baud or BAUD
    displays = keys.read_displays(folder, config.displays)
    if not displays:
        text = Message(
            "No display has a key in {folder}: none can be told. See cylindre provision --help.",
            folder=folder,
        )
        raise Failure(CONFIGURATION, text)
    try:
        display_host = DisplayHost(
            int.from_bytes(os.urandom(8)),
            displays,
            lambda seq: None,
            game=board["apparatus"],
            epoch=keys.read_epoch(folder),
            kid=record.key_id(keys.read_root(folder)),
            baud=baud,
        )
    except ValueError as error:
        raise Failure(
            CONFIGURATION, Message("[bus] displays: {error}", error=Message(str(error)))
        ) from None
    try:
        tty(path, baud).deinit()
    except OSError as error:
        raise Failure(NO_DEVICE, error.strerror or str(error)) from None
    return app.DisplayLine(TableLine(display_host), Rs485Port(lambda: tty(path, baud)), path)
