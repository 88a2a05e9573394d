"""`cylindre employee`: who of the house is at the table of a semi-automatic game."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask, ask_status, json_option, socket_option
from firmware.client.signing import Credential, signed
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import Message, echo, translated
from firmware.text.event_text import names_of


@click.command(
    epilog="""\b
    Examples:
      cylindre employee on anna
      cylindre employee off anna --pin-file /run/anna.pin
      cylindre employee list
    """,
)
@click.argument("presence", type=click.Choice(["on", "off", "list"]), metavar="on|off|list")
@click.argument("name", required=False)
@pin_file_option("--pin-file")
@socket_option
@json_option
def command(
    presence: str, name: str | None, pin_file: Path | None, folder: Path | None, as_json: bool
) -> None:
    """Say that NAME has come to the table, or leaves it; or list who is there.

    Where stakes are placed at terminals, each coup needs one employee at least (Luxembourg,
    art. 20-1): without one no stake is taken.
    """
    if (presence == "list") != (name is None):
        raise Failure(USAGE, Message("Give on or off with a name, or list without one."))
    if name is None:
        present = ask_status(folder).get("employees") or []
        click.echo(json.dumps({"employees": present}) if as_json else translated(names_of(present)))
        return
    request = {"do": "employee", "present": presence == "on"}
    answer = ask(folder, signed(folder, request, Credential("employee", name, pin_file)))
    if as_json:
        click.echo(json.dumps(answer))
    elif presence == "on":
        echo(Message("Accepted: {name} is at the table.", name=name))
    else:
        echo(Message("Accepted: {name} has left the table.", name=name))
