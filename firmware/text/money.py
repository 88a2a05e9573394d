"""Stakes and payments in words."""

from __future__ import annotations

from firmware.lib.language import Message
from rules import announce


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


def place(bet: str, on: tuple[int, ...]) -> str:
    """Puts a position into words: "carré 17-18-20-21", "rouge"."""
    return " ".join([announce.french(bet), "-".join(str(number) for number in on)]).strip()


def money(cents: int) -> str:
    """Cents in the larger unit, with its two decimals."""
    return f"{cents // 100}.{cents % 100:02d}"
