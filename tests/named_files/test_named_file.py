"""The one helper that opens what somebody names."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from walking import trap, watched

from firmware.lib import named_file
from firmware.lib.named_file import NamedFileError, begin_named, open_named, read_named


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("fifo", errno.EINVAL),
        ("endless", errno.ELOOP),
        ("folder", errno.EISDIR),
        ("huge", errno.EFBIG),
    ],
)
def test_what_is_no_file_is_refused_with_its_name(kind: str, number: int, tmp_path: Path) -> None:
    path = trap(kind, tmp_path / "there")
    with watched(path, kind), pytest.raises(NamedFileError) as refused:
        read_named(path, 100)
    assert refused.value.errno == number
    assert refused.value.filename == str(path)
    assert refused.value.strerror


def test_a_device_is_not_even_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", lambda *_, **__: pytest.fail("/dev/watchdog would bark"))
    with pytest.raises(NamedFileError):
        open_named("/dev/null")
    with pytest.raises(NamedFileError):
        open_named("/dev/null", follow=True)


def test_a_link_that_is_meant_leads_to_a_file_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert read_named(tmp_path / "link", 4, follow=True) == b"text"
    with pytest.raises(NamedFileError, match="regular"):
        read_named(trap("endless", tmp_path / "there"), 4, follow=True)


def test_what_is_exchanged_between_look_and_opening_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "there", os.open
    path.touch()

    def exchanged(name: Path, *how: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(name, *how)

    monkeypatch.setattr(os, "open", exchanged)
    with pytest.raises(NamedFileError):
        open_named(path)


def test_a_file_of_just_the_limit_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_named(path, 5) == b"12345"
    with pytest.raises(NamedFileError, match="too long"):
        read_named(path, 4)
    assert begin_named(path, 4) == b"1234"


def test_a_file_is_made_where_that_is_asked_for(tmp_path: Path) -> None:
    os.close(open_named(tmp_path / "new", os.O_RDWR | os.O_CREAT, mode=0o600))
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(NamedFileError):
        open_named(tmp_path / "link", os.O_RDWR | os.O_CREAT)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("form", ["/dev/fd/{}", "/proc/self/fd/{}"])
def test_a_pipe_of_the_readers_own_is_read_where_that_is_meant(form: str) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"text")
    os.close(writing)
    path = form.format(reading)
    try:
        with pytest.raises(NamedFileError):
            read_named(path, 10)
        assert read_named(path, 10, own_handles=True) == b"text"
    finally:
        os.close(reading)


def test_a_handle_that_is_not_there_is_no_file() -> None:
    with pytest.raises(FileNotFoundError):
        open_named("/dev/fd/987654", own_handles=True)


@pytest.mark.parametrize("read", [read_named, begin_named])
def test_what_has_nothing_to_say_yet_is_not_waited_for(
    read: Callable[..., bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As /proc/kmsg, which is a regular file by its kind."""
    monkeypatch.setattr(named_file, "_check", lambda *_: None)
    os.mkfifo(tmp_path / "there")
    writing = os.open(tmp_path / "there", os.O_RDWR)
    try:
        with pytest.raises(NamedFileError, match="regular"):
            read(tmp_path / "there", 10)
    finally:
        os.close(writing)


def test_what_a_pipe_holds_has_the_same_limit(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, bytes(11))
    os.close(writing)
    with pytest.raises(NamedFileError, match="too long"):
        read_named(f"/dev/fd/{reading}", 10, own_handles=True)
    os.close(reading)
