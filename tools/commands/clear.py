"""`cylindre clear`: clear a fault that locks the wheel."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask, json_option, socket_option
from firmware.lib.language import N_, translated


@click.command(
    epilog="""\b
    Examples:
      cylindre clear
      cylindre clear --socket /run/cylindre --json
    """,
)
@socket_option
@json_option
def command(folder: Path | None, as_json: bool) -> None:
    """Clear the fault that took the wheel out of play, once its cause is gone.

    Whoever may write to the controller's socket may do this.
    """
    answer = ask(folder, {"do": "clear"})
    click.echo(json.dumps(answer) if as_json else translated(N_("The fault is cleared.")))
