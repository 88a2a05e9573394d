"""Checks of what the program runs on: Python, packages, and lgpio's working folder."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any

from firmware.lib.language import Message
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import WRITE, Machine, Unseen
from tools.technician.doctor.problems import Detected, detected
from tools.technician.doctor.storage import mount_of

_OLDEST = (3, 11)
_NEEDED = ("gpiod", "rpi-lgpio", "smbus2")
_ORIGINAL = "rpi-gpio"
# Where the program may lie on a machine that is not this one. Our Debian package has a folder of
# its own, and sees no other; an environment sees Debian's only if it was made so.
_PACKAGED = "usr/lib/cylindre"
_ENVIRONMENTS = (
    "opt/*/lib/python3*/site-packages",
    "opt/*/.venv/lib/python3*/site-packages",
    "srv/*/.venv/lib/python3*/site-packages",
    "root/*/.venv/lib/python3*/site-packages",
    "home/*/.venv/lib/python3*/site-packages",
    "home/*/*/.venv/lib/python3*/site-packages",
)
_DEBIANS = ("usr/local/lib/python3*/dist-packages", "usr/lib/python3/dist-packages")
_OURS = "cylindre-*.dist-info"
_SEES_DEBIANS = "include-system-site-packages = true"
_ENTER = 0o1


def python(case: Case) -> Iterator[Detected]:
    """D01: a Python that the program was not written for."""
    machine = case.machine
    version = tuple(sys.version_info[:2]) if machine.here else _version(machine)
    if version < _OLDEST:
        yield detected("D01", version=".".join(map(str, version)))


def _version(machine: Machine) -> tuple[int, ...]:
    """Of the Python of a machine that is not this one, by what /usr/bin/python3 points to."""
    try:
        name = PurePath(os.readlink(machine.path("usr/bin/python3"))).name
        return tuple(int(part) for part in name.removeprefix("python").split("."))
    except (OSError, ValueError):
        raise Unseen(Message("/usr/bin/python3 does not tell its version")) from None


def packages(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D02 and D03: what a real board needs, and what must not be beside it."""
    there = installed(case.machine)
    for package in _NEEDED:
        if package not in there:
            yield detected("D02", package=package)
    if _ORIGINAL in there:
        yield detected("D03", beside=Message(" beside rpi-lgpio") if "rpi-lgpio" in there else "")


def installed(machine: Machine) -> set[str]:
    """The names of what is installed, small letters and hyphens, by what each package says."""
    found = metadata.distributions(path=sys.path if machine.here else _sites(machine))
    names = [each.metadata["Name"] or "" for each in found]
    return {name.lower().replace("_", "-").replace(".", "-") for name in names}


def _sites(machine: Machine) -> list[str]:
    """Where the program's Python looks, on a machine that is not this one. Raises Unseen."""
    of_debian = [path for pattern in _DEBIANS for path in machine.matching(pattern)]
    for site in (*machine.matching(_PACKAGED), *_environments(machine)):
        if [*site.glob(_OURS)]:
            made = (
                machine.optional_text(site.parents[2].relative_to(machine.root) / "pyvenv.cfg")
                or ""
            )
            more = of_debian if _SEES_DEBIANS in made else []
            return [str(path) for path in (site, *more)]
    if not any([*path.glob(_OURS)] for path in of_debian):
        raise Unseen(Message("the program is not installed there"))
    return [str(path) for path in of_debian]


def _environments(machine: Machine) -> Iterator[Path]:
    for pattern in _ENVIRONMENTS:
        yield from machine.matching(pattern)


def lgpio_folder(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D13: lgpio makes a pipe where it is imported, and fails where it cannot."""
    machine = case.machine
    machine.must_run()
    environment = machine.environment
    name = environment.get("LG_WD") or environment.get("RUNTIME_DIRECTORY")
    name = name or (tempfile.gettempdir() if machine.here else "/tmp")
    status = machine.status(name)
    evidence = None
    if status is None:
        evidence = Message("There is no such folder")
    elif not machine.may(status, WRITE | _ENTER):
        evidence = Message("Its permissions keep that user out")
    elif "ro" in mount_of(machine, name).options:
        evidence = Message("It is on a read-only file system")
    if evidence is not None:
        yield detected("D13", user=machine.account.name, folder=name, evidence=evidence)
