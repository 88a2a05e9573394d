"""Keeps what is typed at the terminal from being shown, before a PIN is asked for and while it is.

Who types a PIN early does not see it either, and the prompt takes it. What nobody has taken when
the terminal shows again is thrown away: no other question is answered by it, and no shell runs it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import termios
from collections.abc import Iterator
from typing import Any

from firmware.lib.signals import handled

_ENDING = (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM)
_LOCAL_MODES = 3  # in what tcgetattr gives

_before: list[Any] | None = None  # how the terminal was; None: it is so


@contextlib.contextmanager
def unseen() -> Iterator[None]:
    """Hides what is typed, until `reveal` or the end, also one by a signal.

    Does nothing where standard input is no terminal, is another's now, or hides it already.
    """
    if _before is not None or not _is_ours():
        yield
        return
    with handled(_end, *(each for each in _ENDING if signal.getsignal(each) == signal.SIG_DFL)):
        try:
            _hide()
            yield
        finally:
            reveal()


def reveal() -> None:
    """Has the terminal be again as it was before `unseen`."""
    global _before
    before, _before = _before, None
    # Set from the background, it would stop this process; the shell has set its own by then.
    if before is not None and _is_ours():
        with contextlib.suppress(termios.error):  # it has gone
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
            termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def _hide() -> None:
    global _before
    before = termios.tcgetattr(sys.stdin)
    hidden = list(before)
    hidden[_LOCAL_MODES] &= ~termios.ECHO
    _before = before
    termios.tcsetattr(sys.stdin, termios.TCSANOW, hidden)  # what is typed already stays


def _is_ours() -> bool:
    """Returns whether standard input is a terminal, and this process in its foreground."""
    try:
        handle = sys.stdin.fileno()
    except OSError:  # a text in memory
        return False
    if not os.isatty(handle):
        return False
    try:
        return os.tcgetpgrp(handle) == os.getpgrp()
    except OSError:  # no terminal that has a background
        return True


def _end(number: int, frame: object) -> None:
    """Ends the process as that signal does."""
    reveal()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
