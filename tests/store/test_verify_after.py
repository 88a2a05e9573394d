"""Each outcome names the one before it, across rotations, epochs and starts; verify holds it so."""

import sqlite3
from pathlib import Path

import hostile
import own_journal
import pytest

from firmware.bus import record
from firmware.store import reader
from firmware.store.rows import Row, follow
from firmware.store.verify import first_bad

OUTCOMES = record.OUTCOMES


def outcomes(path: Path) -> list[Row]:
    return [row for row in reader.rows(path) if row.kind in OUTCOMES]


def test_every_outcome_names_the_one_before(tmp_path: Path) -> None:
    path = hostile.write(tmp_path)
    last = None
    found = outcomes(path)
    for row in found:
        said = record.parse(row.body)
        assert said is not None
        assert said.after == last
        last = record.digest(row.body)
    assert len(found) > 8
    assert first_bad(path, hostile.ROOT) is None


@pytest.mark.parametrize("after", [None, bytes(8), "first"])
def test_an_outcome_that_follows_another_is_named(tmp_path: Path, after: object) -> None:
    """Signed by the wheel's own key, and right in all else."""
    path = tmp_path / "journal.db"
    journal = own_journal.opened(path)
    for coup in (1, 2):
        journal.write(*own_journal.result(coup))
    journal.close()
    end = list(reader.rows(path))[-1]
    said = record.parse(end.body)
    assert said is not None
    true = record.digest(end.body)
    if after == "first":
        after = record.digest(outcomes(path)[0].body)
    fields = {name: value for name, value in said._asdict().items() if value is not None}
    fields |= {"seq": 3, "coup": 3, "prev": end.hash[:16]}
    for named, sentence in ((true, None), (after, "follows another record")):
        copy = tmp_path / f"copy-{sentence is None}.db"
        copy.write_bytes(path.read_bytes())
        body = own_journal.SIGNER.sign(fields | {"after": named})
        more = follow(end.point, end.utc, "result", body)
        with sqlite3.connect(copy) as connection:
            connection.execute("INSERT INTO journal VALUES(?, ?, ?, ?, ?)", more)
        connection.close()
        found = first_bad(copy, own_journal.SIGNER.public)
        if sentence is None:
            assert found is None
        else:
            assert found is not None
            assert (found.n, sentence in found.sentence) == (more.n, True)
