"""A signing key that was retired: the journal says since when, and nothing newer counts."""

from pathlib import Path

import own_journal
import pytest
from own_journal import SIGNER, result

from firmware.bus import record
from firmware.store import reader, rows
from firmware.store.rows import follow
from firmware.store.signing import Signer
from firmware.store.verify import first_bad

ROOT = SIGNER.public
SECOND = Signer(b"2" * 32)
THIEFS = Signer(b"t" * 32)


def play(path: Path, coups: int, signer: Signer = SIGNER, first: int = 1, **more: object) -> None:
    """So many coups, each with one row that nobody signs."""
    journal = own_journal.opened(path, signer=signer, **more)
    for coup in range(first, first + coups):
        journal.write("begun", {"coup": coup})
        journal.write(*result(coup))
    journal.close()


def rotate(path: Path, old: Signer = SIGNER, new: Signer = SECOND) -> bytes:
    """The record by which `new` signs from now on."""
    journal = own_journal.opened(path, signer=old)
    journal.write("rotation", {"next_key": new.public})
    journal.close()
    return journal.rotations[-1]


@pytest.mark.parametrize("coups", [0, 1, 5])
def test_a_rotation_names_the_last_outcome_before_it(tmp_path: Path, coups: int) -> None:
    path = tmp_path / "journal.db"
    play(path, coups)
    said = record.parse(rotate(path))
    assert said is not None and said.seq == (coups or None)
    play(path, 2, SECOND, first=coups + 1)
    assert first_bad(path, ROOT) is None


def test_a_rotation_that_names_another_outcome_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    play(path, 3)
    journal = own_journal.opened(path)
    journal._writer._seq = 7
    journal.write("rotation", {"next_key": SECOND.public})
    journal.close()
    found = first_bad(path, ROOT)
    assert found is not None and found.n == 8
    assert (
        found.sentence
        == "Row 8 retires a key after the sequence 7, and stands after 3 (after coup 3)."
    )


def test_a_tail_forged_with_the_stolen_old_key_in_place_of_the_rotation_is_named(
    tmp_path: Path,
) -> None:
    """To whom has the wheel's chain of keys; without it and the FRAM nobody could know."""
    path, forged = tmp_path / "journal.db", tmp_path / "forged.db"
    play(path, 3)
    forged.write_bytes(path.read_bytes())
    chain = [rotate(path)]
    play(path, 2, SECOND, first=4)
    play(forged, 2, first=4)
    assert first_bad(path, ROOT, rotations=chain) is None
    assert first_bad(forged, ROOT) is None
    found = first_bad(forged, ROOT, rotations=chain)
    assert found is not None and found.n == 9
    name = SIGNER.kid.hex()
    assert f"signed by the key {name}, which was retired after the sequence 3" in found.sentence


def test_a_journal_that_a_retired_key_begins_anew_is_named(tmp_path: Path) -> None:
    path, forged = tmp_path / "journal.db", tmp_path / "forged.db"
    play(path, 3)
    chain = [rotate(path)]
    play(forged, 1, next_epoch=lambda: 2)
    found = first_bad(forged, ROOT, rotations=chain)
    assert found is not None and found.n == 1 and "retired" in found.sentence
    anew = tmp_path / "anew.db"
    play(anew, 1, SECOND, next_epoch=lambda: 2, rotations=chain)
    assert first_bad(anew, ROOT, rotations=chain) is None


def test_another_successor_than_the_known_one_is_named(tmp_path: Path) -> None:
    path, forged = tmp_path / "journal.db", tmp_path / "forged.db"
    play(path, 3)
    forged.write_bytes(path.read_bytes())
    chain = [rotate(path)]
    rotate(forged, new=THIEFS)
    play(forged, 2, THIEFS, first=4)
    assert first_bad(forged, ROOT) is None
    found = first_bad(forged, ROOT, rotations=chain)
    assert found is not None and found.n == 8 and "another successor" in found.sentence


def test_a_copy_from_before_the_rotation_is_still_as_it_was_written(tmp_path: Path) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    play(path, 3)
    copy.write_bytes(path.read_bytes())
    chain = [rotate(path)]
    assert first_bad(copy, ROOT, rotations=chain) is None


def test_a_record_of_the_old_key_put_behind_the_rotation_is_named(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "journal.db"
    play(path, 3)
    rotate(path)
    end = list(reader.rows(path))[-1]
    fields = own_journal.result(4)[1] | {
        "kind": "result", "wheel": "wheel-1", "epoch": 1, "game": "roulette",
        "rules_hash": b"rulesrul", "firmware": b"firmware", "utc": own_journal.NOW.utc,
        "quality": 3, "prev": end.hash[:16],
    }  # fmt: skip
    more = follow(end.point, end.utc, "result", SIGNER.sign(fields))
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO journal VALUES(?, ?, ?, ?, ?)", more)
    connection.close()
    assert rows.is_whole(more, end.point)
    found = first_bad(path, ROOT)
    assert found is not None
    assert found.sentence == f"Row {more.n} is not signed by the wheel's key (after coup 3)."
