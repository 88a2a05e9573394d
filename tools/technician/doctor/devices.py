"""Checks of the devices of a board's buses: they must be here, now and after the next start, and
ours to use."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from typing import Any

from boards import raspberry
from firmware.lib.language import Message
from tools.technician.doctor import boot
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import READ, WRITE, Machine, Unseen
from tools.technician.doctor.problems import Detected, detected

# Who may use what on a stock Raspberry Pi OS: 99-com.rules of raspberrypi-sys-mods, and
# 50-udev-default.rules of udev. Our package's rules give all to the group cylindre.
_USUAL = (("gpiochip", "gpio"), ("i2c-", "i2c"), ("tty", "dialout"))
_ROOT = "root"
_I2C_DEV = "i2c-dev"
_MODULES = ("etc/modules", "etc/modules-load.d/*.conf", "usr/lib/modules-load.d/*.conf")
_BLUETOOTHS = "dtoverlay=disable-bt"

_Bus = tuple[str, int]


def rights(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D06 and D29: the account may not use a device."""
    machine = case.machine
    machine.must_run()
    names = [str(path.relative_to(machine.root)) for path in machine.matching("dev/gpiochip*")]
    names += [device.lstrip("/") for device, _, _ in _devices(case, board)]
    for name in names:
        status = machine.status(name)
        if status is None or machine.may(status, READ | WRITE):
            continue
        group, mode = machine.group(status.st_gid), stat.S_IMODE(status.st_mode)
        told = {"user": machine.account.name, "device": f"/{name}", "group": group}
        # Nobody should become a member of root, and a member of another may be kept out as well.
        if group == _ROOT or mode >> 3 & (READ | WRITE) != READ | WRITE:
            usual = next((known for stem, known in _USUAL if stem in name), "dialout")
            yield detected("D29", **told, mode=f"{mode:o}", usual=usual)
        else:
            yield detected("D06", **told)


def buses(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D09, D10, D28 and D30: a bus is not turned on, or not for long.

    Of a card, what its next start will lack.
    """
    machine, model = case.machine, board["model"]
    try:
        settings = boot.settings(machine, model)
    except Unseen:
        settings = None
    for device, use, bus in _devices(case, board):
        if bus is not None:
            yield from _bus(machine, settings, model, bus, {"device": device, "use": use})
        elif machine.runs and not machine.path(device).exists():
            yield detected("D30", device=device, use=use)
    machine.must_run()


def _bus(
    machine: Machine,
    settings: boot.Settings | None,
    model: str,
    bus: _Bus,
    told: dict[str, str],
) -> Iterator[Detected]:
    """What is wrong with a bus of the header."""
    line = raspberry.bus_settings(model, *bus)[0]
    told |= {"config": f"/{boot.FOLDERS[0]}/{boot.CONFIG}", "setting": line}
    lacks, evidence = False, str(Message("Nobody turned it on"))
    if settings is not None:
        told["config"] = settings.file
        lacks, evidence = not settings.turns_on(model, bus), settings.lacks(line)
    there = machine.runs and machine.path(told["device"]).exists()
    if lacks and line == _BLUETOOTHS and (there or not machine.runs):
        return  # D07 says so
    if there and lacks:
        yield detected("D10", **told, bus=f"{bus[0]} {bus[1]}")
    elif there or (settings is None and not machine.runs):
        return
    elif not lacks and _lacks_module(machine, bus):
        yield detected("D28", **told)
    elif lacks or machine.runs:
        if settings is not None and not lacks:
            evidence = Message(
                "{file} turns it on since the last start, or its driver fails", file=settings.file
            )
        yield detected("D09", **told, evidence=evidence)


def _lacks_module(machine: Machine, bus: _Bus) -> bool:
    """Whether an I2C bus is on, and has no device only because i2c-dev is not loaded."""
    if bus[0] != "i2c":
        return False
    if machine.runs:
        return machine.path(f"sys/bus/i2c/devices/i2c-{bus[1]}").exists()
    paths = [path for pattern in _MODULES for path in machine.matching(pattern)]
    lines = [
        line for path in paths for line in machine.text(path.relative_to(machine.root)).splitlines()
    ]
    return _I2C_DEV not in [line.strip().replace("_", "-") for line in lines]


def _devices(case: Case, board: dict[str, Any]) -> Iterator[tuple[str, str, _Bus | None]]:
    """The devices of the board's buses: path, use, and the bus, None for a port of another kind."""
    for use, (kind, number) in sorted(board["buses"].items()):
        if kind == "i2c":
            yield f"/dev/i2c-{number}", use, (kind, number)
            continue
        path = raspberry.uart_path(board["model"], number)
        if case.config.port not in (None, path):
            yield str(case.config.port), use, None
        else:
            yield path, use, (kind, number)
