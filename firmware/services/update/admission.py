"""Which software a wheel lets in: of its own board, and not older than what it ever kept."""

from __future__ import annotations

from pathlib import Path

from firmware.lib.errors import FAILED, Failure
from firmware.services.update import release, slots, state, version
from firmware.services.update.release import Release
from firmware.services.update.state import GOOD


def admit(root: Path, incoming: Release) -> None:
    """Raises Failure: it may not come in. There is no way round it but to flash the card."""
    own = release.running(root)
    if incoming.board != own.board:
        text = f"The bundle is for the board {incoming.board}, and this is {own.board}."
        raise Failure(FAILED, f"{text} Get the bundle for {own.board}.")
    least = state.floor(root)
    if version.parse(incoming.version) < version.parse(least):
        text = f"The bundle is version {incoming.version}, older than {least}"
        text = f"{text}, which this wheel had. Get {least} or newer"
        back = state.load(root).of(slots.other(slots.running_slot(root)))
        if back.kind == GOOD:
            text = f"{text}; cylindre update rollback goes back to {back.version}"
        raise Failure(FAILED, f"{text}.")
