"""A block map (bmap 2.0, as bmaptool reads it): which parts of an image matter, each with its hash.

What is not mapped need not be written: a card of 1.5 GiB takes some 300 MiB.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from firmware.lib.language import Message

BLOCK = 4096
RANGE_MAX = 16 << 20  # bytes under one hash: what a torn copy is narrowed down to
MAP_MAX = 1 << 20  # bytes of a map; ours has under 100 ranges of 130 bytes
IMAGE_MAX = 64 << 30
_CHUNK = 4 << 20
_NO_HASH = "0" * 64

Range = NamedTuple("Range", [("offset", int), ("size", int), ("sha256", str)])


class BlockMap(NamedTuple):
    """An image's size and its mapped ranges, in order, in bytes, all of whole blocks."""

    image_size: int
    ranges: tuple[Range, ...]

    @property
    def mapped_size(self) -> int:
        """Bytes to be written."""
        return sum(each.size for each in self.ranges)


class MapError(ValueError):
    """A map that cannot be used: one sentence."""


def path_of(image: Path) -> Path:
    """Where an image's map lies: beside it, as bmaptool looks for it."""
    return image.with_suffix(".bmap")


def of_image(image: Path, regions: Iterable[tuple[int, int]]) -> BlockMap:
    """The map of `regions` (offset and size in bytes, in order), with their hashes."""
    ranges = []
    with image.open("rb") as file:
        for offset, size in regions:
            end = -(-(offset + size) // BLOCK) * BLOCK
            for start in range(offset, end, RANGE_MAX):
                length = min(RANGE_MAX, end - start)
                file.seek(start)
                digest = hashlib.sha256()
                for at in range(0, length, _CHUNK):
                    digest.update(file.read(min(_CHUNK, length - at)))
                ranges.append(Range(start, length, digest.hexdigest()))
    return BlockMap(image.stat().st_size, tuple(ranges))


def text(found: BlockMap) -> str:
    """The map as a file; its own hash is in it."""
    lines = [
        '<?xml version="1.0" ?>',
        '<bmap version="2.0">',
        f"    <ImageSize> {found.image_size} </ImageSize>",
        f"    <BlockSize> {BLOCK} </BlockSize>",
        f"    <BlocksCount> {found.image_size // BLOCK} </BlocksCount>",
        f"    <MappedBlocksCount> {found.mapped_size // BLOCK} </MappedBlocksCount>",
        "    <ChecksumType> sha256 </ChecksumType>",
        f"    <BmapFileChecksum> {_NO_HASH} </BmapFileChecksum>",
        "    <BlockMap>",
    ]
    for offset, size, sha256 in found.ranges:
        first, last = offset // BLOCK, (offset + size) // BLOCK - 1
        blocks = f"{first}-{last}" if last > first else f"{first}"
        lines.append(f'        <Range chksum="{sha256}"> {blocks} </Range>')
    lines += ["    </BlockMap>", "</bmap>", ""]
    whole = "\n".join(lines)
    return whole.replace(_NO_HASH, hashlib.sha256(whole.encode()).hexdigest(), 1)


def parse(data: bytes) -> BlockMap:
    """Reads a map. Raises MapError for one that is damaged, of another kind, or out of order."""
    if len(data) > MAP_MAX or b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise MapError(Message("It is no block map that cylindre or bmaptool makes."))
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        raise MapError(Message("It is no block map: it is not well-formed XML.")) from None
    if root.tag != "bmap" or not root.get("version", "").startswith("2."):
        raise MapError(Message("It is no block map of version 2."))
    if (root.findtext("ChecksumType") or "").strip() != "sha256":
        raise MapError(Message("Its hashes are not SHA-256."))
    _check_own_hash(data, (root.findtext("BmapFileChecksum") or "").strip())
    size, block = _number(root, "ImageSize"), _number(root, "BlockSize")
    if block != BLOCK or size % BLOCK or not 0 < size <= IMAGE_MAX:
        raise MapError(
            Message("Its image is not made of whole blocks of {block} bytes.", block=BLOCK)
        )
    ranges = tuple(_range(each) for each in root.findall("BlockMap/Range"))
    free = 0
    for each in ranges:
        if each.offset < free or each.size <= 0:
            raise MapError(Message("Its ranges are out of order."))
        free = each.offset + each.size
    if not ranges or free > size:
        raise MapError(Message("Its ranges do not lie in the image."))
    return BlockMap(size, ranges)


def _check_own_hash(data: bytes, own: str) -> None:
    zeroed = data.replace(own.encode(), _NO_HASH.encode(), 1)
    if len(own) != 64 or hashlib.sha256(zeroed).hexdigest() != own:
        raise MapError(
            Message("It is damaged: its own hash is another. Copy it again from its source.")
        )


def _number(root: ElementTree.Element, name: str) -> int:
    found = (root.findtext(name) or "").strip()
    if not re.fullmatch(r"[0-9]{1,15}", found):
        raise MapError(Message("Its {name} is no number.", name=name))
    return int(found)


def _range(element: ElementTree.Element) -> Range:
    blocks = re.fullmatch(r"\s*([0-9]{1,15})(?:-([0-9]{1,15}))?\s*", element.text or "")
    sha256 = element.get("chksum", "")
    if blocks is None or not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise MapError(Message("One of its ranges has no blocks or no hash."))
    first, last = int(blocks[1]), int(blocks[2] or blocks[1])
    return Range(first * BLOCK, (last - first + 1) * BLOCK, sha256)
