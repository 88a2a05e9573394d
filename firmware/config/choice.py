"""Boards, configurations and games by the names a person typed."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import boards
from tools.exits import CONFIGURATION, USAGE, Failure

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.game import Game


def load_board(name: str) -> dict[str, Any]:
    """The board called `name`. Raises Failure, with the name that was likely meant."""
    try:
        return boards.load(name)
    except KeyError:
        near = difflib.get_close_matches(name, boards.NAMES, n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(boards.NAMES)}."
        raise Failure(USAGE, f'There is no board "{name}"; {hint}') from None


def read_config(path: Path | None) -> Config:
    """The configuration in `path`, or what holds without one. Raises Failure."""
    from firmware.config import Config, ConfigError, load

    if path is None:
        return Config()
    try:
        return load(path)
    except ConfigError as error:
        raise Failure(CONFIGURATION, "\n".join(error.sentences)) from error


def choose_game(name: str, config: Config) -> Game:
    """The game that is played on the board called `name`. Raises Failure."""
    from firmware.config import ConfigError
    from firmware.game import choose

    load_board(name)
    try:
        return choose(name, config)
    except ConfigError as error:
        raise Failure(CONFIGURATION, "\n".join(error.sentences)) from error


def check_preset(preset: str | None, board: dict[str, Any]) -> str:
    """The virtual wheel to play on; the first of the board's apparatus if none is named.

    Raises Failure for one of another apparatus.
    """
    from tools.sim.table import presets

    known = presets(board["apparatus"])
    if preset is None:
        return known[0]
    if preset not in known:
        text = f'There is no wheel "{preset}" for {board["name"]}; known: {", ".join(known)}.'
        raise Failure(USAGE, text)
    return preset


def check_pace(pace: int, board: dict[str, Any], wheel_port: str | None = None) -> None:
    """Raises Failure for a pace that no wheel goes, and for one that is not asked of ours."""
    from tools.sim.pace import PACE_MAX

    if not 1 <= pace <= PACE_MAX:
        raise Failure(USAGE, f"--pace {pace}: a wheel goes 1 to {PACE_MAX} times as fast.")
    if pace == 1:
        return
    if board["provider"] != "virtual":
        text = f"--pace is for a virtual wheel; {board['name']} has a real one."
        raise Failure(USAGE, text)
    if wheel_port is not None:
        raise Failure(USAGE, "The wheel at --wheel-port has its own clock: give no --pace.")


def warn_unverified(game: Game) -> None:
    """Tells people, on standard error, where nobody has verified the order of the compartments."""
    if not game.rules["layout_verified"]:
        text = (
            f"UNVERIFIED layout: no source gives the order of the cases of {game.rules['name']}."
            " Give the establishment's own: [game] layout = FILE (cylindre rules shows it)."
        )
        click.echo(text, err=True)
