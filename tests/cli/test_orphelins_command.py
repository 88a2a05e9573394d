"""`cylindre orphelins`, and what `cylindre run` does of it: as processes, on a table's files."""

import datetime
import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_journal
import pytest
from patience import LAST_RESORT_S

import rules
from firmware.core.house import CROUPIER, MANAGEMENT
from firmware.keys import people
from firmware.lib.errors import CONFIGURATION, FAILED, OK, USAGE
from firmware.lib.places import JOURNAL, KEYS
from firmware.run.table_opening import gaming_day
from firmware.stakes.abandoned import DAYS, MARKED
from firmware.store import reader
from firmware.store.clock import read
from firmware.store.register import Register
from rules import minimum
from rules.limits import open_table

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]
BOARD = ("--board", "roulette_ref")
TODAY = datetime.date.today()
CONFIG = '[stakes]\nminimum_cents = 500\nseason = "2026-27"\n'
PINS = {"anna": "gulden77", "weber": "moselle88"}
OWNER = ("--name", "Jean Weber", "--address", "1 rue Flammang", "--proof", "camera 3, 21h14")


def opening(cents: int = 500, days_ago: int = 0, season: str = "2026-27") -> tuple[str, Any]:
    day = gaming_day(datetime.datetime.now()) - days_ago
    game = rules.load("roulette_lu")
    opened = minimum.opening(game, day=day, season=season, minimum_cents=cents)
    return "opening", minimum.body(opened)


