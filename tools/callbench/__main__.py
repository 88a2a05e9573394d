"""`python -m tools.callbench` (`make bench-call`): the call beside its rivals, on the same balls.

Prints the figures in short, and writes all of them as call.md, with a picture, call.svg. Exits 1
if any promise is MISSED. With fewer coups than issue 5 asks for, leads say little: then only a late
call where none is promised ends with 1. The same seed gives the same files.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import click

from tools.callbench import changes
from tools.callbench.grid import campaigns, plans
from tools.callbench.picture import picture
from tools.callbench.promises import promises
from tools.callbench.report import PICTURE, REPORT, console, markdown
from tools.callbench.run import play
from tools.exits import FAILED, INTERRUPTED, OK

_Work = TypeVar("_Work")
_Found = TypeVar("_Found")
_COUPS = 1_500  # a row: all 216 in a quarter of an hour on two cores
_MANY = 30_000  # issue 5
_WHEELS = 10


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
    default=_WHEELS,
    show_default=True,
    type=click.IntRange(0),
    help="Wheels of each row that change between two coups; 0: none.",
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
def main(coups: int, many: int, wheels: int, seed: int, jobs: int, out: Path) -> None:
    """Throw the same balls for our call and its rivals, and compare when they call."""
    try:
        sys.exit(_bench(coups, many, wheels, seed, jobs, out))
    except KeyboardInterrupt:
        click.echo("\nInterrupted: the files are not written.", err=True)
        sys.exit(INTERRUPTED)


def _bench(coups: int, many: int, wheels: int, seed: int, jobs: int, out: Path) -> int:
    """The exit code."""
    _writable(out)  # before minutes of work
    outcomes = list(_played(play, plans(coups=coups, many=many, seed=seed), jobs))
    changed = list(_played(changes.play, campaigns(wheels=wheels, seed=seed), jobs))
    kept = promises(outcomes, changed)
    for line in console(outcomes, kept):
        click.echo(line)
    report = out / REPORT
    try:
        report.write_text(markdown(outcomes, kept, changed, seed=seed), encoding="utf-8")
        (out / PICTURE).write_bytes(picture(outcomes))
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written to: {error.strerror}.") from error
    click.echo(f"\n{report} has all of it.")
    whole = coups >= _COUPS and many >= _MANY
    return FAILED if any((whole or one.safe) and not one.kept for one in kept) else OK


def _writable(out: Path) -> None:
    """Raises UsageError if the files cannot be written there; the folder is made."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{out} cannot be made: {error.strerror}.") from error
    if not os.access(out, os.W_OK | os.X_OK):
        raise click.UsageError(f"{out} cannot be written to: choose another folder with --out.")
    for file in (out / REPORT, out / PICTURE):
        if file.exists() and not (file.is_file() and os.access(file, os.W_OK)):
            raise click.UsageError(f"{file} cannot be written: remove it, or choose another --out.")


def _played(
    how: Callable[[_Work], list[_Found]], work: Sequence[_Work], jobs: int
) -> Iterator[_Found]:
    """In order of the work, whoever does it: the same seed gives the same files."""
    if jobs == 1:
        for one in work:
            yield from how(one)
        return
    with multiprocessing.Pool(jobs, _undisturbed) as pool:
        for done, found in enumerate(pool.imap(how, work), 1):
            if sys.stderr.isatty():
                end = "\n" if done == len(work) else ""
                click.echo(f"\r{done} of {len(work)} runs{end}", err=True, nl=False)
            yield from found


def _undisturbed() -> None:
    """Ctrl-C is for the process that asked for the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
