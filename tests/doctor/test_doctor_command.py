"""`cylindre doctor` and what `cylindre boards` takes from it, as people run them."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result
from laid_out import THROTTLED, LaidOut

import boards
from firmware.lib.errors import FAILED, OK, USAGE, Failure
from tools.commands import boards as boards_command
from tools.commands import doctor
from tools.technician.doctor.case import Case, open_case
from tools.technician.doctor.examine import missing
from tools.technician.doctor.machine import Machine


def run(laid: LaidOut, *options: str) -> Result:
    # The account of whoever tests owns these files, so their permissions are good.
    return CliRunner().invoke(doctor.command, ["--root", str(laid.root), *options])


def test_where_nothing_is_wrong_it_says_so(sound: LaidOut) -> None:
    result = run(sound)
    assert result.output.splitlines()[0] == "No problem was found."
    assert "that can be asked on the machine itself alone" in result.output
    assert result.exit_code == OK


def test_a_problem_has_code_cause_and_remedy(sound: LaidOut) -> None:
    sound.write(THROTTLED, "1\n")
    result = run(sound)
    lines = result.output.splitlines()
    assert result.exit_code == FAILED
    assert lines[0] == "1 problem:"
    assert lines[2].startswith("D23  harms   The machine is short of power or too hot now: the")
    assert any(line.startswith("     cause   ") for line in lines)
    assert any(line.startswith("     remedy  ") for line in lines)
    assert max(map(len, lines)) <= 100


def test_programs_get_an_object_a_line(sound: LaidOut) -> None:
    sound.write(THROTTLED, "1\n")
    told = [json.loads(line) for line in run(sound, "--json").output.splitlines()]
    assert [*told[0]] == ["code", "grade", "what", "cause", "remedy"]
    assert told[0]["code"] == "D23"
    assert told[1]["not_seen"] == "I2C parts that answer"


def test_a_wrong_name_is_usage(sound: LaidOut) -> None:
    for options, sentence in (
        (("--user", "nobody-here"), "The machine has no user nobody-here."),
        (("--board", "pi44"), 'There is no board "pi44"; did you mean "pi4"?'),
    ):
        failure = run(sound, *options).exception
        assert isinstance(failure, Failure)
        assert (failure.exit_code, failure.sentence) == (USAGE, sentence)


def test_the_card_of_another_machine_has_its_own_configuration(sound: LaidOut) -> None:
    path = sound.root / "etc/cylindre/wheel.toml"
    path.write_text(path.read_text().replace("pi4", "pi5"))
    assert "the board pi5 wants a Raspberry Pi 5 Model B" in " ".join(run(sound).output.split())


def test_a_virtual_board_lacks_nothing(sound: LaidOut) -> None:
    case = open_case(sound.machine(), "roulette_ref", None)
    assert missing(case) == ((), ())


def test_boards_says_what_doctor_finds_of_packages_and_devices(sound: LaidOut) -> None:
    sound.remove("dev/i2c-1")
    case = open_case(sound.machine(), None, None)
    assert [each.code for each in missing(case).findings] == ["D09"]
    here = missing(Case(Machine(), boards.load("pi4"), case.config, ()))
    result = CliRunner().invoke(boards_command.command, ["pi4", "--json"])
    told = json.loads(result.output)["missing"]
    assert told[: len(here.findings)] == [
        {"what": each.what, "remedy": each.remedy} for each in here.findings
    ]
    assert len(told) == len(here.findings) + len(here.not_seen)
