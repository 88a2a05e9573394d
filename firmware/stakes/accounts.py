"""The players' accounts: which entries may come, and what follows from them.

Luxembourg, règlement modifié du 12 février 1979, art. 62: "Les jeux ne peuvent être pratiqués
qu'argent comptant : tout enjeu sur parole est interdit." An account is folded from the journal's
rows in their order, and from nothing else:

    account      {account, player, who}: an employee opened it
    money        {what: DEPOSIT, account, cents, terminal, who}: put in; of a terminal's acceptor
                 with `boot` and `request`, by which it is entered once, and who ""
                 {what: PAYOUT, account, cents, terminal: 0, who, receipt}: out, against a receipt
                 {what: REDEEMED, account, cents, terminal: 0, who, receipt}: shown, and paid
                 {what: WITHHELD, RELEASED, BARRED or ADMITTED, account, who, why}: art. 20-3 c
                 {what: RENEWED, account, who}: its player has another PIN or card
                 {what: REPRINTED, account, cents, who, receipt}: its paper was lost
    stakes       sealed at a call: they lie
    result, void of that coup: what the stakes became
    correction   of a coup of the day: what they should have become
    card_...     of a card table (card_money.py): sealed stakes, what decisions lay, cards, ends
    closing      {day, who, meters, drop_cents, won_cents, hold_cents, accounts, receipts, ...}: of
                 a day; what comes after it is folded from it, and from the accounts opened before

A balance is what was put in, less what was paid out, plus what sealed stakes won. At every row

    in - out = balances + what lies sealed + what the house has won (staked - won)

This file writes nothing and knows no time. Whole cents.
"""

from firmware.shims.typed import Any, NamedTuple, Sequence
from firmware.stakes import card_kinds, seal
from rules import limits

# Kinds of the rows that are entered here: opened, moved, of a day.
ACCOUNT, MONEY, CLOSING = ENTRIES = ("account", "money", "closing")
# And of all that accounts are folded from.
FOLDED = ENTRIES + ("stakes", "result", "void", "correction") + card_kinds.MONEY

DEPOSIT = "deposit"
PAYOUT = "payout"
REDEEMED = "redeemed"
# Art. 20-3 c: "la Direction du casino se réserve le droit de ne pas payer les gains et d'interdire
# de jeu les joueurs concernés".
WITHHELD = "withheld"  # nothing of it is paid out
RELEASED = "released"
BARRED = "barred"  # nobody signs on with it
ADMITTED = "admitted"
JUDGED = (WITHHELD, RELEASED, BARRED, ADMITTED)
RENEWED = "renewed"  # its player has another PIN or card
REPRINTED = "reprinted"  # a receipt that was given is printed again; it is redeemed once

# Not in a name: signs, and letters that look like others or have no second form.
_NO_NAMES = "\u00d7\u00f7\u0130\u0131\u0132\u0133\u0138\u013f\u0140\u0149"

DESK = 0  # where an employee counts money, in the place of a terminal's address
ACCOUNTS_MAX = 2**32 - 1
PLAYER_MAX = 24  # bytes of a player's name in UTF-8
# Coups with stakes whose correction is carried out here; of one before, people pay the difference
# (`cylindre settle --journal`).
CORRECTED_MAX = 64
# Accounts with money or a mark, and receipts, that one closing has room for.
CLOSING_MAX = 6000

CASH_ONLY = "art. 62"
ALONE = "art. 20-3"
NOT_PAID = "« la Direction du casino se réserve le droit de ne pas payer les gains »"
NOT_ADMITTED = "« et d'interdire de jeu les joueurs concernés »"

Account = NamedTuple(
    "Account",
    [
        ("n", int),
        ("player", str),
        ("cents", int),
        ("withheld", bool),
        ("barred", bool),
        ("key", int),  # which of its keys is good: 1 more each time it is renewed
    ],
)
# What one terminal counts in a day. `won_cents`: what stakes brought back, themselves among it.
Meters = NamedTuple(
    "Meters", [("in_cents", int), ("out_cents", int), ("staked_cents", int), ("won_cents", int)]
)
ZERO = Meters(0, 0, 0, 0)
_UNTOUCHED = (0, False, False, 1)  # of an account, behind its player: as it was opened


