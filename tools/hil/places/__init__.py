"""Where a scenario can run. Each place is a module with `check` and `run`, loaded when asked for.

check() -> str | None                       why it cannot be used here: a sentence
run(scenario, folder=None) -> Ran           plays and judges it; `folder` keeps what it leaves.
                                            Raises Failure: it cannot be used; Unplayed: it can
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from firmware.lib.errors import Failure
from tools.hil.faults.entry import PLACES
from tools.hil.verdict import Verdict


class Unplayed(Failure):
    """This one scenario was not played to its end; another may be."""


class Ran(NamedTuple):
    """One scenario, played and judged at a place."""

    verdict: Verdict
    edges: int  # that the controller took
    wheel_us: int  # how much of the wheel's time it was
    spent_s: float  # how much of ours
    trace: Path | None = None  # the edges as a VCD, if a folder was given
    unkept: str | None = None  # why nothing lies in that folder: a sentence


def load(name: str) -> ModuleType:
    """The place of that name. Raises KeyError."""
    if name not in PLACES:
        raise KeyError(name)
    return importlib.import_module(f"tools.hil.places.{name}")
