"""`cylindre cards`: what people say at a card table where the shoe cannot, or said it wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from firmware.api.values import DECISIONS_MAX
from firmware.client import two_people
from firmware.client.ask import ask, json_option, socket_option
from firmware.client.signing import Credential, signed
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.errors import USAGE, Failure, of_file
from firmware.lib.language import N_, Message, translated
from firmware.lib.named_file import read_named

FILE_MAX = 65_536  # bytes
_SIGNED = '--croupier anna --management weber --why "its index is torn"'


@click.group(
    epilog=f"""\b
    Examples:
      cylindre cards enter TH {_SIGNED}
      cylindre cards rescan
      cylindre cards pay --management weber

    A card is a rank of A23456789TJQK and a suit of SHDC, as TH for the ten of hearts.
    """,
)
def command() -> None:
    """Say what the shoe of a card table could not say: a card, a count, a payment."""


@command.command(
    short_help="Enter a card that could not be read.",
    epilog=f"""\b
    Examples:
      cylindre cards enter TH {_SIGNED}
      cylindre cards enter AS {_SIGNED} --json

    {two_people.ABOUT_PINS}
    """,
)
@click.argument("card")
@two_people.options(
    croupier="Who enters the card.",
    management="Who of the management is there.",
    why="Why it could not be read.",
    colour=False,
)
def enter(card: str, **given: Any) -> None:
    """Enter CARD, which lies on the table and could not be read, in the presence of the management.

    Possible where the table holds for it. The record of the round says who, and why.
    """
    accepted = Message("Accepted: the card counts as {card}.", card=card)
    two_people.send({"do": "card", "card": card}, given, accepted)


@command.command(
    short_help="Have an exposed card burned.",
    epilog=f"""\b
    Examples:
      cylindre cards burn {_SIGNED}
      cylindre cards burn {_SIGNED} --json

    {two_people.ABOUT_PINS}
    """,
)
@two_people.options(
    croupier="Who burns it.",
    management="Who of the management is there.",
    why="Why the round goes on without it.",
    colour=False,
)
def burn(**given: Any) -> None:
    """Have the card burned that came out exposed, and the round go on with the next."""
    two_people.send({"do": "burn"}, given, Message("Accepted: the card is burned."))


@command.command(
    short_help="Confirm the count of a shoe.",
    epilog=f"""\b
    Examples:
      cylindre cards count {_SIGNED}
      cylindre cards count {_SIGNED} --json

    {two_people.ABOUT_PINS}
    """,
)
@two_people.options(
    croupier="Who counted.",
    management="Who of the management is there.",
    why="Why the shoe is to be played all the same.",
    colour=False,
)
def count(**given: Any) -> None:
    """Confirm by hand the count of the shoe, which is not known or did not agree."""
    two_people.send({"do": "count"}, given, Message("Accepted: the shoe is played."))


@command.command(
    short_help="Read the round again from its first card.",
    epilog="""\b
    Examples:
      cylindre cards rescan
      cylindre cards rescan --json
    """,
)
@socket_option
@json_option
def rescan(folder: Path | None, as_json: bool) -> None:
    """Read the open round again from its first card: one was drawn and not read.

    Nothing is believed of it until every card lies as it did.
    """
    answer = ask(folder, {"do": "rescan"})
    accepted = N_("Accepted: draw each card of the round over the reader again, in its order.")
    click.echo(json.dumps(answer) if as_json else translated(accepted))


@command.command(
    short_help="Correct the last round, or make it void.",
    epilog="""\b
    Examples:
      cylindre cards correct 41 KD 9S 6H TC --decisions said.json \\
          --croupier anna --management weber --why "film of camera 3"
      cylindre cards correct 41 --void --croupier anna --management weber --why "a card was marked"

    A file of decisions has one list, as cylindre settle takes it:

    \b
      [{"seat": 3, "hand": 1, "do": "stand"}]
    """,
)
@click.argument("round_number", type=click.IntRange(min=1), metavar="ROUND")
@click.argument("cards", nargs=-1, metavar="[CARD]...")
@click.option("--void", is_flag=True, help="The round is to be void.")
@click.option(
    "--decisions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What was decided, in order  [default: as it is recorded]",
)
@two_people.options(
    croupier="Who corrects.",
    management="Who of the management agrees.",
    why="Why it was wrong.",
    colour=False,
)
def correct(
    round_number: int, cards: tuple[str, ...], void: bool, decisions: Path | None, **given: Any
) -> None:
    """Correct ROUND, the last that has ended: those CARDs were dealt, in this order, or it is void.

    The same rules say what follows for the stakes that were sealed. What was recorded stays as it
    is: a new record of both people names what it corrects.
    """
    if void == bool(cards) or (void and decisions is not None):
        raise Failure(USAGE, N_("Give the cards of the round in their order, or --void."))
    request: dict[str, Any] = {"do": "correct_round", "round": round_number}
    request["cards"] = None if void else list(cards)
    if decisions is not None:
        request["decisions"] = _read_decisions(decisions)
    accepted = Message("Accepted: round {n} stands so as soon as that is recorded.", n=round_number)
    two_people.send(request, given, accepted)


@command.command(
    short_help="Have a Gold Jack paid.",
    epilog="""\b
    Examples:
      cylindre cards pay --management weber
      cylindre cards pay --management weber --pin-file /run/weber.pin --json
    """,
)
@click.option(
    "--management", metavar="NAME", required=True, help="Who of the management knows of it."
)
@pin_file_option("--pin-file")
@socket_option
@json_option
def pay(management: str, pin_file: Path | None, folder: Path | None, as_json: bool) -> None:
    """Have the Gold Jack paid that waits: a member of the management knows of it.

    Luxembourg, Super-Jack: « d'un gold-jack le chef de salle doit en être informé au préalable ».
    """
    who = Credential("management", management, pin_file)
    answer = ask(folder, signed(folder, {"do": "pay"}, who))
    accepted = N_("Accepted: pay it as soon as the table says so.")
    click.echo(json.dumps(answer) if as_json else translated(accepted))


def _read_decisions(path: Path) -> list[Any]:
    """Returns what a file says was decided. Raises Failure."""
    try:
        found = json.loads(read_named(path, FILE_MAX, own_handles=True))
    except OSError as error:
        raise of_file(path, error) from error
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        text = Message(
            "{path}: a file of decisions is one list (JSON) of at most {most} objects.",
            path=path,
            most=DECISIONS_MAX,
        )
        raise Failure(USAGE, text)
    return found
