"""Rounds that a card table played, in the journal: one signed record each, behind its row."""

import sqlite3
from pathlib import Path
from typing import Any

import own_journal
import own_rounds
import pytest
from patience import until

from firmware.bus import record
from firmware.core.cards.fold import Fold
from firmware.core.coup.restart_state import LastOutcome
from firmware.stakes import card_round
from firmware.store import journal as journal_module
from firmware.store import journal_file, reader, round_record
from firmware.store.clock import Stamp
from firmware.store.fram import Head
from firmware.store.fram_file import FileFram
from firmware.store.identity import fields
from firmware.store.round_record import recorded
from firmware.store.verify import first_bad
from rules.cards import deck

ROOT = own_journal.SIGNER.public


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def signed(path: Path) -> list[record.Record]:
    """The records of all outcomes, in their order."""
    found = [record.parse(row.body) for row in reader.rows(path) if row.kind in record.OUTCOMES]
    return [one for one in found if one is not None]


def cards(found: record.Record) -> str:
    return " ".join(map(deck.text_of, found.cards))


@pytest.mark.req("TABLE-M7.signed")
def test_each_round_has_one_signed_record_right_behind_the_row_of_its_end(path: Path) -> None:
    place = own_rounds.baccarat()
    own_rounds.correct(place, 3, "9S 4C KD 4H")
    rows = list(reader.rows(own_rounds.written(path, place)))
    ends = [at for at, row in enumerate(rows) if row.kind in round_record.SIGNED]
    assert [rows[at].kind for at in ends] == [
        "card_result", "card_void", "card_result", "card_correction",
    ]  # fmt: skip
    for at in ends:
        assert rows[at + 1].kind == round_record.SIGNED[rows[at].kind]
        found = record.parse(rows[at + 1].body)
        assert found is not None and found.prev == rows[at].hash[:16]  # it signs that row
    first, void, tie, corrected = signed(path)
    assert (first.seq, first.coup, first.game, first.rules) == (1, 1, "baccarat", "baccarat_live")
    assert (cards(first), first.winner) == ("5S 2H 6D TC 8H 4S", "player")
    assert (first.player_points, first.banker_points, first.decks) == (9, 6, 8)
    assert (first.authenticated, first.verified, first.manual) == (True, True, None)
    assert (void.seq, void.coup, void.reason, void.cards) == (2, 2, "croupier", None)
    assert (cards(tie), tie.winner, tie.coup) == ("9S 4C KD 5H", "tie", 3)
    assert (corrected.kind, corrected.corrects, corrected.winner) == ("correction", 3, "player")
    assert corrected.manual == ("anna", "weber")
    assert [one.layout_verified for one in signed(path)] == [None] * 4
    seals = [place.rows[at][1].get("seal") for at in range(len(place.rows))]
    for found in (first, tie, corrected):
        assert found.seal.hex() in seals


def test_black_jack_has_the_dealers_cards_and_who_entered_one(path: Path) -> None:
    place = own_rounds.blackjack()
    own_rounds.correct(place, 1, None)
    result, correction = signed(own_rounds.written(path, place))
    assert (cards(result), result.dealer_points, result.decks) == ("TH 6C AD", 17, 6)
    assert (result.verified, result.manual) == (False, ("anna", "rené"))
    assert (correction.reason, correction.cards) == ("croupier", None)


@pytest.mark.req("TABLE-M7.rows")
def test_the_rows_alone_still_pay_what_the_table_did(path: Path) -> None:
    place = own_rounds.blackjack()
    own_rounds.written(path, place)
    found = [reader.decoded(path, row) for row in reader.rows(path)]
    ended = card_round.collect(list(recorded(found)))
    assert [tuple(each) for each in card_round.payments(*ended[-1])] == place.paid()


