"""Issue 22: coups of one wheel by the hundred thousand, clean ones and those with one fault.

In `make soak` as `make fast` has compiled them; a campaign that was cut short is gone on with.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from firmware.lib.errors import FAILED, OK
from tools.fast import switch
from tools.hil.campaign.work import sources
from tools.hil.verdict import LATE_CALL, NO_ENDING, OUTCOME, UNNOTICED, WRONG_NUMBER
from tools.testing.sizes import is_soaking, size

ROOT = Path(__file__).parents[4]
WHEELS = ("W1", "W2", "V1", "B1")
# Those that can reach a number or a call. What a line does to frames changes neither, and costs
# fifteen times as much: tests/busfaults has it, and each campaign.
LAYERS = "sensors,rotor,ball,chip,level,people"


# What these sensors cannot know (docs/hil.md), and in how many coups it may be once at the most: a
# ball that was knocked off between its last beam and the call, near where it leaves by itself; a
# chip as wide as the ball that lies still while that hops above the sensors (ADR 16).
UNKNOWABLE = {
    (LATE_CALL, "ball_knocked_off"): 20_000,
    (WRONG_NUMBER, "small_chip_falls_on_rotor"): 100_000,
}

# A coup without a number that the fault need not have cost it: nobody is paid wrongly.
VOID_FOR_NOTHING = (
    (OUTCOME, " void as "),
    (OUTCOME, "should not cost "),
    (NO_ENDING, "never opened"),
)

Options = list[str | int]


class Played(NamedTuple):
    """A campaign's figures, and its rows."""

    told: dict[str, Any]
    rows: list[dict[str, Any]]


def play(folder: Path, *options: str | int) -> Played:
    """Plays such a campaign; it may end with a rule broken, and with no other failure."""
    environ = dict(os.environ)
    if is_soaking():
        # A folder of the sources: what was played of others is no part of it.
        folder = ROOT / "var" / "millions" / sources() / folder.name
        environ.pop(switch.INTERPRETED, None)
    line = ["hil", "campaign", folder, "--jobs", 1, "--seed", 22, "--json", *options]
    done = subprocess.run(
        [Path(sys.executable).with_name("cylindre"), *map(str, line)],
        cwd=ROOT, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (OK, FAILED), done.stdout + done.stderr
    rows = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return Played(json.loads(done.stdout.splitlines()[-1]), [json.loads(row) for row in rows])


@pytest.mark.parametrize("wheel", WHEELS)
def test_clean_coups_of_one_wheel(
    wheel: str, tmp_path: Path, counted: Callable[[str, int], None]
) -> None:
    coups = size("clean coups of a wheel")
    options: Options = ["--coups", 0, "--clean", coups, "--wheels", wheel]
    told, rows = play(tmp_path / f"{wheel}-clean", *options)
    assert told["coups"] == told["clean"] >= coups
    assert told["right"] + told["void"] == told["coups"]
    assert told["faults"] == 0
    assert broken(rows) == []
    tell(told, counted)


@pytest.mark.parametrize("wheel", WHEELS)
def test_single_faults_of_one_wheel(
    wheel: str, tmp_path: Path, counted: Callable[[str, int], None]
) -> None:
    coups = size("coups of a wheel with single faults")
    options: Options = ["--coups", coups, "--faults", LAYERS, "--wheels", wheel]
    told, rows = play(tmp_path / f"{wheel}-faults", *options)
    assert told["coups"] >= coups and told["faults"] > coups / 16
    known = [each for each in broken(rows) if each in UNKNOWABLE]
    late = [each for each in broken(rows) if each[0] == UNNOTICED]
    void = void_for_nothing(rows)
    assert sorted(broken(rows), key=str) == sorted(known + late + void, key=str)
    for each, one_in in UNKNOWABLE.items():
        assert known.count(each) <= coups / one_in, known
    # A number is right or void all the same. Small campaigns, and those of CI, forgive none.
    assert len(late) <= told["faults"] // 10_000, late
    assert len(void) <= coups // 100_000, void
    counted("faults", told["faults"])
    counted("told late, or not", len(late))
    counted("void for nothing", len(void))
    tell(told, counted)


def broken(rows: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    """Each rule that was broken, and by which fault."""
    return [(each["rule"], each["fault"]) for row in rows for each in row["broken"]]


def void_for_nothing(rows: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    """Which of `broken` cost a coup its number and no more."""
    found = [each for row in rows for each in row["broken"]]
    return [
        (each["rule"], each["fault"])
        for each in found
        if any(each["rule"] == rule and text in each["text"] for rule, text in VOID_FOR_NOTHING)
    ]


def tell(told: dict[str, Any], counted: Callable[[str, int], None]) -> None:
    """What was counted, for the page of soaks. Of clean coups hardly one is void."""
    assert told["clean_voids"] <= told["clean_voids_allowed"]
    counted("coups", told["coups"])
    counted("wrong numbers", told["broken"]["wrong_number"])
    counted("late calls", told["broken"]["late_call"])
    counted("clean coups", told["clean"])
    counted("of them void", told["clean_voids"])
