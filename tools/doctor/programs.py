"""Checks of what the program runs on: Python, packages, and lgpio's working folder."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import PurePath
from typing import Any

from tools.doctor.case import Case
from tools.doctor.machine import WRITE, Machine, Unseen
from tools.doctor.problems import Finding, found
from tools.doctor.storage import mount_of

_OLDEST = (3, 11)
_NEEDED = ("gpiod", "rpi-lgpio", "smbus2")
_ORIGINAL = "rpi-gpio"
# Where Python looks on a machine that is not this one.
_SITES = (
    "usr/lib/python3/dist-packages",
    "usr/local/lib/python3*/dist-packages",
    "usr/lib/*/lib/python3*/site-packages",
    "opt/*/lib/python3*/site-packages",
    "opt/*/.venv/lib/python3*/site-packages",
)
_ENTER = 0o1


def python(case: Case) -> Iterator[Finding]:
    """D01: a Python that the program was not written for."""
    machine = case.machine
    version = tuple(sys.version_info[:2]) if machine.here else _version(machine)
    if version < _OLDEST:
        yield found("D01", version=".".join(map(str, version)))


def _version(machine: Machine) -> tuple[int, ...]:
    """Of the Python of a machine that is not this one, by what /usr/bin/python3 points to."""
    try:
        name = PurePath(os.readlink(machine.path("usr/bin/python3"))).name
        return tuple(int(part) for part in name.removeprefix("python").split("."))
    except (OSError, ValueError):
        raise Unseen("/usr/bin/python3 does not tell its version") from None


def packages(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D02 and D03: what a real board needs, and what must not be beside it."""
    there = installed(case.machine)
    for package in _NEEDED:
        if package not in there:
            yield found("D02", package=package)
    if _ORIGINAL in there:
        yield found("D03", beside=" beside rpi-lgpio" if "rpi-lgpio" in there else "")


def installed(machine: Machine) -> set[str]:
    """The names of what is installed, small letters and hyphens, by what each package says."""
    sites = [str(path) for pattern in _SITES for path in machine.matching(pattern)]
    if machine.here:
        sites = sys.path
    found = metadata.distributions(path=sites)
    names = [each.metadata["Name"] or "" for each in found]
    return {name.lower().replace("_", "-").replace(".", "-") for name in names}


def lgpio_folder(case: Case, board: dict[str, Any]) -> Iterator[Finding]:
    """D13: lgpio makes a pipe where it is imported, and fails where it cannot."""
    machine = case.machine
    environment = machine.environment
    name = environment.get("LG_WD") or environment.get("RUNTIME_DIRECTORY")
    name = name or (tempfile.gettempdir() if machine.here else "/tmp")
    status = machine.status(name)
    evidence = None
    if status is None:
        evidence = "There is no such folder"
    elif not machine.may(status, WRITE | _ENTER):
        evidence = "Its permissions keep that user out"
    elif "ro" in mount_of(machine, name).options:
        evidence = "It is on a read-only file system"
    if evidence is not None:
        yield found("D13", user=machine.account.name, folder=name, evidence=evidence)
