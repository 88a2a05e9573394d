"""A table's limits as a display shows them: computed from the minimum that the controller tells."""

from typing import Any, NamedTuple

import rules
from firmware.text.display_words import EVERY_BET, SIMPLE, Words, bet
from rules.limits import WrongInput, names, open_table

# `bets`: whose maximum this is; `maximum_cents` None: there is none.
Limit = NamedTuple("Limit", [("bets", tuple[Words, ...]), ("maximum_cents", int | None)])
Limits = NamedTuple("Limits", [("minimum_cents", int), ("maxima", tuple[Limit, ...])])


def limits_of(table: Any) -> Limits | None:
    """The limits of a receiver's Table; None if it has none, or such as its rules forbid."""
    if table is None or table.rules not in rules.NAMES or not table.minimum_cents:
        return None
    game = rules.load(table.rules)
    try:
        opened = open_table(
            game, table.minimum_cents, dict(table.maxima), table.table_minimum_cents or None
        )
    except WrongInput:
        return None
    simple = {bet.name for bet in game["bets"] if bet.simple}
    found: list[Limit] = []
    for name in names(game):
        maximum = next(iter(opened.positions[name].values())).maximum_cents
        word = SIMPLE if name in simple else bet(name)
        if found and found[-1].maximum_cents == maximum:
            if word not in found[-1].bets:
                found[-1] = found[-1]._replace(bets=(*found[-1].bets, word))
        else:
            found.append(Limit((word,), maximum))
    if [limit.maximum_cents for limit in found] == [None]:
        found = [Limit((EVERY_BET,), None)]
    return Limits(opened.floor_cents, tuple(found))
