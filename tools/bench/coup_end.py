"""How long a result takes to be durable: signed, in the FRAM's stand-in, in the journal. The figure
of `make bench`.
"""

from __future__ import annotations

import contextlib
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

RESULTS = 200
_PATIENCE_S = 30.0
_LOOK_S = 0.0002


def durable_ms() -> tuple[float, float]:
    """Milliseconds from the core's order to the acknowledgement: median, and 95 % are below.

    On the disk under the temporary folder; the evidence of each coup is recorded with it.
    """
    from firmware.config import Config
    from firmware.config.choice import choose_game
    from firmware.keys.folder import ensure_wheel
    from firmware.run.open_journal import open_journal

    game = choose_game("roulette_ref", Config())
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        ensure_wheel(folder)
        journal = open_journal(
            game,
            "bench",
            journal=folder / "journal.db",
            folder=folder,
            fram=folder / "fram",
            stack=stack,
        )
        taken = sorted(_once(journal, seq) for seq in range(1, RESULTS + 1))
    return statistics.median(taken), taken[len(taken) * 95 // 100]


def _once(journal: Any, seq: int) -> float:
    """Milliseconds for one coup's evidence and result."""
    body = {
        "coup": seq, "seq": seq, "number": 17, "compartment": 8, "colour": "black", "rotor": 1,
        "ball": -1, "votes": 4, "sensors": 3, "residual_uturn": 1200, "rules": "roulette_lu",
        "layout_verified": True,
    }  # fmt: skip
    began = time.perf_counter()
    journal.put(2 * seq - 1, "evidence", {"coup": seq, "who": "auto", "seen": ["sight"] * 60})
    journal.put(2 * seq, "result", body)
    done: tuple[int, ...] = ()
    while 2 * seq not in done:
        done += journal.done()
        took_s = time.perf_counter() - began
        if took_s > _PATIENCE_S:
            raise RuntimeError(f"not durable in {_PATIENCE_S:g} s: {journal.trouble()}")
        threading.Event().wait(_LOOK_S)
    return took_s * 1e3
