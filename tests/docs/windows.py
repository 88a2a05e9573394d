"""Windows of a terminal: in each bash at a tty of its own, and a person who answers it."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import subprocess
import termios
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from patience import LAST_RESORT_S, until

PIN = "246810"
_BACK = re.compile(r"<(\d+)>\$ \Z")  # bash waits again; how ended what was typed last
_ASKED = (
    (re.compile(r"(?:PIN of [^:\n]+|Repeat for confirmation): \Z"), PIN),
    (re.compile(r"Go on\? \[y/N\]: \Z"), "y"),
)
_CTRL_C = b"\x03"

T = TypeVar("T")


class Window:
    """A shell in a folder. `text`: all that was shown in it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._far, near = pty.openpty()
        self.text = ""
        self._typed = 0  # up to there all is answered
        self._process = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "--noediting", "-i"],
            cwd=folder,
            env={**environment, "PS1": "<$?>$ ", "TERM": "dumb"},
            stdin=near,
            stdout=near,
            stderr=near,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(near)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._until(self._back, "bash")

    @property
    def folder(self) -> Path:
        """Where its shell is now."""
        return Path(f"/proc/{self._process.pid}/cwd").readlink()

    def type(self, line: str) -> int:
        """Types a line, and answers what is asked; its exit code."""
        self._write(line)
        return int(self._until(self._back, line)[1])

    def begin(self, line: str, shown: str) -> None:
        """Types a line that stays, until it shows that. Fails if it ends before."""
        began = len(self.text)
        self._write(line)
        seen = self._until(lambda: re.search(shown, self.text[began:]) or self._back(), line)
        assert seen.re is not _BACK, self.text

    def close(self) -> None:
        """Stops what plays there, and leaves the shell."""
        try:
            if not self._back():
                os.write(self._far, _CTRL_C)
                self._until(self._back, "the end of what played")
            self._write("exit")
            self._process.wait(LAST_RESORT_S)
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._far)
            self._reader.join()

    def _write(self, line: str) -> None:
        self._typed = len(self.text)
        os.write(self._far, f"{line}\n".encode())

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            try:
                data = os.read(self._far, 65536)
            except OSError:  # nobody is at the other end any more
                return
            self.text += decoder.decode(data).replace("\r", "")

    def _back(self) -> re.Match[str] | None:
        return self._last(_BACK)

    def _last(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What stands at the end of the window since somebody typed."""
        return pattern.search(self.text, self._typed)

    def _until(self, condition: Callable[[], T | None], what: str) -> T:
        def answered() -> T | None:
            for question, answer in _ASKED:
                if self._last(question):
                    self._write(answer)
            return condition()

        found = until(answered, what, told=lambda: self.text)
        assert found is not None
        return found
