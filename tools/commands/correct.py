"""`cylindre correct`: correct a disputed result, by a new record of two people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from firmware.service.requests import COLOURS
from tools.ask import ask, json_option, socket_option
from tools.exits import USAGE, Failure
from tools.pin_entry import ask_pin, pin_file_option


@click.command(
    short_help="Correct a disputed result.",
    epilog="""\b
    Examples:
      cylindre correct 41 17 --croupier anna --management weber --why "film of camera 3"
      cylindre correct 41 --void --croupier anna --management weber --why "two balls on the film"

    Both PINs are asked for, the croupier's first. Without a terminal they are two lines of
    standard input. cylindre people add NAME --role ROLE gives somebody a PIN.
    """,
)
@click.argument("coup", type=click.IntRange(min=1))
@click.argument("number", type=int, required=False)
@click.option("--void", is_flag=True, help="The coup is to be void.")
@click.option(
    "--colour", type=click.Choice(COLOURS), help="Where the number has several (vingt-trois)."
)
@click.option("--croupier", required=True, metavar="NAME", help="Who corrects.")
@click.option("--management", required=True, metavar="NAME", help="Who of the management agrees.")
@click.option("--why", required=True, metavar="TEXT", help="Why it was wrong.")
@pin_file_option("--croupier-pin-file", "the croupier's PIN")
@pin_file_option("--management-pin-file", "the other's PIN")
@socket_option
@json_option
def command(
    coup: int,
    number: int | None,
    void: bool,
    colour: str | None,
    croupier: str,
    management: str,
    why: str,
    croupier_pin_file: Path | None,
    management_pin_file: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Correct COUP, which has ended: NUMBER stands for it from now on, or it is void.

    What was recorded stays as it is: a new record of both people names what it corrects. Displays
    show the new number if they still show the old. What was paid is not paid again: see
    cylindre settle --journal.
    """
    if void == (number is not None):
        raise Failure(USAGE, "Give the number that stands for the coup, or --void.")
    request: dict[str, Any] = {
        "do": "correct",
        "coup": coup,
        "number": number,
        "why": why,
        "croupier": {"name": croupier, "pin": ask_pin(croupier, croupier_pin_file)},
        "management": {"name": management, "pin": ask_pin(management, management_pin_file)},
    }
    if colour is not None:
        request["colour"] = colour
    answer = ask(folder, request)
    outcome = "void" if number is None else str(number)
    said = f"Accepted: coup {coup} is {outcome} as soon as that is recorded."
    click.echo(json.dumps(answer) if as_json else said)
