"""`cylindre status`: how a running controller stands."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask_status, json_option, socket_option
from firmware.lib.language import current, translated
from firmware.text.call_status import brief


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
    """Say what state the coup is in, which way the rotor turns, and the last number.

    Who may write to the controller's socket is told besides how far the call has learned.
    """
    status = ask_status(folder)
    if as_json:
        click.echo(json.dumps(status))
        return
    if status.get("call"):
        status["call"] = brief(**status["call"], language=current())
    labels = {key: translated(key.replace("_", " ")) for key in status}
    width = max(16, *map(len, labels.values()))
    for key, value in status.items():
        told = "-" if value is None else translated(str(value))
        click.echo(f"{labels[key]:<{width}} {told}")
