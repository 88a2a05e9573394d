"""MicroPython's `machine` API for CPython: `Pin`, `PWM`, `I2C`, `UART`, `WDT`.

What MicroPython has as a module is an object here, so that pins are injected and nothing is
global: `machine = VirtualMachine()`, then `machine.Pin(23, machine.Pin.OUT, value=0)` as ever. A
class here takes the lines or ports of its machine first; what the object holds knows them.
The classes hold what MicroPython promises; a provider (firmware.shims.pi, firmware.shims.virtual)
brings the lines and ports. tests/shims/test_machine_conformance.py holds all providers to it.
Source: MicroPython 1.27 documentation, library/machine.*; the constants are those of the rp2 port.
"""

import errno
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Protocol, cast

Buffer = bytes | bytearray | memoryview


class Lines(Protocol):
    """GPIO lines by number."""

    def setup(self, pin: int, mode: int, pull: int | None, value: int | None) -> None:
        """Makes a line an input or output. `pull` of -1 or `value` of None leaves it as it is."""
        ...

    def read(self, pin: int) -> int:
        """Returns the line's level, of an output too."""
        ...

    def write(self, pin: int, level: int) -> None:
        """Sets an output to 0 or 1."""
        ...

    def watch(self, pin: int, call: Callable[[], None] | None, trigger: int) -> None:
        """Calls `call` at edges of an input named by `trigger`; None ends it."""
        ...

    def pwm(self, pin: int, freq_hz: int, duty_u16: int) -> None:
        """Puts a square wave on an output; with `freq_hz` 0 it ends, low."""
        ...


class I2cBus(Protocol):
    """One I2C bus. Raises OSError: ENODEV if nobody answers, EIO or ETIMEDOUT otherwise."""

    def transfer(self, addr: int, data: bytes, count: int) -> bytes:
        """Writes `data` if any, then (repeated start) reads `count` bytes if any."""
        ...

    def probe(self, addr: int) -> bool:
        """Returns whether a device answers at `addr`."""
        ...


class SerialPort(Protocol):
    """One serial port; no call waits. Raises OSError when the port is gone."""

    def read(self, count: int) -> bytes:
        """Reads up to `count` bytes that are here already."""
        ...

    def write(self, data: Buffer) -> int:
        """Takes as many bytes as there is room for; returns how many."""
        ...

    def any(self) -> int:
        """Returns how many bytes may be read now."""
        ...

    def close(self) -> None:
        """Gives the port back. May be called twice."""
        ...


class Dog(Protocol):
    """A running watchdog."""

    def feed(self) -> None:
        """Puts the reset off for another time-out."""
        ...


class Ports(Protocol):
    """What a machine opens by its number."""

    def open_i2c(self, bus: int, freq_hz: int) -> I2cBus:
        """Opens a bus. Raises OSError if the machine has none of that number."""
        ...

    def open_uart(self, port: int | str, settings: "UartSettings") -> SerialPort:
        """Opens a port. Raises OSError if the machine has none of that number or name."""
        ...

    def open_wdt(self, timeout_ms: int) -> Dog:
        """Starts the watchdog. Raises OSError if the machine has none."""
        ...


class Backend(Ports, Protocol):
    """What a provider brings."""

    @property
    def lines(self) -> Lines:
        """Returns the GPIO lines."""
        ...


UartSettings = tuple[int, int, int | None, int]  # baudrate, bits, parity (0 even, 1 odd), stop


_BOTH_EDGES = 4 | 8  # Pin.IRQ_FALLING | Pin.IRQ_RISING


