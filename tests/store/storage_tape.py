"""What SQLite writes, truncates and syncs, call by call, by a VFS of ours around its own.

Needs the very library that Python's sqlite3 uses. `Tape` also takes what a FRAM is told and when
something was acknowledged; `crashes` says what a power cut may leave of it.
"""

import contextlib
import ctypes
import functools
import hashlib
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tools.testing.machine import SQLITE
from tools.testing.plugin import want

SECTOR = 512
_P, _I, _L = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_WRITE = ctypes.CFUNCTYPE(_I, _P, _P, _I, _L)
_TRUNCATE = ctypes.CFUNCTYPE(_I, _P, _L)
_SYNC = ctypes.CFUNCTYPE(_I, _P, _I)
_OPEN = ctypes.CFUNCTYPE(_I, _P, _P, _P, _I, _P)  # SQLite keeps the name's address
_DELETE = ctypes.CFUNCTYPE(_I, _P, ctypes.c_char_p, _I)
_OK = 0


class _Vfs(ctypes.Structure):
    _fields_ = (
        [("version", _I), ("size_of_file", _I), ("path_max", _I), ("next", _P)]
        + [("name", ctypes.c_char_p), ("data", _P), ("open", _P), ("delete", _P)]
        + [(f"more{n}", _P) for n in range(14)]
    )


class _Methods(ctypes.Structure):
    _fields_ = (
        [("version", _I), ("close", _P), ("read", _P), ("write", _P), ("truncate", _P)]
        + [("sync", _P)]
        + [(f"more{n}", _P) for n in range(13)]
    )


class Event(NamedTuple):
    """`what`: write, truncate, sync, delete, rename, folder (a sync of its names), fram, ack.

    `data`: bytes, a size or a name.
    """

    what: str
    where: str
    at: int
    data: Any


