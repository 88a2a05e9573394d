"""Is this a disk that may be written whole? What Linux says of it in /sys and /proc."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import FAILED, NO_DEVICE, USAGE, Failure, cause
from firmware.lib.language import Message

_SYS, _PROC = Path("/sys"), Path("/proc")
_SECTOR = 512  # /sys counts in these, whatever the disk's own are
_SYSTEM = ("/", "/usr", "/boot", "/boot/efi", "/boot/firmware", "/var", "/home")

# `path`: its own, no link. `number`: the kernel's of the device; `sequence`: of what is in it now,
# another for another card in the same reader (Linux from 5.15 on, else 0).
Disk = NamedTuple(
    "Disk",
    [("path", Path), ("size", int), ("title", str), ("number", int), ("sequence", int)],
)


def find(path: Path, needed: int, image: Path | None = None) -> Disk:
    """The whole, idle, writable disk at `path`, of `needed` bytes at least. Raises Failure.

    `image`: what is to be written there; a disk that is made of that very file is refused.
    """
    about = _about(path)
    node = _node(path, about)
    size = int((node / "size").read_text()) * _SECTOR
    file = _file_of(node)
    if image is not None and file is not None and _is_same(file, image):
        raise Failure(
            USAGE,
            Message("{path} is made of {image} itself: choose a disk.", path=path, image=image),
        )
    if below := _lies_on(node, file):
        raise Failure(
            USAGE,
            Message(
                "{path} is no disk, it lies on {below}: choose a disk.", path=path, below=below
            ),
        )
    users = _users(node) | _file_users(node, file)
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
    sequence = node / "diskseq"
    turn = int(sequence.read_text()) if sequence.is_file() else 0
    return Disk(path.resolve(), size, _title(node, size), about.st_rdev, turn)


def _about(path: Path) -> os.stat_result:
    """What lies there. Raises Failure if nothing does."""
    try:
        return _stat(path)
    except FileNotFoundError:
        text = Message(
            "There is no {path}: plug the card in, and look for its name with lsblk.", path=path
        )
        raise Failure(NO_DEVICE, text) from None
    except (OSError, ValueError) as error:
        why = cause(error) if isinstance(error, OSError) else Message("it is no name of a file")
        raise Failure(USAGE, Message("{}: {}.", path, why)) from None


def _node(path: Path, found: os.stat_result) -> Path:
    """The disk's folder in /sys. Raises Failure for what is no whole disk."""
    if not stat.S_ISBLK(found.st_mode):
        text = Message(
            "{path} is no disk: give the card's own name as lsblk shows it, as /dev/sdb.", path=path
        )
        raise Failure(USAGE, text)
    number = f"{os.major(found.st_rdev)}:{os.minor(found.st_rdev)}"
    node = (_SYS / "dev/block" / number).resolve()
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
        if disk in _disks_under(_SYS / "dev/block" / number)
    }
    for node in (disk, *(each.parent for each in disk.glob("*/partition"))):
        users.update(holder.name for holder in (node / "holders").glob("*"))
    return users


def _file_of(disk: Path) -> Path | None:
    """The file that a loop device is made of; None: it is none, or that file has no name here."""
    try:
        name = (disk / "loop/backing_file").read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    file = Path(name.removesuffix("\n"))
    return file if _is_same(file, file) else None


def _lies_on(disk: Path, file: Path | None) -> str | None:
    """What other disk is written in its place: below a volume, a mapping, a loop over a device."""
    if file is not None and stat.S_ISBLK(_stat(file).st_mode):
        return str(file)
    names = sorted(each.name for each in (disk / "slaves").glob("*"))
    return f"/dev/{names[0]}" if names else None


def _file_users(disk: Path, file: Path | None) -> set[str]:
    """What uses the file of a loop device: swap, and what lies on another loop device of it."""
    if file is None:
        return set()
    found = {"swap" for name in _swap_names() if _is_same(Path(name), file)}
    for other in (_SYS / "block").glob("loop*"):
        node = other.resolve()
        others = None if node == disk else _file_of(node)
        if others is not None and _is_same(others, file):
            found |= _users(node)
    return found


def _is_same(one: Path, other: Path) -> bool:
    """Whether both are one file, by whatever name."""
    try:
        return os.path.samestat(_stat(one), _stat(other))
    except (OSError, ValueError):
        return False


def _mounts() -> list[tuple[str, str]]:
    found = []
    for line in (_PROC / "self/mountinfo").read_text("utf-8", "replace").splitlines():
        words = line.split()
        number, where = words[2], _unescaped(words[4])
        source = words[words.index("-") + 2]
        if number.startswith("0:"):  # btrfs and the like hide their disk's number
            number = _number_of(source) or number
        found.append((number, where))
    return found


def _swaps() -> list[tuple[str, str]]:
    found = [_number_of(name) for name in _swap_names()]
    return [(number, "swap") for number in found if number is not None]


def _swap_names() -> list[str]:
    lines = (_PROC / "swaps").read_text("utf-8", "replace").splitlines()[1:]
    return [_unescaped(line.split()[0]) for line in lines]


def _unescaped(word: str) -> str:
    """A path as the kernel lists it, with octal numbers for what would part words."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), word)


def _stat(path: Path | str) -> os.stat_result:
    return os.stat(path)


def _number_of(path: str) -> str | None:
    try:
        found = _stat(path)
    except OSError:
        return None
    if stat.S_ISBLK(found.st_mode):
        return f"{os.major(found.st_rdev)}:{os.minor(found.st_rdev)}"
    return f"{os.major(found.st_dev)}:{os.minor(found.st_dev)}"


def _disks_under(node: Path) -> set[Path]:
    """The disks a block device lies on, through partitions, volumes, crypto and loops; none: no
    disk.
    """
    if not node.exists():
        return set()
    node = node.resolve()
    if (node / "partition").exists():
        node = node.parent
    found = {node}
    for below in (node / "slaves").glob("*"):
        found |= _disks_under(below)
    file = _file_of(node)
    if file is not None and stat.S_ISBLK(_stat(file).st_mode):
        found |= _disks_under(_SYS / "dev/block" / f"{_number_of(str(file))}")
    return found


def _title(node: Path, size: int) -> str:
    """Maker and model, as far as the disk tells, and its size."""
    words = [node / "device" / name for name in ("vendor", "model", "name")]
    told = " ".join(word.read_text(errors="replace").strip() for word in words if word.is_file())
    told = "".join(c for c in told if c.isprintable())[:60]  # a disk may call itself anything
    return f"{told or node.name}, {size / (1 << 30):.1f} GiB"