@pytest.mark.req("TABLE-M7.signed")
@pytest.mark.parametrize("make", [own_rounds.baccarat, own_rounds.blackjack])
def test_a_journal_of_rounds_is_intact_and_any_row_altered_is_found(path: Path, make: Any) -> None:
    place = make()
    own_rounds.correct(place, place.table.round, None)
    rows = list(reader.rows(own_rounds.written(path, place)))
    assert first_bad(path, ROOT) is None
    for row in rows:
        if row.kind in (*round_record.SIGNED, *record.OUTCOMES):
            body = row.body[:-2] + bytes([row.body[-2] ^ 1]) + row.body[-1:]
            altered(path, row.n, body)
            bad = first_bad(path, ROOT)
            assert bad is not None and bad.n == row.n
            altered(path, row.n, row.body)
    assert first_bad(path, ROOT) is None


def altered(path: Path, n: int, body: bytes) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE journal SET body = ? WHERE n = ?", (body, n))
    connection.commit()
    connection.close()


def test_a_restart_reads_a_card_tables_journal_and_goes_on_with_its_numbers(path: Path) -> None:
    place = own_rounds.baccarat()
    own_rounds.correct(place, 3, None)
    own_rounds.written(path, place)
    journal = own_rounds.opened(path, "baccarat_live")
    state = journal.restart_state
    assert (state.coup, state.seq, state.open_coup) == (3, 4, 0)
    assert state.last == LastOutcome(4, None, None, "croupier")
    assert [record.parse(journal.record(seq) or b"") for seq in (1, 2, 3, 4)] == signed(path)
    assert (journal.stakes, journal.notice) == (None, None)
    journal.close()
    assert reader.played(path, 0) == []  # no number was ever played there
    assert reader.sealed(path, 2).ends[0]["reason"] == "croupier"


def test_a_journal_of_rounds_is_of_that_game_alone(path: Path) -> None:
    own_rounds.written(path, own_rounds.baccarat())
    with pytest.raises(journal_module.JournalError, match="baccarat table, and this plays blackj"):
        own_rounds.opened(path, "blackjack_lu")


def test_what_stands_after_a_correction_has_nothing_of_what_it_replaced(path: Path) -> None:
    place = own_rounds.baccarat()
    own_rounds.correct(place, 3, "9S 4C KD 4H")
    own_rounds.correct(place, 3, None)
    found = reader.sealed(own_rounds.written(path, place), 3)
    first, second, last = found.ends
    assert (first["winner"], first["cards"]) == ("tie", ["9S", "4C", "KD", "5H"])
    assert (second["winner"], second["banker_points"], second["seq"]) == ("player", 8, 4)
    assert (last["reason"], last["seq"]) == ("croupier", 5)
    assert not {"winner", "cards", "seal", "player_points", "banker_points"} & set(last)


