"""A file beside a journal that names another file to SQLite has that one deleted by nobody."""

from pathlib import Path

import own_journal
import pytest
import rest_files
from own_journal import result

from firmware.lib.errors import FAILED
from firmware.store.rows import JournalError
from tools.cli import main


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    own_journal.keys(tmp_path / "keys")
    written = own_journal.opened(path)
    for coup in range(1, 4):
        written.write(*result(coup))
    written.close()
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["journal", "verify", "{journal}", "--keys", "{keys}"],
        ["journal", "export", "{journal}"],
        ["journal", "export", "{journal}", "--format", "csv"],
        ["journal", "tail", "{journal}"],
        ["journal", "show", "{journal}", "1"],
        ["explain", "1", "--journal", "{journal}"],
        ["settle", "--journal", "{journal}", "--coup", "1"],
        ["key", "rotate", "--journal", "{journal}", "--keys", "{keys}"],
        ["journal", "adopt", "{journal}", "--keys", "{keys}", "--board", "roulette_ref"],
    ],
    ids=" ".join,
)
def test_no_command_that_opens_a_journal_deletes_what_a_rest_names(
    journal: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    victim = rest_files.put_evil(journal, journal.with_name("victim"))
    rest = rest_files.rest_of(journal)
    before = journal.read_bytes(), rest.read_bytes()
    places = {"journal": journal, "keys": journal.with_name("keys")}
    code = main([word.format(**places) for word in command])
    assert victim.exists()
    assert (journal.read_bytes(), rest.read_bytes()) == before
    assert code == FAILED
    assert "names another file" in capsys.readouterr().err


def test_no_start_deletes_what_a_rest_names(journal: Path) -> None:
    victim = rest_files.put_evil(journal, journal.with_name("victim"))
    with pytest.raises(JournalError, match="names another file"):
        own_journal.opened(journal)
    assert victim.exists()
