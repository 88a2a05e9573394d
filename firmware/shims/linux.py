"""Serial ports, I2C buses and the watchdog of a Linux machine, as firmware.shims.machine asks.

The libraries are imported where a port is opened: a wheel without I2C needs no smbus2.
"""

import errno
import fcntl
import os
import select
import struct
import termios
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from firmware.shims.machine import I2C, UART, Buffer, Dog, I2cBus, SerialPort, UartSettings

_Answer = TypeVar("_Answer")
_BLOCK_MAX = 32  # bytes an SMBus block transfer carries (linux/i2c.h, I2C_SMBUS_BLOCK_MAX)
# Where EEPROMs answer: a quick write there may corrupt an AT24RF08 (i2cdetect(8)).
_READ_PROBED = (range(0x30, 0x38), range(0x50, 0x60))
_WDIOC_SETTIMEOUT = 0xC0045706  # linux/watchdog.h: _IOWR('W', 6, int), seconds


def tty(path: str, baudrate: int = 115_200) -> UART:
    """Returns a serial port by its path, on any Linux machine.

    Raises OSError if it cannot be opened.
    """
    return Ports().uart(path, baudrate)


def i2c(bus: int) -> I2C:
    """Returns the bus /dev/i2c-`bus`, on any Linux machine. Raises OSError with a sentence."""
    return I2C(Ports(), bus)


class Ports:
    """What a Linux machine has besides GPIO. A provider puts its numbers to their paths."""

    def __init__(
        self,
        uart_paths: dict[int, str] | None = None,
        watchdog_path: str = "/dev/watchdog",
        ioctl: Callable[..., Any] = fcntl.ioctl,
    ) -> None:
        """Opens nothing."""
        self._uart_paths = uart_paths or {}
        self._watchdog_path = watchdog_path
        self._ioctl = ioctl

    def open_i2c(self, bus: int, freq_hz: int) -> I2cBus:
        """Bus /dev/i2c-`bus`. Its frequency is the device tree's (dtparam=i2c_arm_baudrate)."""
        return SmbusI2c(bus)

    def open_uart(self, port: int | str, settings: UartSettings) -> SerialPort:
        """Returns a port by the board's number or by path."""
        if isinstance(port, int):
            if port not in self._uart_paths:
                raise OSError(errno.ENODEV, f"This board has no UART {port}.")
            port = self._uart_paths[port]
        return Tty(port, settings)

    def open_wdt(self, timeout_ms: int) -> Dog:
        """Returns the kernel's watchdog."""
        return KernelWatchdog(self._watchdog_path, timeout_ms, self._ioctl)

    def uart(self, path: str, baudrate: int) -> UART:
        """Returns a `machine.UART` at `path`, for a process that is no machine: a display."""
        return UART(self, path, baudrate)


class Tty:
    """A serial port through pyserial; no call waits.

    RS-485 wants a transceiver that turns itself: pyserial's RS-485 mode sleeps.
    """

    def __init__(self, path: str, settings: UartSettings) -> None:
        """Opens it for us alone. Raises OSError with a sentence."""
        import serial

        baudrate, bits, parity, stop = settings
        try:
            self._serial = serial.Serial(
                path,
                baudrate,
                bytesize=bits,
                parity={None: "N", 0: "E", 1: "O"}[parity],
                stopbits=stop,
                timeout=0,
                write_timeout=0,
                exclusive=True,
            )
        except OSError as error:
            number = error.errno or errno.EIO
            why = "another program has it" if number == errno.EAGAIN else _why(number)
            raise OSError(number, f"Serial port {path} cannot be opened: {why}.") from error
        self._path = path

    def read(self, count: int) -> bytes:
        """Reads up to `count` bytes that are here."""
        return bytes(self._guarded(self._serial.read, count)) if count else b""

    def write(self, data: Buffer) -> int:
        """Takes what there is room for. Where there is none, what waits is dropped.

        Otherwise a line that stalls would deliver later what held when it stalled.
        """
        return self._guarded(self._write, data)

    def any(self) -> int:
        """Returns how many bytes are here."""
        return self._guarded(lambda: int(self._serial.in_waiting))

    def close(self) -> None:
        """Gives the port back."""
        self._serial.close()

    def _write(self, data: Buffer) -> int:
        # pyserial spins while a non-blocking port has no room: ask first.
        if not select.select([], [self._serial.fileno()], [], 0)[1]:
            self._serial.reset_output_buffer()
            return 0
        return int(self._serial.write(data) or 0)

    def _guarded(self, call: Callable[..., _Answer], *arguments: object) -> _Answer:
        """The library's errors may lack a number, and a port closed under it raises others."""
        try:
            return call(*arguments)
        except (OSError, TypeError, ValueError, termios.error) as error:
            number = getattr(error, "errno", None) or errno.EIO
            raise OSError(number, f"Serial port {self._path} is gone: {error}") from error


