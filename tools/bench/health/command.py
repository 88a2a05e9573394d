"""`python -m tools.bench.health` (`make bench-health`): how soon a wheel is told of.

Prints, for pockets, sectors and drops, the coups from the fault to the notice (median, 95 %) beside
the bound and what else is done, then whether places are right and fair wheels are let alone. Exits
1 if a goal is MISSED. Writes nothing; the same seed prints the same figures.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import exp, isfinite
from typing import Any

import click

from firmware.core.health import watch
from firmware.lib.errors import FAILED, OK
from tools.bench.health.cases import ALL, DROPS, NUMBERS, UNANNOUNCED
from tools.bench.health.delays import Outcome, play, quantile
from tools.bench.health.rivals import simulated_line
from tools.health import fair_years
from tools.health.drawn import WHEEL
from tools.testing.progress import Progress
from tools.testing.workers import Tell, each

WHEELS = 160  # of each case: of fewer a median is known too badly to be held to a goal
BLOCKS, WHOLE_BLOCKS = 1, 40  # of fair years
_PLACES = 0.95
_CERTAIN = 0.98
_BOUNDS = 2.5  # how often the bound a case costs, about


@click.command()
@click.option(
    "--wheels", default=WHEELS, show_default=True, type=click.IntRange(1), help="Of each case."
)
@click.option(
    "--blocks",
    type=click.IntRange(0),
    show_default=f"{BLOCKS}",
    help=f"Of {fair_years.BLOCK} fair years each.",
)
@click.option("--whole", is_flag=True, help=f"{WHOLE_BLOCKS} blocks.")
@click.option("--seed", default=26, show_default=True)
@click.option("--jobs", default=os.cpu_count() or 1, type=click.IntRange(1), help="Processes.")
def main(wheels: int, blocks: int | None, whole: bool, seed: int, jobs: int) -> None:
    """Let wheels go wrong, and count the coups until they are told of."""
    if blocks is None:
        blocks = WHOLE_BLOCKS if whole else BLOCKS
    lines = {family: simulated_line(family, seed) for family in (NUMBERS, DROPS)}
    year = fair_years.BLOCK * WHEEL.coups_a_year
    tasks: list[Callable[[Tell], Any]] = [
        partial(play, case, wheels, seed, lines[case.family]) for case in ALL
    ]
    tasks += [partial(_fair, block) for block in range(blocks)]
    total = blocks * year + wheels * sum(case.before + _BOUNDS * _usual(case) for case in ALL)
    outcomes: dict[int, Outcome] = {}
    false: list[fair_years.FalseNotice] = []
    with Progress("bench-health", total, unit="coups", workers=jobs) as progress:
        for at, found in each(tasks, jobs=jobs, progress=progress):
            if at < len(ALL):
                outcomes[at] = found
            else:
                false += found
    missed = report([outcomes[at] for at in range(len(ALL))], lines, false, blocks)
    sys.exit(FAILED if missed else OK)


def _usual(case: Any) -> float:
    from tools.bench.health.cases import Fault
    from tools.health.drawn import forecasts

    return Fault(case, 8, 0).bound(forecasts())


def _fair(block: int, tell: Tell) -> list[fair_years.FalseNotice]:
    return list(fair_years.play(block, tell=tell))


def report(
    outcomes: Sequence[Outcome],
    lines: dict[str, float],
    false: Sequence[fair_years.FalseNotice],
    blocks: int,
) -> int:
    """Prints all. Returns how many goals are missed."""
    missed = 0
    for begin, title in (
        (0, "From an act"),
        (UNANNOUNCED, f"Unannounced, after {UNANNOUNCED:,} fair coups"),
    ):
        click.echo(f"{title}: coups until told, median / 95 %")
        click.echo(
            f"  {'':<18}{'bound':>8}{'watch':>18}{'ratio':>7}{'goal':>6}"
            f"{'CUSUM':>18}{'month .01':>18}{'day .01':>18}"
        )
        for one in outcomes:
            if one.case.before == begin:
                kept = one.ratio <= one.case.goal
                missed += not kept
                click.echo(_row(one) + ("" if kept else "  MISSED"))
        click.echo()
    click.echo("Place named right")
    for what in dict.fromkeys(one.case.what for one in outcomes):
        mine = [one for one in outcomes if one.case.what == what]
        told = sum(sum(each is not None for each in one.watch) for one in mine)
        right = sum(one.right for one in mine)
        kept = right >= _PLACES * told
        missed += not kept
        share = f"{right / max(told, 1):.1%}"
        verdict = "" if kept else "  MISSED"
        click.echo(f"  {what:<18}{right:>6} of {told:<6}{share:>7}  goal {_PLACES:.0%}{verdict}")
    early = sum(one.early for one in outcomes)
    click.echo(f"  told before anything was wrong: {early} wheels, of {UNANNOUNCED:,} coups each")
    click.echo()
    missed += _fair_report(false, blocks)
    said = ", ".join(f"{family} {line:.3g}" for family, line in lines.items())
    click.echo(f"CUSUM tells at a weighted sum of: {said} (simulated, as seldom as the watch).")
    return missed


def _fair_report(false: Sequence[fair_years.FalseNotice], blocks: int) -> int:
    years = blocks * fair_years.BLOCK
    if not years:
        return 0
    most = allowed(years * watch.FAIRNESS)
    kept = len(false) <= most
    click.echo(
        f"Fair wheels of all kinds, looked at after every coup: {len(false)} fairness notices in"
        f" {years:,} years, goal {most} at the most{'' if kept else '  MISSED'}"
    )
    for one in false:
        click.echo(f"  {one.kind}, coup {one.coup}: {' '.join(map(str, one.notice))}")
    return not kept


def allowed(mean: float) -> int:
    """The least count that no more than 2 % of Poisson counts of that mean exceed."""
    count, chance = 0, exp(-mean)
    below = chance
    while below < _CERTAIN:
        count += 1
        chance *= mean / count
        below += chance
    return count


def _row(one: Outcome) -> str:
    return (
        f"  {one.case.name:<18}{one.bound:>8,.0f}{_both(one.watch):>18}{one.ratio:>7.2f}"
        f"{one.case.goal:>6.1f}{_both(one.cusum):>18}{_both(one.month):>18}{_both(one.day):>18}"
    )


def _both(delays: Iterable[int | None]) -> str:
    found = [quantile(list(delays), share) for share in (0.5, 0.95)]
    return " / ".join(f"{each:,.0f}" if isfinite(each) else "-" for each in found)
