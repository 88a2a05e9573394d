"""Takes slot A out of an image, for a bundle: what is installed is what would be flashed."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from tools.exits import USAGE, Failure
from tools.image.layout import DISK_ID, MIB, SLOTS, Partition

_DISK_ID_AT = 0x1B8  # in the MBR: four bytes, low first
_MAGIC = b"hsqs"  # squashfs 4.0: the superblock's first four bytes,
_SIZE_AT = 40  # and where it says how many bytes the file system takes (eight bytes)
_COPY = MIB


def want_image(image: Path) -> None:
    """Raises Failure: it is no image of a wheel's card."""
    try:
        with image.open("rb") as file:
            head = file.read(512)
            file.seek(SLOTS[0].root.start_mib * MIB)
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise Failure(USAGE, f"{image}: {(error.strerror or str(error)).lower()}.") from None
    found = head[_DISK_ID_AT : _DISK_ID_AT + 4]
    if found != DISK_ID.to_bytes(4, "little") or magic != _MAGIC:
        text = f"{image} is no image of a wheel's card. Make one with cylindre image build."
        raise Failure(USAGE, text)


def take(image: Path, folder: Path) -> tuple[Path, Path]:
    """Its root and boot partition, as files in `folder`. Raises Failure and OSError."""
    want_image(image)
    root, boot = folder / "root-a", folder / "boot-a"
    with image.open("rb") as file:
        where = SLOTS[0].root
        file.seek(where.start_mib * MIB + _SIZE_AT)
        size = int.from_bytes(file.read(8), "little")
        if size > where.size_mib * MIB:
            raise Failure(USAGE, f"{image} is damaged: its root is longer than its partition.")
        _copy(file, where, root, size)
        # All of it: what is free at its end is packed to nothing.
        _copy(file, SLOTS[0].boot, boot, SLOTS[0].boot.size_mib * MIB)
    return root, boot


def _copy(file: BinaryIO, where: Partition, out: Path, size: int) -> None:
    file.seek(where.start_mib * MIB)
    with out.open("wb") as target:
        for at in range(0, size, _COPY):
            data = file.read(min(_COPY, size - at))
            if data.strip(b"\0"):
                target.seek(at)
                target.write(data)
        target.truncate(size)
