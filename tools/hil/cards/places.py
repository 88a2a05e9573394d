"""Where card tables are played: `virtual` in virtual time, `process` in real time."""

from __future__ import annotations

from collections.abc import Callable

from tools.hil.cards import process
from tools.hil.cards.runner import Ran, run_virtual
from tools.hil.cards.scenario import CardScenario

VIRTUAL, PROCESS = "virtual", "process"
PLACES: dict[str, Callable[[CardScenario], Ran]] = {
    VIRTUAL: run_virtual,
    PROCESS: process.run,
}