def result(coup: int, number: int = 5, colour: str = "red") -> tuple[str, Any]:
    return own_journal.result(coup, number, colour=colour)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The folder of a table with people; two coups were played since it opened."""
    folder = tmp_path / "var" / "roulette_ref"
    journal(folder, opening(), result(1), result(2))
    for (name, pin), role in zip(PINS.items(), (CROUPIER, MANAGEMENT), strict=True):
        with people.editing(folder / "people.jsonl") as known:
            known.append(people.enrol(name, role, pin))
        (tmp_path / name).write_text(pin + "\n")
    (tmp_path / "config.toml").write_text(CONFIG)
    return folder


def journal(folder: Path, *records: tuple[str, Any]) -> None:
    own_journal.keys(folder / KEYS)
    store = own_journal.opened(folder / JOURNAL, clock=read)
    for kind, body in records:
        store.write(kind, body)
    store.close()


def mark(cylindre: Run, *stake: str, who: str = "anna") -> "subprocess.CompletedProcess[str]":
    signer = ("--croupier", who, "--pin-file", who)
    return cylindre("orphelins", "mark", *stake, *signer, *BOARD)


def give_back(
    cylindre: Run, n: str = "1", *more: str, who: str = "weber"
) -> "subprocess.CompletedProcess[str]":
    signer = ("--management", who, "--pin-file", who)
    return cylindre("orphelins", "return", n, *OWNER, *signer, *BOARD, *more)


def pay(folder: Path, days_ago: int = 0) -> None:
    """One stake on rouge, counted for three coups and paid in so many days ago."""
    register = Register(folder / "orphelins.jsonl")
    day = TODAY.toordinal() - days_ago
    stake = {"bet": "rouge", "on": [], "cents": 500}
    table = open_table(rules.load("roulette_lu"), 500)
    with register.writing() as page:
        page.append(MARKED, page.said.mark(table, stake, coup=2, day=day, who="anna"))
        for coup in (3, 4, 5):
            page.append("coup", page.said.play(coup, 5, "red"))
        for kind, body in page.said.due(day):
            page.append(kind, body)


def test_a_croupier_marks_a_stake_which_is_counted_after_the_last_coup(
    cylindre: Run, table: Path
) -> None:
    done = mark(cylindre, "cheval", "17-20", "--cents", "500")
    assert done.stdout == "Number 1: cheval 17-20 5.00, counted after coup 2 for three coups.\n"
    told = json.loads(mark(cylindre, "plein", "17", "--cents", "500", "--json").stdout)
    assert (told["n"], told["kind"], told["coup"], told["who"]) == (2, "marked", 2, "anna")
    assert told["date"] == TODAY.isoformat()


@pytest.mark.parametrize(
    ("stake", "why"),
    [
        (("cheval", "1-36", "--cents", "500"), "Art. 37-2: 1 and 36 are not neighbours"),
        (("plein", "17", "--cents", "499"), "Art. 37-3: 499 cents are under the minimum of 500"),
        (("rouge", "--cents", "501"), "Form of a stake: 501 cents are odd"),
    ],
)
def test_a_stake_that_cannot_have_lain_there_is_refused_with_the_article(
    cylindre: Run, table: Path, stake: tuple[str, ...], why: str
) -> None:
    done = mark(cylindre, *stake)
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert done.stderr.startswith(why)
    assert done.stderr.count("\n") == 1


def by_two(*words: str) -> tuple[str, ...]:
    people = ("--croupier", "anna", "--croupier-pin-file", "anna", "--management", "weber")
    return ("orphelins", *words, *people, "--management-pin-file", "weber", *BOARD)


def test_money_found_is_entered_claimed_by_its_owner_or_corrected_by_two(
    cylindre: Run, table: Path
) -> None:
    signer = ("--croupier", "anna", "--pin-file", "anna", *BOARD)
    found = cylindre("orphelins", "found", "--cents", "351", "--where", "on the floor", *signer)
    assert found.stdout == "Number 1: 3.51 found, waits for three coups after coup 2.\n"
    done = cylindre(*by_two("correct", "1", "--cents", "361", "--why", "counted again"))
    assert done.stdout == "Number 1 is corrected (entry 2). The account: 0.00, now 0.00.\n"
    done = give_back(cylindre)
    assert done.stdout == "Number 1 is returned to Jean Weber: 3.61 (entry 3).\n"
    refused = cylindre(*by_two("correct", "1", "--withdraw", "--why", "x"))
    assert refused.returncode == FAILED
    assert refused.stderr == "Art. 8: number 1 was claimed by its owner already.\n"
    lines = cylindre("orphelins", "list", *BOARD).stdout
    assert "money found after coup 2 by anna: on the floor" in lines
    assert "number 1 should have been money without a bet 3.61, anna and weber: counted" in lines


def test_what_nobody_has_counted_yet_is_counted_before_the_owner_gets_it(
    cylindre: Run, table: Path
) -> None:
    """No controller runs, and the stake was lost since."""
    mark(cylindre, "plein", "17", "--cents", "500")
    journal(table, result(3), result(4, 17, "black"))
    done = give_back(cylindre)
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert "number 1 has lost all that it was" in done.stderr.lower()
    marked = json.loads(mark(cylindre, "rouge", "--cents", "500", "--json").stdout)["n"]
    journal(table, result(5))
    done = give_back(cylindre, str(marked))
    assert done.stdout.startswith(f"Number {marked} is returned to Jean Weber: 10.00")


@pytest.mark.parametrize(
    "words", [("1", "--cents", "5", "--withdraw"), ("1",), ("1", "plein", "17", "--withdraw")]
)
def test_a_correction_says_what_it_should_have_been_or_that_it_was_nothing(
    cylindre: Run, table: Path, words: tuple[str, ...]
) -> None:
    done = cylindre(*by_two("correct", *words, "--why", "x"))
    assert done.returncode == USAGE
    assert "Give what it should have been, with --cents, or --withdraw." in done.stderr


def test_the_exercice_is_closed_with_the_receipt_and_the_house_adds_up(
    cylindre: Run, table: Path
) -> None:
    pay(table, days_ago=DAYS + 1)
    register = str(table / "orphelins.jsonl")
    found = cylindre("orphelins", "house", register)
    assert found.stdout.splitlines()[-1].split() == [
        "20.00", "the", "house's", "account", "«", "orphelins", "»",
    ]  # fmt: skip
    signer = ("--management", "weber", "--pin-file", "weber", *BOARD)
    words = ("orphelins", "close", "2026", "--commune", "Mondorf", "--receipt", "17", *signer)
    done = cylindre(*words)
    assert done.stdout.startswith(
        "Orphelins, exercice 2026 : 20.00 versés au bureau de bienfaisance de Mondorf,"
    )
    assert "2026 : 20.00" in cylindre("orphelins", "list", *BOARD).stdout
    again = cylindre(*words)
    assert (again.returncode, again.stdout) == (FAILED, "")
    assert "nothing lies in the account" in again.stderr
    twice = cylindre("orphelins", "house", register, str(Path(register).resolve()), "--json")
    told = twice.stdout.splitlines()
    assert [json.loads(line) for line in told] == [
        {"register": register, "balance_cents": 0}, {"house_balance_cents": 0},
    ]  # fmt: skip


def test_a_house_without_one_of_its_registers_is_told_so(cylindre: Run, table: Path) -> None:
    done = cylindre("orphelins", "house", "missing.jsonl")
    assert (done.returncode, done.stderr) == (FAILED, "There is no register missing.jsonl.\n")


@pytest.mark.parametrize("numbers", ["17;20", "-17", "17-", "x", "1" * 30, "١٧"])
def test_what_is_no_number_is_a_matter_of_usage(cylindre: Run, table: Path, numbers: str) -> None:
    options = ("--cents", "500", "--croupier", "anna", "--pin-file", "anna", *BOARD)
    done = cylindre("orphelins", "mark", *options, "plein", "--", numbers)
    assert done.returncode == USAGE
    assert "NUMBERS are whole numbers" in done.stderr


def test_each_may_do_his_own_part_alone(cylindre: Run, table: Path, tmp_path: Path) -> None:
    """Art. 8: who returns money out of the cash is a member of the management."""
    refused = mark(cylindre, "rouge", "--cents", "500", who="weber")
    assert refused.returncode == FAILED
    assert "weber is management: this wants the PIN of a croupier." in refused.stderr
    pay(table)
    refused = give_back(cylindre, who="anna")
    assert "anna is croupier: this wants the PIN of a management." in refused.stderr
    (tmp_path / "anna").write_text("wrong pin\n")
    assert "the name or the PIN is wrong" in mark(cylindre, "rouge", "--cents", "500").stderr
    assert len((table / "orphelins.jsonl").read_bytes().splitlines()) == 5


def test_a_return_is_an_entry_of_its_own_and_the_list_shows_all(cylindre: Run, table: Path) -> None:
    pay(table)
    listed = cylindre("orphelins", "list", *BOARD).stdout
    until = (TODAY + datetime.timedelta(days=DAYS)).isoformat()
    assert f"Number 1: can be returned to its owner until {until}, that day included." in listed
    assert "Balance of the account « orphelins »: 20.00" in listed
    done = give_back(cylindre)
    assert done.stdout == (
        "Number 1 is returned to Jean Weber: 20.00 (entry 6). The account: 20.00, now 0.00.\n"
    )
    again = give_back(cylindre)
    assert (again.returncode, again.stderr) == (FAILED, "Art. 8: number 1 was returned already.\n")
    listed = cylindre("orphelins", "list", *BOARD).stdout
    assert "number 1, paid in by entry 5, returned by weber to Jean Weber, 1 rue" in listed
    assert "Balance of the account « orphelins »: 0.00" in listed
    lines = [
        json.loads(line)
        for line in cylindre("orphelins", "list", "--json", *BOARD).stdout.splitlines()
    ]
    assert [line["kind"] for line in lines[:6]] == [
        "marked", "coup", "coup", "coup", "paid_in", "returned",
    ]  # fmt: skip
    assert lines[5]["proof"] == "camera 3, 21h14"
    assert lines[6:] == [
        {"orphelin": 1, "state": "returned", "coups": 3, "cents": 2_000},
        {"balance_cents": 0},
    ]


def test_after_seven_days_nothing_is_returned(cylindre: Run, table: Path) -> None:
    """Art. 8: « endéans les sept jours de calendrier qui suivent l'enregistrement »."""
    pay(table, DAYS + 1)
    done = give_back(cylindre)
    assert done.returncode == FAILED
    assert done.stderr.startswith("Art. 8: « endéans les sept jours de calendrier")
    assert "the seven days are over" in cylindre("orphelins", "list", *BOARD).stdout


