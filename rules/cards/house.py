"""What a house may choose of a card game: one row a key, with what the text says of it.

`ours`: the text is silent or leaves both ways open, and the default is what a house would expect.
A key with one value alone is played in that way alone: it says a decision, and refuses another.
"""

from collections import namedtuple

from rules.cards.errors import FORM, CardsError
from rules.limits import quoted

# `values`: what may be chosen, a tuple; ANY_COUNT: 0 or any number; ODDS: a table of odds.
HouseKey = namedtuple("HouseKey", ("name", "default", "values", "article", "ours", "says"))

ANY_COUNT = "count"
CENTS = "cents"
ODDS = "odds"
BOTH = (True, False)
COUNT_MAX = 1000
MARGINS = (9, 8, 7, 6, 5, 4)
CENTS_MAX = 10**9


def decided(name: str, article: str, says: str) -> HouseKey:
    """Returns a decision of ours that is played in one way alone, and says so."""
    return HouseKey(name, True, (True,), article, True, says)


def followers(article: str) -> "tuple[HouseKey, ...]":
    """Returns what a house may choose of bets behind a hand, wherever they are taken (seeds 003, s.
    2.9)."""
    return (
        HouseKey(
            "follow_insured",
            True,
            BOTH,
            article,
            True,
            "« seront assurés »: exactly when the seat is, in proportion, with the funds",
        ),
        decided(
            "follow_funds_again",
            article,
            "a follower who lacks the funds does not follow that one decision",
        ),
        decided(
            "follow_insured_first",
            article,
            "insurance takes of a follower's funds before doubles and splits, rounded down",
        ),
        decided(
            "follow_purse_a_seat",
            article,
            "funds that a bet behind names are for that seat alone",
        ),
        decided(
            "behind_empty_returned",
            article,
            "a stake behind a seat that is empty at the call is returned",
        ),
    )


def defaults(rules: dict) -> dict:  # type: ignore[type-arg]
    """Returns what a house plays that chooses nothing: every key of the game."""
    return {key.name: key.default for key in rules["house"]}


def chosen(rules: dict, given: "dict[str, object] | None") -> dict:  # type: ignore[type-arg]
    """Returns every key of the game, as `given` has it or as its default.

    Raises CardsError for a key of another game, or a value that the text does not leave open.
    """
    found = defaults(rules)
    if given is None:
        return found
    if not isinstance(given, dict):
        raise CardsError(FORM, 'house must be an object, as {"max_hands": 4}.')
    rows = {key.name: key for key in rules["house"]}
    for name in sorted([str(each) for each in given]):
        if name not in rows:
            known = ", ".join([key.name for key in rules["house"]]) or "none"
            raise CardsError(
                FORM, f"the house has no key {quoted(name)} in {rules['name']}: {known}.", name
            )
        found[name] = _value(rules, rows[name], given[name])
    return found


def _value(rules: dict, key: HouseKey, value: object) -> object:  # type: ignore[type-arg]
    article = key.article or FORM
    if key.values in (ANY_COUNT, CENTS):
        most = COUNT_MAX if key.values == ANY_COUNT else CENTS_MAX
        least = 0 if key.values == ANY_COUNT else 1
        if type(value) is not int or not least <= value <= most:
            raise CardsError(
                article, f"{key.name} must be a whole number from {least} to {most}.", key.name
            )
        return value
    if key.values == ODDS:
        return _odds(key, value)
    for allowed in key.values:
        # True is 1 for Python, and no number for JSON.
        if type(allowed) is type(value) and allowed == value:
            return value
    words = " or ".join([_word(allowed) for allowed in key.values])
    raise CardsError(
        article, f"{key.name} must be {words} at {rules['name']}: {key.says}.", key.name
    )


def _word(value: object) -> str:
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)


def _odds(key: HouseKey, value: object) -> "tuple[tuple[int, int], ...]":
    """Odds by margin: six of them from 9 down to 4, or {"9": 30, ..., "4": 1}.

    Returns pairs (margin, n of n:1), the greatest margin first.
    """
    found = []
    for at in range(len(MARGINS)):
        margin = MARGINS[at]
        odds: object = None
        if isinstance(value, dict) and len(value) == len(MARGINS):
            odds = value.get(str(margin), value.get(margin))
        elif isinstance(value, (list, tuple)) and len(value) == len(MARGINS):
            odds = value[at]
        if type(odds) is not int or not 0 < odds <= COUNT_MAX:
            raise CardsError(
                key.article,
                f"{key.name} must have a whole number from 1 to {COUNT_MAX} for each margin,"
                " from 9 down to 4, as [30, 10, 6, 4, 2, 1].",
                key.name,
            )
        found.append((margin, odds))
    return tuple(found)
