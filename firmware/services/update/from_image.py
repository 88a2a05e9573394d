"""Takes slot A out of an image, for a bundle: what is installed is what would be flashed."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from firmware.lib.errors import USAGE, Failure, of_file
from firmware.lib.language import Message
from firmware.lib.named_file import open_file
from firmware.lib.partitions import DISK_ID, MIB, SLOTS, Partition

_MAGIC = b"hsqs"  # the superblock's first four bytes,
_SIZE_AT = 40  # and where it says how many bytes the file system takes: eight, low first


def squashfs_length(image: BinaryIO, place: Partition) -> int:
    """Returns the bytes of the one in that partition of an image. Raises ValueError: why it is
    none."""
    image.seek(place.start_mib * MIB)
    head = image.read(_SIZE_AT + 8)
    if not head.startswith(_MAGIC):
        raise ValueError(Message("{name} holds no squashfs", name=place.name))
    size = int.from_bytes(head[_SIZE_AT:], "little")
    if not len(head) <= size <= place.size_mib * MIB:
        raise ValueError(Message("the squashfs in {name} is damaged", name=place.name))
    return size


_DISK_ID_AT = 0x1B8  # in the MBR: four bytes, low first
_COPY = MIB


def want_image(image: Path) -> int:
    """Returns the bytes of the root in slot A. Raises Failure: it is no image of a wheel's card."""
    try:
        with open_file(image) as file:
            table = file.read(512)
            if table[_DISK_ID_AT : _DISK_ID_AT + 4] != DISK_ID.to_bytes(4, "little"):
                raise ValueError(Message("its partitions are another disk's"))
            return squashfs_length(file, SLOTS[0].root)
    except OSError as error:
        raise of_file(image, error, USAGE) from None
    except ValueError as why:
        text = Message(
            "{image} is no image of a wheel's card: {why}. Make one with cylindre image build.",
            image=image,
            why=str(why),
        )
        raise Failure(USAGE, text) from None


def extract_slot(image: Path, folder: Path) -> tuple[Path, Path]:
    """Returns its root and boot partition, as files in `folder`. Raises Failure and OSError."""
    size = want_image(image)
    slot, root, boot = SLOTS[0], folder / "root-a", folder / "boot-a"
    with open_file(image) as file:
        _copy(file, slot.root, root, size)
        # All of it: what is free at its end is packed to nothing.
        _copy(file, slot.boot, boot, slot.boot.size_mib * MIB)
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
