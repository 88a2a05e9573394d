"""`cylindre journal adopt`: what a technician makes of a changed board, FRAM or card."""

import contextlib
import json
import shutil

import pytest
from adopt_bench import BOARD, RESULT, Bench, refused, signed

import boards
from firmware.keys import folder
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.run.open_head import read_slot
from firmware.store import clone
from firmware.store.database import reading
from firmware.store.fram import Head, Point
from firmware.store.fram_file import FileFram
from tools.journal.journal_adopt import adopt, forget


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_a_journal_at_home_is_left_as_it_is(bench):
    bench.play(3)
    before = bench.journal.read_bytes()
    assert "nothing to adopt" in bench.adopt()
    assert bench.journal.read_bytes() == before
    assert bench.play() == 1


def test_a_blank_fram_beside_a_journal_is_adopted_in_a_new_epoch(bench):
    bench.play(2)
    old = read_slot(boards.load(BOARD), bench.fram).fram_id
    bench.fram.unlink()
    refused(bench, "the FRAM is blank")
    assert not bench.fram.exists() or not any(bench.fram.read_bytes())
    said = bench.adopt()
    new = read_slot(boards.load(BOARD), bench.fram).fram_id
    assert (
        f"epoch 2 begins, on the board virtual with the FRAM {new.hex()}; before, epoch 1" in said
    )
    assert old.hex() in said
    assert bench.bad() is None
    assert bench.play() == 2
    assert bench.bad() is None
    assert bench.loaded().recall.restart_state.seq == 3


def test_without_its_fram_a_journal_is_refused_and_may_be_adopted(bench):
    bench.play()
    refused(bench, "there is none here", fram=None)
    assert "without a FRAM" in bench.adopt(fram=None)
    assert bench.play(fram=None) == 2
    refused(bench, "begun without a FRAM")
    bench.adopt()
    assert bench.play() == 3
    assert bench.bad() is None


def test_a_copied_card_finds_a_fram_that_went_on_without_it(bench):
    bench.play(2)
    shutil.copy(bench.journal, bench.folder / "copy.db")
    bench.play(2)
    bench.journal.unlink()
    shutil.copy(bench.folder / "copy.db", bench.journal)
    refused(bench, r"Rows \d+ to \d+ are missing: the FRAM knows the journal up to row")
    assert "Rows" in bench.bad().sentence
    knew = read_slot(boards.load(BOARD), bench.fram).next
    said = bench.adopt()
    assert "epoch 2 begins" in said
    assert said.endswith(f"up to row {knew.n}, which ends at row 5.")
    with reading(bench.journal) as connection:
        told = connection.execute("SELECT body FROM journal WHERE kind = 'adopted'").fetchone()[0]
    assert json.loads(told)["knew"] == [knew.n, knew.hash.hex()]
    bench.seq = 2
    assert bench.play() == 2
    assert bench.bad() is None


def test_a_card_in_another_board_is_refused_and_may_be_adopted(bench, monkeypatch):
    bench.play(2)
    monkeypatch.setattr(clone, "VIRTUAL", "other")
    monkeypatch.setattr("firmware.run.open_journal.board_serial", lambda board: "10000000a1b2c3d4")
    refused(bench, "was kept on the board virtual, and this is the board 10000000a1b2c3d4")
    said = bench.adopt()
    assert "on the board 10000000a1b2c3d4 with the FRAM" in said
    assert bench.play() == 2
    assert bench.loaded().epoch.board == "10000000a1b2c3d4"


def test_a_damaged_fram_is_adopted_with_another_id(bench):
    bench.play(2)
    old = read_slot(boards.load(BOARD), bench.fram).fram_id
    data = bytearray(bench.fram.read_bytes())
    data[30] ^= 1
    data[0x1000 + 30] ^= 1
    bench.fram.write_bytes(data)
    refused(bench, "Both slots of the FRAM are damaged")
    assert bench.fram.read_bytes() == data
    assert "Both slots" in bench.adopt()
    assert read_slot(boards.load(BOARD), bench.fram).fram_id != old
    assert bench.play() == 2
    assert bench.bad() is None


def test_what_the_fram_still_had_to_record_is_recorded_before_it_is_adopted(bench, monkeypatch):
    """The power failed, and card and FRAM were put into another board."""
    bench.play(2)
    with contextlib.ExitStack() as stack:
        found = bench.start(stack)
        other = found.record(2)
    whole = bench.loaded()
    memory = FileFram(bench.fram)
    head = Head(memory)
    said = dict(RESULT, coup=3, seq=3)
    pending = signed(bench, said, whole.end)
    head.before(whole.end, Point(whole.end.n + 1, bytes(32)), 1, pending)
    memory.close()
    assert other != pending
    monkeypatch.setattr("firmware.run.open_journal.board_serial", lambda board: "10000000a1b2c3d4")
    text = bench.adopt()
    assert "the result of coup 3 was decided when the controller stopped" in text
    assert "epoch 2 begins" in text
    assert bench.loaded().recall.restart_state.seq == 3
    assert bench.bad() is None


