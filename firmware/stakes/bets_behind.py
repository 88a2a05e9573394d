"""Bets behind a hand: who follows, whose hands he may follow, and what he is told (Live 2.9).

Followers come over one host, at an address of its own. What they lay lies in the table's CardBook
among the other stakes: this file asks it what is open, and has it take them.
"""

from firmware.shims.typed import Any, Sequence
from firmware.stakes import card_round
from firmware.stakes.answers import (
    BARRED,
    CASH_ONLY,
    FOLLOWERS_MAX,
    ONE_TERMINAL,
    YES,
    Answer,
    CardSettled,
)
from firmware.stakes.card_money import credits_of

_AT_A_TABLE = "« pas disponible aux joueurs qui jouent déjà à une table »"
_PLAYED = "« sur n'importe quelle main déjà gérée par un autre joueur »"


class BetsBehind:
    """Of one table; its CardBook has it as `behind`."""

    def __init__(self, book: Any, limits: Any, address: "int | None") -> None:
        """`limits`: of rules.cards.stakes; `address`: of the followers' host, or None."""
        self.address = address
        bet = limits.bets.get(card_round.BEHIND)
        self._is_offered = bet is not None
        # What refuses a bet behind.
        self.article: str = limits.rules["articles"]["bets"] if bet is None else str(bet.article)
        self._book = book
        self._signed_on: list[int] = []  # accounts

    # --- what the followers' host may ask ---------------------------------------------------------
    def sign_on(self, n: int) -> Answer:
        """Lets the player of account `n`, who has shown its key, bet behind hands."""
        book = self._book
        account = None if book.money is None else book.money.account(n)
        refusal: Answer
        if account is None:
            refusal = book.refuse(CASH_ONLY, f"there is no account {n}")
            return refusal
        if n in self._signed_on:
            return YES
        if account.barred:
            refusal = book.refuse(BARRED)
            return refusal
        seat = book.terminal_of(n)
        if seat is not None:
            return Answer(False, self.article, f"{_AT_A_TABLE} : you sit at seat {seat}")
        known = set(self._signed_on + [one["account"] for one in self._bets()])
        if n not in known and len(known) >= FOLLOWERS_MAX:
            return Answer(False, "", f"{FOLLOWERS_MAX} players bet behind hands already")
        self._signed_on.append(n)
        return YES

    def sign_off(self, n: int) -> Answer:
        """Lets him go; what lies, lies, and what becomes of it he hears as he comes again."""
        if n in self._signed_on:
            self._signed_on.remove(n)
        return YES

    def is_signed_on(self, n: int) -> bool:
        """Returns whether the player of account `n` may bet behind hands."""
        return n in self._signed_on

    def follow(
        self, n: int, number: int, *, coup: int, seat: int, double: bool, cents: int
    ) -> Answer:
        """Bets behind the hand of a seat. `number`: the follower's own for it; `double`: he follows
        doubles and splits with his own money.
        """
        book = self._book
        follow = "double" if double else "not"
        asked = {"bet": card_round.BEHIND, "cents": cents, "seat": seat, "follow": follow}
        found: Answer | None = book.known(n, self.address, number, coup, asked)
        if found is None and n not in self._signed_on:
            found = book.sign_on_first()
        if found is None:
            found = book.refused_now(n, coup)
        if found is None and self._is_offered and not book.is_played(seat):
            found = Answer(False, self.article, f"{_PLAYED} : nobody plays at seat {seat}")
        return book.lay(n, self.address, number, asked) if found is None else found

    def take_back(self, n: int, seat: int) -> Answer:
        """Takes a bet behind a seat back; possible until the call."""
        found = [one for one in self._bets() if (one["account"], one["seat"]) == (n, seat)]
        answer: Answer = self._book.take_off(found, f"no bet of yours lies behind seat {seat}")
        return answer

    def settled(self, n: int) -> CardSettled:
        """Returns what a follower is to be told, as CardBook.settled."""
        told: CardSettled = self._book.untold(n, self.address)
        return told

    # --- what the book asks -----------------------------------------------------------------------
    def why_not_seated(self, n: int) -> "Answer | None":
        """Returns why the player of account `n` does not sit down at the table, or None."""
        why = ""
        if n in self._signed_on:
            why = "you bet behind hands: sign off there first"
        elif any(one["account"] == n for one in self._bets()):
            why = "a bet of yours lies behind a hand: wait for its end"
        refusal: Answer | None = self._book.refuse(ONE_TERMINAL, why) if why else None
        return refusal

    # --- what the table asks ----------------------------------------------------------------------
    def funds(self, seat: int) -> "dict[str, int]":
        """Returns what each account that bets behind a seat has now, cents by player."""
        return {
            stake["player"]: self._book.free_cents(stake["account"])
            for stake in self._bets()
            if stake["seat"] == seat
        }

    def funds_of(self, stakes: Any, seat: int) -> "dict[str, int]":
        """Returns what each account of sealed stakes, whose round has ended, would have now had it
        not played that round; perhaps below 0.
        """
        money = self._book.money
        settled = None if money is None else money.cards().of_round(stakes["round"])
        gained: dict[int, int] = {}
        for stake, payment, waits in () if settled is None else credits_of(settled):
            n, cents = stake["account"], -payment.stake_cents if waits else payment.won_cents
            gained[n] = gained.get(n, 0) + cents
        return {
            stake["player"]: self._book.left_cents(stake["account"])
            - gained.get(stake["account"], 0)
            for stake in _behind(stakes["stakes"])
            if stake["seat"] == seat
        }

    def _bets(self) -> "Sequence[Any]":
        return _behind(self._book.account_stakes())


def _behind(stakes: "Sequence[Any]") -> "Sequence[Any]":
    """Returns the bets behind a hand that accounts have laid."""
    return [
        one for one in stakes if one["bet"] == card_round.BEHIND and one.get("account") is not None
    ]
