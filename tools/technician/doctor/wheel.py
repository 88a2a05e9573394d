"""Checks of a wheel's own files: configuration, keys, people, journal."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from firmware.config.this_wheel import Files
from firmware.keys.folder import public_file
from firmware.lib.language import N_, Message
from firmware.store import rows
from firmware.store.database import last_point, reading, select
from firmware.store.rows import JournalError
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import Unseen
from tools.technician.doctor.problems import Detected, detected

# A quick look: the last hour of play, some ms. All of it takes cylindre journal verify.
ROWS = 1_000
_READ = N_("somebody else may read or change it (mode {mode:o})")
_CHANGED = N_("somebody else may change it (mode {mode:o})")
_SECRET = ("*.key", "*.key.new", "*.key.part")


def configuration(case: Case) -> Iterator[Detected]:
    """D27: each mistake of the configuration."""
    for mistake in case.mistakes:
        yield detected("D27", mistake=mistake)


def permissions(case: Case, files: Files) -> Iterator[Detected]:
    """D25: who may read the keys and the PINs, and change what is trusted."""
    folder, people = case.machine.on_disk(files.keys), case.machine.on_disk(files.people)
    try:
        secrets = sorted(path for pattern in _SECRET for path in folder.glob(pattern))
        for path in (*secrets, people):
            yield from _of(case, path, 0o077, _READ, 0o600)
        yield from _of(case, public_file(folder), 0o022, _CHANGED, 0o644)
        yield from _of(case, folder, 0o022, _CHANGED, 0o700)
    except PermissionError as error:
        raise Unseen(
            Message("{filename}: permission denied; ask as root", filename=error.filename)
        ) from None


def _of(case: Case, path: Path, forbidden: int, wrong: str, right: int) -> Iterator[Detected]:
    """What is wrong with one file; nothing where there is none."""
    if not os.path.lexists(path):
        return
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        command = f"cp --remove-destination $(readlink -f {path}) {path}"
        yield _wrong(path, Message("it points elsewhere"), command)
        return
    mode = stat.S_IMODE(status.st_mode)
    if mode & forbidden:
        wrong = Message(wrong, mode=mode)
        yield _wrong(path, wrong, f"chmod {right:o} {path}")
    owner = case.machine.account
    if owner.uid and status.st_uid not in (0, owner.uid):
        # In another machine that account has no name.
        name = owner.name if case.machine.here else owner.uid
        yield _wrong(path, Message("it belongs to somebody else"), f"chown {name} {path}")


def _wrong(path: Path, wrong: str, command: str) -> Detected:
    return detected("D25", file=path, wrong=wrong, command=command)


def journal(case: Case, files: Files) -> Iterator[Detected]:
    """D26: the last rows, each of which names the one before it."""
    path = case.machine.on_disk(files.journal)
    if not os.path.lexists(path):
        return
    if not os.access(path, os.R_OK):
        raise Unseen(Message("{path}: permission denied; ask as root", path=path))
    try:
        why = _first_bad(path)
    except JournalError as error:
        why = str(error)
    if why is not None:
        yield detected("D26", why=Message(why), file=path, keys=files.keys)


def _first_bad(path: Path) -> str | None:
    with reading(path) as connection:
        end = last_point(connection).n
        where = "WHERE n >= ? ORDER BY n"
        last = select(connection, where, max(1, end - ROWS))
    before = rows.START if not last or last[0].n == 1 else last.pop(0).point
    for row in last:
        if not rows.is_whole(row, before):
            return Message("row {n} is missing or was changed.", n=before.n + 1)
        before = row.point
    return None
