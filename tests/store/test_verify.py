"""`journal verify` finds any changed, missing, swapped or added row, and a tail cut off."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import own_journal
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from own_journal import SIGNER, actuation, correction, result, void
from storage_tape import FramOnTape, Tape

from firmware.core.facts import CCW, CW
from firmware.store import reader, rows, writer
from firmware.store.fram import Head, Slot, read_state
from firmware.store.fram_file import FileFram
from firmware.store.rows import JournalError, Row, follow
from firmware.store.signing import Signer
from firmware.store.verify import Bad, first_bad

COUPS = 40  # of four rows: beyond two checkpoints
ROOT = SIGNER.public


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal of some coups, one of them corrected, and its FRAM."""
    folder = tmp_path_factory.mktemp("played")
    fram = FileFram(folder / "fram")
    journal = own_journal.opened(folder / "journal.db", head=Head(fram))
    seq = 0
    for coup in range(1, COUPS + 1):
        seq += 1
        journal.write("begun", {"coup": coup})
        journal.write(*actuation(coup, CW if coup % 2 else CCW))
        journal.write("evidence", {"coup": coup, "seq": seq, "why": "predicted"})
        journal.write(*(void(coup, seq=seq) if coup == 7 else result(coup, 5, seq=seq)))
        if coup == 9:
            seq += 1
            journal.write(*correction(9, seq, seq - 1, number=7, compartment=7, colour="red"))
    journal.close()
    fram.close()
    return folder


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    """A copy of that journal, to be altered."""
    shutil.copy(played / "journal.db", tmp_path)
    return tmp_path / "journal.db"


def slot_of(folder: Path) -> Callable[[], Slot | None]:
    def read() -> Slot | None:
        fram = FileFram(folder / "fram", read_only=True)
        try:
            return read_state(fram)
        finally:
            fram.close()

    return read


def alter(path: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement, values)
    connection.close()


def last(path: Path) -> int:
    return list(reader.rows(path))[-1].n


@pytest.mark.req("UK-3.1b.audit")
def test_an_untouched_journal_is_intact(played: Path) -> None:
    assert first_bad(played / "journal.db", ROOT, slot_of(played)) is None


@pytest.mark.req("IEC-CR-3.9")
@pytest.mark.parametrize(
    "change",
    [
        "utc = '2026-01-13T00:00:00Z'",
        "kind = 'evidence2'",
        "body = x'00'",
        "body = CAST(body AS TEXT)",
        "hash = x'00'",
        "hash = NULL",
        "utc = NULL",
        "utc = x'FFFE'",
    ],
)
def test_any_changed_row_is_named(path: Path, change: str) -> None:
    whole = path.read_bytes()
    for n in (1, 2, 5, 64, 65, last(path)):
        path.write_bytes(whole)
        alter(path, f"UPDATE journal SET {change} WHERE n = {n}")
        found = first_bad(path, ROOT)
        assert found is not None and found.n == n, (n, found)


@pytest.mark.req("IEC-CR-3.9")
def test_any_missing_row_is_named(played: Path, path: Path) -> None:
    whole = path.read_bytes()
    end = last(path)
    for n in range(1, end + 1):
        path.write_bytes(whole)
        alter(path, f"DELETE FROM journal WHERE n = {n}")
        found = first_bad(path, ROOT, slot_of(played))
        assert found is not None and found.n == n


def test_swapped_rows_are_named(path: Path) -> None:
    whole = path.read_bytes()
    for first, second in ((2, 3), (5, 11), (64, 128), (10, last(path))):
        path.write_bytes(whole)
        alter(
            path,
            f"UPDATE journal SET n = -1 WHERE n = {first}",
            f"UPDATE journal SET n = {first} WHERE n = {second}",
            f"UPDATE journal SET n = {second} WHERE n = -1",
        )
        found = first_bad(path, ROOT)
        assert found is not None and found.n == first


def test_an_added_row_is_named(played: Path, path: Path) -> None:
    whole = path.read_bytes()
    end = last(path)
    values = "'2026-01-12T13:46:40Z', 'begun', x'7b7d', x'00'"
    for n in (0, -5, end + 1, end + 7):
        path.write_bytes(whole)
        alter(path, f"INSERT INTO journal VALUES({n}, {values})")
        found = first_bad(path, ROOT)
        assert found is not None and found.n == (n if n < 1 else end + 1)


