"""An outcome that lies in the FRAM: replayed, or kept where it cannot be; never overwritten."""

import contextlib
import json
import shutil

import pytest
from adopt_bench import BOARD, RESULT, Bench, refused, signed

import boards
from firmware.keys import folder as keys
from firmware.lib.errors import Failure
from firmware.run.open_head import read_slot
from firmware.store import fram_slots, writer
from firmware.store.database import reading
from firmware.store.fram import Head, Point
from firmware.store.fram_file import FileFram
from tools.journal import journal_check
from tools.journal.journal_adopt import forget


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def pend(bench, body, gap=1):
    """The FRAM holds an outcome that was on its way when the power failed."""
    end = bench.loaded().end
    memory = FileFram(bench.fram)
    Head(memory).before(end, Point(end.n + gap, bytes(32)), 1, body)
    memory.close()


def adopted(bench):
    with reading(bench.journal) as connection:
        found = connection.execute("SELECT body FROM journal WHERE kind = 'adopted'").fetchall()
    return [json.loads(body)["pending"] for (body,) in found]


def other_signer(bench, folder):
    keys.ensure_wheel(folder)
    other = Bench(folder)
    other.keys = folder
    return other


@pytest.mark.parametrize("what", ["key", "wheel", "epoch", "seq", "prev", "no outcome"])
def test_an_outcome_that_is_not_this_journals_is_refused_and_kept_by_adopting(
    bench, tmp_path, what
):
    bench.play(2)
    end = bench.loaded().end
    more = {"epoch": {"epoch": 7}, "wheel": {"wheel": "wheel-2"}}.get(what, {})
    signs = other_signer(bench, tmp_path / "other") if what == "key" else bench
    body = signed(
        signs,
        dict(RESULT, coup=3, seq=9 if what == "seq" else 3),
        end._replace(hash=b"another hash".ljust(32)) if what == "prev" else end,
        **more,
    )
    body = b"no record" if what == "no outcome" else body
    pend(bench, body)
    before = bench.journal.read_bytes(), bench.fram.read_bytes()
    refused(bench, "The FRAM holds an outcome that")
    assert (bench.journal.read_bytes(), bench.fram.read_bytes()) == before
    said = bench.adopt()
    assert body.hex() in said
    assert "epoch 2 begins" in said
    assert adopted(bench) == [[body.hex()]]
    bench.seq = 2
    assert bench.play() == 2
    assert bench.bad() is None


def test_an_outcome_beside_a_journal_that_was_cut_is_kept_by_adopting(bench):
    bench.play(2)
    shutil.copy(bench.journal, bench.folder / "copy.db")
    bench.play(2)
    body = signed(bench, dict(RESULT, coup=5, seq=5), bench.loaded().end)
    pend(bench, body)
    shutil.copy(bench.folder / "copy.db", bench.journal)
    assert body.hex() in bench.adopt()
    assert adopted(bench) == [[body.hex()]]
    assert bench.bad() is None


def test_an_outcome_in_a_damaged_fram_is_kept_by_adopting(bench):
    bench.play(2)
    body = signed(bench, dict(RESULT, coup=3, seq=3), bench.loaded().end)
    pend(bench, body)
    data = bytearray(bench.fram.read_bytes())
    for place in (0, 0x1000):
        slot = fram_slots.decode(bytes(data[place : place + 1024]))
        if slot.pending is None:  # the other is of another FRAM
            other = fram_slots.encode(slot._replace(fram_id=b"stranger"))
            data[place : place + len(other)] = other
    bench.fram.write_bytes(data)
    refused(bench, "do not belong together")
    assert body.hex() in bench.adopt()
    assert adopted(bench) == [[body.hex()]]
    assert bench.bad() is None


