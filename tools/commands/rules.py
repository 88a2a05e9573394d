"""`cylindre rules`: what a game pays, its limits and its announcements, for a croupier to check."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.lib.language import N_, echo, translated


@click.command(
    epilog="""\b
    Examples:
      cylindre rules
      cylindre rules roulette_lu
      cylindre rules vingt_trois_fr --layout our_cases.toml
      cylindre rules boule_fr --json
      cylindre rules blackjack_lu
    """,
)
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
@click.option(
    "--layout",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The establishment's own order of compartments (TOML), checked.",
)
def command(game: str | None, as_json: bool, layout: Path | None) -> None:
    """List the games; with the name of one, its bets, limits, announcements and layout.

    Of a card game: its decks, and every decision that a house may turn, with its article.

    An order of the compartments that no source gives is marked UNVERIFIED; an establishment's own
    file takes its place.
    """
    import rules
    from firmware.lib.errors import USAGE, Failure
    from tools.journal import card_rulebook, rulebook
    from tools.journal.settling import load_rules

    if game is None:
        if layout is not None:
            raise Failure(
                USAGE, N_("--layout needs the GAME it is for: cylindre rules GAME --layout")
            )
        for name in rules.NAMES:
            book = card_rulebook if name in rules.CARD_GAMES else rulebook
            found = rules.load(name)
            line = json.dumps(book.as_object(found)) if as_json else book.title_line(found)
            click.echo(line if as_json else translated(line))
        return
    book = card_rulebook if game in rules.CARD_GAMES else rulebook
    found = load_rules(game, layout, USAGE)
    if as_json:
        click.echo(json.dumps(book.as_object(found)))
        return
    for line in book.text_lines(found):
        echo(line)
