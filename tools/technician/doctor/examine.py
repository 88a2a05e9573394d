"""Makes every check, and puts what was found into order: the worst first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from firmware.lib.language import Message
from tools.technician.doctor import devices, line, parts, pins, programs, storage, wheel
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import Unseen
from tools.technician.doctor.problems import GRADES, Detected, Finding, in_words

_Made = tuple[str, Callable[[], Iterator[Detected]]]  # a check with what it is to look at


class NotSeen(NamedTuple):
    """A check that could not be made, and why: nobody may take it for a good one."""

    check: str
    why: str


class Examined(NamedTuple):
    """All that came out."""

    findings: tuple[Finding, ...]
    not_seen: tuple[NotSeen, ...]


# What is checked, and the function that does. Of any machine:
# fmt: off
_OF_MACHINES: tuple[tuple[str, Callable[[Case], Iterator[Detected]]], ...] = (
    (Message("the configuration"), wheel.configuration),
    ("Python", programs.python),
    (Message("the clock"), parts.clock),
    (Message("wear of the card"), storage.card),
    (Message("file systems"), storage.file_systems),
    (Message("supply and heat"), parts.supply),
)
# Of one that is to be a board with pins; the first ones are what `cylindre boards` calls missing.
_WANTED: tuple[tuple[str, Callable[[Case, dict[str, Any]], Iterator[Detected]]], ...] = (
    ("packages", programs.packages),
    (Message("the GPIO chip"), pins.chip),
    (Message("permissions of devices"), devices.rights),
    (Message("devices of the buses"), devices.buses),
)
_OF_BOARDS = (
    *_WANTED,
    (Message("the model"), pins.model),
    (Message("Bluetooth on the line"), line.bluetooth),
    (Message("a console on the line"), line.console),
    ("overlays", pins.overlays),
    (Message("GPIO lines in use"), pins.owners),
    (Message("lgpio's folder"), programs.lgpio_folder),
    (Message("I2C parts that the kernel holds"), parts.held),
    (Message("I2C parts that answer"), parts.answering),
)
# Of a wheel's files, of a virtual board's too:
_OF_WHEELS = (
    (Message("room on the disk"), storage.free_space),
    (Message("the disk can be written"), storage.writable),
    (Message("permissions of keys and people"), wheel.permissions),
    (Message("the journal's last rows"), wheel.journal),
)
# fmt: on


def examine(case: Case) -> Examined:
    """Everything that can be found out of this case."""
    board, files = case.board, case.files
    made: list[_Made] = [(name, partial(check, case)) for name, check in _OF_MACHINES]
    if board is not None and files is not None:
        if board["provider"] == "pi":
            made += [(name, partial(check, case, board)) for name, check in _OF_BOARDS]
        made += [(name, partial(check, case, files)) for name, check in _OF_WHEELS]
    examined = _all(made, on_image=case.machine.is_image)
    if board is None:
        names = [name for name, _ in (*_OF_BOARDS, *_OF_WHEELS)]
        more = [NotSeen(name, Message("no board is named: give --board")) for name in names]
        examined = examined._replace(not_seen=(*examined.not_seen, *more))
    return examined


def missing(case: Case) -> Examined:
    """What the machine lacks to be the case's board; nothing for a virtual one."""
    board = case.board
    if board is None or board["provider"] == "virtual":
        return Examined((), ())
    made: list[_Made] = [(name, partial(check, case, board)) for name, check in _WANTED]
    return _all(made, on_image=case.machine.is_image)


def _all(checks: list[_Made], *, on_image: bool) -> Examined:
    findings: list[Finding] = []
    not_seen = []
    for name, check in checks:
        try:
            # What a check has found counts, even if it cannot see all.
            for each in check():
                findings.append(in_words(each, on_image=on_image))
        except Unseen as error:
            not_seen.append(NotSeen(name, str(error)))
        except (ValueError, OSError) as error:  # a file of another form than we know
            not_seen.append(NotSeen(name, f"{type(error).__name__}: {error}"))
    findings.sort(key=lambda found: (GRADES.index(found.grade), found.code))
    return Examined(tuple(findings), tuple(not_seen))
