"""`cylindre void`: declare the open coup void."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import ask, json_option, socket_option
from firmware.lib.language import N_, translated


@click.command(
    epilog="""\b
    Examples:
      cylindre void
      cylindre void --socket /run/cylindre --json
    """,
)
@socket_option
@json_option
def command(folder: Path | None, as_json: bool) -> None:
    """Declare the open coup void (coup nul): recorded, shown, and never skipped.

    Whoever may write to the controller's socket may do this.
    """
    answer = ask(folder, {"do": "void"})
    click.echo(
        json.dumps(answer)
        if as_json
        else translated(N_("Accepted: the coup is void as soon as that is recorded."))
    )
