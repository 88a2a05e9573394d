"""A card in a file: the partitions of firmware/lib/partitions.py, and what lies in them."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from firmware.lib import programs
from firmware.lib.partitions import (
    DISK_ID,
    MIB,
    PARTITIONS,
    SIZE_MIB,
    STATE_COPY,
    STATE_FILE,
    Partition,
    partition,
)
from firmware.services.update import bootenv

_CHUNK = MIB


def make(card: Path, *, root: Path, boot: Path) -> None:
    """A card as it is flashed: slot A holds these two images, slot B nothing. Raises Failure."""
    with card.open("wb") as file:
        file.truncate(SIZE_MIB * MIB)
    table = [f"label: dos\nlabel-id: 0x{DISK_ID:08x}\nunit: sectors"]
    for each in PARTITIONS:
        start, size = each.start_mib * 2048, each.size_mib * 2048
        table.append(f"{each.number} : start={start}, size={size}, type={each.mbr_type:x}")
    programs.run("sfdisk", "-q", card, given=("\n".join(table) + "\n").encode())
    _format(card, partition("firmware"), "mkfs.fat", "-n", "FIRMWARE")
    _format(card, partition("data"), "mkfs.ext4", "-q", "-F", "-L", "data")
    put(card, partition("root-a"), root)
    put(card, partition("boot-a"), boot)
    for name in (STATE_FILE, STATE_COPY):
        write_word_file(card, name, bootenv.flashed())


def boot_image(image: Path, text: str) -> None:
    """A small FAT image, as a boot partition would be, with some text on it."""
    with image.open("wb") as file:
        file.truncate(MIB)
    programs.run("mkfs.fat", "-n", "BOOT", image)
    programs.run("mcopy", "-i", image, "-", "::cmdline.txt", given=text.encode())


def put(card: Path, where: Partition, image: Path) -> None:
    """Writes an image over a partition; what is empty of it stays a hole of the file."""
    with image.open("rb") as source, card.open("r+b") as target:
        at = where.start_mib * MIB
        while data := source.read(_CHUNK):
            if data.strip(b"\0"):
                target.seek(at)
                target.write(data)
            at += len(data)


def holds(card: Path, where: Partition, image: Path) -> bool:
    """Whether that partition begins with that image, to the byte."""
    with card.open("rb") as file:
        file.seek(where.start_mib * MIB)
        found = hashlib.sha256(file.read(image.stat().st_size))
    return found.digest() == hashlib.sha256(image.read_bytes()).digest()


def digest(card: Path, where: Partition) -> str:
    """The hash of all of a partition, what is empty of it too."""
    found, left = hashlib.sha256(), where.size_mib
    with card.open("rb") as file:
        file.seek(where.start_mib * MIB)
        while left > 0:
            found.update(file.read(_CHUNK))
            left -= _CHUNK // MIB
    return found.hexdigest()


def read_word_file(card: Path, name: str) -> bytes:
    """A file of the partition `firmware`; empty: it is not there."""
    done = subprocess.run(["mtype", "-i", _at(card), f"::{name}"], capture_output=True, check=False)
    return done.stdout


def write_word_file(card: Path, name: str, data: bytes) -> None:
    """Writes one."""
    programs.run("mcopy", "-o", "-i", _at(card), "-", f"::{name}", given=data)


def copy(card: Path, to: Path) -> None:
    """As it is now, with its holes."""
    programs.run("cp", "--sparse=always", "--reflink=auto", card, to)


def _format(card: Path, where: Partition, *command: str) -> None:
    beside = card.with_suffix(f".{where.name}")
    with beside.open("wb") as file:
        file.truncate(where.size_mib * MIB)
    programs.run(*command, beside)
    put(card, where, beside)
    beside.unlink()


def _at(card: Path) -> str:
    return f"{card}@@{partition('firmware').start_mib * MIB}"