class Pin:
    """A GPIO line."""

    IN: ClassVar[int] = 0
    OUT: ClassVar[int] = 1
    PULL_UP: ClassVar[int] = 1
    PULL_DOWN: ClassVar[int] = 2
    IRQ_FALLING: ClassVar[int] = 4
    IRQ_RISING: ClassVar[int] = 8

    def __init__(
        self,
        lines: Lines,
        id: int,
        mode: int = -1,
        pull: int | None = -1,
        *,
        value: int | None = None,
    ) -> None:
        """Takes line `id`. Without a mode the line stays as it is."""
        self.id = id
        self._lines = lines
        self._read = lines.read
        self._write = lines.write
        if mode != -1:
            self.init(mode, pull, value=value)

    def init(self, mode: int = -1, pull: int | None = -1, *, value: int | None = None) -> None:
        """Sets the line up anew; an output starts at `value`, or keeps its level."""
        level = None if value is None else int(bool(value))
        self._lines.setup(self.id, mode, pull, level)

    def value(self, x: object = None) -> int | None:
        """Returns the level (0 or 1) without an argument; sets the level with one."""
        if x is None:
            return self._read(self.id)
        self._write(self.id, 1 if x else 0)
        return None

    def __call__(self, x: object = None) -> int | None:
        """As `value`."""
        return self.value(x)

    def on(self) -> None:
        """Sets the output high."""
        self._write(self.id, 1)

    def off(self) -> None:
        """Sets the output low."""
        self._write(self.id, 0)

    def irq(
        self,
        handler: Callable[["Pin"], object] | None = None,
        trigger: int = _BOTH_EDGES,
    ) -> None:
        """Calls `handler(pin)` at every edge of `trigger`; None ends it.

        It is called where edges are read (`Edges.read`), in that thread, in order of time. It says
        that an edge came; when it came only the edges say.
        """
        if handler is None:
            self._lines.watch(self.id, None, trigger)
            return
        call = handler  # for mypy: not None inside the lambda
        self._lines.watch(self.id, lambda: cast(None, call(self)), trigger)

    def __repr__(self) -> str:
        """As MicroPython prints it."""
        return f"Pin({self.id})"


class Pins:
    """Makes the pins of one machine, and holds the constants: `machine.Pin`."""

    IN: ClassVar[int] = Pin.IN
    OUT: ClassVar[int] = Pin.OUT
    PULL_UP: ClassVar[int] = Pin.PULL_UP
    PULL_DOWN: ClassVar[int] = Pin.PULL_DOWN
    IRQ_FALLING: ClassVar[int] = Pin.IRQ_FALLING
    IRQ_RISING: ClassVar[int] = Pin.IRQ_RISING

    def __init__(self, lines: Lines) -> None:
        """Takes what they are lines of."""
        self._lines = lines

    def __call__(
        self, id: int, mode: int = -1, pull: int | None = -1, *, value: int | None = None
    ) -> Pin:
        """Returns line `id`. Without a mode it stays as it is."""
        return Pin(self._lines, id, mode, pull, value=value)


class PWM:
    """A square wave on an output."""

    def __init__(self, lines: Lines, dest: Pin, *, freq: int = 1000, duty_u16: int = 0) -> None:
        """Starts at once. `duty_u16` is the high part of 65535."""
        self._lines = lines
        self._pin = dest.id
        self._freq_hz = freq
        self._duty_u16 = duty_u16
        self._lines.setup(self._pin, Pin.OUT, -1, 0)
        self.init(freq=freq, duty_u16=duty_u16)

    def init(self, *, freq: int, duty_u16: int) -> None:
        """Sets both. Raises ValueError outside 1 Hz and up, 0..65535."""
        if freq < 1 or not 0 <= duty_u16 <= 65535:
            raise ValueError(f"PWM wants freq >= 1 and duty_u16 0..65535, not {freq}, {duty_u16}")
        self._freq_hz = freq
        self._duty_u16 = duty_u16
        self._lines.pwm(self._pin, freq, duty_u16)

    def freq(self, value: int | None = None) -> int | None:
        """Returns the frequency in hertz; sets it with an argument."""
        if value is None:
            return self._freq_hz
        self.init(freq=value, duty_u16=self._duty_u16)
        return None

    def duty_u16(self, value: int | None = None) -> int | None:
        """Returns the high part, 0..65535; sets it with an argument."""
        if value is None:
            return self._duty_u16
        self.init(freq=self._freq_hz, duty_u16=value)
        return None

    def deinit(self) -> None:
        """Ends the wave; the line stays low."""
        self._lines.pwm(self._pin, 0, 0)


