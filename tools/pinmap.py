"""What a board needs, line by line, and which of it this machine lacks."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, NamedTuple

from boards import raspberry


class PinUse(NamedTuple):
    """One line of a board: its name, its GPIO number (BCM on a Pi), and which way it goes."""

    signal: str
    pin: int
    direction: str


class Lack(NamedTuple):
    """Something missing on this machine, and what to do about it."""

    what: str
    remedy: str


def pin_map(board: dict[str, Any]) -> list[PinUse]:
    """Every pin of a board: inputs, safety inputs, outputs, then those of its buses."""
    uses = [PinUse(signal, pin, "in") for signal, pin in board["inputs"]]
    uses += [PinUse(signal, pin, "in, polled") for signal, pin in board["safety_inputs"]]
    uses += [PinUse(signal, pin, "out") for signal, pin in board["outputs"]]
    for purpose, (kind, number) in sorted(board["buses"].items()):
        names = ("tx", "rx") if kind == "uart" else ("sda", "scl")
        pins = raspberry.bus_pins(board["model"], kind, number)
        uses += [
            PinUse(f"{purpose} {name}", pin, f"{kind} {number}")
            for name, pin in zip(names, pins, strict=True)
        ]
    return uses


def lacks(board: dict[str, Any], devices: Path = Path("/dev")) -> list[Lack]:
    """What this machine lacks to be that board; nothing for a virtual one."""
    if board["provider"] == "virtual":
        return []
    found = []
    for module, package in (("gpiod", "gpiod"), ("RPi", "rpi-lgpio"), ("smbus2", "smbus2")):
        if importlib.util.find_spec(module) is None:
            found.append(Lack(f"the package {package}", "pip install 'cylindre[pi]' on the Pi"))
    model = raspberry.MODELS[board["model"]]
    if not list(devices.glob("gpiochip*")):
        found.append(Lack(f"the GPIO chip {model['gpiochip']}", f"run this on a {board['model']}"))
    paths = {("uart", number): Path(path) for number, path, _ in model["uarts"]}
    paths.update({("i2c", number): Path(f"/dev/i2c-{number}") for number, _ in model["i2c"]})
    for purpose, bus in sorted(board["buses"].items()):
        path = devices / paths[bus].name
        if not path.exists():
            remedy = f"enable {bus[0]} {bus[1]} with raspi-config or a dtoverlay"
            found.append(Lack(f"{path} for the {purpose}", remedy))
    return found
