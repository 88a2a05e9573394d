"""A keyboard as Linux reads it: /dev/input/event*, ours alone (linux/input.h)."""

import errno
import fcntl
import os
import struct
import time
from collections.abc import Callable
from typing import Any

from firmware.lib.errors import NO_DEVICE, Failure
from firmware.lib.language import Message
from firmware.lib.serial_line import LineLostError

_EVIOCGRAB = 0x40044590  # _IOW('E', 0x90, int): no console types what the croupier presses
_EVIOCSCLOCKID = 0x400445A0  # _IOW('E', 0xa0, int): which clock stamps the events
_EVIOCGID = 0x80084502  # _IOR('E', 0x02, struct input_id): bus, vendor, product, version
_EVIOCGNAME = 0x81004506  # _IOC(_IOC_READ, 'E', 0x06, 256)
_READ_MAX = 64 * 24  # as many events as evdev holds for one reader


class InputDevice:
    """One keyboard, non-blocking. drivers/croupier_keyboard.py knows what its bytes mean."""

    def __init__(self, path: str, ioctl: Callable[..., Any] = fcntl.ioctl) -> None:
        """Opens nothing yet."""
        self._path = path
        self._ioctl = ioctl
        self._fd: int | None = None
        self._is: Any = None  # what the kernel says of the device that was opened first

    @property
    def is_open(self) -> bool:
        """Returns whether there is something to read from."""
        return self._fd is not None

    def fileno(self) -> int:
        """Returns the descriptor for `select`; only while open."""
        assert self._fd is not None
        return self._fd

    def open(self) -> None:
        """Opens it, has it stamp with the monotonic clock. Raises Failure(NO_DEVICE) if it cannot.

        A key or switch that is down already counts once it was up. Numbers go to devices as they
        are plugged in: one that is another than before is refused.
        """
        try:
            self._fd = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            found = [self._ioctl(self._fd, _EVIOCGID, bytes(8))]
            found.append(self._ioctl(self._fd, _EVIOCGNAME, bytes(256)))
            self._is = self._is or found
            if found != self._is:
                self.close()
                raise Failure(
                    NO_DEVICE, Message("{path} is another device than before.", path=self._path)
                )
            self._ioctl(self._fd, _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
            self._ioctl(self._fd, _EVIOCGRAB, 1)
        except OSError as error:
            self.close()
            raise Failure(NO_DEVICE, self._why(error)) from None

    def read(self) -> bytes:
        """Returns the bytes that came, perhaps none.

        Closes it and raises LineLostError where it has gone.
        """
        assert self._fd is not None
        try:
            return os.read(self._fd, _READ_MAX)
        except BlockingIOError:
            return b""
        except OSError:
            self.close()
            raise LineLostError(self._path) from None

    def close(self) -> None:
        """Gives it back, however it is."""
        fd, self._fd = self._fd, None
        if fd is not None:
            os.close(fd)

    def _why(self, error: OSError) -> str:
        if error.errno == errno.EACCES:
            return Message("{path} is not yours to read: join its group (input).", path=self._path)
        if error.errno == errno.EBUSY:
            return Message(
                "{path} is in use: stop the program that has it, or give another keyboard.",
                path=self._path,
            )
        return Message(
            "{path} is no keyboard that can be read: plug it in, or give another.", path=self._path
        )
