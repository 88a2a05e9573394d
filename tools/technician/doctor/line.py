"""Checks of the serial line: nobody else may have it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from boards import raspberry
from firmware.lib.language import Message
from tools.technician.doctor import boot, tree
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import Machine, Unseen
from tools.technician.doctor.problems import Detected, detected

_USE = "displays"
_ALIASES = ("serial0", "serial1")  # the firmware's and udev's names of the header's two UARTs
_GETTY = "serial-getty@.service"
_WANTS = ("etc/systemd/system", "run/systemd/generator", "run/systemd/system")


def bluetooth(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D07: Bluetooth has the UART until an overlay or a tree takes it away (Pi 4, Zero 2 W)."""
    port = case.port(board)
    if port is None or ("uart", 0) not in board["buses"].values():
        return
    lines = raspberry.bus_settings(board["model"], "uart", 0)
    if "dtoverlay=disable-bt" not in lines:
        return  # a Pi 5's Bluetooth has a UART of its own
    machine, tty = case.machine, PurePath(port).name
    if tty != PurePath(_uart0(board)).name:
        return
    evidence = _held(machine, tty)
    config = f"/{boot.FOLDERS[0]}/{boot.CONFIG}"
    try:
        settings = boot.settings(machine, board["model"])
        config = settings.file
        if evidence is None and not settings.turns_on(board["model"], ("uart", 0)):
            evidence = settings.lacks(lines[0])
    except Unseen:
        # An image of ours shows config.txt to root alone; everybody sees the tree that runs.
        if evidence is None and tree.runs_bluetooth(machine) is not False:
            raise
    if evidence is not None:
        yield detected("D07", port=port, use=_USE, evidence=evidence, config=config)


def _held(machine: Machine, tty: str) -> str | None:
    """How one sees that Bluetooth has the UART now; None where one does not."""
    if [*machine.matching("sys/bus/serial/drivers/hci_uart*/serial*")]:
        return Message("The kernel's driver hci_uart holds it")
    if _link(machine, "dev/serial1") == tty:
        return Message("/dev/serial1, the UART of Bluetooth, is {tty}", tty=tty)
    if tree.runs_bluetooth(machine):
        return Message("The device tree of the running kernel has Bluetooth on it")
    return None


def console(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D08: what the kernel or a login says there, displays read as noise."""
    port = case.port(board)
    if port is None:
        return
    machine, tty = case.machine, PurePath(port).name
    told = {name: boot.consoles(machine, name) for name in (_cmdline(machine), "proc/cmdline")}
    for name, words in told.items():
        for word in words or ():
            if tty in (word, _link(machine, f"dev/{word}")) or _is_alias(machine, word, board, tty):
                yield _console(
                    machine,
                    port,
                    word,
                    Message("console={word} stands in /{name}", word=word, name=name),
                )
                return
    unit = f"serial-getty@{tty}.service"
    masked = any(_link(machine, f"{_WANTS[0]}/{name}") == "null" for name in (unit, _GETTY))
    for folder in () if masked else _WANTS:
        for wants in machine.matching(f"{folder}/*.target.wants"):
            if os.path.lexists(wants / unit):  # a link to what lies in this machine elsewhere
                where = wants.relative_to(machine.root)
                yield _console(
                    machine,
                    port,
                    tty,
                    Message("{unit} is started by /{where}", unit=unit, where=where),
                )
                return
    if all(words is None for words in told.values()):
        if machine.is_image:
            raise Unseen(Message("the kernel's words are args.txt of the card's boot-a and boot-b"))
        raise Unseen(Message("there is neither /proc/cmdline nor a cmdline.txt"))


def _console(machine: Machine, port: str, word: str, evidence: str) -> Detected:
    tty = PurePath(port).name
    cmdline = f"/{_cmdline(machine)}"
    values = {"evidence": evidence, "console": word, "cmdline": cmdline, "tty": tty}
    return detected("D08", port=port, use=_USE, **values)


def _cmdline(machine: Machine) -> str:
    try:
        return f"{boot.folder(machine)}/{boot.CMDLINE}"
    except Unseen:
        return f"{boot.FOLDERS[0]}/{boot.CMDLINE}"


def _is_alias(machine: Machine, word: str, board: dict[str, Any], tty: str) -> bool:
    """Whether `serial0` means this tty, on a card that is in no machine: there is no /dev then."""
    if word not in _ALIASES or os.path.lexists(machine.path(f"dev/{word}")):
        return False
    if word != "serial0" or tty != PurePath(_uart0(board)).name:
        return False
    if raspberry.bus_settings(board["model"], "uart", 0)[0] == "dtoverlay=disable-bt":
        return True
    try:  # a Pi 5's is its debug port, unless that is said
        return boot.settings(machine, board["model"]).has("dtparam=uart0_console=on")
    except Unseen:
        return False


def _uart0(board: dict[str, Any]) -> str:
    return raspberry.uart_path(board["model"], 0)


def _link(machine: Machine, name: str) -> str | None:
    """What a link names, without its folder; None for what is none."""
    try:
        return PurePath(os.readlink(machine.path(name))).name
    except OSError:
        return None
