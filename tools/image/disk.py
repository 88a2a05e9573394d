"""Is this a disk that may be written whole? What Linux says of it in /sys and /proc."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import FAILED, NO_DEVICE, USAGE, Failure
from firmware.lib.language import Message

_SECTOR = 512  # /sys counts in these, whatever the disk's own are
_SYSTEM = ("/", "/usr", "/boot", "/boot/efi", "/boot/firmware", "/var", "/home")

Disk = NamedTuple("Disk", [("path", Path), ("size", int), ("title", str)])


def find(path: Path, needed: int) -> Disk:
    """The whole, idle, writable disk at `path`, of `needed` bytes at least. Raises Failure."""
    node = _node(path)
    size = int((node / "size").read_text()) * _SECTOR
    users = _users(node)
    if users & set(_SYSTEM):
        raise Failure(
            USAGE, Message("{path} is a disk this machine runs from: choose another.", path=path)
        )
    if users:
        first = sorted(users)[0]
        raise Failure(
            USAGE,
            Message(
                "{path} is in use ({first}): unmount what lies on it first.", path=path, first=first
            ),
        )
    if (node / "ro").read_text().strip() != "0":
        text = Message("is read-only: slide the card's lock, or put it into another reader")
        raise Failure(FAILED, f"{path} {text}.")
    if size == 0:
        raise Failure(
            NO_DEVICE, Message("{path} is a reader without a card: put one in.", path=path)
        )
    if size < needed:
        text = Message(
            "holds {size} MiB, the image needs {needed}: take a bigger card",
            size=size >> 20,
            needed=needed >> 20,
        )
        raise Failure(FAILED, f"{path} {text}.")
    return Disk(path, size, _title(node, size))


def _node(path: Path) -> Path:
    """The disk's folder in /sys. Raises Failure for what is no whole disk."""
    try:
        found = path.stat()
    except FileNotFoundError:
        text = Message(
            "There is no {path}: plug the card in, and look for its name with lsblk.", path=path
        )
        raise Failure(NO_DEVICE, text) from None
    if not stat.S_ISBLK(found.st_mode):
        text = Message(
            "{path} is no disk: give the card's own name as lsblk shows it, as /dev/sdb.", path=path
        )
        raise Failure(USAGE, text)
    number = f"{os.major(found.st_rdev)}:{os.minor(found.st_rdev)}"
    node = (Path("/sys/dev/block") / number).resolve()
    if not node.is_dir():
        raise Failure(
            NO_DEVICE, Message("Nothing is behind {path}: plug the card in again.", path=path)
        )
    if (node / "partition").exists():
        disk = f"/dev/{node.parent.name}"
        raise Failure(
            USAGE,
            Message("{path} is a partition: give the whole disk, {disk}.", path=path, disk=disk),
        )
    return node


def _users(disk: Path) -> set[str]:
    """What uses the disk: where it is mounted, "swap", or what is built on it."""
    users = {
        where
        for number, where in _mounts() + _swaps()
        if disk in _disks_under(Path("/sys/dev/block") / number)
    }
    for node in (disk, *(each.parent for each in disk.glob("*/partition"))):
        users.update(holder.name for holder in (node / "holders").glob("*"))
    return users


def _mounts() -> list[tuple[str, str]]:
    found = []
    for line in Path("/proc/self/mountinfo").read_text("utf-8", "replace").splitlines():
        words = line.split()
        number, where = words[2], words[4].encode().decode("unicode_escape")
        source = words[words.index("-") + 2]
        if number.startswith("0:"):  # btrfs and the like hide their disk's number
            number = _number_of(source) or number
        found.append((number, where))
    return found


def _swaps() -> list[tuple[str, str]]:
    names = [line.split()[0] for line in Path("/proc/swaps").read_text().splitlines()[1:]]
    return [(number, "swap") for number in map(_number_of, names) if number is not None]


def _number_of(path: str) -> str | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    if stat.S_ISBLK(found.st_mode):
        return f"{os.major(found.st_rdev)}:{os.minor(found.st_rdev)}"
    return f"{os.major(found.st_dev)}:{os.minor(found.st_dev)}"


def _disks_under(node: Path) -> set[Path]:
    """The disks a block device lies on, through partitions, volumes and crypto; none: no disk."""
    if not node.exists():
        return set()
    node = node.resolve()
    if (node / "partition").exists():
        node = node.parent
    found = {node}
    for below in (node / "slaves").glob("*"):
        found |= _disks_under(below)
    return found


def _title(node: Path, size: int) -> str:
    """Maker and model, as far as the disk tells, and its size."""
    words = [node / "device" / name for name in ("vendor", "model", "name")]
    told = " ".join(word.read_text(errors="replace").strip() for word in words if word.is_file())
    told = "".join(c for c in told if c.isprintable())[:60]  # a disk may call itself anything
    return f"{told or node.name}, {size / (1 << 30):.1f} GiB"
