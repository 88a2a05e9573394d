"""Installs a bundle into the slot that does not run, and goes back to the slot before."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.lib import private_copy
from firmware.lib.errors import FAILED, Failure, cause, of_file
from firmware.lib.language import N_, Message, packed, unpacked
from firmware.lib.named_file import open_file
from firmware.lib.partitions import Slot
from firmware.lib.private_copy import Copy
from firmware.services.update import bootenv, rauc, rauc_calls, release, slots, state
from firmware.services.update.release import Release
from firmware.services.update.state import GOOD, admit

_REFUSAL = Path("run/cylindre-update.refusal")  # why what RAUC asked of us was not done


class Plan(NamedTuple):
    """What an installation would do."""

    bundle: Path
    incoming: Release
    running: Release
    into: Slot


def plan(root: Path, bundle: Path) -> Plan:
    """Checks all that can be known before anything is written. Raises Failure."""
    running, here = release.running(root), state.proved_slot(root)
    bootenv.read(root)
    incoming = rauc.info(bundle, root)
    admit(root, incoming)
    return Plan(bundle, incoming, running, slots.other(here))


def install(root: Path, chosen: Plan, told: Callable[[int, str], None]) -> None:
    """Has it installed: the next start tries it, once. Raises Failure; what runs stays."""
    refusal = root / _REFUSAL
    refusal.unlink(missing_ok=True)
    try:
        rauc.install(chosen.bundle.absolute(), told)
    except Failure as failure:
        with contextlib.suppress(OSError, ValueError):
            text, said = json.loads(refusal.read_text(encoding="utf-8"))
            raise Failure(FAILED, unpacked(said, text)) from None
        raise failure from None
    if state.load(root).trial != chosen.into.bootname:
        text = Message(
            "RAUC has installed the bundle and slot {slot} is not tried next. What runs stays."
            " Install it again.",
            slot=chosen.into.bootname,
        )
        raise Failure(FAILED, text)


def refused(root: Path, why: str) -> None:
    """Records why RAUC's request is refused: RAUC hands on only that it was."""
    with contextlib.suppress(OSError):
        (root / _REFUSAL).write_text(json.dumps([why, packed(why)]), encoding="utf-8")


def way_back(root: Path) -> tuple[Slot, str]:
    """Returns the other slot, if it has proved itself, and its version. Raises Failure."""
    back = slots.other(state.proved_slot(root))
    known = state.load(root).of(back)
    if known.kind != GOOD or known.version is None:
        text = Message(
            "Slot {slot} holds nothing that has proved itself ({kind}). Install a bundle instead:"
            " {least} or newer.",
            slot=back.bootname,
            kind=state.WORDS[known.kind],
            least=state.floor(root),
        )
        raise Failure(FAILED, text)
    return back, known.version


def go_back(root: Path, back: Slot) -> None:
    """Makes the next start try the other slot, once. Raises Failure."""
    rauc_calls.arm(root, back)


@contextlib.contextmanager
def own(root: Path, bundle: Path) -> Iterator[Copy]:
    """Makes root's own copy of a bundle: what is recorded RAUC opens later. Raises Failure."""
    folder = root / slots.STATE
    private_copy.clear(folder)
    with contextlib.ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            copies = private_copy.copied(
                bundle, bundle.name, size_max=rauc.BUNDLE_MAX, folder=folder
            )
            copy = held.enter_context(copies)
        except OSError as error:
            text = Message(
                "{bundle} cannot be copied to {folder}: {cause}.",
                bundle=bundle,
                folder=folder,
                cause=cause(error),
            )
            raise Failure(FAILED, text) from None
        yield copy


@contextlib.contextmanager
def alone(root: Path, *, waits: bool = False) -> Iterator[None]:
    """Keeps out the second of two who update at once: it is told so, or waits. Raises Failure."""
    path = root / slots.LOCK
    try:
        file = path.open("w")
    except OSError as error:
        raise of_file(path, error) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except BlockingIOError:
            text = N_("Somebody else is updating this wheel. Wait until that is done.")
            raise Failure(FAILED, text) from None
        yield


def sha256(path: Path) -> str:
    """Returns the hash of a whole file, in hex. Raises OSError."""
    with open_file(path, size_max=rauc.BUNDLE_MAX) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
