"""Measures what the issues set figures for, and prints them beside their targets.

`python -m tools.bench` (or `make bench`) plays 2 000 coups on each wheel, in two processes: some
minutes. Each row is printed as it comes: Ctrl-C leaves those that are there. Exits 1 if a number
was wrong, a call late, or a clean coup void: those are promises. The other figures depend on the
machine, and are printed with what they should be.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click

from firmware.lib.errors import FAILED, INTERRUPTED, OK
from tools.bench import before, guide
from tools.fast import switch
from tools.testing.progress import Progress
from tools.testing.workers import Tell, each

# Wheel and board of each row of coups.
WHEELS = (
    ("W1", "roulette_ref"),
    ("W2", "roulette_ref"),
    ("V1", "vingt_trois_ref"),
    ("B1", "boule_ref"),
)
CAMPAIGN_COUPS = 4_000  # in which what one worker has to do alone does not weigh
STARTS = 20  # of a command: the machine's other work comes and goes
_HOUSE = """[wheel]
board = "roulette_ref"
id = "table-3"
[rotor]
target_rpm = 21
[bus]
port = "/dev/ttyUSB0"
displays = 2
[stakes]
minimum_cents = 500
season = "2026-27"
"""
BEFORE_COUPS = 200  # of each wheel, played by this commit and by the one before
JOBS = 2  # of the coups
COUP_S = 0.016 / JOBS  # about, of a second of this machine's
CARD_WAITS = 5  # of tools/bench/card_line.py
CARD_LINE_S = 12.0
CAMPAIGN_S = 60.0  # about, on one worker
BEFORE_S = 20.0  # about, a wheel
GUIDE_S, GUIDE_ROWS = 45.0, 3


class Figure(NamedTuple):
    """One row of the table. `kept`: None where there is no target."""

    name: str
    value: str
    target: str
    kept: bool | None


class Played(NamedTuple):
    """One wheel's coups: score.summary, and what they took."""

    preset: str
    coups: int
    figures: dict[str, Any]
    simulated_s: float
    processor_s: float


