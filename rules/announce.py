"""What the croupier announces, French beside English: the one place for the words of a result.

Roulette anglaise, art. 37-1: "le croupier annonce à haute voix le numéro et les chances simples
gagnantes". The other texts ask no more than the number; houses announce the same.
"""

# fmt: off
COLOURS = {
    "red": ("rouge", "red"),
    "black": ("noir", "black"),
    "green": ("vert", "green"),
    "yellow": ("jaune", "yellow"),
    "white": ("blanc", "white"),
}
PARITIES = (("pair", "even"), ("impair", "odd"))
# Bets whose French is not their name in the rules.
_FRENCH = {
    "carre": "carré",
    "deux_douzaines": "deux douzaines",
    "deux_colonnes": "deux colonnes",
    "voisins": "voisins du zéro",
    "tiers": "tiers du cylindre",
    "orphelins_jeu": "orphelins (jeu)",
}
# fmt: on


def french(bet: str) -> str:
    """Returns a bet's name as people write it."""
    return _FRENCH.get(bet, bet)


def chances(rules: dict, number: int, colour: "str | None") -> "list[tuple[str, str]]":  # type: ignore[type-arg]
    """Colour, parity and half of a number as this game announces them, each French and English.

    The special number has its colour alone; `colour` None (not known) has no word.
    """
    said = rules["announces"]
    found = []
    if "colour" in said and colour is not None:
        found.append(COLOURS[colour])
    if number == rules["special"][0]:
        return found
    if "parity" in said:
        found.append(PARITIES[number % 2])
    if "half" in said:
        for bet in rules["bets"]:
            if bet.name in ("manque", "passe") and bet.among[0] <= number <= bet.among[1]:
                # As the displays say it: manque and passe have no English name at the table.
                found.append((bet.name, f"{bet.among[0]} to {bet.among[1]}"))
    return found


def announcement(rules: dict, number: int, colour: "str | None") -> "tuple[str, str]":  # type: ignore[type-arg]
    """Returns what is said, in French and in English: "17, noir, impair et manque"."""
    words = chances(rules, number, colour)
    french = [number_word(number)[0]] + [pair[0] for pair in words]
    english = [number_word(number)[1]] + [pair[1] for pair in words]
    return (_sentence(french, " et "), _sentence(english, " and "))


def number_word(number: int) -> "tuple[str, str]":
    """Returns a number as it is said: in figures, but the zero has its name."""
    return (str(number), str(number)) if number else ("zéro", "zero")


def _sentence(words: "list[str]", last: str) -> str:
    # Number and colour stand side by side; only a list of chances ends with "et".
    if len(words) <= 2:
        return ", ".join(words)
    return ", ".join(words[:-1]) + last + words[-1]
