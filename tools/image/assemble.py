"""Puts an image together: partitions made as files, laid where partitions.py says, and their map.

Nothing in it tells when or where it was made: times are `epoch`, numbers come from the layout.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from firmware.lib import durable, partitions, programs
from firmware.lib.errors import FAILED, Failure
from firmware.lib.partitions import MIB, Partition
from tools.image import blockmap, firmware

# The kernel's own words; U-Boot adds root and slot. No console: the header's UART is the bus.
ARGS = (
    "ro rootfstype=squashfs rootwait panic=10 systemd.volatile=state fsck.repair=yes"
    " console=tty1 loglevel=3 systemd.show_status=no"
)
# fmt: off
NEEDED = (
    ("sfdisk", "fdisk"), ("mkfs.fat", "dosfstools"), ("mcopy", "mtools"),
    ("sqfstar", "squashfs-tools"), ("mkimage", "u-boot-tools"),
    ("dtc", "device-tree-compiler"), ("fdtoverlay", "device-tree-compiler"),
)
# fmt: on
_WIPE = MIB  # the start of a partition that is not shipped: no older file system is found there
_COPY = 4 * MIB


def image(out: Path, board: dict[str, Any], parts: Path, *, epoch: int, args: str = ARGS) -> None:
    """Makes the image `out` and its map from `parts`, which root.py fills. Raises Failure.

    `parts`: root.tar, vmlinuz, initrd.img, u-boot.bin, raspi-firmware/, trees/.
    """
    programs.require(NEEDED)
    partitions.check()
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".image-") as folder:
        made = _partitions(Path(folder), board, parts, epoch=epoch, args=args)
        new = Path(folder) / "image"
        with new.open("wb") as file:
            file.truncate(partitions.SIZE_MIB * MIB)
        _table(new, epoch)
        regions = _place(new, made)
        text = blockmap.text(blockmap.of_image(new, regions))
        durable.replace(blockmap.path_of(out), text.encode())
        os.replace(new, out)


def _partitions(
    folder: Path, board: dict[str, Any], parts: Path, *, epoch: int, args: str
) -> dict[str, Path]:
    """The partitions that are shipped: name and file."""
    trees = {name: folder / f"{name}.d" for name in ("firmware", "boot-a")}
    for tree in trees.values():
        tree.mkdir()
    firmware.write(trees["firmware"], board, parts, epoch=epoch)
    for name in (partitions.KERNEL, partitions.INITRD):
        shutil.copyfile(parts / name, trees["boot-a"] / name)
    (trees["boot-a"] / "args.txt").write_text(f"args={args}\n")
    made = {
        name: fat(folder, tree, partitions.partition(name), epoch) for name, tree in trees.items()
    }
    made["root-a"] = squashfs(folder / "root-a", parts / "root.tar", epoch)
    return made


def fat(folder: Path, tree: Path, place: Partition, epoch: int) -> Path:
    """A FAT32 file system with the files of `tree`. Raises Failure if they do not fit."""
    made = folder / place.name
    with made.open("wb") as file:
        file.truncate(place.size_mib * MIB)
    label = place.name.upper().replace("-", "_")
    number = f"{(partitions.DISK_ID + place.number) & 0xFFFFFFFF:08x}"
    programs.run(
        "mkfs.fat", "-F", "32", "-s", "1", "--invariant", "-i", number, "-n", label, made,
        epoch=epoch,
    )  # fmt: skip
    for path in sorted(tree.iterdir()):
        os.utime(path, (epoch, epoch))
        programs.run("mcopy", "-m", "-i", made, path, f"::{path.name}", epoch=epoch)
    return made


def squashfs(made: Path, tar: Path, epoch: int) -> Path:
    """A squashfs of an archive, whose times and owners stand."""
    programs.run(
        "sqfstar", "-quiet", "-no-progress", "-comp", "zstd", made, given=tar, epoch=epoch
    )  # fmt: skip
    return made


def _table(new: Path, epoch: int) -> None:
    lines = ["label: dos", f"label-id: 0x{partitions.DISK_ID:08x}"]
    sectors = MIB // 512
    for each in partitions.PARTITIONS:
        line = f"{each.number} : start={each.start_mib * sectors}, size={each.size_mib * sectors}"
        line += f", type={each.mbr_type:x}"
        lines.append(line + (", bootable" if each.name == "firmware" else ""))
    script = new.with_name("table")
    script.write_text("\n".join(lines) + "\n")
    programs.run("sfdisk", "--quiet", "--no-reread", new, given=script, epoch=epoch)


def _place(new: Path, made: dict[str, Path]) -> list[tuple[int, int]]:
    """Copies the partitions to their places; the regions that a card must get, in order."""
    regions = [(0, blockmap.BLOCK)]
    with new.open("r+b") as file:
        for each in partitions.PARTITIONS:
            start = each.start_mib * MIB
            if each.kind == "extended":
                continue
            if each.number > 4:
                regions.append((start - MIB, MIB))  # its entry of the table
            if each.name not in made:
                regions.append((start, _WIPE))
                continue
            size = made[each.name].stat().st_size
            if size > each.size_mib * MIB:
                text = f"needs {size // MIB} MiB, its partition has {each.size_mib}"
                raise Failure(FAILED, f"{each.name} {text}: leave packages out.")
            regions.append((start, _copy(made[each.name], file, start)))
    return regions


def _copy(source: Path, image: Any, start: int) -> int:
    """Copies up to the last byte that is not zero; returns how many bytes that were.

    A FAT's tables come before its files: what they say is free need not be written.
    """
    last = 0
    with source.open("rb") as file:
        at = 0
        while data := file.read(_COPY):
            used = len(data.rstrip(b"\0"))
            if used:
                image.seek(start + at)
                image.write(data[:used])
                last = at + used
            at += len(data)
    return last
