"""Stops one thread of a running process, and no other: what a hang looks like (ptrace(2))."""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

_SEIZE, _INTERRUPT, _DETACH = 0x4206, 0x4207, 17
_WALL = 0x40000000


@contextmanager
def thread_stopped(tid: int) -> Iterator[None]:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long

    def ask(what: int) -> None:
        if libc.ptrace(what, tid, None, None) == -1:
            raise OSError(ctypes.get_errno(), "ptrace")

    ask(_SEIZE)
    ask(_INTERRUPT)
    _, status = os.waitpid(tid, _WALL)
    assert os.WIFSTOPPED(status), status
    assert status >> 8 & 0xFF in (signal.SIGTRAP, signal.SIGSTOP)
    try:
        yield
    finally:
        ask(_DETACH)
