"""`cylindre call`: how far the running wheel has learned when to call."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import json_option, lang_option, socket_option

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
@click.option(
    "--journal",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where its coups are recorded  [default: beside its sockets, or a device's]",
)
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
    from firmware.api.requests import CONTROL
    from firmware.client.ask import ask, path_of
    from firmware.lib.errors import Failure
    from firmware.lib.places import DEVICE_SOCKETS, DEVICE_STATE, JOURNAL
    from firmware.text.call_status import measured, measured_sentences, sentences
    from firmware.text.journal_coup import last_leads

    found = ask(folder, {"do": "status"})["status"]
    game, call = found.get("game"), found.get("call")
    said, reached = sentences(game, call, language), None
    if call is not None:
        beside = path_of(folder, CONTROL).parent
        own = (DEVICE_STATE if beside == DEVICE_SOCKETS else beside) / JOURNAL
        try:
            reached = measured(last_leads(path or own, CALLS))
            said += measured_sentences(reached, language)
        except Failure as failure:
            if path is not None:
                raise
            said.append(failure.sentence)  # what was learned is known all the same
    if as_json:
        click.echo(json.dumps({"game": game, "call": call, "measured": reached}))
        return
    for sentence in said:
        click.echo(sentence)
