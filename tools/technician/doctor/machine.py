"""The machine that is looked at: its files below a root folder, and the account that plays.

Everything is read through here and nothing is changed, so that a test lays out the files of a
machine in a folder, and a card can be looked at on a laptop.
"""

from __future__ import annotations

import os
import pwd
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named
from firmware.shims.machine import I2cBus

TEXT_MAX = 262_144  # bytes: a /proc/mounts of thousands of lines, no file larger than that is asked
READ, WRITE = 0o4, 0o2
SERVICE = "cylindre"  # the user of the units, on a device
_ALIVE = "proc/cmdline"  # of a kernel that runs: a card in a laptop has none
_IMAGE = "usr/lib/cylindre-image"  # of tools/image/root, in every image of ours
_PARTITIONS = ("/dev/", "PARTUUID=", "UUID=", "LABEL=", "PARTLABEL=")


class Unseen(Exception):
    """A check that cannot be made; the text says why, in the middle of a sentence."""


class Account(NamedTuple):
    """Who the controller runs as."""

    name: str
    uid: int
    gids: frozenset[int]


class Machine:
    """One machine's files."""

    def __init__(
        self,
        root: Path = Path("/"),
        *,
        user: str | None = None,
        environment: Mapping[str, str] = os.environ,
        now_s: Callable[[], float] = time.time,
        open_i2c: Callable[[int, int], I2cBus] | None = None,
    ) -> None:
        """`user`: whose rights count; None: those of who asks. `open_i2c`: takes bus and frequency.

        Raises KeyError if the machine has no such user.
        """
        self.root = root
        self.here = root == Path("/")  # else its kernel is not the one that runs
        self.runs = self.here or (root / _ALIVE).exists()  # else it is a card, mounted somewhere
        self.is_image = (root / _IMAGE).is_dir()  # nobody logs in there, nothing is installed
        self._bound, self._partitions = ({}, ()) if self.runs else _fstab(root)
        self.environment = environment
        self.now_s = now_s
        self.open_i2c = open_i2c
        self.account = _asking() if user is None else self._account(user)

    def path(self, name: str | Path) -> Path:
        """Where a file of the machine is to be found, given its path there."""
        path = Path("/") / name
        if not self.here and path.is_relative_to(self.root):
            return path  # a configuration's relative path, which begins where its file lies
        for folder, source in self._bound.items():
            if path.is_relative_to(folder):
                path = Path(source) / path.relative_to(folder)
        return self.root / path.relative_to("/")

    def on_disk(self, name: str | Path) -> Path:
        """As `path`. Raises Unseen where the card's partition for it is not mounted here."""
        path = self.path(name)
        for folder in self._partitions:
            mounted = self.root / folder
            if path.is_relative_to(mounted) and not (mounted.is_dir() and any(mounted.iterdir())):
                raise Unseen(
                    Message(
                        "{mounted} is empty: mount the card's /{folder} there",
                        mounted=mounted,
                        folder=folder,
                    )
                )
        return path

    def must_run(self) -> None:
        """Raises Unseen for a card: its /proc, /sys and /dev are there while it runs alone."""
        if not self.runs:
            raise Unseen(Message("only the machine itself can tell, running from this card"))

    def data(self, name: str | Path) -> bytes:
        """What a file holds. Raises Unseen."""
        try:
            # Links in its /etc and /proc are meant; a card's fifo would wait all the same.
            return begin_named(self.path(name), TEXT_MAX, follow=True)
        except OSError as error:
            raise Unseen(Message("/{}: {}", str(name).lstrip("/"), cause(error))) from error

    def text(self, name: str | Path) -> str:
        """A file's text, NULs as line ends. Raises Unseen."""
        return self.data(name).decode(errors="replace").replace("\0", "\n").strip()

    def optional_text(self, name: str | Path) -> str | None:
        """As `text`, None where there is no such file. Raises Unseen for one that is kept back."""
        return None if self.status(name) is None else self.text(name)

    def matching(self, pattern: str) -> Iterator[Path]:
        """What is there by a pattern as of Path.glob, in the order of names."""
        yield from sorted(self.root.glob(pattern.lstrip("/")))

    def status(self, name: str | Path) -> os.stat_result | None:
        """What lies there; None for nothing. Raises Unseen where one may not look."""
        try:
            return self.path(name).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unseen(Message("/{}: {}", str(name).lstrip("/"), cause(error))) from error

    def may(self, found: os.stat_result, rights: int) -> bool:
        """Whether the account may read and write what has this status."""
        mode = stat.S_IMODE(found.st_mode)
        if self.account.uid == 0:
            return True
        if found.st_uid == self.account.uid:
            mode >>= 6
        elif found.st_gid in self.account.gids:
            mode >>= 3
        return mode & rights == rights

    def group(self, gid: int) -> str:
        """The name of a group."""
        names = [line[0] for line in self._lines("etc/group") if line[2:3] == [str(gid)]]
        return names[0] if names else str(gid)

    def _account(self, name: str) -> Account:
        users = {line[0]: line for line in self._lines("etc/passwd")}
        uid, gid = map(int, users[name][2:4])
        groups = self._lines("etc/group")
        gids = [int(line[2]) for line in groups if name in line[3].split(",")]
        return Account(name, uid, frozenset([gid, *gids]))

    def _lines(self, name: str) -> list[list[str]]:
        """The lines of a file of accounts that are whole."""
        try:
            lines = [line.split(":") for line in self.text(name).splitlines()]
        except Unseen:
            return []
        return [line for line in lines if len(line) >= 4 and line[2].isdigit()]


def who_plays(root: Path) -> str | None:
    """The user of the service, where root asks or the machine is another; None: who asks."""
    try:
        known = begin_named(root / "etc/passwd", TEXT_MAX, follow=True).decode().splitlines()
    except (OSError, UnicodeDecodeError):
        known = []
    here = root == Path("/")
    if any(line.startswith(f"{SERVICE}:") for line in known) and not (here and os.geteuid()):
        return SERVICE
    return None if here else "root"


def _fstab(root: Path) -> tuple[dict[str, str], tuple[str, ...]]:
    """What a card's fstab mounts: folders that others are bound to, and those of partitions.

    Nobody binds them where the card lies in a laptop, so they are followed here.
    """
    try:
        lines = (
            begin_named(root / "etc/fstab", TEXT_MAX, follow=True)
            .decode(errors="replace")
            .splitlines()
        )
    except OSError:
        return {}, ()
    rows = [line.split() for line in lines if not line.lstrip().startswith("#")]
    rows = [row for row in rows if len(row) >= 4 and row[1].startswith("/") and row[1] != "/"]
    bound = {row[1]: row[0] for row in rows if "bind" in row[3].split(",")}
    own = tuple(row[1][1:] for row in rows if row[0].startswith(_PARTITIONS))
    return bound, own


def _asking() -> Account:
    """Of this process; in a container its user may have no name."""
    uid = os.geteuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = Message("the user {uid}", uid=uid)
    return Account(name, uid, frozenset([os.getegid(), *os.getgroups()]))
