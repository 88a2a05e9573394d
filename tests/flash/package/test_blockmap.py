"""The block map: what it says of an image, what bmaptool says of it, and what it refuses."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.image import blockmap
from tools.image.blockmap import BLOCK, BlockMap, MapError, Range

MIB = 1 << 20


def test_a_map_reads_back_as_it_was_written(image: Path) -> None:
    found = blockmap.parse(blockmap.path_of(image).read_bytes())
    # 20 MiB are two ranges: one hash covers 16 MiB at most.
    assert [(each.offset, each.size) for each in found.ranges] == [
        (0, 4096),
        (4 * MIB, 16 * MIB),
        (20 * MIB, 4 * MIB),
        (40 * MIB, 12_288),
    ]
    assert (found.image_size, found.mapped_size) == (48 * MIB, 4096 + 20 * MIB + 12_288)


@pytest.mark.needs("bmaptool")
def test_bmaptool_takes_our_map_and_writes_the_same(image: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    subprocess.run(["bmaptool", "copy", str(image), str(target)], check=True, capture_output=True)
    wrote, source = target.read_bytes(), image.read_bytes()
    for each in blockmap.parse(blockmap.path_of(image).read_bytes()).ranges:
        end = each.offset + each.size
        assert wrote[each.offset : end] == source[each.offset : end]
    assert wrote[2 * MIB : 3 * MIB] == bytes(MIB)  # between the ranges nothing was written


@pytest.mark.needs("bmaptool")
def test_a_map_of_bmaptool_is_read(tmp_path: Path) -> None:
    path = tmp_path / "theirs.img"
    path.write_bytes(os.urandom(BLOCK * 3))
    made = subprocess.run(["bmaptool", "create", str(path)], check=True, capture_output=True)
    assert [each[:2] for each in blockmap.parse(made.stdout).ranges] == [(0, BLOCK * 3)]


@given(st.data())
def test_a_damaged_map_is_refused(data: st.DataObject) -> None:
    good = blockmap.text(BlockMap(8 * BLOCK, (Range(0, BLOCK, "ab" * 32),))).encode()
    at = data.draw(st.integers(0, len(good) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != good[at]))
    with pytest.raises(MapError):
        blockmap.parse(good[:at] + bytes([byte]) + good[at + 1 :])


@given(st.binary(max_size=400))
def test_what_is_no_map_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(MapError) as refused:
        blockmap.parse(data)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "ranges",
    [
        (),
        (Range(BLOCK, BLOCK, "ab" * 32), Range(0, BLOCK, "ab" * 32)),
        (Range(0, 2 * BLOCK, "ab" * 32), Range(BLOCK, BLOCK, "ab" * 32)),
        (Range(7 * BLOCK, 2 * BLOCK, "ab" * 32),),
        (Range(0, BLOCK, "xy" * 32),),
    ],
)
def test_ranges_that_do_not_lie_in_the_image_in_order_are_refused(
    ranges: tuple[Range, ...],
) -> None:
    with pytest.raises(MapError):
        blockmap.parse(blockmap.text(BlockMap(8 * BLOCK, ranges)).encode())


def test_a_map_that_would_grow_when_read_is_refused() -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "cccc">]><bmap version="2.0">&b;</bmap>'
    with pytest.raises(MapError, match="no block map"):
        blockmap.parse(bomb)
