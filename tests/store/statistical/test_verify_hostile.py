"""A journal altered in every way: `verify` names the row, a start refuses, and nothing crashes."""

import contextlib
import functools
import io
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hostile
import own_journal
import pytest
from hostile import ROOT, SECOND, Statement, contents, first_difference

from firmware.store import database, reader, signing, verify, writer
from firmware.store.fram import Head, read_state
from firmware.store.fram_file import FileFram
from firmware.store.rows import SIGNED, JournalError, Row
from firmware.store.verify import Bad, first_bad
from tools.cli import main

SEED = 2026
EVERY = 16  # rows from one checkpoint to the next
SOME = 25  # of the alterations, one in so many is also started on, and read


class Bench:
    """A journal, to be altered again and again."""

    def __init__(self, folder: Path) -> None:
        self.path = hostile.write(folder)
        self.whole = self.path.read_bytes()
        self.rows = list(reader.rows(self.path))
        self.before = contents(self.path)
        self.fram = folder / "fram"
        self.fram_bytes = self.fram.read_bytes()
        self.done = 0

    def restore(self) -> None:
        for beside in self.path.parent.glob("journal.db-*"):
            beside.unlink()
        self.path.write_bytes(self.whole)

    def file(self, content: bytes, what: str, *, noticed: bool = True) -> bool:
        """Another file in its place; whether that is told of."""
        self.restore()
        self.path.write_bytes(content)
        if content == self.whole:
            return False
        try:
            bad = self.bad()
        except JournalError as error:
            self.said(str(error), what)
            bad = Bad(0, str(error))
        assert self.path.read_bytes() == content, what
        if bad is None:
            assert not noticed, what
            assert contents(self.path) == self.before, what
        self.look(what, every=6)
        return bad is not None

    def alter(self, statements: list[Statement]) -> None:
        self.restore()
        hostile.apply(self.path, statements)

    def slot(self) -> Any:
        fram = FileFram(self.fram, read_only=True)
        try:
            return read_state(fram)
        finally:
            fram.close()

    def bad(self, *, fram: bool = True) -> Bad | None:
        return first_bad(self.path, ROOT, self.slot if fram else None)

    def look(self, what: str, *, every: int = SOME) -> None:
        """Now and then: a start, and whatever reads."""
        self.done += 1
        if self.done % every == 0:
            self.start(what)
            self.read(what)

    def start(self, what: str, *, whole: bool | None = None) -> None:
        """Refused, or right; and what lies there is not overwritten. `whole`: it must be right."""
        altered = self.path.read_bytes()
        fram = FileFram(self.fram)
        try:
            journal = own_journal.opened(
                self.path, signer=SECOND, identity=hostile.BOARD, head=Head(fram)
            )
        except JournalError as error:
            self.said(str(error), what)
            assert not whole, what
            assert whole is False or not changed(self.path, altered), what
        else:
            journal.close()
            assert contents(self.path) == self.before, what
        finally:
            fram.close()
            self.fram.write_bytes(self.fram_bytes)

    def said(self, sentence: str, what: str) -> None:
        """A sentence for a person, of one line."""
        assert "\n" not in sentence, what
        assert sentence.endswith((".", "?")), what

    def read(self, what: str) -> None:
        """Answers, or one sentence; never a mistake of ours."""
        path, keys = str(self.path), str(self.path.parent / "keys")
        commands = [
            ["journal", "export", path],
            ["journal", "export", path, "--format", "csv"],
            ["journal", "tail", path, "-n", "99"],
            ["journal", "tail", path, "--json"],
            ["journal", "verify", path, "--keys", keys, "--fram", str(self.fram)],
            *[["journal", "show", path, coup] for coup in ("1", "2", "3", "7", "8", "9", "10")],
            *[["settle", "--journal", path, "--coup", coup] for coup in ("1", "4", "7", "9")],
        ]
        for command in commands:
            errors = io.StringIO()
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
                code = main(command)
            told = errors.getvalue()
            assert code in (0, 1), (what, command, code)
            assert bool(told) == bool(code), (what, command, told)
            assert "mistake in cylindre" not in told, (what, command, told)
            if told:
                self.said(told.removesuffix("\n"), what)


