"""The stakes book of a semi-automatic game (Luxembourg art. 20-1 to 20-3): which stakes of the
coming coup are accepted, what lay on the cloth at the call (terminal_book.py: who sits where).

Accepted means acknowledged: what has not been accepted when `close` comes did not take part. The
book opens again when the coup has ended: stakes for the next one may come between two coups.
"""

from firmware.shims.typed import Any, NamedTuple, Sequence
from firmware.stakes import accounts, seal
from firmware.stakes.accounts import CLOSING
from firmware.stakes.answers import CASH_ONLY, EMPLOYEE, YES, Answer
from firmware.stakes.terminal_book import STAKES_MAX, TerminalBook
from rules import limits, settle

ELSEWHERE = 0  # the id, at a terminal, of a stake that was laid at another

# One stake that was settled. won_cents: negative for what is lost.
Paid = NamedTuple("Paid", [("id", int), ("cents", int), ("won_cents", int)])
# A coup that ended: number and colour are None for a void. `paid`: of one player.
Settled = NamedTuple(
    "Settled",
    [("coup", int), ("number", Any), ("colour", Any), ("paid", "Sequence[Paid]")],
)
NOTHING = Settled(0, None, None, ())


class Book(TerminalBook):
    """One coup after the other. Give it the coup's beginning, call and end (firmware.core)."""

    def __init__(
        self,
        rules: Any,
        *,
        minimum_cents: int,
        terminals: Sequence[int],
        maximum_multiples: Any = None,
        table_minimum_cents: Any = None,
        coup: int = 1,
        money: Any = None,
        keys: "dict[int, bytes] | None" = None,
        put_in: bool = False,
        relaunch: bool = False,
    ) -> None:
        """`rules`: of rules.load; `terminals`: their addresses; `coup`: the one to come.

        `money`: the Accounts, None where no stake is taken (art. 62); `keys`: of their players
        (`account_key`); `put_in`: terminals have acceptors; `relaunch`: what a
        foreign object makes void is thrown again in the same game (art. 37-1). Limits as
        rules.settle.open_table. Raises its WrongInput.
        """
        TerminalBook.__init__(
            self,
            rules["regulation"],
            terminals=terminals,
            coup=coup,
            money=money,
            keys=keys,
            put_in=put_in,
        )
        self._table = limits.open_table(
            rules, minimum_cents, maximum_multiples, table_minimum_cents
        )
        self._multiples = limits.multiples_of(rules, maximum_multiples)
        self._late: tuple[str, str] = rules["late"]
        self._relaunch = relaunch
        self._placed: dict[Any, int] = {}
        self.goes_on = False  # the last throw was void, and its stakes lie for this one
        self._carried = 0  # so many of the first stakes were sealed for it
        self._carried_coup = 0
        self._record: Any = None  # the last that was sealed
        self._ended: Settled = NOTHING  # the last coup that ended, for whoever had no stakes in it
        # What was played before is folded or closed: who staked then is not known here.
        self._unknown_until = coup - 1

    def entry(self, what: str, given: Any) -> Any:
        """As TerminalBook."""
        made = TerminalBook.entry(self, what, given)
        if what == CLOSING and not isinstance(made, str):
            self._unknown_until = self.coup - 1
        return made

    # --- the coup, as the core tells it -----------------------------------------------------------
    def open_coup(self, coup: int) -> None:
        """Opens a coup: what was placed since the last one ended is for it."""
        self.coup = coup

    def close(self, coup: int) -> Any:
        """Closes it at rien ne va plus. Returns the sealed record of what takes part; None without
        terminals."""
        if not self.terminals:
            return None
        if not self._closed:
            self._seal(coup)
            if self.money is not None:
                self.money.add_row("stakes", self._record)
        return self._record

    def _seal(self, coup: int) -> None:
        if not self._closed:
            record = {
                "form": seal.FORM,
                "coup": coup,
                "rules": self._table.rules["name"],
                # Of which the maxima are multiples.
                "minimum_cents": limits.base_of(
                    self._table.rules, self._table.minimum_cents, self._table.floor_cents
                ),
                "maximum_multiples": self._multiples,
                "employees": sorted(self._employees),
                "stakes": list(self._stakes),
                "count": len(self._stakes),
                "total_cents": sum([stake["cents"] for stake in self._stakes]),
            }
            if self._relaunch:
                record["relaunch"] = seal.SAME_GAME
            if self._carried:
                record["carried"] = self._carried_coup
            record["seal"] = seal.seal(record)
            self._record = record
            self._closed = True
            self._reserved = {}

    def sealed(self, coup: int) -> Any:
        """Returns the seal of that coup's record; None before its call."""
        record = self._record
        return record["seal"] if record is not None and record["coup"] == coup else None

    def ended(self, body: Any) -> None:
        """Settles a coup whose end is durable: pays what took part, returns all if it is void.

        `body`: the record of a result or a void. What lay here without a call goes back too.
        """
        if self._closed and seal.goes_on(self._record, body):
            self.goes_on, self._carried = True, len(self._stakes)
            self._carried_coup = body["coup"]
        elif self._relaunch and not self._closed and body.get("reason") == seal.FOREIGN_OBJECT:
            self.goes_on = True  # none was sealed: they lie as they lay
        elif self._closed:
            self._settle(self._record, body)
            self._clear()
        elif self.terminals:
            self._seal(body["coup"])
            self._settle(self._record, {"coup": body["coup"], "stakes": self._record["seal"]})
            self._clear()
        if self.money is not None:
            kind = "void" if body.get("number") is None else "result"
            self.money.add_row(kind, body)
        self._reserve()
        self._closed = False
        self.coup = body["coup"] + 1

    def _clear(self) -> None:
        """Nothing lies on the cloth any more."""
        self.goes_on, self._carried = False, 0
        self._stakes = []
        self._placed = {}

    def _reserve(self) -> None:
        """Reserves what lies and is not sealed; and where it lies, for the limits."""
        self._reserved = {}
        self._placed = {}
        for stake in self._stakes:
            n, where = stake["account"], settle.key(stake)
            self._reserved[n] = self._reserved.get(n, 0) + stake["cents"]
            self._placed[where] = self._placed.get(where, 0) + stake["cents"]

    def corrected(self, body: Any) -> bool:
        """Takes a durable correction: the accounts are put right, and their players told anew.

        `body`: its record. Returns False where that is out of reach: people pay the differences.
        """
        if self.money is None or self.money.is_empty:
            return True
        coup = body["coup"]
        self.money.add_row("correction", body)
        righted = self.money.righted(coup)
        if righted is None:
            return not self._had_stakes(coup)
        self._tell_anew(coup)
        ended = self._ended
        self._settle(righted[0], righted[1])
        self._ended = ended
        self._seat_anew()
        self._uncover()
        return True

    def _had_stakes(self, coup: int) -> bool:
        """Returns whether somebody may have staked on a coup that is out of reach."""
        return coup <= self._unknown_until or coup < self.coup - accounts.CORRECTED_MAX

    def _uncover(self) -> None:
        """Gives back, the last first, accepted stakes that their account no longer has (art. 62).

        An announced bet goes back whole. What was sealed lies: those of a throw that is made again
        too.
        """
        if self._closed:
            return
        lie = self._stakes[self._carried :]
        while lie:
            n, terminal, number = lie[-1]["account"], lie[-1]["terminal"], lie[-1]["id"]
            is_short = self.money.account(n).cents < self._reserved.get(n, 0)
            for part in _find(lie, terminal, number):
                lie.remove(part)
                if is_short:
                    self._give_back(part)

    def restore(self, record: Any, end: Any) -> None:
        """Takes up, after a restart, the last record, and its coup's end if it had one (else None).

        So terminals are still paid what they have not heard. Raises BrokenSeal.
        """
        seal.check(record)
        self._record = record
        if end is not None and end.get("stakes") != record["seal"]:
            # Of a controller that knew of no stakes: they take no part in it.
            end = {"coup": record["coup"], "stakes": record["seal"]}
        if end is None:
            self._closed = True
            self.coup = record["coup"]
        elif seal.goes_on(record, end):
            self._stakes = [one for one in record["stakes"] if one.get("account") is not None]
            self.goes_on, self._carried = True, len(self._stakes)
            self._carried_coup = record["coup"]
            self._reserve()
        else:
            self._settle(record, end)

    # --- what a terminal may ask ------------------------------------------------------------------
    @property
    def is_open(self) -> bool:
        """Returns whether stakes are taken now, from whoever is seated."""
        return not self._closed and not self._suspended and bool(self._employees)

    def settled(self, terminal: int) -> Settled:
        """Returns what a terminal is to be told: the oldest coup with stakes of who sits there that
        he has not heard (`acknowledge_payments`), else the last that ended. Of a stake that was
        laid at another terminal the id is ELSEWHERE.
        """
        waiting = self._settled.get(self._seats.get(terminal, 0))
        if not waiting:
            return self._ended
        told, where, _ = waiting[0]
        paid = []
        for one, at in zip(told.paid, where):
            paid.append(Paid(one.id if at == terminal else ELSEWHERE, one.cents, one.won_cents))
        return Settled(told.coup, told.number, told.colour, tuple(paid))

    def last_settled(self) -> Settled:
        """Returns the last coup that ended, for who is told of no stakes."""
        return self._ended

    def stake(
        self, terminal: int, number: int, *, coup: int, bet: str, on: Sequence[int], cents: int
    ) -> Answer:
        """Places a stake of the seated player on `coup`. `number`: the terminal's own for it.

        An announced bet is placed whole, or not at all: its parts lie under one number. `cents` are
        those of one piece of it.
        """
        asked: dict[str, Any] = {"player": "-", "bet": bet, "on": list(on), "cents": cents}
        parts: Any = settle.compose(self._table.rules, asked)
        sealed = self._record is not None and self._record["coup"] == coup
        known = _find(self._record["stakes"] if sealed else self._stakes, terminal, number)
        if known:  # a restart lost the answer, so it is asked for again
            if self._seats.get(terminal, known[0].get("account")) != known[0].get("account"):
                return Answer(False, "", f"stake {number} is another stake already")
            if [_what(one) for one in known] == [_what(one) for one in parts]:
                return YES
            return Answer(False, "", f"stake {number} is another stake already")
        refusal = self._refused_now(terminal, coup, len(parts))
        if refusal is not None:
            return refusal
        n, player = self._seats[terminal], self.player(terminal)
        for stake in parts:
            stake["player"] = player
            refused = settle.check(self._table, stake, self._placed)
            if refused is not None:
                return Answer(False, refused.rule, refused.why)
        free, wanted = self.free_cents(n), sum([stake["cents"] for stake in parts])
        if wanted > free:
            return self.refuse(CASH_ONLY, f"{free} cents are left, put money in first")
        self._reserved[n] = self._reserved.get(n, 0) + wanted
        for stake in parts:
            where = settle.key(stake)
            self._placed[where] = self._placed.get(where, 0) + stake["cents"]
            stake["account"] = n
            stake["terminal"] = terminal
            stake["id"] = number
            self._stakes.append(stake)
        return YES

    def take_back(self, terminal: int, number: int) -> Answer:
        """Takes a stake back; possible until the call, and not so that too little is left there."""
        parts = _find(self._stakes, terminal, number)
        if not parts:
            return Answer(False, "", f"there is no stake {number} on the cloth")
        if self._closed or parts[0] in self._stakes[: self._carried]:
            return Answer(False, self._late[0], self._late[1] + " : the stake lies")
        for part in parts:
            left = [one for one in self._stakes if one["id"] != number and _lie_together(one, part)]
            why = settle.under_minimum(self._table, left[0]["cents"]) if left else ""
            if why:
                article = self._table.rules["articles"]["limits"]
                return Answer(False, article, f"take back first what lies on it: {why}")
        for part in parts:
            self._give_back(part)
        return YES

    def _unsealed(self) -> "Sequence[Any]":
        return self._stakes[self._carried :]

    def _give_back(self, stake: Any) -> None:
        self._stakes.remove(stake)
        self._placed[settle.key(stake)] -= stake["cents"]
        self._reserved[stake["account"]] -= stake["cents"]

    def _refused_now(self, terminal: int, coup: int, parts: int) -> "Answer | None":
        """Returns why so many stakes, whatever they are, are not taken from there now; or None."""
        if terminal not in self._seats:
            why = self._unseated.get(terminal)
            if why is not None:
                return Answer(False, "", f"an employee has signed you off: {why}")
            return self.sign_on_first()
        if self._closed or coup != self.coup:
            return Answer(False, self._late[0], self._late[1])
        if self._suspended:
            return Answer(False, "", "the table is out of play until its fault is cleared")
        if not self._employees:
            return self.refuse(EMPLOYEE)
        if len(self.accepted_stakes(terminal)) + parts > STAKES_MAX:
            return Answer(False, "", f"a terminal places {STAKES_MAX} stakes at most")
        return None

    def _matched(self, record: Any, end: Any) -> Any:
        """Returns each stake with what it wins; of a journal before accounts, of nobody's."""
        return [] if self.money is None else self.money.matched(record, end)

    def _settle(self, record: Any, end: Any) -> None:
        """Works out what each player is told. Raises BrokenSeal."""
        number = end.get("number")
        colour = None if number is None else end.get("colour")
        found: dict[int, list[tuple[Paid, int]]] = {}
        for stake, payment in self._matched(record, end):
            n = stake.get("account")
            if n is not None:
                paid = Paid(stake["id"], payment.stake_cents, payment.won_cents)
                found.setdefault(n, []).append((paid, stake["terminal"]))
        for n in sorted(found):
            told = Settled(record["coup"], number, colour, tuple([paid for paid, _ in found[n]]))
            self._tell(n, told, [at for _, at in found[n]])
        self._ended = Settled(record["coup"], number, colour, ())


def _find(stakes: Any, terminal: int, number: int) -> Any:
    """Returns what lies under a terminal's number: one stake, the parts of one, or nothing."""
    return [one for one in stakes if one["id"] == number and one["terminal"] == terminal]


def _what(stake: Any) -> Any:
    return stake["bet"], list(stake["on"]), stake["cents"]


def _lie_together(one: Any, other: Any) -> bool:
    return settle.key(one) == settle.key(other)
