"""What RAUC asks of this wheel: its boot words (`bootloader=custom`) and whether a bundle may come.

RAUC 1.8 calls the custom backend with `get-primary`, `set-primary NAME`, `get-state NAME` or
`set-state NAME good|bad`, and the pre-install handler with the bundle mounted and verified.
"""

from __future__ import annotations

from pathlib import Path

from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import Message
from firmware.lib.partitions import Slot
from firmware.services.update import (
    bootenv,
    bundle,
    later_results,
    rauc,
    release,
    slots,
    state,
)
from firmware.services.update.state import GOOD, HALF, NEW, Known, admit


def bootloader(root: Path, words: tuple[str, ...]) -> str | None:
    """Does what RAUC asks; returns what it wants to read. Raises Failure."""
    match words:
        case ("get-primary",):
            return primary(root)
        case ("get-state", name):
            known = state.load(root).of(_slot(name))
            return "good" if known.kind in (NEW, GOOD) else "bad"
        case ("set-primary", name):
            arm(root, _slot(name))
        case ("set-state", name, "bad"):
            withdraw(root, _slot(name))
        case ("set-state", name, "good"):
            if not state.load(root).proved(_slot(name)):
                text = Message(
                    "Slot {name} has not proved itself. The start after an update decides that.",
                    name=name,
                )
                raise Failure(FAILED, text)
        case _:
            text = Message(
                "RAUC asks this. It knows get-primary, set-primary, get-state, set-state."
            )
            raise Failure(USAGE, text)
    return None


def primary(root: Path) -> str:
    """Returns the slot that starts next. Raises Failure."""
    choice = bootenv.choice(bootenv.read(root))
    for name in choice.order:
        if choice.left[name]:
            return name
    return choice.order[0] if choice.order else ""


def arm(root: Path, slot: Slot) -> None:
    """Makes the next start try that slot, once. Raises Failure."""
    running = state.proved_slot(root)
    if running is slot:
        raise Failure(
            FAILED,
            Message(
                "Slot {bootname} is not the other slot of what runs here.", bootname=slot.bootname
            ),
        )
    now = state.load(root)
    known = now.of(slot)
    if known.kind == HALF:
        if now.incoming is None or not rauc.wrote(root, slot):
            raise Failure(
                FAILED,
                Message(
                    "Slot {bootname} is not whole: its installation did not end. Install the"
                    " bundle again.",
                    bootname=slot.bootname,
                ),
            )
        known = Known(NEW, now.incoming)
    elif known.kind not in (NEW, GOOD):
        text = Message(
            "Slot {bootname} holds nothing to try ({kind}). Install a bundle.",
            bootname=slot.bootname,
            kind=state.WORDS[known.kind],
        )
        raise Failure(FAILED, text)
    # What its last try failed by is over: this one may be better.
    armed = now.with_slot(slot, known._replace(why=None))
    told = later_results.telling_now(root)
    state.save(root, armed._replace(trial=slot.bootname, incoming=None, told_later=told))
    bootenv.choose(root, slot.bootname, running.bootname, tries=1)


def withdraw(root: Path, slot: Slot) -> None:
    """Keeps it from starting: it is about to be written over. Raises Failure."""
    running = state.proved_slot(root)
    if running is slot:
        raise Failure(
            FAILED,
            Message("Slot {bootname} runs here: it stays what it is.", bootname=slot.bootname),
        )
    now = state.load(root)
    state.save(root, now.with_slot(slot, Known(HALF))._replace(trial=None))
    bootenv.choose(root, running.bootname)


def pre_install(root: Path, mounted: Path) -> str:
    """Returns whether what is mounted there may be installed; notes its version. Raises Failure."""
    incoming = release.read(mounted / release.NAME)
    admit(root, incoming)
    for name in (bundle.ROOT, bundle.BOOT):  # a slot is both: another version's kernel is no part
        if (mounted / name).is_symlink() or not (mounted / name).is_file():
            raise Failure(
                FAILED, Message("The bundle holds no {name}. Have it made with both.", name=name)
            )
    state.proved_slot(root)
    now = state.load(root)
    state.save(root, now._replace(incoming=incoming.version))
    return incoming.version


def _slot(name: str) -> Slot:
    found = slots.named(name)
    if found is None:
        raise Failure(USAGE, Message("There is no slot {name} here.", name=name))
    return found
