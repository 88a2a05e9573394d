"""Stakes and payments in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware.lib.language import Message
from firmware.stakes import accounts
from firmware.stakes.accounts import ACCOUNT, CLOSING
from rules import announce


class Difference(NamedTuple):
    """What a correction means for one player: what was due before it and is due now, returned
    stakes included."""

    player: str
    paid_cents: int
    due_cents: int

    @property
    def cents(self) -> int:
        """What the player gets; negative for what he has to give back."""
        return self.due_cents - self.paid_cents


def payment_words(stake_cents: int, won_cents: int) -> str:
    """Says what became of a stake: "5.00 wins 175.00, returned 180.00"."""
    if won_cents > 0:
        gain = Message("wins {won}", won=money(won_cents))
    elif won_cents < 0:
        gain = Message("loses {lost}", lost=money(-won_cents))
    else:  # void
        gain = Message("neither wins nor loses")
    return Message(
        "{stake} {gain}, returned {returned}",
        stake=money(stake_cents),
        gain=gain,
        returned=money(stake_cents + won_cents),
    )


def difference_words(each: Difference) -> str:
    """Says what a correction means for a player."""
    paid, due = money(each.paid_cents), money(each.due_cents)
    if each.cents > 0:
        return Message(
            "{}, corrected: {} was due, {} is: {} to be paid",
            each.player,
            paid,
            due,
            money(each.cents),
        )
    return Message(
        "{}, corrected: {} was due, {} is: {} to be given back",
        each.player,
        paid,
        due,
        money(-each.cents),
    )


def entry_words(kind: str, body: Any) -> str:
    """Says what a row of the players' accounts enters (firmware/stakes/accounts.py)."""
    if kind == CLOSING:
        return Message(
            "{who} closes the day: drop {drop}, won by players {won}, hold {hold}",
            who=body["who"],
            drop=money(body["drop_cents"]),
            won=money(body["won_cents"]),
            hold=money(body["hold_cents"]),
        )
    n, who = body["account"], body["who"]
    if kind == ACCOUNT:
        return Message("{who} opens account {n} of {player}", who=who, n=n, player=body["player"])
    what = body["what"]
    if what == accounts.DEPOSIT and not who:
        return Message(
            "{cents} put in at terminal {terminal}, account {n}",
            cents=money(body["cents"]),
            terminal=body["terminal"],
            n=n,
        )
    if what in (accounts.DEPOSIT, accounts.PAYOUT, accounts.REDEEMED):
        cents, receipt = money(body["cents"]), body.get("receipt")
        if what == accounts.DEPOSIT:
            return Message("{who} counts {cents} into account {n}", who=who, cents=cents, n=n)
        if what == accounts.PAYOUT:
            return Message(
                "{who} gives receipt {receipt} for {cents} of account {n}",
                who=who,
                receipt=receipt,
                cents=cents,
                n=n,
            )
        return Message(
            "{who} pays {cents} for receipt {receipt}", who=who, cents=cents, receipt=receipt
        )
    if what == accounts.REPRINTED:
        return Message(
            "{who} prints receipt {receipt} again, {cents} of account {n}",
            who=who,
            receipt=body["receipt"],
            cents=money(body["cents"]),
            n=n,
        )
    if what == accounts.RENEWED:
        return Message("{who} gives account {n} another PIN or card", who=who, n=n)
    said = {
        accounts.WITHHELD: Message("{who} withholds what account {n} won", who=who, n=n),
        accounts.RELEASED: Message("{who} releases account {n}", who=who, n=n),
        accounts.BARRED: Message("{who} bars account {n} from play", who=who, n=n),
        accounts.ADMITTED: Message("{who} admits account {n} again", who=who, n=n),
    }
    return Message("{said}: {why}", said=said[what], why=body["why"])


def place(bet: str, on: tuple[int, ...]) -> str:
    """Puts a position into words: "carré 17-18-20-21", "rouge"."""
    return " ".join([announce.french(bet), "-".join(str(number) for number in on)]).strip()


def money(cents: int) -> str:
    """Cents in the larger unit, with its two decimals."""
    return f"{cents // 100}.{cents % 100:02d}"
