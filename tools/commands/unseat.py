"""`cylindre unseat`: an employee signs off whoever sits at a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask, json_option, socket_option
from firmware.client.signing import Credential, signed
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.language import Message, echo


@click.command(
    epilog="""\b
    Examples:
      cylindre unseat 3 --employee anna --why "signed on with another's name"
      cylindre unseat 3 --employee anna --why "has left" --pin-file /run/anna.pin
    """,
)
@click.argument("terminal", type=int)
@click.option("--employee", metavar="NAME", required=True, help="Who of the house asks for it.")
@click.option("--why", metavar="TEXT", required=True, help="Why; the player reads it too.")
@pin_file_option("--pin-file")
@socket_option
@json_option
def command(
    terminal: int,
    employee: str,
    why: str,
    pin_file: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Sign off whoever sits at the terminal of address TERMINAL.

    Stakes that are not sealed yet go back to the player; those sealed at the call lie, and are
    settled. Whoever plays there next has to sign on. The journal says who asked for it, and why.
    """
    request = {"do": "unseat", "terminal": terminal, "why": why}
    answer = ask(folder, signed(folder, request, Credential("employee", employee, pin_file)))
    if as_json:
        click.echo(json.dumps(answer))
    else:
        echo(Message("Accepted: nobody sits at terminal {terminal} any more.", terminal=terminal))
