"""A machine in memory: the `machine` API on one side, the world of the simulator on the other.

    machine = VirtualMachine()
    lamp = machine.Pin(23, machine.Pin.OUT, value=1)    # as firmware does
    machine.level(23)                                   # as the world sees it: 1
    machine.set_input(3, 1)                             # the world moves; irq handlers run now

One thread; nothing here waits or knows the time.
"""

import errno
from collections import defaultdict
from collections.abc import Callable
from typing import Protocol

from firmware.shims.machine import Buffer, Machine, Pin, UartSettings

UART_ROOM = 4096  # bytes a port holds until they are read: what a Linux tty holds


class I2cDevice(Protocol):
    """A chip on a virtual bus."""

    def write(self, data: bytes) -> None:
        """Takes one message of the controller."""
        ...

    def read(self, count: int) -> bytes:
        """Answers a read of `count` bytes."""
        ...


class RegisterDevice:
    """A chip of 8-bit registers with a pointer that moves on by itself, as most are."""

    def __init__(self, registers: bytearray) -> None:
        """Works in `registers`, which the world may change at any time."""
        self.registers = registers
        self._at = 0

    def write(self, data: bytes) -> None:
        """Sets the pointer by the first byte, and writes the others where it points."""
        if data:
            self._at = data[0]
        for byte in data[1:]:
            self.registers[self._at % len(self.registers)] = byte
            self._at += 1

    def read(self, count: int) -> bytes:
        """Reads bytes from the pointer on."""
        begin = self._at % len(self.registers)
        answer = self.registers[begin : begin + count]
        while len(answer) < count:  # round the end
            answer += self.registers[: count - len(answer)]
        self._at += count
        return bytes(answer)


class VirtualPort:
    """One end of a serial line in memory; `uart_pair` makes two."""

    def __init__(self) -> None:
        """Plugged in, with nothing to read."""
        self.far: VirtualPort = self
        self._in = bytearray()
        self._plugged = True

    def read(self, count: int) -> bytes:
        """Reads up to `count` bytes that are here."""
        self._want_plugged()
        data = bytes(self._in[:count])
        del self._in[:count]
        return data

    def write(self, data: Buffer) -> int:
        """Takes what the other end has room for. What is sent to an unplugged end is lost."""
        self._want_plugged()
        if not self.far._plugged:
            return len(data)
        part = bytes(data)[: UART_ROOM - len(self.far._in)]
        self.far._in += part
        return len(part)

    def any(self) -> int:
        """Returns how many bytes are here."""
        self._want_plugged()
        return len(self._in)

    def close(self) -> None:
        """Does nothing: memory has nothing to give back."""

    def unplug(self) -> None:
        """Pulls the adapter out: every call raises OSError until `plug`."""
        self._plugged = False
        self._in.clear()

    def plug(self) -> None:
        """Puts the adapter back."""
        self._plugged = True

    @property
    def plugged(self) -> bool:
        """Returns whether the port is there."""
        return self._plugged

    def _want_plugged(self) -> None:
        if not self._plugged:
            raise OSError(errno.EIO, "the virtual port is unplugged")


def uart_pair() -> tuple[VirtualPort, VirtualPort]:
    """Returns two ends of one serial line."""
    near, far = VirtualPort(), VirtualPort()
    near.far, far.far = far, near
    return near, far


class VirtualDog:
    """A watchdog that bites nobody: it remembers when it was fed."""

    def __init__(self, timeout_us: int, now_us: Callable[[], int]) -> None:
        """Runs from now on."""
        self._timeout_us = timeout_us
        self._now_us = now_us
        self._started_us = now_us()
        self.fed_us: list[int] = []

    def feed(self) -> None:
        """Notes the time."""
        self.fed_us.append(self._now_us())

    def expired(self, now_us: int) -> bool:
        """Returns whether it would have reset the machine by now."""
        last_us = self.fed_us[-1] if self.fed_us else self._started_us
        return now_us - last_us > self._timeout_us


