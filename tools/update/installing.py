"""Installs a bundle into the slot that does not run, and goes back to the slot before."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tools.exits import FAILED, Failure
from tools.image.layout import Slot
from tools.update import bootenv, rauc, rauc_calls, release, slots, state
from tools.update.admission import admit
from tools.update.release import Release
from tools.update.state import GOOD

_CHUNK = 1 << 20


class Plan(NamedTuple):
    """What an installation would do."""

    bundle: Path
    incoming: Release
    running: Release
    into: Slot


def plan(root: Path, bundle: Path) -> Plan:
    """Checks all that can be known before anything is written. Raises Failure."""
    running, here = release.running(root), running_slot(root)
    bootenv.read(root)
    incoming = rauc.info(bundle, root)
    admit(root, incoming)
    return Plan(bundle, incoming, running, slots.other(here))


def running_slot(root: Path) -> Slot:
    """Raises Failure: this machine takes no updates."""
    here = slots.booted(root)
    if here is None:
        text = "This machine was not started from a slot of a wheel's card: it takes no updates."
        raise Failure(FAILED, text)
    return here


def install(root: Path, chosen: Plan, told: Callable[[int, str], None]) -> None:
    """Has it installed: the next start tries it, once. Raises Failure; what runs stays."""
    rauc.install(chosen.bundle.absolute(), told)
    if state.load(root).trial != chosen.into.bootname:
        text = f"RAUC has installed the bundle and slot {chosen.into.bootname} is not tried next."
        raise Failure(FAILED, f"{text} What runs stays. Install it again.")


def way_back(root: Path) -> tuple[Slot, str]:
    """The other slot, if it has proved itself, and its version. Raises Failure."""
    back = slots.other(running_slot(root))
    known = state.load(root).of(back)
    if known.kind != GOOD or known.version is None:
        text = f"Slot {back.bootname} holds nothing that has proved itself ({known.kind})."
        raise Failure(FAILED, f"{text} Install a bundle instead.")
    return back, known.version


def go_back(root: Path, back: Slot) -> None:
    """The next start tries the other slot, once. Raises Failure."""
    rauc_calls.arm(root, back)


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """Of two who update at once, the second is told so. Raises Failure."""
    try:
        with (root / slots.LOCK).open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
    except BlockingIOError:
        text = "Somebody else is updating this wheel. Wait until that is done."
        raise Failure(FAILED, text) from None


def sha256(path: Path) -> str:
    """Of a whole file, in hex. Raises OSError."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(_CHUNK):
            found.update(data)
    return found.hexdigest()
