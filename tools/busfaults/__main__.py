"""`python -m tools.busfaults`: the fault matrix as a table; exit 1 if any row fails."""

import sys

import click

from firmware.lib.errors import FAILED, OK
from tools.busfaults.campaign import Outcome, repeat_command, run
from tools.busfaults.rows import BY_NAME, ROWS
from tools.busfaults.world import honest

_HEAD = ("row", "faulty frames", "lit wrong", "old as new", "blank ms", "converge ms", "")


def line(*cells: object) -> str:
    """One line of the table."""
    name, *figures, verdict = cells
    return f"{name!s:<16}" + "".join(f"{figure!s:>14}" for figure in figures) + f"  {verdict}"


def row_line(outcome: Outcome) -> str:
    """An outcome as a line of the table."""
    return line(
        outcome.row,
        outcome.frames,
        outcome.wrong,
        outcome.old,
        f"{outcome.blank_ms:.0f}",
        f"{outcome.converge_ms:.0f}",
        "ok" if outcome.is_sound else "FAILED",
    )


@click.command()
@click.option("--frames", default=100_000, show_default=True, help="Faulty frames a row.")
@click.option("--seed", default=1, show_default=True)
@click.option("--row", "names", multiple=True, type=click.Choice(list(BY_NAME)), help="Only these.")
def main(frames: int, seed: int, names: tuple[str, ...]) -> None:
    """Put a real controller and real displays on ttys, spoil the line between them, and look.

    Blank: the longest that anything was lit after the last sound heartbeat was said (1000 at most).
    Converge: the longest from the end of a fault until all is lit again (2000 at most).
    """
    failed = False
    click.echo(line(*_HEAD))
    for row in [BY_NAME[name] for name in names] or ROWS:
        outcome = run(row, frames=frames, seed=seed, make=honest)
        click.echo(row_line(outcome))
        if not outcome.is_sound:
            failed = True
            for complaint in outcome.complaints:
                click.echo(f"    {complaint}")
            click.echo(f"    again: {repeat_command(row.name, frames=frames, seed=seed)}")
    sys.exit(FAILED if failed else OK)


if __name__ == "__main__":
    main()
