"""The serial line of a display or a terminal, which may not be there, or go and come back."""

import contextlib
import errno
import os
import termios

import serial

from firmware.lib.errors import NO_DEVICE, Failure
from firmware.lib.language import Message
from firmware.lib.places import comes_back

# What a read takes at most; a tty holds no more.
_READ_MAX = 4096
# pyserial's SerialException is an OSError; termios.error, which it lets through, is not.
_REFUSALS = (OSError, ValueError, termios.error)


class LineLostError(Exception):
    """The port went away while it was open."""


class Line:
    """One port by pyserial: 8N1, non-blocking, ours alone, opened again as often as needed."""

    def __init__(self, port: str, baud: int) -> None:
        self.port = port
        self.baud = baud
        self._serial: serial.Serial | None = None
        self._name_is_lost = False

    @property
    def is_open(self) -> bool:
        """Returns whether there is something to read from."""
        return self._serial is not None

    def fileno(self) -> int:
        """Returns the descriptor for `select`; only while open."""
        assert self._serial is not None
        return self._serial.fileno()

    def open(self) -> None:
        """Opens the port and forgets what waited in it. Raises Failure(NO_DEVICE) if it cannot."""
        if self._name_is_lost:
            raise Failure(NO_DEVICE, self._why(FileNotFoundError(errno.ENOENT, self.port)))
        try:
            self._serial = serial.Serial(self.port, self.baud, timeout=0, exclusive=True)
        except _REFUSALS as error:
            raise Failure(NO_DEVICE, self._why(error)) from None
        # A USB adapter holds bytes back for 16 ms otherwise; what cannot be hurried is no failure.
        with contextlib.suppress(AttributeError, NotImplementedError, *_REFUSALS):
            self._serial.set_low_latency_mode(True)

    def read(self) -> bytes:
        """Returns the bytes that came, perhaps none.

        Closes the line and raises LineLostError where the port has gone.
        """
        assert self._serial is not None
        try:
            return self._serial.read(_READ_MAX)
        except OSError as error:
            raise self._lost() from error

    def write(self, data: bytes) -> None:
        """Sends a frame, as far as there is room. Raises LineLostError like `read`."""
        assert self._serial is not None
        try:
            os.write(self._serial.fileno(), data)
        except BlockingIOError:
            return  # nobody takes it: what is not sent now is too late
        except OSError as error:
            raise self._lost() from error

    def forget(self) -> None:
        """Throws away what waits to be read. Raises LineLostError like `read`."""
        assert self._serial is not None
        try:
            self._serial.reset_input_buffer()
        except _REFUSALS as error:
            raise self._lost() from error

    def close(self) -> None:
        """Closes the port, however it is."""
        port, self._serial = self._serial, None
        if port is not None:
            port.close()

    def _lost(self) -> LineLostError:
        self.close()
        self._name_is_lost = not comes_back(self.port)
        return LineLostError(self.port)

    def _why(self, error: Exception) -> str:
        number = getattr(error, "errno", None)
        if number == errno.ENOENT:
            return Message(
                "There is no port {port}: plug it in, or name another.",
                port=self.port,
            )
        if number == errno.EACCES:
            return Message(
                "{port} is not yours to open: join its group (often dialout).", port=self.port
            )
        if number == errno.EAGAIN:
            return Message(
                "{port} is in use: stop the program that has it, or give another port.",
                port=self.port,
            )
        return Message("{port} cannot be opened as a serial port: name another.", port=self.port)
