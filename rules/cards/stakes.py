"""Which stakes a card table takes: form, seats, limits, grain; each refusal with its article.

    table = open_table(rules.load("blackjack_lu"), minimum_cents=500, maximum_multiple=100)
    accepted, refused = accept(table, stakes)

A stake is a dict as contracts/commands.md has it: player, seat, bet, cents, and of a bet behind
follow and funds_cents. Whole cents throughout.
"""

from collections import namedtuple

from rules.cards import house as houses
from rules.cards.errors import FORM, CardsError
from rules.limits import CENTS_MAX, PLAYER_MAX, printable, quoted

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
_KEYS = set(KEYS)
_NEEDED = ("player", "bet", "cents")
FOLLOW = ("double", "not")
SEATS = 7  # at most, of a black jack (003, s. 2.2: "un maximum de 7 places")


def open_table(
    rules: dict,  # type: ignore[type-arg]
    decks: "int | None" = None,
    house: "dict[str, object] | None" = None,
    minimum_cents: "int | None" = None,
    maximum_multiple: "int | None" = None,
    side_bets: "tuple[str, ...] | None" = None,
    real: bool = False,
) -> CardTable:
    """Returns a table of a card game. Raises CardsError for what the game does not leave open.

    `decks`: None for the game's own. `minimum_cents`: None where no limits are judged.
    `maximum_multiple`: the maximum in minima; None for the lowest that the text names, or none.
    `real`: money is played for, so that odds which nobody has verified are refused.
    """
    default, allowed, article = rules["decks"]
    if decks is None:
        decks = default
    if type(decks) is not int or decks not in allowed:
        words = " or ".join([str(each) for each in allowed])
        raise CardsError(article or FORM, f"decks must be {words} at {rules['name']}.", "decks")
    bets = {bet.name: bet for bet in rules["bets"]}
    for name in side_bets or ():
        if name not in bets or bets[name].side is None:
            raise CardsError(FORM, f"{quoted(name)} is no side bet of {rules['name']}.", name)
    takes_dragon = side_bets is None or "dragon_player" in side_bets or "dragon_banker" in side_bets
    is_own = house is not None and "dragon_odds" in house
    if real and takes_dragon and not is_own and not rules.get("odds_verified", True):
        raise CardsError(
            bets["dragon_player"].article,
            "nobody has verified the odds of the Dragon Bonus: a real table opens with the house's"
            " own.",
            "dragon_odds",
        )
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
            raise CardsError(
                article,
                "maximum_multiple is of minimum_cents, which is missing.",
                "maximum_multiple",
            )
        return None, None
    if type(minimum_cents) is not int or not 0 < minimum_cents <= CENTS_MAX:
        raise CardsError(
            article, f"minimum_cents must be a whole number from 1 to {CENTS_MAX}.", "minimum_cents"
        )
    if multiple is None and allowed is not None:
        multiple = allowed[0]
    if multiple is None:
        return minimum_cents, None
    if allowed is not None and (type(multiple) is not int or multiple not in allowed):
        words = [str(each) for each in allowed]
        raise CardsError(
            article,
            f"maximum_multiple must be {', '.join(words[:-1])} or {words[-1]} at {rules['name']}.",
            "maximum_multiple",
        )
    if type(multiple) is not int or not 0 < multiple <= CENTS_MAX:
        raise CardsError(
            article,
            f"maximum_multiple must be a whole number from 1 to {CENTS_MAX}.",
            "maximum_multiple",
        )
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
    holders: dict[object, object] = {}  # by seat: whose main stake lies there
    seated: set[object] = set()
    short: set[object] = set()  # seats whose main stake is outside the limits alone
    beside: list[int] = []  # stakes that go with the hand of a seat
    has_seats = table.rules["family"] == "blackjack"
    for at in range(len(stakes)):
        stake = stakes[at]
        found = _refusal(table, stake)
        if found is not None:
            refused[at] = Refusal(stake, found[0], found[1], False)
            continue
        assert isinstance(stake, dict)
        found = _out_of_limits(table, stake, sums)
        if found is not None:
            refused[at] = Refusal(stake, found[0], found[1], True)
            if stake["bet"] == "main":
                short.add((stake["seat"], stake["player"]))
            continue
        if has_seats:
            found = _seat_taken(table, stake, places, holders, seated)
            if found is not None:
                refused[at] = Refusal(stake, found[0], found[1], False)
            elif stake["bet"] != "main":
                beside.append(at)
    for at in beside:
        stake = stakes[at]
        assert isinstance(stake, dict)
        found = _not_beside(table, stake, holders, seated)
        if found is not None:
            of_limits = (stake["seat"], stake["player"]) in short
            refused[at] = Refusal(stake, found[0], found[1], of_limits)
    if not refused:
        return list(stakes), []  # type: ignore[arg-type]
    accepted: list[dict[str, object]] = []
    for at in range(len(stakes)):
        stake = stakes[at]
        if at not in refused and isinstance(stake, dict):
            accepted.append(stake)
    return accepted, [refused[at] for at in sorted(refused)]


