"""Controller, wheel and displays as processes of their own, in real time, joined by ptys."""

from __future__ import annotations

import os
import pty
import shutil
import tempfile
import time
import tty
from pathlib import Path

from firmware.lib.errors import FAILED, Failure, unwritten
from tools.hil import oracle, scenario_file
from tools.hil.places import Ran, virtual
from tools.hil.scenario import REFERENCE_BOARDS, Scenario
from tools.hil.stage import ledger
from tools.hil.stage.child_process import MODULE
from tools.hil.stage.processes import ERRORS, FRAM, control_in
from tools.hil.stage.runner import StageRunner

TRACE = "wheel.vcd"
SOCKET_PATH_MAX = 107  # bytes: sun_path of unix(7), but for its end


class PtyMedium:
    """The stage's Medium: a pty, whose master the wheel's process has."""

    has_line = False

    def __init__(self) -> None:
        """Makes it, raw. Raises OSError."""
        # The slave is held open, or the wheel would see an error when a controller dies.
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)

    @property
    def handles(self) -> tuple[int, ...]:
        """The wheel's end."""
        return (self._master,)

    def board(self, apparatus: str) -> str:
        """The reference board of the apparatus."""
        return REFERENCE_BOARDS[apparatus]

    def fram(self, folder: Path) -> Path:
        """A file stands in for it."""
        return folder / FRAM

    def layout(self, apparatus: str, folder: Path) -> Path | None:
        """A reference board has its own."""
        return None

    def controller_options(self) -> list[str]:
        """The controller's end."""
        return ["--wheel-port", os.ttyname(self._slave)]

    def wheel_command(self, scenario: Path, folder: Path) -> list[str]:
        """The module that plays at that end."""
        apparatus = scenario_file.load(scenario).apparatus
        return [
            *MODULE, "tools.hil.stage.pty_wheel", str(scenario), self.board(apparatus),
            str(self._master), str(folder / TRACE),
        ]  # fmt: skip

    def close(self) -> None:
        """Gives both ends back."""
        os.close(self._master)
        os.close(self._slave)


def check() -> str | None:
    """It can be used wherever there are ptys."""
    if not hasattr(os, "openpty"):
        return "This machine has no pseudo-terminals: use the place virtual."
    return None


def run(scenario: Scenario, folder: Path | None = None) -> Ran:
    """Plays it in real time, and judges. Many may run at once, each in a thread or process.

    Raises Failure if TMPDIR is no folder for it.
    """
    start_s = time.perf_counter()
    medium = PtyMedium()
    try:
        with tempfile.TemporaryDirectory(prefix="cylindre-hil-") as name:
            work = _short(Path(name))
            runner = StageRunner(scenario, medium, work, virtual.taught(scenario))
            try:
                runner.play()
            finally:
                runner.close()
            run_log = ledger.collect_run_log(scenario, runner, ledger.REAL_SLACK)
            trace, unkept = _kept(scenario, runner, work, folder)
    finally:
        medium.close()
    verdict = oracle.judge(scenario, run_log)
    verdict = verdict._replace(broken=ledger.flagged(verdict.broken, runner.held_up_us))
    return Ran(verdict, runner.edges, run_log.end_us, time.perf_counter() - start_s, trace, unkept)


def _short(work: Path) -> Path:
    """The same. Raises Failure if its name leaves no room for the controller's socket in it."""
    size = len(os.fsencode(control_in(work)))
    if size > SOCKET_PATH_MAX:
        raise Failure(
            FAILED,
            f"{work.parent}: the name of this folder is {size - SOCKET_PATH_MAX} bytes too long"
            " for a socket in it: set TMPDIR to one with a shorter name.",
        )
    return work


def _kept(
    scenario: Scenario, runner: StageRunner, work: Path, folder: Path | None
) -> tuple[Path | None, str | None]:
    """Keeps the trace, what was told and lit, and what the controller said on standard error.

    Returns the trace; or why nothing is kept, a sentence: the verdict stands all the same.
    """
    if folder is None or not (work / TRACE).exists():  # a wheel that never began has none
        return None, None
    lines = "".join(line + "\n" for line in ledger.transcript_lines(runner))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(work / ERRORS, folder / f"{scenario.name}.err")
        (folder / f"{scenario.name}.jsonl").write_text(lines)
        return Path(shutil.copy(work / TRACE, folder / f"{scenario.name}.vcd")), None
    except OSError as error:
        return None, str(unwritten(folder, error).sentence)
