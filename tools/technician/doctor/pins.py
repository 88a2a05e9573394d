"""Checks of a board's machine and pins: they must be here, and nobody else's."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from boards import raspberry
from boards.pin_map import pin_map
from firmware.config.this_wheel import MODEL_FILE, of_this_machine
from firmware.shims.edges import find_chip
from tools.technician.doctor import boot
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import Machine, Unseen
from tools.technician.doctor.problems import Found, found
from tools.technician.doctor.takes import taken

_DEBUG = "sys/kernel/debug/gpio"
# firmware/shims/edges.py asks for inputs by that name, lgpio for outputs.
_OURS = ("cylindre", "lg")


def model(case: Case, board: dict[str, Any]) -> Iterator[Found]:
    """D04: the board is of another machine than this."""
    case.machine.must_run()
    machine = case.machine.text(MODEL_FILE)
    if raspberry.model_called(machine) == board["model"]:
        return
    fitting = ", ".join(of_this_machine(case.machine.root)) or "none is for this machine"
    wanted = raspberry.MODELS[board["model"]]["machine"]
    yield found("D04", machine=machine, board=board["name"], wanted=wanted, boards=fitting)


def chip(case: Case, board: dict[str, Any]) -> Iterator[Found]:
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
            raise Unseen("install gpiod first") from None
        except PermissionError:
            raise Unseen("this user may not open /dev/gpiochip*") from None
        except FileNotFoundError:
            pass
        else:
            return
    wanted = raspberry.MODELS[board["model"]]["machine"]
    yield found("D05", chip=label, model=wanted)


def _labels(machine: Machine) -> list[Any]:
    return [*machine.matching("sys/class/gpio/gpiochip*/label")]


def overlays(case: Case, board: dict[str, Any]) -> Iterator[Found]:
    """D11: config.txt gives our pins to something else."""
    settings = boot.settings(case.machine, board["model"])
    signals = {use.pin: use.signal for use in pin_map(board)}
    for line, pins in taken(settings, board):
        ours = [pin for pin in pins if pin in signals]
        if ours:
            many = "GPIO " + ", ".join(map(str, ours))
            names = ", ".join(signals[pin] for pin in ours)
            yield found("D11", setting=line, pins=many, signals=names, config=settings.file)


def owners(case: Case, board: dict[str, Any]) -> Iterator[Found]:
    """D12: somebody else has asked for one of our lines."""
    case.machine.must_run()
    label = board.get("gpiochip", raspberry.MODELS[board["model"]]["gpiochip"])
    signals = {use.pin: use.signal for use in pin_map(board)}
    for gpio, owner in held(case.machine.text(_DEBUG), label):
        if gpio in signals and owner not in _OURS:
            yield found("D12", gpio=gpio, signal=signals[gpio], owner=owner)


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
            yield int(one[1]) - base, one[3].strip() or "somebody without a name"