def changed(path: Path, content: bytes) -> bool:
    """Whether a file is other than it was."""
    return path.read_bytes() != content


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """In memory, with a checkpoint at every 16th row, and each signature checked once."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="hostile-", dir=memory if memory.is_dir() else None))
    known = functools.lru_cache(maxsize=None)(signing.verify)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writer, "CHECKPOINT_EVERY", EVERY)
        patched.setattr(verify, "CHECKPOINT_EVERY", EVERY)
        patched.setattr(signing, "verify", known)
        found = Bench(folder)
        own_journal.keys(folder / "keys")
        yield found
    shutil.rmtree(folder)


def test_the_journal_that_is_altered_here_has_everything_and_is_whole(bench: Bench) -> None:
    bench.restore()
    kinds = {row.kind for row in bench.rows}
    assert kinds >= {*SIGNED, "begun", "actuation", "evidence", "stakes", "adopted"}
    assert bench.rows[-1].kind == "actuation"
    assert sum(row.kind == "checkpoint" for row in bench.rows) >= 2
    assert bench.bad() is None
    bench.start("nothing")
    bench.read("nothing")


def test_each_column_of_each_row_is_watched(bench: Bench) -> None:
    for what, statements in hostile.columns(bench.rows, random.Random(SEED)):
        bench.alter(statements)
        expected = first_difference(bench.before, contents(bench.path))
        assert expected is not None, what
        found = bench.bad(fram=False)
        assert found is not None and found.n == expected, (what, found)
        bench.look(what)


def test_rows_taken_out_copied_exchanged_or_renumbered_are_named(bench: Bench) -> None:
    for what, statements in hostile.numbers(bench.rows, random.Random(SEED)):
        bench.alter(statements)
        expected = first_difference(bench.before, contents(bench.path))
        assert expected is not None, what
        found = bench.bad()
        assert found is not None and found.n == expected, (what, expected, found)
        bench.look(what)


@pytest.mark.req("IEC-CR-3.9")
def test_a_tail_cut_off_is_always_named_by_the_fram_and_never_without(bench: Bench) -> None:
    for what, statements in hostile.tails(bench.rows):
        bench.alter(statements)
        expected = first_difference(bench.before, contents(bench.path))
        found = bench.bad()
        assert found is not None and found.n == expected, (what, found)
        assert bench.bad(fram=False) is None, what
        bench.look(what, every=4)


def strangers(folder: Path) -> list[Row]:
    """Rows of another wheel, and of other epochs of this one."""
    found = []
    for name, choices in (
        ("other", {"identity": hostile.OTHERS_WHEEL, "signer": SECOND}),
        ("before", {"next_epoch": lambda: 1}),
        ("later", {"next_epoch": lambda: 9, "signer": SECOND}),
    ):
        path = folder / f"{name}.db"
        journal = own_journal.opened(path, **choices)
        hostile._play(journal, 1, 4)
        journal.close()
        found += list(reader.rows(path))
        path.unlink()
    return found


def test_with_all_hashes_made_anew_the_next_signed_row_or_the_fram_tells(bench: Bench) -> None:
    rng = random.Random(SEED)
    signed = [row.n for row in bench.rows if row.kind in SIGNED]
    last_signed = signed[-1]
    unseen = 0
    others = strangers(bench.path.parent)
    for what, n, made in hostile.rechained(bench.rows, rng, others):
        bench.alter(hostile.replace(made))
        if first_difference(bench.before, contents(bench.path)) is None:
            continue
        found = bench.bad()
        assert found is not None, what
        # The row itself, or the next one that is signed; behind the last of those, the FRAM's.
        latest = min([at for at in signed if at > n], default=len(made)) + 1
        assert n <= found.n <= latest, (what, n, found)
        if bench.bad(fram=False) is None:
            unseen += 1
            assert n > last_signed or made[-1].kind not in SIGNED, what
        bench.look(what)
    assert unseen  # behind the last signed row nobody but the FRAM knows


def test_another_schema_or_another_kind_of_file_is_refused_by_all(bench: Bench) -> None:
    for statement in hostile.SCHEMATA:
        bench.restore()
        with contextlib.closing(sqlite3.connect(bench.path)) as connection:
            connection.execute(statement)
            connection.commit()
        altered = bench.path.read_bytes()
        assert altered != bench.whole, statement
        with contextlib.suppress(JournalError):
            found = bench.bad()
            assert found is not None and found.n == 0, statement
        bench.look(statement, every=1)
        assert bench.path.read_bytes() == altered, statement


def test_a_zeroed_page_or_a_cut_file_is_named_or_no_journal(bench: Bench) -> None:
    size = 4096
    pages = len(bench.whole) // size
    assert pages > 4
    for page in range(pages):
        torn = bytearray(bench.whole)
        torn[page * size : (page + 1) * size] = bytes(size)
        bench.file(bytes(torn), f"page {page} zeroed")
    for cut in (*range(0, len(bench.whole), 1777), *range(size, len(bench.whole), size)):
        bench.file(bench.whole[:cut], f"cut at {cut}")
    for more in (1, size, 5 * size):
        bench.file(bench.whole + bytes(more), f"{more} zeros more")
        bench.file(bench.whole + bench.whole[:more], f"{more} bytes more")


def test_bytes_altered_anywhere_are_named_or_leave_every_row_as_it_was(bench: Bench) -> None:
    rng = random.Random(SEED)
    unnoticed = 0
    for turn in range(700):
        flipped = bytearray(bench.whole)
        places = range(100) if turn % 7 == 0 else range(len(flipped))
        for at in rng.sample(places, rng.choice((1, 1, 2, 30))):
            flipped[at] = rng.choice((flipped[at] ^ (1 << rng.randrange(8)), rng.randrange(256)))
        unnoticed += not bench.file(bytes(flipped), f"bytes, turn {turn}", noticed=False)
    assert unnoticed  # free space, and counters in the header


@pytest.mark.parametrize("beside", ["of a copy", "garbage", "a folder"])
def test_a_write_ahead_log_beside_it_is_told_and_never_taken_in(bench: Bench, beside: str) -> None:
    """SQLite would read it in the file's place, and the next start write it into the file."""
    bench.restore()
    wal = bench.path.with_name("journal.db-wal")
    if beside == "of a copy":
        copy = bench.path.with_name("copy.db")
        shutil.copy(bench.path, copy)
        with contextlib.closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("UPDATE journal SET body = x'00' WHERE n = 5")
            connection.commit()
            shutil.copy(copy.with_name("copy.db-wal"), wal)
        copy.unlink()
    elif beside == "garbage":
        wal.write_bytes(b"7" * 5000)
    else:
        wal.mkdir()
    told = None if wal.is_dir() else wal.read_bytes()
    with pytest.raises(JournalError, match="another mode"):
        bench.bad()
    bench.look(beside, every=1)
    assert bench.path.read_bytes() == bench.whole
    assert told is None or wal.read_bytes() == told
    assert not bench.path.with_name("journal.db-shm").exists()
    shutil.rmtree(wal) if wal.is_dir() else wal.unlink()


