"""Games as data, one file a game. `load` finds one by name."""

NAMES = ("european",)


def load(name: str) -> dict:  # type: ignore[type-arg]
    """The rules called `name`. Raises KeyError for a name that is not in NAMES."""
    if name not in NAMES:
        raise KeyError(name)
    module = __import__("rules." + name, None, None, ("RULES",))
    rules: dict = module.RULES  # type: ignore[type-arg]
    return rules


def colour(rules: dict, number: int) -> str:  # type: ignore[type-arg]
    """The colour of a number: "red", "black" or "green"."""
    if number == 0:
        return "green"
    return "red" if number in rules["red"] else "black"
