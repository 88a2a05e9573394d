"""`cylindre health`: the same answers for whoever asks, and however much of a file there is."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from coup_files import act, text, written

from firmware.lib.errors import FAILED, OK, USAGE
from tools import cli


def favoured(number: int, draw: random.Random, fields: dict[str, Any]) -> None:
    """Number 17 comes four times as often."""
    if draw.random() < 0.08:
        fields["number"] = 17


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = cli.main(["health", *words, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, found


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return text(1_500, "17", favoured)


def test_a_notice_is_told_with_its_line_and_number(
    tmp_path: Path, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "coups.txt", lines)
    code, found = asked(capsys, str(path))
    assert code == FAILED
    first = found["notices"][0]
    assert (first["kind"], first["place"]) == ("pocket", 17)
    # The answer to a file that is cut there is the beginning of it, and one line before it is none.
    written(path, lines[: first["coup"]])
    cut = asked(capsys, str(path))
    assert (cut[0], cut[1]["notices"]) == (FAILED, [first])
    written(path, lines[: first["coup"] - 1])
    before = asked(capsys, str(path))
    assert (before[0], before[1]["notices"]) == (OK, [])
    written(path, lines)
    assert asked(capsys, str(path), "--until", str(first["coup"] - 1))[0] == OK
    assert asked(capsys, str(path), "--until", str(first["coup"]))[1]["notices"] == [first]
    later = asked(capsys, str(path), "--since", str(first["t_s"] + 1))[1]["notices"]
    assert later == found["notices"][1:]


def test_in_words_it_is_told_what_was_found_and_what_would_have_been(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = text(800, "17", favoured)
    path = written(tmp_path / "coups.txt", [*lines[:102], act(100, "frets"), *lines[102:]])
    assert cli.main(["health", str(path), "--gaps"]) == FAILED
    found = capsys.readouterr().out
    assert re.search(r"^line \d+: number 17 comes more often than it should\.$", found, re.M)
    assert "Wheel R7, 800 coups." in found
    assert "Numbers        a bias was found. In 700 coups every number between -" in found
    assert "Best bet       17: -2.7 % expected of an even wheel, at most +" in found
    assert "ccw, gap 1: " in found
    assert "A lean of 0.2" in found
    assert "Since          line 103 frets mended." in found
    assert "22 things are judged" in found
    seen = [int(count) for count in re.findall(r"gap \d: (\d+) seen", found)]
    assert len(seen) == 6
    assert sum(seen) == 800
    assert cli.main(["health", str(path), "--since", "9e9", "--lang", "fr"]) == OK
    later = capsys.readouterr().out
    assert "Cylindre R7, 800 coups." in later
    assert "le numéro 17" not in later
    assert "Depuis" not in later


def test_what_is_behind_the_line_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "coups.txt", [*text(3), "nonsense"])
    assert cli.main(["health", str(path), "--json"]) == USAGE
    assert "coups.txt, line 6: " in capsys.readouterr().err
    assert asked(capsys, str(path), "--until", "5")[0] == OK


def test_no_coups_are_no_notice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "coups.txt", text(0))
    code, found = asked(capsys, str(path))
    assert (code, found["notices"], found["remarks"]) == (OK, [], [])
    assert cli.main(["health", str(path)]) == OK
    assert "Wheel R7, 0 coups.\n" in capsys.readouterr().out


def test_acts_out_of_order_cannot_be_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "coups.txt", [*text(3), act(1, "frets")])
    sentence = "The wheel's health cannot be judged: the clock goes back at line 6."
    remark = {"code": "H30", "text": sentence}
    code, found = asked(capsys, str(path))
    assert (code, found["notices"], found["remarks"]) == (FAILED, [], [remark])
    assert cli.main(["health", str(path)]) == FAILED
    assert sentence in capsys.readouterr().out
