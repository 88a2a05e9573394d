"""A result that two people correct in a wheel that runs: from the terminal into the journal."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from at_rest import paused_in_a_coup
from cli_bench import listening
from patience import LAST_RESORT_S

from firmware.core.facts import Correction
from firmware.lib.errors import FAILED, OK, USAGE
from firmware.text.event_text import human_line
from firmware.text.journal_coup import find

PINS = "246810\n135799\n"
WHO = "--croupier anna --management weber"
FOLDER = Path("var") / "roulette_ref"
Start = Callable[..., subprocess.Popen[str]]
Shell = Callable[[str], subprocess.CompletedProcess[str]]


class Wheel:
    """A controller that runs, and what it tells."""

    def __init__(self, start: Start, folder: Path) -> None:
        self.folder = folder / FOLDER
        self.process = start("run", "--board", "roulette_ref", "--seed", "3", stderr=None)
        self._line = listening(self.folder)
        self._events = self._line.makefile("r")

    def until(self, event: str) -> Any:
        while True:
            told = json.loads(self._events.readline())
            if told["event"] == event:
                return told

    def close(self) -> None:
        self._events.close()
        self._line.close()
        self.process.terminate()
        self.process.communicate(timeout=LAST_RESORT_S)


@pytest.fixture
def people(shell: Shell) -> None:
    for name, role, pin in (("anna", "croupier", "246810"), ("weber", "management", "135799")):
        add = f"$C people add {name} --role {role} --board roulette_ref"
        assert shell(f"echo {pin} | {add}").returncode == OK


def correct(shell: Shell, words: str) -> subprocess.CompletedProcess[str]:
    return shell(f"printf '{PINS}' | $C correct {words} {WHO} --why 'seen on the film'")


def test_two_people_correct_a_coup_of_a_wheel_that_runs(
    start: Start, shell: Shell, tmp_path: Path, people: None
) -> None:
    wheel = Wheel(start, tmp_path)
    try:
        paused_in_a_coup(wheel.folder)  # nor does another begin, however long people take
        assert shell("$C void").returncode == OK
        assert wheel.until("void")["seq"] == 1
        early = correct(shell, "2 17")
        assert early.returncode == FAILED
        done = correct(shell, "1 17")
        assert done.returncode == OK, done.stderr
        assert done.stdout == "Accepted: coup 1 is 17 as soon as that is recorded.\n"
        told = wheel.until("correction")
        assert (told["coup"], told["seq"], told["corrects"], told["number"]) == (1, 2, 1, 17)
    finally:
        wheel.close()
    found = find(tmp_path / FOLDER / "journal.db", 1)
    assert found.end.row.kind == "void"
    assert found.stands["number"] == 17
    (correction,) = found.corrections
    assert correction.said.body["manual"] == ["anna", "weber"]
    assert correction.evidence["why"] == "seen on the film"


@pytest.mark.parametrize("words", ["1", "1 17 --void", "0 17", "x 17", "1 seventeen"])
def test_what_is_no_correction_is_told_before_any_pin_is_asked(shell: Shell, words: str) -> None:
    done = shell(f"$C correct {words} {WHO} --why x </dev/null")
    assert done.returncode == USAGE
    assert "PIN" not in done.stderr


def test_a_correction_is_told_in_words() -> None:
    number = Correction(1_000_000, 7, 12, 8, 17, 8, "black", None)
    line = human_line(number)
    assert line == "       1.000 s  coup 7     corrected: 17 black (seq 12 in the place of 8)"
    void = number._replace(number=None, compartment=None, colour=None, reason="croupier")
    assert human_line(void).endswith("coup 7     corrected: void (seq 12 in the place of 8)")
