"""A process of the stage: read without waiting, and gone when the stage is, however that ends.

`Poller` waits for what any of them says, and hands it to who takes it.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from firmware.lib import parent_death_signal, process_start

ROOT = Path(__file__).parents[3]
MODULE = (sys.executable, "-P", "-m")
CYLINDRE = (*MODULE, "tools.cli")
# One child would still run when all of this has passed: SIGKILL waits for nothing but a disk.
_END_S = 10.0
_CHUNK = 65_536
# The kernel place brings the libraries of a Pi this way.
_PATH = tuple(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))


class ChildProcess:
    """One command at work. Its standard error goes into a file."""

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        errors: Path,
        *,
        handles: Sequence[int] = (),
    ) -> None:
        """Starts it in `folder`, in a process group of its own. Raises OSError."""
        self.argv = tuple(argv)
        with errors.open("ab") as log:
            self.popen = subprocess.Popen(
                self.argv,
                cwd=folder,
                env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *_PATH])},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                pass_fds=tuple(handles),
                process_group=0,  # Ctrl-C comes through the stage: nobody is interrupted twice
                preexec_fn=parent_death_signal.preexec(
                    signal.SIGKILL
                ),  # one that is stopped takes no SIGTERM
            )
        self.started_us = process_start.start_us(self.popen.pid)
        assert self.popen.stdout is not None
        self.out = self.popen.stdout.fileno()
        os.set_blocking(self.out, False)
        self.has_hushed = False  # nothing comes any more
        self._held = b""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.popen.poll() is not None

    def read(self) -> list[bytes]:
        """The lines of its standard output that are whole now."""
        lines: list[bytes] = []
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.out, _CHUNK):
                *whole, self._held = (self._held + data).split(b"\n")
                lines += whole
            self.has_hushed = True
        return lines

    def write_line(self, line: bytes) -> None:
        """A line for its standard input; one that is gone hears nothing."""
        assert self.popen.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.popen.stdin.write(line + b"\n")
            self.popen.stdin.flush()

    def send(self, number: int) -> None:
        """A signal, to all of its group; one that has ended takes none."""
        if not self.is_over:  # its number may be another's by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.popen.pid, number)

    def hush(self) -> None:
        """Ends its standard input."""
        assert self.popen.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.popen.stdin.close()

    def close(self) -> None:
        """Kills what still runs, and waits for it. May be called twice."""
        self.send(signal.SIGKILL)
        self.popen.wait(_END_S)
        self.hush()
        assert self.popen.stdout is not None
        self.popen.stdout.close()


class Poller:
    """File descriptors, each with who takes what comes there."""

    def __init__(self) -> None:
        """Nothing is listened to."""
        self._selector = selectors.DefaultSelector()

    def listen(self, handle: int, take: Callable[[Any], None], who: Any) -> None:
        """`take(who)` when something comes."""
        self._selector.register(handle, selectors.EVENT_READ, (take, who))

    def add(self, process: ChildProcess, take: Callable[..., None], *who: Any) -> ChildProcess:
        """`take(process, object, *who)` for each JSON line of its standard output; the process."""
        self.listen(process.out, self._from_process, (process, take, who))
        return process

    def wait(self, wait_us: int) -> None:
        """Takes what comes, waiting no longer than that."""
        for key, _ in self._selector.select(max(0, wait_us) / 1e6):
            take, who = key.data
            take(who)

    def drop(self, process: ChildProcess) -> None:
        """Ends it; what it still says is not heard."""
        if not process.has_hushed:
            self._selector.unregister(process.out)
        process.close()

    def read_all(self) -> None:
        """Takes what has come from everybody."""
        for key in list(self._selector.get_map().values()):
            take, who = key.data
            take(who)

    def close(self) -> None:
        """Listens no more."""
        self._selector.close()

    def _from_process(self, who: tuple[ChildProcess, Callable[..., None], tuple[Any, ...]]) -> None:
        process, take, more = who
        for line in process.read():
            take(process, json.loads(line), *more)
        if process.has_hushed:
            self._selector.unregister(process.out)


def close_all(processes: Iterable[ChildProcess]) -> None:
    """Kills all before it waits for any."""
    found = list(processes)
    for process in found:
        process.send(signal.SIGKILL)
    for process in found:
        process.close()
