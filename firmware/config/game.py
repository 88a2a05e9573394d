"""Which game is played on which board: what the configuration chooses, checked against the board.

The layout comes from the rules, from the number of cups of a dish, or from an establishment's own
file (firmware/config/layout_file.py).
"""

from pathlib import Path
from typing import Any, NamedTuple

import boards
import rules
from boards.card_tables import is_card_table
from firmware.config import KEYS, Config, ConfigError
from firmware.config.keys import MANY, Key
from firmware.config.layout_file import LayoutError, load
from firmware.lib.language import Message, listed
from rules import layouts

_OF_CARDS = ("cards", "house", "side_bets")
_OF_A_WHEEL = ("call", "manual", "pace", "maxima", "level", "health")
_KEYS_OF_A_WHEEL = frozenset(
    (key.section, key.name)
    for key in KEYS
    if key.name == "layout"
    or (key.section == "stakes" and key.name not in ("minimum_cents", "terminals"))
)


class Game(NamedTuple):
    """A board of boards/, and rules of rules/ with the layout that lies on it."""

    board: dict[str, Any]
    rules: dict[str, Any]


def choose(board: str, config: Config) -> Game:
    """Returns the game on the board called `board`.

    Raises KeyError for an unknown board, ConfigError for choices that do not go together.
    """
    foreign = _foreign(boards.load(board), config)
    if foreign:
        raise ConfigError(foreign)
    found = boards.load(board, config.cups)
    if is_card_table(found):
        from firmware.config import card_game  # a wheel never needs it

        game = Game(found, card_game.choose_rules(found, config))
        card_game.check_reader(game, config)
        card_game.check_followers(game, config)
        card_game.open_card_table(game, config)
        return game
    name = config.rules or found["rules"]
    layout = _layout(found, config)
    played = [known for known in rules.WHEEL_GAMES if _is_played(known, found)]
    if name not in played:
        sentence = Message(
            "[game] rules: {name} is not played on {board}; use {names}.",
            name=name,
            board=board,
            names=listed(played, Message(" or ")),
        )
        raise ConfigError([sentence])
    chosen = rules.load(name, layout)
    if found["provider"] != "virtual" and not chosen["layout_verified"]:
        # A wrong order is a wrong number at every coup, and no sensor can notice.
        sentence = Message(
            "[game] layout: nobody has verified the order of the cases of {name}. Give the"
            ' establishment\'s own as a file: layout = "cases.toml".',
            name=name,
        )
        raise ConfigError([sentence])
    return Game(found, chosen)


def _is_played(name: str, board: dict[str, Any]) -> bool:
    """Tells whether the rules called `name` are for the board's apparatus and compartments."""
    game = rules.load(name)
    if game["apparatus"] != board["apparatus"]:
        return False
    return "cups" in board["geometry"] or len(game["layout"]) == _compartments(board)


def _compartments(board: dict[str, Any]) -> int:
    """Counts the compartments of a board: its cups, or those of the rules it is made for."""
    cups: int | None = board["geometry"].get("cups")
    return len(rules.load(board["rules"])["layout"]) if cups is None else cups


def _foreign(board: dict[str, Any], config: Config) -> list[str]:
    """Returns the keys given that mean nothing on this board, a sentence each: they would do
    nothing.
    """
    return [
        Message(
            "[{section}] {name}: {board} {lacks}. Leave the key out.",
            section=key.section,
            name=key.name,
            board=board["name"],
            lacks=lacks,
        )
        for key in KEYS
        if (lacks := _lacks(key, board)) is not None and _is_given(key, config)
    ]


def _lacks(key: Key, board: dict[str, Any]) -> Message | None:
    """Returns why a key means nothing on this board, a clause; None: it means something."""
    if key.section == "boule" and "cups" not in board["geometry"]:
        return Message("is no boule board")
    if key.section == "rotor" and board["rotor"] == "none":
        return Message("has no rotor")
    if not is_card_table(board):
        return Message("is no card table") if key.section in _OF_CARDS else None
    if key.section in _OF_A_WHEEL or (key.section, key.name) in _KEYS_OF_A_WHEEL:
        return Message("is a card table")
    return None


def _is_given(key: Key, config: Config) -> bool:
    """Tells whether the house chose something by this key."""
    value = getattr(config, key.field)
    if key.section in MANY:
        return key.name in (value or {})
    return bool(value != getattr(Config, key.field))


def _layout(board: dict[str, Any], config: Config) -> dict[str, Any] | None:
    """The layout that stands in the place of the game's own, or None."""
    cups = board["geometry"].get("cups")
    if config.layout is not None:
        try:
            return load(Path(config.layout), board["apparatus"], _compartments(board))
        except LayoutError as error:
            raise ConfigError(error.sentences) from None
    return None if cups is None else layouts.boule(cups)
