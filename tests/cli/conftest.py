"""Runs `cylindre` as people do: as a process, in a folder of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 30.0
COMMAND = (sys.executable, "-P", "-m", "tools.cli")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


@pytest.fixture
def cylindre(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command line to its end."""

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *options],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    return run


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Runs a line in a shell, with its redirections; `$C` in it is `cylindre`."""

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", "-c", line],
            cwd=tmp_path,
            env=environment() | {"C": " ".join(COMMAND)},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    return run


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a command line that is to be stopped; whatever still runs afterwards is killed."""
    started: list[subprocess.Popen[str]] = []

    def begin(*options: str, **more: Any) -> subprocess.Popen[str]:
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        pipes.update(more)
        process = subprocess.Popen(
            [*COMMAND, *options], cwd=tmp_path, env=environment(), text=True, **pipes
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()
