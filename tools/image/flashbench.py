"""How fast a card is written: `python -m tools.image.flashbench [--card MIB_S] [--image IMAGE]`.

Ours beside `dd`, synced and past the page cache, and `bmaptool copy`, in turn, the order turned by
one each round; the first round warms up and does not count. Ours is told in two: writing, which is
what dd and bmaptool do, and reading back, which they do not.

Without --disk the disk is a loop device that passes the page cache of its file (or that file where
none can be had), as fast as the machine's own disk; --card slows it down to a card's speed. Without
--image all ways write the same random bytes, and what a block map saves is left out. With one, dd
writes all of it, the others what is mapped.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

import click

from firmware.lib.errors import FAILED, USAGE, Failure
from tools.image import blockmap, disk, writing
from tools.image.blockmap import BlockMap

MIB = 1 << 20
WRITE, VERIFY = "cylindre flash, writing", "cylindre flash, reading back"
DD, DD_DIRECT, BMAPTOOL = "dd conv=fsync", "dd oflag=direct conv=fsync", "bmaptool copy"
_DD = {DD: ("conv=fsync,notrunc",), DD_DIRECT: ("oflag=direct", "conv=fsync,notrunc")}

# Seconds of each counted round; `size`: bytes written.
Measured = NamedTuple("Measured", [("name", str), ("size", int), ("seconds", list[float])])
_CGROUP = Path("/sys/fs/cgroup/blkio")
_Way = Callable[[], dict[str, float]]  # does it once; what each part of it took, in seconds


def measure(
    target: Path, image: Path, found: BlockMap, rounds: int, *, tell: Callable[[int], None]
) -> dict[str, Measured]:
    """Each way, `rounds` times and once before. Raises Failure if one fails."""
    ways = [_ours(target, image, found), *(_dd(target, image, name) for name in _DD)]
    if shutil.which("bmaptool") is not None:
        ways.append(_program(BMAPTOOL, "bmaptool", "-q", "copy", str(image), str(target)))
    took: dict[str, list[float]] = {}
    for number in range(-1, rounds):
        for index in range(len(ways)):
            os.sync()
            for name, seconds in ways[(index + number) % len(ways)]().items():
                if number >= 0:
                    took.setdefault(name, []).append(seconds)
        tell(number + 1)
    whole = dict.fromkeys(_DD, found.image_size)
    order = (DD, DD_DIRECT, BMAPTOOL, WRITE, VERIFY)
    return {
        name: Measured(name, whole.get(name, found.mapped_size), took[name])
        for name in order
        if name in took
    }


def ratio(measured: dict[str, Measured], name: str = WRITE) -> float:
    """A way's time to the faster dd's in the same round, the median: 1.1 is 10 % more."""
    best = [min(pair) for pair in zip(measured[DD][2], measured[DD_DIRECT][2], strict=True)]
    return statistics.median(a / b for a, b in zip(measured[name].seconds, best, strict=True))


def against_dd(card: int | None, *, mib: int = 128, rounds: int = 3) -> tuple[float, float]:
    """Writing, and writing and reading back, as `ratio`, to a disk of `card` MiB/s made here.

    Raises Failure where there can be none.
    """
    with tempfile.TemporaryDirectory(prefix="cylindre-flashbench-") as name:
        image = Path(name) / "bench.img"
        found = _image(image, mib * MIB)
        with _disk(Path(name), mib * MIB, card) as target:
            measured = measure(target, image, found, rounds, tell=lambda number: None)
    pairs = zip(measured[WRITE].seconds, measured[VERIFY].seconds, strict=True)
    both = measured[WRITE]._replace(seconds=[sum(pair) for pair in pairs])
    return ratio(measured), ratio(measured | {WRITE: both})


def _ours(target: Path, image: Path, found: BlockMap) -> _Way:
    def way() -> dict[str, float]:
        with writing.opened(target) as handle:
            began_s = time.monotonic()
            writing.write(handle, image, found, lambda count: None)
            written_s = time.monotonic()
            writing.verify(handle, found, lambda count: None)
            return {WRITE: written_s - began_s, VERIFY: time.monotonic() - written_s}

    return way


def _dd(target: Path, image: Path, name: str) -> _Way:
    return _program(name, "dd", f"if={image}", f"of={target}", "bs=4M", *_DD[name])


def _program(name: str, *words: str) -> _Way:
    def way() -> dict[str, float]:
        began_s = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise Failure(FAILED, f"{name} failed: {why[:200]}")
        return {name: time.monotonic() - began_s}

    return way


@contextmanager
def _disk(folder: Path, size: int, card: int | None) -> Iterator[Path]:
    """A loop device of `card` MiB/s at most, or the file it would lie on."""
    file = folder / "disk"
    with file.open("wb") as opened:
        os.posix_fallocate(opened.fileno(), 0, size)
    done = None
    if os.geteuid() == 0 and shutil.which("losetup") is not None:
        words = ["losetup", "--direct-io=on", "--show", "-f", str(file)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done is None or done.returncode != 0:
        if card is not None:
            raise Failure(FAILED, "--card slows a loop device down, and none can be had here.")
        yield file
        return
    device = Path(done.stdout.strip())
    try:
        _slow(device, (card or 0) * MIB)
        yield device
    finally:
        with suppress(Failure):  # what could not be slowed down
            _slow(device, 0)
        subprocess.run(["losetup", "-d", str(device)], check=False)


def _slow(device: Path, bytes_s: int) -> None:
    """Limits how fast a disk is read and written, each; 0: not at all. Raises Failure."""
    number = (Path("/sys/class/block") / device.name / "dev").read_text().strip()
    for act in ("read", "write"):
        limit = _CGROUP / f"blkio.throttle.{act}_bps_device"
        if not limit.exists() and not bytes_s:
            continue
        try:
            limit.write_text(f"{number} {bytes_s}\n")
        except OSError as error:
            raise Failure(FAILED, f"--card needs cgroups of version 1: {error}.") from None


def _image(path: Path, size: int) -> BlockMap:
    with path.open("wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))
    found = blockmap.of_image(path, [(0, size)])
    blockmap.path_of(path).write_text(blockmap.text(found))
    return found


def _mapped(image: Path) -> BlockMap:
    try:
        return blockmap.parse(blockmap.path_of(image).read_bytes())
    except (OSError, blockmap.MapError):
        text = f"{image} has no block map beside it that can be used"
        raise Failure(USAGE, f"{text}: cylindre image build makes both.") from None


def table(measured: dict[str, Measured]) -> Iterator[str]:
    """The figures as lines: medians, the fastest and slowest round, and dd's time as 1."""
    yield f"{'':30}{'MiB':>6}{'median':>9}{'from':>8}{'to':>8}{'MiB/s':>8}{'of dd':>7}"
    for name, size, seconds in measured.values():
        middle = statistics.median(seconds)
        yield (
            f"{name:30}{size / MIB:6.0f}{middle:7.2f} s{min(seconds):8.2f}{max(seconds):8.2f}"
            f"{size / MIB / middle:8.0f}{ratio(measured, name):7.2f}"
        )


