"""What makes a wheel's results durable: its keys, its FRAM and its journal, opened one after the
other. Whatever cannot be used is a Failure, and nothing of it was changed.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import click

from firmware.bus.record import Record
from firmware.config.game import Game
from firmware.keys import folder as keys
from firmware.keys import rotation
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import translated
from firmware.run.open_head import open_head
from firmware.store import signing, source_hash
from firmware.store.clone import VIRTUAL, board_serial
from firmware.store.fram import HeadError
from firmware.store.identity import Identity
from firmware.store.journal import Journal, JournalError


def identity(game: Game, wheel: str) -> Identity:
    """Returns what every record says of this wheel. Raises Failure."""
    return Identity(
        wheel=wheel,
        game=game.board["apparatus"],
        rules=game.rules["name"],
        rules_hash=signing.rules_hash(game.rules),
        layout_verified=game.rules.get("layout_verified"),
        firmware=source_hash.firmware_hash(),
        board=_serial(game.board),
    )


def identity_of(last: Record, board: dict[str, Any] | None = None) -> Identity:
    """Returns the wheel as its journal's last epoch names it, on `board`; None: on what is at hand.

    Raises Failure.
    """
    found = {"provider": VIRTUAL if last.board == VIRTUAL else "pi"} if board is None else board
    return Identity(
        wheel=last.wheel,
        game=last.game,
        rules=last.rules,
        rules_hash=last.rules_hash,
        layout_verified=last.layout_verified,
        firmware=source_hash.firmware_hash(),
        board=_serial(found),
    )


def _serial(board: dict[str, Any]) -> str:
    try:
        return board_serial(board)
    except HeadError as error:
        raise Failure(FAILED, str(error)) from error


def open_journal(
    game: Game,
    wheel: str,
    *,
    journal: Path,
    folder: Path,
    fram: Path | None,
    stack: contextlib.ExitStack,
) -> Journal:
    """Returns the journal, gone on with or made, signed with the wheel's key in `folder`. Raises
    Failure.

    `fram`: the file that stands in for the chip.
    """
    signer = rotation.open_signer(folder, journal)
    head = open_head(game.board, fram, stack)
    try:
        found = Journal(
            journal,
            signer=signer,
            identity=identity(game, wheel),
            head=head,
            next_epoch=lambda: keys.next_epoch(folder, 0 if head is None else head.epoch),
            rotations=rotation.read_chain(folder),
        )
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    stack.callback(found.close)
    if found.notice:
        click.echo(translated(found.notice), err=True)
    return found


def state_software(journal: Journal) -> None:
    """Records what the hash in the next records stands for, where that is news. Raises Failure."""
    statement = source_hash.statement()
    if journal.software != statement:
        try:
            journal.write(source_hash.KIND, statement)
        except JournalError as error:
            raise Failure(FAILED, str(error)) from error
