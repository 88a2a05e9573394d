"""`cylindre journal tail|show|verify|export`: they read, and say in one sentence what is wrong."""

from __future__ import annotations

import csv
import fcntl
import importlib
import io
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from journal_bench import EDGES, Recorder, correction, write

from firmware.bus import record
from firmware.core.facts import ActDone
from firmware.keys.folder import ensure_wheel
from firmware.lib.errors import CONFIGURATION, FAILED, INTERRUPTED, OK, USAGE
from firmware.stakes.seal import seal
from firmware.store.fram import START, Head, Point
from firmware.store.fram_file import FileFram
from tools.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*options: object) -> tuple[int, str, str]:
        code = main(["journal", *map(str, options)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return ran


def journal(folder: Path, *asked: Any, board: str = "vingt_trois_ref", **more: Any) -> Path:
    recorder = Recorder(board)
    recorder.play()
    for event in asked:
        recorder.ask(event)
    return write(folder, recorder, **more)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal and its keys, to copy from."""
    return journal(tmp_path_factory.mktemp("made")).parent


@pytest.fixture
def played(made: Path, tmp_path: Path) -> Path:
    """The journal of a vingt-trois of two coups; its keys lie beside it."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "journal.db"


def alter(path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


# --- export ---------------------------------------------------------------------------------------


@pytest.mark.req("OK-18.ten_plays")
@pytest.mark.parametrize("board", EDGES)
def test_the_export_has_one_object_a_coup(tmp_path: Path, run: Run, board: str) -> None:
    recorder = Recorder(board)
    recorder.play()
    bodies = [body for kind, body in recorder.records if kind in ("result", "void")]
    code, out, _ = run("export", write(tmp_path, recorder), "--format", "json")
    objects = [json.loads(line) for line in out.splitlines()]
    assert code == OK
    assert len(objects) == len(bodies)
    for told, body in zip(objects, bodies, strict=True):
        for key in ("seq", "coup", "number", "compartment", "colour", "reason"):
            assert told[key] == body.get(key), key
        assert told["utc"].startswith("2026-07-14T")
        assert (told["epoch"], told["corrected"], told["manual"]) == (1, None, None)


def test_the_export_gives_what_stands_and_beside_it_what_was_first(
    tmp_path: Path, run: Run
) -> None:
    path = journal(tmp_path, correction(1, None), correction(2, 3), correction(1, 4))
    _, out, _ = run("export", path)
    first, second = (json.loads(line) for line in out.splitlines())
    assert (first["seq"], first["number"], first["colour"], first["reason"]) == (
        1,
        4,
        "black",
        None,
    )
    assert (first["corrected"], first["first_number"], first["first_colour"]) == (5, 14, "red")
    assert first["corrected_utc"] > first["utc"]
    assert first["first_manual"] is None
    # The sensors proved 14, not what people put in its place: `show` has what they saw.
    assert [first[name] for name in ("votes", "sensors", "residual_uturn")] == [None] * 3
    assert (second["number"], second["corrected"]) == (3, 4)
    assert first["manual"] == ["anna", "weber"]


def test_the_export_as_csv_says_the_same(tmp_path: Path, run: Run) -> None:
    path = journal(tmp_path, correction(1, None))
    _, out, _ = run("export", path, "--format", "csv")
    _, lines, _ = run("export", path)
    objects = [json.loads(line) for line in lines.splitlines()]
    for row, told in zip(csv.DictReader(io.StringIO(out)), objects, strict=True):
        croupier, management = told.pop("manual") or ("", "")
        assert (row.pop("croupier"), row.pop("management")) == (croupier, management)
        croupier, management = told.pop("first_manual") or ("", "")
        assert (row.pop("first_croupier"), row.pop("first_management")) == (croupier, management)
        assert row == {key: "" if value is None else str(value) for key, value in told.items()}


def test_no_name_becomes_a_formula_of_a_spreadsheet(tmp_path: Path, run: Run) -> None:
    asked = correction(1, None)._replace(who='=HYPERLINK("http://x")', manager="weber")
    _, out, _ = run("export", journal(tmp_path, asked), "--format", "csv")
    assert next(csv.DictReader(io.StringIO(out)))["croupier"].startswith("'=")


# --- tail and show --------------------------------------------------------------------------------


def test_the_tail_is_the_last_rows(played: Path, run: Run) -> None:
    path = played
    _, out, _ = run("tail", path, "-n", "2", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["kind"] for row in rows] == ["evidence", "result"]
    assert rows[0]["n"] + 1 == rows[1]["n"]
    _, words, _ = run("tail", path)
    assert len(words.splitlines()) == rows[1]["n"]


def test_what_a_technician_did_is_told_with_who_and_how_it_ended(tmp_path: Path, run: Run) -> None:
    done = ActDone(0, "weber", "supervisor", "selftest", "incomplete, 47 of 47 passed", None)
    _, out, _ = run("tail", journal(tmp_path, done))
    assert "selftest by weber, supervisor: incomplete, 47 of 47 passed" in out


def test_the_tail_goes_on_with_what_is_added(
    played: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) > 2:
            raise KeyboardInterrupt
        values = (f"2026-07-14T04:00:0{len(waits)}Z", "begun", b'{"coup":%d}' % (2 + len(waits)))
        statement = "INSERT INTO journal(utc, kind, body, hash) VALUES(?, ?, ?, x'00')"
        alter(played, statement, *values)

    monkeypatch.setattr("tools.commands.journal.time.sleep", wait)
    code, out, _ = run("tail", played, "-n", "1", "-f")
    assert code == INTERRUPTED
    assert [line[31:] for line in out.splitlines()[1:]] == ["coup 3: begun", "coup 4: begun"]


def test_a_coup_for_programs_has_its_record_and_all_that_is_of_it(tmp_path: Path, run: Run) -> None:
    path = journal(tmp_path, correction(2, 3))
    _, out, _ = run("show", path, "2", "--json")
    told = json.loads(out)
    assert told["stands"]["number"] == 3
    assert record.digest(bytes.fromhex(told["record"])).hex() == told["digest"]
    assert [row["kind"] for row in told["rows"]] == ["begun", "actuation", "result", "correction"]
    assert told["corrections"][0]["evidence"]["why"] == "seen on the film"
    assert told["evidence"]["call"]["why"] == "press"


# --- verify ---------------------------------------------------------------------------------------


def test_an_intact_journal_is_said_to_be(tmp_path: Path, run: Run) -> None:
    fram = tmp_path / "fram.bin"
    path = journal(tmp_path, fram=fram)
    code, out, err = run("verify", path, "--keys", tmp_path / "keys", "--fram", fram)
    assert (code, err) == (OK, "")
    assert "is intact: " in out
    assert "epoch 1, coup 2 (seq 2) ended last; the FRAM names the same end." in out
    code, out, _ = run("verify", path, "--keys", tmp_path / "keys", "--json")
    told = json.loads(out)
    assert (code, told["intact"], told["fram"], told["coup"]) == (OK, True, False, 2)


def test_a_changed_row_is_named(tmp_path: Path, played: Path, run: Run) -> None:
    path = played
    alter(path, "UPDATE journal SET body = ? WHERE n = 2", b'{"coup":9}')
    for more in ((), ("--json",)):
        code, out, err = run("verify", path, "--keys", tmp_path / "keys", *more)
        assert code == FAILED
        assert err.count("\n") == 1
        assert "Row 2 " in err
        assert not out or json.loads(out)["row"] == 2


def test_a_tail_cut_off_is_known_by_the_fram(tmp_path: Path, run: Run) -> None:
    fram = tmp_path / "fram.bin"
    path = journal(tmp_path, fram=fram)
    alter(path, "DELETE FROM journal WHERE n > 5")
    options = ("verify", path, "--keys", tmp_path / "keys")
    assert run(*options)[0] == OK
    code, _, err = run(*options, "--fram", fram)
    assert code == FAILED
    assert err.count("\n") == 1


def test_another_wheels_key_is_told(tmp_path: Path, run: Run) -> None:
    path = journal(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    journal(other)
    code, _, err = run("verify", path, "--keys", other / "keys")
    assert code == FAILED
    assert "not this wheel's" in err
    assert run("verify", path, "--keys", tmp_path / "none")[0] == CONFIGURATION


# --- bad input ------------------------------------------------------------------------------------
READERS = ("tail", "show", "verify", "export")


def options(reader: str, path: Path, folder: Path) -> list[object]:
    more: dict[str, list[object]] = {"show": ["1"], "verify": ["--keys", folder / "keys"]}
    return [reader, path, *more.get(reader, [])]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("what", ["missing", "text", "folder", "database", "newer", "torn"])
def test_what_is_no_journal_is_told_in_a_sentence_and_left_alone(
    tmp_path: Path, run: Run, reader: str, what: str, played: Path
) -> None:
    path = played
    other = tmp_path / "other.db"
    if what == "text":
        other.write_text("coup 1: 17\n" * 500)
    elif what == "folder":
        other.mkdir()
    elif what == "database":
        alter(other, "CREATE TABLE coups(n INTEGER)")
    elif what in ("newer", "torn"):
        other.write_bytes(path.read_bytes())
        if what == "newer":
            alter(other, "PRAGMA user_version = 99")
        else:
            other.write_bytes(path.read_bytes()[:5000])
    before = other.read_bytes() if other.is_file() else None
    code, out, err = run(*options(reader, other, tmp_path))
    assert code == FAILED, (out, err)
    assert "Traceback" not in err
    assert "mistake in cylindre" not in err
    assert str(other) in err
    assert err.count("\n") == 1
    assert (other.read_bytes() if other.is_file() else None) == before


@pytest.mark.req("IEC-CR-3.7")
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("body", [b"[]", b"3", b'{"coup":9}', b"{", b"\xff", b'{"coup":1,"seq":1}'])
@pytest.mark.parametrize("n", [2, 4, 5])
def test_an_altered_body_never_ends_in_a_traceback(
    tmp_path: Path, run: Run, reader: str, body: bytes, n: int, played: Path
) -> None:
    alter(played, "UPDATE journal SET body = ? WHERE n = ?", body, n)
    code, _, err = run(*options(reader, played, tmp_path))
    assert code in (OK, FAILED)
    assert "mistake in cylindre" not in err
    assert err.count("\n") == (code == FAILED)
    assert reader != "verify" or code == FAILED


@pytest.mark.parametrize("reader", READERS)
def test_a_journal_is_read_while_its_controller_holds_it(
    tmp_path: Path, run: Run, reader: str, played: Path
) -> None:
    with played.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, _, err = run(*options(reader, played, tmp_path))
    assert (code, err) == (OK, "")


# --- settled again --------------------------------------------------------------------------------


def test_a_corrected_coup_is_settled_again_with_what_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder = Recorder("roulette_ref")
    recorder.play()
    stake = {"player": "p1", "bet": "plein", "on": [5], "cents": 500, "terminal": 1, "id": 1}
    stakes: dict[str, Any] = {
        "coup": 1,
        "rules": "roulette_lu",
        "minimum_cents": 500,
        "maximum_multiples": {},
        "employees": ["anna"],
        "stakes": [stake],
    }
    stakes |= {"seal": seal(stakes), "count": 1, "total_cents": 500}
    at = [kind for kind, _ in recorder.records].index("result")
    recorder.records[at][1]["stakes"] = stakes["seal"]
    recorder.records.insert(at - 1, ("stakes", stakes))
    for number, won_cents in ((None, -500), (5, 17500)):
        if number is not None:
            recorder.ask(correction(1, number))
        folder = tmp_path / str(number)
        folder.mkdir()
        path = write(folder, recorder)
        assert main(["settle", "--journal", str(path), "--coup", "1", "--json"]) == OK
        (line,) = capsys.readouterr().out.splitlines()
        assert json.loads(line)["won_cents"] == won_cents
    assert main(["settle", "--journal", str(path), "--coup", "1", "--json", "--totals"]) == OK
    *_, line = capsys.readouterr().out.splitlines()
    assert json.loads(line)["difference"] == {
        "player": "p1", "paid_cents": 0, "due_cents": 18_000, "cents": 18_000,
    }  # fmt: skip
    assert main(["settle", "--journal", str(path), "--coup", "1"]) == OK
    *_, line = capsys.readouterr().out.splitlines()
    assert line == "p1, corrected: 0.00 was due, 180.00 is: 180.00 to be paid"
    recorder.ask(correction(1, None))
    (tmp_path / "void").mkdir()
    path = write(tmp_path / "void", recorder)
    assert main(["settle", "--journal", str(path), "--coup", "1"]) == OK
    *_, line = capsys.readouterr().out.splitlines()
    assert line == "p1, corrected: 180.00 was due, 5.00 is: 175.00 to be given back"


def test_without_a_coup_or_keys_of_a_file_it_asks_for_them(run: Run, tmp_path: Path) -> None:
    for asked in (("show", journal(tmp_path)), ("verify", tmp_path / "journal.db")):
        code, out, said = run(*asked)
        assert (code, out) == (USAGE, "")
        assert ("Missing" in said, said.count("\n")) == (True, 1)


def test_a_journal_may_be_called_by_a_number(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal(tmp_path).rename(tmp_path / "12")
    monkeypatch.chdir(tmp_path)
    assert run("show", "12", "1")[0] == OK


@pytest.mark.parametrize("gone", [(), ("--gone",)])
def test_adopt_says_what_it_did_or_why_not_as_it_is_asked(
    run: Run, tmp_path: Path, gone: tuple[str, ...]
) -> None:
    keys, fram = tmp_path / "keys", tmp_path / "fram.bin"
    ensure_wheel(keys)
    memory = FileFram(fram)
    head = Head(memory)
    head.before(START, Point(1, bytes(range(32))), 1)
    head.after()
    memory.close()
    before = fram.read_bytes()
    code, out, said = run(
        "adopt", tmp_path / "gone.db", "--keys", keys, "--fram", fram, "--json", *gone
    )
    if not gone:
        assert (code, out) == (FAILED, "")
        assert "check the path, and that its card is mounted" in said
        assert fram.read_bytes() == before
        return
    assert code == OK
    knew, done = [json.loads(line)["what"] for line in out.splitlines()]
    assert bytes(range(32)).hex() in knew
    assert "is blank now" in done
    assert not any(fram.read_bytes())


@pytest.mark.parametrize(
    "words",
    [("journal", name) for name in ("tail", "show", "verify", "export", "adopt")]
    + [("key", "show"), ("key", "rotate")],
)
def test_every_subcommand_has_help_with_examples_and_for_each_option(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert main([*words, "--help"]) == OK
    text = capsys.readouterr().out
    assert f"cylindre {' '.join(words)}" in text.split("Examples:")[1]
    group = importlib.import_module(f"tools.commands.{words[0]}").command
    options = [each for each in group.commands[words[1]].params if isinstance(each, click.Option)]
    assert [option.name for option in options if not option.help] == []
