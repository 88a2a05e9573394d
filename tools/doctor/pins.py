"""Checks of a board's devices and pins: they must be here, ours to use, and nobody else's."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from boards import raspberry
from firmware.shims.edges import find_chip
from tools.doctor import boot
from tools.doctor.case import Case
from tools.doctor.machine import READ, WRITE, Machine, Unseen
from tools.doctor.problems import Finding, found
from tools.doctor.takes import taken
from tools.pinmap import pin_map
from tools.pinout.header import MODEL_FILE, of_this_machine

_DEBUG = "sys/kernel/debug/gpio"
# firmware/shims/edges.py asks for inputs by that name, lgpio for outputs.
_OURS = ("cylindre", "lg")
# Who may use what, as the udev rules of Raspberry Pi OS and of our image have it.
_GROUPS = (("gpiochip", "gpio"), ("i2c-", "i2c"), ("tty", "dialout"))
_ROOT = "root"


def model(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D04: the board is of another machine than this."""
    machine = case.machine.text(MODEL_FILE)
    if raspberry.model_called(machine) == board["model"]:
        return
    fitting = ", ".join(of_this_machine(case.machine.root)) or "none is for this machine"
    wanted = raspberry.MODELS[board["model"]]["machine"]
    yield found("D04", machine=machine, board=board["name"], wanted=wanted, boards=fitting)


def chip(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D05: the GPIO chip is not here, by its label."""
    machine = case.machine
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


def rights(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D06: the account may not use a device."""
    machine = case.machine
    names = [str(path.relative_to(machine.root)) for path in machine.matching("dev/gpiochip*")]
    names += [device.lstrip("/") for device, _, _ in _devices(case, board)]
    for name in names:
        status = machine.status(name)
        if status is None or machine.may(status, READ | WRITE):
            continue
        group = machine.group(status.st_gid)
        if group == _ROOT:  # nobody should become a member of that one
            group = next(known for stem, known in _GROUPS if stem in name)
        yield found("D06", user=machine.account.name, device=f"/{name}", group=group)


def devices(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D09 and D10: a bus is not turned on, or not for long."""
    machine = case.machine
    try:
        settings = boot.settings(machine, board["model"])
    except Unseen:
        settings = None
    config = f"/{boot.FOLDERS[0]}/{boot.CONFIG}" if settings is None else settings.file
    for device, use, bus in _devices(case, board):
        lines = () if bus is None else raspberry.bus_settings(board["model"], *bus)
        said = settings is None or not lines or any(settings.has(line) for line in lines)
        there = machine.path(device).exists()
        more = {"use": use, "device": device, "config": config}
        if not there and not lines:
            evidence = "It is none of the header's: its adapter is unplugged, or named differently"
            more["config"] = "[bus] port of the configuration"
            yield found("D09", **more, evidence=evidence, setting="its right name")
        elif not there:
            evidence = f"{config} has no line that turns it on"
            if said:
                evidence = f"{config} turns it on since the last start, or its driver fails"
            if settings is None:
                evidence = "Nobody turned it on"
            yield found("D09", **more, evidence=evidence, setting=lines[0])
        elif not said and lines[0] != "dtoverlay=disable-bt":  # that is D07's
            name = f"{bus[0]} {bus[1]}" if bus else ""
            yield found("D10", **more, bus=name, setting=lines[0])


def _devices(
    case: Case, board: dict[str, Any]
) -> Iterator[tuple[str, str, tuple[str, int] | None]]:
    """The devices of the board's buses: path, use, and the bus, None for a port of another kind."""
    there = raspberry.MODELS[board["model"]]
    paths = {("uart", number): path for number, path, _ in there["uarts"]}
    paths |= {("i2c", number): f"/dev/i2c-{number}" for number, _ in there["i2c"]}
    for use, bus in sorted(board["buses"].items()):
        path = paths[bus]
        if bus[0] == "uart" and case.config.port not in (None, path):
            yield str(case.config.port), use, None
        else:
            yield path, use, bus


def overlays(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D11: config.txt gives our pins to something else."""
    settings = boot.settings(case.machine, board["model"])
    signals = {use.pin: use.signal for use in pin_map(board)}
    for line, pins in taken(settings, board):
        ours = [pin for pin in pins if pin in signals]
        if ours:
            many = "GPIO " + ", ".join(map(str, ours))
            names = ", ".join(signals[pin] for pin in ours)
            yield found("D11", setting=line, pins=many, signals=names, config=settings.file)


def owners(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D12: somebody else has asked for one of our lines."""
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
