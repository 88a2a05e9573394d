"""The one settlement engine: which stakes a table takes, and what each of them wins.

    table = open_table(rules.load("roulette_lu"), minimum_cents=500)
    accepted, refused = accept(table, stakes)       # or check() each as it comes
    payments = settle(table, accepted, number=17, compartment=8)

A stake is a dict as contracts/commands.md has it: player, bet, on, cents. Whole cents throughout.
Knows nothing of coups, time or terminals; whoever asks says which stakes took part.
"""

from collections import namedtuple

from rules import announced_bets, cloth
from rules.limits import (
    CENTS_MAX,
    PLAYER_MAX,
    Position,
    Table,
    WrongInput,
    base_of,
    names,
    open_table,
    printable,
    quoted,
)

__all__ = (
    "FORM",
    "KEYS",
    "Payment",
    "Position",
    "Refusal",
    "Table",
    "Total",
    "WrongInput",
    "accept",
    "check",
    "colour_of",
    "compose",
    "in_order_of_work",
    "key",
    "off_the_cloth",
    "open_table",
    "settle",
    "totals",
)

# A stake that is not taken: as it came, the rule that says so, and why in one sentence.
Refusal = namedtuple("Refusal", ("stake", "rule", "why"))
# `won_cents`: the gain, negative for what is lost. `returned_cents`: what is returned in all.
Payment = namedtuple(
    "Payment", ("player", "bet", "on", "stake_cents", "won_cents", "returned_cents")
)

# What the stakes of a coup come to: of one player, or of the table, whose `player` is None.
Total = namedtuple("Total", ("player", "staked_cents", "lost_cents", "won_cents", "returned_cents"))

KEYS = ("player", "bet", "on", "cents")
FORM = "form of a stake"  # the rule that a stake breaks before any regulation sees it
_NUMBER_MAX = 1000  # no cloth has a number so large, and a sentence must stay short
_LOSES = (-1, 1)
_SPECIAL = {"half": (-1, 2), "lose": _LOSES}
_WANTS_ON = "on must be a list of whole numbers, as [17], or [] for none"


def key(stake: "dict[str, object]") -> "tuple[object, object, tuple[int, ...]]":
    """Returns the key of an accepted stake's player and position in `placed`."""
    on: tuple[int, ...] = tuple(stake["on"])  # type: ignore[arg-type]
    return (stake["player"], stake["bet"], on)


def check(table: Table, stake: object, placed: dict) -> "Refusal | None":  # type: ignore[type-arg]
    """Returns why the table does not take this stake; None if it does.

    `placed`: cents by `key` of what this player, at least, has there already; only read. Who takes
    the stake adds its cents there. Whatever the stake is, it is judged: nothing is raised.
    Minimum and maximum hold for the sum on a place. Seeds 003, s. 1.2: "cliquez sur un jeton de
    5 euros puis déposez-le sur le jeton de 25 euros".
    """
    refusal = off_the_cloth(table, stake)
    if refusal is not None:
        return refusal
    assert isinstance(stake, dict)
    before = placed.get(key(stake), 0)
    why = under_minimum(table, before + stake["cents"])
    if why:
        return Refusal(stake, table.rules["articles"]["limits"], why)
    return _over_maximum(table, stake, before)


def accept(table: Table, stakes: "list[object]") -> "tuple[list[dict], list[Refusal]]":  # type: ignore[type-arg]
    """Returns the stakes the table takes, in the order given, and the refusals of the others.

    An announced bet (`rules/announced_bets.py`) becomes the stakes it is composed of, all or none.
    What a player has on one place is judged as a whole, in whatever order it is written: what goes
    over the maximum, as it comes, is refused, and then what is under the minimum in all.
    """
    composed = [compose(table.rules, stake) for stake in stakes]
    out: dict[int, Refusal] = {}  # by the place in `stakes`
    for at, parts in enumerate(composed):
        for stake in parts:
            refusal = off_the_cloth(table, stake)
            if refusal is not None:
                out.setdefault(at, refusal)
    while True:
        lies, over, low = _lay(table, composed, out)
        if not low:
            break
        out.update(low)  # what lay there beside it may need it, or have room now
    out.update(over)
    return lies, [Refusal(stakes[at], out[at].rule, out[at].why) for at in sorted(out)]


def compose(rules: dict, stake: object) -> "list[object]":  # type: ignore[type-arg]
    """Returns the stakes that an announced bet is composed of; any other stake alone.

    `cents` of an announced bet are those of one piece.
    """
    is_announced = (
        rules["announced"]
        and isinstance(stake, dict)
        and stake.get("bet") in announced_bets.NAMES
        and not _misshapen(stake)
    )
    if not is_announced:
        return [stake]
    assert isinstance(stake, dict)
    found: list[object] = []
    for bet, on, count in announced_bets.pieces(stake["bet"], tuple(stake["on"])):
        part = dict(stake)
        part["bet"], part["on"], part["cents"] = bet, list(on), count * stake["cents"]
        found.append(part)
    return found or [stake]


