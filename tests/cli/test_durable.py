"""Files that a power cut leaves whole, and with the permissions that they are to have."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.lib import durable


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def refuse(*_: object) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def test_a_file_is_replaced_whole_or_not_at_all(path: Path) -> None:
    with pytest.raises(FileExistsError):
        durable.write_once(path, b"two", durable.OWNER_ONLY)
    assert path.read_bytes() == b"old"
    durable.replace(path, b"two", durable.FOR_ALL)
    assert (path.read_bytes(), mode(path)) == (b"two", 0o644)
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_a_mode_that_is_named_holds_whatever_the_umask_is(path: Path) -> None:
    before = os.umask(0o077)
    try:
        durable.replace(path, b"for all", durable.FOR_ALL)
    finally:
        os.umask(before)
    assert mode(path) == 0o644


def test_without_a_mode_none_is_asked_for_as_fat_would_refuse_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fchmod", refuse)
    before = os.umask(0o027)
    try:
        durable.replace(path, b"new")
    finally:
        os.umask(before)
    assert (path.read_bytes(), mode(path)) == (b"new", 0o640)


@pytest.mark.parametrize("step", ["fsync", "fchmod"])
def test_what_cannot_be_written_leaves_the_old_file_and_nothing_beside_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(os, step, refuse)
    with pytest.raises(PermissionError):
        durable.replace(path, b"new", durable.OWNER_ONLY)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_what_cannot_get_its_name_leaves_nothing_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(IsADirectoryError):
        durable.replace(folder, b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("write", [durable.replace, durable.write_once])
def test_a_path_without_a_name_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[..., None]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(IsADirectoryError) as refused:
        write(Path("."), b"new", durable.FOR_ALL)
    assert refused.value.filename == "."
    assert [*tmp_path.iterdir()] == []


def test_what_a_power_cut_left_half_is_written_anew(path: Path) -> None:
    path.with_name("file.part").write_bytes(b"ha")
    durable.replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_the_content_is_on_the_disk_before_its_name_is_and_the_name_before_all_is_done(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []
    sync, rename = os.fsync, Path.rename

    def synced(handle: int) -> None:
        done.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "content")
        sync(handle)

    def renamed(part: Path, to: Path) -> Path:
        done.append("name")
        return rename(part, to)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "rename", renamed)
    durable.replace(path, b"new")
    assert done == ["content", "name", "folder"]
