"""`cylindre watch`: what a running controller tells, as it happens."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import events, json_option, socket_option
from firmware.config.this_wheel import meant, name_of
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import N_, echo
from firmware.lib.places import CONTROL, STATUS_ONLY


@click.command(
    epilog="""\b
    Examples:
      cylindre watch
      cylindre watch --public --json
    """,
)
@socket_option
@click.option(
    "--public",
    is_flag=True,
    help="Only what everybody may hear, from status.sock, in tenths of a second.",
)
@json_option
def command(folder: Path | None, public: bool, as_json: bool) -> None:
    """Print what happens at the table until interrupted, in sentences: the croupier's screen.

    It shows the number that btn_number has counted for manual entry, which no display does; that
    takes the right to write to the controller's socket.
    """
    from firmware.text.event_text import sentence_of

    sockets = meant(folder)
    name = name_of(sockets)
    for told in events(sockets, name=STATUS_ONLY if public else CONTROL):
        if as_json:
            click.echo(json.dumps(told, ensure_ascii=False))
        else:
            echo(sentence_of(name, told))
    raise Failure(FAILED, N_("The controller stopped."))
