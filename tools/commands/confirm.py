"""`cylindre confirm`: confirm the detected number."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask, json_option, socket_option
from firmware.lib.language import N_, translated


@click.command(
    epilog="""\b
    Examples:
      cylindre confirm
      cylindre confirm --socket /run/cylindre --json
    """,
)
@socket_option
@json_option
def command(folder: Path | None, as_json: bool) -> None:
    """Make the detected number official, where the croupier confirms.

    Whoever may write to the controller's socket may do this.
    """
    answer = ask(folder, {"do": "confirm"})
    click.echo(
        json.dumps(answer)
        if as_json
        else translated(N_("Accepted: the number is official as soon as it is recorded."))
    )
