"""Disks that are loop devices, images with maps, and `cylindre flash` as people run it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tools.image import blockmap

sys.path.insert(0, str(Path(__file__).parent))

from flashing import COMMAND, MIB, PATIENCE_S, environment


@pytest.fixture
def flash(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def run(*options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *map(str, options)],
            cwd=tmp_path,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    return run


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """48 MiB, of which three regions matter; what lies between them is not zero either."""
    path = tmp_path / "wheel.img"
    path.write_bytes(os.urandom(510) + b"\x55\xaa" + os.urandom(48 * MIB - 512))
    regions = [(0, 4096), (4 * MIB, 20 * MIB), (40 * MIB, 12_288)]
    blockmap.path_of(path).write_text(blockmap.text(blockmap.of_image(path, regions)))
    return path


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Makes a disk of so many bytes out of a file; every byte of it is 0xAA before."""
    made: list[str] = []

    def attach(size: int, *options: str, at: Path | None = None) -> Path:
        file = (at or tmp_path) / f"disk{len(made)}"
        if at is None:
            file.write_bytes(b"\xaa" * size)
        else:
            file.touch()
            os.truncate(file, size)
        done = subprocess.run(
            ["losetup", "--show", "-f", *options, str(file)], capture_output=True, text=True
        )
        if done.returncode != 0:
            pytest.skip(f"no loop device can be had here: {done.stderr.strip()}")
        made.append(done.stdout.strip())
        return Path(made[-1])

    yield attach
    for each in made:
        subprocess.run(["losetup", "-d", each], check=False, capture_output=True)
