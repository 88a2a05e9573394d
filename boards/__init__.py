"""Machines as plain data, one file a board. `load` finds one by name."""

NAMES = ("roulette_ref", "pi4", "pi5", "cm4", "zero2w")


def load(name: str) -> dict:  # type: ignore[type-arg]
    """The board called `name`. Raises KeyError for a name that is not in NAMES."""
    if name not in NAMES:
        raise KeyError(name)
    module = __import__("boards." + name, None, None, ("BOARD",))
    board: dict = module.BOARD  # type: ignore[type-arg]
    return board
