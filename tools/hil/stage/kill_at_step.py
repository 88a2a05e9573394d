"""`cylindre` that dies (kill -9) before the STEP-th step of a result's way to FRAM and journal.

    python -m tools.hil.stage.kill_at_step STEP run ...

SIGUSR1 arms it: the steps of the next result's record are counted. A step is what changes a file:
each half of a write to the FRAM, and what SQLite writes, truncates or deletes. Where there are
fewer, it dies when all is written and nobody has been told. (What a power cut may undo of all that,
because nobody synced it, is laid out in tests/store/statistical/test_cuts.py.)
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from drivers.fram_mb85rc256v import FramMb85rc256v
from firmware.bus.record import RESULT
from firmware.store.fram_file import FileFram
from firmware.store.writer import Item, Writer
from tools import cli

_SIZE, _HANDLE, _AT, _DATA = ctypes.c_ssize_t, ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
# Names a file in the kernel place: whoever sees it there cuts the guest's power.
PLUG = "HIL_PLUG"
# System calls of SQLite's Unix VFS that change a file; a library may have been built without some.
_CALLS: tuple[tuple[bytes, tuple[Any, ...]], ...] = (
    (b"write", (_SIZE, _HANDLE, _DATA, ctypes.c_size_t)),
    (b"pwrite", (_SIZE, _HANDLE, _DATA, ctypes.c_size_t, _AT)),
    (b"pwrite64", (_SIZE, _HANDLE, _DATA, ctypes.c_size_t, _AT)),
    (b"ftruncate", (ctypes.c_int, _HANDLE, _AT)),
    (b"unlink", (ctypes.c_int, ctypes.c_char_p)),
)
# struct sqlite3_vfs (version 3), counted in pointers: three ints are two, and 17 pointers follow.
_XSET, _XGET = 18, 19


class Steps:
    """Counts steps once a result is on its way, and ends the process before the chosen one."""

    def __init__(self, last: int) -> None:
        """`last`: the step that is not taken, from 1."""
        self.kept: Any = None  # what the library calls, which must live as long as it does
        self._left = last
        self._armed = False
        self._counting = False

    def arm(self, *_: object) -> None:
        """The next result is the one."""
        self._armed = True

    def begin_rows(self, items: Sequence[Item]) -> None:
        """These are about to be recorded."""
        self._counting = self._armed and items[-1].kind == RESULT

    def step(self) -> None:
        """A file is about to change."""
        if self._counting:
            self._left -= 1
            if self._left == 0:
                _die()

    def end(self) -> None:
        """All is durable."""
        if self._counting:
            _die()


def main(arguments: list[str]) -> int:
    """Runs a command line of `cylindre` under that sentence."""
    steps = Steps(int(arguments[0]))
    signal.signal(signal.SIGUSR1, steps.arm)
    hook(steps)
    sys.argv[1:] = arguments[1:]
    return cli.main()


def hook(steps: Steps) -> None:
    """From now on `steps` sees whatever this process does to FRAM and journal."""
    _hook_writer(steps)
    for kind in (FileFram, FramMb85rc256v):
        _hook_fram(steps, kind)
    steps.kept = _hook_sqlite(steps)


def _hook_writer(steps: Steps) -> None:
    commit = Writer.commit

    def counted(self: Writer, items: Sequence[Item]) -> Any:
        steps.begin_rows(items)
        done = commit(self, items)
        steps.end()
        return done

    Writer.commit = counted  # type: ignore[method-assign]


def _hook_fram(steps: Steps, kind: Any) -> None:
    write = kind.write

    def halved(self: Any, at: int, data: bytes) -> None:
        half = len(data) // 2
        for start, part in ((at, data[:half]), (at + half, data[half:])):
            steps.step()
            write(self, start, part)

    kind.write = halved


def _hook_sqlite(steps: Steps) -> list[Any]:
    """Puts `steps` before SQLite's own system calls. What is returned must live on."""
    library = ctypes.CDLL(_sqlite3.__file__)
    library.sqlite3_vfs_find.restype = ctypes.c_void_p
    vfs = library.sqlite3_vfs_find(None)
    pointers = ctypes.cast(vfs, ctypes.POINTER(ctypes.c_void_p))
    get = ctypes.CFUNCTYPE(_DATA, _DATA, ctypes.c_char_p)(pointers[_XGET])
    put = ctypes.CFUNCTYPE(ctypes.c_int, _DATA, ctypes.c_char_p, _DATA)(pointers[_XSET])
    return [
        _hook(steps, vfs, name, ctypes.CFUNCTYPE(*kinds, use_errno=True), get, put)
        for name, kinds in _CALLS
    ]


def _hook(steps: Steps, vfs: int, name: bytes, kind: Any, get: Any, put: Any) -> Any:
    at = get(vfs, name)
    if not at:
        return None
    real = kind(at)

    def counted(*values: Any) -> Any:
        steps.step()
        return real(*values)

    ours = kind(counted)
    put(vfs, name, ctypes.cast(ours, _DATA))
    return real, ours


def _die() -> None:
    plug = os.environ.get(PLUG)
    if plug is None:
        os.kill(os.getpid(), signal.SIGKILL)
        return
    with open(plug, "wb") as file:
        os.fsync(file.fileno())
    while True:  # virtual time stands still as long as somebody computes: nothing more is written
        pass


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