class Refused(Exception):
    """An entry that may not be made; `sentence` says why, by which rule."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Accounts:
    """What the rows say. Fold each with `add_row`; ask for the bodies of new ones."""

    def __init__(self) -> None:
        """Before any row."""
        self._accounts: dict[int, Account] = {}
        self._names: dict[str, int] = {}  # the number of each account, by its player's name
        self._is_new = True  # nothing is folded yet but accounts that were opened
        self._last = 0  # the number of the account opened last
        self._receipt = 0  # and of the receipt given last
        self._receipts: dict[int, tuple[int, int]] = {}  # not redeemed: account and cents
        self._meters: dict[int, Meters] = {}  # of the day, by terminal
        self._lying: Any = None  # stakes whose coup has no end yet
        self._day: list[tuple[Any, Any]] = []  # stakes and end of the day's last coups
        self._requests: dict[int, tuple[int, int]] = {}  # by terminal: its last deposit's
        self._matched: Any = (None, None, ())  # the last: stakes, end, and what each is paid
        self._cards: Any = None  # the CardMoney of a card table, once a row of its is folded
        self.closed_day = 0  # the last that was closed

    def add_row(self, kind: str, body: Any) -> None:
        """Folds a row in; one of another kind says nothing here.

        Raises Refused, BrokenSeal, KeyError, TypeError, ValueError or AttributeError for one that
        cannot follow on those before; then nothing is changed.
        """
        if kind == ACCOUNT:
            self._opened(body)
            return
        if kind == MONEY:
            self._moved(body)
        elif kind == "stakes":
            self._sealed(body)
        elif kind in ("result", "void"):
            self._ended(body)
        elif kind == "correction":
            self._corrected(body)
        elif kind == CLOSING:
            self._closed(body)
        elif kind in card_kinds.MONEY:
            self.cards().add_row(kind, body)
        self._is_new = False

    # --- what stands ------------------------------------------------------------------------------
    def account(self, n: int) -> "Account | None":
        """Returns an account; None if there is none of that number."""
        return self._accounts.get(n)

    def of_player(self, player: str) -> "Account | None":
        """Returns the account of a player, however the name is written; None if there is none."""
        n = self._names.get(_folded(player))
        return None if n is None else self._accounts[n]

    def all(self) -> "Sequence[Account]":
        """Returns every account, in the order opened."""
        return [self._accounts[n] for n in sorted(self._accounts)]

    @property
    def is_empty(self) -> bool:
        """Returns whether no account was ever opened."""
        return not self._accounts

    def meters(self) -> "Sequence[tuple[int, Meters]]":
        """Returns the day's meters by terminal, in the order of addresses; DESK is the first."""
        return [(terminal, self._meters[terminal]) for terminal in sorted(self._meters)]

    def total(self) -> Meters:
        """Returns the day's meters together."""
        found = ZERO
        for _, meters in self.meters():
            found = _sum(found, meters)
        return found

    def receipts(self) -> "Sequence[tuple[int, int, int]]":
        """Returns the receipts that were not redeemed: number, account, cents."""
        return [(n,) + self._receipts[n] for n in sorted(self._receipts)]

    def lying_cents(self) -> int:
        """Returns what lies sealed, of a coup that has not ended, or whose payment waits."""
        if self._cards is not None:
            return int(self._cards.lying_cents() + self._cards.waiting_cents())
        return 0 if self._lying is None else sum([one["cents"] for one in _own(self._lying)])

    def cards(self) -> Any:
        """Returns the CardMoney of a card table: a wheel never asks, and never loads its rules."""
        if self._cards is None:
            from firmware.stakes.card_money import CardMoney

            self._cards = CardMoney(self._credit, self._count_played, CORRECTED_MAX)
        return self._cards

    def was_deposited(self, terminal: int, boot: int, request: int) -> bool:
        """Returns whether that request of a terminal is entered."""
        return self._requests.get(terminal) == (boot, request)

    def matched(self, record: Any, end: Any) -> "Sequence[tuple[Any, Any]]":
        """Returns each sealed stake with what it wins, a settle.Payment. Raises BrokenSeal.

        The last answer is kept: whoever pays asks, and whoever tells.
        """
        if self._matched[0] is not record or self._matched[1] is not end:
            self._matched = (record, end, _match(record, end))
        return self._matched[2]  # type: ignore[no-any-return]

    # --- what may be entered next -----------------------------------------------------------------
    def open(self, player: str, who: str) -> "dict[str, Any]":
        """Returns the body of ACCOUNT. Raises Refused: one person has one account."""
        name = " ".join(player.split())
        if not _is_latin(player) or not 0 < len(name.encode()) <= PLAYER_MAX:
            raise Refused(
                f"{ALONE}: a player's name is 1 to {PLAYER_MAX} bytes of Latin letters, digits and"
                " signs"
            )
        known = self.of_player(name)
        if known is not None:
            raise Refused(
                "art. 20-3 a: « Les joueurs ne sont pas autorisés à placer des mises simultanément"
                f" sur plusieurs terminaux » : {name} has account {known.n} already"
            )
        if self._last == ACCOUNTS_MAX:
            raise Refused("no number is left for an account")
        return {"account": self._last + 1, "player": name, "who": who}

    def deposit(self, n: int, cents: int, *, terminal: int, who: str) -> "dict[str, Any]":
        """Returns the body of a DEPOSIT. Raises Refused."""
        account = self._known(n)
        _check_cents(cents)
        if account.cents + cents > limits.CENTS_MAX:
            raise Refused(f"account {n} would hold more than {limits.CENTS_MAX} cents")
        return {"what": DEPOSIT, "account": n, "cents": cents, "terminal": terminal, "who": who}

    def pay_out(self, n: int, cents: int, *, reserved_cents: int, who: str) -> "dict[str, Any]":
        """Returns the body of a PAYOUT; 0 cents: all that does not lie. Raises Refused."""
        account = self._known(n)
        if account.withheld:
            raise Refused(f"art. 20-3 c: {NOT_PAID} : account {n} is withheld")
        free = account.cents - reserved_cents
        if cents == 0:
            if free <= 0:
                raise Refused(f"{CASH_ONLY}: nothing of account {n} is free to be paid out")
            cents = free
        _check_cents(cents)
        if cents > free:
            raise Refused(
                f"{CASH_ONLY}: « argent comptant » : account {n} has {max(0, free)} cents that do"
                f" not lie on the table, not {cents}"
            )
        return {
            "what": PAYOUT,
            "account": n,
            "cents": cents,
            "terminal": DESK,
            "who": who,
            "receipt": self._receipt + 1,
        }

    def redeem(self, receipt: int, account: int, cents: int, *, who: str) -> "dict[str, Any]":
        """Returns the body of REDEEMED, of a receipt that the wheel signed. Raises Refused."""
        known = self._receipts.get(receipt)
        if known is None and receipt <= self._receipt:
            raise Refused(f"receipt {receipt} was redeemed already: it is paid once")
        if known != (account, cents):
            raise Refused(f"no receipt {receipt} of these sums was given in this journal")
        if self._known(account).withheld:
            raise Refused(f"art. 20-3 c: {NOT_PAID} : account {account} is withheld")
        return {
            "what": REDEEMED,
            "account": account,
            "cents": cents,
            "terminal": DESK,
            "who": who,
            "receipt": receipt,
        }

    def judge(self, what: str, n: int, *, who: str, why: str) -> "dict[str, Any]":
        """Returns the body of WITHHELD, RELEASED, BARRED or ADMITTED. Raises Refused."""
        account = self._known(n)
        is_so = account.withheld if what in (WITHHELD, RELEASED) else account.barred
        if is_so == (what in (WITHHELD, BARRED)):
            raise Refused(f"account {n} is {what} already")
        return {"what": what, "account": n, "who": who, "why": why}

    def renew(self, n: int, who: str) -> "dict[str, Any]":
        """Returns the body of RENEWED. Raises Refused."""
        return {"what": RENEWED, "account": self._known(n).n, "who": who}

    def reprint(self, receipt: int, who: str) -> "dict[str, Any]":
        """Returns the body of REPRINTED. Raises Refused."""
        known = self._receipts.get(receipt)
        if known is None and receipt <= self._receipt:
            raise Refused(f"receipt {receipt} was redeemed already: it is paid once")
        if known is None:
            raise Refused(f"receipt {receipt} was never given")
        n, cents = known
        return {"what": REPRINTED, "account": n, "cents": cents, "who": who, "receipt": receipt}

    def close(self, day: int, who: str) -> "dict[str, Any]":
        """Returns the body of CLOSING, the day's sums. Raises Refused while stakes lie."""
        if self._cards is not None and self._cards.waiting_cents():
            raise Refused("a payment waits for the management: the day cannot be closed")
        if self._lying is not None or (self._cards is not None and self._cards.is_lying):
            raise Refused("stakes lie whose coup has not ended: the day cannot be closed")
        if day == self.closed_day:
            raise Refused("that day is closed already")
        body = self._closing(day, who)
        if len(body["accounts"]) + len(body["receipts"]) > CLOSING_MAX:
            raise Refused(
                f"more than {CLOSING_MAX} accounts have money, or receipts are not redeemed: pay"
                " some out first"
            )
        return body

    # --- folding ----------------------------------------------------------------------------------
    def _opened(self, body: Any) -> None:
        if body != self.open(body["player"], body["who"]):
            raise Refused(f"account {body['account']} cannot be opened here")
        self._last = body["account"]
        self._names[_folded(body["player"])] = self._last
        self._accounts[self._last] = Account(self._last, body["player"], 0, False, False, 1)

    def _moved(self, body: Any) -> None:
        what, n = body["what"], body["account"]
        if what in JUDGED:
            self._judged(self.judge(what, n, who=body["who"], why=body["why"]))
            return
        account = self._known(n)
        if what == RENEWED:
            self._accounts[n] = Account(
                n, account.player, account.cents, account.withheld, account.barred, account.key + 1
            )
            return
        if what == REPRINTED:
            if body != self.reprint(body["receipt"], body["who"]):
                raise Refused(f"receipt {body['receipt']} is of other sums")
            return
        cents, terminal = body["cents"], body["terminal"]
        _check_cents(cents)
        if what == DEPOSIT:
            if body.get("request") is not None:
                request = (body["boot"], body["request"])
                if self._requests.get(terminal) == request:
                    raise Refused(f"request {request[1]} of terminal {terminal} is entered already")
                self._requests[terminal] = request
            self._credit(n, cents)
            self._count(terminal, Meters(cents, 0, 0, 0))
        elif what == PAYOUT:
            if body["receipt"] != self._receipt + 1:
                raise Refused(f"receipt {body['receipt']} is out of its order")
            self._receipt = body["receipt"]
            self._receipts[self._receipt] = (n, cents)
            self._credit(n, -cents)
            self._count(terminal, Meters(0, cents, 0, 0))
        elif what == REDEEMED:
            self.redeem(body["receipt"], n, cents, who=body["who"])
            del self._receipts[body["receipt"]]
        else:
            raise Refused(f"there is no entry {what}")

    def _judged(self, body: Any) -> None:
        n, player, cents, withheld, barred, key = self._accounts[body["account"]]
        if body["what"] in (WITHHELD, RELEASED):
            withheld = body["what"] == WITHHELD
        else:
            barred = body["what"] == BARRED
        self._accounts[n] = Account(n, player, cents, withheld, barred, key)

    def _sealed(self, record: Any) -> None:
        if record["coup"] == self._lying_coup():
            return  # sealed once, told again
        self._lying = record
        for stake in _own(record):
            self._credit(stake["account"], -stake["cents"])

    def _ended(self, end: Any) -> None:
        record = self._lying
        if record is None:
            return
        if end["coup"] == record["coup"] and end.get("stakes") == record["seal"]:
            self._settle(record, end, 1)
            # What goes on lies in the next; what nobody paid concerns no account.
            if _own(record) and not seal.goes_on(record, end):
                self._day = (self._day + [(record, end)])[-CORRECTED_MAX:]
        else:  # its own end was never recorded: they take no part in another's
            self._settle(record, {"coup": record["coup"], "stakes": record["seal"]}, 1)
        self._lying = None

    def righted(self, coup: int) -> "tuple[Any, Any] | None":
        """Returns the stakes of a coup of the day and what stands as its end; None: out of reach,
        or nobody staked.
        """
        return next((one for one in self._day if one[0]["coup"] == coup), None)

    def _corrected(self, body: Any) -> None:
        for at, (record, end) in enumerate(self._day):
            if record["coup"] == body["coup"]:
                right = dict(body)
                right["stakes"] = record["seal"]
                self.matched(record, right)  # raises before anything is changed
                self._settle(record, end, -1)
                self._settle(record, right, 1)
                self._day[at] = (record, right)

    def _settle(self, record: Any, end: Any, times: int) -> None:
        """Gives the accounts what the end makes of the stakes, `times` 1, or takes it, -1."""
        if not _own(record):
            return
        is_void = end.get("number") is None
        for stake, payment in self.matched(record, end):
            if stake.get("account") is None:
                continue
            returned = payment.stake_cents + payment.won_cents
            self._credit(stake["account"], times * returned)
            if not is_void:
                told = Meters(0, 0, times * payment.stake_cents, times * returned)
                self._count(stake["terminal"], told)

    def _closed(self, body: Any) -> None:
        if self._is_new:  # the fold begins here
            self._receipt = body["receipt"]
            for n, cents, withheld, barred, key in body["accounts"]:
                player = self._known(n).player
                self._accounts[n] = Account(n, player, cents, withheld, barred, key)
            for n, account, cents in body["receipts"]:
                self._receipts[n] = (account, cents)
            for terminal, boot, request in body["requests"]:
                self._requests[terminal] = (boot, request)
        elif body != self._closing(body["day"], body["who"]):
            raise Refused("the sums of the closing do not add up")
        self.closed_day = body["day"]
        self._meters = {}
        self._day = []
        if self._cards is not None:
            self._cards.close_day()

    def _closing(self, day: int, who: str) -> "dict[str, Any]":
        total = self.total()
        return {
            "day": day,
            "who": who,
            "meters": [[terminal] + list(meters) for terminal, meters in self.meters()],
            "drop_cents": total.in_cents,
            "won_cents": total.won_cents,
            "hold_cents": total.staked_cents - total.won_cents,
            "accounts": [
                [one.n] + list(one[2:]) for one in self.all() if tuple(one[2:]) != _UNTOUCHED
            ],
            "receipts": [list(receipt) for receipt in self.receipts()],
            "requests": [[at] + list(self._requests[at]) for at in sorted(self._requests)],
            "receipt": self._receipt,
        }

    def _lying_coup(self) -> int:
        return 0 if self._lying is None else self._lying["coup"]

    def _known(self, n: Any) -> Account:
        account = self._accounts.get(n)
        if account is None:
            raise Refused(f"{CASH_ONLY}: « tout enjeu sur parole est interdit » : there is no"
                          f" account {n}")  # fmt: skip
        return account

    def _credit(self, n: int, cents: int) -> None:
        n, player, before, withheld, barred, key = self._accounts[n]
        self._accounts[n] = Account(n, player, before + cents, withheld, barred, key)

    def _count_played(self, terminal: int, staked_cents: int, won_cents: int) -> None:
        self._count(terminal, Meters(0, 0, staked_cents, won_cents))

    def _count(self, terminal: int, more: Meters) -> None:
        self._meters[terminal] = _sum(self._meters.get(terminal, ZERO), more)


