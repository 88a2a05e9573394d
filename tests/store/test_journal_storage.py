"""Storage that fails, fills, hangs or is held by others: it is said, and nothing is acknowledged
that is not durable."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import own_journal
import pytest
from own_journal import SIGNER, actuation, result, void
from patience import LAST_RESORT_S, until
from storage_tape import Event, FramOnTape, Tape, recording

from firmware.core.facts import CW
from firmware.store import journal as journal_module
from firmware.store import journal_file
from firmware.store import reader as journal_reader
from firmware.store.fram import Head, read_state
from firmware.store.journal import Journal
from firmware.store.rows import JournalError
from firmware.store.verify import first_bad

FOLDER = Path(__file__).parent
# What SQLite's own VFS answers, and what is then said.
FULL, IOERR_WRITE, IOERR_FSYNC, READONLY = 13, 778, 1034, 8
SAID = {
    FULL: "no space is left on the storage",
    IOERR_WRITE: "the storage fails (input/output error)",
    IOERR_FSYNC: "the storage fails (input/output error)",
    READONLY: "it can only be read",
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RETRY_S", "TRY_S"):
        monkeypatch.setattr(journal_module, name, 0.001)


class Bench:
    """A journal and its FRAM on a tape, and what it has acknowledged."""

    def __init__(self, path: Path, tape: Tape) -> None:
        self.path = path
        self.tape = tape
        self.fram = FramOnTape(tape)
        self.journal = own_journal.opened(path, head=Head(self.fram))
        self.done: list[int] = []
        self.troubles: list[str] = []

    def put(self, *records: tuple[str, Any]) -> None:
        for ticket, record in enumerate(records, 1):
            self.journal.put(ticket, *record)

    def came(self, count: int) -> bool:
        """Whether so many are acknowledged; notes what is said meanwhile."""
        trouble = self.journal.trouble()
        if trouble is not None and trouble not in self.troubles:
            self.troubles.append(trouble)
        self.done += self.journal.done()
        return len(self.done) >= count

    def rows(self) -> list[str]:
        return [row.kind for row in journal_reader.rows(self.path)]

    def bad(self) -> Any:
        return first_bad(self.path, SIGNER.public, lambda: read_state(self.fram))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    tape = Tape()
    with recording(tape):
        made = Bench(tmp_path / "journal.db", tape)
        yield made
        made.journal.close(LAST_RESORT_S)


def failing_once(at: int, code: int) -> Callable[[Event], int]:
    """Fails at the `at`-th event from now on, and at no other."""
    left = [at]

    def fail(event: Event) -> int:
        left[0] -= 1
        return code if left[0] == -1 else 0

    return fail


COMMIT = (("evidence", {"coup": 1, "seq": 1}), result(1, 5))


def events_of_a_commit(folder: Path) -> list[Event]:
    tape = Tape()
    with recording(tape):
        bench = Bench(folder / "counted.db", tape)
        before = len(tape.events)
        bench.put(*COMMIT)
        until(lambda: bench.came(2))
        found = tape.events[before:]
        bench.journal.close(LAST_RESORT_S)
    return found


@pytest.mark.parametrize("code", [FULL, IOERR_WRITE, IOERR_FSYNC, READONLY])
def test_whatever_fails_in_a_commit_is_tried_again_until_all_is_durable_once(
    tmp_path: Path, code: int
) -> None:
    events = events_of_a_commit(tmp_path)
    assert len(events) > 20
    for at in range(len(events)):
        tape = Tape()
        with recording(tape):
            bench = Bench(tmp_path / f"journal{at}.db", tape)
            tape.fail = failing_once(at, code)
            bench.put(*COMMIT)
            until(lambda bench=bench: bench.came(2))
            assert bench.rows() == ["epoch", "evidence", "result"], (at, events[at])
            assert bench.bad() is None
            assert bench.journal.trouble() is None
            bench.put(void(2))
            until(lambda bench=bench: bench.came(3))
            bench.journal.close(LAST_RESORT_S)
            again = own_journal.opened(bench.path, head=Head(bench.fram))
            assert (again.restart_state.coup, again.restart_state.seq) == (2, 2)
            again.close(LAST_RESORT_S)


@pytest.mark.parametrize("code", [FULL, IOERR_WRITE, IOERR_FSYNC, READONLY])
@pytest.mark.parametrize("what", ["write", "sync"])
def test_storage_that_fails_for_long_is_said_and_nothing_is_acknowledged_until_it_works(
    bench: Bench, code: int, what: str
) -> None:
    bench.put(result(1, 5))
    until(lambda: bench.came(1))
    attempts: list[Event] = []

    def fail(event: Event) -> int:
        if event.what != what:
            return 0
        attempts.append(event)
        return code

    bench.tape.fail = fail
    bench.put(actuation(2, CW), result(2, 7))
    until(lambda: len(attempts) > 50 or bench.came(2))
    assert bench.done == [1]
    for _ in range(2):  # a restart would not help it
        until(bench.journal.awake)
    assert bench.troubles == [f"{bench.path}: {SAID[code]}."]
    bench.tape.fail = None
    until(lambda: bench.came(3))
    assert bench.journal.trouble() is None
    assert bench.rows() == ["epoch", "result", "actuation", "result"]
    assert bench.bad() is None


def test_a_fram_that_fails_for_a_moment_holds_the_result_back_and_loses_nothing(
    bench: Bench,
) -> None:
    failed = []

    def fail(event: Event) -> int:
        if event.what == "fram" and len(failed) < 3:
            failed.append(event)
            return 1
        return 0

    bench.tape.fail = fail
    bench.put(*COMMIT)
    until(lambda: bench.came(2))
    assert bench.troubles == [f"{bench.path}: FRAM: Input/output error."]
    assert bench.rows() == ["epoch", "evidence", "result"]
    assert bench.journal.take_events() == ()


def test_a_writer_that_hangs_is_not_awake_and_says_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, let_go = threading.Event(), threading.Event()

    def hang(event: Event) -> int:
        if event.what == "sync":
            held.set()
            let_go.wait(LAST_RESORT_S)
        return 0

    bench.tape.fail = hang
    assert bench.journal.awake()
    bench.put(result(1))
    assert held.wait(LAST_RESORT_S)
    assert not bench.journal.awake()
    assert not bench.came(1)
    assert bench.journal.trouble() is None
    monkeypatch.setattr(journal_module, "HANGS_S", 1e-9)
    told = bench.journal.trouble()
    assert told is not None and f"{bench.path}: the storage has been writing for " in told
    let_go.set()
    until(lambda: bench.came(1))
    assert bench.journal.awake()
    assert bench.journal.trouble() is None


def test_what_nobody_foresaw_stops_the_writer_and_is_said(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("number")

    monkeypatch.setattr(bench.journal._writer, "commit", broken)
    bench.put(result(1))
    until(bench.journal.trouble)
    assert bench.journal.trouble() == (
        f"{bench.path}: its writer has stopped (KeyError: 'number')."
    )
    assert not bench.journal.awake()
    assert not bench.came(1)


def test_a_slow_card_is_told_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "SLOW_S", 0.0)
    bench.put(result(1), result(2))
    until(lambda: bench.came(2))
    (told,) = bench.journal.take_events()
    assert told.code == "S14"
    assert told.detail.startswith("a commit took ")


def test_what_is_written_at_the_start_is_durable_or_it_is_an_error(bench: Bench) -> None:
    bench.journal.write(*result(1))
    assert bench.journal.done() == ()  # nobody else's ticket
    assert bench.rows() == ["epoch", "result"]
    bench.tape.fail = lambda event: FULL if event.what == "write" else 0
    with pytest.raises(JournalError, match=r"no space is left on the storage\. Free or replace"):
        bench.journal.write(*result(2), patience_s=1.0)
    bench.tape.fail = None


@pytest.mark.parametrize("code", [FULL, IOERR_WRITE, IOERR_FSYNC])
def test_a_journal_that_cannot_be_made_is_a_sentence_and_can_be_made_later(
    tmp_path: Path, code: int
) -> None:
    path = tmp_path / "journal.db"
    for what in ("write", "sync", "rename"):
        tape = Tape()
        with recording(tape):
            tape.fail = lambda event, what=what: code if event.what == what else 0
            with pytest.raises(JournalError, match="Cannot make the journal"):
                own_journal.opened(path, head=Head(FramOnTape(Tape())))
            assert not path.exists()
    own_journal.opened(path).close()


def test_a_file_system_that_can_only_be_read_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    own_journal.opened(path).close()
    real = os.open

    def read_only(name: Any, flags: int, *more: Any) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY | os.O_CREAT):
            raise OSError(errno.EROFS, "Read-only file system")
        return real(name, flags, *more)

    monkeypatch.setattr(os, "open", read_only)
    for name in ("journal.db", "new.db"):
        with pytest.raises(JournalError, match=r"(?i)the journal .*: read-only file system\."):
            own_journal.opened(tmp_path / name)


def test_a_journal_that_is_taken_away_while_playing_acknowledges_nothing(bench: Bench) -> None:
    bench.put(result(1))
    until(lambda: bench.came(1))
    elsewhere = bench.path.with_name("elsewhere.db")
    bench.path.rename(elsewhere)
    bench.put(result(2))
    until(bench.journal.trouble)
    assert "No such file" in str(bench.journal.trouble())
    bench.path.write_bytes(elsewhere.read_bytes())  # a copy is not the file that is locked
    until(lambda: "another put there" in str(bench.journal.trouble()))
    assert not bench.came(2)
    bench.path.unlink()
    elsewhere.rename(bench.path)
    until(lambda: bench.came(2))
    assert bench.rows() == ["epoch", "result", "result"]


@pytest.mark.req("ON-3.2.3.corrupted")
def test_a_row_taken_out_while_playing_ends_the_recording(bench: Bench) -> None:
    bench.put(result(1), result(2))
    until(lambda: bench.came(2))
    with sqlite3.connect(bench.path) as other:
        other.execute("DELETE FROM journal WHERE n = 3")
    other.close()
    bench.put(result(3))
    until(bench.journal.trouble)
    assert bench.journal.trouble() == (
        f"{bench.path}: row 3 is no longer the last: somebody has altered it."
    )
    assert not bench.came(3)
    assert not bench.journal.awake()


# --- others at the same file ----------------------------------------------------------------------
READER = """
import sys, pathlib
from firmware.store import reader
from firmware.store.verify import first_bad
path = pathlib.Path(sys.argv[1])
most = 0
print("reads", flush=True)
while not pathlib.Path(sys.argv[1] + ".stop").exists():
    rows = list(reader.rows(path))
    assert [row.n for row in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= most
    most = len(rows)
    assert first_bad(path, bytes.fromhex(sys.argv[2])) is None
print(most, flush=True)
"""


def process(program: str, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": f"{FOLDER.parents[1]}:{FOLDER.parent}:{FOLDER}"},
    )


def test_who_reads_all_the_time_never_makes_the_writer_fail(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = own_journal.opened(path)
    readers = [process(READER, path, SIGNER.public.hex()) for _ in range(2)]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "reads\n"
    for coup in range(1, 101):
        journal.put(coup, *result(coup))
        done: list[int] = []
        until(lambda done=done: done.extend(journal.done()) or done)
        assert journal.trouble() is None
    path.with_name("journal.db.stop").touch()
    for reader in readers:
        assert reader.wait(LAST_RESORT_S) == 0
        assert reader.stdout is not None
        assert 1 <= int(reader.stdout.read()) <= 103
        reader.stdout.close()
    journal.close()
    assert first_bad(path, SIGNER.public) is None


def test_another_program_that_keeps_the_file_locked_is_said_and_waited_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "BUSY_S", 0.01)
    bench.journal._file.disconnect()  # the next connection is as impatient
    other = sqlite3.connect(bench.path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM journal").fetchall()
    bench.put(result(1))
    until(bench.journal.trouble)
    assert bench.journal.trouble() == f"{bench.path}: another program keeps it locked."
    assert not bench.came(1)
    other.execute("ROLLBACK")
    other.close()
    until(lambda: bench.came(1))
    assert bench.rows() == ["epoch", "result"]


KILLED = """
import os, signal, sys, pathlib, own_journal
from storage_tape import Tape, recording
path, at = pathlib.Path(sys.argv[1]), int(sys.argv[2])
tape = Tape()
with recording(tape):
    journal = own_journal.opened(path)
    journal.write(*own_journal.result(1, 5))
    left = [at]
    def fail(event):
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0
    tape.fail = fail
    journal.write(*own_journal.result(2, 7))
"""


@pytest.mark.parametrize("at", [3, 14, 16, 18])
def test_a_killed_writer_leaves_a_journal_that_can_be_read_and_gone_on_with(
    tmp_path: Path, at: int
) -> None:
    path = tmp_path / "journal.db"
    killed = process(KILLED, path, at)
    assert killed.wait(LAST_RESORT_S) == -signal.SIGKILL
    assert killed.stdout is not None
    killed.stdout.close()
    before = {other.name: other.read_bytes() for other in tmp_path.iterdir()}
    assert first_bad(path, SIGNER.public) is None
    assert [row.kind for row in journal_reader.rows(path)] == ["epoch", "result"]
    assert {other.name: other.read_bytes() for other in tmp_path.iterdir()} == before
    again: Journal = own_journal.opened(path)  # not locked
    assert (again.restart_state.coup, again.trouble()) == (1, None)
    again.write(*result(2, 7))
    again.close()
    assert first_bad(path, SIGNER.public) is None
    assert [path.name for path in tmp_path.iterdir()] == ["journal.db"]
