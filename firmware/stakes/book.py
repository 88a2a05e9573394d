"""The stakes book of a semi-automatic game (Luxembourg art. 20-1 to 20-3): who sits at which
terminal, which stakes of the coming coup are accepted, what lay on the cloth at the call.

Accepted means acknowledged: what has not been accepted when `close` comes did not take part. The
book opens again when the coup has ended: stakes for the next one may come between two coups.
Knows no wire and no time; firmware/bus/terminal_host.py asks, each thing once, under a number that
rises.
"""

from firmware.shims.typed import Any, NamedTuple, Sequence
from firmware.stakes import seal
from firmware.stakes.answers import (
    EMPLOYEE,
    NAME,
    ONE_PLAYER,
    ONE_TERMINAL,
    YES,
    Answer,
    named,
)
from rules import limits, settle

# Many times what lies before one player at a roulette; 32 terminals full fill one record.
STAKES_MAX = 64
PLAYER_MAX = 24  # bytes of a player's name in UTF-8: what a frame of a terminal has room for

WAITING_MAX = 8  # coups a silent terminal has yet to be told; the journal has them all

# One stake of a terminal that was settled. won_cents: negative for what is lost.
Paid = NamedTuple("Paid", [("id", int), ("cents", int), ("won_cents", int)])
# A coup that ended: number and colour are None for a void. `paid`: of one terminal.
Settled = NamedTuple(
    "Settled",
    [("coup", int), ("number", Any), ("colour", Any), ("paid", "Sequence[Paid]")],
)
NOTHING = Settled(0, None, None, ())