def test_a_row_that_follows_as_it_should_but_came_without_the_fram_is_named(
    played: Path, path: Path
) -> None:
    end = list(reader.rows(path))[-1]
    more = follow(end.point, end.utc, "begun", b'{"coup":99}')
    alter(path, "INSERT INTO journal VALUES(?, ?, ?, ?, ?)", values=more)
    assert first_bad(path, ROOT) is None
    found = first_bad(path, ROOT, slot_of(played))
    assert found is not None and found.n == more.n
    assert "came without the FRAM" in found.sentence


@pytest.mark.parametrize("gone", [1, 2, 60, 100])
def test_a_tail_cut_off_shows_against_the_fram_alone(played: Path, path: Path, gone: int) -> None:
    end = last(path)
    alter(path, f"DELETE FROM journal WHERE n > {end - gone}")
    assert first_bad(path, ROOT) is None
    found = first_bad(path, ROOT, slot_of(played))
    assert found is not None and found.n == end - gone + 1
    missing = f"Row {end} is" if gone == 1 else f"Rows {end - gone + 1} to {end} are"
    assert f"{missing} missing" in found.sentence


def test_a_journal_of_before_beside_todays_fram_is_named(played: Path, tmp_path: Path) -> None:
    other = own_journal.opened(tmp_path / "other.db")
    for coup in range(1, 60):
        other.write("begun", {"coup": coup})
    other.close()
    assert first_bad(tmp_path / "other.db", ROOT) is None
    assert first_bad(tmp_path / "other.db", ROOT, slot_of(played)) is not None


def rechained(path: Path, change: Callable[[Row], Row], n: int) -> None:
    """Changes row `n` and gives every row from there on the hash that it now must have."""
    connection = sqlite3.connect(path)
    at = rows.START
    for row in list(reader.rows(path)):
        new = change(row) if row.n == n else row
        new = follow(at, new.utc, new.kind, new.body)
        at = new.point
        connection.execute(
            "UPDATE journal SET utc = ?, kind = ?, body = ?, hash = ? WHERE n = ?",
            (new.utc, new.kind, new.body, new.hash, new.n),
        )
    connection.commit()
    connection.close()


@pytest.mark.req("IEC-CR-3.9")
def test_without_the_key_no_row_can_be_changed_even_with_all_hashes_made_anew(path: Path) -> None:
    """The next signed row names the chain before it."""
    whole = path.read_bytes()
    signed = [row.n for row in reader.rows(path) if row.kind in rows.SIGNED]
    for n in (2, 40, 66, 100):
        path.write_bytes(whole)
        rechained(path, lambda row: row._replace(body=b'{"coup":77}'), n)
        found = first_bad(path, ROOT)
        assert found is not None and found.n == min(at for at in signed if at > n)


@pytest.mark.req("ON-3.2.3.corrupted")
def test_such_a_journal_is_not_gone_on_with(path: Path) -> None:
    rechained(path, lambda row: row._replace(body=b'{"coup":77}'), 100)
    with pytest.raises(JournalError, match="is missing or was changed"):
        own_journal.opened(path, head=None)


def test_the_time_of_the_last_row_is_that_of_its_record(path: Path) -> None:
    end = list(reader.rows(path))[-1]
    assert end.kind == "result"
    rechained(path, lambda row: row._replace(utc="2026-01-13T00:00:00Z"), end.n)
    found = Bad(end.n, f"Row {end.n} has another time than its record (in coup {COUPS}).", COUPS)
    assert first_bad(path, ROOT) == found


def test_a_checkpoint_of_elsewhere_is_named(path: Path) -> None:
    earlier = next(row for row in reader.rows(path) if row.n == 64)
    rechained(path, lambda row: row._replace(body=earlier.body), 128)
    found = first_bad(path, ROOT)
    assert found is not None and found.n == 128
    assert "was signed in another place" in found.sentence


def test_a_record_signed_by_another_key_is_named(path: Path) -> None:
    result_n = [row.n for row in reader.rows(path) if row.kind == "result"][4]

    def forge(row: Row) -> Row:
        said = rows.record.parse(row.body)
        assert said is not None
        return row._replace(body=Signer(bytes(32)).sign(said._asdict() | {"number": 6}))

    rechained(path, forge, result_n)
    words = f"Row {result_n} is not signed by the wheel's key (in coup 5)."
    assert first_bad(path, ROOT) == Bad(result_n, words, 5)


