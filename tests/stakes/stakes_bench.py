"""A book, ready for stakes, and short words for what terminals ask of it."""

from typing import Any

from players import funded

import rules
from firmware.stakes.answers import Answer
from firmware.stakes.book import Book


def book(name: str = "roulette_lu", **more: Any) -> Book:
    """Two players seated at 1 and 2, an employee at the table, coup 7 to come; carla stands by."""
    given = {"terminals": (1, 2, 3), "coup": 7, "money": funded("anna", "bert", "carla")} | more
    opened = Book(rules.load(name), minimum_cents=500, **given)
    assert opened.employee("claire", True) is None
    for terminal, player in ((1, "anna"), (2, "bert")):
        assert sit(opened, terminal, player).accepted
    return opened


def sit(opened: Book, terminal: int, player: str) -> Answer:
    """The player signs on, with the key of his account."""
    account = opened.money.of_player(player)
    return opened.sign_on(terminal, account.n)


def place(
    opened: Book,
    terminal: int = 1,
    number: int = 1,
    bet: str = "plein",
    on: tuple[int, ...] = (17,),
    cents: int = 500,
    coup: int = 7,
) -> Answer:
    return opened.stake(terminal, number, coup=coup, bet=bet, on=on, cents=cents)


def result(coup: int, number: int, colour: str) -> dict[str, Any]:
    return {"coup": coup, "seq": coup, "number": number, "colour": colour, "compartment": 0}


def ends(opened: Book, body: dict[str, Any]) -> None:
    """The coup's end becomes durable; the core has put the seal in its record."""
    opened.ended(body | {"stakes": opened.sealed(body["coup"])})
