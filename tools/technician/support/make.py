"""Makes a bundle: gathers, looks for secrets, packs, writes. Nothing is written that holds one."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from firmware.config import Config
from firmware.config.this_wheel import Files
from firmware.lib import durable
from firmware.lib.errors import FAILED, Failure, unwritten
from firmware.lib.language import N_, Message
from firmware.lib.places import DEVICE_STATE
from tools.technician.doctor.case import Case
from tools.technician.support.bundle import TOTAL_MAX, Told, no_one, pack
from tools.technician.support.gather import gather
from tools.technician.support.secret import Scanner, secrets_of

_FREE = ("logs",)  # anything may stand in it: all else is of a form that has no place for a key
_UNSEARCHED = Message("it cannot be searched for secrets that whoever packs may not read")


class Packed(NamedTuple):
    """A bundle that may leave."""

    data: bytes
    sha256: str
    names: list[str]
    missing: dict[str, str]


def make(
    case: Case,
    files: Files,
    without: Collection[str],
    made: str,
    *,
    placed: Collection[str] = (),
    unsearched: bool = False,
    total_max: int = TOTAL_MAX,
    told: Told = no_one,
) -> Packed:
    """A bundle of that case; `made`: the time. Raises Failure where a secret is in it.

    `placed`: which of "keys" and "people" somebody said the place of, whatever the configuration
    says. `unsearched`: also where secrets cannot be read, which are then not looked for; the bundle
    names them, and goes without what other programs wrote freely. `total_max`: bytes, unpacked.
    `told`: how far it is.
    """
    unread: list[str] | None = [] if unsearched else None
    for name in case.hidden:
        if name not in placed:
            _hidden(name, unread)
    secrets = [
        each
        for keys, people in _secret_places(case.config, files)
        for each in secrets_of(keys, people, *_neighbours(files), unread=unread)
    ]
    left_out: dict[str, str] = dict.fromkeys(without, Message("left out, as asked"))
    if unread:
        left_out = dict.fromkeys(_FREE, _UNSEARCHED) | left_out
    gathered = gather(case, files, left_out, total_max, told)
    scanner = Scanner(secrets)
    for at, (name, content) in enumerate(gathered.files.items(), 1):
        whose = scanner.leak(content)
        told(N_("searching"), at, len(gathered.files))
        if whose is not None:
            text = Message(
                "{name} would hold a secret of {whose}, so nothing was written.",
                name=name,
                whose=whose,
            )
            part = name.split("/")[0].split(".")[0]
            raise Failure(
                FAILED,
                Message(
                    "{text} Take it out there, or leave it out: --without {part}.",
                    text=text,
                    part=part,
                ),
            )
    about: dict[str, Any] = {
        "made": made,
        "board": None if case.board is None else case.board["name"],
        "wheel": case.config.wheel_id,
        "missing": gathered.missing,
    }
    if unread:
        about["unsearched"] = unread
    # The manifest too: it quotes errors, and names files.
    whose = scanner.leak(repr((about, [*gathered.files])).encode())
    if whose is not None:
        text = Message(
            "A name or an error's text would hold a secret of {whose}, so nothing was written.",
            whose=whose,
        )
        raise Failure(FAILED, text + Message(" Give --without the part that fails."))
    data = pack(gathered.files, about, told)
    sha256 = hashlib.sha256(data).hexdigest()
    return Packed(data, sha256, sorted(gathered.files), gathered.missing)


def _secret_places(config: Config, files: Files) -> set[tuple[Path, Path]]:
    """Where keys and people lie: those of the wheel, and those of its next start."""
    keys = Path(config.keys) if config.keys else files.keys
    people = Path(config.people) if config.people else files.people
    return {(files.keys, files.people), (keys, people)}


def _hidden(name: str, unread: list[str] | None) -> None:
    """Notes that nobody knows where these secrets lie. Raises Failure as secrets_of."""
    if unread is not None:
        unread.append(Message("the place of {name}, which the configuration hides", name=name))
        return
    raise Failure(
        FAILED,
        Message(
            "A mistake in the configuration may hide where the {name} are, so nothing was"
            " packed. Correct it (cylindre config check), or give --{name} too.",
            name=name,
        ),
    )


def _neighbours(files: Files) -> list[Path]:
    """Where other keys lie: beside the journal and, on a device, with each of our services."""
    services = DEVICE_STATE.parent.glob(f"{DEVICE_STATE.name}*")
    return [files.journal.parent, *sorted(services)]


def want_free(path: Path) -> None:
    """Raises Failure if something lies there, before anybody waits for a bundle."""
    if os.path.lexists(path):
        text = Message(
            "{path} is there already, and is not overwritten: give another --out.", path=path
        )
        raise Failure(FAILED, text)
    if not path.absolute().parent.is_dir():
        text = Message(
            "There is no folder {parent}: make it, or give another --out.",
            parent=path.absolute().parent,
        )
        raise Failure(FAILED, text)


def write(path: Path, data: bytes) -> None:
    """The file, whole or not at all, its owner's alone. Raises Failure."""
    want_free(path)
    try:
        try:
            durable.write_once(path, data, durable.OWNER_ONLY)
        except PermissionError:  # a stick's FAT has no links
            durable.replace(path, data, durable.OWNER_ONLY)
    except OSError as error:
        raise unwritten(path, error) from error
