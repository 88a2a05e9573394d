"""Checks of the serial line: nobody else may have it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from boards import raspberry
from tools.doctor import boot
from tools.doctor.case import Case
from tools.doctor.machine import Machine, Unseen
from tools.doctor.problems import Finding, found

_USE = "displays"
_ALIASES = ("serial0", "serial1")  # the firmware's and udev's names of the header's two UARTs
_WANTS = ("etc/systemd/system", "run/systemd/generator", "run/systemd/system")


def bluetooth(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D07: Bluetooth has the UART until an overlay takes it away (Pi 4, Zero 2 W)."""
    port = case.port(board)
    if port is None or ("uart", 0) not in board["buses"].values():
        return
    lines = raspberry.bus_settings(board["model"], "uart", 0)
    if "dtoverlay=disable-bt" not in lines:
        return  # a Pi 5's Bluetooth has a UART of its own
    machine, tty = case.machine, PurePath(port).name
    if tty != PurePath(_uart0(board)).name:
        return
    config = boot.FOLDERS[0] + "/" + boot.CONFIG
    evidence = None
    if [*machine.matching("sys/bus/serial/drivers/hci_uart*/serial*")]:
        evidence = "The kernel's driver hci_uart holds it"
    elif _link(machine, "dev/serial1") == tty:
        evidence = f"/dev/serial1, the UART of Bluetooth, is {tty}"
    else:
        settings = boot.settings(machine, board["model"])
        config = settings.file.lstrip("/")
        if not any(settings.has(line) for line in lines):
            evidence = f"/{config} does not say dtoverlay=disable-bt"
    if evidence is not None:
        yield found("D07", port=port, use=_USE, evidence=evidence, config=f"/{config}")


def console(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D08: what the kernel or a login says there, displays read as noise."""
    port = case.port(board)
    if port is None:
        return
    machine, tty = case.machine, PurePath(port).name
    if not any(machine.path(name).exists() for name in (_cmdline(machine), "proc/cmdline")):
        raise Unseen("there is neither /proc/cmdline nor a cmdline.txt")
    for name in (_cmdline(machine), "proc/cmdline"):
        for word in boot.consoles(machine, name):
            if tty in (word, _link(machine, f"dev/{word}")) or _is_alias(machine, word, board, tty):
                yield _console(machine, port, word, f"console={word} stands in /{name}")
                return
    unit = f"serial-getty@{tty}.service"
    for folder in _WANTS:
        for wanted in machine.matching(f"{folder}/*.target.wants/{unit}"):
            where = wanted.relative_to(machine.root)
            yield _console(machine, port, tty, f"{unit} is started by /{where.parent}")
            return


def _console(machine: Machine, port: str, word: str, evidence: str) -> Finding:
    tty = PurePath(port).name
    cmdline = f"/{_cmdline(machine)}"
    values = {"evidence": evidence, "console": word, "cmdline": cmdline, "tty": tty}
    return found("D08", port=port, use=_USE, **values)


def _cmdline(machine: Machine) -> str:
    try:
        return f"{boot.folder(machine)}/{boot.CMDLINE}"
    except Unseen:
        return f"{boot.FOLDERS[0]}/{boot.CMDLINE}"


def _is_alias(machine: Machine, word: str, board: dict[str, Any], tty: str) -> bool:
    """Whether `serial0` means this tty, on a card that is in no machine: there is no /dev then."""
    if word not in _ALIASES or os.path.lexists(machine.path(f"dev/{word}")):
        return False
    return word == "serial0" and tty == PurePath(_uart0(board)).name


def _uart0(board: dict[str, Any]) -> str:
    paths = {at: path for at, path, _ in raspberry.MODELS[board["model"]]["uarts"]}
    return str(paths[0])


def _link(machine: Machine, name: str) -> str | None:
    """What a link names, without its folder; None for what is none."""
    try:
        return PurePath(os.readlink(machine.path(name))).name
    except OSError:
        return None
