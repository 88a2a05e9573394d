"""`cylindre manual`: enter a number that could not be detected."""

from __future__ import annotations

from typing import Any

import click

from firmware.client import two_people
from firmware.lib.language import Message


@click.command(
    epilog=f"""\b
    Examples:
      cylindre manual 17 --croupier anna --management weber --why "ring sensor 2 dark"
      cylindre manual 5 --colour red --croupier anna --management weber --why "plate stopped"

    {two_people.ABOUT_PINS}
    """,
)
@click.argument("number", type=int)
@two_people.options(
    croupier="Who enters the number.",
    management="Who of the management is there.",
    why="Why it could not be detected.",
)
def command(number: int, **given: Any) -> None:
    """Enter NUMBER for the open coup, in the presence of a member of the management.

    For a coup whose call or number could not be detected (manual mode, art. 67-5 of the French
    arrêté of 14 May 2007). The record says who, and why.
    """
    accepted = Message("Accepted: {number} is official as soon as it is recorded.", number=number)
    two_people.send({"do": "manual", "number": number}, given, accepted)
