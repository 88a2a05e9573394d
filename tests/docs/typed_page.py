"""A page of docs/ that is typed from its top to its bottom, as who reads it would."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from named_commands import CODE, code_lines
from patience import until
from windows import Window

# What plays on in a window of its own, and what it shows once it has begun.
STAYS = {
    "cylindre run": r"Playing on",
    "cylindre display": r"http://\S+",
    "cylindre line": r"(/dev/pts/\d+\s+){3}",
    "cylindre watch": r"coup ",
    "cylindre page": r"fingerprint",
    "cylindre terminal": r"place your bets; stakes are taken for coup \d+; to stake",
}
_FILE = re.compile(r"`([\w/-]+\.toml)`")


class Instead(NamedTuple):
    """What is typed in place of what stands there."""

    stands: str  # a pattern
    typed: str | Callable[[Reader, re.Match[str]], str]
    why: str


class How(NamedTuple):
    """How a page is typed. All that is in none of these is typed as it stands."""

    instead: tuple[Instead, ...] = ()
    untyped: Mapping[str, str] = {}  # beginnings of lines that nobody types here, and why
    # Beginnings of lines that are typed once a window shows something: of which command, and what.
    when: Mapping[str, tuple[str, str]] = {}
    # What is typed then in that window, and what it shows of it.
    inside: Mapping[str, Mapping[str, str]] = {}
    ends: Mapping[str, tuple[int, str]] = {}  # other exit codes than 0, and why


def lines(page: Path, how: How) -> Iterator[str]:
    """The lines of a page that are typed, as far as that is known before."""
    for block in CODE.finditer(page.read_text(encoding="utf-8")):
        for line in code_lines(block):
            if not any(map(line.startswith, how.untyped)):
                for stands, typed, _ in how.instead:
                    line = re.sub(stands, typed if isinstance(typed, str) else r"\g<0>", line)
                yield line


class Reader:
    """Who types a page in a folder of their own. Windows stay open until the end."""

    def __init__(self, folder: Path, environment: Mapping[str, str], how: How) -> None:
        self._environment, self._how = environment, how
        self._here = Window(folder, environment)
        self.others: dict[str, Window] = {}  # by the command that plays there; the last one
        self._opened = [self._here]

    def read(self, page: Path) -> None:
        """Types it, and writes the files that it shows."""
        text, behind = page.read_text(encoding="utf-8"), 0
        for block in CODE.finditer(text):
            named = _FILE.findall(text[behind : block.start()])
            behind = block.end()
            if block[1] == "toml" and named:
                file = self._here.folder / named[-1]
                file.parent.mkdir(exist_ok=True)
                file.write_text(self._instead(block[2]), encoding="utf-8")
            for line in code_lines(block):
                if not any(map(line.startswith, self._how.untyped)):
                    self.type(line)

    def type(self, line: str) -> None:
        """Types a line, in a window of its own where it stays."""
        command = next((stays for stays in STAYS if line.startswith(stays)), None)
        self._wait_before(line)
        typed = self._instead(line)
        if command is None:
            code = self._here.type(typed)
            expected = next((e for b, (e, _) in self._how.ends.items() if line.startswith(b)), 0)
            assert code == expected, f"{line} ended with {code}\n{self.shown}"
        else:
            window = Window(self._here.folder, self._environment)
            self._opened.append(window)
            self.others[command] = window
            window.begin(typed, STAYS[command])
            for order, accepted in self._how.inside.get(command, {}).items():
                window.begin(order, accepted)

    def _wait_before(self, line: str) -> None:
        found = next((w for begins, w in self._how.when.items() if line.startswith(begins)), None)
        if found is not None:
            window, shown = self.others[found[0]], found[1]
            until(lambda: re.search(shown, window.text), shown, told=lambda: window.text)

    def _instead(self, text: str) -> str:
        for stands, typed, _ in self._how.instead:
            words = typed if isinstance(typed, str) else functools.partial(typed, self)
            text = re.sub(stands, words, text)
        return text

    @property
    def shown(self) -> str:
        """All that any window has shown."""
        return "\n".join(window.text for window in self._opened)

    def close(self) -> None:
        """Closes all windows, the last one first."""
        with contextlib.ExitStack() as windows:
            for window in self._opened:
                windows.callback(window.close)
