"""Whether the controller answers, and its displays: one of the things an update is kept by."""

from __future__ import annotations

from pathlib import Path

from firmware.service.requests import STATUS_ONLY
from tools.ask import ask
from tools.exits import FAILED, Failure

_AGE_MAX_MS = 1000  # the loop comes round every 10 ms
# The line, a display, two at one address, one that knows of later results; the journal's disk.
_AGAINST = ("B10", "B11", "B13", "B14", "S10")


def check(folder: Path | None) -> None:
    """Asks once. Raises Failure: what does not answer, or is told as broken."""
    status = ask(folder, {"do": "status"}, name=STATUS_ONLY)["status"]
    age_ms = status["loop_age_ms"]
    if status["state"] is None or age_ms is None or age_ms > _AGE_MAX_MS:
        raise Failure(FAILED, "The controller answers, and its loop stands still.")
    if told := [code for code in _AGAINST if code in status["faults"]]:
        text = f"The controller tells {', '.join(told)}: the line or a display does not answer."
        raise Failure(FAILED, f"{text} docs/faults.md says what to do.")
