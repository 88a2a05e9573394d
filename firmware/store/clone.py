"""Which board and which FRAM a journal belongs to: how a cloned card is noticed.

The journal's last epoch row names both. A card that was copied finds another board, or the same
board and a FRAM that has gone on without it (firmware.store.fram.judge).
"""

from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus import record
from firmware.store.fram import ADOPT, Head, HeadError

VIRTUAL = "virtual"
_SERIAL = Path("/proc/device-tree/serial-number")  # the firmware of the Pi puts it there
_REMEDY = f"If that is meant, a technician makes it so with {ADOPT}."


class Belongs(NamedTuple):
    """What a journal's last epoch row says: the board's serial number, the FRAM's id or None."""

    board: str | None
    fram: bytes | None


def board_serial(board: dict[str, Any], path: Path = _SERIAL) -> str:
    """Returns the serial number of the machine under a board; VIRTUAL for a board in memory.

    Raises HeadError where a real one has none.
    """
    if board["provider"] == VIRTUAL:
        return VIRTUAL
    try:
        serial = path.read_bytes().strip(b"\0 \n").decode("ascii")
    except (OSError, UnicodeDecodeError):
        serial = ""
    if not serial or len(serial) > record.NAME_MAX:
        raise HeadError(
            f"The board's serial number cannot be read from {path}: without it a copied card would"
            " not be noticed. Run this on the wheel's own board."
        )
    return serial


def check(was: Belongs, serial: str, head: Head | None) -> None:
    """Checks that a journal may be continued here. Raises HeadError, with a sentence.

    `was`: what it says; `head`: the FRAM at hand, if any.
    """
    if was.board is not None and was.board != serial:
        raise HeadError(
            f"This journal was kept on the board {was.board}, and this is the board {serial}: the"
            " card was moved or copied.",
            _REMEDY,
        )
    if head is None:
        if was.fram is not None:
            raise HeadError(
                f"This journal goes with the FRAM {was.fram.hex()}, and there is none here.",
                f"Give --fram, or look at the chip. {_REMEDY}",
            )
        return
    if head.state is None:
        raise HeadError(
            "This journal has rows already, and the FRAM is blank: the FRAM was replaced, or the"
            " card copied.",
            _REMEDY,
        )
    if was.fram is None:
        raise HeadError("This journal was begun without a FRAM, and there is one here.", _REMEDY)
    if was.fram != head.fram_id:
        raise HeadError(
            f"This journal goes with the FRAM {was.fram.hex()}, and this is the FRAM"
            f" {head.fram_id.hex()}: one of them comes from another wheel.",
            _REMEDY,
        )
