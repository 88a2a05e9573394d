"""A process that is not to outlive the one that started it: Linux sends it a signal then."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from firmware.lib.errors import FAILED

_PR_SET_PDEATHSIG = 1  # prctl(2)


def tie(parent: int, number: int) -> bool:
    """Has Linux send this process the signal `number` when `parent` dies.

    Returns False if it has died already.
    """
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, number)
    return os.getppid() == parent


def preexec(number: int) -> Callable[[], None]:
    """Returns a `preexec_fn` by which a child gets the signal `number` when this process dies."""
    parent = os.getpid()
    _libc()  # not between fork and exec

    def tie_it() -> None:
        if not tie(parent, number):
            os._exit(FAILED)

    return tie_it


@cache
def _libc() -> Any:
    return ctypes.CDLL(None)
