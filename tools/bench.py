"""Measures what issue 2 set figures for, and prints them beside their targets.

`python -m tools.bench` (or `make bench`) plays 2 000 coups on each wheel, in two processes: some
minutes. Exits 1 if a number was wrong, a call late, or a clean coup void: those are promises. The
other figures depend on the machine, and are printed with what they should be.
"""

from __future__ import annotations

import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import click

WHEELS = ("W1", "W2")
EDGE_COUPS = 40  # for the core's time per edge: some 80 000 edges


class Figure(NamedTuple):
    """One row of the table. `kept`: None where there is no target."""

    name: str
    value: str
    target: str
    kept: bool | None


class Played(NamedTuple):
    """One wheel's coups: score.summary, and what they took."""

    figures: dict[str, Any]
    simulated_s: float
    processor_s: float


@click.command()
@click.option("--coups", default=2000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--hand", is_flag=True, help="The croupier turns the rotor, not the motor.")
def main(coups: int, seed: int, hand: bool) -> None:
    """Measure, and print a table of figures beside their targets."""
    # The times first: on a quiet machine. Then both wheels at once.
    rows = [_help_row(), _memory_row(), _edge_row(seed)]
    with multiprocessing.Pool(len(WHEELS)) as pool:
        played = pool.starmap(play, [(preset, coups, seed, hand) for preset in WHEELS])
    promises = [
        row for run, preset in zip(played, WHEELS, strict=True) for row in _safe(run, preset)
    ]
    rows = [*promises, *_speed_rows(played), *rows]
    click.echo(f"{coups} coups a wheel, seed {seed}{', rotor by hand' if hand else ''}\n")
    for row in rows:
        mark = {None: "", True: "ok", False: "MISSED"}[row.kept]
        click.echo(f"  {row.name:<44}{row.value:>22}   {row.target:<16}{mark}".rstrip())
    if not all(row.kept is not False for row in promises):
        sys.exit(1)


def play(preset: str, coups: int, seed: int, hand: bool) -> Played:
    """Plays one wheel in this process."""
    import boards
    from tools.score import summary
    from tools.simulate import Simulation

    simulation = Simulation(boards.load("roulette_ref"), preset=preset, seed=seed, hand=hand)
    began = time.process_time()
    for _ in simulation.play(coups):
        pass
    took_s = time.process_time() - began
    return Played(summary(simulation.score), simulation.wheel.now_us / 1e6, took_s)


def _safe(run: Played, preset: str) -> list[Figure]:
    """What must hold, and how well the call and the number come."""
    figures = run.figures
    lead, turns = figures["lead_s"], figures["rest_to_verified_turns"]
    reasons = " ".join(f"{reason} {n}" for reason, n in figures["void_reasons"].items())
    unplayed = figures["void"] + figures["missed"]
    spread = " / ".join(f"{lead[key]:.2f}" for key in ("min", "p5", "p50", "p95") if lead["min"])
    return [
        Figure(f"{preset} wrong numbers", str(figures["wrong"]), "0", figures["wrong"] == 0),
        Figure(f"{preset} late calls", str(figures["late"]), "0", figures["late"] == 0),
        Figure(f"{preset} clean coups void  {reasons}", str(unplayed), "0", unplayed == 0),
        Figure(f"{preset} call to drop, s, min / 5 / 50 / 95 %", spread, "", None),
        Figure(
            f"{preset} rest to verified, turns, median", str(turns["p50"]), "1.2 or fewer", None
        ),
        Figure(f"{preset} rest to verified, turns, 95 %", str(turns["p95"]), "", None),
    ]


def _speed_rows(played: list[Played]) -> list[Figure]:
    rows = []
    for run, preset in zip(played, WHEELS, strict=True):
        speed = run.simulated_s / run.processor_s
        name = f"{preset} simulation, times real time, one core"
        rows.append(Figure(name, f"{speed:.0f}", "1000 or more", speed >= 1000))
    return rows


def _edge_row(seed: int) -> Figure:
    """The core alone, over edges recorded beforehand."""
    import boards
    import rules
    from firmware.core.controller import Controller
    from firmware.core.feed import feed
    from tools.simulate import Simulation
    from tools.trace import TraceWriter, open_trace

    board = boards.load("roulette_ref")
    simulation = Simulation(board, preset="W1", seed=seed)
    levels = simulation.wheel.initial_levels()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "edges.vcd")
        for _ in simulation.play(EDGE_COUPS, TraceWriter(path, board, levels)):
            pass
        with open_trace(path, board) as trace:
            edges = list(trace.edges())
    controller = Controller(board, rules.load(board["rules"]))
    began = time.process_time()
    for _ in feed(controller, edges, levels):
        pass
    took_us = (time.process_time() - began) * 1e6 / len(edges)
    return Figure(f"core, us an edge ({len(edges)} edges)", f"{took_us:.1f}", "", None)


def _help_row() -> Figure:
    """`cylindre --help`, from start to end, the best of five."""
    best_ms = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run(_cylindre("--help"), stdout=subprocess.DEVNULL, check=True)
        best_ms = min(best_ms, (time.perf_counter() - began) * 1e3)
    return Figure("cylindre --help, ms", f"{best_ms:.0f}", "150 or fewer", best_ms <= 150)


def _memory_row() -> Figure:
    """`cylindre run` by the time its first coup is open, the virtual wheel included."""
    name = "cylindre run, resident, MB, with virtual wheel"
    run = _cylindre("run", "--board", "roulette_ref", "--coups", "1", "--json")
    with tempfile.TemporaryDirectory() as folder:
        places = ["--journal", f"{folder}/journal", "--socket", folder]
        with subprocess.Popen(
            [*run, *places], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            first = process.stdout.readline()  # of its first coup; empty if it could not start
            resident = _resident_mb(process.pid) if first else None
            process.terminate()
            _, said = process.communicate()
    if resident is None:
        click.echo(f"cylindre run did not start: {said}", err=True)
        return Figure(name, "not measured", "30 or less", False)
    return Figure(name, f"{resident:.1f}", "30 or less", resident <= 30)


def _resident_mb(pid: int) -> float:
    """The most that has been resident so far."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None, "Linux tells the resident memory of a live process"
    return int(found[1]) / 1024


def _cylindre(*arguments: str) -> list[str]:
    """The installed command beside this Python, or the module where there is none."""
    beside = Path(sys.executable).with_name("cylindre")
    return [str(beside), *arguments] if beside.exists() else [
        sys.executable, "-m", "tools.cli", *arguments,
    ]  # fmt: skip


if __name__ == "__main__":
    main()
