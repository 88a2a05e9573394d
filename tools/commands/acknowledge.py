"""`cylindre acknowledge`: a supervisor acknowledges a notice of the wheel's health."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import json_option, socket_option
from firmware.client.session import as_option
from firmware.client.signing import ask_as
from firmware.core.health.codes import ACKNOWLEDGED
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.language import Message, echo


@click.command(
    epilog="""\b
    Examples:
      cylindre acknowledge H12 --why "new frets come on Monday" --as klein
      cylindre acknowledge H20 --why "looked at, sound" --as klein --pin-file /run/klein.pin
    """,
)
@click.argument("code", type=click.Choice(ACKNOWLEDGED))
@click.option("--why", metavar="TEXT", required=True, help="Why the wheel plays on.")
@as_option()
@pin_file_option("--pin-file")
@socket_option
@json_option
def command(
    code: str,
    why: str,
    name: str,
    pin_file: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Acknowledge the notice CODE of a wheel's health, as a supervisor.

    It is told no more, and stays recorded. The journal has who acknowledged it, and why, signed.
    This also ends, of H12, what `gain = "hold"` in [health] holds back, and of H30 what is over:
    the wheel is judged again.
    """
    request = {"do": "acknowledge", "code": code, "why": why}
    answer = ask_as(folder, name, pin_file, request)
    if as_json:
        click.echo(json.dumps(answer))
    else:
        echo(Message("{code} is acknowledged.", code=code))
