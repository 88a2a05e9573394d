"""`python -m tools.fuzz [TARGET ...]`: fuzzes for a time, and keeps what should be kept."""

from __future__ import annotations

import click

from firmware.lib.errors import FAILED, OK
from tools.fuzz import campaign, corpus, targets
from tools.testing import machine, run_command


@click.command(
    epilog="""\b
    Examples:
      python -m tools.fuzz display --seconds 60
      python -m tools.fuzz --keep
    """
)
@click.argument("names", nargs=-1, type=click.Choice(targets.NAMES))
@click.option("--seconds", type=click.IntRange(1), default=60, show_default=True, help="For each.")
@click.option("--keep", is_flag=True, help="Keep in tests/fuzz what breaks or takes a new path.")
def command(names: tuple[str, ...], seconds: int, keep: bool) -> int:
    """Fuzz some targets, all if none is named."""
    if missing := machine.remedies(machine.lacking(["atheris"])):
        click.echo(missing[0], err=True)
        return FAILED
    status = OK
    for name in names or targets.NAMES:
        target = targets.find(name)
        found = campaign.fuzz(target, seconds)
        click.echo(f"{name:<12}{found.runs:>9} inputs, {found.new} new paths")
        if found.broken is not None:
            status = FAILED
            click.echo(f"{name} breaks: {found.broken.hex()}\n{found.said}", err=True)
        if keep and found.broken is not None:
            corpus.keep_finding(name, found.broken)
        elif keep:
            corpus.keep(name, campaign.minimised(target))
    return status


if __name__ == "__main__":
    run_command.run(command)
