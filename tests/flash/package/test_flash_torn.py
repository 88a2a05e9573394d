"""`cylindre flash` stopped in the middle: by hand, by a pulled plug, by an image that goes away."""

import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flashing import COMMAND, MIB, environment
from patience import LAST_RESORT_S

from firmware.lib.errors import Failure
from tools.image import blockmap, writing

Loop = Callable[..., Path]
PIPE = 4096  # bytes: the least a pipe holds
# Room in the pipe that takes its progress: it stands still when that is full, and so is in the
# middle. A line of writing has 33 bytes; there are 6, then 38 for the first of reading back.
WRITING, READING = 100, 250
HALF = "What is on it is half written and starts nothing: flash it again.\n"
needs_root = pytest.mark.needs("root")


@contextmanager
def stopped(image: Path, disk: Path, room: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A flash that stands still as soon as `room` bytes of its progress are told; and its pipe."""
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE)
    os.write(write, bytes(PIPE - room))
    process = subprocess.Popen(
        [*COMMAND, str(image), str(disk), "--yes", "--json"],
        env=environment(),
        cwd=image.parent,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    try:
        while waiting(read) < PIPE - 40:
            assert process.poll() is None
            select.select([process.stderr], [], [], 0.01)
        yield process, read
    finally:
        process.kill()
        process.wait()
        os.close(read)


def waiting(handle: int) -> int:
    """Bytes in a pipe."""
    return int.from_bytes(fcntl.ioctl(handle, termios.FIONREAD, bytes(4)), sys.byteorder)


def end(process: subprocess.Popen[str], read: int) -> str:
    """Lets it go on to its end; what it complained of."""
    while os.read(read, PIPE):
        pass
    return process.communicate(timeout=LAST_RESORT_S)[1]


def unplug(disk: Path) -> None:
    """As Linux does with a disk that was unplugged: those who have it open find no byte there."""
    get, put = 0x4C05, 0x4C04  # LOOP_GET_STATUS64, LOOP_SET_STATUS64 (linux/loop.h)
    with disk.open("rb") as file:
        status = bytearray(232)
        fcntl.ioctl(file, get, status)
        status[24:32] = os.lseek(file.fileno(), 0, os.SEEK_END).to_bytes(8, sys.byteorder)
        fcntl.ioctl(file, put, status)  # it begins where its file ends
        assert os.lseek(file.fileno(), 0, os.SEEK_END) == 0


def start_of(disk: Path) -> bytes:
    subprocess.run(["blockdev", "--flushbufs", str(disk)], check=True)
    with disk.open("rb") as file:
        return file.read(512)


@needs_root
@pytest.mark.parametrize(
    ("room", "state"),
    [(WRITING, "half written and starts nothing"), (READING, "written, but was not read back")],
)
def test_interrupted_it_says_how_far_it_came(
    image: Path, loop: Loop, room: int, state: str
) -> None:
    disk = loop(64 * MIB)
    with stopped(image, disk, room) as (process, _):
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=LAST_RESORT_S)
    assert process.returncode == 130
    assert said == f"Interrupted. {disk} is {state}: flash it again.\n"
    assert (start_of(disk) == bytes(512)) == (room == WRITING)


@needs_root
@pytest.mark.parametrize(
    ("room", "then"),
    [
        (WRITING, HALF),
        (READING, "It is written, but could not be read back: flash it again.\n"),
    ],
)
def test_a_disk_unplugged_in_the_middle_is_not_called_full(
    image: Path, loop: Loop, room: int, then: str
) -> None:
    disk = loop(64 * MIB)
    with stopped(image, disk, room) as (process, read):
        unplug(disk)
        said = end(process, read)
    assert process.returncode == 1
    assert said == f"The disk was unplugged. {then}"


@needs_root
def test_an_image_cut_short_meanwhile_starts_nothing(image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB)
    with stopped(image, disk, WRITING) as (process, read):
        os.truncate(image, 20 * MIB)
        said = end(process, read)
    assert process.returncode == 1
    assert said == f"The image ends before its block map does. {HALF}"
    assert start_of(disk) == bytes(512)


def test_an_image_whose_own_disk_goes_away_is_one_sentence(image: Path) -> None:
    ranges = blockmap.parse(blockmap.path_of(image).read_bytes()).ranges
    unreadable = os.open(image, os.O_WRONLY)
    with pytest.raises(Failure) as failure:
        next(writing._read_image(unreadable, ranges))
    os.close(unreadable)
    assert failure.value.sentence == (
        "The image cannot be read at 0 MiB (bad file descriptor): copy it to this machine first. "
        + HALF.rstrip()
    )


def test_the_partition_table_cannot_reach_the_disk_before_the_rest(
    image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk's own memory keeps no order of what lies in it when the power goes."""
    found = blockmap.parse(blockmap.path_of(image).read_bytes())
    done: list[int | str] = []
    put, flush = os.pwrite, os.fsync
    monkeypatch.setattr(os, "pwrite", lambda *asked: done.append(asked[2]) or put(*asked))
    monkeypatch.setattr(os, "fsync", lambda handle: done.append("flushed") or flush(handle))
    handle = os.open(tmp_path / "disk", os.O_RDWR | os.O_CREAT)
    try:
        writing.write(handle, image, found, lambda count: None)
    finally:
        os.close(handle)
    first, *rest = [each.offset for each in found.ranges]
    assert done[:2] == [first, "flushed"]  # wiped
    assert done[-3:] == ["flushed", first, "flushed"]
    assert set(rest) <= set(done[2:-3])
