"""Games as data, one file a game and jurisdiction; `load` finds one by name.

Data alone here: what a coup pays is worked out by rules/settle.py, a round of cards by rules/cards.
"""

# Games of a wheel or a dish, whose rules have a layout.
WHEEL_GAMES = ("roulette_lu", "roulette_live", "boule_fr", "vingt_trois_fr")
CARD_GAMES = ("blackjack_lu", "blackjack_live", "baccarat_live", "punto_2000")
NAMES = WHEEL_GAMES + CARD_GAMES


def load(name: str, layout: dict | None = None) -> dict:  # type: ignore[type-arg]
    """Returns the rules called `name`, a copy. Raises KeyError for a name that there is not.

    `layout` (rules/layouts.py) stands in the place of the game's own.
    """
    if name not in NAMES:
        raise KeyError(name)
    module = __import__("rules." + name, None, None, ("RULES",))
    found: dict = dict(module.RULES)  # type: ignore[type-arg]
    if name in WHEEL_GAMES:
        found.update(layout or found["own_layout"])
    return found
