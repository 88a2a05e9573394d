"""An earlier commit beside this checkout: the same coups of both in turn, by CPU time.

Processors differ, and one differs from hour to hour; how many times as fast this checkout is does
not. The earlier sources are played by this interpreter, in a worktree of their own.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from firmware.lib.signals import as_ctrl_c
from tools.fast.switch import INTERPRETED

ROOT = Path(__file__).resolve().parents[2]
TAKES = 3  # of each; the quickest counts, for other work only slows


@contextlib.contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The sources of a commit, as long as the context lasts; SIGTERM ends it as Ctrl-C does.

    Raises OSError without git, CalledProcessError for a commit that is not here.
    """
    with as_ctrl_c(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "before")
        _git("worktree", "add", "--detach", str(path), commit)
        try:
            yield path
        finally:
            _git("worktree", "remove", "--force", str(path))


class Kind(NamedTuple):
    """Sources, and whether they are played as they are or as `make fast` has compiled them."""

    root: Path
    compiled: bool = False


def coups_s(
    kinds: Sequence[Kind], *, preset: str, board: str, coups: int, seed: int
) -> list[float]:
    """Coups a second and core of each of `kinds`.

    Raises CalledProcessError where one of them does not play so, as sources older than a wheel.
    """
    best = [float("inf")] * len(kinds)
    for _ in range(TAKES):
        for at, kind in enumerate(kinds):
            played = ("sim", "--board", board, "--wheel", preset, "--seed", str(seed), "--json")
            start_s = _processor_s(kind, *played, "--coups", "1")
            all_s = _processor_s(kind, *played, "--coups", str(coups + 1))
            best[at] = min(best[at], all_s - start_s)
    return [coups / took_s for took_s in best]


def _processor_s(kind: Kind, *arguments: str) -> float:
    """What a command takes, all its processes."""
    env = {key: value for key, value in os.environ.items() if key != INTERPRETED}
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "tools.cli", *arguments], cwd=kind.root, check=True,
        env=env if kind.compiled else env | {INTERPRETED: "1"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0,
    )  # fmt: skip
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True)
