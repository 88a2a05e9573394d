"""The stakes book of a semi-automatic game (Luxembourg art. 20-1 to 20-3): who sits at which
terminal, which stakes of the coming coup are accepted, what lay on the cloth at the call.

Accepted means acknowledged: what has not been accepted when `close` comes did not take part. The
book opens again when the coup has ended: stakes for the next one may come between two coups.
Knows no wire and no time; firmware/bus/terminal_host.py asks, each thing once, under a number that
rises. A stake is paid from the account of who sits there (accounts.py): what is accepted is
reserved, what is sealed is paid, and a payment belongs to the account, at whichever terminal its
player sits then.
"""

import hashlib

from firmware.shims.typed import Any, NamedTuple, Sequence
from firmware.stakes import accounts, seal
from firmware.stakes.accounts import ACCOUNT, CLOSING, MONEY
from firmware.stakes.answers import (
    BARRED,
    CASH_ONLY,
    EMPLOYEE,
    ONE_PLAYER,
    ONE_TERMINAL,
    YES,
    Answer,
    named,
)
from rules import limits, settle

# Many times what lies before one player at a roulette; 32 terminals full fill one record.
STAKES_MAX = 64
SEATS_MAX = 255  # a seat's number has one byte on the line

WAITING_MAX = 8  # coups that a player has yet to be told; the journal has them all
ELSEWHERE = 0  # the id, at a terminal, of a stake that was laid at another

