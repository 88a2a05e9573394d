"""What every book of a table with terminals keeps: who sits where, who of the house is present,
whose money it is. What players stake is in book.py for a wheel, in card_book.py for a card table.

Luxembourg art. 20-1 to 20-3, 62. Knows no wire and no time; firmware/bus/terminal_host.py asks,
each thing once, under a number that rises. What is accepted is reserved of an account
(accounts.py), what is sealed is paid, and a payment belongs to the account, at whichever terminal
its player sits then.
"""

import hashlib

from firmware.shims.typed import Any, Sequence
from firmware.stakes import accounts
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
from rules import limits

# Many times what lies before one player at a roulette; 32 terminals full fill one record.
STAKES_MAX = 64
SEATS_MAX = 255  # a seat's number has one byte on the line
WAITING_MAX = 8  # coups that a player has yet to be told; the journal has them all


class TerminalBook:
    """Of one table. A book extends it by what its game has players lay."""

    def __init__(
        self,
        regulation: str,
        *,
        terminals: Sequence[int],
        coup: int,
        money: Any,
        keys: "dict[int, bytes] | None",
        put_in: bool,
    ) -> None:
        """`regulation`: whose rules are played; the rest as firmware.stakes.book.Book."""
        self._regulation = regulation
        self.terminals = tuple(terminals)
        self.coup = coup  # the one whose stakes are taken, or that is being played
        self.money = money
        self._keys = {} if keys is None else keys
        self._put_in = put_in
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
        self._closed = False  # since its call, until the coup has ended
        # By account: what its player has yet to hear, each payment with the terminal of its stake,
        # and the number of that telling.
        self._settled: dict[int, list[Any]] = {}
        self._tellings = 0  # so many were queued there, ever

    # --- what a book says of its stakes -----------------------------------------------------------
    def _unsealed(self) -> "Sequence[Any]":
        """Returns the accepted stakes that may still go back."""
        return self._stakes

    def _give_back(self, stake: Any) -> None:
        """Takes an accepted stake off the table again."""
        raise NotImplementedError

    def _elsewhere(self, n: int) -> "Answer | None":
        """Returns why the player of account `n` may not sit down, or None."""
        return None

    def _barred(self, n: int) -> None:
        """Takes that the player of account `n` may play no more, where he sits at no terminal."""

    def _tell(self, n: int, told: Any, where: "Sequence[int]") -> None:
        """Has the player of account `n` told what a coup paid him; `where`: each stake's
        terminal.
        """
        untold = self._settled.setdefault(n, [])
        self._tellings += 1
        untold.append((told, tuple(where), self._tellings))
        if len(untold) > WAITING_MAX:
            untold.pop(0)

    def _tell_anew(self, coup: int, accounts: "Sequence[int] | None" = None) -> None:
        """Forgets what players of these accounts, None: all, have yet to hear of a coup."""
        for n in sorted(self._settled) if accounts is None else accounts:
            if n not in self._settled:
                continue
            self._settled[n] = [one for one in self._settled[n] if one[0].coup != coup]

    def _seat_anew(self) -> None:
        """Has each terminal whose player has something to hear take it for new."""
        for terminal in sorted(self._seats):
            if self._settled.get(self._seats[terminal]):
                self._seatings[terminal] += 1

    # --- the house --------------------------------------------------------------------------------
    def suspend(self, suspended: bool) -> None:
        """Takes nothing until it is in play again: a fault locks the table."""
        self._suspended = suspended

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

    def employees(self) -> "Sequence[str]":
        """Returns who of the house is at the table, by name."""
        return sorted(self._employees)

    @property
    def attended(self) -> bool:
        """Returns whether an employee is present."""
        return bool(self._employees)

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
            terminal = self.terminal_of(body["account"])
            if terminal is not None:
                self.unseat(terminal, body["why"])
            self._barred(body["account"])
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
            return self.refuse(CASH_ONLY, "money is counted at the cash desk")
        if n is None:
            return self.sign_on_first()
        given = {"account": n, "cents": cents, "terminal": terminal, "who": ""}
        given.update({"boot": boot, "request": request})
        self._deposits[terminal] = (asked, None)
        self._asked.append((accounts.DEPOSIT, given))
        return None

    def free_cents(self, n: int) -> int:
        """Returns what an account may stake: all that it has, and that does not lie."""
        return max(0, self.left_cents(n))

    def left_cents(self, n: int) -> int:
        """Returns the same; below 0 where a correction took what was paid out meanwhile."""
        account = None if self.money is None else self.money.account(n)
        if account is None:
            return 0
        waits = self._reserved.get(n, 0) + self._undurable.get(n, 0)
        return int(account.cents) - waits

    # --- what a terminal may ask ------------------------------------------------------------------
    def player(self, terminal: int) -> Any:
        """Returns the name of who sits at a terminal; None if nobody does."""
        n = self._seats.get(terminal)
        return None if n is None else self.money.account(n).player

    def terminal_of(self, n: int) -> "int | None":
        """Returns where the player of account `n` sits; None if he does not."""
        for terminal in sorted(self._seats):
            if self._seats[terminal] == n:
                return terminal
        return None

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

    def acknowledge_payments(self, terminal: int, coup: int) -> None:
        """Notes that who sits at a terminal has heard all that coup paid him."""
        self.acknowledge(self._seats.get(terminal, 0), coup)

    def acknowledge(self, n: int, coup: int) -> None:
        """Notes that the player of account `n` has heard all that coup paid him."""
        waiting = self._settled.get(n)
        if waiting and waiting[0][0].coup == coup:
            waiting.pop(0)

    def telling(self, n: int) -> int:
        """Returns the number of what the player of account `n` is to be told first, another each
        time; 0: nothing.
        """
        waiting = self._settled.get(n)
        return waiting[0][2] if waiting else 0

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
            return self.refuse(CASH_ONLY, "the house has not opened [money]")
        account = self.money.account(n)
        if account is None:
            return self.refuse(CASH_ONLY, f"there is no account {n}")
        seated = self._seats.get(terminal)
        if seated == n:
            return YES
        if account.barred:
            article, words = BARRED
            return self.refuse((article, words))
        elsewhere = self._elsewhere(n)
        if elsewhere is not None:
            return elsewhere
        other = self.terminal_of(n)
        if other is not None:
            return self.refuse(ONE_TERMINAL, f"{account.player} sits at terminal {other}")
        if seated is not None:
            return self.refuse(ONE_PLAYER, "another player sits at this terminal")
        self._seats[terminal] = n
        self._seatings[terminal] = self._seatings.get(terminal, 0) + 1
        self._unseated.pop(terminal, None)
        return YES

    def sign_on_first(self) -> Answer:
        """Returns what is answered to who has shown no key."""
        return self.refuse(ONE_PLAYER, "sign on first")

    def refuse(self, rule: "tuple[str, str]", so: str = "") -> Answer:
        """Returns a refusal by Luxembourg's text.

        Article, words, and `so` what is wrong or to do.
        """
        article, words = rule
        return Answer(False, named(article, self._regulation), f"{words} : {so}" if so else words)

    def sign_off(self, terminal: int) -> Answer:
        """Frees the seat; not while a stake lies, or it could be joined from another seat."""
        if self.accepted_stakes(terminal):
            return self.refuse(
                ONE_TERMINAL, "take the stakes back, or wait for the end of the coup"
            )
        self._seats.pop(terminal, None)
        return YES

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
            given_back = [one for one in self._unsealed() if one["account"] == n]
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


def account_key(secret: bytes, n: int) -> bytes:
    """Returns the key that the player of account `n` shows when he signs on. `secret`: made of his
    PIN or card (firmware/keys/players.py).
    """
    return hashlib.sha256(b"cylindre account %d\n" % n + secret).digest()


def _request(given: Any) -> Any:
    """Returns which request of its terminal that is."""
    return given["boot"], given["request"]


def _sentence(rule: "tuple[str, str]", so: str) -> str:
    """Returns a refusal by Luxembourg's text as one sentence."""
    return f"{rule[0]}: {rule[1]} : {so}."
