"""`cylindre health`: the same answers for whoever asks, and however much of a file there is."""

from __future__ import annotations

import json
import random
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
    assert asked(capsys, str(path)) == (FAILED, found | {"notices": [first]})
    written(path, lines[: first["coup"] - 1])
    assert asked(capsys, str(path)) == (OK, found | {"notices": []})
    written(path, lines)
    assert asked(capsys, str(path), "--until", str(first["coup"] - 1))[0] == OK
    assert asked(capsys, str(path), "--until", str(first["coup"]))[1]["notices"] == [first]
    later = asked(capsys, str(path), "--since", str(first["t_s"] + 1))[1]["notices"]
    assert later == found["notices"][1:]


def test_in_words_it_is_a_sentence(
    tmp_path: Path, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "coups.txt", lines)
    assert cli.main(["health", str(path)]) == FAILED
    assert ": number 17 comes more often than it should.\n" in capsys.readouterr().out


def test_what_is_behind_the_line_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "coups.txt", [*text(3), "nonsense"])
    assert cli.main(["health", str(path), "--json"]) == USAGE
    assert "coups.txt, line 6: " in capsys.readouterr().err
    assert asked(capsys, str(path), "--until", "5")[0] == OK


def test_no_coups_are_no_notice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "coups.txt", text(0))
    assert asked(capsys, str(path)) == (OK, {"notices": [], "remarks": []})
    assert cli.main(["health", str(path)]) == OK


def test_acts_out_of_order_cannot_be_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "coups.txt", [*text(3), act(1, "frets")])
    sentence = "The wheel's health cannot be judged: the clock goes back at line 6."
    remark = {"code": "H30", "text": sentence}
    assert asked(capsys, str(path)) == (FAILED, {"notices": [], "remarks": [remark]})
    assert cli.main(["health", str(path)]) == FAILED
    assert sentence in capsys.readouterr().out