def test_without_a_register_there_is_nothing_to_show_or_return(cylindre: Run, table: Path) -> None:
    done = cylindre("orphelins", "list", *BOARD)
    assert (done.returncode, done.stdout) == (OK, "Balance of the account « orphelins »: 0.00\n")
    assert "There is no register" in give_back(cylindre).stderr
    assert cylindre("orphelins", "list").stdout == done.stdout  # of the one wheel that is here


def test_a_damaged_register_is_one_sentence(cylindre: Run, table: Path) -> None:
    (table / "orphelins.jsonl").write_text("nothing of ours\n")
    done = cylindre("orphelins", "list", *BOARD)
    assert done.returncode == FAILED
    assert "orphelins.jsonl:1: this line is damaged" in done.stderr
    assert "Traceback" not in done.stderr


def test_at_a_table_without_limits_nothing_is_marked(cylindre: Run, tmp_path: Path) -> None:
    folder = tmp_path / "var" / "roulette_ref"
    journal(folder, result(1))
    with people.editing(folder / "people.jsonl") as known:
        known.append(people.enrol("anna", CROUPIER, PINS["anna"]))
    (tmp_path / "anna").write_text(PINS["anna"] + "\n")
    done = mark(cylindre, "rouge", "--cents", "500")
    assert done.returncode == CONFIGURATION
    assert "give [stakes] minimum_cents to cylindre run" in done.stderr


