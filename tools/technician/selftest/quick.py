"""What can be asked of a wheel without a hand, a motion or a login: for a start after an update."""

from __future__ import annotations

import time
from pathlib import Path

from firmware.client.ask import LOOP_AGE_MAX_MS, ask
from firmware.core.coup.states import FAULT
from firmware.lib.places import STATUS_ONLY
from tools.technician.selftest.part import Limit, Part, judged

GROUP = "controller"
_START = "Start the controller again; if it fails again, see the machine's log."
_ANSWERS = Limit(
    0, 1000, "ms", "it answers within a period of its loop, 10 ms; a busy board later", 0, _START
)
_AGE = Limit(
    0, LOOP_AGE_MAX_MS, "ms", "the loop comes round every 10 ms; 1 s is one that hangs", 0, _START
)
_FREE = Limit(
    1,
    1,
    "of play",
    "a fault has locked the wheel: cylindre status, docs/faults.md",
    remedy="Mend what cylindre status says (docs/faults.md), then clear it.",
)


def parts(folder: Path | None) -> list[Part]:
    """Of the status socket alone: the loop runs, and nothing locks the wheel. Raises Failure."""
    begun_s = time.monotonic()
    status = ask(folder, {"do": "status"}, name=STATUS_ONLY)["status"]
    took_ms = (time.monotonic() - begun_s) * 1000
    age_ms, state = status.get("loop_age_ms"), status.get("state")
    known = state is not None and state != FAULT
    faults = " ".join(status.get("faults") or ())
    return [
        judged(GROUP, "answers", took_ms, _ANSWERS),
        judged(GROUP, "loop", None if age_ms is None else float(age_ms), _AGE),
        judged(GROUP, "may play", float(known), _FREE, f"{state} {faults}".strip()),
    ]
