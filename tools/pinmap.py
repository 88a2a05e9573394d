"""What a board needs, line by line, and which of it this machine lacks."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from boards import lines, raspberry
from firmware.shims.edges import find_chip

# This package is on no index; a name there would be somebody else's.
_PACKAGES = ".venv/bin/pip install -e '.[pi]' in the checkout, on the Pi"


class PinUse(NamedTuple):
    """One line of a board: its name, its pin, and which way it goes.

    The pin is a GPIO number (BCM on a Pi), or GPA0 to GPB7 of the expander in `direction`.
    """

    signal: str
    pin: int | str
    direction: str


class Lack(NamedTuple):
    """Something missing on this machine, and what to do about it."""

    what: str
    remedy: str


def pin_map(board: dict[str, Any]) -> list[PinUse]:
    """Every pin of a board: inputs, interrupts, safety inputs, outputs, then those of its buses.

    A virtual board's buses have no pins.
    """
    expanders = board.get("expanders", ())
    uses = [_input(signal, pin, expanders) for signal, pin in board["inputs"]]
    uses += [PinUse(signal, pin, "in, interrupt") for _, _, signal, pin in expanders]
    uses += [PinUse(signal, pin, "in, polled") for signal, pin in board["safety_inputs"]]
    uses += [PinUse(signal, pin, "out") for signal, pin in board["outputs"]]
    buses = board["buses"] if board["provider"] == "pi" else {}
    for purpose, (kind, number) in sorted(buses.items()):
        names = ("tx", "rx") if kind == "uart" else ("sda", "scl")
        pins = raspberry.bus_pins(board["model"], kind, number)
        uses += [
            PinUse(f"{purpose} {name}", pin, f"{kind} {number}")
            for name, pin in zip(names, pins, strict=True)
        ]
    return uses


def _input(signal: str, pin: Any, expanders: Sequence[Any]) -> PinUse:
    """An input at the machine itself or behind an expander."""
    if not lines.behind(pin):
        return PinUse(signal, pin, "in")
    chip, at = pin
    bus, address, _, _ = expanders[chip]
    return PinUse(signal, f"GP{'AB'[at // 8]}{at % 8}", f"in, expander {address:#04x} on {bus}")


def fram(board: dict[str, Any]) -> str | None:
    """The chip that keeps the head of the journal, and where it is; None where there is none."""
    if "fram" not in board:
        return None
    bus, address = board["fram"]
    return f"MB85RC256V at {address:#04x} of i2c {board['buses'][bus][1]}"


def lacks(board: dict[str, Any], devices: Path = Path("/dev")) -> list[Lack]:
    """What this machine lacks to be that board; nothing for a virtual one."""
    if board["provider"] == "virtual":
        return []
    found = []
    for module, package in (("gpiod", "gpiod"), ("RPi", "rpi-lgpio"), ("smbus2", "smbus2")):
        if importlib.util.find_spec(module) is None:
            found.append(Lack(f"the package {package}", _PACKAGES))
    model = raspberry.MODELS[board["model"]]
    found += _chip_lack(board.get("gpiochip", model["gpiochip"]), board["model"], devices)
    paths = {("uart", number): Path(path) for number, path, _ in model["uarts"]}
    paths.update({("i2c", number): Path(f"/dev/i2c-{number}") for number, _ in model["i2c"]})
    for purpose, bus in sorted(board["buses"].items()):
        path = devices / paths[bus].name
        if not path.exists():
            remedy = f"enable {bus[0]} {bus[1]} with raspi-config or a dtoverlay"
            found.append(Lack(f"{path} for the {purpose}", remedy))
    return found


def _chip_lack(label: str, model: str, devices: Path) -> list[Lack]:
    """The GPIO chip called `label`, if it is not here or if nobody can tell."""
    what = f"the GPIO chip {label}"
    try:
        find_chip(importlib.import_module("gpiod"), label, devices)
    except ImportError:
        return [Lack(f"{what} cannot be looked for", "install gpiod first")]
    except FileNotFoundError:
        return [Lack(what, f"run this on a {model}")]
    except PermissionError:
        return [Lack(f"permission to use {what}", "become a member of the group gpio")]
    return []