def test_an_outcome_that_was_recorded_all_the_same_is_not_said_to_be_lost(bench, monkeypatch):
    """The commit got through, and the board was changed before the next start."""
    bench.play(2)
    with reading(bench.journal) as connection:
        query = "SELECT n, body, hash FROM journal WHERE kind = 'result' ORDER BY n DESC LIMIT 1"
        n, body, head = connection.execute(query).fetchone()
        (before,) = connection.execute("SELECT hash FROM journal WHERE n = ?", (n - 1,)).fetchone()
    memory = FileFram(bench.fram)
    found = Head(memory)
    found._write(1, Point(n - 1, before), Point(n, head), body)
    memory.close()
    monkeypatch.setattr("firmware.run.open_journal.board_serial", lambda board: "10000000a1b2c3d4")
    assert body.hex() not in bench.adopt()
    assert adopted(bench) == [[]]


@pytest.mark.parametrize("gone", [False, True])
def test_a_fram_of_a_newer_version_is_never_overwritten(bench, monkeypatch, gone):
    bench.play(2)
    monkeypatch.setattr(fram_slots, "_VERSION", 2)
    memory = FileFram(bench.fram)
    fram_slots.erase(memory)
    Head(memory).stand(bench.loaded().end, 1)
    memory.close()
    monkeypatch.undo()
    before = bench.fram.read_bytes()
    if gone:
        bench.journal.unlink()
    with pytest.raises(Failure, match="version 2, this is version 1: install the newer software"):
        forget(bench.journal, bench.keys, bench.fram, None, print) if gone else bench.adopt()
    assert bench.fram.read_bytes() == before


def test_verify_says_what_the_fram_holds(bench):
    def said():
        found = journal_check.check(bench.journal, bench.keys, bench.fram, None)
        assert found["intact"]
        return found["what"]

    bench.play(2)
    assert said().endswith("; the FRAM names the same end")
    pend(bench, signed(bench, dict(RESULT, coup=3, seq=3), bench.loaded().end))
    assert said().endswith(
        "; the FRAM holds an outcome that is not yet recorded: the next start records it"
    )
    bench.seq = 3
    bench.play()
    assert bench.loaded().recall.restart_state.seq == 4
    assert said().endswith("; the FRAM names the same end")
    pend(bench, b"not signed")
    found = journal_check.check(bench.journal, bench.keys, bench.fram, None)
    assert (found["intact"], found["row"]) == (False, bench.loaded().end.n + 1)
    assert "has not signed" in found["why"]


def test_verify_says_from_which_row_on_the_fram_was_lost(bench, monkeypatch):
    monkeypatch.setattr(writer, "PATIENCE_S", 0.0)
    bench.play()
    end = bench.loaded().end.n
    with contextlib.ExitStack() as stack:
        found = bench.start(stack)

        def dead(at, data):
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(FileFram, "write", lambda self, at, data: dead(at, data))
        found.write("begun", {"coup": 2})
    told = journal_check.check(bench.journal, bench.keys, bench.fram, None)
    assert told["intact"]
    assert told["what"].endswith(f"; it goes on without the FRAM since row {end + 1}")


def test_a_new_journal_whose_fram_then_fails_is_not_left_open(bench, monkeypatch):
    monkeypatch.setattr(Head, "after", lambda self: (_ for _ in ()).throw(OSError(5, "gone")))
    with contextlib.ExitStack() as stack, pytest.raises(Failure, match="gone"):
        bench.start(stack)
    monkeypatch.undo()
    assert bench.play() == 1  # not locked, and in step


def test_a_fram_that_was_written_between_two_reads_is_read_again(bench, monkeypatch):
    """A controller that plays writes both slots while we read the first."""
    bench.play(2)
    real, reads = FileFram.read, []

    def read(self, at, size):
        data = real(self, at, size)
        reads.append(at)
        if len(reads) == 1:  # of three commits before
            slot = fram_slots.decode(data)
            return fram_slots.encode(slot._replace(counter=slot.counter + 6)).ljust(size, b"\0")
        return data

    monkeypatch.setattr(FileFram, "read", read)
    assert read_slot(boards.load(BOARD), bench.fram).next == bench.loaded().end
    assert len(reads) == 4
