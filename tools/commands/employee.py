"""`cylindre employee`: who of the house is at the table of a semi-automatic game."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask, json_option, socket_option
from firmware.keys.pin_entry import ask_pin, pin_file_option
from firmware.lib.language import Message, echo


@click.command(
    short_help="Say who of the house is at the table.",
    epilog="""\b
    Examples:
      cylindre employee on anna
      cylindre employee off anna --pin-file /run/anna.pin
    """,
)
@click.argument("presence", type=click.Choice(["on", "off"]), metavar="on|off")
@click.argument("name")
@pin_file_option("--pin-file")
@socket_option
@json_option
def command(
    presence: str, name: str, pin_file: Path | None, folder: Path | None, as_json: bool
) -> None:
    """Say that NAME has come to the table, or leaves it.

    Where stakes are placed at terminals, each coup needs one employee at least (Luxembourg,
    art. 20-1): without one no stake is taken.
    """
    signer = {"name": name, "pin": ask_pin(name, pin_file)}
    request = {"do": "employee", "present": presence == "on", "employee": signer}
    answer = ask(folder, request)
    if as_json:
        click.echo(json.dumps(answer))
    elif presence == "on":
        echo(Message("Accepted: {name} is at the table.", name=name))
    else:
        echo(Message("Accepted: {name} has left the table.", name=name))
