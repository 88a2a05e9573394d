"""Plays a fuzzer for a time and tells what it found: new paths, and an input that breaks something.

What it has learned stays in var/fuzz, and the next one goes on from there.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from firmware.lib import parent_death_signal
from tools.fuzz import corpus
from tools.fuzz.targets import Target
from tools.testing.marks import ROOT

LEARNED = ROOT / "var" / "fuzz"
_RSS_MAX_MB = 1024
_INPUT_S = 20  # one input may take so long, on a machine that is busy
_MORE_S = 240  # beside its time: reading what was learned, instrumented
_RAISES = "=== Uncaught Python exception: ==="
_ENDS = "ERROR: libFuzzer:"  # an input that does not end, takes all memory, or ends the process
_RAISED = re.compile(rf"^ *{_RAISES}.*?(?===\d+==)|^==\d+== ERROR.*", re.M | re.S)
_DONE = re.compile(r"^Done (\d+) runs", re.M)
_NEW = re.compile(r"^stat::new_units_added:\s+(\d+)", re.M)
_KNOWN = re.compile(r"INITED.*? corp: (\d+)/", re.M)


class FuzzResult(NamedTuple):
    """What a fuzzer has found. `new`: paths that no input before had taken.

    `broken`: the input that raised something; `said`: what that was.
    """

    runs: int
    known: int
    new: int
    broken: bytes | None
    said: str


def fuzz(target: Target, seconds: int, *, learned: Path = LEARNED) -> FuzzResult:
    """Fuzzes a target for so long; it ends earlier where something breaks."""
    folder = learned / target.name
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cylindre-fuzz-") as beside:
        seeds, findings = Path(beside) / "seeds", Path(beside) / "findings"
        findings.mkdir()
        corpus.write(seeds, corpus.load(target.name))
        status, said = _child(
            target, seconds + _MORE_S, f"-max_total_time={seconds}", f"-max_len={corpus.SIZE_MAX}",
            f"-timeout={_INPUT_S}", f"-rss_limit_mb={_RSS_MAX_MB}", "-print_final_stats=1",
            f"-artifact_prefix={findings}/", str(folder), str(seeds),
        )  # fmt: skip
        broken = next((path for path in findings.iterdir() if _breaks(target, path)), None)
        data = None if broken is None else broken.read_bytes()
    done, new, known = _DONE.search(said), _NEW.search(said), _KNOWN.search(said)
    if status and not any(word in said for word in (_ENDS, _RAISES)):
        raise ChildProcessError(
            f"The fuzzer of {target.name} did not end as it should:\n{said[-2000:]}"
        )
    raised = _RAISED.search(said)
    counts = [0 if found is None else int(found[1]) for found in (done, known, new)]
    return FuzzResult(counts[0], counts[1], counts[2], data, raised[0] if raised else "")


def _breaks(target: Target, finding: Path) -> bool:
    """Whether it is an input that breaks something: not one that was slow while the machine was."""
    kind = finding.name.partition("-")[0]
    if kind == "timeout":
        return bool(_child(target, _MORE_S, f"-timeout={_INPUT_S}", str(finding))[0])
    return kind != "slow"


def minimised(target: Target, *, learned: Path = LEARNED) -> list[bytes]:
    """Returns the fewest of what is kept and learned that take all its paths."""
    with tempfile.TemporaryDirectory(prefix="cylindre-fuzz-") as beside:
        seeds, fewest = Path(beside) / "seeds", Path(beside) / "fewest"
        fewest.mkdir()
        corpus.write(seeds, corpus.load(target.name))
        (learned / target.name).mkdir(parents=True, exist_ok=True)
        status, said = _child(
            target, _MORE_S, "-merge=1", f"-max_len={corpus.SIZE_MAX}", str(fewest), str(seeds),
            str(learned / target.name),
        )  # fmt: skip
        if status:
            raise ChildProcessError(f"What {target.name} keeps cannot be merged:\n{said[-2000:]}")
        return corpus.read(fewest)


def _child(target: Target, within_s: int, *arguments: str) -> tuple[int, str]:
    """Returns libFuzzer's status and what it says. Raises subprocess.TimeoutExpired."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.fuzz.child", target.play,
         ",".join(target.followed), *arguments],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", start_new_session=True,
        preexec_fn=parent_death_signal.preexec(signal.SIGKILL),
    )  # fmt: skip
    try:
        said = process.communicate(timeout=within_s)[0]
    finally:
        if process.poll() is None:  # and those that it has started to merge
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return process.returncode, said
