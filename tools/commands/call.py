"""`cylindre call`: how far the running wheel has learned when to call."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import json_option, lang_option, socket_option


@click.group(
    epilog="""\b
    Examples:
      cylindre call status
      cylindre call status --lang fr
    """,
)
def command() -> None:
    """Ask about rien ne va plus. Why it came when it did in a coup, cylindre explain tells."""


@command.command(
    short_help="Coups learned, expected lead, and why.",
    epilog="""\b
    Examples:
      cylindre call status
      cylindre call status --socket /run/cylindre --json

    Exit codes: 0 ok, 1 failed, 2 usage, 3 no controller.
    """,
)
@socket_option
@lang_option
@json_option
def status(folder: Path | None, language: str, as_json: bool) -> None:
    """Say how many coups a running controller has learned from, how long before the drop of the
    ball its call is expected, and why not later.

    It is as the last coup left it: of a coup that is played nothing is told before the call. It
    takes the right to write to the controller's socket.
    """
    from firmware.client.ask import ask
    from firmware.text.call_status import sentences

    found = ask(folder, {"do": "status"})["status"]
    game, call = found.get("game"), found.get("call")
    if as_json:
        click.echo(json.dumps({"game": game, "call": call}))
        return
    for sentence in sentences(game, call, language):
        click.echo(sentence)
