"""One orphelin: an abandoned stake and what three coups make of it, or money that was found.

Luxembourg, règlement modifié du 12 février 1979, art. 8: "Le montant [...] est déterminé par la
mise initiale oubliée et de ses gains cumulés jusqu'au moment où [...] on constatera effectivement
que ces sommes sont abandonnées. Les « orphelins » sont versés après trois coups joués".
"""

from firmware.shims.typed import Any, NamedTuple
from rules import limits, settle

COUPS = 3  # art. 8: "après trois coups joués"
DAYS = 7  # art. 8: "endéans les sept jours de calendrier"

# The states of an orphelin, and the entries that bring them about.
MARKED = "marked"  # a stake, counted for three coups
FOUND = "found"  # money without a bet: it does not play; as a state it is MARKED too
PAID_IN = "paid_in"  # into the casino's cash
LOST = "lost"  # nothing was left after three coups
RETURNED = "returned"  # to its owner, out of the casino's cash
CLAIMED = "claimed"  # by its owner, before it was paid in
WITHDRAWN = "withdrawn"  # it was no orphelin: two people said so
CLOSED = "closed"  # to the bureau de bienfaisance, at the end of the exercice

# `left_cents`: of the stake itself; `won_cents`: its winnings beside it.
Orphelin = NamedTuple(
    "Orphelin",
    [
        ("n", int),  # of its entry
        ("rules", str),
        ("stake", Any),  # as rules.settle takes it; None for money without a bet
        ("coup", int),  # the last that had ended when it was found
        ("results", Any),  # of the coups played since: (number, colour)
        ("left_cents", int),
        ("won_cents", int),
        ("state", str),
        ("day", int),  # of its entry MARKED or FOUND, later of PAID_IN or LOST
        ("entry", int),  # the number of that later entry, 0 before
        ("who", str),  # found it
    ],
)
_FIELDS = (
    "n", "rules", "stake", "coup", "results", "left_cents", "won_cents", "state", "day", "entry",
    "who",
)  # fmt: skip


def marked(n: int, body: Any, table: limits.Table) -> Orphelin:
    """Returns the stake or the money as the entry n with that body found it, on a `table` of its
    game.

    Raises KeyError, TypeError or ValueError for a body that no stake of that game has.
    """
    for name in ("coup", "day", "cents"):
        if type(body[name]) is not int or body[name] < 0:
            raise ValueError(name)
    stake = None
    if "where" not in body:
        stake = stake_of(body)
        _ = table.positions[stake["bet"]][tuple(stake["on"])]
    coup, cents, day = body["coup"], body["cents"], body["day"]
    return Orphelin(n, body["rules"], stake, coup, (), cents, 0, MARKED, day, 0, body["who"])


def stake_of(body: Any) -> Any:
    """Returns the stake of an entry or a request, as rules.settle takes it: nobody knows whose it
    is.
    """
    return {"player": "orphelin", "bet": body["bet"], "on": body["on"], "cents": body["cents"]}


def played(orphelin: Orphelin, table: limits.Table, number: int, colour: str) -> Orphelin:
    """Returns it after one coup more: the stake stays on its place, its winnings lie beside and do
    not play.

    A number that its game does not have is a coup of another game, and counts for nothing.
    """
    if number not in table.rules["layout"]:
        return orphelin
    results = orphelin.results + ((number, colour),)
    if not orphelin.left_cents or orphelin.stake is None:
        return altered(orphelin, results=results)
    stake = dict(orphelin.stake)
    stake["cents"] = orphelin.left_cents
    # Number and colour settle everything, whatever order of compartments the house has.
    game = dict(table.rules)
    game.update({"layout": (number,), "colours": (colour,)})
    came = limits.Table(game, table.floor_cents, table.minimum_cents, table.positions)
    won = settle.settle(came, [stake], number, 0)[0].won_cents
    if won < 0:  # a cent that cannot be halved is lost
        return altered(orphelin, results=results, left_cents=orphelin.left_cents + won)
    return altered(orphelin, results=results, won_cents=orphelin.won_cents + won)


def marked_right(orphelin: Orphelin, body: Any, table: limits.Table) -> Orphelin:
    """Returns the stake as it should have been marked, `body` (bet, on, cents), after the same
    coups.

    Raises KeyError, TypeError or ValueError for a stake that its game does not have.
    """
    told = dict(body)
    told.update({"rules": orphelin.rules, "coup": orphelin.coup, "day": 0, "who": orphelin.who})
    right = marked(orphelin.n, told, table)
    for number, colour in orphelin.results:
        right = played(right, table, number, colour)
    return altered(orphelin, stake=right.stake, left_cents=right.left_cents,
                   won_cents=right.won_cents)  # fmt: skip


def worth_cents(orphelin: Orphelin) -> int:
    """Returns the stake and its winnings.

    Art. 8: "la mise initiale oubliée et [...] ses gains cumulés".
    """
    return orphelin.left_cents + orphelin.won_cents


def last_day(orphelin: Orphelin) -> int:
    """Returns the last day on which a stake paid in can be returned; its own does not count.

    Art. 8: "endéans les sept jours de calendrier qui suivent l'enregistrement".
    """
    return orphelin.day + DAYS


def closing_notice(exercice: str, cents: int, commune: str, receipt: str) -> str:
    """Returns what is told of a closed exercice, in French and English."""
    paid = _money(cents)
    return (
        f"Orphelins, exercice {exercice} : {paid} versés au bureau de bienfaisance de {commune},"
        f" quittance n° {receipt} ; le compte est soldé (art. 8)."
        f" / Orphelins, year {exercice}: {paid} paid to the charity office of {commune}, receipt"
        f" no. {receipt}; the account is settled (art. 8)."
    )


def announcement(n: int, cents: int, total_cents: int) -> str:
    """Returns what is told when one is paid into the casino's cash, in French and English."""
    paid, total = _money(cents), _money(total_cents)
    return (
        f"Orphelin n° {n} : {paid} versés à la caisse après trois coups joués (art. 8),"
        f" total {total}."
        f" / Orphelin no. {n}: {paid} paid into the cash after three coups (art. 8),"
        f" total {total}."
    )


def altered(orphelin: Orphelin, **changes: Any) -> Orphelin:
    """Returns the same with some fields changed: MicroPython's records have no _replace."""
    return Orphelin(*[changes.get(name, getattr(orphelin, name)) for name in _FIELDS])


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"
