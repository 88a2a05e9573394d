"""The limits that a configuration gives a table, and what a director signs who changes them.

Luxembourg art. 37-3: "le directeur responsable a la possibilité d'augmenter en cours de saison,
pour tout ou partie des tables, le minimum des mises fixé par l'arrêté d'autorisation".
"""

from __future__ import annotations

import datetime
import hashlib
import json
from typing import Any, NamedTuple

import boards
import rules
from firmware.config.keys import Config
from firmware.config.season import day_of
from rules import minimum
from rules.limits import WrongInput
from rules.minimum import Opening

ACT = "limits"  # what the journal calls a director's signature


class LimitsChange(NamedTuple):
    """Limits other than those in force."""

    sha256: str  # of the new ones
    summary: str  # what is new of them
    law: str  # what the game's text says of who may, to begin a sentence with
    must: bool  # whether a table plays with others, so that a director has to sign them


def opening(game: dict[str, Any], config: Config, day: int) -> Opening:
    """Returns the opening of a table with the limits of a configuration that has a minimum.

    Raises WrongInput for what the regulation forbids whenever it is chosen.
    """
    assert config.stakes_minimum_cents is not None
    return minimum.opening(
        game,
        day=day,
        season=config.season,
        minimum_cents=config.stakes_minimum_cents,
        table_minimum_cents=config.stakes_table_minimum_cents,
        maximum_multiples=config.maxima,
        season_from=day_of(config.season_from),
        season_to=day_of(config.season_to),
    )


def digest(opened: Opening) -> str:
    """Returns the SHA-256, in hexadecimal, of its limits: the opening's body without the day, as
    JSON with its keys sorted, no blanks, ASCII.
    """
    text = json.dumps(_said(opened), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def law(game: dict[str, Any]) -> str:
    """Returns what the game's text says of who may change limits, to begin a sentence with.

    It is empty where the text names nobody.
    """
    quote = game["director"]
    return f"{game['articles']['limits']}: « {quote} » : " if quote else ""


def change(before: Config, after: Config, board: str | None = None) -> LimitsChange | None:
    """Returns how the limits of `after`, which has no mistake, differ from those of `before`; None
    if they do not, or are none, or no board says of which game.

    `board`: stands before the configuration's own.
    """
    was, becomes = _limits(before, board), _limits(after, board)
    if becomes is None or (was is not None and _said(was) == _said(becomes)):
        return None
    old, new = {} if was is None else _flat(was), _flat(becomes)
    news = [f"{key} {new.get(key) or '-'}" for key in old | new if old.get(key) != new.get(key)]
    game = rules.load(becomes.rules)
    return LimitsChange(digest(becomes), ", ".join(news), law(game), was is not None)


def _limits(config: Config, board: str | None) -> Opening | None:
    name = board or config.board
    played = config.rules or (None if name is None else boards.load(name)["rules"])
    if config.stakes_minimum_cents is None or played is None:
        return None
    try:
        return opening(rules.load(played), config, 0)
    except WrongInput:  # no table has opened so
        return None


def _said(opened: Opening) -> dict[str, Any]:
    body: dict[str, Any] = dict(minimum.body(opened))
    del body["day"]
    return body


def _flat(opened: Opening) -> dict[str, Any]:
    """Returns the limits as people read them, by the keys of a configuration."""
    found = _said(opened)
    multiples: dict[str, Any] = found.pop("maximum_multiples")
    for key in ("season_from", "season_to"):
        if key in found:
            found[key] = datetime.date.fromordinal(found[key]).isoformat()
    return found | multiples
