"""What holds the head of the journal: one suite for the chip and for the file, then the file."""

import errno
import hashlib
import os

import pytest

from drivers.fram_mb85rc256v import FramMb85rc256v
from firmware.shims.virtual import VirtualMachine
from firmware.store.fram import START, Head, HeadError, Point, Slot
from firmware.store.fram_file import FileFram
from tools.sim.chips import attach

SIZE = 32_768


def point(n):
    return Point(n, hashlib.sha256(b"row %d" % n).digest())


# --- one suite for all that may hold it ---------------------------------------------------------
def chip_memory(path):
    machine = VirtualMachine()
    attach(machine, 1, 0x50)
    return FramMb85rc256v(machine.I2C(1))


@pytest.fixture(params=[chip_memory, FileFram], ids=["chip", "file"])
def memory(request, tmp_path):
    return request.param(tmp_path / "fram")


def test_a_new_one_is_blank_and_whole(memory):
    assert memory.read(0, SIZE) == bytes(SIZE)


def test_what_is_written_is_there_and_nothing_else_moved(memory):
    memory.write(0x0FFF, b"over a page")
    assert memory.read(0x0FFE, 13) == b"\0over a page\0"
    memory.write(SIZE - 2, b"ab")
    assert memory.read(SIZE - 3, 3) == b"\0ab"
    assert memory.read(0, 4) == bytes(4)
    assert memory.read(9, 0) == b""


@pytest.mark.parametrize(("at", "size"), [(SIZE - 1, 2), (SIZE, 1), (-1, 1)])
def test_beyond_its_end_there_is_nothing(memory, at, size):
    with pytest.raises(ValueError, match="32768 bytes"):
        memory.read(at, size)
    with pytest.raises(ValueError, match="32768 bytes"):
        memory.write(at, bytes(size))


def test_the_head_goes_through_its_life_in_it(memory):
    head = Head(memory)
    assert head.state is None
    assert memory.read(0, SIZE) == bytes(SIZE)
    head.before(START, point(1), 1)
    head.after()
    head.before(point(1), point(4), 1, b"a result")
    again = Head(memory)
    assert again.fram_id == head.fram_id
    assert again.state == Slot(2, head.fram_id, 1, point(1), point(4), b"a result")
    again.after()
    assert Head(memory).state == Slot(3, head.fram_id, 1, point(4), point(4), None)


# --- a file that stands in ----------------------------------------------------------------------
def test_a_file_is_made_whole_with_nothing_beside_it(tmp_path):
    path = tmp_path / "new" / "fram.bin"
    FileFram(path).close()
    assert path.read_bytes() == bytes(SIZE)
    assert os.listdir(path.parent) == ["fram.bin"]


@pytest.fixture
def no_links(monkeypatch):
    """A stick with FAT."""

    def link(source, to):
        raise OSError(errno.EPERM, "Operation not permitted", str(to))

    monkeypatch.setattr(os, "link", link)


def test_on_a_stick_with_fat_a_file_is_made_whole_too(tmp_path, no_links):
    path = tmp_path / "fram.bin"
    FileFram(path).close()
    assert path.read_bytes() == bytes(SIZE)
    assert os.listdir(tmp_path) == ["fram.bin"]


def test_on_a_full_stick_with_fat_nothing_is_left_and_it_is_one_sentence(
    tmp_path, no_links, monkeypatch
):
    path, real = tmp_path / "fram.bin", os.fsync

    def fsync(handle):
        if path.exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(HeadError, match="no space left on device"):
        FileFram(path)
    assert os.listdir(tmp_path) == []


def test_a_file_keeps_what_was_written(tmp_path):
    path = tmp_path / "fram.bin"
    memory = FileFram(path)
    memory.write(100, b"kept")
    memory.close()
    memory.close()
    assert FileFram(path).read(100, 4) == b"kept"


def test_a_write_is_synced_before_it_returns(tmp_path, monkeypatch):
    memory, synced = FileFram(tmp_path / "fram.bin"), []
    real = os.fdatasync
    monkeypatch.setattr(
        os, "fdatasync", lambda file: (synced.append(path.read_bytes()), real(file))
    )
    path = memory.path
    memory.write(7, b"now")
    assert synced[0][7:10] == b"now"


@pytest.mark.parametrize("size", [0, 1, SIZE - 1, SIZE + 1])
def test_a_torn_file_is_one_sentence_and_stays_as_it_is(tmp_path, size):
    path = tmp_path / "fram.bin"
    path.write_bytes(b"x" * size)
    with pytest.raises(HeadError, match=f"^{path} has {size} bytes, and a FRAM has 32768: it is"):
        FileFram(path)
    assert path.read_bytes() == b"x" * size


def test_two_controllers_do_not_share_one(tmp_path):
    path = tmp_path / "fram.bin"
    first = FileFram(path)
    with pytest.raises(HeadError, match="Another controller uses"):
        FileFram(path)
    first.write(0, b"mine")
    assert FileFram(path, read_only=True).read(0, 4) == b"mine"
    first.close()
    assert FileFram(path).read(0, 4) == b"mine"


def test_looking_at_one_makes_none(tmp_path):
    path = tmp_path / "fram.bin"
    with pytest.raises(HeadError, match=r"Cannot use .*: no such file"):
        FileFram(path, read_only=True)
    assert not path.exists()


@pytest.mark.parametrize("what", ["folder", "device", "broken link", "folder in the way"])
def test_what_is_no_file_is_one_sentence(tmp_path, what):
    path = tmp_path / "fram.bin"
    if what == "folder":
        path.mkdir()
    elif what == "device":
        path.symlink_to("/dev/null")
    elif what == "broken link":
        path.symlink_to(tmp_path / "nowhere")
    else:
        (tmp_path / "file").touch()
        path = tmp_path / "file" / "fram.bin"
    with pytest.raises(HeadError, match=r"--fram\.$"):
        FileFram(path)


def test_a_file_cut_while_in_use_is_an_os_error(tmp_path):
    memory = FileFram(tmp_path / "fram.bin")
    os.truncate(memory.path, 10)
    with pytest.raises(OSError, match="was cut while in use"):
        memory.read(0, 1024)