def _refusal(table: CardTable, stake: object) -> "tuple[str, str] | None":
    """Returns why no limit makes this stake one that is taken: a rule and a clause."""
    why = _misshapen(stake)
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
    article, last = rules["seats"]
    if seat is None and rules["family"] == "blackjack":
        return article, f"{name} wants a seat, from 1 to {last}"
    if seat is not None and (type(seat) is not int or not 1 <= seat <= last):
        return article, f"seat must be a whole number from 1 to {last}"
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
    table: CardTable, stake: "dict[str, object]", sums: "dict[object, int]"
) -> "tuple[str, str] | None":
    """Returns why so much is not taken there: a rule and a clause.

    `sums`: of the stakes before it at baccarat, where they add up on a place; its own is added.
    """
    name, cents = stake["bet"], stake["cents"]
    assert isinstance(cents, int)
    floor, ceiling = table.floor_cents, table.ceiling_cents
    for own, least, most in table.rules["own_limits"]:
        if own == name:
            floor, ceiling = least, most
    if table.rules["family"] == "baccarat":
        where = (stake["player"], name)
        cents = sums[where] = sums.get(where, 0) + cents
    if floor is not None and cents < floor:
        why = f"{cents} cents are under the minimum of {floor}"
    elif ceiling is not None and cents > ceiling:
        why = f"{cents} cents are over the maximum of {ceiling}"
    else:
        return None
    # What goes with a main stake has its limits by its own rule.
    bet = table.bets[name]
    return table.rules["articles"]["limits"] if bet.on is None else bet.article, why


def _seat_taken(
    table: CardTable,
    stake: "dict[str, object]",
    places: "set[object]",
    holders: "dict[object, object]",
    seated: "set[object]",
) -> "tuple[str, str] | None":
    """Returns why a stake has no room at black jack, where one piece lies on a place; lays it
    otherwise: in `places`, and a main stake in `holders` and `seated`.
    """
    name, seat, player = stake["bet"], stake["seat"], stake["player"]
    where = (player, name, seat)
    if where in places:
        return table.bets[name].article, f"this player has a stake on {name} there already"
    if name == "main":
        if seat in holders:
            return table.rules["seats"][0], f"seat {seat} has a main stake already"
        if not table.rules["several_hands"] and player in seated:
            return table.rules["articles"]["hands"], "a player has one hand alone"
        holders[seat] = player
        seated.add(player)
    places.add(where)
    return None


def _not_beside(
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


def _misshapen(stake: object) -> str:
    """Returns what is wrong with a stake before any regulation is asked; empty if nothing is."""
    if not isinstance(stake, dict):
        return "a stake is an object with player, seat, bet and cents"
    if not _KEYS.issuperset(stake):
        for name in stake:
            if name not in KEYS:
                return f"there is no {quoted(name)} in a stake at cards: money is whole cents"
    for name in _NEEDED:
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
