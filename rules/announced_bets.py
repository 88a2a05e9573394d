"""Announced bets: one word of a player for several stakes, each a place that the cloth has.

Seeds 000, art. 37-1 names the cloth that has them: « Lorsque les tapis sont dotés d'un
hippodrome ». 37-2 allows no combination but its own, so an announced bet is nothing of its own: it
is what it is composed of, by the order of the numbers in the wheel and the trade's custom.
"""

VOISINS = "voisins"  # of the zero: 9 pieces on the 17 numbers from 22 to 25
TIERS = "tiers"  # of the cylinder: 6 pieces on the 12 numbers from 27 to 33
ORPHELINS = "orphelins_jeu"  # 5 pieces on the 8 numbers between; no orphelins of art. 8
FINALE = "finale"  # on [n]: a piece on each number that ends in n
NAMES = (VOISINS, TIERS, ORPHELINS, FINALE)

# Of each: the bet, its numbers, and how many pieces lie there.
_PIECES = {
    VOISINS: (
        ("transversale", (0, 2, 3), 2),
        ("cheval", (4, 7), 1),
        ("cheval", (12, 15), 1),
        ("cheval", (18, 21), 1),
        ("cheval", (19, 22), 1),
        ("carre", (25, 26, 28, 29), 2),
        ("cheval", (32, 35), 1),
    ),
    TIERS: (
        ("cheval", (5, 8), 1),
        ("cheval", (10, 11), 1),
        ("cheval", (13, 16), 1),
        ("cheval", (23, 24), 1),
        ("cheval", (27, 30), 1),
        ("cheval", (33, 36), 1),
    ),
    ORPHELINS: (
        ("plein", (1,), 1),
        ("cheval", (6, 9), 1),
        ("cheval", (14, 17), 1),
        ("cheval", (17, 20), 1),
        ("cheval", (31, 34), 1),
    ),
}


def pieces(name: str, on: "tuple[int, ...]") -> "tuple[tuple[str, tuple[int, ...], int], ...]":
    """Returns what the announced bet is composed of: (bet, on, pieces); nothing for a wrong `on`.

    Raises KeyError for a name that is not in NAMES.
    """
    if name != FINALE:
        return () if on else _PIECES[name]
    if len(on) != 1 or not 0 <= on[0] <= 9:
        return ()
    return tuple([("plein", (number,), 1) for number in range(on[0], 37, 10)])


def count(name: str, on: "tuple[int, ...]") -> int:
    """Returns how many pieces a bet of that name is: 1 for one that is not announced."""
    if name not in NAMES:
        return 1
    return sum([many for _, _, many in pieces(name, on)])


def why_not(name: str, on: "tuple[int, ...]") -> str:
    """Returns why such an announced bet is no stake by itself: a clause."""
    if pieces(name, on):
        return f"{name} is announced for several stakes: give each of them"
    if name == FINALE:
        return "finale is on one digit, from 0 to 9"
    return name + " is on no numbers: its on is []"
