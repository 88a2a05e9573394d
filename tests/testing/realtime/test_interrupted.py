"""Long commands at a terminal: each speaks at once, and Ctrl-C keeps and prints what there is."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from patience import LAST_RESORT_S

from tools.bench import __main__ as tools_bench

ROOT = Path(__file__).parents[3]
AT_ONCE = "(about .* as the last time|the first 2 s tell how long it takes)"
LEFT = r"\d+ s left|\d+ s so far"


class Command:
    """A command at a terminal of its own."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.said = ""
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", *arguments], cwd=ROOT, env=os.environ | environment,
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)

    def until(self, pattern: str) -> str:
        """What it said by the time when it has said that, however often it was redrawn."""
        end_s = time.monotonic() + LAST_RESORT_S
        while not re.search(pattern, self.said):
            assert time.monotonic() < end_s, self.said
            assert self._more(), f"It ended, and said: {self.said}"
        return self.said

    def interrupt(self) -> int:
        """Ctrl-C; its exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        while self._more():
            pass
        return self.process.wait(LAST_RESORT_S)

    def _more(self) -> bool:
        readable, _, _ = select.select([self._ours], [], [], LAST_RESORT_S)
        assert readable, f"Somebody of it still lives, and says no more than: {self.said}"
        try:
            more = os.read(self._ours, 65_536)
        except OSError:  # nobody has the other end any more: nobody of them lives
            return False
        self.said += more.decode()
        return bool(more)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._ours)


@pytest.fixture
def start():
    started = []

    def start(*arguments: str, **environment: str) -> Command:
        started.append(Command(*arguments, **environment))
        return started[-1]

    yield start
    for command in started:
        command.close()


def test_the_bench_of_the_call_prints_and_keeps_the_rows_that_are_done(start, tmp_path):
    options = ["--coups", "1", "--many", "1", "--wheels", "0", "--new", "0"]
    options += ["--jobs", "2"]
    bench = start("tools.bench.call", *options, "--out", str(tmp_path))
    bench.until(f"bench-call: {AT_ONCE}")
    bench.until(rf"bench-call: \d+ %, .*({LEFT}); [1-9]\d* of 58 runs")
    assert bench.interrupt() == 130
    assert "Incomplete: interrupted after" in bench.said and "Traceback" not in bench.said
    assert "late calls" in (tmp_path / "call-part.md").read_text()


def test_a_campaign_prints_what_there_is_and_says_how_to_go_on(start, tmp_path):
    campaign = start(
        "tools.cli", "hil", "campaign", str(tmp_path), "--coups", "3000", "--jobs", "2"
    )
    campaign.until(f"campaign: {AT_ONCE}")
    campaign.until(rf"campaign: \d+ %, .*({LEFT}); \d+ of \d+ jobs, \d+ coups")
    assert campaign.interrupt() == 130
    assert re.search(r"So far: \d+ coups, .* clean coups void", campaign.said)
    assert "the same command goes on" in campaign.said and "Traceback" not in campaign.said


def test_the_bench_prints_each_row_as_it_comes(start):
    bench = start("tools.bench", "--coups", "1")
    bench.until(f"bench: {AT_ONCE}")
    bench.until(r"  cylindre --help, ms +\d+")
    assert bench.interrupt() == 130
    assert re.search(r"Interrupted after \d rows", bench.said) and "Traceback" not in bench.said


def test_a_campaign_within_the_bench_tells_all_that_it_costs(monkeypatch):
    monkeypatch.setattr(tools_bench, "CAMPAIGN_COUPS", 64)
    told = []
    assert tools_bench._campaign_s(2, told.append) > 0
    assert sum(told) == pytest.approx(tools_bench.CAMPAIGN_S / 2) and min(told) >= 0


TESTS = """
import threading
import pytest

@pytest.mark.req("LU-37-1.payments")
def test_short(): pass

@pytest.mark.req("LU-37-2.pays")
def test_long(): threading.Event().wait()
"""


def test_the_evidence_is_a_matrix_of_what_ran_and_kept_for_the_quick_one(start, tmp_path):
    (tmp_path / "test_some.py").write_text(TESTS)
    only = f"-c {ROOT}/pyproject.toml -p tools.docs.evidence.plugin {tmp_path}/test_some.py"
    output = ["--output", str(tmp_path / "evidence")]
    evidence = start("tools.docs.evidence", *output, PYTEST_ADDOPTS=only)
    evidence.until(f"evidence: {AT_ONCE}")
    evidence.until(r"evidence: \d+ %, .*; 1 of 2 cases")
    assert evidence.interrupt() == 130
    assert "requirements are not shown by what ran" in evidence.said
    assert "Traceback" not in evidence.said
    assert (tmp_path / "evidence/matrix-part.html").exists()
    assert not (tmp_path / "evidence/matrix.html").exists()
    quick = start("tools.docs.evidence", *output, "--quick")
    quick.until(r"run-part.xml, of \d{4}-\d\d-\d\d \d\d:\d\d\.\r\n")
    quick.until(r"evidence/matrix\.html")
    # Other results of this checkout may be there too; of ours, what ran.
    matrix = (tmp_path / "evidence/matrix.csv").read_text("utf-8-sig")
    assert ",.py::test_short,test,passed," in matrix and "test_long" not in matrix
