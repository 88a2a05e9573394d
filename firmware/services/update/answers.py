"""Whether the controller answers, and its displays: one of the things an update is kept by."""

from __future__ import annotations

from pathlib import Path

from firmware.api.requests import STATUS_ONLY
from firmware.client.ask import LOOP_AGE_MAX_MS, ask
from firmware.lib.errors import FAILED, Failure

# The journal's disk; a display that knows of later results than the journal.
_AGAINST = ("S10", "B14")


def check(folder: Path | None) -> None:
    """Asks once. Raises Failure: what does not answer, or is told as broken.

    Of several displays one that answers is enough: it shows that port, line and keys are used as
    they must be. Another that is dead was so before, or is noticed as B11 whatever runs.
    """
    status = ask(folder, {"do": "status"}, name=STATUS_ONLY)["status"]
    age_ms = status["loop_age_ms"]
    if status["state"] is None or age_ms is None or age_ms > LOOP_AGE_MAX_MS:
        raise Failure(FAILED, "The controller answers, and its loop stands still.")
    if told := [code for code in _AGAINST if code in status["faults"]]:
        text = f"The controller tells {', '.join(told)}: what it records is not as it must be."
        raise Failure(FAILED, f"{text} docs/faults.md says what to do.")
    if status["displays"] and not status["displays_heard"]:
        text = f"No display answers, and there are {status['displays']}: switch one on, or see to"
        raise Failure(FAILED, f"{text} the line (cylindre selftest).")
