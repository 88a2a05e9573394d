"""Makes a bundle: gathers, looks for secrets, packs, writes. Nothing is written that holds one."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from tools import key_files
from tools.doctor.case import STATE, Case, Files
from tools.exits import FAILED, Failure
from tools.support.bundle import pack
from tools.support.gather import gather
from tools.support.secret import Scanner, secrets_of


class Packed(NamedTuple):
    """A bundle that may leave."""

    data: bytes
    sha256: str
    names: list[str]
    missing: dict[str, str]


def make(case: Case, files: Files, without: frozenset[str], made: str) -> Packed:
    """A bundle of that case; `made`: the time. Raises Failure where a secret is in it."""
    gathered = gather(case, files, without)
    scanner = Scanner(secrets_of(files.keys, files.people, *_neighbours(files)))
    for name, content in gathered.files.items():
        whose = scanner.leak(content)
        if whose is not None:
            text = f"{name} would hold a secret of {whose}, so nothing was written."
            part = name.split("/")[0].split(".")[0]
            raise Failure(FAILED, f"{text} Take it out there, or leave it out: --without {part}.")
    about = {
        "made": made,
        "board": None if case.board is None else case.board["name"],
        "wheel": case.config.wheel_id,
        "missing": gathered.missing,
    }
    # The manifest too: it quotes errors, and names files.
    whose = scanner.leak(repr((about, [*gathered.files])).encode())
    if whose is not None:
        text = f"A name or an error's text would hold a secret of {whose}, so nothing was written."
        raise Failure(FAILED, text + " Give --without the part that fails.")
    data = pack(gathered.files, about)
    sha256 = hashlib.sha256(data).hexdigest()
    return Packed(data, sha256, sorted(gathered.files), gathered.missing)


def _neighbours(files: Files) -> list[Path]:
    """Where other keys lie: beside the journal and, on a device, with the other services."""
    others = STATE.parent.glob(f"{STATE.name}-*")
    return [files.journal.parent, *sorted(others)]


def want_free(path: Path) -> None:
    """Raises Failure if something lies there, before anybody waits for a bundle."""
    if os.path.lexists(path):
        text = f"{path} is there already, and is not overwritten: give another --out."
        raise Failure(FAILED, text)
    if not path.absolute().parent.is_dir():
        text = f"There is no folder {path.absolute().parent}: make it, or give another --out."
        raise Failure(FAILED, text)


def write(path: Path, data: bytes) -> None:
    """The file, whole or not at all, its owner's alone. Raises Failure."""
    want_free(path)
    try:
        key_files.replace(path, data, key_files.OWNER_ONLY)
    except OSError as error:
        raise key_files.unwritten(path, error) from error