@click.command()
@click.option("--coups", default=2000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--hand", is_flag=True, help="The croupier turns the rotor, not the motor.")
@click.option(
    "--before",
    "commit",
    default="HEAD~1",
    show_default=True,
    metavar="COMMIT",
    help="The commit beside which this one is timed.",
)
def main(coups: int, seed: int, hand: bool, commit: str) -> None:
    """Measure, and print a table of figures beside their targets."""
    kind = switch.use_compiled()
    by_hand = ", rotor by hand" if hand else ""
    click.echo(f"{coups} coups a wheel, seed {seed}{by_hand}, {kind}\n")
    steps = _steps(seed)
    cost = (
        sum(cost_s for cost_s, _ in steps)
        + GUIDE_S
        + BEFORE_S * len(WHEELS)
        + len(WHEELS) * coups * COUP_S
        + 1.5 * CAMPAIGN_S
    )
    tasks = [partial(play, *wheel, coups, seed, hand) for wheel in WHEELS]
    rows = 0
    kept = True
    try:
        with Progress("bench", cost) as progress:
            # The times first: on a quiet machine. Then two wheels at once.
            for cost_s, measure in steps:
                progress.print_line(_line(measure()), sys.stdout)
                rows += 1
                progress.add(cost_s)
            for row in _guide_rows(seed):
                progress.print_line(_line(row), sys.stdout)
                rows += 1
                progress.add(GUIDE_S / GUIDE_ROWS)
            for row in _before_rows(commit, seed):
                progress.print_line(_line(row), sys.stdout)
                rows += 1
                progress.add(BEFORE_S)
            progress.print_line(_line(_jobs_row(progress.add)), sys.stdout)
            rows += 1
            for _, run in each(tasks, jobs=JOBS, progress=progress):
                promises = _safe(run)
                kept = kept and all(row.kept is not False for row in promises)
                for row in [*promises, _speed_row(run)]:
                    progress.print_line(_line(row), sys.stdout)
                    rows += 1
    except KeyboardInterrupt:
        click.echo(f"Interrupted after {rows} rows: the others are not measured.", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(OK if kept else FAILED)


def _steps(seed: int) -> list[tuple[float, Callable[[], Figure]]]:
    """The rows that are no coups, in their order, and about how many seconds each takes."""
    return [
        (2.0, _help_row),
        (2.0, _check_row),
        (3.0, _memory_row),
        (2.0, partial(_edge_row, seed)),
        (9.0, partial(_longest_row, seed)),
        (0.1, _settle_row),
        (2.0, _durable_row),
        (2.0, partial(_lit_row, 32, 115_200, 100)),
        (0.4, partial(_lit_row, 4, 19_200, None)),
        (8.0, _cards_row),
        (45.0, _pixel_row),
        *[(CARD_LINE_S * (not at), partial(_wait_row, at)) for at in range(CARD_WAITS)],
        (30.0, _flash_row),
    ]


def _line(row: Figure) -> str:
    mark = {None: "", True: "ok", False: "MISSED"}[row.kept]
    return f"  {row.name:<43} {row.value:>22}   {row.target:<16}{mark}".rstrip()


def play(preset: str, board: str, coups: int, seed: int, hand: bool, tell: Tell) -> Played:
    """Plays one wheel in this process. Tells of each coup."""
    from firmware.config import Config
    from firmware.config.choice import choose_game
    from tools.virtual.score import Judged, summary
    from tools.virtual.simulate import Simulation

    game = choose_game(board, Config())
    simulation = Simulation(game, preset=preset, seed=seed, hand=hand)
    began = time.process_time()
    for item in simulation.play(coups):
        if isinstance(item, Judged):
            tell(COUP_S)
    took_s = time.process_time() - began
    return Played(preset, coups, summary(simulation.score), simulation.wheel.now_us / 1e6, took_s)


def _safe(run: Played) -> list[Figure]:
    """What must hold, and how well the call and the number come."""
    preset, figures = run.preset, run.figures
    lead, turns = figures["lead_s"], figures["rest_to_verified_turns"]
    reasons = " ".join(f"{reason} {n}" for reason, n in figures["void_reasons"].items())
    unplayed = figures["void"] + figures["missed"]
    spread = " / ".join(f"{lead[key]:.2f}" for key in ("min", "p5", "p50", "p95") if lead["min"])
    rows = [
        Figure(f"{preset} wrong numbers", str(figures["wrong"]), "0", figures["wrong"] == 0),
        Figure(f"{preset} late calls", str(figures["late"]), "0", figures["late"] == 0),
        Figure(f"{preset} clean coups void  {reasons}", str(unplayed), "0", unplayed == 0),
        Figure(f"{preset} call to drop, s, min / 5 / 50 / 95 %", spread, "", None),
    ]
    if turns["p50"]:  # a dish does not turn
        told = f"{turns['p50']} / {turns['p95']}"
        name = f"{preset} rest to verified, turns, median / 95 %"
        rows.append(Figure(name, told, "1.2 or fewer" if _turns_wheel(preset) else "", None))
    else:
        rest = figures["rest_to_verified_s"]
        told = f"{rest['p50']} / {rest['p95']}"
        rows.append(Figure(f"{preset} rest to verified, s, median / 95 %", told, "", None))
    return rows


def _speed_row(run: Played) -> Figure:
    coups_s = run.coups / run.processor_s
    speed = run.simulated_s / run.processor_s
    name = f"{run.preset} coups a second and core; times real time"
    return Figure(name, f"{coups_s:.0f} / {speed:.0f}", "50 or more", coups_s >= 50)


def _before_rows(commit: str, seed: int) -> Iterator[Figure]:
    """How many times as fast as that commit the same coups are played, one wheel after the other.

    Not measured where git or the commit is not at hand, or plays nothing.
    """
    try:
        yield from _times_before(commit, seed)
    except (OSError, subprocess.CalledProcessError):
        yield Figure(f"coups a second and core at {commit}", "not measured", "", None)


def _times_before(commit: str, seed: int) -> Iterator[Figure]:
    with before.worktree(commit) as root:
        kinds = [before.Kind(root), before.Kind(before.ROOT)]
        if switch.kind() == switch.COMPILED:
            kinds.append(before.Kind(before.ROOT, compiled=True))
        for preset, board in WHEELS:
            then, *now = before.coups_s(
                kinds, preset=preset, board=board, coups=BEFORE_COUPS, seed=seed
            )
            speeds = " / ".join(f"{each:.0f}" for each in (then, *now))
            times = " / ".join(f"{each / then:.2f}" for each in now)
            compiled = " / compiled" if len(now) > 1 else ""
            name = f"{preset} coups/s at {commit} / here{compiled}; times"
            yield Figure(name, f"{speeds}; {times}", "", None)


def _guide_rows(seed: int) -> Iterator[Figure]:
    """From a card that is accepted to the pixels of the croupier's guide."""
    if not guide.can_measure():
        yield Figure("guide, card to pixel: no chromium here", "not measured", "", None)
        return
    for row in guide.rows(guide.measure(seed=seed)):
        yield Figure(row.name, row.value, row.target, row.kept)


def _turns_wheel(preset: str) -> bool:
    """Whether it is a roulette wheel: figures were set for those."""
    return dict(WHEELS)[preset] == "roulette_ref"


def _check_row() -> Figure:
    """`cylindre config check` of a house's file, from start to end, the median."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wheel.toml")
        path.write_text(_HOUSE)
        took_ms = median(_took_ms("config", "check", str(path)))
    name = f"cylindre config check, ms, load {os.getloadavg()[0]:.1f}"
    return Figure(name, f"{took_ms:.0f}", "under 100", took_ms < 100)


def _edge_row(seed: int) -> Figure:
    """The core alone, interpreted as on a wheel, over edges recorded beforehand."""
    took_us, count = _core_alone("edge", seed)
    return Figure(f"core, us an edge ({count:.0f} edges)", f"{took_us:.2f}", "", None)


def _longest_row(seed: int) -> Figure:
    """The call of the core that takes most, counted, and what that is on the slowest board."""
    opcodes, took_ms = _core_alone("longest", seed)
    name = "core, longest call: opcodes; ms on a Zero 2 W"
    return Figure(name, f"{opcodes:.0f}; {took_ms:.1f}", "5 ms or less", took_ms <= 5)


def _core_alone(what: str, seed: int) -> list[float]:
    """The figures of core_alone.py, which plays the sources whatever we play."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.bench.core_alone", what, str(seed)],
        capture_output=True, text=True, check=True, process_group=0,
    )  # fmt: skip
    return [float(figure) for figure in done.stdout.split()]


