"""`cylindre manual`: enter a number that could not be detected."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.service.requests import COLOURS
from tools.ask import ask, json_option, socket_option
from tools.pin_entry import ask_pin, pin_file_option


@click.command(
    short_help="Enter a number that could not be detected.",
    epilog="""\b
    Examples:
      cylindre manual 17 --croupier anna --management weber --why "ring sensor 2 dark"
      cylindre manual 5 --colour red --croupier anna --management weber --why "plate stopped"

    Both PINs are asked for, the croupier's first. Without a terminal they are two lines of
    standard input. cylindre people add NAME --role ROLE gives somebody a PIN.
    """,
)
@click.argument("number", type=int)
@click.option(
    "--colour", type=click.Choice(COLOURS), help="Where the number has several (vingt-trois)."
)
@click.option("--croupier", required=True, metavar="NAME", help="Who enters the number.")
@click.option("--management", required=True, metavar="NAME", help="Who of the management is there.")
@click.option("--why", required=True, metavar="TEXT", help="Why it could not be detected.")
@pin_file_option("--croupier-pin-file", "the croupier's PIN")
@pin_file_option("--management-pin-file", "the other's PIN")
@socket_option
@json_option
def command(
    number: int,
    colour: str | None,
    croupier: str,
    management: str,
    why: str,
    croupier_pin_file: Path | None,
    management_pin_file: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Enter NUMBER for the open coup, in the presence of a member of the management.

    For a coup whose call or number could not be detected (manual mode, art. 67-5 of the French
    arrêté of 14 May 2007). The record says who, and why.
    """
    request = {
        "do": "manual",
        "number": number,
        "why": why,
        "croupier": {"name": croupier, "pin": ask_pin(croupier, croupier_pin_file)},
        "management": {"name": management, "pin": ask_pin(management, management_pin_file)},
    }
    if colour is not None:
        request["colour"] = colour
    answer = ask(folder, request)
    click.echo(
        json.dumps(answer)
        if as_json
        else f"Accepted: {number} is official as soon as it is recorded."
    )
