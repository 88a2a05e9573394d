"""`cylindre manual`: enter a number that could not be detected."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tools.ask import ask, json_option, socket_option


@click.command(
    short_help="Enter a number that could not be detected.",
    epilog="""\b
    Examples:
      cylindre manual 17
      cylindre manual 0 --socket /run/cylindre --json
    """,
)
@click.argument("number", type=int)
@socket_option
@json_option
def command(number: int, folder: Path | None, as_json: bool) -> None:
    """Enter NUMBER for the open coup, in the presence of a member of the management.

    Between the call and the result alone; the record says who entered it and that no sensor did.
    """
    answer = ask(folder, {"do": "manual", "number": number})
    click.echo(
        json.dumps(answer)
        if as_json
        else f"Accepted: {number} is official as soon as it is recorded."
    )