def _main(
    target: Path | None, image: Path | None, card: int | None, mib: int, rounds: int
) -> None:  # fmt: skip
    found = None if image is None else _mapped(image)
    size = mib * MIB if found is None else found.image_size
    with tempfile.TemporaryDirectory(prefix="cylindre-flashbench-") as name:
        folder = Path(name)
        if target is not None:
            target = disk.find(target, size).path
        if image is None or found is None:
            image = folder / "bench.img"
            found = _image(image, size)
        with nullcontext(target) if target is not None else _disk(folder, size, card) as where:
            click.echo(f"{where}, {rounds} rounds", err=True)
            measured = measure(
                where, image, found, rounds, tell=lambda n: click.echo(f"round {n} done", err=True)
            )
    for line in table(measured):
        click.echo(line)


@click.command()
@click.option("--disk", "target", type=click.Path(path_type=Path), help="All on it is lost.")
@click.option("--image", type=click.Path(path_type=Path), help="With its .bmap beside it.")
@click.option("--card", type=click.IntRange(1), help="MiB/s at most, of a loop device.")
@click.option("--mib", default=256, show_default=True, type=click.IntRange(1, 4096))
@click.option("--rounds", default=7, show_default=True, type=click.IntRange(1, 99))
def main(
    target: Path | None, image: Path | None, card: int | None, mib: int, rounds: int
) -> None:  # fmt: skip
    """Print how long each way takes, and how ours stands to dd."""
    try:
        if target is not None and card is not None:
            raise Failure(USAGE, "--card is for a loop device: give --disk or --card.")
        _main(target, image, card, mib, rounds)
    except Failure as failure:
        click.echo(failure.sentence, err=True)
        sys.exit(failure.exit_code)
    except OSError as error:
        click.echo(f"The files of the comparison cannot be made: {error}.", err=True)
        sys.exit(FAILED)


if __name__ == "__main__":
    main()