def _wait_row(at: int) -> Figure:
    """How long whoever asks at a card table waits for his answer: median, 99 %, the longest."""
    from tools.bench.card_line import figures

    name, found = figures()[at]
    told = f"{found.p50:.0f} / {found.p99:.0f} / {found.most:.0f}"
    return Figure(f"{name}, ms", told, "p99 under 500", found.p99 < 500)


def _flash_row() -> Figure:
    """An image to a disk of a card's speed, against dd: written; written and read back."""
    from firmware.lib.errors import Failure
    from tools.image.flashbench import against_dd

    name = "flash against dd, card of 90 MiB/s; with reading back"
    try:
        wrote, both = against_dd(90)
    except Failure as failure:
        click.echo(failure.sentence, err=True)
        return Figure(name, "not measured", "1.10 or less", None)
    return Figure(name, f"{wrote:.2f} / {both:.2f}", "1.10 or less", wrote <= 1.10)


def _settle_row() -> Figure:
    """One coup's 1 000 stakes, checked and settled."""
    from tools.bench.coup_end import settle_ms

    took_ms = settle_ms()
    return Figure("settling 1 000 stakes, ms", f"{took_ms:.1f}", "under 5", took_ms < 5)


def _durable_row() -> Figure:
    """A result, from the core's order to durable."""
    from tools.bench.coup_end import durable_ms

    median_ms, most_ms = durable_ms()
    value = f"{median_ms:.1f} / {most_ms:.1f}"
    name = "signed and in the journal, ms, median / 95 %"
    return Figure(name, value, "median under 15", median_ms < 15)


def _lit_row(displays: int, baud: int, most_ms: int | None) -> Figure:
    """A recorded result, until the last display lights it. The line's time is modelled."""
    from tools.bench.busbench import lit_ms

    took_ms = lit_ms(displays, baud)
    name = f"recorded to lit, ms, {displays} displays, {baud} baud"
    if most_ms is None:
        return Figure(name, f"{took_ms:.0f}", "", None)
    return Figure(name, f"{took_ms:.0f}", f"{most_ms} or fewer", took_ms <= most_ms)


def _cards_row() -> Figure:
    """A card table's view, until the last display has its cards. The line's time is modelled."""
    from tools.bench.cards_lit import DISPLAYS, wire

    found = wire()
    name = f"card to display, ms, {DISPLAYS} of them, 50 / 99 %"
    return Figure(name, f"{found.at(50):.0f} / {found.at(99):.0f}", "", None)


def _pixel_row() -> Figure:
    """The same until a real browser has drawn them, by the clock."""
    from tools.bench.cards_lit import page, to_pixel, wire

    screen = page()
    name = "card to pixel, ms, 50 / 99 %"
    if screen is None:
        return Figure(name, "not measured", "", None)
    found = to_pixel(wire(), screen)
    return Figure(name, f"{found.at(50):.0f} / {found.at(99):.0f}", "", None)