def test_a_journal_that_is_changed_is_not_adopted(bench):
    bench.play(2)
    data = bench.journal.read_bytes()
    assert data.count(b'"coup":2') == 1
    bench.journal.write_bytes(data.replace(b'"coup":2', b'"coup":7'))
    before = bench.journal.read_bytes()
    with pytest.raises(Failure, match=r"Adopting does not mend that") as caught:
        bench.adopt()
    assert caught.value.exit_code == FAILED
    assert bench.journal.read_bytes() == before


def test_with_another_wheels_keys_nothing_is_adopted(bench, tmp_path):
    bench.play()
    bench.fram.unlink()
    other = tmp_path / "other"
    folder.ensure_wheel(other)
    before = bench.journal.read_bytes()
    with pytest.raises(Failure):
        adopt(bench.journal, other, bench.fram)
    assert bench.journal.read_bytes() == before


def test_a_journal_in_use_is_not_adopted(bench):
    bench.play()
    with contextlib.ExitStack() as stack:
        bench.start(stack)
        with pytest.raises(Failure, match="Another controller"):
            bench.adopt()
        with pytest.raises(Failure, match="Another controller"):
            bench.adopt(fram=bench.folder / "new.bin")


def test_a_fram_whose_journal_is_gone_is_refused_and_may_forget_it(bench):
    folder.next_epoch(bench.keys, 5)
    assert bench.play(3) == 7
    bench.journal.unlink()
    refused(bench, "The journal is new or empty, and the FRAM knows one of")
    assert not bench.journal.exists()
    folder.epoch_file(bench.keys).write_text("1\n")
    knew = read_slot(boards.load(BOARD), bench.fram)
    what, done = bench.forget()
    assert f"knew a journal of {knew.next.n} rows, in epoch 7, hash {knew.next.hash.hex()}" in what
    assert "is blank now" in done
    assert not any(bench.fram.read_bytes())
    assert "blank already" in bench.forget()[0]
    bench.seq = 0
    assert bench.play() > 7  # what displays have seen is never newer
    assert bench.bad() is None


def test_what_a_lost_journal_had_not_yet_is_said_before_it_is_erased(bench):
    bench.play(2)
    memory = FileFram(bench.fram)
    head = Head(memory)
    end = head.state.next
    head.before(end, Point(end.n + 1, bytes(32)), 1, b"the record of coup 3")
    memory.close()
    bench.journal.unlink()
    before = bench.fram.read_bytes()

    def broken(what):
        assert end.hash.hex() in what
        assert b"the record of coup 3".hex() in what
        assert bench.fram.read_bytes() == before
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        forget(bench.journal, bench.keys, bench.fram, None, broken)
    assert bench.fram.read_bytes() == before


def test_a_journal_that_is_not_there_is_no_reason_to_erase_a_fram(bench):
    """A mistyped path, a card that is not mounted."""
    bench.play(2)
    before = bench.fram.read_bytes()
    there = bench.journal
    bench.journal = bench.folder / "jounral.db"
    for board in (None, BOARD):
        with pytest.raises(Failure, match=r"There is no journal .*--gone") as caught:
            bench.adopt(board=board)
        assert caught.value.exit_code == FAILED
    assert bench.fram.read_bytes() == before
    bench.journal = there
    with pytest.raises(Failure, match="is there: --gone is for") as caught:
        bench.forget()
    assert caught.value.exit_code == USAGE
    assert bench.fram.read_bytes() == before


def test_where_nothing_is_there_nothing_is_forgotten(bench):
    with pytest.raises(Failure, match="neither a journal"):
        bench.forget()
    with pytest.raises(Failure, match="Give --fram or --board") as caught:
        bench.forget(fram=None)
    assert caught.value.exit_code == USAGE
    with pytest.raises(Failure, match="has no FRAM"):
        bench.forget(fram=None, board=BOARD)
    assert not bench.journal.exists()
    assert not bench.fram.exists()


def test_looking_at_a_fram_while_its_controller_plays_changes_nothing(bench):
    bench.play()
    with contextlib.ExitStack() as stack:
        bench.start(stack)
        before = bench.fram.read_bytes()
        assert read_slot(boards.load(BOARD), bench.fram).pending is None
        assert bench.fram.read_bytes() == before
