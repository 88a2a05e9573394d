"""How long the end of a coup takes: figures of `make bench`.

Its stakes are settled; its result is signed, kept in the FRAM's stand-in and in the journal.
"""

from __future__ import annotations

import contextlib
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import rules
from rules import cloth
from rules.settle import accept, open_table, settle

_PLAYERS = 40  # terminals around one wheel
RESULTS = 200
_PATIENCE_S = 30.0
_LOOK_S = 0.0002


def settle_ms(count: int = 1_000, runs: int = 20) -> float:
    """Milliseconds to check and settle `count` stakes of roulette anglaise: the best of `runs`.

    The table is open already, as it is all day. The stakes lie all over the cloth.
    """
    table = open_table(rules.load("roulette_lu"), 500)
    stakes = sample(table.rules, count)
    best_ns = None
    for _ in range(runs):
        start_ns = time.perf_counter_ns()
        accepted, refused = accept(table, stakes)
        payments = settle(table, accepted, 17, 8)
        taken_ns = time.perf_counter_ns() - start_ns
        assert len(payments) == count and not refused
        best_ns = taken_ns if best_ns is None else min(best_ns, taken_ns)
    assert best_ns is not None
    return best_ns / 1e6


def sample(game: dict[str, Any], count: int) -> list[object]:
    """Stakes of many players, one after another over every position of the cloth."""
    places = [(bet.name, on) for bet in game["bets"] for on in cloth.positions(bet)]
    return [
        {
            "player": f"p{turn * 7 % _PLAYERS}",
            "bet": places[turn % len(places)][0],
            "on": list(places[turn % len(places)][1]),
            "cents": 500,
        }
        for turn in range(count)
    ]


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