def _lay(
    table: Table,
    composed: "list[list]",  # type: ignore[type-arg]
    out: "dict[int, Refusal]",
) -> "tuple[list[dict], dict[int, Refusal], dict[int, Refusal]]":  # type: ignore[type-arg]
    """Returns what lies if those that are not `out` are laid in their order; which of them would go
    over a maximum, and do not lie; and which lie where there is too little in all.
    """
    placed: dict[object, int] = {}
    laid = []
    over: dict[int, Refusal] = {}
    for at, parts in enumerate(composed):
        if at in out:
            continue
        places = [key(stake) for stake in parts]
        for stake, where in zip(parts, places):
            refusal = _over_maximum(table, stake, placed.get(where, 0))
            if refusal is not None:
                over.setdefault(at, refusal)
        if at not in over:
            for stake, where in zip(parts, places):
                placed[where] = placed.get(where, 0) + stake["cents"]
                laid.append((at, stake, where))
    low: dict[int, Refusal] = {}
    for at, stake, where in laid:
        why = under_minimum(table, placed[where])
        if why:
            low.setdefault(at, Refusal(stake, table.rules["articles"]["limits"], why))
    return [stake for _, stake, _ in laid], over, low


def under_minimum(table: Table, cents: int) -> str:
    """Returns what is wrong with so much in all on one place, beside its maximum; empty if nothing
    is.
    """
    if cents >= table.floor_cents:
        return ""
    return f"{cents} cents are under the minimum of {table.floor_cents}"


def off_the_cloth(table: Table, stake: object) -> "Refusal | None":
    """Returns why no table of this game takes this stake, whatever its limits are."""
    why = _misshapen(stake)
    if why:
        return Refusal(stake, FORM, why)
    assert isinstance(stake, dict)
    articles = table.rules["articles"]
    name, on, cents = stake["bet"], tuple(stake["on"]), stake["cents"]
    places = table.positions.get(name)
    if places is None and name in announced_bets.NAMES and table.rules["announced"]:
        return Refusal(stake, articles["bets"], announced_bets.why_not(name, on))
    if places is None:
        known = ", ".join(names(table.rules))
        why = f"there is no bet {quoted(name)} in {table.rules['name']}: its bets are {known}"
        return Refusal(stake, articles["bets"], why)
    position = places.get(on)
    if position is None:
        rows = [bet for bet in table.rules["bets"] if bet.name == name]
        return Refusal(stake, articles["bets"], cloth.why_not(rows, on))
    if position.halved and cents % 2:
        why = f"{cents} cents are odd: a stake on {name} may be paid or lost by half"
        return Refusal(stake, FORM, why)
    return None


def _over_maximum(table: Table, stake: dict, before: int) -> "Refusal | None":  # type: ignore[type-arg]
    """Returns why it may not lie on its place, where so many cents of its player lie already."""
    position = table.positions[stake["bet"]][tuple(stake["on"])]
    maximum = position.maximum_cents
    if maximum is None or before + stake["cents"] <= maximum:
        return None
    why = _over(table, position, before, stake["cents"])
    return Refusal(stake, table.rules["articles"]["limits"], why)


def settle(
    table: Table,
    accepted: "list[dict]",  # type: ignore[type-arg]
    number: int,
    compartment: "int | None" = None,
) -> "list[Payment]":
    """Returns what each accepted stake wins or loses: player by player, in the order of payment.

    Players come as they first staked; within one rank, stakes as they were given. `compartment` may
    be None where the number alone settles. Raises WrongInput where it does not, or for an outcome
    that the layout does not have.
    """
    colour = colour_of(table.rules, number, compartment)
    gains: dict[object, tuple[int, int]] = {}
    players = []
    lots: dict[str, list[tuple[int, int, Payment]]] = {}
    for turn, stake in enumerate(accepted):
        player, name, cents, on = stake["player"], stake["bet"], stake["cents"], tuple(stake["on"])
        position = table.positions[name][on]
        gain = gains.get((name, on))
        if gain is None:
            gain = gains[(name, on)] = _gain(table, position, number, colour)
        won = cents * gain[0] // gain[1]  # exact: what may be halved is even
        lot = lots.get(player)
        if lot is None:
            lot = lots[player] = []
            players.append(player)
        lot.append((position.rank, turn, Payment(player, name, on, cents, won, cents + won)))
    payments = []
    for player in players:
        for _, _, payment in sorted(lots[player]):
            payments.append(payment)
    return payments


