"""Plays scenarios in the guest, as the place `process` does outside, and leaves what came of them.

    python -m tools.hil.kernel.play OUT real|virtual SCENARIO.toml ...

OUT/NAME.pickle is the Ran of each; OUT/NAME/ keeps its trace, its ledger, what was told and what
went wrong.
"""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.hil import oracle, scenario_file
from tools.hil.kernel.medium import COUNTS, LEDGER, TRACE, GpioMedium
from tools.hil.places import Ran, virtual
from tools.hil.scenario import Scenario
from tools.hil.stage import ledger
from tools.hil.stage.processes import DISK
from tools.hil.stage.runner import StageRunner

_ERRORS = "*.err"
TOLD = "told.jsonl"  # by the controller, as it came
DISK_SIZE = "2M"  # some coups need 100 KB


def play(scenario: Scenario, out: Path, slack: ledger.Slack) -> Ran:
    """One scenario. Files lie in memory meanwhile, as on a Pi's disk they would."""
    start_s = time.monotonic()
    kept = out / scenario.name
    kept.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="hil-") as name:
        work = Path(name)
        (work / DISK).mkdir()
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_SIZE}", "disk", work / DISK], check=True
        )
        runner = StageRunner(scenario, GpioMedium(), work, virtual.taught(scenario))
        try:
            runner.play()
        finally:
            runner.close()
            told = [json.dumps(line.told) for line in runner.lines]
            (kept / TOLD).write_text("".join(f"{line}\n" for line in told))
            for path in (*work.glob(_ERRORS), work / TRACE):
                if path.exists():
                    shutil.copy(path, kept)
        wheel = work / LEDGER  # a wheel that never began has left none
        counts = json.loads(wheel.read_text()) if wheel.exists() else dict.fromkeys(COUNTS, 0)
        (kept / LEDGER).write_text(json.dumps(counts | {"told_us": _told_us(runner)}))
        run_log = ledger.collect_run_log(scenario, runner, slack)
        subprocess.run(["umount", "-l", work / DISK], check=True)
    spent_s = time.monotonic() - start_s
    trace = kept / TRACE
    verdict = oracle.judge(scenario, run_log)
    return Ran(verdict, runner.edges, run_log.end_us, spent_s, trace if trace.exists() else None)


def _told_us(runner: StageRunner) -> int:
    """From the stamp of an edge until what it made known was heard, at most. A ball that has begun
    to run is told at once."""
    return max(
        (
            line.heard_us - line.started_us - line.told["t_us"]
            for line in runner.lines
            if line.told["event"] == "ball_in_track"
        ),
        default=0,
    )


def main(arguments: list[str]) -> None:
    """All of them, one after the other."""
    out, time_ = Path(arguments[0]), arguments[1]
    slack = ledger.REAL_SLACK if time_ == "real" else ledger.NO_SLACK
    for name in arguments[2:]:
        scenario = scenario_file.load(Path(name))
        ran = play(scenario, out, slack)
        (out / f"{scenario.name}.pickle").write_bytes(pickle.dumps(ran))


if __name__ == "__main__":
    main(sys.argv[1:])
