"""Checks of what a wheel writes on: the card, its file systems, room.

Sources: JEDEC eMMC 5.1 (JESD84-B51), section 7.4, EXT_CSD[267] PRE_EOL_INFO and [268, 269]
DEVICE_LIFE_TIME_EST, as Documentation/driver-api/mmc/mmc-dev-attrs.rst names them;
Documentation/ABI/testing/sysfs-fs-ext4.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.config.this_wheel import Files
from firmware.lib.errors import cause
from firmware.lib.language import Message
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import Machine, Unseen
from tools.technician.doctor.problems import Detected, detected

_WORN = 0x0A  # tenths of its life: 90 to 100 % used; 0x0B is beyond
_RESERVE = {
    2: Message("80 % of the reserve blocks are used"),
    3: Message("nearly all reserve blocks are used"),
}
# The journal takes some 1 MB a day: some weeks' notice, and some days'.
NEARLY_BYTES, FULL_BYTES = 64_000_000, 4_000_000
NEARLY_SHARE = 0.05


class Mount(NamedTuple):
    """One line of /proc/mounts."""

    device: str
    folder: str
    options: list[str]


def card(case: Case) -> Iterator[Detected]:
    """D18: what the eMMC says of its own life."""
    machine = case.machine
    machine.must_run()
    told = False
    for path in machine.matching("sys/block/mmcblk*/device/life_time"):
        told = True
        device = path.parent.relative_to(machine.root)
        worn = max([int(word, 16) for word in machine.text(device / "life_time").split()])
        reserve = int(machine.optional_text(device / "pre_eol_info") or "0", 16)
        wear = [_RESERVE[reserve]] if reserve in _RESERVE else []
        if worn >= _WORN:
            wear.append(
                Message("90 % of its life is over")
                if worn == _WORN
                else Message("its life is over")
            )
        if wear:
            yield detected("D18", card=device.parent.name, wear=", ".join(wear))
    if not told:
        raise Unseen(Message("no eMMC is here, and an SD card does not tell its wear"))


def file_systems(case: Case) -> Iterator[Detected]:
    """D19: errors that ext4 has written into its superblock."""
    machine = case.machine
    machine.must_run()
    for path in machine.matching("sys/fs/ext4/*/errors_count"):
        count = machine.text(path.relative_to(machine.root))
        if count.isdigit() and int(count):
            yield detected("D19", device=path.parent.name, count=count)


def writable(case: Case, files: Files) -> Iterator[Detected]:
    """D20: the journal's disk takes nothing."""
    case.machine.must_run()
    folder = files.journal.parent
    mount = mount_of(case.machine, folder)
    if "ro" in mount.options:
        yield detected("D20", folder=folder, device=mount.device, mount=mount.folder)


def free_space(case: Case, files: Files) -> Iterator[Detected]:
    """D21 and D22: the journal's disk is full, or will be."""
    folder = files.journal.parent
    place = case.machine.on_disk(folder)
    while not place.exists():
        place = place.parent
    try:
        disk = os.statvfs(place)
    except OSError as error:
        raise Unseen(Message("{}: {}", folder, cause(error))) from None
    left = disk.f_bavail * disk.f_frsize
    total = disk.f_blocks * disk.f_frsize
    if left < FULL_BYTES:
        yield detected("D21", folder=folder, left=_size(left))
    elif left < min(NEARLY_BYTES, total * NEARLY_SHARE):
        yield detected("D22", folder=folder, left=_size(left))


def mount_of(machine: Machine, folder: str | Path) -> Mount:
    """The mount that a folder of the machine is on. Raises Unseen."""
    folder = Path("/") / str(folder)
    best = None
    for line in machine.text("proc/mounts").splitlines():
        words = line.split(" ")
        if len(words) < 4:
            continue
        at = words[1].replace("\\040", " ")  # proc(5): blanks are octal there
        # A later mount lies over an earlier one.
        if folder.is_relative_to(at) and (best is None or len(at) >= len(best.folder)):
            best = Mount(words[0], at, words[3].split(","))
    if best is None:
        raise Unseen(Message("/proc/mounts names no root"))
    return best


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"
