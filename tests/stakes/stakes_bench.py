"""A book, ready for stakes, and short words for what terminals ask of it."""

from typing import Any

import rules
from firmware.stakes.answers import Answer
from firmware.stakes.book import Book


def book(name: str = "roulette_lu", **more: Any) -> Book:
    """Two players seated at 1 and 2, an employee at the table, coup 7 to come."""
    opened = Book(rules.load(name), minimum_cents=500, **{"terminals": (1, 2, 3), "coup": 7} | more)
    assert opened.employee("claire", True) is None
    for terminal, player in ((1, "anna"), (2, "bert")):
        assert opened.sign_on(terminal, player).accepted
    return opened


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