def in_order_of_work(payments: "list[Payment]") -> "list[Payment]":
    """Returns them as the croupier goes about it: the lost stakes of the whole table, then player
    by player what is paid.

    Seeds 000, art. 37-1: "Le croupier ramasse les enjeux perdus et procède par joueur au paiement
    des combinaisons gagnantes".
    """
    lost = [payment for payment in payments if payment.won_cents < 0]
    return lost + [payment for payment in payments if payment.won_cents >= 0]


def totals(payments: list) -> "list[Total]":  # type: ignore[type-arg]
    """Returns the total of each player, in the order of their payments, then the table's.

    `payments`: of this engine, or of rules/cards.
    """
    players: list[object] = []
    sums: dict[object, list[int]] = {None: [0, 0, 0, 0]}
    for payment in payments:
        if payment.player not in sums:
            players.append(payment.player)
            sums[payment.player] = [0, 0, 0, 0]
        won = payment.won_cents
        parts = (payment.stake_cents, max(0, -won), max(0, won), payment.returned_cents)
        for who in (payment.player, None):
            for at, cents in enumerate(parts):
                sums[who][at] += cents
    return [Total(player, *sums[player]) for player in players + [None]]


def colour_of(rules: dict, number: int, compartment: "int | None") -> "str | None":  # type: ignore[type-arg]
    """Returns the colour of an outcome; None where the number alone does not tell.

    Raises WrongInput for a number or compartment the layout does not have, or that contradict.
    """
    layout, colours, name = rules["layout"], rules["colours"], rules["name"]
    if type(number) is not int or number not in layout:
        raise WrongInput(
            f"number must be one of {name}: a whole number from {min(layout)} to {max(layout)}."
        )
    if compartment is None:
        found = [colours[at] for at in range(len(layout)) if layout[at] == number]
        return found[0] if found.count(found[0]) == len(found) else None
    if type(compartment) is not int or not 0 <= compartment < len(layout):
        raise WrongInput(
            f"compartment must be a whole number from 0 to {len(layout) - 1}, or null."
        )
    if layout[compartment] != number:
        mark = "" if rules["layout_verified"] else " (layout UNVERIFIED)"
        raise WrongInput(
            f"number and compartment contradict each other: compartment {compartment} of {name}"
            f" has {layout[compartment]}, not {number}{mark}."
        )
    colour: str = colours[compartment]
    return colour


def _gain(table: Table, position: Position, number: int, colour: "str | None") -> "tuple[int, int]":
    """Returns what a stake on `position` gains, as a fraction of it."""
    bet = position.bet
    special, then = table.rules["special"]
    if bet.simple and number == special:
        return _SPECIAL[then]
    if bet.name in cloth.COLOURS:
        if colour is None:
            raise WrongInput(
                f"compartment must be given: {number} is red in one and black in another, and"
                f" there is a stake on {bet.name}."
            )
        wins = cloth.COLOURS[bet.name] == colour
    else:
        wins = number in position.covers
    pays: tuple[int, int] = bet.pays
    return pays if wins else _LOSES


def _misshapen(stake: object) -> str:
    """Returns what is wrong with a stake before any regulation is asked; empty if nothing is."""
    if not isinstance(stake, dict):
        return "a stake is an object with player, bet, on and cents"
    for name in stake:
        if name not in KEYS:
            return (
                f"there is no {quoted(name)} in a stake, which has player, bet, on and cents:"
                " money is whole cents"
            )
    for name in KEYS:
        if name not in stake:
            return name + " is missing"
    player, cents, on = stake["player"], stake["cents"], stake["on"]
    if type(player) is not str or not player.strip():
        return 'player must be a text that is not empty, as "p1"'
    if len(player) > PLAYER_MAX:
        return f"player must have {PLAYER_MAX} characters at most"
    if not printable(player):
        return "player must be a text without control characters"
    if type(stake["bet"]) is not str:
        return 'bet must be a text, as "plein"'
    if type(on) is not list and type(on) is not tuple:
        return _WANTS_ON
    for number in on:
        if type(number) is not int or not -_NUMBER_MAX < number < _NUMBER_MAX:
            return _WANTS_ON
    if type(cents) is not int:
        return "cents must be a whole number, as 500"
    if not 0 < cents <= CENTS_MAX:
        return f"cents must be from 1 to {CENTS_MAX}"
    return ""


def _over(table: Table, position: Position, before: int, cents: int) -> str:
    maximum = position.maximum_cents
    minimum = base_of(table.rules, table.minimum_cents, table.floor_cents)
    why = (
        f"{before + cents} cents are over the maximum of {maximum},"
        f" {maximum // minimum} times the minimum of {minimum}"
    )
    return why + (f" ({before} of them lie there already)" if before else "")
