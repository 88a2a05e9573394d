"""A new wheel takes its first configuration: `root/usr/lib/cylindre-image/first`, at each start.

It lies on the card's FAT, where any laptop puts it (first_files.py says what it may hold), and is
taken only while the wheel has no configuration. In this order, so that a power cut loses nothing:

1. Everything is copied to DATA/.first.part, judged there, and renamed DATA/.first: from here on it
   is taken, whatever lies on the FAT at the next start.
2. Each file is linked into its place, wheel.toml last; nothing that is there is overwritten.
3. On the FAT the folder becomes TAKEN, and what is secret in it is overwritten and removed.
4. DATA/.first goes.

One that is refused stays as it is; why, says the log, the screen, and a file beside it.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import boards
from firmware import config
from firmware.lib import durable, partitions
from firmware.lib.durable import sync_folder
from firmware.lib.errors import CONFIGURATION, FAILED, OK, Failure, cause
from firmware.lib.language import N_, Message
from firmware.lib.named_file import begin_named, open_named, read_named
from firmware.lib.places import KEYS, PEOPLE
from firmware.services.update import release
from tools.image import first_check, first_files
from tools.image.first_files import MAIN, MORE, SECRETS, Files

_READY = ".first"
_PART = ".first.part"
_USER = "cylindre"


class Card(NamedTuple):
    """The mounted FAT, and the data partition."""

    firmware: Path
    data: Path

    @property
    def first(self) -> Path:
        """What who has the card lays there."""
        return self.firmware / partitions.FIRST

    @property
    def ready(self) -> Path:
        """What is taken, until it is all in its place."""
        return self.data / _READY

    @property
    def part(self) -> Path:
        """What is still copied and judged."""
        return self.data / _PART

    @property
    def etc(self) -> Path:
        """/etc/cylindre."""
        return self.data / "etc"

    def place(self, name: str) -> Path:
        """Where a file goes."""
        is_state = name == PEOPLE or first_files.is_key(name)
        return (self.data / "cylindre" if is_state else self.etc) / name


def start(card: Card) -> None:
    """Takes what is there to be taken, or finishes what a power cut interrupted. Raises Failure."""
    if not card.ready.exists():
        if not card.first.is_dir():
            shutil.rmtree(card.part, ignore_errors=True)
            _told(card, None)
            return
        if (card.etc / MAIN).exists():
            raise Failure(
                FAILED,
                Message(
                    "The wheel is configured: {first} on its card is not taken. Remove it there,"
                    " with the keys in it.",
                    first=partitions.FIRST,
                ),
            )
        files = first_files.read(card.first)
        _stage(files, card)
    _install(card)
    _clear(card)
    shutil.rmtree(card.ready)
    _told(card, None)


def _stage(files: Files, card: Card) -> None:
    """Copies, judges, and from the rename on it is taken. Raises Failure."""
    part = card.part
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700)
    try:
        _refuse_others(files, card)
        there = {} if not (card.etc / MORE).is_dir() else _more(card.etc / MORE)
        first_check.stage({**there, **files}, part)
        for notice in first_check.judge(files, part):
            print(notice, file=sys.stderr)
        _refuse_model(part)
        for name in there.keys() - files.keys():
            (part / name).unlink()
        _own(files, part)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    os.sync()
    part.rename(card.ready)
    sync_folder(card.data)


def _refuse_others(files: Files, card: Card) -> None:
    """Raises Failure if one of them is there already and another."""
    other = [
        name
        for name, data in files.items()
        if os.path.lexists(card.place(name))
        and begin_named(card.place(name), len(data) + 1) != data
    ]
    if other:
        raise Failure(
            CONFIGURATION,
            Message(
                "{names}: the wheel has another already, and nothing is overwritten. Flash"
                " the card anew, or leave it out.",
                names=", ".join(other),
            ),
        )


def _refuse_model(part: Path) -> None:
    """Raises Failure if its board is on another Pi than this image is for."""
    named = config.sound_part(part / MAIN)[0].board
    try:
        image = release.running().board
    except Failure:  # a machine that is no wheel: in a test
        return
    models = [boards.load(name).get("model") for name in (named, image) if name in boards.NAMES]
    if len({*models} - {None}) > 1:
        raise Failure(
            CONFIGURATION,
            Message(
                'board = "{named}" is of another machine: this image is for {image}. Correct'
                " it, or flash an image for that.",
                named=named,
                image=image,
            ),
        )


def _more(folder: Path) -> Files:
    """What the wheel would read besides."""
    return {
        f"{MORE}/{path.name}": read_named(path, config.FILE_MAX)
        for path in sorted(folder.glob("*.toml"))
    }


def _own(files: Files, part: Path) -> None:
    """Gives the controller what it keeps."""
    try:
        user = pwd.getpwnam(_USER)
    except KeyError:  # a machine that is no wheel: in a test
        return
    for name in files:
        if name == PEOPLE or first_files.is_key(name):
            os.chown(part / name, user.pw_uid, user.pw_gid)


def _install(card: Card) -> None:
    """Puts each file where it is read, unless the last of them is there already."""
    if (card.etc / MAIN).exists():
        return
    names = [str(path.relative_to(card.ready)) for path in card.ready.rglob("*") if path.is_file()]
    for name in sorted(names, key=lambda name: (name == MAIN, name)):
        place = card.place(name)
        if not place.parent.is_dir():
            _make_folder(place.parent)
        with contextlib.suppress(FileExistsError):  # before a power cut
            os.link(card.ready / name, place)
        sync_folder(place.parent)


def _make_folder(folder: Path) -> None:
    """As cylindre.tmpfiles would: the one of the keys is the controller's."""
    folder.mkdir(mode=0o755)
    if folder.name == KEYS:
        folder.chmod(0o750)
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(_USER)
            os.chown(folder, user.pw_uid, user.pw_gid)
    sync_folder(folder.parent)


