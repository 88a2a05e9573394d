"""Real processes, as systemd starts them; a real package; a real systemd where it can run."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.keys import folder

sys.path.insert(0, str(Path(__file__).parent))

from device_rig import Carried, Listener, Start, environment
from package_rig import package_in


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Callable[[str], Listener]]:
    made: list[Listener] = []

    def listen(name: str) -> Listener:
        made.append(Listener(tmp_path / name))
        return made[-1]

    yield listen
    for one in made:
        one.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts processes in a folder of their own; whatever still runs afterwards is killed."""
    started: list[subprocess.Popen[str]] = []

    def begin(*words: str, env: dict[str, str] | None = None, **more: Any) -> Any:
        streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
        process = subprocess.Popen(
            words, cwd=tmp_path, env=environment() | (env or {}), text=True, **streams
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()


@pytest.fixture
def table_line() -> Iterator[Carried]:
    """The controller's end, and those of two displays."""
    made = Carried(3)
    yield made
    made.close()


@pytest.fixture
def key_folder(tmp_path: Path) -> Path:
    folder.provision(tmp_path / "keys", displays=2)
    return tmp_path / "keys"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory, needs: Callable[..., None]) -> Path:
    """The .deb of this checkout, for this machine."""
    needs("dpkg-deb", "python3.11")
    base = tmp_path_factory.getbasetemp()
    return package_in(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)
