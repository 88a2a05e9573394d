"""The register's file: every entry that was told is there, and none is lost to another's."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S

import rules
from firmware.stakes.abandoned import MARKED
from firmware.stakes.orphelins import COUP, Refused
from firmware.store.checked_lines import Row, decode, encode
from firmware.store.register import Register, RegisterError
from rules.limits import open_table

ROOT = Path(__file__).parents[2]
TABLE = open_table(rules.load("roulette_lu"), 500)
PLEIN = {"bet": "plein", "on": [17], "cents": 500}


def mark(register: Register, coup: int = 0) -> int:
    with register.writing() as page:
        body = page.said.mark(TABLE, PLEIN, coup=coup, day=739_941, who="anna")
        return page.append(MARKED, body)


def play(register: Register, coup: int, number: int = 5) -> None:
    with register.writing() as page:
        page.append(COUP, page.said.play(coup, number, "red"))


def names(register: Register) -> list[tuple[int, str]]:
    return [(row.n, row.kind) for row in register.rows()[0]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "orphelins.jsonl"


@pytest.fixture
def written(path: Path) -> Path:
    """A register of two stakes and a coup."""
    register = Register(path)
    mark(register)
    mark(register)
    play(register, 1)
    return path


def test_a_register_that_is_not_there_is_empty_and_is_not_made_by_looking(path: Path) -> None:
    rows, said = Register(path).rows()
    assert (rows, said.total_cents) == ([], 0)
    assert not path.exists()


def test_an_entry_is_in_the_file_when_append_returns(path: Path) -> None:
    assert mark(Register(path)) == 1
    row = decode(path.read_bytes())
    assert row is not None
    assert (row.n, row.kind, row.body["bet"]) == (1, MARKED, "plein")


def test_names_and_addresses_are_for_nobody_else(written: Path) -> None:
    assert written.stat().st_mode & 0o077 == 0


def test_each_sees_what_the_other_entered(written: Path) -> None:
    one, other = Register(written), Register(written)
    assert mark(one, 1) == 4
    assert mark(other, 1) == 5
    play(one, 2)
    with other.writing() as page:
        assert [len(orphelin.results) for orphelin in page.said.all()] == [2, 2, 1, 1]
        assert page.said.coup == 2


_APPEND = """
import sys
from pathlib import Path
import rules
from firmware.stakes.abandoned import MARKED
from firmware.store.register import Register
from rules.limits import open_table
table = open_table(rules.load("roulette_lu"), 500)
register = Register(Path(sys.argv[1]))
print("r", end="", flush=True)
sys.stdin.read(1)
for _ in range(int(sys.argv[2])):
    with register.writing() as page:
        stake = {"bet": "plein", "on": [17], "cents": 500}
        page.append(MARKED, page.said.mark(table, stake, coup=0, day=1, who=sys.argv[3]))
