"""The journal file: nothing that was acknowledged is lost, nothing damaged is believed."""

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.controller import FRESH, Memory
from firmware.core.facts import CCW, CW
from firmware.store import file
from firmware.store.file import FileStore, JournalError
from firmware.store.lines import Row, decode, encode
from firmware.store.memory import MemoryStore
from firmware.store.recall import OUTCOMES_MAX, Outcome

UTC = "2026-01-01T00:00:00Z"
PATIENCE_S = 10.0

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def until(condition: Callable[[], Any]) -> None:
    """Waits for another thread, long enough for the slowest machine."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it never came"
        os.sched_yield()


def write(store: FileStore, *records: tuple[str, Any]) -> None:
    """Puts records and waits until all are durable."""
    done: set[int] = set()
    for ticket, (kind, body) in enumerate(records):
        store.put(ticket, kind, body)
    until(lambda: done.update(store.done()) or len(done) == len(records))


def result(coup: int, number: int = 17) -> tuple[str, Any]:
    return "result", {"coup": coup, "seq": coup, "number": number}


def void(coup: int) -> tuple[str, Any]:
    return "void", {"coup": coup, "seq": coup, "reason": "croupier"}


def actuation(coup: int, way: int) -> tuple[str, Any]:
    return "actuation", {"coup": coup, "rotor": way, "by": "command"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.jsonl"


@pytest.fixture
def written(path: Path) -> Path:
    """A journal of three coups."""
    store = FileStore(path)
    write(store, actuation(1, CW), result(1, 5), actuation(2, CCW), void(2), actuation(3, CW))
    store.close()
    return path


def test_a_new_journal_remembers_nothing(path: Path) -> None:
    store = FileStore(path)
    assert (store.memory, store.outcomes, store.notice) == (FRESH, (), None)
    store.close()


def test_a_restart_remembers_coup_seq_actuation_and_outcomes(written: Path) -> None:
    store = FileStore(written)
    assert store.memory == Memory(coup=2, seq=2, rotor=CW, ball=0, open_coup=3, learned=None)
    assert store.outcomes == (Outcome(1, 1, 5, None), Outcome(2, 2, None, "croupier"))
    assert store.notice is None
    store.close()


def test_a_restart_remembers_a_coup_that_had_only_begun(path: Path) -> None:
    store = FileStore(path)
    write(store, actuation(1, CW), result(1, 5), ("begun", {"coup": 2}))
    store.close()
    store = FileStore(path)
    assert (store.memory.coup, store.memory.open_coup) == (1, 2)
    write(store, void(2))
    store.close()
    store = FileStore(path)
    assert (store.memory.coup, store.memory.open_coup) == (2, 0)
    store.close()


def test_the_end_of_a_coup_says_which_way_the_rotor_last_turned(path: Path) -> None:
    """Its order may be durable, and a void have come before the motor."""
    kept_at_rest = dict(void(2)[1], rotor=CW)
    store = FileStore(path)
    write(store, actuation(1, CW), result(1, 5), actuation(2, CCW), ("void", kept_at_rest))
    store.close()
    store = FileStore(path)
    assert store.memory.rotor == CW
    store.close()


def test_a_restart_remembers_the_last_sealed_stakes_and_how_their_coup_ended(path: Path) -> None:
    stakes = ("stakes", {"coup": 1, "seal": "x", "stakes": []})
    store = FileStore(path)
    assert store.stakes is None
    write(store, actuation(1, CW), stakes)
    store.close()
    store = FileStore(path)
    assert store.stakes == (stakes[1], None)
    write(store, result(1, 5))
    store.close()
    store = FileStore(path)
    assert store.stakes == (stakes[1], result(1, 5)[1])
    write(store, void(2))
    store.close()
    store = FileStore(path)
    assert store.stakes == (stakes[1], result(1, 5)[1])  # the end of another coup changes nothing
    store.close()


def test_the_latest_learned_table_wins_and_comes_back_as_it_was(path: Path) -> None:
    store = FileStore(path)
    write(store, ("learned", {"learned": [1, 0.1]}), ("learned", {"learned": [2, 0.1 + 0.2]}))
    store.close()
    again = FileStore(path)
    assert again.memory.learned == [2, 0.1 + 0.2]
    again.close()


def test_the_last_twenty_outcomes_are_kept(path: Path) -> None:
    store = FileStore(path)
    write(store, *[result(coup) for coup in range(1, 31)])
    store.close()
    again = FileStore(path)
    assert [outcome.coup for outcome in again.outcomes] == list(range(31 - OUTCOMES_MAX, 31))
    again.close()


def test_a_restart_goes_on_in_the_same_file(written: Path) -> None:
    store = FileStore(written)
    write(store, result(3, 0))
    store.close()
    rows = [decode(line + b"\n") for line in written.read_bytes().splitlines()]
    assert [row and row.n for row in rows] == [1, 2, 3, 4, 5, 6]


def test_a_line_torn_anywhere_is_cut_off_and_said(written: Path) -> None:
    whole = written.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for length in range(start + 1, len(whole)):
        written.write_bytes(whole[:length])
        store = FileStore(written)
        store.close()
        assert store.notice == f"{written}:5: cut off a last line that was never finished."
        assert store.memory.open_coup == 0
        assert written.read_bytes() == whole[:start]


def test_a_last_line_with_an_unwritten_page_is_torn_too(written: Path) -> None:
    whole = written.read_bytes()
    written.write_bytes(whole[:-40] + bytes(39) + b"\n")
    store = FileStore(written)
    store.close()
    assert store.notice is not None


def test_any_flipped_bit_in_any_line_is_an_error_that_names_the_line(written: Path) -> None:
    whole = written.read_bytes()
    for at in range(0, len(whole), 7):
        if whole[at] == 10:
            continue
        damaged = bytearray(whole)
        damaged[at] ^= 4
        written.write_bytes(damaged)
        line = whole.count(b"\n", 0, at) + 1
        with pytest.raises(JournalError, match=rf"journal\.jsonl:{line}: this line is damaged"):
            FileStore(written)
        assert written.read_bytes() == damaged


@pytest.mark.parametrize("gone", [0, 2])
def test_a_line_taken_out_is_noticed(written: Path, gone: int) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    del lines[gone]
    written.write_bytes(b"".join(lines))
    with pytest.raises(JournalError, match=f":{gone + 1}: this line is damaged"):
        FileStore(written)


def test_a_whole_line_of_another_kind_of_body_is_damage(path: Path) -> None:
    path.parent.mkdir()
    for body in ({}, {"coup": 1}, [], None, {"coup": 1, "rotor": 5}):
        path.write_bytes(encode(Row(1, UTC, "actuation", body)))
        with pytest.raises(JournalError, match="damaged"):
            FileStore(path)


def test_two_controllers_cannot_write_one_journal(path: Path) -> None:
    store = FileStore(path)
    with pytest.raises(JournalError, match="Another controller"):
        FileStore(path)
    store.close()
    FileStore(path).close()


def test_a_journal_that_cannot_be_opened_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="Cannot open the journal"):
        FileStore(tmp_path / "file" / "journal")


@pytest.mark.parametrize("kind", ["folder", "fifo", "device"])
def test_what_is_no_regular_file_is_no_journal_and_is_not_opened(tmp_path: Path, kind: str) -> None:
    path = tmp_path if kind == "folder" else tmp_path / "journal"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/null")
    with pytest.raises(JournalError, match=r"is no regular file\. Give another --journal\."):
        FileStore(path)


def test_a_record_that_is_turned_away_stays_a_trouble_that_a_restart_must_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "WAITING_MAX", 0)
    store = FileStore(path)
    assert store.awake()
    store.put(1, *result(1))
    monkeypatch.setattr(file, "WAITING_MAX", 10)
    store.put(2, *result(1))
    until(store.done)
    assert store.trouble() == f"{path}: 0 records wait already."
    assert not store.awake()
    store.close()


def test_a_full_disk_is_said_nothing_is_acknowledged_and_all_comes_when_there_is_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(path)
    write(store, result(1))
    before = path.read_bytes()
    real = os.pwrite
    full = [True]

    def pwrite(file: int, data: bytes, offset: int) -> int:
        if full[0] and len(data) > 10:
            return real(file, data[:10], offset)  # the last free bytes
        if full[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, data, offset)

    def almost_full(file: int, data: bytes, offset: int) -> int:
        if full[0] and offset > len(before):
            raise OSError(errno.ENOSPC, "No space left on device")
        return pwrite(file, data, offset)

    monkeypatch.setattr(os, "pwrite", almost_full)
    store.put(10, *result(2))
    store.put(11, *result(3))
    until(store.trouble)
    # What to do is said once, by the fault S10.
    assert str(store.trouble()).endswith("journal.jsonl: No space left on device.")
    assert store.done() == ()
    assert store.awake()
    full[0] = False
    done: list[int] = []
    store.put(12, *result(4))  # which also wakes the writer
    until(lambda: done.extend(store.done()) or len(done) == 3)
    assert done == [10, 11, 12]
    assert store.trouble() is None
    store.close()
    again = FileStore(path)
    assert (again.memory.coup, again.notice) == (4, None)
    again.close()


def test_a_writer_that_hangs_is_not_awake(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    store = FileStore(path)
    held, let_go = threading.Event(), threading.Event()

    def fsync(file: int) -> None:
        held.set()
        let_go.wait(PATIENCE_S)

    monkeypatch.setattr(os, "fsync", fsync)
    assert store.awake()
    store.put(1, *result(1))
    assert held.wait(PATIENCE_S)
    assert not store.awake()
    let_go.set()
    until(store.done)
    assert store.awake()
    store.close()


def test_what_is_written_at_the_start_is_durable_or_it_is_an_error(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(path)
    store.write(*result(1))
    assert store.done() == ()  # nobody else's ticket
    assert b'"kind":"result"' in path.read_bytes()

    def pwrite(file: int, data: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", pwrite)
    with pytest.raises(JournalError, match=r"No space left on device\. Free or replace"):
        store.write(*result(2), patience_s=0.1)
    store.close(0)


@given(kind=st.text(), body=json_values, n=st.integers(0))
def test_a_line_says_what_was_written(kind: str, body: Any, n: int) -> None:
    line = encode(Row(n, UTC, kind, body))
    assert line.count(b"\n") == 1
    assert decode(line) == Row(n, UTC, kind, body)


@given(st.binary(max_size=80))
def test_no_bytes_from_elsewhere_are_a_row(data: bytes) -> None:
    assert decode(data) is None
    assert decode(data + b"\n") is None


def test_memory_acknowledges_at_once_and_once() -> None:
    store = MemoryStore()
    store.put(1, "void", {})
    store.put(2, "void", {})
    assert [store.done(), store.done(), store.trouble()] == [(1, 2), (), None]
