"""`cylindre hil run all`, --quiet and --junit: every scenario in one run, and what it comes to."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from firmware.lib.errors import FAILED, NO_DEVICE, OK, USAGE, Failure
from tools import cli
from tools.hil import places, scenario_file
from tools.hil.scenario import Scenario
from tools.hil.verdict import LATE_CALL, Broken

NAMES = ["ball_moved", "both_pressed", "controller_killed", "void_pressed"]
VIRTUAL = places.load("virtual")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few scenarios are shipped, of which one cannot be made at virtual."""
    monkeypatch.setattr(scenario_file, "shipped", lambda: NAMES)


@pytest.fixture
def broken(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them breaks a rule, and one crashes."""

    def run(scenario: Scenario, folder: Path | None = None) -> places.Ran:
        if scenario.name == "void_pressed":
            raise RuntimeError("no\nsuch <thing>\x00")
        ran = VIRTUAL.run(scenario, folder)
        if scenario.name != "both_pressed":
            return ran
        late = Broken(LATE_CALL, 2, "called .2 s late <&>")
        return ran._replace(verdict=ran.verdict._replace(broken=(late,)))

    place = SimpleNamespace(check=VIRTUAL.check, run=run)
    monkeypatch.setattr(places, "load", lambda name: place)


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("few")
def test_all_are_played_a_line_each_and_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "run", "all"]) == OK
    head, *rows, last = said(capsys)
    assert head.split() == ["scenario", "coups", "right", "wrong", "void", "late", "told", "s"]
    assert [row.split()[0] for row in rows] == NAMES
    assert rows[2].endswith("not played: controller_killed cannot be made at virtual: use --place"
                            " process or kernel.")  # fmt: skip
    assert [row.split()[1:4] for row in (rows[0], rows[1], rows[3])] == [["4", "4", "0"],
        ["4", "3", "0"], ["4", "3", "0"]]  # fmt: skip
    # Of a ball that is moved nobody need be told.
    assert [row.split()[6] for row in (rows[0], rows[1], rows[3])] == ["-", "1/1", "1/1"]
    assert all(row.endswith("holds") for row in (rows[0], rows[1], rows[3]))
    assert last == ("3 scenarios played, 12 coups: a rule is broken in 0; 1 cannot be played here.")


@pytest.mark.usefixtures("broken")
def test_one_that_fails_fails_all_and_the_others_are_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["hil", "run", "all"]) == FAILED
    rows = said(capsys)
    assert rows[1].split()[-1] == "holds"
    assert rows[2].split()[-1] == "BROKEN"
    assert rows[3] == "both_pressed: BROKEN late_call: called .2 s late <&>"
    assert rows[5].split()[:2] == ["void_pressed", "-"]
    assert rows[6].startswith("void_pressed: BROKEN crashed: RuntimeError: no such <thing>")
    assert "a rule is broken in 2" in rows[-1]


@pytest.mark.usefixtures("broken")
def test_quiet_tells_what_is_broken_and_the_sum_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "run", "all", "--quiet"]) == FAILED
    assert [row.split()[0] for row in said(capsys)] == [
        "both_pressed", "both_pressed:", "void_pressed", "void_pressed:", "3",
    ]  # fmt: skip
    assert cli.main(["hil", "run", "ball_moved", "--quiet"]) == OK
    assert said(capsys) == ["ball_moved: every rule holds."]
    assert cli.main(["hil", "run", "both_pressed", "-q"]) == FAILED
    assert said(capsys) == [
        "BROKEN late_call: called .2 s late <&>", "both_pressed: a rule is broken 1 times.",
    ]  # fmt: skip


@pytest.mark.usefixtures("broken")
def test_programs_read_each_scenario_and_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "run", "all", "--json"]) == FAILED
    lines = [json.loads(line) for line in said(capsys)]
    summaries = [line for line in lines if line["event"] == "summary"]
    assert [(line["scenario"], line["broken"]) for line in summaries] == [
        ("ball_moved", 0), ("both_pressed", 1), ("controller_killed", 0), ("void_pressed", 1),
    ]  # fmt: skip
    assert [bool(line["skipped"]) for line in summaries] == [False, False, True, False]
    assert sum(line["event"] == "judged" for line in lines) == 8
    whole = {
        "event": "run",
        "scenarios": 4,
        "held": ["ball_moved"],
        "failed": ["both_pressed", "void_pressed"],
        "skipped": ["controller_killed"],
    }
    assert lines[-1] == whole
    assert cli.main(["hil", "run", "all", "--json", "--quiet"]) == FAILED
    lines = [json.loads(line) for line in said(capsys)]
    assert [line["event"] for line in lines] == ["broken", "summary"] * 2 + ["run"]
    assert lines[-1] == whole


def cases(path: Path) -> Iterator[tuple[str, str, str]]:
    """Class and name of each case, and what became of it; what the schema asks for is there."""
    suite = ElementTree.parse(path).getroot()
    assert suite.tag == "testsuite" and suite.get("name") == "cylindre hil run"
    found = list(suite)
    assert {each.tag for each in found} == {"testcase"}
    assert int(suite.get("tests", "")) == len(found)
    for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.get(count, "")) == sum(each.find(tag) is not None for each in found)
    assert float(suite.get("time", "")) >= 0
    for each in found:
        assert float(each.get("time", "")) >= 0 and len(each) <= 1
        came = each[0].tag if len(each) else "passed"
        assert came == "passed" or each[0].get("message")
        yield each.get("classname", ""), each.get("name", ""), came


@pytest.mark.usefixtures("broken")
def test_junit_has_a_case_for_each_scenario_of_the_same_name_each_time(tmp_path: Path) -> None:
    path = tmp_path / "run.xml"
    for _ in range(2):
        assert cli.main(["hil", "run", "all", "-q", "--junit", str(path)]) == FAILED
        assert list(cases(path)) == [
            ("virtual", "ball_moved", "passed"),
            ("virtual", "both_pressed", "failure"),
            ("virtual", "controller_killed", "skipped"),
            ("virtual", "void_pressed", "failure"),
        ]
    failure = ElementTree.parse(path).find(".//failure")
    assert failure is not None and failure.text == "late_call: called .2 s late <&>"
    assert cli.main(["hil", "run", "ball_moved", "-q", "--junit", str(path)]) == OK
    assert list(cases(path)) == [("virtual", "ball_moved", "passed")]


@pytest.mark.usefixtures("broken")
def test_what_crashes_alone_is_told_as_ever(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "run", "void_pressed"]) == FAILED
    assert "a mistake in cylindre itself" in capsys.readouterr().err


@pytest.mark.usefixtures("few")
def test_a_place_that_is_lost_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(scenario: Scenario, folder: Path | None = None) -> places.Ran:
        raise Failure(NO_DEVICE, "The wires are out.")

    place = SimpleNamespace(check=VIRTUAL.check, run=run)
    monkeypatch.setattr(places, "load", lambda name: place)
    assert cli.main(["hil", "run", "all"]) == NO_DEVICE
    assert capsys.readouterr().err.strip() == "The wires are out."


def test_one_that_cannot_be_made_there_is_refused_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "run", "controller_killed"]) == USAGE
    assert "cannot be made at virtual" in capsys.readouterr().err


@pytest.mark.usefixtures("few")
def test_the_file_cannot_be_written_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none" / "run.xml"
    assert cli.main(["hil", "run", "ball_moved", "--junit", str(path)]) == FAILED
    assert f"Cannot write {path}" in capsys.readouterr().err
