"""Checks of a board's machine and pins: they must be here, and nobody else's."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from boards import raspberry
from boards.pin_map import pin_map
from firmware.config.this_wheel import MODEL_FILE, of_this_machine
from firmware.lib.language import Message
from firmware.shims.edges import find_chip
from tools.technician.doctor import boot
from tools.technician.doctor.boot import Settings
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import Machine, Unseen
from tools.technician.doctor.problems import Detected, detected

# fmt: off
_PARAMS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("spi", (7, 8, 9, 10, 11)),
    ("i2s", (18, 19, 20, 21)),
)
# Each overlay: pins it always takes, and parameters that name a pin, with their defaults.
_OVERLAYS: tuple[tuple[str, tuple[int, ...], tuple[tuple[str, int], ...]], ...] = (
    ("dht11", (), (("gpiopin", 4),)),
    ("dpi18", tuple(range(22)), ()),
    ("dpi24", tuple(range(28)), ()),
    ("gpio-fan", (), (("gpiopin", 12),)),
    ("gpio-ir", (), (("gpio_pin", 18),)),
    ("gpio-ir-tx", (), (("gpio_pin", 18),)),
    ("gpio-key", (), (("gpio", 3),)),
    ("gpio-led", (), (("gpio", 19),)),
    ("gpio-poweroff", (), (("gpiopin", 26),)),
    ("gpio-shutdown", (), (("gpio_pin", 3),)),
    ("hifiberry-dac", (18, 19, 20, 21), ()),
    ("pps-gpio", (), (("gpiopin", 18),)),
    ("pwm", (), (("pin", 18),)),
    ("pwm-2chan", (), (("pin", 18), ("pin2", 19))),
    ("pwm-ir-tx", (), (("gpio_pin", 18),)),
    ("rotary-encoder", (), (("pin_a", 4), ("pin_b", 17))),
    ("sdio", (22, 23, 24, 25, 26, 27), ()),
    ("spi1-1cs", (19, 20, 21), (("cs0_pin", 18),)),
    ("spi1-2cs", (19, 20, 21), (("cs0_pin", 18), ("cs1_pin", 17))),
    ("spi1-3cs", (19, 20, 21), (("cs0_pin", 18), ("cs1_pin", 17), ("cs2_pin", 16))),
    ("w1-gpio", (), (("gpiopin", 4),)),
    ("w1-gpio-pullup", (), (("gpiopin", 4), ("extpullup", 5))),
)
# fmt: on


def taken(settings: Settings, board: dict[str, Any]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every line of config.txt that takes pins, and which; but the buses of the board itself."""
    for name, pins in _PARAMS:
        if settings.has(f"dtparam={name}=on"):
            yield f"dtparam={name}=on", pins
    for name, always, named in _OVERLAYS:
        if name in settings.overlays:
            chosen = settings.overlays[name]
            pins = always + tuple(_number(chosen.get(key), default) for key, default in named)
            yield f"dtoverlay={name}", pins
    model = board["model"]
    for kind, key in (("uart", "uarts"), ("i2c", "i2c")):
        for bus in raspberry.MODELS[model][key]:
            lines = raspberry.bus_settings(model, kind, bus[0])
            held = [line for line in lines if settings.has(line)]
            # Bluetooth's overlays take nothing: they give the header its UART.
            if held and (kind, bus[0]) not in board["buses"].values() and bus[0]:
                yield held[0], bus[-1]


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdigit() else default


_DEBUG = "sys/kernel/debug/gpio"
# firmware/shims/edges.py asks for inputs by that name, lgpio for outputs.
_OURS = ("cylindre", "lg")


def model(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D04: the board is of another machine than this."""
    case.machine.must_run()
    machine = case.machine.text(MODEL_FILE)
    if raspberry.model_called(machine) == board["model"]:
        return
    fitting = ", ".join(of_this_machine(case.machine.root)) or Message("none is for this machine")
    wanted = raspberry.MODELS[board["model"]]["machine"]
    yield detected("D04", machine=machine, board=board["name"], wanted=wanted, boards=fitting)


def chip(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D05: the GPIO chip is not here, by its label."""
    machine = case.machine
    machine.must_run()
    label = board.get("gpiochip", raspberry.MODELS[board["model"]]["gpiochip"])
    labels = [machine.text(path.relative_to(machine.root)) for path in _labels(machine)]
    if label in labels:
        return
    if not labels:
        try:
            find_chip(importlib.import_module("gpiod"), label, machine.path("dev"))
        except ImportError:
            raise Unseen(Message("install gpiod first")) from None
        except PermissionError:
            raise Unseen(Message("this user may not open /dev/gpiochip*")) from None
        except FileNotFoundError:
            pass
        else:
            return
    wanted = raspberry.MODELS[board["model"]]["machine"]
    yield detected("D05", chip=label, model=wanted)


def _labels(machine: Machine) -> list[Any]:
    return [*machine.matching("sys/class/gpio/gpiochip*/label")]


def overlays(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D11: config.txt gives our pins to something else."""
    settings = boot.settings(case.machine, board["model"])
    signals = {use.pin: use.signal for use in pin_map(board)}
    for line, pins in taken(settings, board):
        ours = [pin for pin in pins if pin in signals]
        if ours:
            many = "GPIO " + ", ".join(map(str, ours))
            names = ", ".join(signals[pin] for pin in ours)
            yield detected("D11", setting=line, pins=many, signals=names, config=settings.file)


def owners(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D12: somebody else has asked for one of our lines."""
    case.machine.must_run()
    label = board.get("gpiochip", raspberry.MODELS[board["model"]]["gpiochip"])
    signals = {use.pin: use.signal for use in pin_map(board)}
    for gpio, owner in held(case.machine.text(_DEBUG), label):
        if gpio in signals and owner not in _OURS:
            yield detected("D12", gpio=gpio, signal=signals[gpio], owner=owner)


def held(text: str, label: str) -> Iterator[tuple[int, str]]:
    """GPIOs of the chip with that label that have an owner, from the kernel's debug file.

    Its form: drivers/gpio/gpiolib.c, gpiolib_seq_show; since Linux 6.13 without the global numbers.
    """
    base = None
    for line in text.splitlines():
        if line.startswith("gpiochip"):
            ours = line.rstrip(" :").split(", ")[-1].endswith(label)
            numbers = re.search(r"GPIOs (\d+)-\d+", line)
            base = (int(numbers[1]) if numbers else 0) if ours else None
        elif base is not None and (one := re.match(r"\s*gpio-(\d+)\s+\(([^|)]*)\|([^)]*)\)", line)):
            yield int(one[1]) - base, one[3].strip() or Message("somebody without a name")