"""


def test_two_processes_that_append_at_once_lose_nothing(path: Path) -> None:
    each = 60
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _APPEND, str(path), str(each), who],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for who in ("anna", "bert")
    ]
    for process in started:
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.read(1) == b"r"
    for process in started:
        assert process.stdin is not None
        process.stdin.write(b"g")
        process.stdin.flush()
    for process in started:
        process.communicate(timeout=LAST_RESORT_S)
    assert [process.returncode for process in started] == [0, 0]
    rows, _ = Register(path).rows()
    assert [row.n for row in rows] == list(range(1, 2 * each + 1))
    by = [row.body["who"] for row in rows]
    assert (by.count("anna"), by.count("bert")) == (each, each)


def test_a_line_torn_anywhere_is_cut_off_said_and_its_number_given_again(written: Path) -> None:
    whole = written.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for length in range(start + 1, len(whole)):
        written.write_bytes(whole[:length])
        register = Register(written)
        assert names(register) == [(1, MARKED), (2, MARKED)]
        assert written.read_bytes() == whole[:length]  # who only looks changes nothing
        with register.writing():
            pass
        assert register.notice == f"{written}: cut off a last line that was never finished."
        assert written.read_bytes() == whole[:start]
    play(register, 1)
    assert names(register) == [(1, MARKED), (2, MARKED), (3, COUP)]


def test_a_line_torn_while_the_register_is_known_is_cut_off_too(written: Path) -> None:
    register = Register(written)
    mark(register, 1)
    with written.open("ab") as file:
        file.write(b'{"n":5,"utc"')
    assert mark(register, 1) == 5
    assert [n for n, _ in names(register)] == [1, 2, 3, 4, 5]


def test_any_flipped_bit_is_refused_with_its_line_and_nothing_is_changed(written: Path) -> None:
    whole = written.read_bytes()
    for at in range(0, len(whole), 11):
        if whole[at] == 10:
            continue
        damaged = bytearray(whole)
        damaged[at] ^= 4
        written.write_bytes(damaged)
        line = whole.count(b"\n", 0, at) + 1
        register = Register(written)
        with pytest.raises(RegisterError, match=rf"orphelins\.jsonl:{line}: this line is damaged"):
            mark(register)
        with pytest.raises(RegisterError, match=rf":{line}: this line is damaged"):
            register.rows()
        assert written.read_bytes() == damaged


@pytest.mark.parametrize("gone", [0, 1])
def test_a_line_taken_out_is_noticed(written: Path, gone: int) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    del lines[gone]
    written.write_bytes(b"".join(lines))
    with pytest.raises(RegisterError, match=f":{gone + 1}: this line is damaged"):
        mark(Register(written))


def test_a_whole_line_that_does_not_follow_is_damage(written: Path) -> None:
    body = {"of": 1, "day": 1, "cents": 1, "before_cents": 0, "total_cents": 1}
    with written.open("ab") as file:
        file.write(encode(Row(4, "2026-01-01T00:00:00Z", "paid_in", body)))
    with pytest.raises(RegisterError, match=r":4: .*does not follow"):
        mark(Register(written))


def test_an_entry_that_may_not_be_made_is_not_written(written: Path) -> None:
    before = written.read_bytes()
    register = Register(written)
    with register.writing() as page, pytest.raises(Refused):
        page.append(COUP, {"coup": 1, "number": 5, "colour": "red"})
    assert written.read_bytes() == before
    play(register, 2)


def test_a_full_disk_enters_nothing_and_the_next_attempt_does(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written.read_bytes()
    register = Register(written)
    real = os.pwrite

    def pwrite(file: int, data: bytes, offset: int) -> int:
        if offset > len(before):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, data[:10], offset)  # the last free bytes

    monkeypatch.setattr(os, "pwrite", pwrite)
    with pytest.raises(OSError, match="No space"):
        mark(register, 1)
    assert written.read_bytes() == before
    monkeypatch.undo()
    assert mark(register, 1) == 4
    with register.writing() as page:
        assert [orphelin.n for orphelin in page.said.counting()] == [1, 2, 4]


def test_what_could_not_be_synced_was_not_entered(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register = Register(written)
    mark(register, 1)

    def fsync(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="Input/output"):
        mark(register, 1)
    monkeypatch.undo()
    assert [n for n, _ in names(register)] == [1, 2, 3, 4]
    assert mark(register, 1) == 5


def test_a_register_that_was_replaced_is_read_anew(written: Path, tmp_path: Path) -> None:
    register = Register(written)
    mark(register, 1)
    copy = tmp_path / "copy"
    copy.write_bytes(b"".join(written.read_bytes().splitlines(keepends=True)[:1]))
    copy.replace(written)
    assert mark(register) == 2
    with register.writing() as page:
        assert len(page.said.all()) == 2


@pytest.mark.parametrize("kind", ["folder", "fifo", "device"])
def test_what_is_no_regular_file_is_no_register(tmp_path: Path, kind: str) -> None:
    path: Any = tmp_path if kind == "folder" else tmp_path / "register"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/null")
    with pytest.raises(RegisterError, match=r"is no regular file|is a directory"):
        mark(Register(path))
