"""The journal: what was acknowledged is there after a restart, as it was."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_journal
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_journal import WHEEL, actuation, correction, result, void
from patience import LAST_RESORT_S, until

from firmware.bus import record
from firmware.core.controller import FRESH
from firmware.core.coup.restart_state import LastOutcome
from firmware.core.facts import CCW, CW
from firmware.store import journal as journal_module
from firmware.store import reader, signing, startup_check
from firmware.store.journal import Journal
from firmware.store.rows import BODY_MAX, START, JournalError, follow, is_whole, plain
from firmware.store.signing import Signer
from tools.virtual.memory_store import MemoryStore


def write(journal: Journal, *records: tuple[str, Any]) -> None:
    """Puts records and waits until all are durable."""
    done: set[int] = set()
    for ticket, (kind, body) in enumerate(records):
        journal.put(ticket, kind, body)
    until(lambda: done.update(journal.done()) or len(done) == len(records))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


@pytest.fixture
def written(path: Path) -> Path:
    """A journal of two coups, and the beginning of a third."""
    journal = own_journal.opened(path)
    write(journal, actuation(1, CW), result(1, 5), actuation(2, CCW), void(2), actuation(3, CW))
    journal.close()
    return path


def reopened(path: Path, **choices: Any) -> Journal:
    """What a restart knows; closed."""
    journal = own_journal.opened(path, **choices)
    journal.close()
    return journal


def kinds(path: Path) -> list[str]:
    return [row.kind for row in reader.rows(path)]


def outcomes(journal: Journal, last: int) -> list[tuple[Any, ...]]:
    """Coup, number, reason and colour of the records up to that one."""
    found = [record.parse(journal.record(seq) or b"") for seq in range(1, last + 1)]
    return [(said.coup, said.number, said.reason, said.colour) for said in found if said]


def test_a_new_journal_remembers_nothing_and_begins_with_its_epoch(path: Path) -> None:
    journal = reopened(path)
    assert (journal.restart_state, journal.record(1), journal.notice) == (FRESH, None, None)
    assert (journal.epoch, journal.rotations, journal.trouble()) == (1, (), None)
    assert journal.kid == own_journal.SIGNER.kid
    (row,) = reader.rows(path)
    said = record.decode_signed(row.body, own_journal.SIGNER.public, signing.verify)
    assert said is not None
    assert (said.kind, said.next_key) == ("epoch", own_journal.SIGNER.public)
    assert (said.wheel, said.board, said.fram) == (WHEEL.wheel, WHEEL.board, None)


def test_the_journal_is_one_file(written: Path) -> None:
    assert [path.name for path in written.parent.iterdir()] == [written.name]


@pytest.mark.req("OK-18.state")
def test_a_restart_remembers_coup_seq_actuation_and_outcomes(written: Path) -> None:
    journal = reopened(written)
    last = LastOutcome(2, None, None, "croupier")
    assert journal.restart_state == FRESH._replace(
        coup=2, seq=2, rotor=CW, ball=CCW, open_coup=3, last=last
    )
    assert outcomes(journal, 2) == [(1, 5, None, "red"), (2, None, "croupier", None)]
    assert journal.notice is None


def test_whoever_may_wait_for_records_finds_all_of_them_done(path: Path) -> None:
    journal = own_journal.opened(path)
    for ticket in range(30):
        journal.put(ticket, *actuation(ticket + 1, CW))
        if ticket % 3 == 2:
            assert journal.wait(LAST_RESORT_S)
            assert journal.done() == (ticket - 2, ticket - 1, ticket)
    journal.close()


def test_a_restart_remembers_a_coup_that_had_only_begun(path: Path) -> None:
    journal = own_journal.opened(path)
    write(journal, actuation(1, CW), result(1, 5), ("begun", {"coup": 2}))
    journal.close()
    journal = own_journal.opened(path)
    assert (journal.restart_state.coup, journal.restart_state.open_coup) == (1, 2)
    write(journal, void(2))
    journal.close()
    state = reopened(path).restart_state
    assert (state.coup, state.open_coup) == (2, 0)


def test_the_end_of_a_coup_says_which_way_the_rotor_last_turned(path: Path) -> None:
    """Its order may be durable, and a void have come before the motor."""
    journal = own_journal.opened(path)
    write(journal, actuation(1, CW), result(1, 5), actuation(2, CCW), void(2, rotor=CW))
    journal.close()
    assert reopened(path).restart_state.rotor == CW


@pytest.mark.parametrize("end", [result(1, 5, stakes="5e" * 32), void(1, stakes="5e" * 32)])
def test_a_restart_remembers_the_last_sealed_stakes_and_how_their_coup_ended(
    path: Path, end: tuple[str, Any]
) -> None:
    stakes = ("stakes", {"coup": 1, "seal": "5e" * 32, "stakes": []})
    journal = own_journal.opened(path)
    assert journal.stakes is None
    write(journal, actuation(1, CW), stakes)
    journal.close()
    journal = own_journal.opened(path)
    assert journal.stakes == (stakes[1], None)
    write(journal, end, *[void(coup) for coup in range(2, 60)])
    journal.close()
    found = reopened(path).stakes  # the ends of other coups change nothing, however many
    assert found is not None and found[0] == stakes[1]
    assert {name: found[1][name] for name in end[1]} == end[1]


def test_the_latest_learned_table_wins_and_comes_back_as_it_was(path: Path) -> None:
    journal = own_journal.opened(path)
    write(journal, ("learned", {"learned": [1, 0.1]}), ("learned", {"learned": [2, 0.1 + 0.2]}))
    journal.close()
    assert reopened(path).restart_state.learned == [2, 0.1 + 0.2]


@pytest.mark.req("OK-18.ten_plays")
def test_the_last_records_are_kept(path: Path) -> None:
    journal = own_journal.opened(path)
    write(journal, *[result(coup) for coup in range(1, 41)])
    journal.close()
    again = reopened(path)
    for had in (journal, again):
        assert had.record(40 - startup_check.OUTCOMES_KEPT) is None
        for seq in range(41 - startup_check.OUTCOMES_KEPT, 41):
            said = record.parse(had.record(seq) or b"")
            assert said is not None and (said.seq, said.coup) == (seq, seq)


def test_a_correction_changes_what_is_remembered_and_not_what_was_written(path: Path) -> None:
    journal = own_journal.opened(path)
    write(journal, result(1, 5), result(2, 7))
    first = journal.record(1)
    write(journal, correction(1, 3, 1, number=17, compartment=17, colour="black"))
    write(journal, correction(2, 4, 2, reason="croupier"))
    journal.close()
    again = reopened(path)
    assert again.record(1) == first
    assert outcomes(again, 4)[2:] == [(1, 17, None, "black"), (2, None, "croupier", None)]
    assert (again.restart_state.coup, again.restart_state.seq) == (2, 4)
    assert again.restart_state.last == LastOutcome(4, None, None, "croupier")
    assert again.restart_state.corrections == ((1, 3), (2, 4))
    assert reader.played(path, 0) == [reader.Played(1, 17, "black")]


@pytest.mark.parametrize("end", [void(2), result(2)])
def test_however_many_corrections_follow_the_last_coup_has_ended(path: Path, end: Any) -> None:
    journal = own_journal.opened(path)
    journal.write("begun", {"coup": 1})
    journal.write(*result(1))
    journal.write("begun", {"coup": 2})
    journal.write(*end)
    for at in range(startup_check.OUTCOMES_KEPT + 1):
        journal.write(*correction(1, 3 + at, 2 + at if at else 1, reason="croupier"))
    journal.close()
    state = reopened(path).restart_state
    assert (state.coup, state.open_coup, state.seq) == (2, 0, 3 + startup_check.OUTCOMES_KEPT)


@pytest.mark.req("PA-605a.authenticity")
def test_the_record_of_a_result_says_what_the_core_said_and_whose_wheel_it_is(path: Path) -> None:
    seal = "ab" * 32
    body = result(1, 5, votes=6, sensors=3, residual_uturn=-120, stakes=seal)[1]
    journal = own_journal.opened(path)
    write(journal, ("result", dict(body)))
    journal.close()
    said = record.decode_signed(journal.record(1) or b"", own_journal.SIGNER.public, signing.verify)
    assert said is not None
    for name, value in body.items():
        assert getattr(said, name) == (bytes.fromhex(seal) if name == "stakes" else value)
    for name in ("wheel", "game", "rules_hash", "firmware"):
        assert getattr(said, name) == getattr(WHEEL, name)
    assert (said.utc, said.quality, said.epoch) == (own_journal.NOW.utc, record.SYNCHRONISED, 1)
    epoch, row = reader.rows(path)
    assert said.prev == epoch.hash[:16]
    assert {name: reader.decoded(path, row).body[name] for name in body} == body


def committed(
    path: Path, monkeypatch: pytest.MonkeyPatch, *waiting: tuple[str, Any]
) -> list[list[str]]:
    """What is committed together, if all these have come before the writer looks."""
    journal = own_journal.opened(path)
    commits: list[list[str]] = []
    real = journal._writer.commit

    def commit(items: Any) -> Any:
        commits.append([item.kind for item in items])
        return real(items)

    monkeypatch.setattr(journal._writer, "commit", commit)
    with journal._changed:  # the writer waits until all have come
        for ticket, (kind, body) in enumerate(waiting):
            journal.put(ticket, kind, body)
    done: list[int] = []
    until(lambda: done.extend(journal.done()) or len(done) == len(waiting))
    journal.close()
    assert done == list(range(len(waiting)))
    return commits


def test_an_outcome_comes_last_in_its_commit_and_others_that_wait_come_with_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = [("begun", {"coup": coup}) for coup in (1, 3)]
    waiting = (begun[0], actuation(1, CW), result(1), void(2), begun[1])
    assert committed(path, monkeypatch, *waiting) == [
        ["begun", "actuation", "result"],
        ["void"],
        ["begun"],
    ]


def test_stakes_are_committed_before_the_outcome_that_settles_them(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/adr/0009: what is replayed from the FRAM is the outcome alone."""
    seal = "5e" * 32
    waiting = (actuation(1, CW), ("stakes", {"coup": 1, "seal": seal}), result(1, stakes=seal))
    assert committed(path, monkeypatch, *waiting) == [["actuation", "stakes"], ["result"]]


