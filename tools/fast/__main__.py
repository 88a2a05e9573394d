"""`python -m tools.fast` (`make fast`): compiles the part of the sources that plays coups.

With --renew only where there is a compiled part that is not of these sources: what `make campaign`
and the benches do first. They go on all the same where it cannot be compiled, and play the sources.
"""

from __future__ import annotations

import sys

import click

from firmware.lib.errors import Failure
from tools.fast import build, part


@click.command()
@click.option("--renew", is_flag=True, help="Only where one is there, and not of these sources.")
def main(renew: bool) -> None:
    """Compile the core, the loop, the drivers and the simulator into .venv/fast."""
    why = part.difference()
    if why is None or (renew and not part.FOLDER.exists()):
        if not renew:
            click.echo(f"{part.FOLDER} is up to date.")
        return
    if renew:
        click.echo(f"The compiled part is not of these sources ({why}).", err=True)
    try:
        build.build()
    except Failure as failure:
        click.echo(failure.sentence, err=True)
        if not renew:
            sys.exit(failure.exit_code)


if __name__ == "__main__":
    main()
