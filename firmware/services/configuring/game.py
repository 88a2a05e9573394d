"""Whether the game that a configuration chooses is one that its board plays."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import boards
import rules
from firmware.config import KEYS, Config, ConfigError
from firmware.config.game import choose
from firmware.services.configuring.wrong import Wrong

_NAMED = re.compile(r"\[(\w+)\] (\w+): ")  # as firmware/config/game.py begins what it refuses


def check(config: Config, board: str) -> tuple[list[Wrong], dict[str, Any]]:
    """Every choice that the board called `board` refuses; and the rules, as far as they are known.

    What is refused is set aside, and the rest is chosen again.
    """
    wrong: list[Wrong] = []
    left = config
    while True:
        try:
            return wrong + _idle(config, board), choose(board, left).rules
        except ConfigError as error:
            refused = [_refused(sentence) for sentence in error.sentences]
        new = [one for one in refused if (one.section, one.key) not in {one[:2] for one in wrong}]
        wrong += new
        if not any(getattr(left, _field(one)) is not None for one in new):
            name = left.rules or boards.load(board)["rules"]
            return wrong + _idle(config, board), rules.load(name)
        aside: dict[str, Any] = {_field(one): None for one in new}
        left = replace(left, **aside)


def _refused(sentence: str) -> Wrong:
    named = _NAMED.match(sentence)
    if named is None:  # from the layout file, which it names itself
        return Wrong("game", "layout", sentence)
    return Wrong(named[1], named[2], f"{named[2]}: {sentence[named.end() :]}")


def _field(wrong: Wrong) -> str:
    (field,) = (key.field for key in KEYS if key[:2] == wrong[:2])
    return field


def _idle(config: Config, board: str) -> list[Wrong]:
    """What the wheel plays with, though it does nothing there."""
    found = boards.load(board)
    idle = []
    if config.target_rpm is not None and config.drive == "hand":
        text = 'target_rpm does nothing with drive = "hand": no motor turns the rotor.'
        idle.append(Wrong("rotor", "target_rpm", text, is_notice=True))
    if config.port is None and config.baud is not None and "displays" not in found["buses"]:
        text = f"baud does nothing without a port: {board} has no line of its own to displays."
        idle.append(Wrong("bus", "baud", text, is_notice=True))
    return idle
