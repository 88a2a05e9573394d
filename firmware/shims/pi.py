"""The `machine` of a Raspberry Pi: RPi.GPIO (rpi-lgpio) for outputs and PWM, gpiod for inputs.

The extra `pi` brings both; neither is imported before `open_machine`. The original RPi.GPIO
installs the same module, detects no edges on today's kernels and does not run on a Pi 5.
"""

import errno
import importlib
import os
import tempfile
from collections.abc import Callable
from typing import Any

from boards import lines, raspberry
from firmware.shims.edges import GpiodEdges, find_chip
from firmware.shims.linux import Ports
from firmware.shims.machine import Machine, Pin

PWM_MAX_HZ = 10_000  # lgpio's waves come from software; it refuses more


class PiMachine(Machine):
    """The provider. `edges` is the port of the loop; it must be read for `Pin.irq` to be called."""

    def __init__(self, gpio: Any, edges: GpiodEdges, ports: Ports) -> None:
        """Takes the module RPi.GPIO, the input lines, and the other ports."""
        gpio.setwarnings(False)
        gpio.setmode(gpio.BCM)
        self.edges = edges
        self.lines = _Lines(gpio, edges)
        self.open_i2c = ports.open_i2c
        self.open_uart = ports.open_uart
        self.open_wdt = ports.open_wdt
        super().__init__(self)

    def close(self) -> None:
        """Outputs low, lines given back. May be called twice."""
        self.lines.close()
        self.edges.close()


class _Lines:
    def __init__(self, gpio: Any, edges: GpiodEdges) -> None:
        self._gpio = gpio
        self._edges = edges
        self._outputs: set[int] = set()
        self._waves: dict[int, Any] = {}

    def setup(self, pin: int, mode: int, pull: int | None, value: int | None) -> None:
        if mode == Pin.IN:
            self._edges.set_pull(pin, pull)
            return
        if mode == Pin.OUT and pin not in self._outputs:
            try:
                if value is None:
                    self._gpio.setup(pin, self._gpio.OUT)
                else:
                    self._gpio.setup(pin, self._gpio.OUT, initial=value)
            except Exception as error:  # lgpio has an exception of its own
                raise OSError(errno.EBUSY, f"GPIO {pin} cannot be an output: {error}.") from error
            self._outputs.add(pin)
        elif value is not None:
            self.write(pin, value)

    def read(self, pin: int) -> int:
        if pin in self._outputs:
            return int(self._gpio.input(pin))
        return self._edges.level(pin)

    def write(self, pin: int, level: int) -> None:
        if pin in self._outputs:
            self._gpio.output(pin, level)

    def watch(self, pin: int, call: Callable[[], None] | None, trigger: int) -> None:
        self._edges.watch(pin, call, trigger)

    def pwm(self, pin: int, freq_hz: int, duty_u16: int) -> None:
        if freq_hz > PWM_MAX_HZ:
            raise ValueError(f"PWM on GPIO {pin}: {freq_hz} Hz is above {PWM_MAX_HZ} Hz.")
        wave = self._waves.get(pin)
        if not freq_hz:
            if wave:
                del self._waves[pin]
                wave.stop()
            return
        if wave is None:
            self._waves[pin] = wave = self._gpio.PWM(pin, freq_hz)
            wave.start(duty_u16 * 100 / 65535)
            return
        wave.ChangeFrequency(freq_hz)
        wave.ChangeDutyCycle(duty_u16 * 100 / 65535)

    def close(self) -> None:
        for pin in list(self._waves):
            self.pwm(pin, 0, 0)
        for pin in self._outputs:
            self._gpio.output(pin, 0)
        if self._outputs:
            self._gpio.cleanup(list(self._outputs))
        self._outputs.clear()


def open_machine(board: dict[str, Any]) -> PiMachine:
    """Returns the machine of a board whose provider is "pi".

    Raises OSError with a sentence: not a Pi, a library is missing, a line has another owner.
    """
    # lgpio makes a pipe where it is imported; a read-only root has a place only here.
    folder = os.environ.get("RUNTIME_DIRECTORY") or tempfile.gettempdir()
    os.environ.setdefault("LG_WD", folder)
    gpiod = _imported("gpiod")
    gpio = _imported("RPi.GPIO")
    model = raspberry.MODELS[board["model"]]
    edges = GpiodEdges(
        gpiod,
        find_chip(gpiod, board.get("gpiochip", model["gpiochip"])),
        pins=[pin for _, pin in lines.watched(board)],
        polled=[pin for _, pin in board["safety_inputs"]],
    )
    uarts = {number: path for number, path, _ in model["uarts"]}
    return PiMachine(gpio, edges, Ports(uarts))


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        text = f"{name} is not installed: it comes with the extra `pi`, on a Raspberry Pi alone."
        raise OSError(errno.ENODEV, text) from error
    except RuntimeError as error:  # rpi-lgpio off a Pi
        raise OSError(errno.ENODEV, f"This is not a Raspberry Pi: {error}.") from error