def test_a_journal_put_into_that_mode_is_told(bench: Bench) -> None:
    for places in ((18,), (19,), (18, 19)):
        altered = bytearray(bench.whole)
        for at in places:
            altered[at] = 2
        bench.restore()
        bench.path.write_bytes(altered)
        with contextlib.suppress(JournalError):
            assert bench.bad() is None  # 18 alone: SQLite itself does not care
            assert places == (18,)
        bench.look(str(places), every=1)
        assert bench.path.read_bytes() == altered
        assert [path.name for path in bench.path.parent.glob("journal.db*")] == ["journal.db"]


def test_a_rollback_journal_beside_it_is_followed_and_what_comes_of_it_judged(bench: Bench) -> None:
    """As after a crash; one of another moment takes the journal back, which the FRAM tells."""
    bench.restore()
    rest = bench.path.with_name("journal.db-journal")
    with contextlib.closing(sqlite3.connect(bench.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("DELETE FROM journal WHERE n > 9")
        connection.execute("UPDATE journal SET body = zeroblob(9000)")
        torn, hot = bench.path.read_bytes(), rest.read_bytes()
        connection.execute("ROLLBACK")
    assert torn != bench.whole
    for what, content, beside, is_whole in (
        ("hot", torn, hot, True),
        ("hot, of an untouched file", bench.whole, hot, True),
        ("without it", torn, b"", False),
        ("cut short", torn, hot[: len(hot) // 2], False),
        ("garbage", bench.whole, b"7" * 5000, True),
        ("zeros", bench.whole, bytes(5000), True),
    ):
        bench.restore()
        bench.path.write_bytes(content)
        rest.write_bytes(beside)
        try:
            bad = bench.bad()
        except JournalError:
            bad = Bad(0, "")
        assert (bad is None) == is_whole, (what, bad)
        assert bench.path.read_bytes() == content, what
        assert rest.read_bytes() == beside, what
        bench.read(what)
        bench.start(what, whole=is_whole)


def test_rows_that_come_in_a_circle_end_in_a_sentence(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a damaged tree gives them: whoever went on until none is left would never end."""
    bench.restore()
    first = bench.rows[:3]
    monkeypatch.setattr(database, "select", lambda *_: first)
    with pytest.raises(JournalError, match="row 1 comes after 3"):
        list(reader.rows(bench.path))
    ends = [row for row in bench.rows if row.kind == "result"][:1]
    monkeypatch.setattr(reader, "_ends", lambda *_: ends)
    with database.reading(bench.path) as connection:
        assert reader.end_of(bench.path, connection, 9) is None


@pytest.mark.parametrize("kind", ["checkpoint", "epoch", "stakes", "evidence"])
def test_an_index_that_names_rows_of_another_kind_is_told(bench: Bench, kind: str) -> None:
    """SQLite believes its index: a start or a reader would get a row that is none of these."""
    for asked in ("result", "void", "correction"):
        bench.restore()
        sql = "UPDATE journal SET kind = ? WHERE n IN (SELECT n FROM journal WHERE kind = ?)"
        with contextlib.closing(sqlite3.connect(bench.path, isolation_level=None)) as connection:
            which = "SELECT * FROM sqlite_master WHERE type = 'index'"
            index = connection.execute(which).fetchone()
            old = [row for row in bench.rows if row.kind == kind]
            connection.execute(sql, (asked, kind))
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("DELETE FROM sqlite_master WHERE type = 'index'")
        with contextlib.closing(sqlite3.connect(bench.path, isolation_level=None)) as connection:
            for row in old:
                connection.execute("UPDATE journal SET kind = ? WHERE n = ?", (kind, row.n))
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("INSERT INTO sqlite_master VALUES(?, ?, ?, ?, ?)", index)
        assert contents(bench.path) == bench.before
        found = bench.bad()
        assert found is not None and found.n == old[0].n, (kind, asked, found)
        assert "is not found by its kind" in found.sentence
        bench.read(f"{kind} as {asked}")
        bench.start(f"{kind} as {asked}")


def test_an_index_that_names_more_rows_than_there_are_is_told(bench: Bench) -> None:
    bench.restore()
    end = bench.rows[-1]
    with contextlib.closing(sqlite3.connect(bench.path, isolation_level=None)) as connection:
        which = "SELECT * FROM sqlite_master WHERE type = 'index'"
        index = connection.execute(which).fetchone()
        more = (end.n + 9, end.utc, "fram", end.body, end.hash)
        connection.execute("INSERT INTO journal VALUES(?, ?, ?, ?, ?)", more)
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE type = 'index'")
    with contextlib.closing(sqlite3.connect(bench.path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM journal WHERE n = ?", more[:1])
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES(?, ?, ?, ?, ?)", index)
    assert contents(bench.path) == bench.before
    assert bench.bad() == Bad(0, f"The index of {end.n} rows names {end.n + 1}.")
