"""`cylindre call`: how far the running wheel has learned when to call."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import json_option, lang_option, socket_option
from tools.commands.cli_types import journal_option

CALLS = 50  # so many that the least of them says something: an hour of play


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
    short_help="Coups learned, why, and what the last calls reached.",
    epilog="""\b
    Examples:
      cylindre call status
      cylindre call status --socket /run/cylindre --json
      cylindre call status --journal coups.db

    Exit codes: 0 ok, 1 failed, 2 usage, 3 no controller.
    """,
)
@socket_option
@journal_option
@lang_option
@json_option
def status(folder: Path | None, path: Path | None, language: str, as_json: bool) -> None:
    """Say how many coups a running controller has learned from, why it calls no later, and how long
    before the ball left the track its last 50 calls came: the least and the median, each with its
    coup.

    What they reached is read from the journal, as the coups measured it afterwards. All is as the
    last coup left it: of a coup that is played nothing is told before the call. It takes the right
    to write to the controller's socket, and to read its journal.
    """
    from firmware.client.ask import ask
    from firmware.config.this_wheel import files_meant
    from firmware.lib.errors import Failure
    from firmware.text.call_status import measured, measured_sentences, sentences
    from firmware.text.journal_coup import last_leads

    reached = None if path is None else measured(last_leads(path, CALLS))
    found = ask(folder, {"do": "status"})["status"]
    game, call = found.get("game"), found.get("call")
    said = sentences(game, call, language)
    if call is not None:
        try:
            reached = reached or measured(last_leads(files_meant(folder).journal, CALLS))
            said += measured_sentences(reached, language)
        except Failure as failure:  # what was learned is known all the same
            said.append(failure.sentence)
    if as_json:
        click.echo(json.dumps({"game": game, "call": call, "measured": reached}))
        return
    for sentence in said:
        click.echo(sentence)