class I2C:
    """An I2C bus, as controller. Errors are OSError: ENODEV if no device answers."""

    def __init__(
        self,
        ports: Ports,
        id: int,
        *,
        scl: Any = None,
        sda: Any = None,
        freq: int = 400_000,
    ) -> None:
        """Opens bus `id`. A machine whose bus has fixed pins ignores `scl` and `sda`."""
        self._bus = ports.open_i2c(id, freq)

    def scan(self) -> list[int]:
        """Returns the addresses from 0x08 to 0x77 that answer."""
        return [addr for addr in range(0x08, 0x78) if self._bus.probe(addr)]

    def readfrom(self, addr: int, nbytes: int, stop: bool = True) -> bytes:
        """Reads `nbytes` from a device."""
        _want_stop(stop)
        return self._bus.transfer(addr, b"", nbytes)

    def readfrom_into(self, addr: int, buf: bytearray | memoryview, stop: bool = True) -> None:
        """Fills `buf` from a device."""
        buf[:] = self.readfrom(addr, len(buf), stop)

    def writeto(self, addr: int, buf: Buffer, stop: bool = True) -> int:
        """Writes to a device; returns how many bytes it acknowledged."""
        _want_stop(stop)
        self._bus.transfer(addr, bytes(buf), 0)
        return len(buf)

    def writevto(self, addr: int, vector: Sequence[Buffer], stop: bool = True) -> int:
        """Writes several buffers as one message."""
        return self.writeto(addr, b"".join(bytes(part) for part in vector), stop)

    def readfrom_mem(self, addr: int, memaddr: int, nbytes: int, *, addrsize: int = 8) -> bytes:
        """Reads from a device's registers, starting at `memaddr` of `addrsize` bits."""
        return self._bus.transfer(addr, memaddr.to_bytes(addrsize // 8, "big"), nbytes)

    def readfrom_mem_into(
        self, addr: int, memaddr: int, buf: bytearray | memoryview, *, addrsize: int = 8
    ) -> None:
        """Fills `buf` from a device's registers."""
        buf[:] = self.readfrom_mem(addr, memaddr, len(buf), addrsize=addrsize)

    def writeto_mem(self, addr: int, memaddr: int, buf: Buffer, *, addrsize: int = 8) -> None:
        """Writes to a device's registers."""
        self._bus.transfer(addr, memaddr.to_bytes(addrsize // 8, "big") + bytes(buf), 0)


def _want_stop(stop: bool) -> None:
    # i2c-dev ends every message with a stop; what follows would not be the transfer asked for.
    if not stop:
        raise OSError(errno.EOPNOTSUPP, "stop=False: use readfrom_mem for a repeated start")


class UART:
    """A serial port. No call waits. Errors are OSError: the port is gone."""

    def __init__(
        self,
        ports: Ports,
        id: int | str,
        baudrate: int = 9600,
        bits: int = 8,
        parity: int | None = None,
        stop: int = 1,
    ) -> None:
        """Opens port `id` (on Linux a device's path will do). `parity` is 0 even, 1 odd."""
        self._port = ports.open_uart(id, (baudrate, bits, parity, stop))

    def any(self) -> int:
        """Returns how many bytes may be read now."""
        return self._port.any()

    def read(self, nbytes: int | None = None) -> bytes | None:
        """Returns what is here already, at most `nbytes`; None if nothing is."""
        return self._port.read(self._port.any() if nbytes is None else nbytes) or None

    def readinto(self, buf: bytearray | memoryview, nbytes: int | None = None) -> int | None:
        """Reads as `read` does, into `buf`; returns how many bytes came, or None."""
        data = self._port.read(len(buf) if nbytes is None else min(nbytes, len(buf)))
        buf[: len(data)] = data
        return len(data) or None

    def write(self, buf: Buffer) -> int | None:
        """Takes what there is room for; returns how many bytes, or None for none."""
        return self._port.write(buf) or None

    def deinit(self) -> None:
        """Gives the port back."""
        self._port.close()


class WDT:
    """The hardware watchdog. Once started it cannot be stopped."""

    def __init__(self, ports: Ports, id: int = 0, timeout: int = 5000) -> None:
        """Starts it: the machine is reset `timeout` milliseconds after the last `feed`."""
        self._dog = ports.open_wdt(timeout)

    def feed(self) -> None:
        """Puts the reset off."""
        self._dog.feed()


class Machine:
    """The `machine` of one provider: holds what MicroPython's module holds as classes."""

    def __init__(self, backend: Backend) -> None:
        """Binds them to what the provider brings; opens nothing."""
        self.Pin = Pins(backend.lines)
        self.PWM = partial(PWM, backend.lines)
        self.I2C = partial(I2C, backend)
        self.UART = partial(UART, backend)
        self.WDT = partial(WDT, backend)
