"""What a journal says, read while its controller may be writing it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from firmware.store.file import JournalError, damaged
from firmware.store.lines import Damaged, Row, fold
from firmware.store.recall import Recall


class Played(NamedTuple):
    """A coup that was played to its number."""

    coup: int
    number: int
    colour: str


def recall(path: Path) -> Recall:
    """All that is remembered of it. Raises JournalError if it is damaged or cannot be read."""
    found = Recall()
    _read(path, found.take)
    return found


def played(path: Path, after: int) -> list[Played]:
    """The results of the coups above `after`, in their order. Raises JournalError as `recall`."""
    found: list[Played] = []

    def take(row: Row) -> None:
        if row.kind == "result" and row.body["coup"] > after:
            body = row.body
            found.append(Played(body["coup"], body["number"], body["colour"]))

    _read(path, take)
    return found


def sealed(path: Path, coup: int) -> tuple[Any, Any]:
    """The stakes that were sealed at a coup's call, and the record of its end; None for each that
    is not there. Raises JournalError as `recall`."""
    found = {}

    def take(row: Row) -> None:
        if row.kind in ("stakes", "result", "void") and row.body["coup"] == coup:
            found["stakes" if row.kind == "stakes" else "end"] = row.body

    _read(path, take)
    return found.get("stakes"), found.get("end")


def _read(path: Path, take: Callable[[Row], object]) -> None:
    try:
        with path.open("rb") as lines:
            fold(lines, take)  # a last line that is being written is not there yet
    except Damaged as error:
        raise JournalError(damaged(path, error.n)) from error
    except FileNotFoundError:
        text = f"There is no journal {path}: no coup was played there. Give the table's."
        raise JournalError(text) from None
    except OSError as error:
        raise JournalError(f"Cannot read the journal {path}: {error.strerror}.") from error
