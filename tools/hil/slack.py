"""The kernel wakes a sleeper up to 50 us late, to bundle wakes; an edge wants to be on time."""

from __future__ import annotations

import ctypes

_PR_SET_TIMERSLACK = 29  # linux/prctl.h


def none() -> None:
    """This thread is woken when it asked for, to the nanosecond."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_TIMERSLACK, 1)
