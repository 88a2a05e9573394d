"""`cylindre shift`: a supervisor says which croupier throws from now on."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import json_option, socket_option
from firmware.client.session import as_option
from firmware.client.signing import ask_as
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.language import Message, echo
from firmware.store.acts import CROUPIER_MAX


@click.command(
    epilog="""\b
    Examples:
      cylindre shift 4 --as klein
      cylindre shift 0 --as klein --pin-file /run/klein.pin
    """,
)
@click.argument("croupier", metavar="NUMBER", type=click.IntRange(0, CROUPIER_MAX))
@as_option()
@pin_file_option("--pin-file")
@socket_option
@json_option
def command(
    croupier: int, name: str, pin_file: Path | None, folder: Path | None, as_json: bool
) -> None:
    """Say that the croupier NUMBER throws from now on; 0: nobody says who does.

    It is a number of the house's own list, no name. The wheel records it in its journal where
    [health] has `croupiers = true`: then its health tells supervisors whose throws lead to like
    numbers (H13).
    """
    answer = ask_as(folder, name, pin_file, {"do": "shift", "croupier": croupier})
    if as_json:
        click.echo(json.dumps(answer))
    elif croupier:
        echo(Message("Recorded: croupier {} throws.", croupier))
    else:
        echo(Message("Recorded: it is not said who throws."))
