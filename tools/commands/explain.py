"""`cylindre explain`: why the call of a coup came when it did; a round of cards told whole."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import json_option, lang_option, socket_option
from tools.commands.cli_types import journal_option


@click.command(
    epilog="""\b
    Examples:
      cylindre explain 12
      cylindre explain 12 --lang fr
      cylindre explain 12 --journal var/roulette_ref/journal.db --json

    All of a coup, votes and people too: cylindre journal show.

    Exit codes: 0 ok, 1 nothing to be told, 2 usage, 3 no wheel is here, 4 configuration.
    """,
)
@click.argument("coup", type=click.IntRange(min=1))
@journal_option
@socket_option
@lang_option
@json_option
def command(
    coup: int, path: Path | None, folder: Path | None, language: str, as_json: bool
) -> None:
    """Tell in a few lines why rien ne va plus came when it did in COUP.

    Read from the journal, while the wheel plays or not. Times are seconds since the coup began.
    A round of a card table is told whole: its shoe, stakes, cards, decisions and payments; that
    they are those that were sealed is checked.
    """
    from firmware.config.this_wheel import files_meant
    from firmware.text import explanation
    from firmware.text.journal_coup import find, of_its_kind

    path = path or files_meant(folder).journal
    with of_its_kind(path):
        told, lines = explanation.object_and_lines(path, find(path, coup), language)
    if as_json:
        told["lines"] = lines
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    for line in lines:
        click.echo(line)
