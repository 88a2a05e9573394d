"""`cylindre table`: the virtual wheel and its display, side by side."""

from __future__ import annotations

import click


@click.command(
    short_help="Play here: virtual wheel and display together.",
    epilog="""\b
    Examples:
      cylindre table
      cylindre table --wheel W2 --seed 7 --coups 3

    Exit codes: 0 all coups played or SIGTERM, 1 failed, 130 interrupted.
    """,
)
@click.option("--seed", type=click.IntRange(min=0), help="The wheel's seed  [default: any]")
@click.option("--wheel", type=click.Choice(["W1", "W2"]), help="The wheel  [default: W1]")
@click.option("--coups", type=click.IntRange(min=1), help="Stop after so many  [default: never]")
@click.pass_context
def command(ctx: click.Context, seed: int | None, wheel: str | None, coups: int | None) -> None:
    """Play on the built-in wheel in real time, with the table display in this terminal.

    Controller and display are two processes joined by a real pseudo-terminal. What the controller
    says goes to var/roulette_ref/run.log; its journal and sockets lie there too.
    """
    from tools.places import STATE_FOLDER
    from tools.table import BOARD, play_table

    options = []
    for name, value in (("--seed", seed), ("--wheel", wheel), ("--coups", coups)):
        if value is not None:
            options += [name, str(value)]
    ctx.exit(play_table(options, STATE_FOLDER / BOARD))
