"""A wheel with a real controller, and `cylindre config` as people run it."""

import contextlib
import json
import os
import select
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from patience import LAST_RESORT_S, Waiting, connect, until

from firmware.lib.errors import OK
from firmware.lib.places import CONTROL
from firmware.services.configuring import health_check

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-P", "-m", "tools.cli")
SUPERVISOR_PROGRAM = (sys.executable, "-P", str(Path(__file__).parent / "supervisor.py"))
PIN = "271828"
DIRECTORS_PIN = "161803"
BASE = """[wheel]
board = "roulette_ref"
id = "table-3"
[pace]
coup_s = 600  # one coup, then nobody waits for the end of another
[people]
file = "{folder}/people.jsonl"
[store]
journal = "{folder}/journal.db"
"""
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


def config(folder: Path, *options: str, typed: str = PIN) -> "subprocess.CompletedProcess[str]":
    """`cylindre config` to its end, in `folder`."""
    return subprocess.run(
        [*COMMAND, "config", *options],
        cwd=folder,
        env=environment(),
        input=typed + "\n",
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=False,
    )


@contextlib.contextmanager
def serving(folder: Path, *words: str) -> Iterator[None]:
    """A program that makes the sockets in `run`, until the end."""
    with subprocess.Popen([*COMMAND, *words], cwd=folder, env=environment()) as process:
        wait_for(folder / "run" / CONTROL)
        yield
        process.send_signal(signal.SIGTERM)
        assert process.wait() == OK


@contextlib.contextmanager
def begun(folder: Path, *options: str) -> "Iterator[subprocess.Popen[str]]":
    """`cylindre config`, started, with the PIN typed."""
    process = subprocess.Popen(
        [*COMMAND, "config", *options],
        cwd=folder,
        env=environment(),
        text=True,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(PIN + "\n")
    process.stdin.flush()
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


class Wheel(NamedTuple):
    """A folder with a configuration, and the controller that plays with it."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "wheel.toml"

    @property
    def sockets(self) -> Path:
        return self.folder / "run"

    @property
    def options(self) -> tuple[str, ...]:
        """Of `apply`, to find this wheel."""
        restart = " ".join((*SUPERVISOR_PROGRAM, str(self.folder / "supervisor.sock")))
        where = ("--file", str(self.file), "--socket", str(self.sockets))
        return (*where, "--restart", restart, "--limit", "120")

    def write(self, name: str, more: str = "") -> Path:
        """A configuration of this wheel, with more in it."""
        path = self.folder / name
        path.write_text(BASE.format(folder=self.folder) + more)
        return path

    def pid(self) -> int:
        seen = health_check.find_controller(self.sockets)
        assert seen is not None
        return seen.pid

    def status(self) -> dict[str, Any]:
        seen = health_check.find_controller(self.sockets)
        assert seen is not None
        return seen.status

    def stop(self) -> None:
        """The controller ends; its supervisor does nothing about it until asked."""
        pid = self.pid()
        ended = os.pidfd_open(pid)
        os.kill(pid, signal.SIGTERM)
        assert select.select([ended], [], [], LAST_RESORT_S)[0]
        os.close(ended)

    def acts(self, what: str = "config") -> list[dict[str, Any]]:
        """What stands in the journal, once all is written, of people and the configuration."""
        self.stop()
        return [body for body in self.rows("act") if body["what"] == what]

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """The bodies of the journal's rows of that kind."""
        with sqlite3.connect(f"file:{self.folder}/journal.db?mode=ro", uri=True) as journal:
            rows = journal.execute("select body from journal where kind = ? order by n", (kind,))
            return [json.loads(body) for (body,) in rows]


def wait_for(path: Path) -> None:
    """Until the file is there."""
    until(path.exists, str(path))


def end_the_next_coup(sockets: Path, begun: Callable[[], object] = lambda: None) -> None:
    """Declares it void once it is open and `begun` has returned."""
    is_begun = False
    with (
        socket.socket(socket.AF_UNIX) as line,
        line.makefile("rb") as told,
        Waiting("an open coup") as waiting,
    ):
        line.settimeout(LAST_RESORT_S)
        connect(line, sockets / CONTROL)
        line.sendall(b'{"do":"status"}\n')
        for text in told:
            waiting.on()
            fact = json.loads(text)
            if fact.get("event") == "void":
                return
            is_open = fact.get("event") == "coup_started" or fact.get("status", {}).get("open")
            if is_open and not is_begun:
                is_begun = True
                begun()
                line.sendall(b'{"do":"void"}\n')
        raise AssertionError("the controller hung up before a coup was void")
