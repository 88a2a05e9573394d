"""One abandoned stake, and what three coups make of it.

Luxembourg, règlement modifié du 12 février 1979, art. 8: "Le montant [...] est déterminé par la
mise initiale oubliée et de ses gains cumulés jusqu'au moment où [...] on constatera effectivement
que ces sommes sont abandonnées. Les « orphelins » sont versés après trois coups joués".
"""

from firmware.shims.typed import Any, NamedTuple
from rules import limits, settle

COUPS = 3  # art. 8: "après trois coups joués"
DAYS = 7  # art. 8: "endéans les sept jours de calendrier"

# The states of an abandoned stake, and the entries that bring them about.
MARKED = "marked"  # found, and counted for three coups
PAID_IN = "paid_in"  # into the casino's cash
LOST = "lost"  # nothing was left after three coups
RETURNED = "returned"  # to its owner, out of the casino's cash

# `left_cents`: of the stake itself; `won_cents`: its winnings beside it.
Orphelin = NamedTuple(
    "Orphelin",
    [
        ("n", int),  # of its entry
        ("rules", str),
        ("stake", Any),  # as rules.settle takes it
        ("coup", int),  # the last that had ended when it was found
        ("coups", int),  # played since
        ("left_cents", int),
        ("won_cents", int),
        ("state", str),
        ("day", int),  # of its entry MARKED, later of PAID_IN or LOST
        ("entry", int),  # the number of that later entry, 0 before
        ("who", str),  # found it
    ],
)
_FIELDS = (
    "n", "rules", "stake", "coup", "coups", "left_cents", "won_cents", "state", "day", "entry",
    "who",
)  # fmt: skip


def marked(n: int, body: Any, table: limits.Table) -> Orphelin:
    """Returns the stake as the entry n with that body found it, on a `table` of its game.

    Raises KeyError, TypeError or ValueError for a body that no stake of that game has.
    """
    for name in ("coup", "day", "cents"):
        if type(body[name]) is not int or body[name] < 0:
            raise ValueError(name)
    stake = stake_of(body)
    _ = table.positions[stake["bet"]][tuple(stake["on"])]
    coup, cents, day = body["coup"], body["cents"], body["day"]
    return Orphelin(n, body["rules"], stake, coup, 0, cents, 0, MARKED, day, 0, body["who"])


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
    coups = orphelin.coups + 1
    if not orphelin.left_cents:
        return altered(orphelin, coups=coups)
    stake = dict(orphelin.stake)
    stake["cents"] = orphelin.left_cents
    # Number and colour settle everything, whatever order of compartments the house has.
    game = dict(table.rules)
    game.update({"layout": (number,), "colours": (colour,)})
    came = limits.Table(game, table.floor_cents, table.minimum_cents, table.positions)
    won = settle.settle(came, [stake], number, 0)[0].won_cents
    if won < 0:  # a cent that cannot be halved is lost
        return altered(orphelin, coups=coups, left_cents=orphelin.left_cents + won)
    return altered(orphelin, coups=coups, won_cents=orphelin.won_cents + won)


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
