"""For the tests of the configuration: what they share is in config_bench.py."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import LAST_RESORT_S

sys.path.insert(0, str(Path(__file__).parent))

from config_bench import (
    COMMAND,
    DIRECTORS_PIN,
    PIN,
    SUPERVISOR_PROGRAM,
    Run,
    Wheel,
    config,
    end_the_next_coup,
    environment,
    wait_for,
)

from firmware.core.house import DIRECTOR, SUPERVISOR
from firmware.keys import people
from firmware.lib.places import CONTROL


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return lambda *options, **more: config(tmp_path, *options, **more)


@pytest.fixture
def wheel(tmp_path: Path) -> Iterator[Wheel]:
    """Plays, and no coup is open."""
    found = Wheel(tmp_path)
    found.write("wheel.toml")
    with people.editing(tmp_path / "people.jsonl") as known:
        known.append(people.enrol("weber", SUPERVISOR, PIN))
        known.append(people.enrol("thill", DIRECTOR, DIRECTORS_PIN))
    process = subprocess.Popen(
        [
            *SUPERVISOR_PROGRAM,
            str(tmp_path / "supervisor.sock"),
            *COMMAND,
            *("run", "--config", str(found.file), "--socket", str(found.sockets)),
            *("--seed", "3"),
        ],
        cwd=tmp_path,
        env=environment(),
    )
    try:
        wait_for(found.sockets / CONTROL)
        end_the_next_coup(found.sockets)
        yield found
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(LAST_RESORT_S)