class Book:
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
    ) -> None:
        """`rules`: of rules.load; `terminals`: their addresses; `coup`: the one to come.

        Limits as rules.settle.open_table. Raises its WrongInput.
        """
        self._table = limits.open_table(
            rules, minimum_cents, maximum_multiples, table_minimum_cents
        )
        self._multiples = limits.multiples_of(rules, maximum_multiples)
        self._regulation: str = rules["regulation"]
        self._late: tuple[str, str] = rules["late"]
        self.terminals = tuple(terminals)
        self.coup = coup  # the one whose stakes are taken, or that is being played
        self._players: dict[int, str] = {}  # by terminal
        self._unseated: dict[int, str] = {}  # by terminal: why, until somebody signs on there
        self._employees: list[str] = []
        self._suspended = False
        self._stakes: list[Any] = []  # accepted, in order: dicts as a record has them
        self._placed: dict[Any, int] = {}
        self._record: Any = None  # the last that was sealed
        self._closed = False  # since its call, until the coup has ended
        self._settled: dict[int, list[Settled]] = {}  # what a terminal has yet to hear
        self._ended: Settled = NOTHING  # the last coup that ended, for whoever had no stakes in it

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
            record = {
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
            record["seal"] = seal.seal(record)
            self._record = record
            self._closed = True
        return self._record

    def sealed(self, coup: int) -> Any:
        """Returns the seal of that coup's record; None before its call."""
        record = self._record
        return record["seal"] if record is not None and record["coup"] == coup else None

    def ended(self, body: Any) -> None:
        """Settles a coup whose end is durable: pays what took part, returns all if it is void.

        `body`: the record of a result or a void. What lay here without a call goes back too.
        """
        if not self._closed and self.close(body["coup"]) is not None:
            body = {"coup": body["coup"], "stakes": self._record["seal"]}
        if self._closed:
            self._settle(self._record, body)
        self._closed = False
        self._stakes = []
        self._placed = {}
        self.coup = body["coup"] + 1

    def employee(self, who: str, present: bool) -> Any:
        """Notes that an employee comes or leaves (art. 20-1). Returns why not, or None."""
        if present:
            if not limits.printable(who):
                return "an employee's name is printable text on one line."
            if who not in self._employees:
                self._employees.append(who)
        elif who in self._employees:
            if self._employees == [who] and self._stakes:
                article = named(EMPLOYEE[0], self._regulation)
                return (
                    f"stakes lie on the table, and {article} wants an employee: have another sign"
                    " on, or wait for the end of the coup."
                )
            self._employees.remove(who)
        return None

    def unseat(self, terminal: int, why: str) -> Any:
        """Signs off whoever sits at a terminal, as an employee asks; `why`: the reason in words.

        What is not sealed yet goes back; what is sealed lies, and is paid. Returns what the record
        says of it, a dict; or a text, why not.
        """
        player = self._players.get(terminal)
        if terminal not in self.terminals:
            return f"there is no terminal {terminal} at this table."
        if player is None:
            return f"nobody is signed on at terminal {terminal}."
        given_back = []
        if not self._closed:
            given_back = [one for one in self._stakes if one["terminal"] == terminal]
        for stake in given_back:
            self._give_back(stake)
        del self._players[terminal]
        self._unseated[terminal] = why
        return {
            "terminal": terminal,
            "player": player,
            "given_back": len(given_back),
            "given_back_cents": sum([stake["cents"] for stake in given_back]),
        }

    def suspend(self, suspended: bool) -> None:
        """Takes nothing until it is in play again: a fault locks the table."""
        self._suspended = suspended

    def restore(self, record: Any, end: Any) -> None:
        """Takes up, after a restart, the last record, and its coup's end if it had one (else None).

        So terminals are still paid what they have not heard. Raises BrokenSeal.
        """
        seal.check(record)
        self._record = record
        if end is None:
            self._closed = True
            self.coup = record["coup"]
        else:
            self._settle(record, end)

    # --- what a terminal may ask ------------------------------------------------------------------
    @property
    def is_open(self) -> bool:
        """Returns whether stakes are taken now, from whoever is seated."""
        return not self._closed and not self._suspended and bool(self._employees)

    @property
    def attended(self) -> bool:
        """Returns whether an employee is present."""
        return bool(self._employees)

    def player(self, terminal: int) -> Any:
        """Returns who sits at a terminal; None if nobody does."""
        return self._players.get(terminal)

    def unseated(self, terminal: int) -> bool:
        """Returns whether an employee has signed off who sat there last, and nobody sits there."""
        return terminal in self._unseated

    def settled(self, terminal: int) -> Settled:
        """Returns what a terminal is to be told: the oldest coup with stakes of it that it has not
        confirmed (`told`), else the last that ended.
        """
        waiting = self._settled.get(terminal)
        return waiting[0] if waiting else self._ended

    def acknowledge_payments(self, terminal: int, coup: int) -> None:
        """Notes that a terminal has heard all that coup paid it."""
        waiting = self._settled.get(terminal)
        if waiting and waiting[0].coup == coup:
            waiting.pop(0)

    def accepted_stakes(self, terminal: int) -> Any:
        """Returns the accepted stakes of a terminal, (id, cents), in order."""
        return [(one["id"], one["cents"]) for one in self._stakes if one["terminal"] == terminal]

    def sign_on(self, terminal: int, player: str) -> Answer:
        """Seats a player: at one terminal alone, and alone at it."""
        name = " ".join(player.split())
        if not _is_latin(player) or not 0 < len(name.encode()) <= PLAYER_MAX:
            why = f"a player's name is 1 to {PLAYER_MAX} bytes of Latin letters, digits and signs"
            return self._refuse((NAME, why))
        seated = self._players.get(terminal)
        if seated is not None and _same(seated, name):
            return YES
        for other, sitting in self._players.items():
            if _same(sitting, name):
                return self._refuse(ONE_TERMINAL, f"{name} sits at terminal {other}")
        if seated is not None:
            return self._refuse(ONE_PLAYER, "another player sits at this terminal")
        self._players[terminal] = name
        self._unseated.pop(terminal, None)
        return YES

    def sign_off(self, terminal: int) -> Answer:
        """Frees the seat; not while a stake lies, or it could be joined from another seat."""
        if self.accepted_stakes(terminal):
            return self._refuse(
                ONE_TERMINAL, "take the stakes back, or wait for the end of the coup"
            )
        self._players.pop(terminal, None)
        return YES

    def stake(
        self, terminal: int, number: int, *, coup: int, bet: str, on: Sequence[int], cents: int
    ) -> Answer:
        """Places a stake of the seated player on `coup`. `number`: the terminal's own for it."""
        sealed = self._record is not None and self._record["coup"] == coup
        known = _find(self._record["stakes"] if sealed else self._stakes, terminal, number)
        if known is not None:  # a restart lost the answer, so it is asked for again
            if (known["bet"], known["on"], known["cents"]) == (bet, list(on), cents):
                return YES
            return Answer(False, "", f"stake {number} is another stake already")
        refusal = self._refused_now(terminal, coup)
        if refusal is not None:
            return refusal
        player = self._players[terminal]
        stake: dict[str, Any] = {"player": player, "bet": bet, "on": list(on), "cents": cents}
        refused = settle.check(self._table, stake, self._placed)
        if refused is not None:
            return Answer(False, refused.rule, refused.why)
        where = settle.key(stake)
        self._placed[where] = self._placed.get(where, 0) + cents
        stake["terminal"] = terminal
        stake["id"] = number
        self._stakes.append(stake)
        return YES

    def take_back(self, terminal: int, number: int) -> Answer:
        """Takes a stake back; possible until the call, and not so that too little is left there."""
        stake = _find(self._stakes, terminal, number)
        if stake is None:
            return Answer(False, "", f"there is no stake {number} on the cloth")
        if self._closed:
            return Answer(False, self._late[0], self._late[1] + " : the stake lies")
        left = [one for one in self._stakes if one is not stake and _lie_together(one, stake)]
        why = settle.under_minimum(self._table, left[0]["cents"]) if left else ""
        if why:
            article = self._table.rules["articles"]["limits"]
            return Answer(False, article, f"take back first what lies on it: {why}")
        self._give_back(stake)
        return YES

    def _give_back(self, stake: Any) -> None:
        self._stakes.remove(stake)
        self._placed[settle.key(stake)] -= stake["cents"]

    def _refused_now(self, terminal: int, coup: int) -> "Answer | None":
        """Returns why no stake, whatever it is, is taken from there now; or None."""
        if terminal not in self._players:
            why = self._unseated.get(terminal)
            if why is not None:
                return Answer(False, "", f"an employee has signed you off: {why}")
            return self._refuse(ONE_PLAYER, "sign on first")
        if self._closed or coup != self.coup:
            return Answer(False, self._late[0], self._late[1])
        if self._suspended:
            return Answer(False, "", "the table is out of play until its fault is cleared")
        if not self._employees:
            return self._refuse(EMPLOYEE)
        if len(self.accepted_stakes(terminal)) >= STAKES_MAX:
            return Answer(False, "", f"a terminal places {STAKES_MAX} stakes at most")
        return None

    def _refuse(self, rule: "tuple[str, str]", so: str = "") -> Answer:
        """Returns a refusal by Luxembourg's text.

        Article, words, and `so` what is wrong or to do.
        """
        article, words = rule
        return Answer(False, named(article, self._regulation), f"{words} : {so}" if so else words)

    def _settle(self, record: Any, end: Any) -> None:
        """Works out what each terminal is told. Raises BrokenSeal."""
        number = end.get("number")
        colour = None if number is None else end.get("colour")
        waiting: dict[Any, list[Any]] = {}
        for stake in record["stakes"]:
            alike = (stake["player"], stake["bet"], tuple(stake["on"]), stake["cents"])
            waiting.setdefault(alike, []).append(stake)
        found: dict[int, list[Paid]] = {}
        for payment in seal.payments(record, end):
            # Stakes that are alike are paid alike: whichever comes first is this one.
            stake = waiting[tuple(payment[:4])].pop(0)
            paid = Paid(stake["id"], payment.stake_cents, payment.won_cents)
            found.setdefault(stake["terminal"], []).append(paid)
        for terminal, paid_here in found.items():
            untold = self._settled.setdefault(terminal, [])
            untold.append(Settled(record["coup"], number, colour, tuple(paid_here)))
            if len(untold) > WAITING_MAX:
                untold.pop(0)
        self._ended = Settled(record["coup"], number, colour, ())


def _find(stakes: Any, terminal: int, number: int) -> Any:
    for stake in stakes:
        if stake["id"] == number and stake["terminal"] == terminal:
            return stake
    return None


def _lie_together(one: Any, other: Any) -> bool:
    return settle.key(one) == settle.key(other)


def _same(one: str, other: str) -> bool:
    """Returns one player, however the name is written."""
    return one.lower() == other.lower()


def _is_latin(text: str) -> bool:
    """Returns whether nothing in it is unseen, or looks like another letter: art. 20-3 compares
    names.
    """
    return all(" " <= letter <= "~" or "\u00c0" <= letter <= "\u024f" for letter in text)
