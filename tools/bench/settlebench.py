"""How long the settlement of one coup takes: the figure of `make bench`."""

from __future__ import annotations

import time
from typing import Any

import rules
from rules import cloth
from rules.settle import accept, open_table, settle

_PLAYERS = 40  # terminals around one wheel


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
