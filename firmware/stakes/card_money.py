"""What the rows of rounds of cards do to the players' accounts (accounts.py folds the others).

Folded in the journal's order, and from nothing else:

    card_stakes       sealed at a call: they lie
    card_engagement   a decision: what it `lays` lies from then on
    card, card_back   which cards came, so that the end can be judged
    card_result       what the stakes became; what waits for the management is not paid yet
    card_void         all that lies goes back
    card_paid         the management knows of it: what waited is paid
    card_correction   of a round of the day: what they should have become
"""

from firmware.shims.typed import Any, NamedTuple, Sequence
from firmware.stakes import card_kinds, card_round
from firmware.stakes.seal import BrokenSeal

# Of which stake an addition is.
_ADDED_TO = {
    "insurance": "main",
    card_round.INSURANCE_BEHIND: card_round.BEHIND,
}

# A round of which somebody's account paid a stake, as it stands: its rows, its end, and whether a
# payment of it waits for the management.
Settled = NamedTuple(
    "Settled",
    [
        ("stakes", Any),
        ("cards", "Sequence[Any]"),
        ("engagements", "Sequence[Any]"),
        ("end", Any),
        ("waits", bool),
    ],
)
# What one stake is paid. `stake`: its row, with account, terminal and id; `payment`: a CardPayment;
# `waits`: for the management.
Credit = NamedTuple("Credit", [("stake", Any), ("payment", Any), ("waits", bool)])


def base_bet(bet: str) -> str:
    """Returns the bet that an insurance goes with; of another bet itself."""
    return _ADDED_TO.get(bet, bet)


class CardMoney:
    """Of one table. `credit(account, cents)` moves a balance; `count(terminal, staked, won)` its
    meters.
    """

    def __init__(self, credit: Any, count: Any, rounds_max: int) -> None:
        """Nothing lies. `rounds_max`: rounds of the day that a correction can reach."""
        self._credit = credit
        self._count = count
        self._stakes: Any = None  # sealed stakes whose round has no end yet
        self._cards: list[Any] = []
        self._engagements: list[Any] = []
        self._rounds_max = rounds_max
        self.day: list[Settled] = []  # the day's last rounds

    def add_row(self, kind: str, body: Any) -> None:
        """Folds a row in. Raises BrokenSeal, KeyError, TypeError, ValueError or AttributeError for
        one that cannot follow; then nothing is changed.
        """
        if kind == card_kinds.STAKES:
            self._sealed(body)
        elif kind in (card_kinds.RESULT, card_kinds.VOID):
            self._ended(body)
        elif kind == card_kinds.PAID:
            self._paid(body["round"])
        elif kind == card_kinds.CORRECTION:
            self._corrected(body)
        elif self._stakes is None or body["round"] != self._stakes["round"]:
            return
        elif kind == card_kinds.CARD_ROW:
            self._cards.append(body)
        elif kind == card_kinds.CARD_BACK:
            self._cards = [row for row in self._cards if row["k"] < body["k"]]
        elif kind == card_kinds.ENGAGEMENT:
            self._engaged(body)

    @property
    def is_lying(self) -> bool:
        """Returns whether stakes lie whose round has no end."""
        return self._stakes is not None

    def lying_cents(self) -> int:
        """Returns what accounts have lying in the round that has no end."""
        if self._stakes is None:
            return 0
        found = sum([stake["cents"] for stake in _own(self._stakes)])
        for row in self._engagements:
            found += sum([cents for stake, cents in _laid(self._stakes, row)])
        return int(found)

    def waiting_cents(self) -> int:
        """Returns what waits for the management, stakes among it."""
        found = 0
        for settled in self.day:
            for credit in credits_of(settled) if settled.waits else ():
                if credit.waits:
                    found += credit.payment.stake_cents
        return found

    def of_round(self, number: int) -> "Settled | None":
        """Returns how a round of the day stands; None: out of reach, or nobody staked."""
        for settled in self.day:
            if settled.stakes["round"] == number:
                return settled
        return None

    def close_day(self) -> None:
        """Forgets the day's rounds."""
        self.day = []

    def _sealed(self, record: Any) -> None:
        if self._stakes is not None and self._stakes["round"] == record["round"]:
            return  # sealed once, told again
        if self._stakes is not None:
            known, number = self._stakes["round"], record["round"]
            raise BrokenSeal(f"Round {known} has no end, and stakes of round {number} are sealed.")
        self._stakes, self._cards, self._engagements = record, [], []
        for stake in _own(record):
            self._credit(stake["account"], -stake["cents"])

    def _engaged(self, row: Any) -> None:
        laid = _laid(self._stakes, row)
        self._engagements.append(row)
        for stake, cents in laid:
            self._credit(stake["account"], -cents)

    def _ended(self, end: Any) -> None:
        record = self._stakes
        if record is None:
            return
        if end["round"] != record["round"]:
            raise BrokenSeal(f"Round {record['round']} has no end, and round {end['round']} ends.")
        waits = bool(end.get("held"))
        settled = Settled(record, self._cards, self._engagements, end, waits)
        if _own(record):
            found = credits_of(settled)
            self._check_laid(settled, found)
            self._settle(settled, found)
            self.day = (self.day + [settled])[-self._rounds_max :]
        self._stakes, self._cards, self._engagements = None, [], []

    def _check_laid(self, settled: Settled, found: "Sequence[Credit]") -> None:
        """Raises BrokenSeal where what is settled is not what accounts have paid."""
        paid: dict[Any, int] = {}
        for stake in _own(settled.stakes):
            paid[stake["account"]] = paid.get(stake["account"], 0) + stake["cents"]
        for row in settled.engagements:
            for stake, cents in _laid(settled.stakes, row):
                paid[stake["account"]] = paid.get(stake["account"], 0) + cents
        for credit in found:
            paid[credit.stake["account"]] -= credit.payment.stake_cents
        for n in sorted(paid):
            if paid[n]:
                raise BrokenSeal(f"What the round settles of account {n} is not what it laid.")

    def _settle(self, settled: Settled, found: "Sequence[Credit]") -> None:
        """Pays what does not wait."""
        is_void = settled.end.get("reason") is not None
        for stake, payment, waits in found:
            if waits:
                continue
            self._credit(stake["account"], payment.returned_cents)
            if not is_void:
                self._count(stake["terminal"], payment.stake_cents, payment.returned_cents)

    def _paid(self, number: int) -> None:
        for at in range(len(self.day)):
            stakes, cards, engagements, end, waits = self.day[at]
            if stakes["round"] != number or not waits:
                continue
            for stake, payment, is_held in credits_of(self.day[at]):
                if is_held:
                    self._credit(stake["account"], payment.returned_cents)
                    self._count(stake["terminal"], payment.stake_cents, payment.returned_cents)
            self.day[at] = Settled(stakes, cards, engagements, end, False)

    def _corrected(self, body: Any) -> None:
        for at in range(len(self.day)):
            before = self.day[at]
            if before.stakes["round"] != body["round"]:
                continue
            waits = bool(body.get("held"))
            after = Settled(before.stakes, body["cards"], body["engagements"], body, waits)
            now = credits_of(after)  # raises before anything is changed
            self._take(before, credits_of(before), -1)
            self._take(after, now, 1)
            self.day[at] = after

    def _take(self, settled: Settled, found: "Sequence[Credit]", times: int) -> None:
        """Gives what a correction makes of stakes, `times` 1, or takes what it was, -1.

        Additions of decisions that people changed were never laid: they are settled by what is won.
        """
        is_void = settled.end.get("reason") is not None
        for stake, payment, waits in found:
            if waits:  # its stake is not back yet
                self._credit(stake["account"], -times * payment.stake_cents)
                continue
            self._credit(stake["account"], times * payment.won_cents)
            if not is_void:
                staked, won = payment.stake_cents, payment.returned_cents
                self._count(stake["terminal"], times * staked, times * won)