class _Lines:
    """Levels by line number. A line nobody has touched reads 0."""

    def __init__(self) -> None:
        self.level: defaultdict[int, int] = defaultdict(int)
        self.read: Callable[[int], int] = self.level.__getitem__
        self.outputs: set[int] = set()
        self.wave: dict[int, tuple[int, int]] = {}
        self.watchers: dict[int, tuple[Callable[[], None], int]] = {}

    def setup(self, pin: int, mode: int, pull: int | None, value: int | None) -> None:
        if mode == Pin.OUT:
            self.outputs.add(pin)
        elif mode == Pin.IN:
            self.outputs.discard(pin)
        # A pull is what a line reads before the world drives it.
        if mode == Pin.IN and pull == Pin.PULL_UP:
            self.level.setdefault(pin, 1)
        if value is not None:
            self.level[pin] = value
        self.level.setdefault(pin, 0)

    def write(self, pin: int, level: int) -> None:
        if pin in self.outputs:
            self.level[pin] = level

    def watch(self, pin: int, call: Callable[[], None] | None, trigger: int) -> None:
        if call is None:
            self.watchers.pop(pin, None)
        else:
            self.watchers[pin] = (call, trigger)

    def pwm(self, pin: int, freq_hz: int, duty_u16: int) -> None:
        if freq_hz:
            self.wave[pin] = (freq_hz, duty_u16)
        else:
            self.wave.pop(pin, None)


class VirtualMachine(Machine):
    """The provider. Firmware uses what Machine has; the world uses the methods below."""

    def __init__(self, now_us: Callable[[], int] = lambda: 0) -> None:
        """`now_us` is the world's clock; only the watchdog reads it."""
        self.lines = _Lines()
        self.dog: VirtualDog | None = None
        self._now_us = now_us
        self._devices: dict[tuple[int, int], I2cDevice] = {}
        self._ports: dict[int | str, VirtualPort] = {}
        super().__init__(self)

    # --- the world's side ---------------------------------------------------------------------
    def level(self, pin: int) -> int:
        """Returns what stands on a line."""
        return self.lines.level[pin]

    def duty_u16(self, pin: int) -> int:
        """Returns the high part of the wave on a line, 0..65535; 0 where there is none."""
        return self.lines.wave.get(pin, (0, 0))[1]

    def freq(self, pin: int) -> int:
        """Returns the frequency of the wave on a line in hertz; 0 where there is none."""
        return self.lines.wave.get(pin, (0, 0))[0]

    def set_input(self, pin: int, level: int) -> None:
        """Drives a line as the world does; if it changed, runs the irq handler before returning."""
        if self.level(pin) == level:
            return
        self.lines.level[pin] = level
        watcher = self.lines.watchers.get(pin)
        if watcher and watcher[1] & (Pin.IRQ_RISING if level else Pin.IRQ_FALLING):
            watcher[0]()

    def attach_i2c(self, bus: int, addr: int, device: I2cDevice) -> None:
        """Puts a chip on a bus."""
        self._devices[(bus, addr)] = device

    def detach_i2c(self, bus: int, addr: int) -> None:
        """Takes a chip off a bus."""
        del self._devices[(bus, addr)]

    def attach_uart(self, port: int | str, end: VirtualPort) -> None:
        """Makes `end` this machine's serial port of that number or name."""
        self._ports[port] = end

    # --- what firmware.shims.machine asks of a provider -----------------------------------------
    def open_i2c(self, bus: int, freq_hz: int) -> "_Bus":
        """Returns a bus; empty ones exist too."""
        return _Bus(self._devices, bus)

    def open_uart(self, port: int | str, settings: UartSettings) -> VirtualPort:
        """Returns an attached port. Raises OSError ENODEV if it is not there now."""
        end = self._ports.get(port)
        if end is None or not end.plugged:
            raise OSError(errno.ENODEV, f"there is no serial port {port}")
        return end

    def open_wdt(self, timeout_ms: int) -> VirtualDog:
        """Returns the watchdog, from then on `self.dog`."""
        self.dog = VirtualDog(timeout_ms * 1000, self._now_us)
        return self.dog


class _Bus:
    def __init__(self, devices: dict[tuple[int, int], I2cDevice], bus: int) -> None:
        self._devices = devices
        self._bus = bus

    def transfer(self, addr: int, data: bytes, count: int) -> bytes:
        device = self._devices.get((self._bus, addr))
        if device is None:
            raise OSError(errno.ENODEV, f"no I2C device at {addr:#04x}")
        if data:
            device.write(data)
        return device.read(count) if count else b""

    def probe(self, addr: int) -> bool:
        return (self._bus, addr) in self._devices
