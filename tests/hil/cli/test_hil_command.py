"""`cylindre hil`: what it plays, what it refuses, how it ends."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import LAST_RESORT_S, until

from boards import load
from firmware.text.trace import TraceReader
from tools import cli
from tools.hil import places, scenario_file
from tools.hil.faults import catalogue

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["run", "beam_drak"], 2, 'Did you mean "beam_dark"'),
        (["run", "beam_dark", "--place", "virtuel"], 2, 'Did you mean "virtual"'),
        (["run", "controller_killed"], 2, "cannot be made at virtual"),
        (["run", "/nowhere/x.toml"], 1, "no such file"),
        (["faults", "beam_blnd"], 2, 'Did you mean "beam_blind"'),
        (["campaign", "/proc/x", "--coups", "20"], 1, "Name a folder that can be written"),
        (["campaign", "x", "--faults", ""], 2, "No fault is named"),
        (["faults", " , "], 2, "No fault is named"),
        (["campaign", "x", "--faults", "nothing_such"], 2, "There is no fault"),
        (["campaign", "x", "--places", "mars"], 2, "There is no place 'mars'"),
        (["campaign", "x", "--coups", "0"], 2, "nothing to play"),
        (["campaign", "x", "--coups", "20", "--places", ""], 2, "No place is named"),
        (["campaign", "x", "--faults", "power_cut,disk_full"], 2, "size: power_cut, disk_full;"),
        (["campaign", "x", "--places", "virtual,rig"], 2, "hil run SCENARIO --place rig"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: list[str], code: int, part: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert cli.main(["hil", *arguments]) == code
    told = capsys.readouterr().err
    assert part.lower() in told.lower() and len(told.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_for_passing_files_with_too_long_a_name_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The controller's socket lies in it."""
    long = tmp_path / ("x" * 80)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    assert cli.main(["hil", "run", "clean_boule", "--place", "process"]) == 1
    told = capsys.readouterr().err
    assert "set TMPDIR" in told and len(told.splitlines()) == 1
    assert not list(long.iterdir())


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in scenario_file.shipped()
        if all("virtual" in catalogue.find(use.fault).places
               for use in scenario_file.find(name).faults)
    ],
)  # fmt: skip
def test_in_every_shipped_scenario_every_rule_holds(name: str) -> None:
    scenario = scenario_file.find(name)
    verdict = places.load("virtual").run(scenario).verdict
    assert verdict.broken == ()
    assert len(verdict.noticed) == len(scenario.faults)
    if not scenario.faults:
        assert len(verdict.clean) == scenario.coups and verdict.clean_voids == 0


def test_a_run_tells_each_coup_and_fault_and_leaves_its_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["hil", "run", "beam_dark", "--folder", str(tmp_path / "new"), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["event"] for each in told] == ["judged"] * 5 + ["noticed", "summary"]
    with (tmp_path / "new" / "beam_dark.vcd").open("rb", buffering=0) as file:
        trace = TraceReader("beam_dark.vcd", io.BufferedReader(file), load("roulette_ref"))
        assert sum(1 for _ in trace.edges()) > 1000
    assert told[-1]["trace"] == str(tmp_path / "new" / "beam_dark.vcd")


def test_list_and_faults_tell_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "list"]) == 0
    assert cli.main(["hil", "faults"]) == 0
    told = capsys.readouterr().out
    assert all(f"  {name}" in told for name in (*scenario_file.shipped(), "process", "rig"))
    assert all(fault.title in told for fault in catalogue.FAULTS)


@contextlib.contextmanager
def _campaign(path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """In a session of its own, so that whatever it leaves behind can be found."""
    command = [sys.executable, "-m", "tools.cli", "hil", "campaign", str(path), *options]
    process = subprocess.Popen(
        command, cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _await_rows(path: Path, rows: int) -> None:
    until(lambda: _lines(path / "results.jsonl") >= rows, "a row", 120.0)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_campaign_that_is_stopped_leaves_no_process_and_goes_on(
    stop: signal.Signals, tmp_path: Path
) -> None:
    with _campaign(tmp_path, "--coups", "20000", "--jobs", "2") as process:
        _await_rows(tmp_path, 1)
        os.killpg(process.pid, stop)  # as a terminal does: workers too
        _, told = process.communicate(timeout=LAST_RESORT_S)
        assert not _lives(process.pid)
    assert process.returncode == 130
    assert "jobs are kept" in told.splitlines()[-1] and "Traceback" not in told
    assert "Not finished" in (tmp_path / "report.html").read_text()


def test_workers_that_are_killed_with_their_campaign_do_not_stay(tmp_path: Path) -> None:
    with _campaign(tmp_path, "--coups", "20000", "--jobs", "2") as process:
        _await_rows(tmp_path, 1)
        process.kill()
        process.wait()
        until(lambda: not _lives(process.pid), "the end of the workers")


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
