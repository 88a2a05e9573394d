"""Players with money: their accounts, and how they sign on at a terminal."""

from __future__ import annotations

from typing import Any

from firmware.bus.terminal_messages import SignOn
from firmware.keys.players import secret_of
from firmware.stakes.accounts import DESK, Accounts
from firmware.stakes.terminal_book import account_key

PLENTY = 10**9  # cents
PIN = "4711"
SECRET = secret_of(PIN)
NAMES = ("anna", "bert", "carla", "Zoë", *(f"player {at}" for at in range(33)))


def funded(*players: str, cents: int = PLENTY) -> Accounts:
    """Accounts of those players, numbered from 1, each with so many cents."""
    made = Accounts()
    for player in players:
        body = made.open(player, "claire")
        made.add_row("account", body)
        if cents:
            put_in = made.deposit(body["account"], cents, terminal=DESK, who="claire")
            made.add_row("money", put_in)
    return made


def key_of(account: int) -> bytes:
    """The key of an account whose player has SECRET."""
    return account_key(SECRET, account)


def money(*, cents: int = PLENTY, **more: Any) -> dict[str, Any]:
    """What a Book wants to know of money, for all of NAMES."""
    keys = {at: key_of(at) for at in range(1, len(NAMES) + 1)}
    return {"money": funded(*NAMES, cents=cents), "keys": keys, "put_in": True} | more


def on(player: str) -> SignOn:
    """The player signs on."""
    account = NAMES.index(player) + 1
    return SignOn(account, key_of(account))