def _match(record: Any, end: Any) -> "Sequence[tuple[Any, Any]]":
    waiting: dict[Any, list[Any]] = {}
    for stake in record["stakes"]:
        alike = (stake["player"], stake["bet"], tuple(stake["on"]), stake["cents"])
        waiting.setdefault(alike, []).append(stake)
    # Stakes that are alike are paid alike: whichever comes first is this one.
    return [(waiting[tuple(payment[:4])].pop(0), payment) for payment in seal.payments(record, end)]


def _own(record: Any) -> "Sequence[Any]":
    """Returns the stakes that an account paid: in journals of before none did."""
    return [stake for stake in record["stakes"] if stake.get("account") is not None]


def _sum(one: Meters, other: Meters) -> Meters:
    return Meters(*[one[at] + other[at] for at in range(len(one))])


def _check_cents(cents: Any) -> None:
    """Raises Refused for a sum that is none."""
    if type(cents) is not int or not 0 < cents <= limits.CENTS_MAX:
        raise Refused(
            f"{CASH_ONLY}: « argent comptant » : an amount is whole cents from 1 to"
            f" {limits.CENTS_MAX}"
        )


def _is_latin(text: str) -> bool:
    """Returns whether nothing in it is unseen, or looks like another letter: art. 20-3 compares
    names.
    """
    return all(" " <= letter <= "~" or _is_accented(letter) for letter in text)


def _is_accented(letter: str) -> bool:
    """Returns whether it is a Latin letter with an accent, large or small, that has the other."""
    return "\u00c0" <= letter <= "\u017e" and letter not in _NO_NAMES


def _folded(name: str) -> str:
    """Returns a name in small letters: MicroPython's lower() knows the ASCII ones alone."""
    small = []
    for letter in name:
        code = ord(letter)
        if "A" <= letter <= "Z" or 0xC0 <= code <= 0xDE:
            code += 32
        elif 0x100 <= code <= 0x177:
            # Two and two: a large letter has an even number, but from 0x139 to 0x148 an odd one.
            large = code % 2 == (1 if 0x139 <= code <= 0x148 else 0)
            code += 1 if large else 0
        elif code in (0x179, 0x17B, 0x17D):
            code += 1
        elif code == 0x178:
            code = 0xFF
        small.append(chr(code))
    return "".join(small)
