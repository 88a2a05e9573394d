"""A FRAM that fails while the table plays (docs/adr/0010), with a real journal beside it."""

import contextlib
import errno
import sqlite3
import time

import pytest
from patience import LAST_RESORT_S, until

from firmware.bus import record
from firmware.config import Config
from firmware.config.choice import choose_game
from firmware.core.faults import sentence
from firmware.run import open_journal
from firmware.store import fram, rows, verify, writer
from firmware.store.clock import Reading
from firmware.store.database import reading
from firmware.store.fram import Head
from firmware.store.journal import Journal, JournalError
from firmware.store.signing import Signer

KEY = bytes(range(32))
RESULT = {
    "compartment": 8, "number": 30, "colour": "red", "rotor": 1, "ball": -1, "votes": 9,
    "residual_uturn": 1200, "held_us": 0, "sensors": 3,
}  # fmt: skip


class Chip:
    """A memory on a bus that may be dead."""

    def __init__(self):
        self.data = bytearray(32_768)
        self.dead = False
        self.asked = 0

    def _answer(self):
        self.asked += 1
        if self.dead:
            raise OSError(errno.ETIMEDOUT, "Connection timed out")

    def read(self, at, size):
        self._answer()
        return bytes(self.data[at : at + size])

    def write(self, at, data):
        self._answer()
        self.data[at : at + len(data)] = data


class Bench:
    def __init__(self, folder):
        self.path = folder / "journal.db"
        self.chip = Chip()
        self.signer = Signer(KEY)
        game = choose_game("roulette_ref", Config())
        self.identity = open_journal.identity(game, "wheel-1")
        self.journal = None
        self.seq = 0

    def start(self):
        self.journal = Journal(
            self.path, signer=self.signer, identity=self.identity, head=Head(self.chip)
        )
        return self.journal

    def play(self):
        self.seq += 1
        self.journal.write("begun", {"coup": self.seq}, LAST_RESORT_S)
        self.journal.write("result", {"coup": self.seq, "seq": self.seq, **RESULT}, LAST_RESORT_S)

    def close(self):
        if self.journal is not None:
            self.journal.close(LAST_RESORT_S)

    def kinds(self):
        with reading(self.path) as connection:
            return [row[0] for row in connection.execute("SELECT kind FROM journal ORDER BY n")]

    def bad(self, slot=True):
        look = (lambda: fram.read_state(self.chip)) if slot else None
        return verify.first_bad(self.path, self.signer.public, look)

    def told(self):
        return [
            sentence(code, detail)
            for _, code, detail in self.journal.take_events()
            if code == "S12"
        ]


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    with contextlib.closing(bench):
        yield bench


@pytest.fixture
def impatient(monkeypatch):
    """Given up at the first error, and tried again at every commit."""
    monkeypatch.setattr(writer, "PATIENCE_S", 0.0)
    monkeypatch.setattr(fram, "AGAIN_S", 0.0)


def test_a_spike_on_the_bus_is_waited_for_and_nothing_is_given_up(bench):
    journal = bench.start()
    bench.play()
    bench.chip.dead = True
    journal.put(1, "result", {"coup": 2, "seq": 2, **RESULT})
    until(lambda: journal.trouble() is not None)
    assert "FRAM" in journal.trouble()
    assert journal.done() == ()
    assert journal.record(2) is None
    bench.chip.dead = False
    bench.journal.write("begun", {"coup": 3}, LAST_RESORT_S)
    assert journal.trouble() is None
    assert journal.record(2) is not None
    assert bench.told() == []
    bench.close()
    assert "fram" not in bench.kinds()
    assert bench.bad() is None


def test_a_dead_chip_does_not_stop_the_table_and_leaves_a_signed_word(bench, impatient):
    bench.start()
    bench.play()
    bench.chip.dead = True
    bench.play()
    assert bench.told() == [
        "S12: The FRAM beside the journal fails: Connection timed out. Have it looked at tonight;"
        " coups are recorded in the journal alone until then."
    ]
    bench.play()
    assert bench.told() == []
    assert bench.journal.trouble() is None
    assert bench.journal.record(3) is not None
    bench.close()
    found = bench.kinds()
    assert found == [
        "epoch", "begun", "result", "fram", "checkpoint", "begun", "result", "begun", "result",
    ]  # fmt: skip
    bench.chip.dead = False
    assert bench.bad() is None


def test_rows_that_are_prepared_again_for_a_dead_chip_set_no_clock_back(bench, impatient):
    """Their times are judged once, or the first would be found behind the last."""
    writer_of = bench.start()._writer
    bench.chip.dead = True
    now_s = int(time.time())
    now = [Reading(now_s + second, synchronised=True) for second in (1, 2)]
    made = writer_of.commit(
        [
            writer.Item("begun", {"coup": 1}, now[0]),
            writer.Item("result", {"coup": 1, "seq": 1, **RESULT}, now[1]),
        ]
    )
    assert [row.kind for row in made] == ["fram", "checkpoint", "begun", "result"]
    assert [code for code, _ in writer_of.take_news()] == ["S12"]
    quality = [record.parse(made[at].body).quality for at in (1, 3)]
    assert quality == [record.SYNCHRONISED] * 2


