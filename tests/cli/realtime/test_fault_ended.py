"""A display that answers again is told wherever its silence (B11) was, and in the docs' own order
no display is told as silent.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import until

from firmware.client.ask import ask_status
from firmware.text.journal_coup import last_rows

Start = Callable[..., subprocess.Popen[str]]
ENDED = {"code": "B11", "detail": "1", "text": "B11: Display 1 answers again."}


class Table:
    """A controller and what it says; a display at the other end of its line."""

    def __init__(self, start: Start, folder: Path) -> None:
        self._start, self.folder = start, folder
        line = start("line", "2")
        assert line.stdout is not None
        self.ttys = [line.stdout.readline().strip() for _ in range(2)]
        self.facts: Iterator[dict[str, Any]] = iter(())

    def display(self) -> subprocess.Popen[str]:
        """Starts the display, which serves nobody: it prints what it lights."""
        found = self._start("display", "--port", self.ttys[1], "--keys", "keys", "--json")
        assert found.stdout is not None
        found.stdout.readline()
        return found

    def run(self) -> None:
        words = ["--board", "roulette_ref", "--port", self.ttys[0], "--keys", "keys", "--json"]
        process = self._start("run", *words)
        assert process.stdout is not None
        self.facts = map(json.loads, process.stdout)

    def next(self, event: str) -> dict[str, Any]:
        return next(told for told in self.facts if told["event"] == event)


@pytest.fixture
def table(cylindre: Callable[..., Any], start: Start, tmp_path: Path) -> Table:
    assert cylindre("provision", "keys", "--displays", "1").returncode == 0
    return Table(start, tmp_path)


def test_the_end_of_a_silence_is_told_on_every_way(table: Table, start: Start) -> None:
    table.run()  # and no display
    assert table.next("fault")["code"] == "B11"
    sockets = table.folder / "var/roulette_ref"
    assert "B11" in ask_status(sockets)["faults"]
    watching = [start("watch"), start("watch", "--json", "--public")]
    until(lambda: ask_status(sockets)["clients"] >= 2, "those who watch")
    table.display()
    told = table.next("fault_ended")
    assert {key: told[key] for key in ENDED} == ENDED
    assert "B11" not in ask_status(sockets)["faults"]
    said, public = [process.stdout for process in watching]
    assert said is not None and public is not None
    assert next(line for line in said if "B11 has ended" in line) == (
        "wheel-1: fault B11 has ended: Display 1 answers again.\n"
    )
    heard = next(line for line in map(json.loads, public) if line["event"] == "fault_ended")
    assert {key: heard[key] for key in ENDED} == ENDED
    assert heard["t_us"] % 100_000 == 0
    table.next("result")
    bodies = [entry.body for entry in last_rows(sockets / "journal.db", 50)]
    ended = [body["ended"] for body in bodies if isinstance(body, dict) and "ended" in body]
    assert [row[1:] for rows in ended for row in rows] == [["B11", "1"]]


def test_in_the_order_of_the_docs_no_display_is_told_as_silent(table: Table) -> None:
    page = (Path(__file__).parents[3] / "docs/table.md").read_text()
    typed = [line.split()[1] for line in page.split("in a window of its own:")[1].splitlines()[2:4]]
    assert typed == ["display", "run"]
    for each in typed:
        getattr(table, each)()
    told = []
    for fact in table.facts:
        told.append(fact.get("code"))
        if fact["event"] in ("result", "void"):
            break
    assert "B11" not in told