def test_a_wheel_that_is_not_ours_is_named_at_its_first_row(path: Path) -> None:
    found = first_bad(path, Signer(bytes(32)).public)
    assert found is not None and "is not this wheel's" in found.sentence


def test_rows_that_a_start_would_not_find_by_their_kind_are_named(path: Path) -> None:
    """The index is left behind while the last result is put in anew."""
    end = list(reader.rows(path))[-1]
    entry = "SELECT * FROM sqlite_master WHERE name = 'journal_kind'"
    with sqlite3.connect(path) as connection:
        connection.execute(f"DELETE FROM journal WHERE n = {end.n}")
        connection.execute("PRAGMA writable_schema = ON")
        index = connection.execute(entry).fetchone()
        connection.execute("DELETE FROM sqlite_master WHERE name = 'journal_kind'")
    connection.close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO journal VALUES(?, ?, ?, ?, ?)", end)
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES(?, ?, ?, ?, ?)", index)
    connection.close()
    found = first_bad(path, ROOT)
    assert found is not None and found.n == end.n
    assert f"Row {end.n} is not found by its kind" in found.sentence
    with pytest.raises(JournalError, match=f"row {end.n} is missing or was changed"):
        own_journal.opened(path)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more(n)",
        "CREATE TRIGGER t AFTER INSERT ON journal BEGIN DELETE FROM journal WHERE n = 1; END",
        "DROP INDEX journal_kind",
        "ALTER TABLE journal ADD COLUMN more",
    ],
)
def test_another_schema_is_no_journal_as_it_was_written(path: Path, statement: str) -> None:
    alter(path, statement)
    found = first_bad(path, ROOT)
    assert found is not None and found.n == 0
    with pytest.raises(JournalError, match="other tables"):
        own_journal.opened(path)


@example(at=3965, bit=7)  # in the schema, which SQLite then quotes in no known letters
@given(at=st.integers(0), bit=st.integers(0, 7))
def test_a_flipped_bit_anywhere_is_found_or_touches_no_row(played: Path, at: int, bit: int) -> None:
    flipped = bytearray((played / "journal.db").read_bytes())
    flipped[at % len(flipped)] ^= 1 << bit
    path = played / "flipped.db"
    path.write_bytes(flipped)
    try:
        found = first_bad(path, ROOT, slot_of(played))
    except JournalError:
        found = Bad(0, "it is no longer taken for a journal")
    if found is None:
        assert list(reader.rows(path)) == list(reader.rows(played / "journal.db"))
    else:
        fram = FramOnTape(Tape(), (played / "fram").read_bytes())
        with contextlib.suppress(JournalError):  # and whatever is wrong, a start is no traceback
            own_journal.opened(path, head=Head(fram)).close()


@pytest.mark.parametrize("size", [100, 4096, 5000, 8192, 20_000, -4096, -1])
def test_a_torn_file_is_named_or_no_journal(path: Path, size: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    torn = path.read_bytes()
    try:
        found = first_bad(path, ROOT)
    except JournalError:
        found = Bad(0, "")
    assert found is not None
    with pytest.raises(JournalError):
        own_journal.opened(path)
    assert path.read_bytes() == torn


def test_bytes_behind_the_last_page_are_named(path: Path) -> None:
    with path.open("ab") as file:
        file.write(bytes(4096))
    assert first_bad(path, ROOT) == Bad(0, "4096 bytes were added behind the last row.")


@pytest.mark.parametrize(("every", "n"), [(1000, 64), (10, 10)])
def test_a_checkpoint_left_out_or_where_none_is_due_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int, n: int
) -> None:
    monkeypatch.setattr(writer, "CHECKPOINT_EVERY", every)
    journal = own_journal.opened(tmp_path / "journal.db")
    for coup in range(1, 80):
        journal.put(coup, "begun", {"coup": coup})
    journal.close(10)
    found = first_bad(tmp_path / "journal.db", ROOT)
    assert found is not None and found.n == n and "checkpoint" in found.sentence


