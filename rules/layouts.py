"""The compartments of each apparatus, in layout order: clockwise seen from above.

Each layout is a dict: `layout`, the number of each compartment; `colours`, its colour;
`layout_source`; `layout_verified`, False where no source gives the order; `layout_hash`, that
of the file it was read from, or None. `problems` checks the numbers and colours of any layout.
"""

from boards.apparatus import either, of

# fmt: off
_REDS = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
_EUROPEAN = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)
EUROPEAN = {
    "layout": _EUROPEAN,
    "colours": tuple([
        "green" if number == 0 else "red" if number in _REDS else "black" for number in _EUROPEAN
    ]),
    "layout_source": "the order of every European cylinder",
    "layout_verified": True,
    "layout_hash": None,
}

_BOULE_REDS = (2, 4, 7, 9)


def boule(cups: int) -> dict:  # type: ignore[type-arg]
    """Returns a dish of 9, 18 or 36 cups.

    1 to 9 around it, so often that each number faces itself.
    """
    numbers = tuple(range(1, 10)) * (cups // 9)
    return {
        "layout": numbers,
        "colours": tuple([
            "yellow" if number == 5 else "red" if number in _BOULE_REDS else "black"
            for number in numbers
        ]),
        "layout_source": "usual of boule dishes: 1 to 9 in order"
        + (", each number facing itself" if cups > 9 else ""),
        "layout_verified": True,
        "layout_hash": None,
    }


# Three rounds of a white 13 and eight cases in turn red and black: ours, no source gives the order.
_R, _B, _W = "red", "black", "white"
_CASES = (
    (13, _W), (1, _R), (5, _B), (12, _R), (9, _B), (7, _R), (14, _B), (10, _R), (6, _B),
    (13, _W), (3, _R), (8, _B), (14, _R), (11, _B), (5, _R), (12, _B), (9, _R), (2, _B),
    (13, _W), (6, _R), (7, _B), (11, _R), (4, _B), (8, _R), (14, _B), (12, _R), (10, _B),
)
VINGT_TROIS = {
    "layout": tuple([number for number, _ in _CASES]),
    "colours": tuple([colour for _, colour in _CASES]),
    "layout_source": "none is known: this order is ours",
    "layout_verified": False,
    "layout_hash": None,
}
# fmt: on


def problems(
    apparatus: str,
    numbers: "tuple[int | None, ...] | list[int | None]",
    colours: "tuple[str | None, ...] | list[str | None]",
) -> "list[tuple[int | None, str]]":
    """Returns what is wrong with a layout: the compartment (None: the whole) and a sentence for
    each.

    With too many compartments or too few, what follows from that (a number that stands too often or
    not at all) is not said beside it. A number or colour that is None was told before: what it may
    stand for is not said to be missing.
    """
    counts = of(apparatus).compartments
    rule = of(apparatus).article
    _, _, further = _CHECKS[apparatus]
    found: list[tuple[int | None, str]] = []
    if len(numbers) not in counts:
        wanted = either(counts)
        found.append((None, f"There are {len(numbers)} compartments, not {wanted} ({rule})."))
        found.extend(_unknown(apparatus, numbers, rule))
        return found
    if len(colours) != len(numbers):
        found.append((None, f"There are {len(colours)} colours for {len(numbers)} compartments."))
    miscounted = _unknown(apparatus, numbers, rule) + _miscounted(apparatus, numbers, rule)
    found.extend(miscounted)
    found.extend(_miscoloured(apparatus, numbers, colours))
    found.extend(further(numbers, colours, miscounted))
    return found


def _unknown(
    apparatus: str, numbers: "tuple[int | None, ...] | list[int | None]", rule: str
) -> "list[tuple[int | None, str]]":
    """Numbers that the apparatus does not have."""
    low, high = of(apparatus).numbers
    return [
        (at, f"There is no number {number} ({rule}).")
        for at, number in enumerate(numbers)
        if number is not None and not low <= number <= high
    ]


def _miscounted(
    apparatus: str, numbers: "tuple[int | None, ...] | list[int | None]", rule: str
) -> "list[tuple[int | None, str]]":
    """Numbers that stand too often, or not often enough."""
    found: list[tuple[int | None, str]] = []
    low, high = of(apparatus).numbers
    times, _, _ = _CHECKS[apparatus]
    for number in range(low, high + 1):
        wanted = times(number, len(numbers))
        where = [at for at in range(len(numbers)) if numbers[at] == number]
        if len(where) > wanted:
            found.append((where[wanted], f"{_stands(number, len(where))}, not {wanted} ({rule})."))
        elif len(where) < wanted and None not in numbers:
            found.append((None, f"{_stands(number, len(where))}, not {wanted} ({rule})."))
    return found


def _stands(number: int, times: int) -> str:
    return f"Number {number} stands {times} time{'' if times == 1 else 's'}"


def _miscoloured(
    apparatus: str,
    numbers: "tuple[int | None, ...] | list[int | None]",
    colours: "tuple[str | None, ...] | list[str | None]",
) -> "list[tuple[int | None, str]]":
    low, high = of(apparatus).numbers
    _, colours_of, _ = _CHECKS[apparatus]
    found: list[tuple[int | None, str]] = []
    for at in range(min(len(numbers), len(colours))):
        number, colour = numbers[at], colours[at]
        if number is None or colour is None or not low <= number <= high:
            continue
        allowed = colours_of(number)
        if colour not in allowed:
            names = " or ".join(allowed)
            found.append((at, f"Number {number} is {names}, not {colour}."))
    return found


def _nothing_further(
    numbers: "tuple[int | None, ...] | list[int | None]",
    colours: "tuple[str | None, ...] | list[str | None]",
    miscounted: "list[tuple[int | None, str]]",
) -> "list[tuple[int | None, str]]":
    """A roulette's order is free."""
    return []


def _unbalanced(
    numbers: "tuple[int | None, ...] | list[int | None]",
    colours: "tuple[str | None, ...] | list[str | None]",
    miscounted: "list[tuple[int | None, str]]",
) -> "list[tuple[int | None, str]]":
    """Numbers of vingt-trois that are not as often red as black; of miscounted ones none."""
    found: list[tuple[int | None, str]] = []
    if miscounted:
        return found
    seen: dict[tuple[bool, int, str], int] = {}
    for at in range(min(len(numbers), len(colours))):
        number, colour = numbers[at], colours[at]
        if number is None or colour is None or number < 5 or number == 13:
            continue
        together = number > 11  # 12 and 14 share three red and three black
        group = (together, 0 if together else number, colour)
        seen[group] = seen.get(group, 0) + 1
        if seen[group] == (4 if together else 2):
            who = "12 and 14 together are" if together else f"Number {number} is"
            often = "three times" if together else "once"
            found.append((at, f"{who} {often} red and {often} black."))
    return found


def _not_opposite(
    numbers: "tuple[int | None, ...] | list[int | None]",
    colours: "tuple[str | None, ...] | list[str | None]",
    miscounted: "list[tuple[int | None, str]]",
) -> "list[tuple[int | None, str]]":
    """Cups of a dish that do not face their own number; of nine each has its own."""
    found: list[tuple[int | None, str]] = []
    if len(numbers) <= 9:
        return found
    half = len(numbers) // 2
    for at in range(half):
        here, there = numbers[at], numbers[at + half]
        if here != there and None not in (here, there):
            why = f"It has {there} and faces compartment {at}, which has {here}"
            found.append((at + half, f"{why}: each number faces itself."))
    return found


# How often a number stands in a layout of so many compartments.


def _once(number: int, compartments: int) -> int:
    return 1


def _all_alike(number: int, compartments: int) -> int:
    return compartments // 9


def _one_to_three(number: int, compartments: int) -> int:
    return 1 if number <= 4 else 2 if number <= 11 else 3


# What colours a number may have.


def _roulette_colours(number: int) -> "tuple[str, ...]":
    return ("green",) if number == 0 else ("red",) if number in _REDS else ("black",)


def _boule_colours(number: int) -> "tuple[str, ...]":
    return ("yellow",) if number == 5 else ("red",) if number in _BOULE_REDS else ("black",)


def _vingt_trois_colours(number: int) -> "tuple[str, ...]":
    if number == 13:
        return ("white",)
    if number <= 4:
        return ("red",) if number % 2 else ("black",)
    return ("red", "black")


# Of each apparatus: how often a number stands, its colours, and what else must hold.
_CHECKS = {
    "roulette": (_once, _roulette_colours, _nothing_further),
    "vingt_trois": (_one_to_three, _vingt_trois_colours, _unbalanced),
    "boule": (_all_alike, _boule_colours, _not_opposite),
}
