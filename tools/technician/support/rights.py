"""What gives whoever packs a bundle the right to read a log: one command, by whose the log is."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from pathlib import Path

from firmware.lib.language import Message

_CONTROLS = "cylindre"  # the group of the control socket: no log is worth that right
_JOURNAL = "systemd-journal"  # systemd-journald.service(8): its members read all of it


def may_read(path: Path) -> bool:
    """Returns whether that file, or folder with what lies in it, may be read now."""
    wanted = os.R_OK | os.X_OK if path.is_dir() else os.R_OK
    return os.access(path, wanted, effective_ids=True)


def unread_journal() -> Message:
    """Says that systemd's journal was not read, or not whole, and what gives the right."""
    return Message(
        "systemd's journal may not be read, or not whole, by {user}: {command} gives the right"
        " from the next login on.",
        user=_user(),
        command=_join(_JOURNAL),
    )


def unread(path: Path) -> Message:
    """Says that a file or folder of logs was not read, and what gives the right."""
    about = path.stat()
    group = _group(about.st_gid)
    # Root's own group is none to join.
    if about.st_mode & stat.S_IRGRP and about.st_gid and group != _CONTROLS:
        return Message(
            "{path} may not be read by {user}: {command} gives the right from the next login on.",
            path=path,
            user=_user(),
            command=_join(group),
        )
    return Message(
        "{path} may not be read by {user}: {command} gives the right.",
        path=path,
        user=_user(),
        command=f"sudo setfacl -m u:{_user()}:rX {path}",
    )


def _join(group: str) -> str:
    return f"sudo usermod -aG {group} {_user()}"


def _user() -> str:
    uid = os.geteuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:  # usermod takes its number
        return str(gid)
