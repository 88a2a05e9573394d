"""How fast a card is written: `python -m tools.image.flashbench [--disk DEVICE]`.

Ours beside `dd bs=4M conv=fsync` and `bmaptool copy`, of the same bytes to the same disk, in turn;
without --disk the disk is a loop device. An image that is mapped whole: what a map saves is left
out of the comparison.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tools.exits import FAILED, Failure
from tools.image import blockmap, disk, writing

MIB = 1 << 20


@contextmanager
def _loop(folder: Path, size: int) -> Iterator[Path]:
    file = folder / "disk"
    file.touch()
    with file.open("r+b") as opened:
        os.posix_fallocate(opened.fileno(), 0, size)
    done = subprocess.run(
        ["losetup", "--show", "-f", str(file)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Failure(FAILED, "No loop device can be had here: run it as root, or give --disk.")
    device = Path(done.stdout.strip())
    try:
        yield device
    finally:
        subprocess.run(["losetup", "-d", str(device)], check=False)


def _image(path: Path, size: int) -> blockmap.BlockMap:
    with path.open("wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))
    found = blockmap.of_image(path, [(0, size)])
    blockmap.path_of(path).write_text(blockmap.text(found))
    return found


def _ways(image: Path, found: blockmap.BlockMap, target: Path) -> dict[str, Callable[[], object]]:
    def ours() -> None:
        with writing.opened(target) as handle:
            writing.write(handle, image, found, lambda count: None)

    def program(*words: str) -> Callable[[], object]:
        return lambda: subprocess.run(words, check=True, capture_output=True)

    dd = ("dd", f"if={image}", f"of={target}", "bs=4M", "conv=fsync")
    ways: dict[str, Callable[[], object]] = {"cylindre flash": ours, "dd, synced": program(*dd)}
    if shutil.which("bmaptool") is not None:
        ways["bmaptool"] = program("bmaptool", "-q", "copy", str(image), str(target))
    return ways


def measure(target: Path, folder: Path, size: int, runs: int) -> dict[str, float]:
    """Seconds each way takes, the median of `runs`; everything cached is written out before."""
    image = folder / "bench.img"
    ways = _ways(image, _image(image, size), target)
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            os.sync()
            began_s = time.monotonic()
            way()
            took[name].append(time.monotonic() - began_s)
    return {name: statistics.median(seconds) for name, seconds in took.items()}


@click.command()
@click.option("--disk", "target", type=click.Path(path_type=Path), help="All on it is lost.")
@click.option("--mib", default=256, show_default=True, type=click.IntRange(1, 4096))
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1, 99))
def main(target: Path | None, mib: int, runs: int) -> None:
    """Print how long each way takes, and how ours stands to dd."""
    size = mib * MIB
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if target is None:
            with _loop(folder, size) as device:
                took = measure(device, folder, size, runs)
        else:
            took = measure(disk.find(target, size).path, folder, size, runs)
    for name, seconds in took.items():
        ratio = seconds / took["dd, synced"]
        click.echo(f"{name:16} {seconds:7.2f} s  {mib / seconds:7.1f} MiB/s  {ratio:5.2f} of dd")


if __name__ == "__main__":
    main()
