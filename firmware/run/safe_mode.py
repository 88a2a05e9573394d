"""Safe mode: the controller does not come up, so the displays are told that the wheel is out of
service, and whoever looks after it may log in (safe_desk.py). No line of the wheel is opened: no
coup, no motor.

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
from firmware.core import faults
from firmware.keys import folder as keys
from firmware.lib.errors import CONFIGURATION, INTERRUPTED, NO_DEVICE, Failure, sentence
from firmware.lib.language import N_, Message
from firmware.lib.signals import handled
from firmware.run import app, sd_notify
from firmware.run.bus_line import tty_opener
from firmware.run.safe_desk import OUT_OF_SERVICE, SafeDesk, Say
from firmware.shims.boottime import boot_us
from firmware.shims.linux import tty

OpenDesk = Callable[[contextlib.ExitStack], SafeDesk]
_AGAIN_US = 10_000_000  # between two looks for a line that is not there


def keep_safe(
    config: Config,
    board: dict[str, Any],
    folder: Path,
    port: str | None,
    say: Say,
    open_desk: OpenDesk | None = None,
) -> None:
    """Tells the displays, until a signal comes. Raises Failure, exit 130 for SIGINT.

    `folder`: of the keys; `port`: of the line, where the board has none of its own. `say`: takes a
    kind, a sentence, and what else a program wants to know. `open_desk`: opens what answers at the
    sockets; with it a wheel without a line to displays is kept safe, too, and where it cannot be
    opened the displays are told all the same.
    """
    stopped = threading.Event()
    caught: set[int] = set()

    def stop(number: int, _: object) -> None:
        caught.add(number)
        stopped.set()

    manager = sd_notify.manager(os.environ)
    with (
        handled(stop, signal.SIGINT, signal.SIGTERM, signal.SIGHUP),
        contextlib.ExitStack() as stack,
    ):
        line = _Line(lambda: _opened_line(config, board, folder, port), say)
        stack.callback(line.close)
        line.open(must=open_desk is None)
        line.poll()  # before the desk, which may take its time or not come at all
        desk = None
        if open_desk is not None:
            desk = _opened_desk(open_desk, stack, say, must=not line.is_open)
        if desk is not None:
            desk.line_parts = line.parts
        if manager is not None:
            manager.notify("READY=1", "STATUS=out of service")
        while not stopped.wait(LOOP_US / 1e6):
            line.poll()
            if desk is not None:
                desk.poll()
            if manager is not None:
                manager.feed()
    if signal.SIGINT in caught:
        raise Failure(INTERRUPTED, N_("Interrupted: the displays are told nothing, and turn dark."))


def _opened_desk(
    open_desk: OpenDesk, stack: contextlib.ExitStack, say: Say, *, must: bool
) -> SafeDesk | None:
    """Opens it; where it cannot be, says why. Raises Failure where it `must` be there."""
    with contextlib.ExitStack() as opened:
        try:
            desk = open_desk(opened)
        except Failure as failure:
            if must:
                raise
            say("no_desk", failure.sentence, {})
            return None
        stack.push(opened.pop_all())
    return desk


class _Line:
    """The line to the displays, which there may be none of: then it is looked for again."""

    def __init__(self, opened: Callable[[], app.DisplayLine], say: Say) -> None:
        self._opened = opened
        self._say = say
        self._line: app.DisplayLine | None = None
        self._again_us = 0
        self._told = ""

    @property
    def is_open(self) -> bool:
        """Returns whether there is one."""
        return self._line is not None

    def open(self, *, must: bool) -> None:
        """Opens it; says why not, once. Raises Failure where it `must` be there."""
        self._again_us = boot_us() + _AGAIN_US
        try:
            self._line = self._opened()
        except Failure as failure:
            if must:
                raise
            if failure.sentence != self._told:
                self._say("no_line", failure.sentence, {})
            self._told = failure.sentence
            return
        path = self.parts()["line"]["port"]
        text = Message("The wheel is out of service; the displays at {path} are told.", path=path)
        self._say("out_of_service", text, {"port": path})
        self._line.show_view(OUT_OF_SERVICE)

    def poll(self) -> None:
        """Tells the displays what is due, and says what is newly wrong."""
        if self._line is not None:
            _poll(self._line, self._say)
        elif boot_us() >= self._again_us:
            self.open(must=False)

    def parts(self) -> dict[str, Any]:
        """Returns the line and its displays, for a technician."""
        return {} if self._line is None else self._line.parts()

    def close(self) -> None:
        """Gives the port back."""
        if self._line is not None:
            self._line.close()


def _poll(line: app.DisplayLine, say: Say) -> None:
    lost = line.poll(boot_us())
    if lost is not None:
        text = Message("{lost} It is opened again as soon as it is back.", lost=lost)
        say("line_lost", text, {})
    for trouble in line.troubles():
        told = {"code": trouble.code, "detail": trouble.detail}
        say("fault", Message("Display: {code} {detail}", **told), told)
    for ended in line.ended():
        told = {"code": ended.code, "detail": ended.detail}
        say("fault_ended", Message(faults.end(**told) or ""), told)


def _opened_line(
    config: Config, board: dict[str, Any], folder: Path, port: str | None
) -> app.DisplayLine:
    path = port or displays_port(board, config)
    if path is None:
        raise Failure(
            CONFIGURATION,
            N_(
                "There is no line to tell displays by: give --port, or [bus] port in the"
                " configuration."
            ),
        )
    return _line(config, board, folder, path)


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
        raise Failure(NO_DEVICE, sentence(error)) from None
    return app.DisplayLine(TableLine(display_host), Rs485Port(tty_opener(path, baud)), path)
