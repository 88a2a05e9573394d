"""What is known of each slot, and the newest version that was ever kept. On the data partition.

The card's words for U-Boot (bootenv.py) say what starts; this says why. It is always written first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib import durable
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message, packed, unpacked
from firmware.lib.named_file import read_named
from firmware.lib.partitions import SLOTS, Slot
from firmware.services.update import later_results, release, slots
from firmware.services.update.release import Release, parse_version
from firmware.services.update.slots import STATE

NAME = "state.json"
_SIZE_MAX = 16_384

UNKNOWN = "unknown"  # as flashed, and never started
HALF = "half"  # being written, or an installation did not end
NEW = "new"  # whole, never started
TRIED = "tried"  # started once, and has not proved itself yet
GOOD = "good"  # has proved itself; a later try that fails does not take that away
FAILED_TRY = "failed"  # started, and did not prove itself
# As people read them.
WORDS = {
    UNKNOWN: Message("never started"),
    HALF: Message("not whole"),
    NEW: Message("installed, not tried yet"),
    TRIED: Message("being tried"),
    GOOD: Message("good"),
    FAILED_TRY: Message("failed"),
}
_KINDS = tuple(WORDS)  # what a file says may be no key at all


class Known(NamedTuple):
    """Of one slot. `why`: what its last try failed by."""

    kind: str = UNKNOWN
    version: str | None = None
    why: str | None = None

    def tried(self) -> Known:
        """Returns its state while it is tried; one that has proved itself before is still one that
        has."""
        return self if self.kind == GOOD else self._replace(kind=TRIED)

    def failed(self, why: str) -> Known:
        """Returns its state after a try that failed, or was cut off: a way back is not lost by
        that."""
        return self._replace(kind=GOOD if self.kind == GOOD else FAILED_TRY, why=why)


class State(NamedTuple):
    """`trial`: the slot whose next start is a try. `incoming`: what is being installed.

    `told_later`: the displays that knew of later results than the journal before that try.
    """

    slots: dict[str, Known]
    trial: str | None = None
    highest: str | None = None
    incoming: str | None = None
    told_later: tuple[int, ...] = ()

    def of(self, slot: Slot) -> Known:
        """Returns what is known of it."""
        return self.slots.get(slot.bootname, Known())

    def proved(self, slot: Slot) -> bool:
        """Returns whether it has proved itself, and is not tried again: what every decision hangs
        on.
        """
        return self.of(slot).kind == GOOD and self.trial != slot.bootname

    def with_slot(self, slot: Slot, known: Known) -> State:
        """Returns the same with that about one slot."""
        return self._replace(slots={**self.slots, slot.bootname: known})


def load(root: Path) -> State:
    """Returns what the card says; nothing is known where it says nothing that can be read.

    Raises Failure where it says something, and who asks may not read it.
    """
    path = root / STATE / NAME
    try:
        found = json.loads(read_named(path, _SIZE_MAX))
    except PermissionError as error:
        text = Message(
            "{path}: {cause}. How the slots stand is root's to read: ask with sudo.",
            path=path,
            cause=cause(error),
        )
        raise Failure(FAILED, text) from None
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return State({})
    told = found.get("slots")
    slots = told if isinstance(told, dict) else {}
    names = [slot.bootname for slot in SLOTS]
    trial = found.get("trial")
    return State(
        {name: _known(slots[name]) for name in names if name in slots},
        trial if trial in names else None,
        _version(found.get("highest")),
        _version(found.get("incoming")),
        later_results.addresses(found.get("told_later")),
    )


def save(root: Path, state: State) -> None:
    """Saves it. Raises Failure; then it is as it was."""
    path = root / STATE / NAME
    told = {
        **state._asdict(),
        "slots": {
            name: {**each._asdict(), "said": packed(each.why)} for name, each in state.slots.items()
        },
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        durable.replace(path, (json.dumps(told) + "\n").encode())
    except OSError as error:
        text = Message(
            "{path} cannot be written: {cause}. What starts is as before.",
            path=path,
            cause=cause(error),
        )
        raise Failure(FAILED, text) from None


def proved_slot(root: Path) -> Slot:
    """Returns the slot that runs.

    Raises Failure where it is on trial: the other is the way back.
    """
    here = slots.running_slot(root)
    if not load(root).proved(here):
        text = Message(
            "What runs in slot {slot} has not proved itself yet, and the other slot is the way"
            " back: wait until cylindre update status calls it good, or restart.",
            slot=here.bootname,
        )
        raise Failure(FAILED, text)
    return here


def floor(root: Path) -> str:
    """Returns the oldest version that may be installed: what runs, or was ever kept.

    Raises Failure.
    """
    running = release.running(root).version
    highest = load(root).highest
    return newest(running, highest)


def newest(one: str, another: str | None) -> str:
    """Returns the newer one."""
    if another is None or parse_version(one) >= parse_version(another):
        return one
    return another


def _known(found: Any) -> Known:
    if not isinstance(found, dict) or found.get("kind") not in _KINDS:
        return Known()
    why = found.get("why")
    why = unpacked(found.get("said"), why) if isinstance(why, str) else None
    return Known(found["kind"], _version(found.get("version")), why)


def _version(found: Any) -> str | None:
    try:
        parse_version(found)
    except ValueError:
        return None
    return str(found)


def admit(root: Path, incoming: Release) -> None:
    """Checks that it may come in; else only a flashed card brings it. Raises Failure."""
    own = release.running(root).board
    if incoming.board != own:
        text = Message(
            "The bundle is for the board {board}, and this is {own}. Get the bundle for {own}.",
            board=incoming.board,
            own=own,
        )
        raise Failure(FAILED, text)
    least = floor(root)
    if parse_version(incoming.version) < parse_version(least):
        raise Failure(FAILED, _older(root, incoming.version, least))


def _older(root: Path, version: str, least: str) -> Message:
    """Says that a version is older than this wheel had, and what is to be had instead."""
    back = load(root).of(slots.other(slots.running_slot(root)))
    if back.kind == GOOD:
        return Message(
            "The bundle is version {version}, older than {least}, which this wheel had. Get"
            " {least} or newer; cylindre update rollback goes back to {back}.",
            version=version,
            least=least,
            back=back.version,
        )
    return Message(
        "The bundle is version {version}, older than {least}, which this wheel had. Get"
        " {least} or newer.",
        version=version,
        least=least,
    )
