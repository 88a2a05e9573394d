"""How the slots stand: what `cylindre update status` tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware.lib.language import Message, listed, packed
from firmware.lib.partitions import SLOTS
from firmware.services.update import bootenv, release, state
from firmware.services.update.rauc_calls import primary
from firmware.services.update.slots import running_slot


def read_overview(root: Path) -> dict[str, Any]:
    """Returns slots, versions, which one runs and which starts next. Raises Failure."""
    here, running = running_slot(root), release.running(root)
    now = state.load(root)
    choice = bootenv.choice(bootenv.read(root))
    found = []
    for slot in SLOTS:
        known = now.of(slot)
        found.append(
            {
                "slot": slot.bootname,
                "version": running.version if slot is here else known.version,
                "state": known.kind,
                "booted": slot is here,
                "trial": now.trial == slot.bootname,
                "starts_left": choice.left[slot.bootname],
                "why": known.why,
                "said": {"why": packed(known.why)},
            }
        )
    return {
        "board": running.board,
        "running": running.version,
        "next": primary(root),
        "not_older_than": state.floor(root),
        "slots": found,
    }


def lines(look: dict[str, Any]) -> list[str]:
    """Returns the same for people."""
    found: list[str] = [
        Message("{board}, version {running}", board=look["board"], running=look["running"])
    ]
    for slot in look["slots"]:
        words: list[str] = [state.WORDS[slot["state"]]]
        if slot["booted"]:
            words.append(Message("running"))
        if slot["trial"] and slot["booted"]:
            words.append(Message("being tried"))
        if slot["slot"] == look["next"]:  # by the boot words, which alone decide
            once = slot["trial"] and not slot["booted"]
            words.append(
                Message("tried at the next start, once") if once else Message("starts next")
            )
        if slot["why"]:
            words.append(slot["why"])
        found.append(
            Message(
                "  {slot}  {version:<12} {words}",
                slot=slot["slot"],
                version=slot["version"] or "-",
                words=listed(dict.fromkeys(words), "; "),
            )
        )
    found.append(
        Message("Takes bundles from {not_older_than} on.", not_older_than=look["not_older_than"])
    )
    return found
