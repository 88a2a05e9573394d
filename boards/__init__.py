"""Machines as plain data, one file a board. `load` finds one by name."""

# fmt: off
# Boards of a wheel, a plate or a dish.
WHEELS = (
    "roulette_ref", "vingt_trois_ref", "boule_ref",
    "pi4", "pi5", "cm4", "zero2w", "vingt_trois_pi4", "boule_pi4",
)
CARD_TABLES = ("blackjack_ref", "baccarat_ref", "blackjack_pi4", "baccarat_pi4")
# fmt: on
NAMES = WHEELS + CARD_TABLES


def load(name: str, cups: int | None = None) -> dict:  # type: ignore[type-arg]
    """Returns the board called `name`; of a boule board that with so many cups.

    Raises KeyError for a name that there is not, ValueError for cups at another apparatus.
    """
    if name not in NAMES:
        raise KeyError(name)
    module = __import__("boards." + name, None, None, ("BOARD",))
    board: dict = module.BOARD  # type: ignore[type-arg]
    if cups is None:
        return board
    if "cups" not in board["geometry"]:
        raise ValueError(name + " has no cups")
    other: dict = module.board(cups)  # type: ignore[type-arg]
    return other
