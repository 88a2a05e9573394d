"""SIGINT to `make` alone ends what it started, as Ctrl-C does, and `make run` without an error."""

import fcntl
import os
import pty
import select
import shutil
import signal
import stat
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import LAST_RESORT_S, until

ROOT = Path(__file__).parents[3]
# In the place of what a recipe calls: starts a process, notes both and each SIGINT, and ends at the
# first once nobody is left who may send another: who watches make is a child of it.
STAND_IN = f"""#!{sys.executable}
import os, pathlib, signal, subprocess, time
folder = pathlib.Path({{folder!r}})
note = (folder / "noted").open("a", buffering=1)
told = []
signal.signal(signal.SIGINT, lambda *_: told.append(note.write("told\\n")))
child = subprocess.Popen(["sleep", "600"])
note.write(f"{{{{os.getpid()}}}}\\n{{{{child.pid}}}}\\n")
child.wait()
def others():
    children = pathlib.Path(f"/proc/{{{{os.getpid()}}}}/task/{{{{os.getpid()}}}}/children")
    states = [pathlib.Path(f"/proc/{{{{pid}}}}/stat") for pid in children.read_text().split()]
    return [path for path in states if path.read_text().rsplit(")", 1)[1].split()[0] != "Z"]
while others() or not told:
    time.sleep(0.01)
raise SystemExit(130)
"""


MAKE_MISTAKE = "*** wait: No child processes."


class Checkout:
    """The Makefile with what it needs, as if set up long ago; stand-ins for the programs."""

    def __init__(self, folder: Path) -> None:
        self.noted = folder / "noted"
        self.said = folder / "said"  # on standard error
        (folder / "tools").mkdir()
        for name in ("Makefile", "tools/recipe_shell"):
            shutil.copy(ROOT / name, folder / name)
        bin = folder / ".venv" / "bin"
        bin.mkdir(parents=True)
        (folder / ".venv" / "fast").mkdir()
        ages = ("requirements.lock", "pyproject.toml", ".venv/.locked", ".venv/.stamp")
        for age, name in enumerate(ages):
            (folder / name).touch()
            os.utime(folder / name, (age, age))
        for name in ("python", "cylindre", "ruff"):
            (bin / name).write_text(STAND_IN.format(folder=str(folder)))
            (bin / name).chmod(stat.S_IRWXU)
        self._folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def make(self, target: str) -> None:
        """Starts it, until the program of its recipe runs."""
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                ["make", target], cwd=self._folder, start_new_session=True, stderr=said
            )
        until(lambda: self.noted.exists() and len(self.lines()) >= 2)

    def lines(self) -> list[str]:
        return self.noted.read_text().split()

    def living(self) -> list[str]:
        """Of the program and what it has started, those that still run."""
        found = []
        for pid in self.lines()[:2]:
            try:
                state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                continue
            found += [pid] if state != "Z" else []
        return found

    def close(self) -> None:
        if self.process is not None:
            if self.process.poll() is None or self.living():
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    made = Checkout(tmp_path)
    yield made
    made.close()


# A program in the shell's place, one line of several, and one within a condition of the shell's.
@pytest.mark.parametrize("target", ["run", "test", "check", "campaign"])
@pytest.mark.parametrize("tell", [os.kill, os.killpg], ids=["make alone", "Ctrl-C"])
def test_a_sigint_to_make_alone_ends_what_it_started(
    checkout: Checkout, target: str, tell: Callable[[int, int], None]
) -> None:
    checkout.make(target)
    assert checkout.process is not None
    tell(checkout.process.pid, signal.SIGINT)
    code = checkout.process.wait(LAST_RESORT_S)
    # GNU make that is told just as it takes a child's end waits for that child once more.
    assert code == -signal.SIGINT or MAKE_MISTAKE in checkout.said.read_text()
    until(lambda: not checkout.living(), "the end of what make started")
    assert checkout.lines()[2:] == ["told"], "once: who is told twice hurries"


class Terminal:
    """`make` with the real `cylindre` of its recipe, in a terminal of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        Checkout(folder)
        script = f'#!/bin/sh\nexec {sys.executable} -P -m tools.cli "$@"\n'
        (folder / ".venv" / "bin" / "cylindre").write_text(script)
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment = {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", "LANG": "C.UTF-8"}
        self.pid, self._handle = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe("make", ["make", *words], environment)
        fcntl.ioctl(self._handle, termios.TIOCSWINSZ, struct.pack("4H", 30, 100, 0, 0))
        self.seen = ""

    def read(self) -> bool:
        """Takes what is on the screen; False when the terminal is done."""
        if select.select([self._handle], [], [], 0.05)[0]:
            try:
                data = os.read(self._handle, 65536)
            except OSError:
                return False
            self.seen += data.decode(errors="replace")
            return bool(data)
        return True

    def until(self, words: str, after: str = "") -> None:
        def shown() -> bool:
            assert self.read(), self.seen
            return words in self.seen[self.seen.find(after) :] and after in self.seen

        until(shown, words, told=lambda: self.seen, waits=True)

    def interrupt(self) -> None:
        os.write(self._handle, b"\x03")

    def end(self) -> int:
        """Reads to the end; the exit code, minus the signal that make ended itself with."""
        while self.read():
            pass
        os.close(self._handle)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_ctrl_c_ends_make_run_without_an_error(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "run", "ARGS=--page-port 0")
    terminal.until("http://127.0.0.1:")
    terminal.interrupt()
    assert terminal.end() in (0, -signal.SIGINT)
    assert "Interrupted: the rotor is off." in terminal.seen
    assert "***" not in terminal.seen and "Error" not in terminal.seen


def test_make_run_says_how_to_stop_and_what_to_try_next(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "run", "ARGS=--page-port 0 --lang fr")
    terminal.until("cylindre demo", after="Ctrl-C arrête.")
    terminal.until("· Ctrl-C arrête", after="\x1b[?1049h")  # which covers what was said before
    terminal.interrupt()
    terminal.end()


def test_what_fails_by_itself_fails_make_run_with_its_code(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "run", "ARGS=--board nothing")
    assert terminal.end() == 2
    assert "Error 2" in terminal.seen
