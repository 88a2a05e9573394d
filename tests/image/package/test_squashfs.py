"""How long the squashfs in a partition of an image is; and what is none."""

import io
import subprocess
from pathlib import Path

import pytest

from firmware.lib.partitions import MIB, Partition
from firmware.services.update.from_image import squashfs_length

PLACE = Partition(5, "root-a", 1, 1, "squashfs", 0x83)


def lying(data: bytes) -> io.BytesIO:
    return io.BytesIO(bytes(MIB) + data)


def superblock(size: int) -> bytes:
    return b"hsqs" + bytes(36) + size.to_bytes(8, "little")


@pytest.mark.needs("mksquashfs")
def test_a_real_one_says_how_long_it_is(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/file").write_bytes(bytes(range(256)) * 100)
    made = tmp_path / "made"
    subprocess.run(["mksquashfs", tmp_path / "in", made, "-quiet", "-nopad"], check=True)
    data = made.read_bytes()
    assert squashfs_length(lying(data + bytes(4096)), PLACE) == len(data)


def test_one_may_fill_its_partition_and_no_more() -> None:
    assert squashfs_length(lying(superblock(MIB)), PLACE) == MIB
    with pytest.raises(ValueError, match="damaged"):
        squashfs_length(lying(superblock(MIB + 1)), PLACE)


@pytest.mark.parametrize(
    "data", [b"", b"hsq", bytes(48), b"hsqs", superblock(0), superblock(1 << 63)]
)
def test_what_is_cut_short_or_something_else_is_none(data: bytes) -> None:
    with pytest.raises(ValueError, match="root-a"):
        squashfs_length(lying(data), PLACE)