def credits_of(settled: Settled) -> "list[Credit]":
    """Returns what each stake that an account paid is paid, in the order of payment.

    Raises BrokenSeal.
    """
    stakes, end = settled.stakes, settled.end
    found = []
    held = end.get("held") or () if settled.waits else ()
    waiting: dict[Any, list[Any]] = {}
    for stake in stakes["stakes"]:
        waiting.setdefault(_place(stake), []).append(stake)
    payments = card_round.payments(stakes, settled.cards, settled.engagements, end)
    for at in range(len(payments)):
        stake = _stake_of(waiting, payments[at])
        if stake.get("account") is not None:
            found.append(Credit(stake, payments[at], at in held))
    return found


def _stake_of(waiting: "dict[Any, list[Any]]", payment: Any) -> Any:
    """Returns the stake that a payment is of. At black jack one lies on a place; at baccarat those
    of a player on one side are paid alike, each its own cents.
    """
    place = (payment.player, base_bet(payment.bet), payment.seat)
    rows = waiting[place]
    if len(rows) > 1:
        for row in rows:
            if row["cents"] == payment.stake_cents:
                rows.remove(row)
                return row
    return rows[0]


def _place(stake: Any) -> Any:
    return stake["player"], stake["bet"], stake.get("seat")


def _own(record: Any) -> "Sequence[Any]":
    """Returns the stakes that an account paid."""
    return [stake for stake in record["stakes"] if stake.get("account") is not None]


def _laid(record: Any, row: Any) -> "list[tuple[Any, int]]":
    """Returns what an engagement lays of accounts: the stake that it goes with, and cents."""
    lays = row.get("lays", ())
    own = {_place(stake): stake for stake in _own(record)} if lays else {}
    found = []
    for player, bet, cents in lays:
        stake = own.get((player, base_bet(bet), row["seat"]))
        if stake is not None:
            found.append((stake, cents))
    return found
