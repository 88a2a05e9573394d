"""What a croupier and somebody of the management ask of a controller together, each with a PIN."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from firmware.api.values import COLOURS
from firmware.client.ask import ask, json_option, socket_option
from firmware.client.signing import Credential, signed
from firmware.keys.pin_entry import pin_file_option

# For an epilog: one line, so that click wraps it as a paragraph.
ABOUT_PINS = (
    "Both PINs are asked for, the croupier's first. Without a terminal they are two lines of"
    " standard input. cylindre people add NAME --role ROLE gives somebody a PIN."
)


def options(*, croupier: str, management: str, why: str, colour: bool = True) -> Callable[..., Any]:
    """Returns the options that `send` makes sense of.

    The arguments are the help of three of them. `colour`: whether a colour may be said too.
    """
    several = "Where the number has several (vingt-trois)."
    in_order = (
        *([click.option("--colour", type=click.Choice(COLOURS), help=several)] if colour else ()),
        click.option("--croupier", required=True, metavar="NAME", help=croupier),
        click.option("--management", required=True, metavar="NAME", help=management),
        click.option("--why", required=True, metavar="TEXT", help=why),
        pin_file_option("--croupier-pin-file", "the croupier's PIN"),
        pin_file_option("--management-pin-file", "the other's PIN"),
        socket_option,
        json_option,
    )

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(in_order):
            function = option(function)
        return function

    return add


def send(request: dict[str, Any], given: dict[str, Any], accepted: str) -> None:
    """Sends `request` with the options `given` and both PINs; says the answer, or `accepted`.

    Raises Failure if it cannot be right, a PIN is missing, nobody answers, or it is refused.
    """
    request = request | {"why": given["why"]}
    if given.get("colour") is not None:
        request["colour"] = given["colour"]
    people = [
        Credential(role, given[role], given[f"{role}_pin_file"])
        for role in ("croupier", "management")  # the order in which their PINs are asked for
    ]
    answer = ask(given["folder"], signed(given["folder"], request, *people))
    click.echo(json.dumps(answer) if given["as_json"] else accepted)
