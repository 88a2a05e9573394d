"""`cylindre run` has the wheel's health watched, and tells what the watch finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from coup_journal import CoupJournal
from drop_leans import leaning
from patience import until

from firmware.health.watcher import KIND
from firmware.store import reader

ROOT = Path(__file__).parents[3]


@pytest.fixture(name="wheel")
def _wheel(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    journal = CoupJournal(tmp_path / "journal.db", change=leaning)
    journal.play(200)
    journal.close()
    words = ["run", "--board", "roulette_ref", "--seed", "3", "--pace", "10", "--json"]
    words += ["--journal", "journal.db", "--keys", "keys"]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tools.cli", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.terminate()
    process.communicate()


def test_what_stands_in_the_journal_is_told_after_the_next_coup(
    wheel: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert wheel.stdout is not None
    told = []
    for line in wheel.stdout:
        told.append(json.loads(line))
        if told[-1]["event"] == "fault" and told[-1]["code"] == "L12":
            break
    assert "L12" in told[-1]["text"]
    ends = [fact for fact in told if fact["event"] in ("result", "void")]
    assert ends, "nothing is told before the first coup has ended"
    until(lambda: bool(reader.of_kind(tmp_path / "journal.db", KIND)))
    (row,) = reader.of_kind(tmp_path / "journal.db", KIND)
    assert row.body["code"] == "L12" and row.body["coup"] <= 200
