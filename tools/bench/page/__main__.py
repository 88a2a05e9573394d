"""`python -m tools.bench.page`: does a page that five look at cost the controller anything?

Plays coups in real time on several tables at once, each a real `cylindre run` with a real
`cylindre page` and viewers over HTTPS, logged in, the oscilloscope open; and beside them tables
that nobody looks at, so that what the machine does to all of them is told from what the page does.
500 coups on ten tables take 40 minutes. Exits 1 if an edge or a call was lost, a call late or a
number wrong, if frames came less than 20 times a second, or the page took 10 % of a core.

Where the machine itself stood still for a tenth of a second, what went wrong just then is counted
apart: beside each table is a meter who only sleeps, and sees that.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import click

from firmware.lib.errors import Failure
from tools.bench.page.rows import rows
from tools.bench.page.table import Table, Watched
from tools.bench.stall_meter import StallMeter

APART_S = 6.0  # between two tables: a start takes more of a core than the play


@click.command()
@click.option("--coups", default=500, show_default=True, type=click.IntRange(1), help="With page.")
@click.option("--tables", default=10, show_default=True, type=click.IntRange(1), help="With page.")
@click.option("--alone", default=2, show_default=True, type=click.IntRange(0), help="Without.")
@click.option("--viewers", default=5, show_default=True, type=click.IntRange(1, 24))
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="All that was measured, a JSON object a table.",
)
def main(coups: int, tables: int, alone: int, viewers: int, seed: int, out: Path | None) -> None:
    """Play, look on, and print a table."""
    each = -(-coups // tables)
    kinds = [viewers] * tables + [0] * alone
    load, began_s = os.getloadavg()[0], time.monotonic()
    watched: list[Watched] = []
    with ProcessPoolExecutor(len(kinds)) as pool:
        jobs = []
        for at, kind in enumerate(kinds):
            time.sleep(APART_S if at else 0)
            jobs.append(pool.submit(played, each, seed + at, kind))
        for job in as_completed(jobs):
            found = job.result()
            if isinstance(found, str):
                click.echo(f"A table was not played: {found}", err=True)
                continue
            watched.append(found)
            _keep(out, watched[-1]._asdict())
            minutes = (time.monotonic() - began_s) / 60
            who = "alone" if watched[-1].page is None else "with the page"
            text = f"{minutes:3.0f} min: a table {who} is over, {watched[-1].coups} coups"
            click.echo(text, err=True)
    click.echo(
        f"{tables} tables with {viewers} viewers each, {alone} that nobody looks at;"
        f" {(time.monotonic() - began_s) / 60:.0f} min on {os.cpu_count()} cores,"
        f" load {load:.1f} before, {os.getloadavg()[2]:.1f} while\n"
    )
    if not shown(watched) or len(watched) < len(kinds):
        sys.exit(1)


def shown(watched: list[Watched]) -> bool:
    """Prints the table; whether all that is promised was kept."""
    table = rows(watched)
    for row in table:
        mark = {None: "", True: "ok", False: "MISSED"}[row.kept]
        told = f"  {row.name:<48}{row.page:>18}{row.alone:>18}   {row.target:<10}{mark}"
        click.echo(told.rstrip())
    return all(row.kept is not False for row in table)


def played(coups: int, seed: int, viewers: int) -> Watched | str:
    """One table, in this process; a sentence if it could not be played to its end."""
    with contextlib.suppress(PermissionError):  # it has one already
        os.setsid()  # Linux shares a machine out by session: tables are not to wait for each other
    with tempfile.TemporaryDirectory(prefix="cyl-") as name:
        table = Table(Path(name), coups=coups, seed=seed, viewers=viewers)
        try:
            with StallMeter() as meter:
                found = table.play()
            return found._replace(stills=meter.stills)
        except Failure as failure:
            return failure.sentence
        finally:
            table.close()


def _keep(out: Path | None, told: dict[str, object]) -> None:
    if out is not None:
        with out.open("a") as file:
            file.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
