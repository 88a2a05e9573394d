"""A controller and a display as processes on a joined line, and what each has said so far."""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from middle import Middle
from patience import LAST_RESORT_S, Waiting

from tools.virtual.joined_line import JoinedLine

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-P", "-m", "tools.cli")
PATIENCE_S = 150.0  # a coup lasts some 30 s in real time


def cylindre(*options: object) -> subprocess.CompletedProcess[str]:
    """A command line run to its end."""
    argv = [*COMMAND, *map(str, options)]
    return subprocess.run(
        argv, capture_output=True, text=True, timeout=LAST_RESORT_S, cwd=ROOT, check=False
    )


class Process:
    """One running command, read without waiting."""

    def __init__(self, folder: Path, *options: object, fsize: int | None = None) -> None:
        def limit() -> None:
            if fsize is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (fsize, fsize))

        self.popen = subprocess.Popen(
            [*COMMAND, *map(str, options)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=limit,
        )
        assert self.popen.stdout is not None
        self.out = self.popen.stdout.fileno()
        os.set_blocking(self.out, False)
        self._held = b""
        self.lines: list[dict] = []

    def read(self) -> None:
        """Takes the lines that came."""
        while True:
            try:
                got = os.read(self.out, 65536)
            except BlockingIOError:
                return
            if not got:
                return
            *whole, self._held = (self._held + got).split(b"\n")
            self.lines += [json.loads(line) for line in whole]

    def kill(self, number: int = signal.SIGKILL) -> tuple[int, str]:
        """Ends it; its exit code and what it said on standard error."""
        self.popen.send_signal(number)
        return self.end()

    def end(self) -> tuple[int, str]:
        """Waits until it ends."""
        os.set_blocking(self.out, True)
        out, err = self.popen.communicate(timeout=LAST_RESORT_S)
        *whole, _ = (self._held + out).split(b"\n")
        self._held = b""
        self.lines += [json.loads(line) for line in whole]
        return self.popen.returncode, err.decode()


class CrashBench:
    """One wheel: its files, its line, its display, and its controller while that lives.

    A boule dish by default: a machine that is busy with other tests delays no edge of a rotor.
    """

    def __init__(
        self,
        folder: Path,
        *,
        board: str = "boule_ref",
        journals: Path | None = None,
        line: Middle | None = None,
    ) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.board = board
        self.keys = folder / "keys"
        self.journal = (journals or folder) / "journal.db"
        self.fram = folder / "fram"
        self.line = JoinedLine(2) if line is None else line
        self._over = threading.Event()
        self._carrier = threading.Thread(target=self._carry)
        self._carrier.start()
        made = cylindre("provision", self.keys, "--displays", 1)
        assert made.returncode == 0, made.stderr
        self.run: Process | None = None
        self.told: list[dict] = []  # by controllers that are gone
        self.display = Process(
            folder, "display", "--port", self.line.ends[1], "--keys", self.keys,
            "--address", 1, "--json",
        )  # fmt: skip

    def start(self, *, seed: int, fsize: int | None = None, pace: int = 1) -> Process:
        """The controller, started (again); `pace` where its coup only comes before what counts."""
        self.run = Process(
            self.folder, "run", "--board", self.board, "--port", self.line.ends[0],
            "--keys", self.keys, "--journal", self.journal, "--fram", self.fram,
            "--seed", seed, "--pace", pace, "--json", fsize=fsize,
        )  # fmt: skip
        return self.run

    def read(self) -> None:
        """Takes what both have said."""
        if self.run is not None:
            self.run.read()
        self.display.read()

    def kill(self, number: int = signal.SIGKILL) -> tuple[int, str]:
        """Ends the controller, and keeps what it told."""
        assert self.run is not None
        ended = self.run.kill(number)
        self.told += self.run.lines
        self.run = None
        return ended

    def verify(self) -> subprocess.CompletedProcess[str]:
        """`cylindre journal verify`."""
        return cylindre("journal", "verify", self.journal, "--keys", self.keys, "--fram", self.fram)

    def outcomes(self) -> dict[int, dict]:
        """What the journal holds, by seq."""
        ended = cylindre("journal", "export", self.journal, "--format", "json")
        assert ended.returncode == 0, ended.stderr
        coups = [json.loads(line) for line in ended.stdout.splitlines()]
        return {coup["seq"]: coup for coup in coups}

    @property
    def results(self) -> list[dict]:
        """The results and voids that controllers have told."""
        lines = self.told + ([] if self.run is None else self.run.lines)
        return [line for line in lines if line["event"] in ("result", "void")]

    @property
    def lit(self) -> list[tuple[int, int]]:
        """Every number that the display lit: (seq, number)."""
        return [
            (line["seq"], line["shown"]) for line in self.display.lines if line["shown"] is not None
        ]

    def _carry(self) -> None:
        while not self._over.is_set():
            self.line.forward(0.1)

    def close(self) -> None:
        """Ends what still runs."""
        for process in (self.run, self.display):
            if process is not None and process.popen.poll() is None:
                process.popen.kill()
            if process is not None:
                process.popen.communicate()
        self._over.set()
        self._carrier.join()
        self.line.close()


def watch_until(benches: list[CrashBench], enough: Callable[[], bool]) -> None:
    """Reads what all benches say until `enough`, which is asked after everything that happens.

    PATIENCE_S without a new result is too long.
    """
    count = -1
    told = lambda: [bench.results[-3:] for bench in benches]  # noqa: E731
    with Waiting("a result", PATIENCE_S, told) as waiting:
        while not enough():
            if count != (count := sum(len(bench.results) for bench in benches)):
                waiting.anew()
            waiting.on()
            outs = [bench.run.out for bench in benches if bench.run is not None]
            outs += [bench.display.out for bench in benches]
            select.select(outs, [], [], 0.01)
            for bench in benches:
                bench.read()


def whole(bench: CrashBench) -> None:
    """Asserts what must hold after any crash: the journal is sound, and it is all that was lit."""
    verified = bench.verify()
    assert verified.returncode == 0, verified.stdout + verified.stderr
    outcomes = bench.outcomes()
    assert sorted(outcomes) == list(range(1, len(outcomes) + 1))
    for seq, number in bench.lit:
        assert outcomes[seq]["number"] == number
    for told in bench.results:
        assert outcomes[told["seq"]]["coup"] == told["coup"]
        assert outcomes[told["seq"]]["number"] == told.get("number")
