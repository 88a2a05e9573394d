"""Boards, configurations and games by the names a person typed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import boards
from boards.card_tables import is_card_table
from firmware.lib.errors import CONFIGURATION, USAGE, Failure
from firmware.lib.language import Message, listed, translated

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.config.game import Game


def load_board(name: str) -> dict[str, Any]:
    """Returns the board called `name`. Raises Failure, with the name that was likely meant."""
    try:
        return boards.load(name)
    except KeyError:
        import difflib  # here: most commands never need it

        known = boards.NAMES
        near = difflib.get_close_matches(name, known, n=1)
        hint = (
            Message('did you mean "{}"?', near[0])
            if near
            else Message("known: {}.", ", ".join(known))
        )
        raise Failure(USAGE, Message('There is no board "{}"; {}', name, hint)) from None


def read_config(path: Path | None) -> Config:
    """Returns the configuration in `path`, or what holds without one. Raises Failure."""
    from firmware.config import Config, ConfigError, load

    if path is None:
        return Config()
    try:
        return load(path)
    except ConfigError as error:
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error


def choose_game(name: str, config: Config) -> Game:
    """Returns the game that is played on the board called `name`. Raises Failure."""
    from firmware.config import ConfigError
    from firmware.config.game import choose

    load_board(name)
    try:
        return choose(name, config)
    except ConfigError as error:
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error


def check_wheel(game: Game) -> Game:
    """Returns the game where a ball is thrown. Raises Failure(USAGE) for that of a card table."""
    if is_card_table(game.board):
        text = Message(
            "{board} is a card table, and this is for a wheel. Name a wheel's board with --board;"
            " cylindre boards lists them.",
            board=game.board["name"],
        )
        raise Failure(USAGE, text)
    return game


def warn_unverified(game: Game) -> None:
    """Tells people, on standard error, where nobody has verified the order of the compartments."""
    if not game.rules.get("layout_verified", True):
        text = Message(
            "UNVERIFIED layout: no source gives the order of the cases of {rules}."
            " Give the establishment's own: [game] layout = FILE (cylindre rules shows it).",
            rules=game.rules["name"],
        )
        click.echo(translated(text), err=True)
