"""A number entered by hand in a wheel that runs: from the terminal into the journal."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from at_rest import paused_in_a_coup
from cli_bench import listening
from patience import LAST_RESORT_S, Waiting

from firmware.config import Config
from firmware.config.game import choose
from firmware.core.facts import Fault, Result
from firmware.core.faults import sentence
from firmware.keys import people
from firmware.lib.errors import CONFIGURATION, FAILED, OK
from firmware.run.parts import RunOptions, settle_undetected
from firmware.text.event_text import human_line
from firmware.text.journal_coup import find

PINS = "246810\n135799\n"
ENTRY = ("manual", "17", "--croupier", "anna", "--management", "weber", "--why", "beams dark")
Start = Callable[..., subprocess.Popen[str]]
Shell = Callable[[str], subprocess.CompletedProcess[str]]


def entered(events: Any, shell: Shell) -> list[Any]:
    """Enters a number, after a wrong PIN; what was told from its beginning to its end."""
    entry = " ".join(f"'{word}'" for word in ENTRY)
    wrong = shell(f"printf '246810\\n135798\\n' | $C {entry}")
    assert wrong.returncode == FAILED
    assert wrong.stderr == "weber: the name or the PIN is wrong. Ask again.\n"
    early = shell(f"printf '{PINS}' | $C {entry}")
    assert early.returncode in (OK, FAILED)  # by then a second may have passed
    done = early
    with Waiting("an entry that is accepted", told=lambda: done) as waiting:
        while done.returncode != OK:
            waiting.on()
            assert "none is heard for" in done.stderr
            done = shell(f"printf '{PINS}' | $C {entry}")
    assert done.stdout == "Accepted: 17 is official as soon as it is recorded.\n"
    told = []
    while not told or told[-1]["event"] != "result":
        told.append(json.loads(events.readline()))
    return told


@pytest.mark.req("FR-67-5.management")
def test_a_number_that_two_people_enter_is_recorded_with_who_and_why(
    start: Start, shell: Shell, tmp_path: Path
) -> None:
    """French arrêté of 14 May 2007, art. 67-5."""
    folder = tmp_path / "var" / "roulette_ref"
    for name, role, pin in (("anna", "croupier", "246810"), ("weber", "management", "135799")):
        add = f"$C people add {name} --role {role} --board roulette_ref"
        assert shell(f"echo {pin} | {add}").returncode == OK
    wheel = start("run", "--board", "roulette_ref", "--seed", "3", "--json", stderr=None)
    with listening(folder) as line, line.makefile("r") as events:
        paused_in_a_coup(folder)  # so that the bets stay open, however long people take
        told = entered(events, shell)
    codes = [fact["code"] for fact in told if fact["event"] == "fault"]
    assert [code for code in codes if code[0] == "P"] == ["P12"]  # a busy disk may be told too
    assert told[-2]["event"] == "no_more_bets"
    assert (told[-1]["number"], told[-1]["verified"]) == (17, False)
    wheel.terminate()
    said, _ = wheel.communicate(timeout=LAST_RESORT_S)
    journal = folder / "journal.db"
    found = find(journal, told[-1]["coup"])
    assert found.end.body["manual"] == ["anna", "weber"]
    assert found.evidence["why"] == "beams dark"
    written = journal.read_bytes() + said.encode()
    assert not [pin for pin in PINS.split() if pin.encode() in written]


def test_a_wheel_does_not_start_with_a_damaged_file_of_people(
    cylindre: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    folder = tmp_path / "var" / "roulette_ref"
    folder.mkdir(parents=True)
    (folder / "people.jsonl").write_text("{}\n")
    done = cylindre("run", "--board", "roulette_ref")
    assert done.returncode == CONFIGURATION
    assert "chmod 600" in done.stderr
    (folder / "people.jsonl").chmod(0o600)
    done = cylindre("run", "--board", "roulette_ref")
    assert done.returncode == CONFIGURATION
    assert done.stderr.startswith("var/roulette_ref/people.jsonl:1: a person has exactly the keys")


def test_its_people_lie_beside_its_journal(
    cylindre: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """As the unit of a device has it, and where doctor and support look for them."""
    (tmp_path / "people.jsonl").write_text("{}\n")
    done = cylindre("run", "--board", "roulette_ref", "--journal", str(tmp_path / "journal.db"))
    assert done.returncode == CONFIGURATION
    assert "people.jsonl: others may read" in done.stderr


def test_a_house_may_keep_its_people_elsewhere(
    cylindre: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    (tmp_path / "wheel.toml").write_text('[people]\nfile = "staff.jsonl"\n')
    (tmp_path / "staff.jsonl").write_text("{}\n")
    done = cylindre("run", "--board", "roulette_ref", "--config", "wheel.toml")
    assert done.returncode == CONFIGURATION
    assert "staff.jsonl: others may read" in done.stderr


def iter_until(lines: Iterable[str], start: str) -> Iterator[str]:
    """The lines up to the first that begins so."""
    for line in lines:
        yield line
        if line.startswith(start):
            return


@pytest.mark.parametrize("undetected", ["manual", "void"])
def test_a_house_that_asks_people_is_told_if_there_are_none(
    start: Start, tmp_path: Path, undetected: str
) -> None:
    (tmp_path / "wheel.toml").write_text(f'[manual]\nundetected = "{undetected}"\n')
    wheel = start("run", "--board", "roulette_ref", "--config", "wheel.toml")
    assert wheel.stderr is not None
    said = "".join(iter_until(wheel.stderr, "Playing on"))
    wheel.terminate()
    told = "Nobody can enter a number yet: var/roulette_ref/people.jsonl is missing." in said
    assert told == (undetected == "manual")
    assert ("Numbers that are not detected: void." in said) != told


def test_a_fault_says_its_code_once() -> None:
    fault = Fault(2_000_000, "P10", sentence("P10", "no coup is open."))
    assert human_line(fault) == (
        "       2.000 s  fault P10: What was asked is not done: no coup is open."
        " Look at the state of the coup and ask again."
    )


def choices(tmp_path: Path, board: str, undetected: str | None, *roles: str) -> RunOptions:
    """What the command line chose, with people of these roles enrolled."""
    path = tmp_path / "people.jsonl"
    if roles:
        enrolled = [people.enrol(f"name{at}", role, "246810") for at, role in enumerate(roles)]
        path.write_bytes(b"".join(people.encode(person) for person in enrolled))
        path.chmod(0o600)
    config = Config(undetected=undetected)
    return RunOptions(
        game=choose(board, config),
        config=config,
        port=None,
        journal=tmp_path / "journal.db",
        keys=tmp_path / "keys",
        sockets=tmp_path,
        coups=None,
        line=human_line,
        started_us=0,
        people=path,
    )


BOTH = ("croupier", "management")


@pytest.mark.parametrize(
    ("board", "undetected", "roles", "becomes"),
    [
        ("roulette_ref", None, (), "void"),
        ("roulette_ref", None, ("croupier",), "void"),
        ("roulette_ref", None, ("management", "management"), "void"),
        ("roulette_ref", None, BOTH, "manual"),
        ("boule_ref", None, BOTH, "manual"),
        ("pi4", None, (), "manual"),  # it has the keys
        ("pi4", "void", BOTH, "void"),
        ("roulette_ref", "manual", (), "manual"),
    ],
)
def test_numbers_are_entered_where_somebody_can_unless_the_house_says_otherwise(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    board: str,
    undetected: str | None,
    roles: tuple[str, ...],
    becomes: str,
) -> None:
    """Art. 67-5: the croupier enters it in the presence of a member of the management."""
    config = settle_undetected(choices(tmp_path, board, undetected, *roles))
    assert config.house.undetected == becomes
    then = {"void": "void", "manual": "the people enter them"}[becomes]
    assert capsys.readouterr().err == f"Numbers that are not detected: {then}.\n"


def test_a_configuration_alone_knows_nobody_who_could_enter_a_number() -> None:
    assert Config().undetected is None
    assert Config().house.undetected == "void"


def test_what_people_entered_is_told_as_such() -> None:
    result = Result(1_000_000, 3, 2, 5, None, "yellow", False, True)
    assert human_line(result) == "       1.000 s  coup 3     5 yellow, entered by hand"
    ours = result._replace(layout_verified=False)
    assert human_line(ours) == f"{human_line(result)} (UNVERIFIED layout)"
    sure = result._replace(compartment=4, verified=True)
    assert human_line(sure) == "       1.000 s  coup 3     5 yellow, compartment 4"
