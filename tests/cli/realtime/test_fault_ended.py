"""A display that answers again is told wherever its silence (B11) was, and in the docs' own order
no display is told as silent.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, Waiting, unless_stalled, until

from firmware.client.ask import ask_status
from firmware.text.journal_coup import last_rows

Start = Callable[..., subprocess.Popen[str]]
ENDED = {"code": "B11", "detail": "1", "text": "B11: Display 1 answers again."}


class Lines:
    """What a process prints."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._pipe = process.stdout.fileno()
        self._unread = b""

    def until(self, enough: Callable[[str], bool]) -> str:
        """The first of the next lines that is enough."""
        with Waiting("a line", LAST_RESORT_S, lambda: self._unread) as waiting:
            while True:
                line, end, rest = self._unread.partition(b"\n")
                if not end:
                    waiting.on()
                    self._read()
                    continue
                self._unread = rest
                if enough(line.decode()):
                    return line.decode()

    def event(self, *names: str) -> dict[str, Any]:
        """The next of these events, of lines that are JSON."""
        found: dict[str, Any] = json.loads(
            self.until(lambda line: json.loads(line)["event"] in names)
        )
        return found

    def _read(self) -> None:
        if select.select([self._pipe], [], [], 0.1)[0]:
            got = os.read(self._pipe, 65536)
            assert got, ("it has ended", self._unread)
            self._unread += got


class Table:
    """A controller; a display at the other end of its line."""

    def __init__(self, start: Start, folder: Path) -> None:
        self._start, self.folder = start, folder
        line = Lines(start("line", "2"))
        self.ttys = [line.until(bool).strip() for _ in range(2)]

    def display(self) -> None:
        """Starts the display, which serves nobody: it prints what it lights."""
        shown = Lines(self._start("display", "--port", self.ttys[1], "--keys", "keys", "--json"))
        shown.until(bool)

    def run(self) -> Lines:
        """Starts the controller, which prints its facts."""
        words = ["--board", "roulette_ref", "--port", self.ttys[0], "--keys", "keys", "--json"]
        return Lines(self._start("run", *words))


@pytest.fixture
def table(cylindre: Callable[..., Any], start: Start, tmp_path: Path) -> Table:
    assert cylindre("provision", "keys", "--displays", "1").returncode == 0
    return Table(start, tmp_path)


def ended(journal: Path) -> set[tuple[str, str]]:
    """Code and detail of the faults that ended in a coup, by its evidence."""
    bodies = [entry.body for entry in last_rows(journal, 50)]
    noted = [body.get("ended", ()) for body in bodies if isinstance(body, dict)]
    return {(code, detail) for rows in noted for _, code, detail in rows}


def test_the_end_of_a_silence_is_told_on_every_way(table: Table, start: Start) -> None:
    """However often that is: a display that this machine lets wait is silent again."""
    told = table.run()  # and no display
    while told.event("fault")["code"] != "B11":  # a machine that stands still is told, too
        continue
    sockets = table.folder / "var/roulette_ref"
    assert "B11" in ask_status(sockets)["faults"]
    said, public = Lines(start("watch")), Lines(start("watch", "--json", "--public"))
    for each in (said, public):
        each.until(bool)  # it hears what is played
    table.display()
    first = told.event("fault_ended")
    assert {key: first[key] for key in ENDED} == ENDED
    until(lambda: "B11" not in ask_status(sockets)["faults"], "the end in the status")
    assert said.until(lambda line: "B11 has ended" in line) == (
        "wheel-1: fault B11 has ended: Display 1 answers again."
    )
    heard = public.event("fault_ended")
    assert {key: heard[key] for key in ENDED} == ENDED
    assert heard["t_us"] % 100_000 == 0
    journal = sockets / "journal.db"
    assert until(lambda: ended(journal), "the end in the journal") == {("B11", "1")}


@unless_stalled(0.5, "a display that is never silent")  # of a second
def test_in_the_order_of_the_docs_no_display_is_told_as_silent(table: Table) -> None:
    page = (Path(__file__).parents[3] / "docs/table.md").read_text()
    typed = [line.split()[1] for line in page.split("in a window of its own:")[1].splitlines()[2:4]]
    assert typed == ["display", "run"]
    table.display()
    told = table.run()
    codes = []
    while (fact := told.event("fault", "result", "void"))["event"] == "fault":
        codes.append(fact["code"])
    assert "B11" not in codes
