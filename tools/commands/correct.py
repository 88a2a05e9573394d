"""`cylindre correct`: correct a disputed result, by a new record of two people."""

from __future__ import annotations

from typing import Any

import click

from firmware.client import two_people
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message


@click.command(
    epilog=f"""\b
    Examples:
      cylindre correct 41 17 --croupier anna --management weber --why "film of camera 3"
      cylindre correct 41 --void --croupier anna --management weber --why "two balls on the film"

    {two_people.ABOUT_PINS}
    """,
)
@click.argument("coup", type=click.IntRange(min=1))
@click.argument("number", type=int, required=False)
@click.option("--void", is_flag=True, help="The coup is to be void.")
@two_people.options(
    croupier="Who corrects.",
    management="Who of the management agrees.",
    why="Why it was wrong.",
)
def command(coup: int, number: int | None, void: bool, **given: Any) -> None:
    """Correct COUP, which has ended: NUMBER stands for it from now on, or it is void.

    What was recorded stays as it is: a new record of both people names what it corrects. Displays
    show the new number if they still show the old. What was paid is not paid again: see
    cylindre settle --journal.
    """
    if void == (number is not None):
        raise Failure(USAGE, N_("Give the number that stands for the coup, or --void."))
    outcome = "void" if number is None else str(number)
    accepted = Message(
        "Accepted: coup {coup} is {outcome} as soon as that is recorded.",
        coup=coup,
        outcome=outcome,
    )
    two_people.send({"do": "correct", "coup": coup, "number": number}, given, accepted)
