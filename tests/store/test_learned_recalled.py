"""What was learned about the call, as a journal hands it to the next start."""

import contextlib
import json

import own_journal
import pytest
from adopt_bench import Bench

import boards
import rules
from firmware.core import facts
from firmware.core.call import learned
from firmware.core.call.predictor import RECORDED_EACH, CallPredictor
from firmware.core.controller import Controller
from firmware.store import reader
from firmware.store.replay_state import Recall
from firmware.store.rows import BODY_MAX, JournalError, Row, decoded, plain

BOARD = boards.load("roulette_ref")
FRESH = CallPredictor(BOARD["geometry"], None, call_us=0).plain()


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def learns(bench, row, fram="own"):
    with contextlib.ExitStack() as stack:
        bench.start(stack, fram).write("learned", {"learned": row})


def told(memory):
    """What a controller with this memory says of it as it begins."""
    out = Controller(BOARD, rules.load(BOARD["rules"]), restart_state=memory).begin_play(0)
    return [fact.text for fact in out if isinstance(fact, facts.Fault)]


def test_the_last_row_is_recalled_however_much_came_after_it(bench):
    bench.play()
    learns(bench, [1, *FRESH[1:]])
    learns(bench, FRESH)
    bench.play(RECORDED_EACH + 2)
    memory = bench.loaded().recall.restart_state
    assert memory.learned == FRESH == reader.recall(bench.journal).restart_state.learned
    assert told(memory) == []


@pytest.mark.parametrize("board", ["virtual", "10000000a1b2c3d4"])
def test_what_was_learned_before_a_journal_was_adopted_is_not_used(bench, monkeypatch, board):
    """The card may have come from another wheel of the same kind: nothing else would tell."""
    bench.play(RECORDED_EACH + 1)
    learns(bench, FRESH)
    assert told(bench.loaded().recall.restart_state) == []
    if board == "virtual":
        bench.fram.unlink()
    else:
        monkeypatch.setattr("firmware.run.open_journal.board_serial", lambda found: board)
    assert "epoch 2 begins" in bench.adopt()
    memory = bench.loaded().recall.restart_state
    assert memory.learned is None
    assert memory.coup == RECORDED_EACH + 1
    (text,) = told(memory)
    assert text.startswith("W51") and learned.MISSING in text
    bench.play()
    learns(bench, FRESH)
    bench.play()
    memory = bench.loaded().recall.restart_state
    assert memory.learned == FRESH
    assert told(memory) == []
    assert bench.bad() is None


def test_an_adopted_journal_with_nothing_learned_starts_as_before(bench):
    bench.play(2)
    bench.fram.unlink()
    bench.adopt()
    assert told(bench.loaded().recall.restart_state) == []


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ([40, 0.52, 0.001, 1.7], learned.OTHER_VERSION),
        ([2, 0.52, 0.001, 1.7], learned.OTHER_VERSION),
        ([5, 1, 2, 3], learned.OTHER_VERSION),
        ({"curve": [1, 2]}, learned.DAMAGED),
        (FRESH[:-1], learned.DAMAGED),
        ("x", learned.DAMAGED),
    ],
)
def test_a_journal_of_another_version_starts_with_a_notice(bench, row, why):
    bench.play()
    learns(bench, row)
    (text,) = told(bench.loaded().recall.restart_state)
    assert text.startswith("W51") and why in text
    bench.play()
    assert bench.bad() is None


@pytest.mark.parametrize("body", [{}, {"table": [1, 2]}])
def test_a_row_that_holds_something_else_is_refused_as_one_and_the_journal_is_not(bench, body):
    bench.play()
    with contextlib.ExitStack() as stack:
        bench.start(stack).write("learned", body)
    (text,) = told(bench.loaded().recall.restart_state)
    assert text.startswith("W51") and learned.DAMAGED in text


def test_a_row_that_was_altered_in_the_file_is_a_damaged_journal(bench):
    bench.play()
    learns(bench, FRESH)
    before = plain({"learned": FRESH})
    assert bench.journal.read_bytes().count(before) == 1
    altered = plain({"learned": [*FRESH[:9], FRESH[9] + 1, *FRESH[10:]]})
    bench.journal.write_bytes(bench.journal.read_bytes().replace(before, altered))
    with pytest.raises(JournalError, match="row 4 is missing or was changed"):
        bench.loaded()


def test_a_row_is_far_below_what_the_journal_takes_and_comes_back_whole(tmp_path):
    data = plain({"learned": FRESH})
    assert len(data) < 3_500 < BODY_MAX
    path = tmp_path / "journal.db"
    journal = own_journal.opened(path)
    journal.write("learned", {"learned": FRESH})
    journal.close()
    (row,) = [row for row in reader.rows(path) if row.kind == "learned"]
    assert row.body == data == json.dumps({"learned": FRESH}, separators=(",", ":")).encode()
    recall = Recall()
    recall.add_row(decoded(Row(*row)))
    assert recall.restart_state.learned == FRESH