def test_every_64th_row_is_a_signed_checkpoint(path: Path) -> None:
    journal = own_journal.opened(path)
    write(journal, *[("begun", {"coup": coup}) for coup in range(1, 200)])
    journal.close()
    rows = list(reader.rows(path))
    assert [row.n for row in rows] == list(range(1, len(rows) + 1))
    assert [row.n for row in rows if row.kind == "checkpoint"] == [64, 128, 192]
    said = record.decode_signed(rows[127].body, own_journal.SIGNER.public, signing.verify)
    assert said is not None and (said.n, said.head) == (128, rows[126].hash)


@pytest.mark.req("UK-3.1b.audit")
@given(utc=st.text(), kind=st.text(), body=st.binary(), other=st.binary(min_size=1))
def test_a_row_holds_on_to_all_of_it_and_to_the_row_before(
    utc: str, kind: str, body: bytes, other: bytes
) -> None:
    first = follow(START, utc, kind, body)
    row = follow(first.point, utc, kind, body)
    assert is_whole(row, first.point)
    assert not is_whole(row, START)
    assert not is_whole(row._replace(body=body + other), first.point)
    assert not is_whole(row._replace(utc=utc + "0", kind=kind), first.point)
    assert not is_whole(row._replace(kind=kind + "x"), first.point)
    # What leaves one field does not come into the next unnoticed.
    assert not is_whole(row._replace(utc=utc + kind, kind=""), first.point) or not kind


