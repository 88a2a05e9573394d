"""A table's limits: what the regulation and the house allow on each position of the cloth."""

from collections import namedtuple

from rules import cloth

# `rules`: of rules.load. `floor_cents`: the least stake. `positions`: {bet: {on: Position}}.
Table = namedtuple("Table", ("rules", "floor_cents", "minimum_cents", "positions"))
# One place on the cloth. `maximum_cents`: of one player, None for no maximum. `halved`: a stake
# on it may be paid or lost by half. `rank`: its turn in the order of payment.
Position = namedtuple("Position", ("bet", "covers", "maximum_cents", "halved", "rank"))

WORD_MAX = 32  # characters: the longest bet has 14
PLAYER_MAX = 64  # characters: a name or a card's number
CENTS_MAX = 10**12  # ten thousand million in the larger unit: no stake, and sums stay printable


class WrongInput(Exception):
    """What cannot be settled at all: `sentence` says what is wrong and what to give."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def open_table(
    rules: dict,  # type: ignore[type-arg]
    minimum_cents: int,
    maximum_multiples: "dict[str, int] | None" = None,
    table_minimum_cents: "int | None" = None,
) -> Table:
    """Returns a table of `rules` with its limits. Raises WrongInput for limits the regulation
    forbids.

    `minimum_cents`: what the authorisation fixes. `table_minimum_cents`: what the house has raised
    it to, at boule twice as much (art. 47). Maxima are multiples of the latter where they rise with
    it (37-3), else of the former. `maximum_multiples`: what the house chose, by bet.
    """
    _whole(minimum_cents, "minimum_cents")
    floor_cents = minimum_cents
    if table_minimum_cents is not None:
        _check_table_minimum(rules, minimum_cents, table_minimum_cents)
        floor_cents = table_minimum_cents
    base_cents = base_of(rules, minimum_cents, floor_cents)
    chosen = {} if maximum_multiples is None else maximum_multiples
    _check_multiples(rules, chosen)
    places: dict[str, dict[tuple[int, ...], Position]] = {}
    for bet in rules["bets"]:
        multiple = multiple_of(bet, chosen)
        maximum = None if multiple is None else multiple * base_cents
        halved = _is_halved(rules, bet)
        rank = _rank(rules["order"], bet.name)
        found = places.setdefault(bet.name, {})
        for on in cloth.positions(bet):
            found[on] = Position(bet, cloth.covers(bet, on), maximum, halved, rank)
    return Table(rules, floor_cents, minimum_cents, places)


def base_of(rules: dict, minimum_cents: int, floor_cents: int) -> int:  # type: ignore[type-arg]
    """Returns what maxima are multiples of: the minimum as raised where they rise with it."""
    return floor_cents if rules["maxima_follow"] else minimum_cents


def unplayable(rules: dict, floor_cents: int) -> str:  # type: ignore[type-arg]
    """Returns why nobody can stake that minimum on some bet of the game; empty if one can.

    37-2: « perdent de moitié »; deux douzaines pay « la moitié de la mise ».
    """
    halved = [bet.name for bet in rules["bets"] if _is_halved(rules, bet)]
    if floor_cents % 2 == 0 or not halved:
        return ""
    return (
        f"a minimum of {floor_cents} cents cannot be staked on {halved[0]}, which may be paid or"
        " lost by half: it must be an even number of cents"
    )


def _is_halved(rules: dict, bet: cloth.Bet) -> bool:  # type: ignore[type-arg]
    return bool(bet.pays[1] == 2 or (bet.simple and rules["special"][1] == "half"))


def multiple_of(bet: cloth.Bet, chosen: "dict[str, int]") -> "int | None":
    """Returns the maximum of a bet in minima: what the house chose, else the regulation's lower
    bound.
    """
    lowest = None if bet.multiples is None else bet.multiples[0]
    return chosen.get(bet.name, lowest)


def multiples_of(rules: dict, chosen: "dict[str, int] | None") -> "dict[str, int]":  # type: ignore[type-arg]
    """Returns the maximum of every bet that has one, in minima."""
    found = {}
    for bet in rules["bets"]:
        multiple = multiple_of(bet, chosen or {})
        if multiple is not None:
            found[bet.name] = multiple
    return found


def names(rules: dict) -> "list[str]":  # type: ignore[type-arg]
    """Returns the bets of a game by name, each once, in the order of its rules."""
    found: list[str] = []
    for bet in rules["bets"]:
        if bet.name not in found:
            found.append(bet.name)
    return found


def printable(text: str) -> bool:
    """Returns whether a text has nothing that would spoil a line: no controls, no halves of a
    character.
    """
    for letter in text:
        if " " <= letter < "\x7f":
            continue
        if letter < "\xa0" or 0xD800 <= ord(letter) < 0xE000:
            return False
    return True


def quoted(text: object) -> str:
    """Returns a word that somebody typed, for a sentence; only "this" if it does not fit in one."""
    if isinstance(text, str) and len(text) <= WORD_MAX and printable(text):
        return f'"{text}"'
    return "this"


def _check_table_minimum(
    rules: dict,  # type: ignore[type-arg]
    minimum_cents: int,
    table_minimum_cents: int,
) -> None:
    _whole(table_minimum_cents, "table_minimum_cents")
    if rules["minimum_factors"] is None:
        if table_minimum_cents < minimum_cents:
            name, article = rules["name"], rules["articles"]["limits"]
            raise WrongInput(
                f"table_minimum_cents must be minimum_cents, {minimum_cents}, or more"
                f" ({name}, {article}), not {table_minimum_cents}."
            )
        return
    allowed = [str(factor * minimum_cents) for factor in rules["minimum_factors"]]
    if str(table_minimum_cents) not in allowed:
        name, article = rules["name"], rules["articles"]["limits"]
        raise WrongInput(
            f"table_minimum_cents must be {' or '.join(allowed)} where minimum_cents is"
            f" {minimum_cents} ({name}, {article}), not {table_minimum_cents}."
        )


def _check_multiples(rules: dict, chosen: "dict[str, int]") -> None:  # type: ignore[type-arg]
    if not isinstance(chosen, dict):
        raise WrongInput('maximum_multiples must be an object, as {"plein": 20}.')
    bets = {}
    for bet in rules["bets"]:
        bets[bet.name] = bet
    for name in sorted(chosen):
        if name not in bets:
            known = ", ".join(names(rules))
            raise WrongInput(
                f"maximum_multiples: there is no bet {quoted(name)} in {rules['name']}:"
                f" its bets are {known}."
            )
        multiple = chosen[name]
        _whole(multiple, "maximum_multiples of " + name)
        bounds = bets[name].multiples
        if bounds is not None and not bounds[0] <= multiple <= bounds[1]:
            low, high = bounds
            allowed = str(low) if low == high else f"from {low} to {high}"
            raise WrongInput(
                f"maximum_multiples of {name} must be {allowed}"
                f" ({rules['name']}, {rules['articles']['limits']}), not {multiple}."
            )


def _whole(value: object, name: str) -> None:
    if type(value) is not int or not 0 < value <= CENTS_MAX:
        raise WrongInput(f"{name} must be a whole number from 1 to {CENTS_MAX}.")


def _rank(order: "tuple[tuple[str, ...], ...]", name: str) -> int:
    for rank in range(len(order)):
        if name in order[rank]:
            return rank
    return 0  # no order: as given


def missing_maxima(rules: dict, multiples: "dict[str, int] | None") -> "list[str]":  # type: ignore[type-arg]
    """Names the bets whose maximum the house must give and does not, in the order of the rules.

    `multiples`: what the house gives, by bet, or None. Seeds 003, s. 1.2: "supérieur à la limite de
    paris maximum, le montant [...] sera automatiquement refusé".
    """
    given = multiples or {}
    return [bet.name for bet in rules["bets"] if bet.multiples is None and bet.name not in given]
