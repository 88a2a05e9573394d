"""For the tests of the device: who listens to datagrams, a line in memory, an environment."""

import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from patience import PATIENCE_S, Waiting, until

from tools.virtual.joined_line import JoinedLine

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-P", "-m", "tools.cli")
STOPS_IN_S = 2.0  # what a stop may take, however many pages are open
TOLD_S = 0.2  # of any second: displays are told for 300 ms that it stops

Start = Callable[..., "subprocess.Popen[str]"]


class Listener:
    """Who hears datagrams at a path: systemd, or its journal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))

    def next(self, within_s: float = PATIENCE_S) -> bytes | None:
        """The next datagram; None if none comes."""
        self._socket.settimeout(within_s)
        try:
            return self._socket.recv(65536)
        except TimeoutError:
            return None

    def until(self, wanted: Callable[[bytes], object]) -> bytes:
        """The first datagram that is `wanted`."""
        with Waiting("what is wanted") as waiting:
            while (got := self.next(0.5)) is None or not wanted(got):
                waiting.on()
        return got

    def close(self) -> None:
        self._socket.close()


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


class Carried:
    """A line in memory with so many ends, carried by a thread."""

    def __init__(self, ends: int) -> None:
        self._line = JoinedLine(ends)
        self.ends = self._line.ends
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self) -> None:
        while not self._over.is_set():
            self._line.forward(0.05)

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self._line.close()


class Lines:
    """What a process prints, line by line; whoever prints nothing for long fails the test."""

    def __init__(self, stream: IO[str]) -> None:
        self._handle = stream.fileno()
        self._came = b""

    def next(self) -> str:
        while b"\n" not in self._came:
            until(lambda: select.select([self._handle], [], [], 0.5)[0], "a line", waits=True)
            data = os.read(self._handle, 65536)
            assert data, f"it ended: {self._came!r}"
            self._came += data
        line, _, self._came = self._came.partition(b"\n")
        return line.decode()
