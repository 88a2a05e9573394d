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
    CLAIMED,
    CLOSED,
    COUPS,
    DAYS,
    FOUND,
    LOST,
    MARKED,
    PAID_IN,
    RETURNED,
    WITHDRAWN,
    Orphelin,
    altered,
    last_day,
    worth_cents,
)
from rules import limits, settle

# The kinds of entries, and what each says.
# MARKED: a stake was found abandoned: {rules, coup, day, bet, on, cents, who}
# FOUND: money without a bet, or an amount that is no lawful stake: {rules, coup, day, cents, where,
# who}
COUP = "coup"  # a coup was played with stakes that are counted: {coup, number, colour}
# PAID_IN: into the casino's cash: {of, day, cents, before_cents, total_cents}
# LOST: nothing is left after three coups: {of, day}
# RETURNED, to its owner: {of, entry, day, cents, before_cents, total_cents, name, address, proof,
# who}; `of`: the entry MARKED or FOUND; `entry`: the entry PAID_IN
# CLAIMED by its owner before it was paid in: {of, day, cents, name, address, proof, who}
CORRECTED = "corrected"  # what two people say was mistyped: {of, day, bet, on, cents, before_cents,
# total_cents, who, management, why}; without bet and on for money. WITHDRAWN: no orphelin at all.
# CLOSED, the exercice: {exercice, day, cents, before_cents, total_cents, commune, receipt, who}
RENUMBERED = "renumbered"  # a new journal began, its coups count from there: {coup}

TEXT_MAX = 200  # characters of a name, an address, a proof: a line of the paper register


