"""Disks that are loop devices, images with maps, and `cylindre flash` as people run it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import LAST_RESORT_S

from tools.image import blockmap

sys.path.insert(0, str(Path(__file__).parent))

from flashing import COMMAND, MIB, environment


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
            timeout=LAST_RESORT_S,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def made_image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `image` is a copy of."""
    path = tmp_path_factory.mktemp("made") / "wheel.img"
    path.write_bytes(os.urandom(510) + b"\x55\xaa" + os.urandom(48 * MIB - 512))
    regions = [(0, 4096), (4 * MIB, 20 * MIB), (40 * MIB, 12_288)]
    blockmap.path_of(path).write_text(blockmap.text(blockmap.of_image(path, regions)))
    return path


@pytest.fixture
def image(made_image: Path, tmp_path: Path) -> Path:
    """48 MiB, of which three regions matter; what lies between them is not zero either."""
    shutil.copy(blockmap.path_of(made_image), tmp_path)
    return Path(shutil.copy(made_image, tmp_path))


@pytest.fixture
def loop(tmp_path: Path, needs: Callable[..., None]) -> Iterator[Callable[..., Path]]:
    """Makes a disk of so many bytes out of a file; every byte of it is 0xAA before."""
    needs("loop devices")
    made: list[str] = []

    def attach(size: int, *options: str, at: Path | None = None) -> Path:
        file = (at or tmp_path) / f"disk{len(made)}"
        if at is None:
            file.write_bytes(b"\xaa" * size)
        else:
            file.touch()
            os.truncate(file, size)
        done = subprocess.run(
            ["losetup", "--show", "-f", *options, str(file)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        made.append(done.stdout.strip())
        return Path(made[-1])

    yield attach
    for each in made:
        subprocess.run(["losetup", "-d", each], check=False, capture_output=True)