def _clear(card: Card) -> None:
    """What was taken is put aside on the FAT, without what is secret. Raises Failure."""
    taken = card.firmware / partitions.TAKEN
    if not card.first.is_dir() and not taken.is_dir():
        raise Failure(
            FAILED,
            N_(
                "The configuration is taken, but the card's first partition is not here: the"
                " next start removes the keys there."
            ),
        )
    try:
        if card.first.is_dir() and _is_taken(card):
            if taken.is_dir():
                _erase(taken)
                shutil.rmtree(taken)
            card.first.rename(taken)
        _erase(taken)
    except OSError as error:
        raise Failure(
            FAILED,
            Message(
                "The configuration is taken, but the card cannot be cleared ({why}):"
                " remove {first} and {taken} there.",
                why=cause(error),
                first=partitions.FIRST,
                taken=partitions.TAKEN,
            ),
        ) from None


def _is_taken(card: Card) -> bool:
    """Whether what lies there is what was taken: somebody may have laid another there since."""
    try:
        files = first_files.read(card.first)
    except Failure:
        return False
    return all(
        (card.ready / name).is_file() and (card.ready / name).read_bytes() == data
        for name, data in files.items()
    )


def _erase(folder: Path) -> None:
    """Overwrites and removes what is secret, and what an editor or a power cut left beside it.

    A card may keep an older copy all the same.
    """
    for path in [*(folder / name for name in SECRETS), *folder.glob("**/.*")]:
        if path.is_dir() and not path.is_symlink():
            continue
        with contextlib.suppress(FileNotFoundError):
            with os.fdopen(open_named(path, os.O_RDWR), "r+b") as file:
                file.write(bytes(os.fstat(file.fileno()).st_size))
                file.flush()
                os.fsync(file.fileno())
            path.unlink()


def _told(card: Card, why: str | None) -> None:
    """Says beside it why it is not taken, for who has the card in a laptop; or no more."""
    path = card.firmware / partitions.REFUSED
    with contextlib.suppress(OSError):
        if why is None:
            path.unlink(missing_ok=True)
        elif not path.exists() or path.read_text() != f"{why}\n":  # not written at every start
            durable.replace(path, f"{why}\n".encode())


def main(firmware: Path, data: Path) -> int:
    """The exit code. Whatever goes wrong is told; the machine starts all the same."""
    card = Card(firmware, data)
    try:
        start(card)
    except (Failure, OSError) as error:
        why = error.sentence if isinstance(error, Failure) else str(error)
        print(
            Message("The first configuration is not taken:\n{why}", why=Message(why)),
            file=sys.stderr,
        )
        _told(card, why)
        return FAILED
    return OK


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:3])))
