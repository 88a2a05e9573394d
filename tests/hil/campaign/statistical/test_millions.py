"""Issue 22: coups of one wheel by the hundred thousand, clean ones and those with one fault.

In `make soak` as `make fast` has compiled them; a campaign that was cut short is gone on with.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.fast import switch
from tools.hil.campaign.work import sources
from tools.testing.sizes import is_soaking, size

ROOT = Path(__file__).parents[4]
WHEELS = ("W1", "W2", "V1", "B1")
# Those that can reach a number or a call. What a line does to frames changes neither, and costs
# fifteen times as much: tests/busfaults has it, and each campaign.
LAYERS = "sensors,rotor,ball,chip,level,people"


def play(folder: Path, *options: str | int) -> dict[str, Any]:
    """Plays such a campaign and gives its figures; every rule of it holds."""
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
    assert done.returncode == 0, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.mark.parametrize("wheel", WHEELS)
def test_clean_coups_of_one_wheel(
    wheel: str, tmp_path: Path, counted: Callable[[str, int], None]
) -> None:
    coups = size("clean coups of a wheel")
    told = play(
        tmp_path / f"{wheel}-clean", "--coups", 0, "--clean", coups, "--wheels", wheel,
    )  # fmt: skip
    assert told["coups"] == told["clean"] >= coups
    assert told["right"] + told["void"] == told["coups"]
    assert told["faults"] == 0
    tell(told, counted)


@pytest.mark.parametrize("wheel", WHEELS)
def test_single_faults_of_one_wheel(
    wheel: str, tmp_path: Path, counted: Callable[[str, int], None]
) -> None:
    coups = size("coups of a wheel with single faults")
    told = play(
        tmp_path / f"{wheel}-faults", "--coups", coups, "--faults", LAYERS, "--wheels", wheel
    )
    assert told["coups"] >= coups and told["faults"] > coups / 16
    tell(told, counted)


def tell(told: dict[str, Any], counted: Callable[[str, int], None]) -> None:
    """Nothing is broken; what was counted, for the page of soaks."""
    assert not any(told["broken"].values()), told["broken"]
    assert told["clean_voids"] <= told["clean_voids_allowed"]
    counted("coups", told["coups"])
    counted("wrong numbers", told["broken"]["wrong_number"])
    counted("late calls", told["broken"]["late_call"])
    counted("clean coups", told["clean"])
    counted("of them void", told["clean_voids"])