class SmbusI2c:
    """A bus through smbus2.

    Up to 32 bytes go as SMBus I2C-block transfers, which are the same on the wire and which
    i2c-stub knows too; more go as I2C_RDWR. Threads may share it: a transfer is one piece.
    """

    def __init__(self, bus: int) -> None:
        """Raises OSError with a sentence."""
        import smbus2

        # smbus2 sets the address in one call to the kernel and transfers in the next.
        self._lock = threading.Lock()
        self._message: Any = smbus2.i2c_msg
        try:
            self._bus: Any = smbus2.SMBus(bus)
        except OSError as error:
            number = error.errno or errno.EIO
            text = f"I2C bus {bus} cannot be opened: {_why(number)}. Is it enabled (raspi-config)?"
            raise OSError(number, text) from error

    def transfer(self, addr: int, data: bytes, count: int) -> bytes:
        """Writes, then reads. OSError: ENODEV if the device does not answer."""
        try:
            with self._lock:
                if len(data) <= 1 + _BLOCK_MAX * (not count) and count <= _BLOCK_MAX:
                    return self._block(addr, data, count)
                return self._rdwr(addr, data, count)
        except OSError as error:
            # Bus drivers differ in how they say that nobody acknowledged; MicroPython says ENODEV.
            if error.errno in (errno.EREMOTEIO, errno.ENXIO):
                raise OSError(errno.ENODEV, f"No I2C device answers at {addr:#04x}.") from error
            raise

    def probe(self, addr: int) -> bool:
        """Returns whether a device answers; one that a kernel driver has is not ours and does not
        count.
        """
        with self._lock:
            return self._answers(addr)

    def _answers(self, addr: int) -> bool:
        try:
            if not any(addr in span for span in _READ_PROBED):
                try:
                    self._bus.write_quick(addr)
                    return True
                except OSError as error:
                    # The Pi 5's controller cannot send an empty message.
                    if error.errno != errno.EOPNOTSUPP:
                        return False
            self._bus.read_byte(addr)
            return True
        except OSError:
            return False

    def _block(self, addr: int, data: bytes, count: int) -> bytes:
        if count and data:
            return bytes(self._bus.read_i2c_block_data(addr, data[0], count))
        if count == 1:
            return bytes((self._bus.read_byte(addr),))
        if count:
            return self._rdwr(addr, data, count)
        if len(data) > 1:
            self._bus.write_i2c_block_data(addr, data[0], list(data[1:]))
        elif data:
            self._bus.write_byte(addr, data[0])
        else:
            self._bus.write_quick(addr)
        return b""

    def _rdwr(self, addr: int, data: bytes, count: int) -> bytes:
        messages = []
        if data or not count:
            messages.append(self._message.write(addr, list(data)))
        if count:
            messages.append(self._message.read(addr, count))
        self._bus.i2c_rdwr(*messages)
        return bytes(messages[-1]) if count else b""


class KernelWatchdog:
    """/dev/watchdog. It stays armed when the process ends: who restarts it has the time-out."""

    def __init__(self, path: str, timeout_ms: int, ioctl: Callable[..., Any]) -> None:
        """Arms it. The Pi's counts at most 15 s. Raises OSError with a sentence."""
        try:
            self._fd = os.open(path, os.O_WRONLY)
            seconds = -(-timeout_ms // 1000)
            ioctl(self._fd, _WDIOC_SETTIMEOUT, struct.pack("i", seconds))
        except OSError as error:
            number = error.errno or errno.EIO
            text = f"The watchdog {path} cannot be armed: {_why(number)}."
            raise OSError(number, text) from error

    def feed(self) -> None:
        """Feeds it. Any byte but V does."""
        os.write(self._fd, b"\0")


def _why(number: int) -> str:
    return os.strerror(number)
