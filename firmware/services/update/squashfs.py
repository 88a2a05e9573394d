"""How long the squashfs in a partition is: its superblock says so (squashfs 4.0)."""

from __future__ import annotations

from typing import BinaryIO

from firmware.lib.partitions import MIB, Partition

_MAGIC = b"hsqs"  # the superblock's first four bytes,
_SIZE_AT = 40  # and where it says how many bytes the file system takes: eight, low first


def length(image: BinaryIO, place: Partition) -> int:
    """Bytes of the one in that partition of an image. Raises ValueError: why it is none."""
    image.seek(place.start_mib * MIB)
    head = image.read(_SIZE_AT + 8)
    if not head.startswith(_MAGIC):
        raise ValueError(f"{place.name} holds no squashfs")
    size = int.from_bytes(head[_SIZE_AT:], "little")
    if not len(head) <= size <= place.size_mib * MIB:
        raise ValueError(f"the squashfs in {place.name} is damaged")
    return size
