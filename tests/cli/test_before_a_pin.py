"""What cannot be right is refused before anybody is asked for a PIN, in both languages."""

import contextlib
import datetime
import io
from collections.abc import Iterator
from pathlib import Path

import own_journal
import pytest

import rules
from firmware.api.server import Service
from firmware.core.facts import UNKNOWN, View
from firmware.keys import people
from firmware.lib.errors import OK
from firmware.lib.places import JOURNAL, KEYS
from firmware.run.table_opening import gaming_day
from firmware.stakes.abandoned import MARKED
from firmware.store.clock import read
from firmware.store.register import Register
from rules import minimum
from rules.limits import open_table
from tools import cli

BOTH = "--croupier anna --management weber --why x"
SAME = "--croupier anna --management anna --why x"
SOMEBODY = "--employee anna"
WHEELS = "--board roulette_ref"
CROUPIER = f"--croupier anna {WHEELS}"
MANAGEMENT = f"--management weber {WHEELS}"
LONG = "a" * 65
NO_NUMBER = ("This wheel has no such number. Send a whole number from 0 to 36.",
             "Ce cylindre n'a pas ce numéro. Envoyez un nombre entier de 0 à 36.")  # fmt: skip
NOT_DONE = "P10: What was asked is not done: "
REFUSED = "P10 : Ce qui était demandé n'est pas fait : "
NO_ACCOUNT = (
    '"account" is not as it must be. Send the number of an account.',
    "« account » n'est pas comme il doit être. Envoyez le numéro d'un compte.",
)
# A command line, and what its refusal begins with in English and in French.
# fmt: off
AT_THE_CONTROLLER = (
    (f"manual 99 {BOTH}", *NO_NUMBER),
    (f"manual 17 --colour red {BOTH}", f"{NOT_DONE}17 is black, never red.",
     f"{REFUSED}17 est noir, jamais rouge."),
    (f"manual 17 {SAME}", "anna cannot be both.", "anna ne peut être les deux."),
    (f"correct 7 99 {BOTH}", *NO_NUMBER),
    (f"correct 9 17 {BOTH}", f"{NOT_DONE}there is no coup 9 to correct.",
     f"{REFUSED}il n'y a pas de coup 9 à corriger."),
    (f"employee on {LONG}", '"employee" is not as it must be.', "« employee » n'est pas comme il"),
    (f"unseat 99 {SOMEBODY} --why x", '"terminal" is not as it must be.',
     "« terminal » n'est pas comme il"),
    (f"account open {LONG} {SOMEBODY}", '"player" is not as it must be.',
     "« player » n'est pas comme il"),
    (f"account renew 0 {SOMEBODY}", *NO_ACCOUNT),
    (f"account deposit 0 500 {SOMEBODY}", *NO_ACCOUNT),
    (f"account payout 0 {SOMEBODY}", *NO_ACCOUNT),
    (f"account deposit 1 5.5 {SOMEBODY}", "art. 62: « argent comptant » : an amount is whole",
     "art. 62 : « argent comptant » : une somme est"),
    (f"account reprint 0 {SOMEBODY}", '"receipt" is not as it must be.',
     "« receipt » n'est pas comme il"),
    ("account withhold 0 --management weber --why x", *NO_ACCOUNT),
    (f"account close-day --management {LONG}", '"management" is not as it must be.',
     "« management » n'est pas comme il"),
    (f"selftest --as {LONG} {WHEELS}", '"person" is not as it must be.',
     "« person » n'est pas comme il"),
    (f"acknowledge H12 --as weber --why {'x' * 201}", '"why" is not as it must be.',
     "« why » n'est pas comme il"),
    (f"act ball --as {LONG}", '"person" is not as it must be.', "« person » n'est pas comme il"),
    (f"act ball --as weber --note {LONG * 10}", '"detail" is not as it must be.',
     "« detail » n'est pas comme il"),
    (f"calibrate --as {LONG} {WHEELS}", '"person" is not as it must be.',
     "« person » n'est pas comme il"),
    (f"config apply new.toml --file old.toml --restart true --as {LONG}",
     '"person" is not as it must be.', "« person » n'est pas comme il"),
    (f"support-bundle --as {LONG} {WHEELS} --out pack.tar.gz",
     '"person" is not as it must be.', "« person » n'est pas comme il"),
)
IN_FILES = (
    (f"orphelins mark plein 99 --cents 500 {CROUPIER}", "Art. 37-2: there is no 99 on the cloth",
     "Art. 37-2 : il n'y a pas de 99 sur le tapis"),
    (f"orphelins mark rouge --cents 501 {CROUPIER}", "Form of a stake: 501 cents are odd",
     "Forme d'une mise : 501 centimes sont impairs"),
    (f"orphelins found --cents 0 --where floor {CROUPIER}", "Cents must be from 1 to ",
     "Cents doit être de 1 à "),
    (f"orphelins correct 9 --withdraw {BOTH} {WHEELS}",
     "Art. 8: no abandoned stake was entered as number 9.", "Art. 8 : aucune mise"),
    (f"orphelins correct 1 plein 99 --cents 500 {BOTH} {WHEELS}",
     "Art. 37-2: there is no 99 on the cloth", "Art. 37-2 : il n'y a pas de 99 sur le tapis"),
    (f"orphelins close 2026 --commune Mondorf --receipt 17 {MANAGEMENT}",
     "Art. 8: « versés après trois coups joués » : number 1 is still counted",
     "Art. 8 : « versés après trois coups joués » : le numéro 1 est encore"),
    (f"orphelins return 9 --name a --address b --proof c {MANAGEMENT}",
     "Art. 8: no abandoned stake was entered as number 9.", "Art. 8 : aucune mise"),
    (f"orphelins return 2 --name a --address b --proof c {MANAGEMENT}",
     "Number 2 has lost all that it was", "Le numéro 2 a tout perdu"),
    (f"people add {LONG} --role croupier {WHEELS}", "A name has 1 to 40 printable characters",
     "Un nom a de 1 à 40 caractères"),
    (f"people add ANNA --role croupier {WHEELS}",
     "ANNA is in {here}/var/roulette_ref/people.jsonl already",
     "ANNA est déjà dans {here}/var/roulette_ref/people.jsonl"),
    ("terminal --port /dev/nowhere --keys keys --address 1 --account 0", 'there is no account "0"',
     "il n'y a pas de compte « 0 »"),
)
WITHOUT_A_CONTROLLER = (
    f"manual 17 {BOTH}", f"correct 7 17 {BOTH}", "employee on anna",
    "act levelled --as weber", "acknowledge H12 --why x --as weber", "shift 4 --as weber",
    f"unseat 1 {SOMEBODY} --why x", f"account deposit 1 500 {SOMEBODY}",
)
# fmt: on


