"""`cylindre status`: how a running controller stands."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask_status, json_option, socket_option
from firmware.config.this_wheel import meant, name_of
from firmware.lib.language import echo


@click.command(
    epilog="""\b
    Examples:
      cylindre status
      cylindre status --socket /run/cylindre --json
    """,
)
@socket_option
@json_option
def command(folder: Path | None, as_json: bool) -> None:
    """Say in sentences how the table stands: coup, bets, rotor, last number, faults.

    Who may write to the controller's socket is told besides how far the call has learned.
    """
    from firmware.text.status_text import sentences

    sockets = meant(folder)
    status = ask_status(sockets)
    if as_json:
        click.echo(json.dumps(status))
        return
    for sentence in sentences(name_of(sockets), status):
        echo(sentence)
