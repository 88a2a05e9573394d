"""Runs `cylindre` as people do: as a process, in a folder of its own."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from patience import LAST_RESORT_S

from tools import cli

sys.path.insert(0, str(Path(__file__).parent))

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-P", "-m", "tools.cli")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


def ended(argv: list[str], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What a command line did in `folder`, once it has ended."""
    return subprocess.run(
        argv,
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=False,
    )


@pytest.fixture
def cylindre(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command line to its end."""
    return lambda *options: ended([*COMMAND, *options], tmp_path, environment())


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Runs a line in a shell, with its redirections; `$C` in it is `cylindre`."""
    env = environment() | {"C": " ".join(COMMAND)}
    return lambda line: ended(["/bin/sh", "-c", line], tmp_path, env)


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


@pytest.fixture
def settled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., SimpleNamespace]:
    """Settles what is given on standard input: an object, or bytes."""

    def run(given: Any, *options: str) -> SimpleNamespace:
        data = given if isinstance(given, bytes) else json.dumps(given).encode()
        stdin = SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False)
        monkeypatch.setattr("sys.stdin", stdin)
        exit_code = cli.main(["settle", *options])
        out, err = capsys.readouterr()
        return SimpleNamespace(exit_code=exit_code, lines=out.splitlines(), err=err)

    return run