def named(value: str) -> str:
    """What a case is called by."""
    return " ".join(value.split()[:4])


class Asked(io.StringIO):
    """Standard input that nobody may read a PIN of."""

    def readline(self, *_: object) -> str:
        raise AssertionError("a PIN was asked for")


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.stdin", Asked())
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Path]:
    """The sockets of a roulette whose 7th coup has ended, at which nobody carries anything out."""
    folder = tmp_path / "var" / "roulette_ref"
    folder.mkdir(parents=True)
    (tmp_path / "new.toml").write_text('[wheel]\nboard = "roulette_ref"\n')
    service = Service(folder, number_max=36, game="roulette")
    service.show_view(View("RESULT", 7, 1, UNKNOWN, 5, "red", None))
    with contextlib.closing(service):
        yield folder


@pytest.fixture
def table(tmp_path: Path) -> None:
    """A table's files: two coups played, a stake that is counted and one that is lost."""
    folder = tmp_path / "var" / "roulette_ref"
    game = rules.load("roulette_lu")
    day = gaming_day(datetime.datetime.now())
    opened = minimum.opening(game, day=day, season="2026-27", minimum_cents=500)
    own_journal.keys(folder / KEYS)
    store = own_journal.opened(folder / JOURNAL, clock=read)
    for kind, body in (("opening", minimum.body(opened)), own_journal.result(1, 5, colour="red")):
        store.write(kind, body)
    with Register(folder / "orphelins.jsonl").writing() as page:
        for bet, on in (("rouge", []), ("plein", [17])):
            stake = {"bet": bet, "on": on, "cents": 500}
            marked = page.said.mark(open_table(game, 500), stake, coup=1, day=1, who="anna")
            page.append(MARKED, marked)
    kind, body = own_journal.result(2, 5, colour="red")
    store.write(kind, body)
    store.close()
    with people.editing(folder / "people.jsonl") as known:
        known.append(people.enrol("anna", "croupier", "246810"))
    assert cli.main(["provision", "keys", "--terminals", "1"]) == OK


def refused(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command line that fails says last."""
    capsys.readouterr()
    assert cli.main(line.split()) != OK
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(("line", "english", "french"), AT_THE_CONTROLLER, ids=named)
def test_what_a_controller_would_refuse_is_refused_before(
    controller: Path, capsys: pytest.CaptureFixture[str], line: str, english: str, french: str
) -> None:
    where = "" if WHEELS in line else f" --socket {controller}"
    assert refused(f"{line}{where} --lang en", capsys).startswith(english)
    assert refused(f"{line}{where} --lang fr", capsys).startswith(french)


@pytest.mark.parametrize(("line", "english", "french"), IN_FILES, ids=named)
def test_what_files_say_is_wrong_is_refused_before_and_changes_nothing(
    table: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    line: str,
    english: str,
    french: str,
) -> None:
    register = tmp_path / "var" / "roulette_ref" / "orphelins.jsonl"
    before = register.read_bytes()
    assert refused(f"{line} --lang en", capsys).startswith(english.format(here=tmp_path))
    assert refused(f"{line} --lang fr", capsys).startswith(french.format(here=tmp_path))
    assert register.read_bytes() == before


@pytest.mark.parametrize("line", WITHOUT_A_CONTROLLER)
def test_where_no_controller_answers_nobody_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    said = refused(f"{line} --socket {tmp_path}", capsys)
    assert said.startswith("No controller is running at ")
