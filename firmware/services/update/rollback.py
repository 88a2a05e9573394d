"""To go back to the other slot, as somebody asked who saw how the slots stood.

What is asked names both slots with their versions: where they do not stand so any more (it was
carried out already, something else was installed), nothing is done.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import N_, Message
from firmware.services.update import installing, release, state
from firmware.services.update.slots import running_slot

SIZE_MAX = 1024  # bytes


class Back(NamedTuple):
    """From which slot, with which version in it, to which."""

    slot: str
    version: str
    to_slot: str
    to_version: str


def text(asked: Back) -> bytes:
    """Returns the text of the file that says it."""
    return json.dumps(asked._asdict()).encode() + b"\n"


def parse(data: bytes) -> Back:
    """Returns what a file says. Raises Failure."""
    try:
        found: Any = json.loads(data) if len(data) <= SIZE_MAX else None
        if all(isinstance(found[name], str) for name in Back._fields) and len(found) == 4:
            return Back(**found)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise Failure(FAILED, N_("That does not say which slot to go back to: ask for it again."))


def of(look: dict[str, Any]) -> Back | None:
    """Returns the way back in what overview.read_overview found; None if there is none now."""
    slots = look["slots"]
    here = next((slot for slot in slots if slot["booted"]), None)
    there = next((slot for slot in slots if not slot["booted"]), None)
    if here is None or there is None or here["trial"] or there["trial"]:
        return None
    if not here["state"] == there["state"] == state.GOOD or there["version"] is None:
        return None
    return Back(here["slot"], here["version"], there["slot"], there["version"])


def carry_out(root: Path, asked: Back) -> str:
    """Makes the next start try the other slot, once. Returns what became of it. Raises Failure."""
    with installing.alone(root):
        here = running_slot(root)
        if (here.bootname, release.running(root).version) != (asked.slot, asked.version):
            text = Message(
                "The slots do not stand any more as whoever asked for it saw them: slot {slot}"
                " runs. Look again.",
                slot=here.bootname,
            )
            raise Failure(FAILED, text)
        back, version = installing.way_back(root)
        if (back.bootname, version) != (asked.to_slot, asked.to_version):
            text = Message(
                "The slots do not stand any more as whoever asked for it saw them: slot {slot}"
                " holds {version}. Look again.",
                slot=back.bootname,
                version=version,
            )
            raise Failure(FAILED, text)
        if state.load(root).trial == back.bootname:
            text = Message("Slot {slot} is tried at the next start already.", slot=back.bootname)
            raise Failure(FAILED, text)
        installing.go_back(root, back)
    return Message(
        "The next restart tries slot {slot}, version {version}, once.",
        slot=back.bootname,
        version=version,
    )
