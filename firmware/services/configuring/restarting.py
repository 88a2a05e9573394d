"""Restarts the controller: by systemd, or as its own supervisor wants it."""

from __future__ import annotations

import shlex
import shutil
import subprocess

from firmware.lib.errors import USAGE, Failure, cause
from firmware.lib.language import Message

UNIT = "cylindre.service"
_RESTART = ("systemctl", "restart", UNIT)
# A unit that failed too often is not started again until somebody says that this is over.
_FORGIVE = ("systemctl", "reset-failed", UNIT)
# The page reads board and layout when it starts; one that does not run stays so.
_PAGE_TOO = ("systemctl", "try-restart", "cylindre-page.service")
_WORDS_MAX = 200  # characters of what a command said, in a sentence


def words_of(command: str | None) -> tuple[str, ...]:
    """Returns the words of a command line, by default systemd's.

    Raises Failure if it is no command.
    """
    try:
        words = _RESTART if command is None else tuple(shlex.split(command))
    except ValueError:
        words = ()
    if not words or shutil.which(words[0]) is None:
        name = words[0] if words else "This"
        text = Message(
            "{name} is no command here. Say with --restart what restarts the controller.", name=name
        )
        raise Failure(USAGE, text)
    return words


def restart(words: tuple[str, ...], limit_s: float) -> str | None:
    """Restarts it; why it could not be, as a clause, or None."""
    if words != _RESTART:
        return _run(words, limit_s)
    _run(_FORGIVE, limit_s)  # of a unit that never failed there is nothing to forgive
    why = _run(words, limit_s)
    _run(_PAGE_TOO, limit_s)  # without it the wheel plays all the same
    return why


def _run(words: tuple[str, ...], limit_s: float) -> str | None:
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
            check=False,
            start_new_session=True,  # Ctrl-C is ours: the way back restarts undisturbed
        )
    except subprocess.TimeoutExpired:
        return Message("{words} has not ended in {limit_s:g} s", words=words[0], limit_s=limit_s)
    except OSError as error:
        return Message("{words} cannot be run: {cause}", words=words[0], cause=cause(error))
    if done.returncode == 0:
        return None
    said = " ".join((done.stderr or done.stdout).split())[:_WORDS_MAX].rstrip(".")
    return Message(
        "{command} failed ({returncode}){said}",
        command=words[0],
        returncode=done.returncode,
        said=Message(": {}", said) if said else "",
    )