def test_a_body_that_is_too_long_or_holds_what_json_does_not_is_refused() -> None:
    assert plain({"b": 1, "a": [None, "é"]}) == b'{"a":[null,"\\u00e9"],"b":1}'
    for body in ({"a": "x" * BODY_MAX}, {"a": float("nan")}, {"a": b""}):
        with pytest.raises((ValueError, TypeError)):
            plain(body)


def test_what_lies_where_a_new_journal_is_made_is_not_taken_over(tmp_path: Path) -> None:
    path, beside = tmp_path / "journal.db", tmp_path / "journal.db.new"
    beside.write_bytes(b"left by somebody")
    beside.chmod(0o666)
    own_journal.opened(path).close()
    assert path.stat().st_mode & 0o777 == 0o640
    path.unlink()
    mine = tmp_path / "mine"
    mine.write_bytes(b"mine")
    beside.symlink_to(mine)
    with pytest.raises(JournalError, match="Cannot make the journal"):
        own_journal.opened(path)
    assert mine.read_bytes() == b"mine"


def test_two_controllers_cannot_write_one_journal(path: Path) -> None:
    journal = own_journal.opened(path)
    with pytest.raises(JournalError, match="Another controller"):
        own_journal.opened(path)
    journal.close()
    reopened(path)


def test_a_journal_that_cannot_be_opened_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"Cannot (open|make) the journal"):
        own_journal.opened(tmp_path / "file" / "journal")


@pytest.mark.parametrize("kind", ["folder", "fifo", "device"])
def test_what_is_no_regular_file_is_no_journal_and_is_not_opened(tmp_path: Path, kind: str) -> None:
    path = tmp_path if kind == "folder" else tmp_path / "journal"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/null")
    with pytest.raises(JournalError, match=r"is no regular file\. Give another --journal\."):
        own_journal.opened(path)


