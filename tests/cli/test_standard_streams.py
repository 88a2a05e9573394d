"""Standard streams that are closed, and disks that are full."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.lib.errors import FAILED, OK, USAGE

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize(
    "line",
    [
        "$C boards <&- 2>&- >/dev/null",
        "$C sim --coups 1 --trace t.vcd <&- >/dev/null 2>&-",
    ],
)
def test_a_closed_standard_stream_that_nobody_needs_is_none(
    shell: Run, tmp_path: Path, line: str
) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (OK, "")
    for trace in tmp_path.iterdir():
        assert trace.read_text().startswith("$timescale")


@pytest.mark.parametrize(
    "line",
    [
        "$C rules >&-",
        "$C rules roulette_lu --json >&-",
        "$C boards --json <&- >&-",
        "$C --help >&-",
        "$C hil list >&-",
        "$C sim --coups 1 --trace t.vcd >&-",
        "$C run --board roulette_ref --seed 3 --json >&-",
    ],
)
def test_a_closed_standard_output_is_one_sentence_and_no_success(
    shell: Run, tmp_path: Path, line: str
) -> None:
    done = shell(line)
    assert done.returncode == FAILED
    news = ("Playing on ", "Numbers that are not detected: ")
    said = [text for text in done.stderr.splitlines() if not text.startswith(news)]
    assert len(said) == 1
    assert said[0].startswith("Standard output is closed: ")
    for trace in tmp_path.glob("*.vcd"):  # nothing of the output went into it
        assert trace.read_text().startswith("$timescale")


def test_where_nothing_is_to_be_said_a_closed_standard_output_is_no_mistake(shell: Run) -> None:
    done = shell("mkdir none; $C orders --folder none --dry-run >&-")
    assert (done.returncode, done.stderr) == (OK, "")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("$C boards --json >/dev/full", "Standard output"),
        ("$C --help >/dev/full", "Standard output"),
        ("$C sim --coups 1 --trace t.vcd --json >/dev/full", "Standard output"),
        ("ulimit -f 4; $C sim --coups 1 --trace t.vcd >/dev/null", "t.vcd:"),
        ("$C run --board roulette_ref --seed 3 >/dev/full", "Standard output"),
    ],
)
def test_a_full_disk_is_one_sentence_that_names_what_could_not_be_written(
    shell: Run, tmp_path: Path, line: str, what: str
) -> None:
    done = shell(line)
    assert done.returncode == FAILED
    news = ("Playing on ", "Numbers that are not detected: ")
    said = [text for text in done.stderr.splitlines() if not text.startswith(news)]
    assert len(said) == 1
    assert said[0].startswith(what)
    assert "cannot be written: " in said[0]
    assert [path for path in tmp_path.iterdir() if path.name != "var"] == []


def test_where_nothing_at_all_can_be_said_the_exit_code_says_it(shell: Run) -> None:
    assert shell("$C boards none >/dev/full 2>/dev/full").returncode == USAGE
