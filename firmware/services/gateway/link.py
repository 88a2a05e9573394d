"""The gateway's two ends: the controller that it asks, and the serial line that it tells."""

import contextlib
import json
import os
import socket
import termios
from pathlib import Path
from typing import Any, NoReturn

from firmware.lib.serial_line import Line, LineLostError

_ASK = b'{"do":"status"}\n'
_READ_MAX = 65_536
_LINE_MAX = 65_536  # no answer is a hundredth of it: what is longer is not from a controller


class LinkLostError(Exception):
    """The controller went away, or what answers is none."""


class Link:
    """One connection to `status.sock`, opened again as often as needed. Never waits."""

    def __init__(self, path: Path) -> None:
        """`path` of the socket. Opens nothing yet."""
        self.path = path
        self._socket: socket.socket | None = None
        self._came = b""
        self._asked_us: int | None = None

    @property
    def is_open(self) -> bool:
        """Returns whether there is something to read from."""
        return self._socket is not None

    @property
    def asked_us(self) -> int | None:
        """Returns when the question was asked that has no answer yet; None if there is none."""
        return self._asked_us

    def fileno(self) -> int:
        """Returns what select waits for; only while open."""
        assert self._socket is not None
        return self._socket.fileno()

    def open(self) -> None:
        """Connects. Raises OSError if nobody is there."""
        self.close()
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            line.setblocking(False)
            line.connect(str(self.path))
        except OSError:
            line.close()
            raise
        self._socket = line

    def ask(self, now_us: int) -> None:
        """Asks, unless an answer is due. Raises LinkLostError, and the link is closed then."""
        assert self._socket is not None
        if self._asked_us is not None:
            return
        try:
            self._socket.sendall(_ASK)
        except OSError as error:  # also a controller that reads nothing: a few bytes always fit
            self._lose(error)
        self._asked_us = now_us

    def read(self) -> tuple[dict[str, Any], int] | None:
        """Returns the status that came and when it was asked for, or None. Raises like `ask`."""
        assert self._socket is not None
        try:
            data = self._socket.recv(_READ_MAX)
        except BlockingIOError:
            return None
        except OSError as error:
            self._lose(error)
        if not data:
            self._lose(None)
        *texts, self._came = (self._came + data).split(b"\n")
        if len(self._came) > _LINE_MAX:
            self._lose(None)
        for text in texts:
            status = self._status(text)
            if status is not None and self._asked_us is not None:
                asked_us, self._asked_us = self._asked_us, None
                return status, asked_us  # one question is out at a time: nothing follows it yet
        return None

    def close(self) -> None:
        """Hangs up, however it stands."""
        line, self._socket = self._socket, None
        self._came = b""
        self._asked_us = None
        if line is not None:
            line.close()

    def _status(self, text: bytes) -> dict[str, Any] | None:
        """Returns the status of a line; None for what the controller tells everybody."""
        try:
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            self._lose(error)
        if not isinstance(told, dict):
            self._lose(None)
        status = told.get("status")
        return status if isinstance(status, dict) else None

    def _lose(self, error: Exception | None) -> NoReturn:
        self.close()
        raise LinkLostError(str(self.path)) from error


BAUD = 9600  # 8N1, no flow control: what those displays are built for
# A line and the answers to two polls, extended. Where more still waits, nothing takes it.
_WAITING_MAX = 120


class Port(Line):
    """A line on which what cannot go now is thrown away whole: nobody is told old news later."""

    def __init__(self, port: str) -> None:
        """Opens nothing yet."""
        super().__init__(port, BAUD)

    def put(self, data: bytes) -> bool:
        """Sends all of `data`; False if the line takes it not, or not whole.

        Raises LineLostError, and the line is closed then.
        """
        assert self._serial is not None
        try:
            if self._serial.out_waiting > _WAITING_MAX:
                self._serial.reset_output_buffer()
                return False
            if os.write(self._serial.fileno(), data) == len(data):
                return True
            self._serial.reset_output_buffer()
        except BlockingIOError:
            with contextlib.suppress(OSError, termios.error):
                self._serial.reset_output_buffer()
        except (OSError, termios.error) as error:
            self.close()
            raise LineLostError(self.port) from error
        return False
