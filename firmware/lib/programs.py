"""Programs of Debian's that do part of the work: are they here, and why did one fail?"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from firmware.lib.errors import FAILED, Failure

Needed = Sequence[tuple[str, str]]  # program, and the Debian package that brings it
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # a user's lacks sbin
_SAID_MAX = 300  # characters of what a program complained of


def missing(needed: Needed) -> str | None:
    """Returns what is not here of them, and how to get it: a sentence. None if all are."""
    lacking = [each for each in needed if shutil.which(each[0], path=PATH) is None]
    if not lacking:
        return None
    names = ", ".join(program for program, _ in lacking)
    packages = " ".join(sorted({package for _, package in lacking}))
    return f"Missing here: {names}. Install: sudo apt install {packages}."


def require(needed: Needed) -> None:
    """Checks that they are there. Raises Failure, naming all that is missing and how to get it."""
    if (sentence := missing(needed)) is not None:
        raise Failure(FAILED, sentence)


def run(*command: str | Path, given: bytes | Path = b"", epoch: int | None = None) -> bytes:
    """Returns what a program printed, which read `given`, or that file. Raises Failure if it fails.

    `epoch`: its clock, for what must come out the same twice, seconds since 1970; its zone is UTC.
    """
    environ = {
        **os.environ,
        "PATH": PATH,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "MTOOLSRC": os.devnull,
        "MTOOLS_SKIP_CHECK": "1",
    }
    if epoch is not None:
        environ["SOURCE_DATE_EPOCH"] = str(epoch)
    with contextlib.ExitStack() as opened:
        file = opened.enter_context(given.open("rb")) if isinstance(given, Path) else None
        data = given if isinstance(given, bytes) else None
        words = [str(word) for word in command]
        try:
            done = subprocess.run(
                words, input=data, stdin=file, capture_output=True, env=environ, check=False
            )
        except FileNotFoundError:
            raise Failure(FAILED, f"{command[0]} is not on this machine.") from None
    if done.returncode != 0:
        raise Failure(FAILED, f"{command[0]} failed: {_why(done.stderr or done.stdout)}")
    return done.stdout


def _why(said: bytes) -> str:
    """Returns its own error, if it marks one as apt does; or else what it said last."""
    lines = said.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
    marked = next((line for line in reversed(lines) if line.startswith("E:")), None)
    return marked[:_SAID_MAX] if marked else " ".join(" ".join(lines).split())[-_SAID_MAX:]
