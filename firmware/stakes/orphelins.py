"""The register of orphelins: which entries may come, and what follows from them.

Luxembourg, règlement modifié du 12 février 1979, art. 8: "Les « orphelins » sont versés après trois
coups joués dans la caisse du casino et ce versement est constaté au carnet d'enregistrement des
orphelins"; an owner who makes himself known "endéans les sept jours de calendrier qui suivent
l'enregistrement" gets it back, which is an entry of its own.

The register is a list of entries that are never changed: (n, kind, body), n counting up from 1.
This file says what follows from them and which may come next; it writes nothing. What follows
depends on the entries alone: whatever the table's limits become, an old entry stays what it was. A
day is a number of days, one more each calendar day (date.toordinal). Whole cents.
"""

import rules
from firmware.shims.typed import Any, Sequence
from firmware.stakes import abandoned
from firmware.stakes.abandoned import (
    COUPS,
    DAYS,
    LOST,
    MARKED,
    PAID_IN,
    RETURNED,
    Orphelin,
    altered,
    worth_cents,
)
from rules import limits, settle

# The kinds of entries, and what each says.
# MARKED: a stake was found abandoned: {rules, coup, day, bet, on, cents, who}
COUP = "coup"  # a coup was played with stakes that are counted: {coup, number, colour}
# PAID_IN: into the casino's cash: {of, day, cents, before_cents, total_cents}
# LOST: nothing is left after three coups: {of, day}
# RETURNED, to its owner: {of, entry, day, cents, before_cents, total_cents, name, address, proof,
# who}; `of`: the entry MARKED; `entry`: the entry PAID_IN
RENUMBERED = "renumbered"  # a new journal began, its coups count from there: {coup}

TEXT_MAX = 200  # characters of a name, an address, a proof: a line of the paper register


