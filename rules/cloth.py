"""The cloth: which bets a game knows, on which numbers each may lie, and which it covers.

Roulette's cloth has three columns and twelve rows, the zero above the first row:

         0
     1   2   3
     4   5   6   ...
"""

from collections import namedtuple

# One bet of a game. `among`: the first and last number it may lie on (a plein, a cheval) or cover
# (a chance). `pays`: what a stake wins, (35, 1) for 35 times. `multiples`: the regulation's lowest
# and highest maximum, in minima; None where the configuration sets it. `simple`: a simple chance,
# which suffers from the special number. A game may have several rows for one bet (vingt-trois).
Bet = namedtuple("Bet", ("name", "among", "pays", "multiples", "simple"))

# A simple chance covers compartments of its colour, or numbers.
COLOURS = {"rouge": "red", "noir": "black"}
# fmt: off
_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 6: "six"}
# How many entries `on` has, and what they are.
_NUMBERS = {"plein": 1, "cheval": 2, "transversale": 3, "carre": 4, "sixain": 6}
_BLOCKS = {"douzaine": (1, "dozens"), "colonne": (1, "columns"),
           "deux_douzaines": (2, "dozens"), "deux_colonnes": (2, "columns")}
# What is wrong with numbers that are no position; {} stands for them.
_NO_POSITION = {
    "plein": "there is no {} on the cloth",
    "cheval": "{} are not neighbours on the cloth",
    "transversale": "{} are not a row of the cloth",
    "carre": "{} do not meet in one corner of the cloth",
    "sixain": "{} are not two neighbouring rows of the cloth",
}
# fmt: on


def positions(bet: Bet) -> "list[tuple[int, ...]]":
    """Returns every place on the cloth where this bet may lie: its `on`."""
    first, last = bet.among
    if bet.name == "plein":
        return [(number,) for number in range(first, last + 1)]
    if bet.name in _NUMBERS:
        return [on for on in _shapes(bet.name) if first <= on[0]]
    if bet.name in _BLOCKS:
        alone = _BLOCKS[bet.name][0] == 1
        return [(1,), (2,), (3,)] if alone else [(1, 2), (2, 3)]
    return [()]


def covers(bet: Bet, on: "tuple[int, ...]") -> "tuple[int, ...]":
    """Returns the numbers a bet on `on` wins with.

    None for a colour, which is its compartment's.
    """
    if bet.name in _NUMBERS:
        return on
    if bet.name in COLOURS:
        return ()
    first, last = bet.among
    found = range(first, last + 1)
    if bet.name in ("pair", "impair"):
        return tuple([number for number in found if number % 2 == (bet.name == "impair")])
    if bet.name in ("douzaine", "deux_douzaines"):
        return tuple([number for number in found if (number + 11) // 12 in on])
    if bet.name in ("colonne", "deux_colonnes"):
        return tuple([number for number in found if (number - 1) % 3 + 1 in on])
    return tuple(found)  # manque, passe


def _shapes(name: str) -> "list[tuple[int, ...]]":
    """Returns every cheval, transversale, carre or sixain of a roulette's cloth, the zero's too."""
    cells = range(1, 37)
    found: list[tuple[int, ...]]
    if name == "cheval":
        found = [(0, 1), (0, 2), (0, 3)]
        found.extend([(n, n + 1) for n in cells if n % 3])
        found.extend([(n, n + 3) for n in cells if n <= 33])
    elif name == "transversale":
        found = [(0, 1, 2), (0, 2, 3)]
        found.extend([(n, n + 1, n + 2) for n in cells if n % 3 == 1])
    elif name == "carre":
        found = [(0, 1, 2, 3)]
        found.extend([(n, n + 1, n + 3, n + 4) for n in cells if n % 3 and n <= 33])
    else:
        found = [tuple(range(n, n + 6)) for n in cells if n % 3 == 1 and n <= 31]
    return found


def why_not(bets: "list[Bet]", on: "tuple[int, ...]") -> str:
    """Returns why `on`, whole numbers, is no position of the rows `bets` of one name: a clause."""
    name: str = bets[0].name
    wanted, what = _BLOCKS[name] if name in _BLOCKS else (_NUMBERS.get(name, 0), "numbers")
    if wanted == 0:
        return name + " is on no numbers: its on is []"
    if len(on) != wanted:
        kind = what[:-1] if wanted == 1 else what
        return f"{name} is on {_WORDS[wanted]} {kind}, not on {len(on)}"
    ordered = sorted(on)
    for before, after in zip(ordered, ordered[1:]):
        if before == after:
            return f"{after} stands twice in on"
    if ordered != list(on):
        return f"on must be sorted: {ordered} and not {list(on)}"
    if name in _BLOCKS:
        for number in on:
            if not 1 <= number <= 3:
                return f"the {what} are 1, 2 and 3, so there is no {number}"
        return f"the {what} {_listed(on)} do not lie side by side"
    first = min([bet.among[0] for bet in bets])
    last = max([bet.among[1] for bet in bets])
    for number in on:
        if number == 0 < first and name != "plein" and bets[0].among[1] == 36:
            return f"no {name} has the zero here"
        if not min(first, 1) <= number <= last:
            return f"there is no {number} on the cloth"
    return _NO_POSITION[name].format(_listed(on))


def _listed(on: "tuple[int, ...]") -> str:
    words = [str(number) for number in on]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
