"""`python -m tools.fast` (`make fast`): compiles the part of the sources that plays coups.

With --renew only where there is a compiled part that is older than its sources: what `make
campaign` and the benches do first.
"""

from __future__ import annotations

import sys

import click

from firmware.lib.errors import FAILED, Failure
from tools.fast import build, part


@click.command()
@click.option("--renew", is_flag=True, help="Only where one is there, and older than its sources.")
def main(renew: bool) -> None:
    """Compile the core, the loop, the drivers and the simulator into .venv/fast."""
    why = part.difference()
    if why is None or (renew and not part.FOLDER.exists()):
        if not renew:
            click.echo(f"{part.FOLDER} is up to date.")
        return
    if renew:
        click.echo(f"The compiled part is older than its sources ({why}).", err=True)
    try:
        build.build()
    except Failure as failure:
        click.echo(failure.sentence, err=True)
        sys.exit(FAILED)


if __name__ == "__main__":
    main()