@pytest.mark.parametrize("gap", [0, 2])
def test_a_seq_that_does_not_follow_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gap: int
) -> None:
    journal = own_journal.opened(tmp_path / "journal.db")
    journal.write(*result(1))
    journal._writer._seq += gap - 1
    journal.write(*result(2, seq=1 + gap))
    journal.close()
    found = first_bad(tmp_path / "journal.db", ROOT)
    assert found is not None and found.n == 3 and "sequence" in found.sentence


def test_a_record_of_another_wheel_with_the_same_key_is_named(tmp_path: Path) -> None:
    journal = own_journal.opened(tmp_path / "journal.db")
    journal._writer._identity = own_journal.WHEEL._replace(wheel="wheel-2")
    journal.write(*result(1))
    journal.close()
    assert first_bad(tmp_path / "journal.db", ROOT) == Bad(
        2, "Row 2 is of the wheel wheel-2, and this is wheel-1."
    )


def test_an_epoch_that_does_not_step_is_named(tmp_path: Path) -> None:
    journal = own_journal.opened(tmp_path / "journal.db", next_epoch=lambda: 3)
    journal.write("epoch", {"next_key": ROOT, "board": "virtual"})
    journal.close()
    assert first_bad(tmp_path / "journal.db", ROOT) == Bad(2, "Row 2 begins epoch 3 after epoch 3.")


def rotated(path: Path, old: Signer, new: Signer) -> bytes:
    """Has the wheel sign with another key from now on; the record that says so."""
    journal = own_journal.opened(path, signer=old)
    journal.write("rotation", {"next_key": new.public})
    journal.close()
    return journal.rotations[-1]


def test_the_first_key_is_trusted_over_rotations_and_over_a_new_journal(tmp_path: Path) -> None:
    second, third = Signer(b"2" * 32), Signer(b"3" * 32)
    path = tmp_path / "journal.db"
    own_journal.opened(path).close()
    chain = [rotated(path, SIGNER, second), rotated(path, second, third)]
    with pytest.raises(JournalError, match="signed by the key"):
        own_journal.opened(path, signer=second)
    journal = own_journal.opened(path, signer=third)
    assert (journal.rotations, journal.kid) == (tuple(chain), third.kid)
    journal.write(*result(1))
    journal.close()
    assert reader.keys(path).last == third.public
    assert first_bad(path, ROOT) is None
    assert first_bad(path, second.public) is not None
    anew = tmp_path / "anew.db"
    journal = own_journal.opened(anew, signer=third, rotations=chain, next_epoch=lambda: 2)
    journal.write(*result(1))
    journal.close()
    assert (journal.epoch, journal.rotations) == (2, tuple(chain))
    assert first_bad(anew, ROOT) is None
    assert own_journal.opened(anew, signer=third).close() is None
    alone = tmp_path / "alone.db"
    own_journal.opened(alone, signer=third, rotations=chain[:1], next_epoch=lambda: 3).close()
    found = first_bad(alone, ROOT)
    assert found is not None and found.n == 1


def test_a_damaged_page_of_the_index_is_named_as_that(path: Path) -> None:
    """Every row is there and whole: none of them is blamed, and none that never was."""
    with sqlite3.connect(path) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'journal_kind'"
        page = connection.execute(query).fetchone()[0]
    connection.close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(data)
    found = first_bad(path, ROOT)
    assert found == Bad(0, "The index by kind is damaged; the rows are as they were written.")


@pytest.mark.parametrize("end", ["-shm", "-wal"])
def test_what_another_program_left_beside_it_is_left_there(path: Path, end: str) -> None:
    stale = path.with_name(path.name + end)
    stale.write_bytes(b"" if end == "-wal" else bytes(32_768))
    before = {other.name: other.read_bytes() for other in path.parent.iterdir()}
    assert first_bad(path, ROOT) is None
    assert {other.name: other.read_bytes() for other in path.parent.iterdir()} == before


def test_a_journal_in_another_mode_is_told_before_anything_is_made_beside_it(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[18:20] = b"\2\2"
    path.write_bytes(data)
    path.with_name(path.name + "-shm").write_bytes(bytes(32_768))
    before = {other.name: other.read_bytes() for other in path.parent.iterdir()}
    with pytest.raises(JournalError, match="another mode"):
        first_bad(path, ROOT)
    assert {other.name: other.read_bytes() for other in path.parent.iterdir()} == before
