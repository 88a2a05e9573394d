"""`python -m tools.bench.call` (`make bench-call`): the call beside its rivals, on the same balls.

Prints the figures in short, and writes all of them as call.md, with a picture, call.svg. Exits 1
if any promise is MISSED. With fewer coups than issue 5 asks for, leads say little: then only a late
call where none is promised ends with 1. The same seed gives the same files. Ctrl-C prints the rows
that are done, and keeps them as call-part.md.

However few the coups, each of the 216 rows has its new wheel's 200: 1 min on two cores.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from firmware.lib.errors import FAILED, INTERRUPTED, OK, cause
from tools.bench.call import changes, new_wheels
from tools.bench.call.grid import campaigns, fleets, plans
from tools.bench.call.promises import promises
from tools.bench.call.report import PART, PICTURE, REPORT, console, markdown, picture
from tools.bench.call.run import play
from tools.testing.progress import Progress
from tools.testing.workers import each

_COUPS = 1_500  # a row: all 216 in a quarter of an hour on two cores
_MANY = 30_000  # issue 5
_WHEELS = 10
_NEW = 400  # issue 22


@click.command()
@click.option("--coups", default=_COUPS, show_default=True, type=click.IntRange(1))
@click.option(
    "--many",
    default=_MANY,
    show_default=True,
    type=click.IntRange(1),
    help="Coups of each promised row at 1 %; a third of that at .3 %.",
)
@click.option(
    "--wheels",
    default=None,
    type=click.IntRange(0),
    help="Wheels of each row that change between two coups; 0: none.",
    show_default=f"{_WHEELS}, and with fewer coups in proportion",
)
@click.option(
    "--new",
    default=None,
    type=click.IntRange(0),
    help="New wheels, drawn in the ranges of PHYSICS.md; 0: none.",
    show_default=f"{_NEW}, and with fewer coups in proportion",
)
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=os.cpu_count() or 1, type=click.IntRange(1), help="Processes.")
@click.option(
    "--out",
    default=Path("var/bench-call"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where call.md and call.svg are written.",
)
def main(
    coups: int, many: int, wheels: int | None, new: int | None, seed: int, jobs: int, out: Path
) -> None:
    """Throw the same balls for our call and its rivals, and compare when they call."""
    if wheels is None:
        wheels = max(min(_WHEELS * coups // _COUPS, _WHEELS), 1)
    if new is None:
        new = max(min(_NEW * coups // _COUPS, _NEW), 1)
    _writable(out)  # before minutes of work
    grid, changing = plans(coups=coups, many=many, seed=seed), campaigns(wheels=wheels, seed=seed)
    tasks: list[Callable[..., list[Any]]] = [partial(play, plan) for plan in grid]
    tasks += [partial(changes.play, plan) for plan in changing]
    drawn = fleets(wheels=new, seed=seed)
    tasks += [partial(new_wheels.play, plan) for plan in drawn]
    cost = sum(plan.cost for plan in grid) + sum(plan.cost for plan in changing)
    cost += sum(plan.cost for plan in drawn)
    # By their place, whoever was first: the same seed gives the same files.
    found: dict[int, list[Any]] = {}
    part = ""
    try:
        with Progress("bench-call", cost, workers=jobs) as progress:
            for at, rows in each(tasks, jobs=jobs, progress=progress):
                found[at] = rows
                progress.add(0, note=f"{len(found)} of {len(tasks)} runs")
    except KeyboardInterrupt:
        part = f"interrupted after {len(found)} of {len(tasks)} runs"
        if not found:
            click.echo("Interrupted before any run was done.", err=True)
            sys.exit(INTERRUPTED)
    outcomes = [row for at in sorted(found) for row in found[at] if at < len(grid)]
    rest = [row for at in sorted(found) for row in found[at] if at >= len(grid)]
    changed = [row for row in rest if isinstance(row, changes.Changed)]
    newcomers = [row for row in rest if isinstance(row, new_wheels.Newcomer)]
    kept = promises(outcomes, changed, newcomers)
    for line in console(outcomes, kept):
        click.echo(line)
    report = out / (PART if part else REPORT)
    try:
        text = markdown(outcomes, kept, changed, newcomers, seed=seed, part=part)
        report.write_text(text, encoding="utf-8")
        if not part:
            (out / PICTURE).write_bytes(picture(outcomes))
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written to: {cause(error)}.") from error
    if part:
        click.echo(f"\nIncomplete: {part}; {report} has all of these.")
        sys.exit(INTERRUPTED)
    click.echo(f"\n{report} has all of it.")
    whole = coups >= _COUPS and many >= _MANY
    sys.exit(FAILED if any((whole or one.safe) and not one.kept for one in kept) else OK)


def _writable(out: Path) -> None:
    """Raises UsageError if the files cannot be written there; the folder is made."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{out} cannot be made: {cause(error)}.") from error
    if not os.access(out, os.W_OK | os.X_OK):
        raise click.UsageError(f"{out} cannot be written to: choose another folder with --out.")
    for file in (out / REPORT, out / PICTURE, out / PART):
        if file.exists() and not (file.is_file() and os.access(file, os.W_OK)):
            raise click.UsageError(f"{file} cannot be written: remove it, or choose another --out.")


if __name__ == "__main__":
    main()
