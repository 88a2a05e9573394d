"""The quick evidence is made of what is there already, and says of which and from when."""

import json
import os
from pathlib import Path

import pytest

from firmware.lib.errors import FAILED
from firmware.store.source_hash import firmware_hash
from tools.docs.evidence import __main__ as evidence
from tools.docs.evidence import junit, results, running
from tools.docs.evidence.results import BROKEN, PASSED, Build, Result, results_there
from tools.hil.campaign.plan import Plan

BUILD = Build("b1", "c0ffee")
ID = "LU-37-1.call"
CASE = """<testcase classname="tests.core.test_drop" name="{name}" time="{time}">
<properties><property name="requirement" value="LU-37-1.call"/>
<property name="build" value="{build}"/></properties>{more}</testcase>"""


def write(path: Path, *names: str, at_s: int, build: str = "b1", more: str = "", time: float = 1.0):
    cases = [CASE.format(name=name, build=build, more=more, time=time) for name in names]
    path.write_text(f"<testsuites>{''.join(cases)}</testsuites>")
    os.utime(path, (at_s, at_s))


def found(folder: Path, *campaigns: Path) -> tuple[list[Result], list[str]]:
    said: list[str] = []
    return results_there((folder, folder / "of-tests"), campaigns, BUILD, said.append), said


def test_what_of_this_build_lies_there_is_used_and_said_with_its_time(tmp_path: Path) -> None:
    write(tmp_path / "tests.xml", "test_a[1]", "test_a[2]", at_s=1_700_000_000)
    shown, said = found(tmp_path)
    name = "tests/core/test_drop.py::test_a"
    assert shown == [Result(ID, "test", name, "test", PASSED, 2, "b1 (c0ffee)")]
    assert said[0].startswith(f"{tmp_path}/tests.xml, of 2023-11-14 ") and len(said) == 1


def test_of_a_case_that_ran_twice_the_later_counts(tmp_path: Path) -> None:
    write(tmp_path / "a.xml", "test_a[1]", at_s=2_000, more="<failure/>")
    write(tmp_path / "b.xml", "test_a[1]", "test_a[2]", at_s=1_000)
    assert [(each.result, each.cases) for each in found(tmp_path)[0]] == [(BROKEN, 2)]
    os.utime(tmp_path / "b.xml", (3_000, 3_000))
    assert [(each.result, each.cases) for each in found(tmp_path)[0]] == [(PASSED, 2)]


def test_a_case_that_was_skipped_takes_no_result_back(tmp_path: Path) -> None:
    write(tmp_path / "a.xml", "test_a", at_s=1_000)
    (tmp_path / "of-tests").mkdir()
    write(tmp_path / "of-tests" / "b.xml", "test_a", at_s=2_000, more="<skipped/>")
    assert [each.result for each in found(tmp_path)[0]] == [PASSED]


@pytest.mark.parametrize("text", ["<", "", "<testsuites/>"])
def test_what_is_of_another_build_or_of_none_is_said_and_not_used(
    tmp_path: Path, text: str
) -> None:
    write(tmp_path / "old.xml", "test_a", at_s=1_000, build="b0")
    (tmp_path / "spoiled.xml").write_text(text)
    shown, said = found(tmp_path)
    assert shown == []
    assert "not used, it is of another build" in said[0]
    assert "not used, it has no result of a build" in said[1]


def _campaign(folder: Path, firmware: str, *jobs: int) -> Path:
    folder.mkdir()
    plan = Plan(1, 16, 0, ("wheel_tilted",), ("virtual",))._asdict()
    told = {"plan": plan, "firmware": firmware, "commit": "c0ffee"}
    (folder / "campaign.json").write_text(json.dumps(told))
    use = {"fault": "wheel_tilted", "verdict": "right", "idle": False, "how": "told"}
    rows = [{"job": job, "place": "virtual", "uses": [use], "broken": []} for job in jobs]
    (folder / "results.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def test_campaigns_of_this_build_that_are_whole_are_used(tmp_path: Path) -> None:
    whole = _campaign(tmp_path / "whole", "b1", 0)
    other = _campaign(tmp_path / "other", "b0", 0)
    part = _campaign(tmp_path / "part", "b1")
    (spoiled := tmp_path / "spoiled").mkdir()
    (spoiled / "campaign.json").write_text("[]")
    shown, said = found(tmp_path, whole, other, part, spoiled, tmp_path / "none")
    assert {each.name for each in shown} == {"wheel_tilted"}
    assert f"{whole}, of " in said[0] and "not used" not in said[0]
    assert "it is of another build" in said[1]
    assert "only 0 of 1 jobs are played" in said[2]
    assert "no folder of a campaign" in said[3] and len(said) == 4


def test_what_is_not_there_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("something was run")

    monkeypatch.setattr(evidence.running, "tests", never)
    monkeypatch.setattr(evidence.running, "scenarios", never)
    monkeypatch.setattr(evidence, "CAMPAIGNS", ())
    monkeypatch.setattr(evidence, "RECORDS", tmp_path / "of-tests")
    write(tmp_path / "run.xml", "test_a", at_s=1_000, build=firmware_hash().hex())
    options = ["--quick", "--output", str(tmp_path)]
    assert evidence.command(options, standalone_mode=False) == FAILED
    told = capsys.readouterr().err
    assert "run.xml, of " in told and "LU-37-2.pays: not shown" in told
    assert "LU-37-1.call: not shown" not in told
    assert ",not run," in (tmp_path / "matrix.csv").read_text("utf-8-sig")


def test_a_scenario_that_was_played_is_read_again_as_one(tmp_path: Path) -> None:
    played = running.Played("beam_dark", ("late_call: 1 s",), 0.5, (ID,))
    path = tmp_path / "scenarios.xml"
    path.write_text(junit.text("scenarios", [played], place="virtual"))
    build = Build(firmware_hash().hex(), "c0ffee")
    (shown,) = results.of_tests([path], build)
    assert shown[:6] == (ID, "scenario", "beam_dark", "virtual", BROKEN, 1)


def test_what_a_test_costs_is_what_all_its_cases_took_the_last_time(tmp_path: Path) -> None:
    first, second, *_ = sorted({each.name for each in running.in_tests()})
    folder, _, test = first.partition(".py::")
    case = '<testcase classname="{}" name="{}[{}]" time="{}"/>'
    cases = [case.format(folder.replace("/", "."), test, at, 2.0) for at in range(3)]
    (tmp_path / "tests.xml").write_text(f"<testsuites>{''.join(cases)}</testsuites>")
    cost = running.costs(tmp_path, scenarios=False)
    assert cost["test", first] == 6.0
    assert cost["test", second] == 6.0  # as the others, on average
    assert {kind for kind, _ in cost} == {"test"}
    (tmp_path / "tests.xml").write_text("<")
    cost = running.costs(tmp_path, scenarios=True)
    assert set(cost.values()) == {1.0} and ("scenario", "beam_dark") in cost