def test_the_tables_ticket_comes_with_the_signed_record_and_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row without its record says nothing, so nobody is told of it."""
    place = own_rounds.blackjack()
    monkeypatch.setattr(journal_module, "RETRY_S", 0.001)
    journal, append = own_rounds.opened(path, "blackjack_lu"), journal_file.File.append
    *before, (kind, body) = place.rows
    for row in before:
        journal.write(*row)
    fails = True

    def failing(self: Any, at: Any, rows: Any) -> None:
        if fails and rows[-1].kind == record.RESULT:
            raise OSError(28, "full")
        append(self, at, rows)

    monkeypatch.setattr(journal_file.File, "append", failing)
    journal.put(7, kind, body)
    until(lambda: journal.trouble() is not None)
    assert journal.done() == ()
    assert [row.kind for row in reader.rows(path)][-1] == "card_result"
    fails = False
    told: list[int] = []
    until(lambda: told.extend(journal.done()) or bool(told))
    assert journal.wait(1.0)
    assert [*told, *journal.done()] == [7]
    assert [row.kind for row in reader.rows(path)][-2:] == ["card_result", "result"]
    journal.close()


def folded(path: Path) -> Any:
    """What a card table that begins now is given of its journal."""
    fold = Fold()
    for kind, body in recorded(reader.decoded(path, row) for row in reader.rows(path)):
        fold.add(kind, body)
    return fold.state()


def test_a_journal_of_rounds_is_folded_as_the_tables_own_rows(path: Path) -> None:
    place = own_rounds.baccarat()
    own_rounds.correct(place, 3, None)
    fold = Fold()
    for row in place.rows:
        fold.add(*row)
    assert folded(own_rounds.written(path, place)) == fold.state()


@pytest.mark.req("TABLE-M6.interrupted")
def test_a_round_whose_record_was_never_written_is_open_and_void_at_the_next_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = own_rounds.baccarat()
    monkeypatch.setattr(journal_module, "RETRY_S", 0.001)
    journal = own_rounds.opened(path, "baccarat_live")
    *before, (kind, body) = place.rows
    for row in before:
        journal.write(*row)
    append = journal_file.File.append
    with monkeypatch.context() as cut:

        def failing(self: Any, at: Any, rows: Any) -> None:
            if rows[-1].kind == record.RESULT:
                raise OSError(5, "torn off")
            append(self, at, rows)

        cut.setattr(journal_file.File, "append", failing)
        journal.put(7, kind, body)
        until(lambda: journal.trouble() is not None)
        journal.close()
    state = folded(path)
    assert (state.round, state.seq, state.interrupted.round) == (2, 2, 3)
    again = own_rounds.CardPlace("baccarat_live", restart_state=state)
    journal = own_rounds.opened(path, "baccarat_live")
    assert journal.restart_state.seq == 2
    for row in again.rows:
        journal.write(*row)
    journal.close()
    assert [row.kind for row in reader.rows(path)][-3:] == ["card_result", "card_void", "void"]
    assert (signed(path)[-1].seq, signed(path)[-1].reason) == (3, "interrupted")
    assert first_bad(path, ROOT) is None
    state = folded(path)
    assert (state.round, state.seq, state.interrupted) == (3, 3, None)
    assert state.last.end["reason"] == "interrupted"


def test_a_round_that_only_the_fram_has_is_recorded_at_the_next_start(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = own_rounds.baccarat()
    monkeypatch.setattr(journal_module, "RETRY_S", 0.001)
    memory = FileFram(tmp_path / "fram.bin")
    journal = own_rounds.opened(path, "baccarat_live", head=Head(memory))
    *before, (kind, body) = place.rows
    for row in before:
        journal.write(*row)
    with monkeypatch.context() as cut:

        def failing(self: Any, at: Any, rows: Any) -> None:
            if rows[-1].kind == record.RESULT:
                raise OSError(5, "torn off")
            append(self, at, rows)

        append = journal_file.File.append
        cut.setattr(journal_file.File, "append", failing)
        journal.put(7, kind, body)
        until(lambda: journal.trouble() is not None)
        journal.close()
    memory.close()
    memory = FileFram(tmp_path / "fram.bin")
    journal = own_rounds.opened(path, "baccarat_live", head=Head(memory))
    assert journal.notice is not None and "the result of coup 3" in journal.notice
    journal.close()
    memory.close()
    found = signed(path)[-1]
    assert (found.coup, found.winner, cards(found)) == (3, "tie", "9S 4C KD 5H")
    assert first_bad(path, ROOT) is None


def test_a_wheels_outcome_is_the_record_alone(path: Path) -> None:
    journal = own_journal.opened(path)
    journal.write(*own_journal.result(1))
    journal.write(*own_journal.void(2))
    journal.close()
    assert [row.kind for row in reader.rows(path)] == ["epoch", "result", "void"]


def test_what_is_no_end_of_a_round_is_not_signed() -> None:
    body = dict(own_rounds.baccarat().rows[-1][1])
    stamp = Stamp(1_795_285_518, 3)
    given: dict[str, Any] = {"epoch": 1, "stamp": stamp, "prev": bytes(32)}
    who = own_rounds.identity("baccarat_live")
    assert own_journal.SIGNER.sign(fields(who, "result", body, **given))
    outcome = body["outcome"]
    for wrong in ({"winner": "banker"}, {"player": 8}, {"banker_cards": ["4C", "6H"]}):
        said = fields(who, "result", body | {"outcome": outcome | wrong}, **given)
        with pytest.raises(ValueError, match="No reader would take"):
            own_journal.SIGNER.sign(said)
