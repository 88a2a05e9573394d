"""SIGINT to `make` alone ends what it started, as Ctrl-C does; real make, real Makefile."""

import os
import shutil
import signal
import stat
import subprocess
import sys
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


class Checkout:
    """The Makefile with what it needs, as if set up long ago; stand-ins for the programs."""

    def __init__(self, folder: Path) -> None:
        self.noted = folder / "noted"
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
        self.process = subprocess.Popen(["make", target], cwd=self._folder, start_new_session=True)
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
    assert checkout.process.wait(LAST_RESORT_S) == -signal.SIGINT
    assert checkout.living() == []
    assert checkout.lines()[2:] == ["told"], "once: who is told twice hurries"