class Refused(Exception):
    """An entry that may not be made; `sentence` says why, by which rule."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Orphelins:
    """What the register says. Fold every entry with `add_entry`; ask for the bodies of new ones."""

    def __init__(self) -> None:
        """An empty register."""
        self._found: dict[int, Orphelin] = {}
        self._counting: list[int] = []  # the numbers of those that are neither paid in nor lost
        self._tables: dict[str, limits.Table] = {}
        self.coup = 0  # the last that was counted
        self.total_cents = 0  # paid in and not returned: the account's balance

    def add_entry(self, n: int, kind: str, body: Any) -> None:
        """Folds an entry in.

        Raises Refused, KeyError, TypeError, ValueError or AttributeError for one that cannot follow
        on those before; then nothing is changed.
        """
        if kind == MARKED:
            if body["coup"] < self.coup:
                raise Refused("it was found in a coup that is counted already")
            self._found[n] = abandoned.marked(n, body, self._table(body["rules"]))
            self._counting.append(n)
        elif kind == COUP:
            coup = _whole(body["coup"])
            if coup <= self.coup:
                raise Refused(f"coup {coup} is counted already")
            after = [
                abandoned.played(one, self._table(one.rules), body["number"], body["colour"])
                for one in self.counted(coup)
            ]
            self.coup = coup
            for orphelin in after:
                self._found[orphelin.n] = orphelin
        elif kind in (PAID_IN, LOST):
            self._ended(n, kind, body)
        elif kind == RETURNED:
            orphelin = self._of(body["of"], PAID_IN)
            if body["entry"] != orphelin.entry:
                raise Refused("it refers to another entry")
            self._move(-worth_cents(orphelin), body)
            self._found[orphelin.n] = altered(orphelin, state=RETURNED)
        elif kind == RENUMBERED:
            self.coup = coup = _whole(body["coup"])
            for orphelin in self.counting():
                self._found[orphelin.n] = altered(orphelin, coup=coup)
        else:
            raise Refused(f"there is no entry called {kind}")

    def all(self) -> Sequence[Orphelin]:
        """Returns every abandoned stake, in the order found."""
        return [self._found[n] for n in sorted(self._found)]

    def counting(self) -> Sequence[Orphelin]:
        """Returns those that are neither paid in nor lost yet."""
        return [self._found[n] for n in self._counting]

    def counted(self, coup: int) -> Sequence[Orphelin]:
        """Returns those this coup counts for: found before it ended, their three coups not over."""
        return [
            orphelin
            for orphelin in self.counting()
            if orphelin.coup < coup and orphelin.coups < COUPS
        ]

    # --- what may be entered next ---------------------------------------------------------------
    def mark(self, table: limits.Table, stake: Any, *, coup: int, day: int, who: str) -> Any:
        """Returns the body of MARKED. `stake`: {bet, on, cents}; `coup`: the last that has ended.

        Raises Refused for a stake that this table would not have taken.
        """
        refusal = settle.check(table, abandoned.stake_of(stake), {})
        if refusal is not None:
            raise Refused(f"{refusal.rule}: {refusal.why}")
        return {
            "rules": table.rules["name"],
            "coup": max(coup, self.coup),
            "day": day,
            "bet": stake["bet"],
            "on": list(stake["on"]),
            "cents": stake["cents"],
            "who": who,
        }

    def play(self, coup: int, number: int, colour: str) -> Any:
        """Returns the body of COUP if a stake is counted in it and it is news, else None.

        A void is no coup played: it is not entered.
        """
        if coup <= self.coup or not self.counted(coup):
            return None
        return {"coup": coup, "number": number, "colour": colour}

    def renumber(self, coup: int) -> Any:
        """Returns the body of RENUMBERED if a new journal began, whose last coup is `coup`; else
        None.

        A result is in the journal before it is counted here: a journal that is behind is another.
        """
        last = max([orphelin.coup for orphelin in self.counting()] + [self.coup])
        return {"coup": coup} if coup < last else None

    def due(self, day: int) -> Sequence[tuple[str, Any]]:
        """Returns the entries (kind, body) of stakes whose three coups are over, in the order
        found.
        """
        entries: list[tuple[str, Any]] = []
        total = self.total_cents
        for orphelin in self.counting():
            if orphelin.coups < COUPS:
                continue
            # A clock without a battery may wake in another year: never before it was found, or
            # the owner's seven days would be over already.
            body: dict[str, int] = {"of": orphelin.n, "day": max(day, orphelin.day)}
            cents = worth_cents(orphelin)
            if cents:
                body.update({"cents": cents, "before_cents": total, "total_cents": total + cents})
                total += cents
            entries.append((PAID_IN if cents else LOST, body))
        return entries

    def give_back(self, n: int, *, day: int, name: str, address: str, proof: str, who: str) -> Any:
        """Returns the body of RETURNED, with who got it and what proved his right.

        Art. 8: "le montant total des « orphelins » est arrêté et le montant du remboursement est
        déduit de ce total en ayant soin d'indiquer le nom et l'adresse de l'intéressé, des
        justifications produites ainsi qu'une référence à l'inscription primitive". Raises Refused.
        """
        orphelin = self._of(n, PAID_IN)
        passed = day - orphelin.day
        if passed < 0:
            raise Refused(
                f"art. 8: number {n} was paid in on a later day than today's: set the clock"
            )
        if passed > DAYS:
            raise Refused(
                "art. 8: « endéans les sept jours de calendrier qui suivent l'enregistrement »"
                f" : {passed} days have passed since number {n} was paid in"
            )
        body: dict[str, Any] = {"name": name, "address": address, "proof": proof}
        for what in sorted(body):
            text = body[what].strip()
            if not text or len(text) > TEXT_MAX or not limits.printable(text):
                raise Refused(
                    "art. 8: « le nom et l'adresse de l'intéressé, des justifications produites »"
                    f" : the {what} must be 1 to {TEXT_MAX} printable characters"
                )
            body[what] = text
        cents, total = worth_cents(orphelin), self.total_cents
        body.update({"of": n, "entry": orphelin.entry, "day": day, "cents": cents, "who": who})
        body.update({"before_cents": total, "total_cents": total - cents})
        return body

    # --- folding ----------------------------------------------------------------------------------
    def _ended(self, n: int, kind: str, body: Any) -> None:
        orphelin = self._of(body["of"], MARKED)
        cents = worth_cents(orphelin)
        if orphelin.coups < COUPS or (cents > 0) != (kind == PAID_IN):
            raise Refused(f"number {orphelin.n} is not {kind} yet")
        day = _whole(body["day"])
        if kind == PAID_IN:
            self._move(cents, body)
        self._counting.remove(orphelin.n)
        self._found[orphelin.n] = altered(orphelin, state=kind, day=day, entry=n)

    def _move(self, cents: int, body: Any) -> None:
        """Cents come into the account, or leave it; the entry must say the same."""
        told = (body["cents"], body["before_cents"], body["total_cents"])
        if told != (abs(cents), self.total_cents, self.total_cents + cents):
            raise Refused("the sums of the entry do not add up")
        self.total_cents += cents

    def _of(self, n: int, state: str) -> Orphelin:
        orphelin = self._found.get(n)
        if orphelin is None:
            raise Refused(f"art. 8: no abandoned stake was entered as number {n}")
        if orphelin.state == state:
            return orphelin
        if orphelin.state == MARKED:
            raise Refused(
                "art. 8: « versés après trois coups joués » :"
                f" number {n} is still counted, it was not paid in yet"
            )
        if orphelin.state == RETURNED:
            raise Refused(f"art. 8: number {n} was returned already")
        if orphelin.state == LOST:
            raise Refused(f"art. 8: number {n} was lost in its three coups: nothing was paid in")
        raise Refused(f"art. 8: number {n} was paid in already")

    def _table(self, name: str) -> limits.Table:
        """Returns a table of that game for what its bets pay; its limits are nobody's."""
        if name not in self._tables:
            self._tables[name] = limits.open_table(rules.load(name), 1)
        return self._tables[name]


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value
