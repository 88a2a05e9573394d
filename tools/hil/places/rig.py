"""On two boards wired to each other, in real time: ours plays the wheel. See docs/rig.md."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from firmware.lib.errors import NO_DEVICE, USAGE, Failure
from tools.hil import oracle
from tools.hil.faults import catalogue
from tools.hil.places import Ran
from tools.hil.rig import wiring
from tools.hil.rig.play import Play, check_wires
from tools.hil.rig.wiring import Wiring
from tools.hil.scenario import Scenario
from tools.hil.stage.wheel import disable_timer_slack

_PRIORITY = 10  # of 1 to 99, above whatever is not in real time


def check() -> str | None:
    """It wants a wiring file."""
    path = wiring.where()
    if not path.exists():
        return (
            f"There is no wiring file {path}: wire two boards as docs/rig.md says, and copy"
            " tools/hil/rig/rig.example.toml, or name yours in CYLINDRE_RIG."
        )
    return None


def run(scenario: Scenario, folder: Path | None = None) -> Ran:
    """Plays it in real time, and judges; before the first, checks the wiring. Raises Failure."""
    why = check()
    if why is not None:
        raise Failure(NO_DEVICE, why)
    rig = wiring.load(wiring.where())
    _refuse(scenario, rig)
    gpiod = _gpiod()
    _checked(gpiod, rig.chip, str(wiring.where().resolve()))
    _be_punctual()
    start_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="cylindre-rig-") as name:
        kept = Path(name) if folder is None else folder
        kept.mkdir(parents=True, exist_ok=True)
        trace = kept / f"{scenario.name}.vcd"
        play = Play(gpiod, rig, scenario, kept)
        said = play.run(trace)
    return Ran(
        oracle.judge(scenario, said),
        play.edges,
        said.end_us,
        time.perf_counter() - start_s,
        None if folder is None else trace,
    )


def _refuse(scenario: Scenario, rig: Wiring) -> None:
    """What cannot be played on these wires. Raises Failure."""
    board = rig.board
    if scenario.apparatus != board["apparatus"]:
        raise Failure(
            USAGE,
            f"{scenario.name} is for {scenario.apparatus}, and {board['name']} on the rig is a"
            f" {board['apparatus']}: fit the wheel's board so, and name it in {wiring.where()}.",
        )
    for use in scenario.faults:
        can = catalogue.find(use.fault).places
        if "rig" not in can:
            raise Failure(
                USAGE,
                f"A rig has wires alone and cannot make {use.fault}: use --place"
                f" {' or '.join(can)}.",
            )
    if scenario.hand or scenario.confirm != "auto":
        raise Failure(
            USAGE,
            f"{scenario.name} asks for another house than the wheel's board has: on a rig the"
            " motor turns the rotor and nobody confirms.",
        )


def _be_punctual() -> None:
    """An edge is stamped when it is made: ahead of all others where we may, no timer's slack."""
    disable_timer_slack()
    with contextlib.suppress(PermissionError):
        # What we start (ssh) is as patient as it was.
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(_PRIORITY))


def _gpiod() -> Any:
    try:
        import gpiod
    except ImportError:
        raise Failure(
            NO_DEVICE, "The rig needs gpiod: .venv/bin/pip install -e '.[pi]' on our Pi."
        ) from None
    return gpiod


@cache
def _checked(gpiod: Any, chip: str, path: str) -> None:
    """Once a process."""
    check_wires(gpiod, wiring.load(Path(path)))
