"""`make run`: the controller and a table display as two processes, joined by a real serial line.

The line is two pseudo-terminals whose masters this process joins byte by byte, so that each side
sees an ordinary tty. Both processes end with this one, however it ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools.exits import FAILED, INTERRUPTED, OK, Failure
from tools.joined_line import JoinedLine

POLL_S = 0.1  # how soon a process that has ended is noticed
# The controller sends and records what is left in some 0.4 s; together they must end within 2 s.
STOP_S = 1.2
_PR_SET_PDEATHSIG = 1  # prctl(2)


def play_table(run_options: Sequence[str], folder: Path) -> int:
    """Plays until interrupted, or until one of the two ends; returns the exit code.

    `run_options` go to `cylindre run`, whose output lands in run.log in `folder`. Raises Failure.
    """
    line = JoinedLine()
    started: list[tuple[str, subprocess.Popen[bytes]]] = []
    caught: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, lambda got, _: caught.append(got)) for number in numbers]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "run.log").open("wb") as log:
            options = ["run", "--port", line.ends[0], *run_options]
            # Its own group: Ctrl-C comes through us, so that nobody is interrupted twice.
            started.append(("controller", _start(options, log.fileno(), own_group=True)))
        started.append(("display", _start(["display", "--port", line.ends[1]], None)))
        while not caught and all(process.poll() is None for _, process in started):
            line.carry(POLL_S)
        ended = [(name, code) for name, process in started if (code := process.poll()) is not None]
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        what = f"{error.filename}: {why}" if error.filename else why
        raise Failure(FAILED, f"Cannot start the table: {what}.") from error
    finally:
        _stop([process for _, process in started], line, was_interrupted=bool(caught))
        line.close()
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    if signal.SIGINT in caught:
        raise Failure(INTERRUPTED, "Interrupted: the rotor is off.")
    if caught:
        return OK
    return _judge(ended, folder / "run.log")


def _judge(ended: list[tuple[str, int]], log: Path) -> int:
    """What it means that one of the two ended by itself."""
    if INTERRUPTED in [code for _, code in ended]:
        raise Failure(INTERRUPTED, "Interrupted: the rotor is off.")
    name, code = ended[0]
    if code == OK:
        return OK
    why = f"see {log}" if name == "controller" else "see above"
    last = _last_line(log) if name == "controller" and code > 0 else ""
    raise Failure(FAILED, f"The {name} stopped with exit code {code}; {why}. {last}".strip())


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "")


def _start(
    options: list[str], output: int | None, *, own_group: bool = False
) -> subprocess.Popen[bytes]:
    """Starts `cylindre OPTIONS`; it gets SIGTERM should this process die."""
    parent = os.getpid()
    prctl = ctypes.CDLL(None).prctl

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before we were tied
            os._exit(FAILED)

    return subprocess.Popen(
        [sys.executable, "-P", "-m", "tools.cli", *options],
        stdin=subprocess.DEVNULL if output is not None else None,
        stdout=output,
        stderr=output,
        process_group=0 if own_group else None,
        preexec_fn=tie,
    )


def _stop(
    processes: list[subprocess.Popen[bytes]], line: JoinedLine, *, was_interrupted: bool
) -> None:
    """Stops what still runs, carrying its last frames, and waits; kills what does not stop."""
    # A display that the terminal's Ctrl-C reached is putting the screen back; leave it alone.
    for process in processes[:1] if was_interrupted else processes:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    asked_all = not was_interrupted
    start = time.monotonic()
    while any(process.poll() is None for process in processes):
        spent_s = time.monotonic() - start
        if not asked_all and spent_s > STOP_S / 2:
            asked_all = True
            for process in processes:
                if process.poll() is None:
                    process.terminate()
        if spent_s > STOP_S:
            for process in processes:
                process.kill()
        line.carry(POLL_S / 4)