# One stake that was settled. won_cents: negative for what is lost.
Paid = NamedTuple("Paid", [("id", int), ("cents", int), ("won_cents", int)])
# A coup that ended: number and colour are None for a void. `paid`: of one player.
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
        self._table = limits.open_table(
            rules, minimum_cents, maximum_multiples, table_minimum_cents
        )
        self._multiples = limits.multiples_of(rules, maximum_multiples)
        self._regulation: str = rules["regulation"]
        self._late: tuple[str, str] = rules["late"]
        self.terminals = tuple(terminals)
        self.coup = coup  # the one whose stakes are taken, or that is being played
        self.money = money
        self._keys = {} if keys is None else keys
        self._put_in = put_in
        self._relaunch = relaunch
        # What was played before is folded or closed: who staked then is not known here.
        self._unknown_until = coup - 1
        self._seats: dict[int, int] = {}  # by terminal: the account of who sits there
        self._seatings: dict[int, int] = {}  # by terminal: how often somebody sat down
        self._reserved: dict[int, int] = {}  # by account: accepted stakes, not sealed
        self._undurable: dict[int, int] = {}  # by account: deposits that are being recorded
        self._asked: list[tuple[str, Any]] = []  # deposits for the core
        # By terminal: the last deposit it asked, boot and request; why not, None while it waits.
        self._deposits: dict[int, tuple[Any, Any]] = {}
        self._unseated: dict[int, str] = {}  # by terminal: why, until somebody signs on there
        self._employees: list[str] = []
        self._suspended = False
        self._stakes: list[Any] = []  # accepted, in order: dicts as a record has them
        self._placed: dict[Any, int] = {}
        self.goes_on = False  # the last throw was void, and its stakes lie for this one
        self._carried = 0  # so many of the first stakes were sealed for it
        self._carried_coup = 0
        self._record: Any = None  # the last that was sealed
        self._closed = False  # since its call, until the coup has ended
        # By account: what its player has yet to hear, each payment with the terminal of its stake.
        self._settled: dict[int, list[tuple[Settled, tuple[int, ...]]]] = {}
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
        for n in sorted(self._settled):
            self._settled[n] = [one for one in self._settled[n] if one[0].coup != coup]
        ended = self._ended
        self._settle(righted[0], righted[1])
        self._ended = ended
        for terminal in sorted(self._seats):
            if self._settled.get(self._seats[terminal]):
                self._seatings[terminal] += 1  # a terminal that has heard of that coup hears again
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

    def employees(self) -> "Sequence[str]":
        """Returns who of the house is at the table, by name."""
        return sorted(self._employees)

    def unseat(self, terminal: int, why: str) -> Any:
        """Signs off whoever sits at a terminal, as an employee asks; `why`: the reason in words.

        What is not sealed yet goes back; what is sealed lies, and is paid. Returns what the record
        says of it, a dict; or a text, why not.
        """
        player = self.player(terminal)
        if terminal not in self.terminals:
            return f"there is no terminal {terminal} at this table."
        if player is None:
            return f"nobody is signed on at terminal {terminal}."
        given_back = []
        if not self._closed:
            n = self._seats[terminal]
            given_back = [one for one in self._stakes[self._carried :] if one["account"] == n]
        for stake in given_back:
            self._give_back(stake)
        del self._seats[terminal]
        self._unseated[terminal] = why
        return {
            "terminal": terminal,
            "player": player,
            "given_back": len(given_back),
            "given_back_cents": sum([stake["cents"] for stake in given_back]),
        }

    # --- money, as the core has it recorded -------------------------------------------------------
    def entry(self, what: str, given: Any) -> Any:
        """Takes what is asked of the accounts: an ACCOUNT, a CLOSING, or a `what` of MONEY.

        Returns (kind, body) of the row to record, which stands from now on, a deposit once it is
        durable (`entered`); or a text, why not.
        """
        if self.money is None:
            return _sentence(CASH_ONLY, "the house has not opened [money]")
        try:
            kind, body = self._entry(what, given)
            self.money.add_row(kind, body)
        except accounts.Refused as error:
            if given.get("request") is not None:
                refused = Answer(False, "", error.sentence)
                self._deposits[given["terminal"]] = (_request(given), refused)
            return error.sentence + "."
        if what in (ACCOUNT, accounts.RENEWED):
            self._keys[body["account"]] = account_key(given["key"], body["account"])
        elif what == accounts.DEPOSIT:
            n = body["account"]
            self._undurable[n] = self._undurable.get(n, 0) + body["cents"]
        elif what == accounts.BARRED:
            for terminal in sorted(self._seats):
                if self._seats[terminal] == body["account"]:
                    self.unseat(terminal, body["why"])
                    break
        elif what == CLOSING:
            self._unknown_until = self.coup - 1
        return kind, body

    def entered(self, kind: str, body: Any) -> None:
        """Takes that such a row is durable."""
        if kind == MONEY and body["what"] == accounts.DEPOSIT:
            self._undurable[body["account"]] -= body["cents"]
            if body.get("request") is not None:
                self._deposits.pop(body["terminal"], None)

    def take_asked(self) -> "Sequence[Any]":
        """Returns what terminals have asked of the accounts since the last call: `entry`'s."""
        asked = self._asked
        self._asked = []
        return asked

    def put_in(self, terminal: int, boot: int, request: int, cents: int) -> "Answer | None":
        """Takes money that lies in a terminal's acceptor, in escrow until this answers.

        None: it is being recorded; ask again. The same request of the same boot is entered once.
        """
        asked, (last, answer) = (boot, request), self._deposits.get(terminal, (None, YES))
        if asked == last:
            return answer  # type: ignore[no-any-return]
        if self.money is not None and self.money.was_deposited(terminal, boot, request):
            return YES
        if answer is None:
            return Answer(False, "", "other money is being recorded: wait for it")
        n = self._seats.get(terminal)
        if self.money is None or not self._put_in:
            return self._refuse(CASH_ONLY, "money is counted at the cash desk")
        if n is None:
            return self.sign_on_first()
        given = {"account": n, "cents": cents, "terminal": terminal, "who": ""}
        given.update({"boot": boot, "request": request})
        self._deposits[terminal] = (asked, None)
        self._asked.append((accounts.DEPOSIT, given))
        return None

    def free_cents(self, n: int) -> int:
        """Returns what an account may stake: all that it has, and that does not lie."""
        account = None if self.money is None else self.money.account(n)
        if account is None:
            return 0
        waits = self._reserved.get(n, 0) + self._undurable.get(n, 0)
        return max(0, int(account.cents) - waits)

    def suspend(self, suspended: bool) -> None:
        """Takes nothing until it is in play again: a fault locks the table."""
        self._suspended = suspended

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

    @property
    def attended(self) -> bool:
        """Returns whether an employee is present."""
        return bool(self._employees)

    def player(self, terminal: int) -> Any:
        """Returns the name of who sits at a terminal; None if nobody does."""
        n = self._seats.get(terminal)
        return None if n is None else self.money.account(n).player

    def seat(self, terminal: int) -> int:
        """Returns a number that is another for each who sits down there, from 1; 0: nobody sits."""
        if terminal not in self._seats:
            return 0
        return (self._seatings[terminal] - 1) % SEATS_MAX + 1

    def funds_cents(self, terminal: int) -> int:
        """Returns what who sits there may stake; 0 if nobody does."""
        n = self._seats.get(terminal)
        return 0 if n is None else self.free_cents(n)

    def unseated(self, terminal: int) -> bool:
        """Returns whether an employee has signed off who sat there last, and nobody sits there."""
        return terminal in self._unseated

    def settled(self, terminal: int) -> Settled:
        """Returns what a terminal is to be told: the oldest coup with stakes of who sits there that
        he has not heard (`acknowledge_payments`), else the last that ended. Of a stake that was
        laid at another terminal the id is ELSEWHERE.
        """
        waiting = self._settled.get(self._seats.get(terminal, 0))
        if not waiting:
            return self._ended
        told, where = waiting[0]
        paid = []
        for one, at in zip(told.paid, where):
            paid.append(Paid(one.id if at == terminal else ELSEWHERE, one.cents, one.won_cents))
        return Settled(told.coup, told.number, told.colour, tuple(paid))

    def last_settled(self) -> Settled:
        """Returns the last coup that ended, for who is told of no stakes."""
        return self._ended

    def acknowledge_payments(self, terminal: int, coup: int) -> None:
        """Notes that who sits at a terminal has heard all that coup paid him."""
        waiting = self._settled.get(self._seats.get(terminal, 0))
        if waiting and waiting[0][0].coup == coup:
            waiting.pop(0)

    def accepted_stakes(self, terminal: int) -> Any:
        """Returns the accepted stakes of who sits at a terminal, (id, cents), in order."""
        n = self._seats.get(terminal)
        return [(one["id"], one["cents"]) for one in self._stakes if one["account"] == n]

    def key(self, n: int) -> Any:
        """Returns the key of an account's player (`sign_on`); None if there is none."""
        return None if self.money is None else self._keys.get(n)

    def sign_on(self, terminal: int, n: int) -> Answer:
        """Seats the player of account `n`, who has shown its key: at one terminal, alone at it."""
        if self.money is None:
            return self._refuse(CASH_ONLY, "the house has not opened [money]")
        account = self.money.account(n)
        if account is None:
            return self._refuse(CASH_ONLY, f"there is no account {n}")
        seated = self._seats.get(terminal)
        if seated == n:
            return YES
        if account.barred:
            article, words = BARRED
            return self._refuse((article, words))
        for other in sorted(self._seats):
            if self._seats[other] == n:
                return self._refuse(ONE_TERMINAL, f"{account.player} sits at terminal {other}")
        if seated is not None:
            return self._refuse(ONE_PLAYER, "another player sits at this terminal")
        self._seats[terminal] = n
        self._seatings[terminal] = self._seatings.get(terminal, 0) + 1
        self._unseated.pop(terminal, None)
        return YES

    def sign_on_first(self) -> Answer:
        """Returns what is answered to who has shown no key."""
        return self._refuse(ONE_PLAYER, "sign on first")

    def sign_off(self, terminal: int) -> Answer:
        """Frees the seat; not while a stake lies, or it could be joined from another seat."""
        if self.accepted_stakes(terminal):
            return self._refuse(
                ONE_TERMINAL, "take the stakes back, or wait for the end of the coup"
            )
        self._seats.pop(terminal, None)
        return YES

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
            return self._refuse(CASH_ONLY, f"{free} cents are left, put money in first")
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
            return self._refuse(EMPLOYEE)
        if len(self.accepted_stakes(terminal)) + parts > STAKES_MAX:
            return Answer(False, "", f"a terminal places {STAKES_MAX} stakes at most")
        return None

    def _entry(self, what: str, given: Any) -> "tuple[str, dict[str, Any]]":
        """Returns the row that is asked for. Raises Refused."""
        money, who = self.money, given["who"]
        if what == ACCOUNT:
            return ACCOUNT, money.open(given["player"], who)
        if what == CLOSING:
            if self._stakes or self._closed:
                raise accounts.Refused("stakes lie on the table: the day cannot be closed")
            return CLOSING, money.close(given["day"], who)
        if what == accounts.REDEEMED:
            receipt, n, cents = given["receipt"]  # as the wheel signed it
            return MONEY, money.redeem(receipt, n, cents, who=who)
        if what == accounts.REPRINTED:
            return MONEY, money.reprint(given["receipt"], who)
        n = given["account"]
        if what == accounts.RENEWED:
            return MONEY, money.renew(n, who)
        if what == accounts.PAYOUT:
            waits = self._reserved.get(n, 0) + self._undurable.get(n, 0)
            body = money.pay_out(n, given["cents"], reserved_cents=waits, who=who)
        elif what == accounts.DEPOSIT:
            body = money.deposit(n, given["cents"], terminal=given["terminal"], who=who)
            for name in ("boot", "request"):
                if given.get(name) is not None:
                    body[name] = given[name]
        else:
            body = money.judge(what, n, who=who, why=given["why"])
        return MONEY, body

    def _refuse(self, rule: "tuple[str, str]", so: str = "") -> Answer:
        """Returns a refusal by Luxembourg's text.

        Article, words, and `so` what is wrong or to do.
        """
        article, words = rule
        return Answer(False, named(article, self._regulation), f"{words} : {so}" if so else words)

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
            untold = self._settled.setdefault(n, [])
            told = Settled(record["coup"], number, colour, tuple([paid for paid, _ in found[n]]))
            untold.append((told, tuple([at for _, at in found[n]])))
            if len(untold) > WAITING_MAX:
                untold.pop(0)
        self._ended = Settled(record["coup"], number, colour, ())


def account_key(secret: bytes, n: int) -> bytes:
    """Returns the key that the player of account `n` shows when he signs on. `secret`: made of his
    PIN or card (firmware/keys/players.py).
    """
    return hashlib.sha256(b"cylindre account %d\n" % n + secret).digest()


def _find(stakes: Any, terminal: int, number: int) -> Any:
    """Returns what lies under a terminal's number: one stake, the parts of one, or nothing."""
    return [one for one in stakes if one["id"] == number and one["terminal"] == terminal]


def _what(stake: Any) -> Any:
    return stake["bet"], list(stake["on"]), stake["cents"]


def _lie_together(one: Any, other: Any) -> bool:
    return settle.key(one) == settle.key(other)


def _request(given: Any) -> Any:
    """Returns which request of its terminal that is."""
    return given["boot"], given["request"]


def _sentence(rule: "tuple[str, str]", so: str) -> str:
    """Returns a refusal by Luxembourg's text as one sentence."""
    return f"{rule[0]}: {rule[1]} : {so}."