def test_run_counts_what_was_played_while_it_was_down_and_announces_the_payment(
    start: Start, cylindre: Run, table: Path
) -> None:
    mark(cylindre, "plein", "17", "--cents", "500")
    journal(table, result(3, 17, "black"), result(4), result(5))
    process = start("run", *BOARD, "--config", "config.toml", "--json")
    assert process.stdout is not None
    fact = json.loads(process.stdout.readline())
    while fact["event"] != "orphelin_paid_in":
        fact = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LAST_RESORT_S)
    assert {key: fact[key] for key in ("n", "cents", "total_cents")} == {
        "n": 1,
        "cents": 17_500,
        "total_cents": 17_500,
    }
    assert "175.00 versés à la caisse après trois coups joués (art. 8)" in fact["text"]
    assert "paid into the cash after three coups" in fact["text"]
    assert "Balance of the account « orphelins »: 175.00" in (
        cylindre("orphelins", "list", *BOARD).stdout
    )


@pytest.mark.req("LU-37-3.day")
@pytest.mark.parametrize(
    ("past", "why"),
    [
        ((opening(400),), "« Durant une même journée, le minimum des mises"),
        # One that ran on into this day without a restart has begun it with that minimum.
        ((opening(400, 3), result(1)), "« Durant une même journée, le minimum des mises"),
        ((opening(1_000, 3),), "« jusqu'à la fin de la saison, le nouveau minimum"),
        ((opening(500, 3), opening(500, 2, "2027-28")), "season 2026-27 has ended"),
    ],
)
def test_run_does_not_open_with_a_minimum_that_art_37_3_forbids(
    cylindre: Run, tmp_path: Path, past: tuple[tuple[str, Any], ...], why: str
) -> None:
    folder = tmp_path / "var" / "roulette_ref"
    journal(folder, *past)
    before = (folder / JOURNAL).read_bytes()
    (tmp_path / "config.toml").write_text(CONFIG)
    done = cylindre("run", *BOARD, "--config", "config.toml", "--json")
    assert (done.returncode, done.stdout) == (CONFIGURATION, "")
    assert done.stderr.startswith("[stakes] art. 37-3: ")
    assert why in done.stderr
    assert (folder / JOURNAL).read_bytes() == before  # nothing moved


def opens(start: Start, *options: str) -> "subprocess.Popen[str]":
    """Runs until the wheel plays, and ends it."""
    process = start("run", *BOARD, "--config", "config.toml", "--json", *options)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LAST_RESORT_S)
    return process


@pytest.mark.req("LU-37-3.day")
def test_another_journal_of_the_wheel_opens_at_no_other_minimum(
    cylindre: Run, start: Start, tmp_path: Path
) -> None:
    """Art. 37-3: « Durant une même journée, le minimum des mises pratiqué à une table déterminée ne
    peut être modifié »: a table is a wheel, and not a file."""
    (tmp_path / "config.toml").write_text(CONFIG)
    opens(start)
    (tmp_path / "config.toml").write_text(CONFIG.replace("500", "400"))
    play = ("run", *BOARD, "--config", "config.toml", "--json", "--coups", "1", "--pace", "20")
    other = (*play, "--journal", "other.db")
    done = cylindre(*other)
    assert (done.returncode, done.stdout) == (CONFIGURATION, "")
    assert "[stakes] art. 37-3: « Durant une même journée" in done.stderr
    (tmp_path / "config.toml").write_text(CONFIG)
    assert opens(start, "--journal", "other.db").returncode == 0
    # Nor does a file that this wheel has not signed.
    kept = tmp_path / "var" / "roulette_ref" / KEYS / "opening"
    kept.write_bytes(kept.read_bytes()[:-1] + b"x")
    done = cylindre(*play, "--journal", "third.db")
    assert (done.returncode, done.stdout) == (CONFIGURATION, "")
    assert done.stderr.endswith("Keep the file for inspection, and restore a copy.\n")


@pytest.mark.req("OK-18.configuration")
def test_run_records_the_opening_before_anything_is_played(start: Start, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(CONFIG)
    process = start("run", *BOARD, "--config", "config.toml", "--json")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LAST_RESORT_S)
    path = tmp_path / "var" / "roulette_ref" / JOURNAL
    epoch, first, *_ = reader.rows(path)
    assert epoch.kind == "epoch"
    assert reader.decoded(path, first)[2:] == opening()