def foreign_database(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE journal(n INTEGER PRIMARY KEY)")
    other.close()


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b'{"n":1}\n' * 50),
        lambda path: path.write_bytes(b"SQLite format 3\x00" + bytes(84)),
        foreign_database,
    ],
    ids=["empty", "lines", "header alone", "another program's"],
)
def test_what_is_no_journal_is_left_as_it_is(tmp_path: Path, make: Callable[[Path], Any]) -> None:
    path = tmp_path / "journal.db"
    make(path)
    before = path.read_bytes()
    for use in (own_journal.opened, reader.recall):
        with pytest.raises(JournalError, match="is no journal of a wheel"):
            use(path)
    assert path.read_bytes() == before
    assert [other.name for other in tmp_path.iterdir()] == ["journal.db"]


def test_a_journal_of_a_newer_version_is_left_as_it_is(written: Path) -> None:
    with sqlite3.connect(written) as other:
        other.execute("PRAGMA user_version = 2")
    other.close()
    before = written.read_bytes()
    for use in (own_journal.opened, reader.recall):
        with pytest.raises(JournalError, match=r"version 2.*install the newer software"):
            use(written)
    assert written.read_bytes() == before


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"identity": WHEEL._replace(wheel="wheel-2")}, "wheel wheel-1, and this is wheel-2"),
        ({"identity": WHEEL._replace(game="boule")}, "a roulette table, and this plays boule"),
        ({"signer": Signer(bytes(32))}, "signed by the key"),
        ({"identity": WHEEL._replace(board="10000000abcdef01")}, "board virtual, and this is"),
    ],
)
def test_another_wheels_journal_is_left_as_it_is(
    written: Path, choices: dict[str, Any], why: str
) -> None:
    before = written.read_bytes()
    with pytest.raises(JournalError, match=why):
        own_journal.opened(written, **choices)
    assert written.read_bytes() == before


def test_a_journal_that_is_gone_while_a_commit_of_it_is_left_is_not_begun_anew(
    written: Path,
) -> None:
    rest = written.with_name(written.name + "-journal")
    written.unlink()
    rest.write_bytes(b"of a commit that was never finished")
    with pytest.raises(JournalError, match=r"is gone, but journal\.db-journal is left"):
        own_journal.opened(written)
    assert not written.exists()


def test_the_chain_is_checked_at_the_start(written: Path) -> None:
    for n in range(1, 7):
        whole = written.read_bytes()
        with sqlite3.connect(written) as other:
            other.execute("UPDATE journal SET utc = '2026-01-01T00:00:00Z' WHERE n = ?", (n,))
        other.close()
        with pytest.raises(JournalError, match=rf"row {n} is missing or was changed"):
            own_journal.opened(written)
        written.write_bytes(whole)
    reopened(written)


def test_a_row_before_the_first_is_none_of_ours(written: Path) -> None:
    with sqlite3.connect(written) as other:
        other.execute("INSERT INTO journal VALUES(0, 'x', 'begun', x'7b7d', x'00')")
    other.close()
    with pytest.raises(JournalError, match="row 0 is missing or was changed"):
        own_journal.opened(written)


def test_a_record_that_is_turned_away_stays_a_trouble_that_a_restart_must_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "WAITING_MAX", 0)
    journal = own_journal.opened(path)
    assert journal.awake()
    journal.put(1, *result(1))
    monkeypatch.setattr(journal_module, "WAITING_MAX", 10)
    journal.put(2, *result(1))
    until(journal.done)
    assert journal.trouble() == f"{path}: 0 records wait already."
    assert not journal.awake()
    journal.close()


def test_what_can_never_be_recorded_is_never_acknowledged(path: Path) -> None:
    journal = own_journal.opened(path)
    journal.put(1, "result", {"coup": 1, "seq": 1, "number": 5})  # no colour: no reader takes it
    until(journal.trouble)
    assert str(journal.trouble()).startswith(f"{path}: result: No reader would take this record")
    assert journal.done() == ()
    assert not journal.awake()
    journal.close()


@pytest.mark.req("IL-660b.no_second")
@pytest.mark.parametrize("seq", [1, 3])
def test_no_seq_is_given_twice_or_left_out(path: Path, seq: int) -> None:
    journal = own_journal.opened(path)
    write(journal, result(1))
    journal.put(7, *result(2, seq=seq))
    until(journal.trouble)
    assert journal.trouble() == f"{path}: result: seq {seq} cannot come after 1."
    assert journal.done() == ()
    journal.close()
    assert reopened(path).restart_state.seq == 1


def test_memory_acknowledges_at_once_and_once() -> None:
    store = MemoryStore()
    store.put(1, "void", {})
    store.put(2, "void", {})
    assert [store.done(), store.done(), store.trouble()] == [(1, 2), (), None]