def _jobs_row(tell: Tell) -> Figure:
    """A campaign on two workers against the same on one, by the clock on the wall."""
    one_s, two_s = _campaign_s(1, tell), _campaign_s(2, tell)
    value = f"{one_s / two_s:.2f} ({CAMPAIGN_COUPS / two_s:.0f} coups/s)"
    return Figure("campaign, two workers against one", value, "1.8 or more", one_s >= 1.8 * two_s)


def _campaign_s(jobs: int, tell: Tell) -> float:
    """How long a campaign takes, from start to report. Tells CAMPAIGN_S, shared by the workers."""
    from tools.hil.campaign.plan import COUPS as JOB_COUPS

    faults = "sensors,rotor,ball,chip"
    with tempfile.TemporaryDirectory() as folder:
        campaign = _cylindre("hil", "campaign", folder, "--coups", str(CAMPAIGN_COUPS))
        began = time.perf_counter()
        told = 0.0
        with subprocess.Popen(
            [*campaign, "--faults", faults, "--jobs", str(jobs)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0,
        ) as process:  # fmt: skip
            try:
                while _runs(process):
                    done = min(_rows_in(folder) * JOB_COUPS / CAMPAIGN_COUPS, 1.0)
                    tell((done - told) * CAMPAIGN_S / jobs)
                    told = done
            finally:
                process.terminate()
        took_s = time.perf_counter() - began
        tell((1.0 - told) * CAMPAIGN_S / jobs)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        return took_s


def _runs(process: subprocess.Popen[bytes]) -> bool:
    """After a second; at once if it has ended."""
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        return True
    return False


def _rows_in(folder: str) -> int:
    results = Path(folder, "results.jsonl")
    return results.read_bytes().count(b"\n") if results.exists() else 0


def _help_row() -> Figure:
    """`cylindre --help`, from start to end, the best."""
    best_ms = min(_took_ms("--help"))
    return Figure("cylindre --help, ms", f"{best_ms:.0f}", "150 or fewer", best_ms <= 150)


def _memory_row() -> Figure:
    """`cylindre run` by the time its first coup is open, the virtual wheel included."""
    name = "cylindre run, resident, MB, with virtual wheel"
    with _as_installed() as env:
        _started_mb(env)  # compiles
        resident, said = _started_mb(env)
    if resident is None:
        click.echo(f"cylindre run did not start: {said}", err=True)
        return Figure(name, "not measured", "30 or less", False)
    return Figure(name, f"{resident:.1f}", "30 or less", resident <= 30)


def _started_mb(env: dict[str, str]) -> tuple[float | None, str]:
    """None if it did not start; and what it said."""
    run = _cylindre("run", "--board", "roulette_ref", "--coups", "1", "--json")
    with tempfile.TemporaryDirectory() as folder:
        places = ["--journal", f"{folder}/journal", "--socket", folder]
        with subprocess.Popen(
            [*run, *places], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            process_group=0,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            try:
                first = process.stdout.readline()  # of its first coup; empty if it could not start
                resident = _resident_mb(process.pid) if first else None
            finally:
                process.terminate()
            _, said = process.communicate()
    return resident, said


def _resident_mb(pid: int) -> float:
    """The most that has been resident so far."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None, "Linux tells the resident memory of a live process"
    return int(found[1]) / 1024


def _took_ms(*arguments: str) -> list[float]:
    """How long that command takes from start to end, each of some times."""
    took_ms = []
    with _as_installed() as env:
        for _ in range(STARTS + 1):
            began = time.perf_counter()
            subprocess.run(
                _cylindre(*arguments), env=env, stdout=subprocess.DEVNULL, check=True,
                process_group=0,
            )  # fmt: skip
            took_ms.append((time.perf_counter() - began) * 1e3)
    return took_ms[1:]  # the first one compiles


@contextlib.contextmanager
def _as_installed() -> Iterator[dict[str, str]]:
    """The environment of a command that finds its byte code, as the package brings it.

    A checkout may have none, or that of other sources, and a machine forbid to keep any: then
    each start compiles all that it imports, which took half as long again.
    """
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        yield env | {"PYTHONPYCACHEPREFIX": folder}


def _cylindre(*arguments: str) -> list[str]:
    """The installed command beside this Python, or the module where there is none.

    It is started in a process group of its own: a Ctrl-C is for the bench, which ends it.
    """
    beside = Path(sys.executable).with_name("cylindre")
    return [str(beside), *arguments] if beside.exists() else [
        sys.executable, "-m", "tools.cli", *arguments,
    ]  # fmt: skip


if __name__ == "__main__":
    main()
