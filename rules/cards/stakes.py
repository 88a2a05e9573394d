"""Which stakes a card table takes: form, seats, limits, grain; each refusal with its article.

    table = open_table(rules.load("blackjack_lu"), minimum_cents=500, maximum_multiple=100)
    accepted, refused = accept(table, stakes)

A stake is a dict as contracts/commands.md has it: player, seat, bet, cents, and of a bet behind
follow and funds_cents. Whole cents throughout.
"""

from collections import namedtuple

from rules.cards import house as houses
from rules.cards.errors import FORM, CardsError
from rules.limits import CENTS_MAX, printable, quoted
from rules.settle import PLAYER_MAX

# `rules`: of rules.load. `decks`: of 52 cards. `house`: every key. `floor_cents`, `ceiling_cents`:
# limits of a stake, None where none is judged or there is none. `side_bets`: those that are taken,
# None for all. `bets`: the rules' bets by name.
CardTable = namedtuple(
    "CardTable", ("rules", "decks", "house", "floor_cents", "ceiling_cents", "side_bets", "bets")
)

# A stake that is not taken: as it came, the rule that says so, and why in one clause; `of_limits`:
# what it is would be taken, so much is not.
Refusal = namedtuple("Refusal", ("stake", "rule", "why", "of_limits"))

KEYS = ("player", "seat", "bet", "cents", "follow", "funds_cents")
FOLLOW = ("double", "not")
SEATS = 7  # of a black jack (003, s. 2.2: "un maximum de 7 places")
_BACCARAT_SEATS = 14  # a large table; the text gives none, and nothing depends on the seat


def open_table(
    rules: dict,  # type: ignore[type-arg]
    decks: "int | None" = None,
    house: "dict[str, object] | None" = None,
    minimum_cents: "int | None" = None,
    maximum_multiple: "int | None" = None,
    side_bets: "tuple[str, ...] | None" = None,
) -> CardTable:
    """Returns a table of a card game. Raises CardsError for what the game does not leave open.

    `decks`: None for the game's own. `minimum_cents`: None where no limits are judged.
    `maximum_multiple`: the maximum in minima; None for the lowest that the text names, or none.
    """
    default, allowed, article = rules["decks"]
    if decks is None:
        decks = default
    if type(decks) is not int or decks not in allowed:
        words = " or ".join([str(each) for each in allowed])
        raise CardsError(
            article or houses.FORM, f"decks must be {words} at {rules['name']}, not {decks!r}."
        )
    bets = {bet.name: bet for bet in rules["bets"]}
    for name in side_bets or ():
        if name not in bets or bets[name].side is None:
            raise CardsError(houses.FORM, f"{quoted(name)} is no side bet of {rules['name']}.")
    floor, ceiling = _limits(rules, minimum_cents, maximum_multiple)
    return CardTable(rules, decks, houses.chosen(rules, house), floor, ceiling, side_bets, bets)


def _limits(
    rules: dict,  # type: ignore[type-arg]
    minimum_cents: "int | None",
    multiple: "int | None",
) -> "tuple[int | None, int | None]":
    article, allowed = rules["articles"]["limits"], rules["multiples"]
    if minimum_cents is None:
        if multiple is not None:
            raise CardsError(article, "maximum_multiple is of minimum_cents, which is missing.")
        return None, None
    if type(minimum_cents) is not int or not 0 < minimum_cents <= CENTS_MAX:
        raise CardsError(article, f"minimum_cents must be a whole number from 1 to {CENTS_MAX}.")
    if multiple is None and allowed is not None:
        multiple = allowed[0]
    if multiple is None:
        return minimum_cents, None
    if allowed is not None and (type(multiple) is not int or multiple not in allowed):
        words = [str(each) for each in allowed]
        raise CardsError(
            article,
            f"maximum_multiple must be {', '.join(words[:-1])} or {words[-1]} at {rules['name']}.",
        )
    if type(multiple) is not int or not 0 < multiple <= CENTS_MAX:
        raise CardsError(article, f"maximum_multiple must be a whole number from 1 to {CENTS_MAX}.")
    return minimum_cents, multiple * minimum_cents


def accept(
    table: CardTable, stakes: "list[object]"
) -> "tuple[list[dict[str, object]], list[Refusal]]":
    """Returns the stakes the table takes, in the order given, and the refusals of the others.

    A bet that needs another on its seat is judged with what the table takes, in whatever order.
    """
    refused: dict[int, Refusal] = {}
    places: set[object] = set()
    sums: dict[object, int] = {}
    for at in range(len(stakes)):
        stake = stakes[at]
        found = _refusal(table, stake)
        if found is not None:
            refused[at] = Refusal(stake, found[0], found[1], False)
            continue
        assert isinstance(stake, dict)
        found = _out_of_limits(table, stake, places, sums)
        if found is not None:
            refused[at] = Refusal(stake, found[0], found[1], True)
    holders: dict[object, object] = {}
    seated: set[object] = set()
    for at in range(len(stakes)):
        stake = stakes[at]
        if at not in refused and isinstance(stake, dict) and stake["bet"] == "main":
            why = _seat_taken(table, stake, holders, seated)
            if why is not None:
                refused[at] = Refusal(stake, why[0], why[1], False)
                continue
            holders[stake["seat"]] = stake["player"]
            seated.add(stake["player"])
    for at in range(len(stakes)):
        stake = stakes[at]
        if at not in refused and isinstance(stake, dict):
            why = _beside(table, stake, holders, seated)
            if why is not None:
                refused[at] = Refusal(stake, why[0], why[1], False)
    accepted: list[dict[str, object]] = []
    for at in range(len(stakes)):
        stake = stakes[at]
        if at not in refused and isinstance(stake, dict):
            accepted.append(stake)
    return accepted, [refused[at] for at in sorted(refused)]


