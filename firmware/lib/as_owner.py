"""Root does as a file's owner may, while a library reads what that owner wrote there.

Whoever owns a file, or the folder that it lies in, may have put anything there. What a library is
led to do by it, it does with that owner's rights, not with root's. For a process that is not root
nothing changes.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.lib.language import Message


class Owner(NamedTuple):
    """A user who is not root."""

    uid: int
    gid: int
    name: str  # the number of a user who has none here
    groups: tuple[int, ...]


def foreign_owner(path: Path, *beside: Path) -> Owner | None:
    """Returns whose what lies at `path` may be, for root: of the folder, the file, what is beside.

    None if all is root's, or this process is not root's. Raises OSError for a folder that is not
    there.
    """
    if os.geteuid() != 0:
        return None
    about = [os.stat(path.parent)]  # a link to a folder is followed, as by who opens the file
    for each in (path, *beside):
        with contextlib.suppress(FileNotFoundError):
            about.append(os.lstat(each))
    for found in about:
        if found.st_uid != 0:
            return _owner(found)
    return None


def _owner(about: os.stat_result) -> Owner:
    try:
        user = pwd.getpwuid(about.st_uid)
    except KeyError:  # of another machine: a card, an archive
        return Owner(about.st_uid, about.st_gid or about.st_uid, str(about.st_uid), ())
    groups = os.getgrouplist(user.pw_name, user.pw_gid)
    return Owner(about.st_uid, user.pw_gid, user.pw_name, tuple(groups))


# Rights are those of the whole process: of several threads, the first takes and the last gives.
_lock = threading.Lock()
_within = 0
_acting: Owner | None = None
_before: tuple[int, list[int]] = (0, [])


@contextlib.contextmanager
def acting_as(owner: Owner) -> Iterator[None]:
    """Gives up root's rights for the owner's until it ends.

    Within another, or of another thread meanwhile, that one's owner stays. Raises
    PermissionError where root may not: then nothing has changed.
    """
    global _within, _acting, _before
    with _lock:
        if not _within:
            _before = (os.getegid(), os.getgroups())
            _become(owner)
            _acting = owner
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if not _within:
                _acting = None
                _restore()


@contextlib.contextmanager
def own_rights() -> Iterator[None]:
    """Has root's rights again until it ends, within acting_as: for what who started us named."""
    with _lock:
        acting = _acting
        if acting is not None:
            _restore()
    try:
        yield
    finally:
        with _lock:
            if acting is not None and _acting is acting:
                _become(acting)


def _become(owner: Owner) -> None:
    try:
        os.setgroups(owner.groups)
        os.setegid(owner.gid)
        os.seteuid(owner.uid)
    except OSError as error:
        _restore()
        why = Message("root may not act as {name} here; do this as {name}", name=owner.name)
        raise PermissionError(error.errno, why) from error


def _restore() -> None:
    """Undoes what was changed, and asks for nothing else: a sandbox may forbid even that."""
    gid, groups = _before
    if os.geteuid() != 0:
        os.seteuid(0)
    if os.getegid() != gid:
        os.setegid(gid)
    if os.getgroups() != groups:
        os.setgroups(groups)
