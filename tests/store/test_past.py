"""What a journal says to whoever only reads it."""

from pathlib import Path

import pytest

from firmware.store.file import FileStore, JournalError
from firmware.store.past import sealed

STAKES = {"coup": 2, "seal": "5ea1"}
RESULT = {"coup": 2, "seq": 2, "number": 5, "colour": "red"}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    store = FileStore(tmp_path / "journal.jsonl")
    store.write("void", {"coup": 1, "seq": 1, "reason": "croupier"})
    store.write("stakes", STAKES)
    store.write("result", RESULT)
    store.write("employee", {"who": "claire", "present": False})
    store.close()
    return store.path


def test_the_stakes_of_a_coup_and_its_end_are_found(journal: Path) -> None:
    assert sealed(journal, 2) == (STAKES, RESULT)
    assert sealed(journal, 1) == (None, {"coup": 1, "seq": 1, "reason": "croupier"})
    assert sealed(journal, 3) == (None, None)


def test_a_line_that_was_taken_out_is_noticed(journal: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:1] + lines[2:]))
    with pytest.raises(JournalError, match="2: this line is damaged"):
        sealed(journal, 2)
