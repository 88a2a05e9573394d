"""Runs a command in a kernel of its own, on the host's files. Nothing of it outlives the call.

`python -m tools.hil.kernel.guest` tells whether it can be run here: builds it, and starts it once.

The guest sees the host's files read-only; /run is memory, and the folder `out` is the only one
whose changes reach the host. It is root there, whoever is here.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from firmware.lib import parent_death_signal
from firmware.lib.errors import FAILED, Failure
from tools.hil.kernel import build
from tools.hil.places import Unplayed

MEMORY = "512M"
CONSOLE = "console.txt"
_PRIORITY = 10  # of 1 to 99, above whatever is not in real time
_STATUS = "status"
_GONE_S, _LOOK_S = 10.0, 0.01  # a process that was killed is gone when it is next scheduled
_running: set[int] = set()  # process groups
_BEGIN_S = 60.0  # a second or two, on a machine that has nothing else to do
_TAIL = 2_000  # characters of the console, in an error


def run(
    command: Sequence[str | Path],
    out: Path,
    *,
    virtual: bool,
    limit_s: float,
    disk: Path | None = None,
) -> int:
    """Runs it to its end; returns its exit status. What it prints is in out/console.txt.

    `virtual`: time jumps to the next event. `limit_s`: of our time; a guest that is busy without
    ever looking at its clock would stand still for ever. `disk`: its /dev/ubda. Raises Failure.
    """
    with started(command, out, virtual=virtual, disk=disk) as process:
        try:
            process.wait(limit_s)
        except subprocess.TimeoutExpired:
            raise failure(f"The guest was not done in {limit_s:.0f} s", out) from None
        status = out / _STATUS
        if not status.exists():
            raise failure("The guest ended without a word", out)
        return int(status.read_text())


@contextlib.contextmanager
def started(
    command: Sequence[str | Path], out: Path, *, virtual: bool, disk: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """The guest at work. At the end, however it comes, its power is cut."""
    kernel = build.folder()
    out.mkdir(parents=True, exist_ok=True)
    (out / _STATUS).unlink(missing_ok=True)
    (out / "job.sh").write_text(_job(command, kernel))
    arguments: list[str | Path] = [
        kernel / build.LINUX,
        *(["time-travel=inf-cpu"] if virtual else []),
        *([f"ubd0={disk}"] if disk is not None else []),
        f"mem={MEMORY}",
        "rootfstype=hostfs", "rootflags=/", "ro", "quiet", "loglevel=0",
        "con=null", "con0=fd:0,fd:1",
        f"dtb={kernel / build.DEVICE_TREE}",
        f"init={build.RECIPE / 'init.sh'}",
        f"HIL_OUT={out.resolve()}",
        f"HIL_PYTHON={sys.executable}",
    ]  # fmt: skip
    with open(out / CONSOLE, "wb") as console:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            start_new_session=True,
            preexec_fn=_prepared(punctual=not virtual),
        )
        _running.add(process.pid)
        try:
            yield process
        finally:
            _running.discard(process.pid)
            _kill(process.pid)
            process.wait()
            _outlast(process.pid)


def check() -> None:
    """Builds the kernel where there is none, and starts it. Raises Failure where it cannot run."""
    build.build()
    with tempfile.TemporaryDirectory(prefix="cylindre-kernel-") as name:
        if run(["true"], Path(name), virtual=False, limit_s=_BEGIN_S):
            raise failure("The guest could not run anything", Path(name))


def end_all() -> None:
    """Cuts the power of every guest of this process, whichever thread waits for it."""
    for group in list(_running):
        _kill(group)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _job(command: Sequence[str | Path], kernel: Path) -> str:
    path = f"{build.ROOT}:{kernel / build.SITE}"
    words = shlex.join(map(str, command))
    return f"cd {shlex.quote(str(build.ROOT))}\nexport PYTHONPATH={shlex.quote(path)}\n{words}\n"


def _outlast(group: int) -> None:
    """Waits until the last of a group that was killed is gone: they end after their leader."""
    give_up_s = time.monotonic() + _GONE_S
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < give_up_s:
            os.killpg(group, 0)
            time.sleep(_LOOK_S)


def _prepared(*, punctual: bool) -> Callable[[], None]:
    """For the guest's `preexec_fn`: it ends with us."""
    tie = parent_death_signal.preexec(signal.SIGKILL)

    def prepare() -> None:
        tie()
        if punctual:
            _be_punctual()

    return prepare


def _be_punctual() -> None:
    """In real time a wheel that waits for a processor makes its edges late. Niceness would not do:
    Linux counts it among the processes of one session alone (CONFIG_SCHED_AUTOGROUP)."""
    # The guest is one processor, in a process for each of its own: to wake another that was on
    # another processor costs three times as much.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(_PRIORITY))


def failure(what: str, out: Path) -> Unplayed:
    """What went wrong in the guest whose folder that is, with what it said last."""
    console = (out / CONSOLE).read_text(errors="replace").strip()
    said = f" It said:\n{console[-_TAIL:]}" if console else " It said nothing."
    return Unplayed(FAILED, f"{what}.{said}")


if __name__ == "__main__":
    try:
        check()
    except Failure as why:
        sys.exit(str(why))