def test_after_a_dead_chip_the_next_start_goes_on_where_the_journal_is(bench, impatient):
    bench.start()
    bench.play()
    bench.chip.dead = True
    bench.play()
    bench.close()
    bench.chip.dead = False
    journal = bench.start()
    assert journal.restart_state.seq == 2
    assert journal.notice is None
    bench.play()
    assert bench.journal.restart_state.seq == 2
    bench.close()
    assert bench.bad() is None
    assert fram.read_state(bench.chip).next.n == len(bench.kinds())


def test_a_dead_chip_at_the_start_is_no_start(bench):
    bench.start()
    bench.play()
    bench.close()
    bench.chip.dead = True
    with pytest.raises(OSError, match="timed out"):
        bench.start()


def test_a_chip_that_comes_back_goes_on_at_the_journals_head(bench, impatient):
    bench.start()
    bench.play()
    bench.chip.dead = True
    bench.play()
    bench.chip.dead = False
    bench.play()
    bench.play()
    bench.close()
    state = fram.read_state(bench.chip)
    assert state.base == state.next
    assert state.next.n == len(bench.kinds())
    assert bench.kinds().count("fram") == 2  # lost, and back
    assert bench.bad() is None
    assert bench.start().restart_state.seq == 4


def test_a_lost_chips_word_cannot_be_taken_out_nor_put_in(bench, impatient):
    """Rows that came without the FRAM are believed after the signed word alone."""
    bench.start()
    bench.play()
    bench.chip.dead = True
    bench.play()
    bench.close()
    bench.chip.dead = False
    kept = bytes(bench.chip.data)
    bench.start()
    bench.play()
    bench.close()
    assert bench.bad() is None
    # The same FRAM, put back to when it was whole, before a journal that has no such word there.
    known = fram.read_state(bench.chip)
    bench.start()
    bench.play()
    bench.close()
    head = Head(bench.chip)
    head.before(known.next, fram.Point(known.next.n + 1, bytes(32)), 1)
    with pytest.raises(JournalError, match="came without the FRAM"):
        bench.start()
    bench.chip.data[:] = kept
    assert bench.bad() is None


@pytest.mark.parametrize("body", [b'{"state":"lost","why":"dead"}', b"[" * 9_999])
def test_a_word_that_another_key_signed_explains_nothing(bench, body):
    """Whoever has the card writes rows behind the last, and says that the FRAM was lost."""
    bench.start()
    bench.play()
    bench.close()
    end = fram.read_state(bench.chip).next
    lost = rows.follow(end, "2026-11-21T20:00:00Z", "fram", body)
    said = {"kind": "checkpoint", "n": lost.n + 1, "head": lost.hash, "wheel": "wheel-1",
            "epoch": 1, "utc": 1_795_291_200, "quality": 2}  # fmt: skip
    checkpoint = Signer(bytes(32)).sign(said)
    rest = [lost, rows.follow(lost.point, "2026-11-21T20:00:00Z", "checkpoint", checkpoint)]
    with sqlite3.connect(bench.path) as connection:
        connection.executemany("INSERT INTO journal VALUES(?, ?, ?, ?, ?)", rest)
    connection.close()
    with pytest.raises(JournalError, match=f"Rows from {end.n + 1} on came without the FRAM"):
        bench.start()


@pytest.mark.parametrize("step", range(1, 9))
def test_a_chip_that_dies_at_any_transfer_of_a_coup_loses_nothing(bench, impatient, step):
    bench.start()
    bench.play()
    chip, count = bench.chip, bench.chip.asked

    def answer():
        chip.asked += 1
        if chip.asked - count >= step:
            raise OSError(errno.EIO, "Input/output error")

    chip._answer = answer
    bench.play()
    bench.play()
    bench.close()
    del chip._answer
    assert bench.bad() is None
    assert bench.start().restart_state.seq == 3
    bench.play()
    bench.close()
    assert bench.bad() is None
    assert bench.kinds().count("result") == 4


def test_a_chip_that_took_what_came_next_but_could_not_be_read_back_is_no_refusal(
    bench, impatient, monkeypatch
):
    """Its slot promises an outcome that was then recorded in another row, without it."""
    monkeypatch.setattr(fram, "AGAIN_S", 1e9)
    bench.start()
    bench.play()

    def dead(at, size):
        raise OSError(errno.EIO, "Input/output error")

    bench.chip.read = dead
    bench.play()
    bench.close()
    del bench.chip.read
    left = fram.read_state(bench.chip)
    assert left.next != left.base
    for _ in range(2):  # neither this start nor the next is refused
        bench.start()
        bench.close()
        state = fram.read_state(bench.chip)
        assert (state.base, state.next.n) == (state.next, len(bench.kinds()))
        assert bench.bad() is None
    assert bench.start().restart_state.seq == 2