class Tape:
    """Takes events while it runs. `fail`, if set, may answer an event with an SQLite error code."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.fail: Callable[[Event], int] | None = None

    def add(self, what: str, where: str, at: int = 0, data: Any = None) -> int:
        event = Event(what, where, at, data)
        code = self.fail(event) if self.fail is not None else _OK
        if code == _OK:
            self.events.append(event)
        return code


class Vfs:
    """The default VFS of this process, recording on a tape, until `remove`."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._library = library()
        self._library.sqlite3_vfs_find.restype = _P
        real_at = self._library.sqlite3_vfs_find(None)
        self._real = _Vfs.from_address(real_at)
        self._real_open = _OPEN(self._real.open)
        self._real_delete = _DELETE(self._real.delete)
        self._vfs = _Vfs.from_buffer_copy(self._real)
        self._vfs.name = b"tape"
        self._vfs.next = None
        self._calls = (_OPEN(self._open), _DELETE(self._delete))
        self._vfs.open = ctypes.cast(self._calls[0], _P)
        self._vfs.delete = ctypes.cast(self._calls[1], _P)
        self._methods: dict[int, _Methods] = {}  # by the address of the real ones
        self._kept: list[Any] = []
        self._names: dict[int, str] = {}  # by the address of an open file
        assert self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1) == _OK

    def remove(self) -> None:
        """The old default again. Nothing that was opened meanwhile may be open still."""
        assert self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs)) == _OK
        assert self._library.sqlite3_vfs_register(ctypes.byref(self._real), 1) == _OK

    def _open(self, vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        code = self._real_open(vfs, name, file, flags, out)
        if code == _OK and name is not None:
            self._names[file] = Path(os.fsdecode(ctypes.string_at(name))).name
            slot = ctypes.c_void_p.from_address(file)
            assert slot.value is not None
            slot.value = ctypes.addressof(self._wrapped(slot.value))
        return code

    def _delete(self, vfs: int, name: bytes, sync: int) -> int:
        code = self._tape.add("delete", Path(os.fsdecode(name)).name)
        return code or self._real_delete(vfs, name, sync)

    def _wrapped(self, at: int) -> _Methods:
        """The methods of a file at that address, with ours in front."""
        if at in self._methods:
            return self._methods[at]
        real = _Methods.from_address(at)
        ours = _Methods.from_buffer_copy(real)
        write, truncate, sync = _WRITE(real.write), _TRUNCATE(real.truncate), _SYNC(real.sync)
        names, tape = self._names, self._tape

        def on_write(file: int, data: int, size: int, offset: int) -> int:
            code = tape.add("write", names[file], offset, ctypes.string_at(data, size))
            return code or write(file, data, size, offset)

        def on_truncate(file: int, size: int) -> int:
            return tape.add("truncate", names[file], 0, size) or truncate(file, size)

        def on_sync(file: int, flags: int) -> int:
            return tape.add("sync", names[file]) or sync(file, flags)

        calls = (_WRITE(on_write), _TRUNCATE(on_truncate), _SYNC(on_sync))
        ours.write, ours.truncate, ours.sync = (ctypes.cast(call, _P) for call in calls)
        self._kept.append(calls)
        self._methods[at] = ours
        return ours


@contextlib.contextmanager
def recording(tape: Tape) -> Iterator[None]:
    """Has what SQLite and we ourselves do to files put on the tape."""
    vfs = Vfs(tape)
    real_rename, real_truncate, real_sync = os.rename, os.ftruncate, os.fsync

    def rename(old: Path, new: Path) -> None:
        if tape.add("rename", Path(old).name, 0, Path(new).name):
            raise OSError(5, "Input/output error")
        real_rename(old, new)

    def ftruncate(file: int, size: int) -> None:
        name = os.readlink(f"/proc/self/fd/{file}")
        if tape.add("truncate", Path(name).name, 0, size):
            raise OSError(5, "Input/output error")
        real_truncate(file, size)

    def fsync(file: int) -> None:
        name = Path(os.readlink(f"/proc/self/fd/{file}"))
        if name.is_dir() and tape.add("folder", name.name):
            raise OSError(5, "Input/output error")
        real_sync(file)

    os.rename, os.ftruncate, os.fsync = rename, ftruncate, fsync
    try:
        yield
    finally:
        os.rename, os.ftruncate, os.fsync = real_rename, real_truncate, real_sync
        vfs.remove()


@functools.cache
def library() -> ctypes.CDLL:
    """The library that Python's sqlite3 uses."""
    want("shared SQLite")
    return ctypes.CDLL(SQLITE)


class FramOnTape:
    """A FRAM of 32 KiB in memory; what it is told is on the tape, and durable at once."""

    def __init__(self, tape: Tape, content: bytes = bytes(32_768)) -> None:
        self.content = bytearray(content)
        self._tape = tape

    def read(self, at: int, size: int) -> bytes:
        return bytes(self.content[at : at + size])

    def write(self, at: int, data: bytes) -> None:
        if self._tape.add("fram", "fram", at, bytes(data)):
            raise OSError(5, "Input/output error")
        self.content[at : at + len(data)] = data


# Files by name, and the FRAM under "fram".
Disk = dict[str, bytes]


def apply(disk: Disk, event: Event) -> None:
    """Does to `disk` what the event says."""
    old = disk.get(event.where, b"")
    if event.what in ("write", "fram"):
        padded = old.ljust(event.at, b"\0")
        disk[event.where] = padded[: event.at] + event.data + padded[event.at + len(event.data) :]
    elif event.what == "truncate":
        disk[event.where] = old[: event.data].ljust(event.data, b"\0")
    elif event.what == "delete":
        disk.pop(event.where, None)
    elif event.what == "rename":
        disk[event.data] = disk.pop(event.where)


def crashes(before: Disk, events: list[Event]) -> Iterator[tuple[int, Disk]]:
    """(cut, disk): what a power cut after so many of the events, or within the next, may leave.

    Writes not synced yet are there or not, in part or in another order; so is a rename until its
    folder is synced. A FRAM has no cache. Each state once.
    """
    seen: set[bytes] = set()
    synced = dict(before)  # with all that must be there
    waiting: list[Event] = []  # writes that may be there
    unnamed: Disk | None = None  # as `synced`, where the last rename is not there
    names: dict[str, str] = {}  # in `unnamed`, of what was renamed
    for cut in range(len(events) + 1):
        following = events[cut] if cut < len(events) else None
        left = [_left(synced, waiting, following)]
        if unnamed is not None:
            before_rename = [
                event._replace(where=names.get(event.where, event.where)) for event in waiting
            ]
            left.append(_left(unnamed, before_rename, None))
        for disk in itertools.chain(*left):
            key = digest(disk)
            if key not in seen:
                seen.add(key)
                yield cut, disk
        if following is None:
            return
        if following.what == "sync":
            still = []
            for event in waiting:
                if event.where == following.where:
                    apply(synced, event)
                    if unnamed is not None:
                        apply(unnamed, event._replace(where=names.get(event.where, event.where)))
                else:
                    still.append(event)
            waiting = still
        elif following.what == "folder":
            unnamed, names = None, {}
        elif following.what in ("fram", "delete", "rename"):
            if following.what == "rename":
                unnamed, names = dict(synced), {following.data: following.where}
            elif unnamed is not None:
                apply(unnamed, following)
            apply(synced, following)
            waiting = [event for event in waiting if event.where != following.where]
        elif following.what != "ack":
            waiting.append(following)


def _left(synced: Disk, waiting: list[Event], following: Event | None) -> Iterator[Disk]:
    yield _done(synced, waiting)
    yield dict(synced)
    if len(waiting) > 1:
        yield _done(synced, waiting[-1:])  # the last alone
        yield _done(synced, waiting[1:])  # all but the first
        yield _done(synced, waiting[:1])
        by_file: dict[str, list[Event]] = {}
        for event in waiting:
            by_file.setdefault(event.where, []).append(event)
        if len(by_file) > 1:
            for alone in by_file.values():
                yield _done(synced, alone)
    if following is not None and following.what in ("write", "fram"):
        step = SECTOR if following.what == "write" else 1
        size = len(following.data)
        for part in sorted({step, size // 2 // step * step, (size - 1) // step * step}):
            if 0 < part < size:
                torn = following._replace(data=following.data[:part])
                yield _done(synced, [*waiting, torn])
                yield _done(synced, [torn])


def _done(disk: Disk, events: list[Event]) -> Disk:
    found = dict(disk)
    for event in events:
        apply(found, event)
    return found


def digest(disk: Disk) -> bytes:
    """Equal for equal disks."""
    total = hashlib.blake2b(digest_size=16)
    for name in sorted(disk):
        total.update(f"{name} {len(disk[name])} ".encode() + disk[name])
    return total.digest()


def lay(disk: Disk, folder: Path) -> None:
    """Makes the files of `disk` in an empty or used folder, and removes others."""
    for path in folder.iterdir():
        if path.name not in disk:
            path.unlink()
    for name, content in disk.items():
        if name != "fram":
            (folder / name).write_bytes(content)