class Refused(Exception):
    """An entry that may not be made; `sentence` says why, by which rule."""

    def __init__(self, why: str, rule: str = "") -> None:
        """`rule`: of the table, where `why` does not name it."""
        sentence = f"{rule}: {why}" if rule else why
        super().__init__(sentence)
        self.sentence, self.why, self.rule = sentence, why, rule


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
        if kind in (MARKED, FOUND):
            if (kind == FOUND) != ("where" in body):
                raise Refused("money has a place where it was found, and a stake has a bet")
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
            self._pay(-worth_cents(orphelin), body)
            self._found[orphelin.n] = altered(orphelin, state=RETURNED)
        elif kind == CLAIMED:
            orphelin = self._of(body["of"], MARKED)
            if body["cents"] != worth_cents(orphelin):
                raise Refused("the sums of the entry do not add up")
            self._counting.remove(orphelin.n)
            self._found[orphelin.n] = altered(orphelin, state=CLAIMED)
        elif kind in (CORRECTED, WITHDRAWN):
            self._corrected(n, kind, body)
        elif kind == CLOSED:
            self._not_closed(_whole(body["day"]))
            self._pay(-self.total_cents, body)
            for orphelin in self.all():
                if orphelin.state == PAID_IN:
                    self._found[orphelin.n] = altered(orphelin, state=CLOSED)
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
            if orphelin.coup < coup and len(orphelin.results) < COUPS
        ]

    # --- what may be entered next ---------------------------------------------------------------
    def mark(self, table: limits.Table, stake: Any, *, coup: int, day: int, who: str) -> Any:
        """Returns the body of MARKED. `stake`: {bet, on, cents}; `coup`: the last that has ended.

        Raises Refused for a stake that this table would not have taken.
        """
        refusal = settle.check(table, abandoned.stake_of(stake), {})
        if refusal is not None:
            raise Refused(refusal.why, refusal.rule)
        return {
            "rules": table.rules["name"],
            "coup": max(coup, self.coup),
            "day": day,
            "bet": stake["bet"],
            "on": list(stake["on"]),
            "cents": stake["cents"],
            "who": who,
        }

    def find(
        self, table: limits.Table, cents: int, *, where: str, coup: int, day: int, who: str
    ) -> Any:
        """Returns the body of FOUND: money without a bet, which waits three coups and does not
        play.

        Art. 8: "Les sommes et enjeux trouvés à terre ou laissés sur les tables de jeux". Raises
        Refused.
        """
        _cents(cents)
        return {
            "rules": table.rules["name"],
            "coup": max(coup, self.coup),
            "day": day,
            "cents": cents,
            "where": _text("place where it was found", where),
            "who": who,
        }

    def correct(
        self, n: int, right: Any, *, day: int, who: str, management: str, why: str
    ) -> "tuple[str, Any]":
        """Returns the entry (kind, body) by which two people correct number n: CORRECTED or
        WITHDRAWN.

        `right`: {bet, on, cents}, for money without a bet {cents}; None where it was no orphelin.
        The coups that it has been counted for count for what it should have been. Raises Refused.
        """
        orphelin = self._open(n)
        if orphelin.state != MARKED and day > last_day(orphelin):
            raise Refused(
                "art. 8: « endéans les sept jours de calendrier qui suivent l'enregistrement » :"
                f" number {n} can be corrected no more"
            )
        if management == who:
            raise Refused("it takes two people: another must agree")
        told: dict[str, Any] = {}
        corrected = None
        if right is not None:
            told["cents"] = _cents(right["cents"])
            if orphelin.stake is None and "bet" in right:
                raise Refused(f"number {n} is money without a bet")
            if orphelin.stake is not None and "bet" not in right:
                raise Refused(f"number {n} is a stake: give its bet")
            if "bet" in right:
                told["bet"], told["on"] = right["bet"], list(right["on"])
                # It was read wrong: the limits of the table are no reason to keep that.
                table = self._table(orphelin.rules)
                refusal = settle.off_the_cloth(table, abandoned.stake_of(told))
                if refusal is not None:
                    raise Refused(refusal.why, refusal.rule)
            corrected = self._right(orphelin, told)
        total = self.total_cents
        after = total + _moved(orphelin, corrected)
        told.update({"of": n, "day": day, "before_cents": total, "total_cents": after})
        told.update({"who": who, "management": management, "why": _text("reason", why)})
        return (WITHDRAWN if right is None else CORRECTED), told

    def close(self, *, exercice: str, day: int, commune: str, receipt: str, who: str) -> Any:
        """Returns the body of CLOSED: the account is settled at the end of the exercice.

        Art. 8: "Les sommes encaissées [...] sont attribuées au bureau de bienfaisance de la
        commune, siège du casino. Le versement en est fait en fin d'exercice au receveur de cette
        même commune. Les quittances à souches délivrées par ce comptable constituent la décharge
        du casino". Raises Refused while something is counted, or may be returned.
        """
        self._not_closed(day)
        total = self.total_cents
        return {
            "exercice": _text("exercice", exercice),
            "day": day,
            "cents": total,
            "before_cents": total,
            "total_cents": 0,
            "commune": _text("commune", commune),
            "receipt": _text("number of the receipt", receipt),
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
            if len(orphelin.results) < COUPS:
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
        body = _owner(name, address, proof)
        cents, total = worth_cents(orphelin), self.total_cents
        body.update({"of": n, "entry": orphelin.entry, "day": day, "cents": cents, "who": who})
        body.update({"before_cents": total, "total_cents": total - cents})
        return body

    def claim(self, n: int, *, day: int, name: str, address: str, proof: str, who: str) -> Any:
        """Returns the body of CLAIMED: the owner comes within the three coups, before it is paid
        in.

        Art. 8: "Dans le cas où le propriétaire légitime de la somme trouvée est connu [...] cette
        somme lui est restituée". Raises Refused.
        """
        orphelin = self._of(n, MARKED)
        cents = worth_cents(orphelin)
        if not cents:
            raise Refused(f"number {n} has lost all that it was: nothing is left to return")
        body = _owner(name, address, proof)
        body.update({"of": n, "day": day, "cents": cents, "who": who})
        return body

    def is_counting(self, n: int) -> bool:
        """Returns whether number n is there, and neither paid in nor lost nor claimed yet."""
        return n in self._counting

    # --- folding ----------------------------------------------------------------------------------
    def _ended(self, n: int, kind: str, body: Any) -> None:
        orphelin = self._of(body["of"], MARKED)
        cents = worth_cents(orphelin)
        if len(orphelin.results) < COUPS or (cents > 0) != (kind == PAID_IN):
            raise Refused(f"number {orphelin.n} is not {kind} yet")
        day = _whole(body["day"])
        if kind == PAID_IN:
            self._pay(cents, body)
        self._counting.remove(orphelin.n)
        self._found[orphelin.n] = altered(orphelin, state=kind, day=day, entry=n)

    def _corrected(self, n: int, kind: str, body: Any) -> None:
        orphelin = self._open(body["of"])
        right = None if kind == WITHDRAWN else self._right(orphelin, body)
        self._move(_moved(orphelin, right), body)
        if right is None:
            right = altered(orphelin, state=WITHDRAWN)
            if orphelin.n in self._counting:
                self._counting.remove(orphelin.n)
        elif orphelin.state == LOST and worth_cents(right):
            right = altered(right, state=PAID_IN, entry=n)
        elif orphelin.state == PAID_IN and not worth_cents(right):
            right = altered(right, state=LOST)
        self._found[orphelin.n] = right

    def _right(self, orphelin: Orphelin, told: Any) -> Orphelin:
        """Returns it as it should have been marked; `told`: cents, and bet and on of a stake."""
        body = {"cents": told["cents"]}
        if orphelin.stake is None:
            body["where"] = ""
        else:
            body["bet"], body["on"] = told["bet"], told["on"]
        return abandoned.marked_right(orphelin, body, self._table(orphelin.rules))

    def _not_closed(self, day: int) -> None:
        """Raises Refused where the exercice cannot be closed on that day."""
        if self._counting:
            raise Refused(
                "art. 8: « versés après trois coups joués » : number"
                f" {self._counting[0]} is still counted, so the account cannot be settled"
            )
        for orphelin in self.all():
            if orphelin.state == PAID_IN and day <= last_day(orphelin):
                raise Refused(
                    "art. 8: « endéans les sept jours de calendrier » : number"
                    f" {orphelin.n} may still be returned, so the account cannot be settled"
                )
        if not self.total_cents:
            raise Refused("art. 8: nothing lies in the account: there is nothing to settle")

    def _move(self, cents: int, body: Any) -> None:
        """Cents come into the account, or leave it; the entry must say the same."""
        told = (body["before_cents"], body["total_cents"])
        if told != (self.total_cents, self.total_cents + cents):
            raise Refused("the sums of the entry do not add up")
        self.total_cents += cents

    def _pay(self, cents: int, body: Any) -> None:
        """As `_move`; so many are what the entry is about."""
        if body["cents"] != abs(cents):
            raise Refused("the sums of the entry do not add up")
        self._move(cents, body)

    def _open(self, n: int) -> Orphelin:
        """Returns number n, about which something may still be corrected. Raises Refused."""
        orphelin = self._found.get(n)
        if orphelin is None or orphelin.state not in (MARKED, PAID_IN, LOST):
            return self._of(n, MARKED)  # says why not
        return orphelin

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
        if orphelin.state == CLAIMED:
            raise Refused(f"art. 8: number {n} was claimed by its owner already")
        if orphelin.state == WITHDRAWN:
            raise Refused(f"number {n} was withdrawn: it was no orphelin")
        if orphelin.state == CLOSED:
            raise Refused(
                "art. 8: « attribuées au bureau de bienfaisance de la commune » :"
                f" number {n} was paid to it at the end of its exercice"
            )
        raise Refused(f"art. 8: number {n} was paid in already")

    def _table(self, name: str) -> limits.Table:
        """Returns a table of that game for what its bets pay; its limits are nobody's."""
        if name not in self._tables:
            self._tables[name] = limits.open_table(rules.load(name), 1)
        return self._tables[name]


def _moved(before: Orphelin, right: "Orphelin | None") -> int:
    """Returns what a correction brings into the account; `right`: None for one withdrawn."""
    if before.state == MARKED:
        return 0
    return (0 if right is None else worth_cents(right)) - worth_cents(before)


def _owner(name: str, address: str, proof: str) -> "dict[str, Any]":
    """Returns who gets it and what proved his right, as an entry has them. Raises Refused."""
    body: dict[str, Any] = {"name": name, "address": address, "proof": proof}
    for what in sorted(body):
        body[what] = body[what].strip()
        if not _is_text(body[what]):
            raise Refused(
                "art. 8: « le nom et l'adresse de l'intéressé, des justifications produites »"
                f" : the {what} must be 1 to {TEXT_MAX} printable characters"
            )
    return body


def _text(what: str, text: str) -> str:
    """Returns a text as an entry has it. Raises Refused."""
    text = text.strip()
    if not _is_text(text):
        raise Refused(f"the {what} must be 1 to {TEXT_MAX} printable characters")
    return text


def _is_text(text: str) -> bool:
    """Returns whether a line of the paper register has room for it."""
    return 0 < len(text) <= TEXT_MAX and limits.printable(text)


def _cents(cents: Any) -> int:
    """Returns a sum as an entry has it. Raises Refused."""
    if type(cents) is not int or not 0 < cents <= limits.CENTS_MAX:
        raise Refused(f"cents must be from 1 to {limits.CENTS_MAX}")
    return cents


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value
