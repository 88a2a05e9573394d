"""What lies beside a journal is judged before SQLite sees it: the wheel's own is taken back."""

import os
import random
import tempfile
from collections.abc import Iterator

import pytest
import rest_files
import rest_fuzz
from own_journal import opened
from rest_fuzz import REFUSED, ROLLED_BACK, Bench, encode

from firmware.store import reader, rest_file
from firmware.store.rows import JournalError

CASES = 300  # of 100 000, which tests/store/statistical/test_rest_fuzz.py plays


@pytest.fixture(scope="module")
def made() -> Iterator[Bench]:
    folder = rest_fuzz.folder()
    yield Bench(folder)
    rest_fuzz.remove(folder)


@pytest.fixture
def bench(made: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(tempfile, "tempdir", str(made.temporary))
    clear(made)
    yield made
    clear(made)


def clear(made: Bench) -> None:
    """Nothing lies there."""
    for end in ("", "-journal", "-wal", "-shm"):
        there = made.path.with_name(made.path.name + end)
        if there.is_dir() and not there.is_symlink():
            there.rmdir()
        there.unlink(missing_ok=True)


def refusal(bench: Bench) -> str:
    """What a reader and a start say of it, which is the same; nothing has changed."""
    before = bench.path.read_bytes()
    with pytest.raises(JournalError) as read:
        list(reader.rows(bench.path))
    with pytest.raises(JournalError) as started:
        opened(bench.path)
    assert str(read.value) == str(started.value)
    assert bench.path.read_bytes() == before
    bench._untouched(0)
    return str(read.value)


def test_whatever_is_mutated_nothing_is_deleted_and_nothing_grows(bench: Bench) -> None:
    for case in range(CASES):
        bench.play(case)
    assert min(bench.told[became] for became in (REFUSED, ROLLED_BACK)) > CASES / 10


@pytest.mark.parametrize("seed", range(6))
def test_what_a_crash_left_is_taken_back_for_who_reads_and_by_a_start(
    bench: Bench, seed: int
) -> None:
    bench.lay(bench.after, bytes(encode(bench.honest(random.Random(seed)))))
    assert list(reader.rows(bench.path)) == bench.legitimate[0]
    assert bench.path.read_bytes() == bench.after
    opened(bench.path).close()
    assert bench.path.read_bytes() == bench.before
    assert not bench.rest.exists()


@pytest.mark.parametrize("rest", [b"", bytes(512), bytes(5_000), b"7" * 5_000, b"7"])
def test_what_was_never_finished_of_a_rest_is_passed_over(bench: Bench, rest: bytes) -> None:
    bench.lay(bench.after, rest)
    assert list(reader.rows(bench.path)) == bench.legitimate[1]
    assert bench.rest.read_bytes() == rest
    opened(bench.path).close()
    assert bench.path.read_bytes() == bench.after


@pytest.mark.parametrize("beside", ["link", "fifo", "folder", "hard link"])
def test_a_rest_that_is_no_file_of_its_own_is_refused_at_once(bench: Bench, beside: str) -> None:
    bench.lay(bench.after, b"")
    bench.rest.unlink()
    if beside == "link":
        bench.rest.symlink_to("/dev/zero")
    elif beside == "fifo":
        os.mkfifo(bench.rest)
    elif beside == "folder":
        bench.rest.mkdir()
    else:
        bench.rest.hardlink_to(bench.canary)
    assert f"Beside {bench.path} lies {bench.rest.name}" in refusal(bench)


@pytest.mark.parametrize("end", ["-wal", "-shm"])
@pytest.mark.parametrize("beside", ["link", "fifo", "folder"])
def test_what_is_no_file_is_no_write_ahead_log_either(bench: Bench, end: str, beside: str) -> None:
    bench.path.write_bytes(bench.after)
    there = bench.path.with_name(bench.path.name + end)
    if beside == "link":
        (bench.temporary / "empty").touch()
        there.symlink_to(bench.temporary / "empty")
    elif beside == "fifo":
        os.mkfifo(there)
    else:
        there.mkdir()
    with pytest.raises(JournalError, match=f"lies {there.name}, of a write-ahead log"):
        list(reader.rows(bench.path))
    with pytest.raises(JournalError, match=f"lies {there.name}, of a write-ahead log"):
        opened(bench.path)
    (bench.temporary / "empty").unlink(missing_ok=True)


def test_a_journal_that_is_a_link_is_not_followed(bench: Bench) -> None:
    """SQLite would look for its rest beside the file that the link leads to."""
    bench.path.symlink_to(bench.canary)
    with pytest.raises(JournalError, match="it is a link, and links are not followed"):
        list(reader.rows(bench.path))
    with pytest.raises(JournalError, match="is no regular file"):
        opened(bench.path)


@pytest.mark.parametrize("pages", [0, 2, 4, 10, 2**18, 2**31, 2**32 - 1])
def test_a_rest_of_another_length_neither_cuts_the_journal_nor_lets_it_grow(
    bench: Bench, pages: int
) -> None:
    rest = bench.about._replace(pages=pages).encode()
    bench.lay(bench.before, rest)
    refusal(bench)
    bench.lay(bench.after, rest + bytes(encode(bench.honest(random.Random(0))))[512:])
    refusal(bench)


def test_a_rest_that_is_only_long_is_refused(bench: Bench) -> None:
    bench.lay(bench.after, bytes(encode(bench.honest(random.Random(0)))))
    os.truncate(bench.rest, 1 << 40)
    assert "longer than any commit" in refusal(bench)


def test_the_sentence_names_the_file_and_what_to_do(bench: Bench) -> None:
    bench.path.write_bytes(bench.after)
    bench.lay(bench.after, rest_files.evil(bench.path, bench.canary))
    assert refusal(bench) == (
        f"Beside {bench.path} lies journal.db-journal, which no commit of a wheel leaves so: it"
        " names another file, which SQLite would delete. Move it away, and keep it for inspection."
    )


def test_a_rest_that_is_written_meanwhile_is_looked_at_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A controller may be at it: only what is the same twice is refused."""
    bench.lay(bench.after, bytes(encode(bench.honest(random.Random(1))))[:-9])
    look = rest_file._Look.judge

    def judge(self: rest_file._Look) -> None:
        try:
            look(self)
        finally:
            bench.rest.write_bytes(b"")

    monkeypatch.setattr(rest_file._Look, "judge", judge)
    assert list(reader.rows(bench.path)) == bench.legitimate[1]