def _refusal(table: CardTable, stake: object) -> "tuple[str, str] | None":
    """Returns why no limit makes this stake one that is taken: a rule and a clause."""
    why = _misshapen(table, stake)
    if why:
        return FORM, why
    assert isinstance(stake, dict)
    rules, name, cents = table.rules, stake["bet"], stake["cents"]
    bet = table.bets.get(name)
    if bet is None:
        known = ", ".join([each.name for each in rules["bets"]])
        return (
            rules["articles"]["bets"],
            f"there is no bet {quoted(name)} in {rules['name']}: its bets are {known}",
        )
    if bet.side is not None and table.side_bets is not None and name not in table.side_bets:
        return bet.side, f"this house does not offer {name}"
    seat = stake.get("seat")
    last = SEATS if rules["family"] == "blackjack" else _BACCARAT_SEATS
    if seat is None and rules["family"] == "blackjack":
        return rules["articles"]["seats"], f"{name} wants a seat, from 1 to {SEATS}"
    if seat is not None and (type(seat) is not int or not 1 <= seat <= last):
        return rules["articles"]["seats"], f"seat must be a whole number from 1 to {last}"
    if name == "behind":
        if stake.get("follow", "not") not in FOLLOW:
            return bet.article, 'a bet behind says whether it follows: "double" or "not"'
    elif "follow" in stake or "funds_cents" in stake:
        return FORM, "only a bet behind has follow and funds_cents"
    if cents % bet.grain_cents:
        return (
            bet.article,
            f"{cents} cents on {name} would have to be rounded: stakes on it are multiples of"
            f" {bet.grain_cents} cents",
        )
    return None


def _out_of_limits(
    table: CardTable,
    stake: "dict[str, object]",
    places: "set[object]",
    sums: "dict[object, int]",
) -> "tuple[str, str] | None":
    """Returns why so much is not taken there: a rule and a clause.

    `places`, `sums`: of the stakes before it; its own is added.
    """
    name, cents = stake["bet"], stake["cents"]
    assert isinstance(cents, int)
    floor, ceiling = table.floor_cents, table.ceiling_cents
    article = table.rules["articles"]["limits"]
    for own, least, most in table.rules["own_limits"]:
        if own == name:
            floor, ceiling, article = least, most, table.bets[name].article
    where: tuple[object, ...] = (stake["player"], name)
    if table.rules["family"] == "blackjack":
        # One piece, one stake: it is not added up.
        where = (stake["player"], name, stake["seat"])
        if where in places:
            return table.bets[name].article, f"this player has a stake on {name} there already"
        before = 0
    else:
        before = sums.get(where, 0)
    if floor is not None and before + cents < floor:
        return article, f"{cents} cents are under the minimum of {floor}"
    if ceiling is not None and before + cents > ceiling:
        return article, f"{before + cents} cents are over the maximum of {ceiling}"
    places.add(where)
    sums[where] = before + cents
    return None


def _seat_taken(
    table: CardTable,
    stake: "dict[str, object]",
    holders: "dict[object, object]",
    seated: "set[object]",
) -> "tuple[str, str] | None":
    articles = table.rules["articles"]
    if stake["seat"] in holders:
        return articles["seats"], f"seat {stake['seat']} has a main stake already"
    if not table.rules["several_hands"] and stake["player"] in seated:
        return articles["hands"], "a player has one hand alone"
    return None


def _beside(
    table: CardTable,
    stake: "dict[str, object]",
    holders: "dict[object, object]",
    seated: "set[object]",
) -> "tuple[str, str] | None":
    """Returns why a bet that goes with a hand of the table is not taken."""
    bet = table.bets[stake["bet"]]
    if bet.on is not None and holders.get(stake["seat"]) != stake["player"]:
        return (
            bet.article,
            f"{bet.name} is taken only with a main stake of the same player on seat"
            f" {stake['seat']}",
        )
    if bet.name == "behind" and stake["player"] in seated:
        return bet.article, "who sits at the table does not bet behind"
    return None


def _misshapen(table: CardTable, stake: object) -> str:
    """Returns what is wrong with a stake before any regulation is asked; empty if nothing is."""
    if not isinstance(stake, dict):
        return "a stake is an object with player, seat, bet and cents"
    for name in stake:
        if name not in KEYS:
            return f"there is no {quoted(name)} in a stake at cards: money is whole cents"
    for name in ("player", "bet", "cents"):
        if name not in stake:
            return f"{name} is missing"
    player, cents, funds = stake["player"], stake["cents"], stake.get("funds_cents", 0)
    if type(player) is not str or not player.strip():
        return 'player must be a text that is not empty, as "p1"'
    if len(player) > PLAYER_MAX or not printable(player):
        return f"player must be a text of {PLAYER_MAX} characters at most, without controls"
    if type(stake["bet"]) is not str:
        return 'bet must be a text, as "main"'
    if type(cents) is not int or not 0 < cents <= CENTS_MAX:
        return f"cents must be a whole number from 1 to {CENTS_MAX}, as 500"
    if type(funds) is not int or not 0 <= funds <= CENTS_MAX:
        return f"funds_cents must be a whole number from 0 to {CENTS_MAX}"
    return ""
