"""Opens what keeps the head of a journal: a board's FRAM, or the file that stands in for it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from boards.pin_map import fram
from drivers.fram_mb85rc256v import FramMb85rc256v
from firmware.lib.errors import FAILED, NO_DEVICE, Failure, sentence
from firmware.lib.language import Message
from firmware.store.fram import Head, HeadError, Memory, Slot, read_state
from firmware.store.fram_file import FileFram

AGAIN = 2  # times that a FRAM is read again before what it says is believed to be wrong


def open_head(board: dict[str, Any], file: Path | None, stack: contextlib.ExitStack) -> Head | None:
    """Returns the head for the controller, ours alone; None where the board has no FRAM and `file`
    is None.

    Raises Failure.
    """
    memory = open_memory(board, file, stack)
    if memory is None:
        return None
    with as_failures(board, file):
        return Head(memory)


def read_slot(board: dict[str, Any], file: Path | None) -> Slot | None:
    """Returns what FRAM or file say now, of a wheel that may be playing; None: blank, or there is
    none.

    Changes nothing. Raises Failure.
    """
    with contextlib.ExitStack() as stack:
        memory = open_memory(board, file, stack, read_only=True)
        if memory is None:
            return None
        with as_failures(board, file):
            for _ in range(AGAIN):
                try:
                    return read_state(memory)
                except HeadError:  # slots of two moments: it was written between the reads
                    continue
            return read_state(memory)


def open_memory(
    board: dict[str, Any],
    file: Path | None,
    stack: contextlib.ExitStack,
    *,
    read_only: bool = False,
) -> Memory | None:
    """Returns what keeps the head; None if there is none. Raises Failure.

    `file` goes before the chip: where that is broken, a file on another medium stands in.
    """
    if file is not None:
        with as_failures(board, file):
            memory = FileFram(file, read_only=read_only)
        stack.callback(memory.close)
        return memory
    if "fram" not in board:
        return None
    from firmware.shims.linux import i2c

    use, address = board["fram"]
    with as_failures(board, None):
        # A handle of its own: the slow sensors's thread has another.
        chip = FramMb85rc256v(i2c(board["buses"][use][1]), address)
        known = chip.identify()
    if not known:
        raise Failure(
            NO_DEVICE,
            Message("The chip where the FRAM should be is none: {fram}.", fram=fram(board)),
        )
    return chip


@contextlib.contextmanager
def as_failures(board: dict[str, Any], file: Path | None) -> Any:
    """Turns errors of FRAM or file into Failures."""
    try:
        yield
    except HeadError as error:
        # A file's own sentences name it already.
        named = file is None or str(file) in str(error)
        raise Failure(
            FAILED, str(error) if named else Message("{}: {}", file, Message(str(error)))
        ) from error
    except OSError as error:
        why = sentence(error)
        why += "" if why.endswith((".", "?")) else "."
        where = file if file is not None else Message("The FRAM ({fram})", fram=fram(board))
        remedy = (
            ""
            if file is not None
            else Message(" Check it and its bus; or give --fram FILE for one.")
        )
        raise Failure(
            NO_DEVICE,
            Message(
                "{where} cannot be read: {why}{remedy}",
                where=where,
                why=Message(why),
                remedy=remedy,
            ),
        ) from error
