"""`cylindre people`: the list of those who may act for the house, with their PINs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.config.choice import load_board
from firmware.config.this_wheel import files_meant
from firmware.keys import people
from firmware.keys.people import PeopleError, Person
from firmware.keys.pin_entry import ask_pin, pin_file_option
from firmware.lib.errors import CONFIGURATION, FAILED, USAGE, Failure
from firmware.lib.language import N_, Message, echo, listed

_file = click.option(
    "--file", "path", type=click.Path(path_type=Path), metavar="FILE", help="The file of people."
)
_board = click.option(
    "--board",
    metavar="BOARD",
    help="The table's board, where several wheels are here.",
)
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


def _chosen(path: Path | None, board: str | None) -> Path:
    if path is not None and board is not None:
        raise Failure(
            USAGE,
            N_("Whose people? Give --file FILE, or --board BOARD, and not both."),
        )
    if path is not None:
        return path
    if board is not None:
        load_board(board)  # a mistyped name would be a file that no controller reads
    return files_meant(None, board, option="--board").people


@click.group(
    epilog="""\b
    Examples:
      cylindre people add anna --role croupier --board roulette_ref
      runuser -u cylindre -- cylindre people list --file /var/lib/cylindre/people.jsonl
      cylindre people remove anna --board roulette_ref

    On a device the file is the controller's own: add as its user, as above. A running controller
    heeds a change at once. The file names people and holds hashes of their
    PINs alone; keep it to yourself all the same, for short PINs can be guessed from it.
    """,
)
def command() -> None:
    """Keep the list of those who may enter a number, with their PINs.

    Nobody is on it at first, and no PIN comes with the product.
    """


@command.command(
    short_help="Add somebody, with a PIN.",
    epilog="""\b
    Examples:
      cylindre people add anna --role croupier --board roulette_ref
      cylindre people add weber --role management --pin-file pin --board roulette_ref --json
    """,
)
@click.argument("name")
@click.option("--role", required=True, type=click.Choice(people.ROLES), help="What NAME may do.")
@pin_file_option("--pin-file")
@_json
@_file
@_board
def add(
    name: str,
    role: str,
    pin_file: Path | None,
    as_json: bool,
    path: Path | None,
    board: str | None,
) -> None:
    """Add NAME with a PIN of at least 6 characters, asked for twice where it is typed."""
    chosen = _chosen(path, board)
    try:
        known = people.People(chosen)
        known.check_new(name)
        person = known.add(name, role, ask_pin(name, pin_file, twice=True))
    except people.AlreadyThere as error:
        text = Message(
            "{name} is in {chosen} already. Remove {name} first.", name=name, chosen=chosen
        )
        raise Failure(FAILED, text) from error
    except PeopleError as error:  # first: it is a ValueError too
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error
    except ValueError as error:
        raise Failure(USAGE, str(error)) from error
    if as_json:
        click.echo(_told(person))
        return
    echo(Message("{name} is {role} now, in {chosen}.", name=person.name, role=role, chosen=chosen))


@command.command(
    short_help="Remove somebody.",
    epilog="""\b
    Examples:
      cylindre people remove anna --board roulette_ref
    """,
)
@click.argument("name")
@_json
@_file
@_board
def remove(name: str, as_json: bool, path: Path | None, board: str | None) -> None:
    """Remove NAME: the PIN is worth nothing from now on."""
    chosen = _chosen(path, board)
    try:
        with people.editing(chosen) as known:
            found = _named(known, name)
            if not found:
                raise Failure(
                    FAILED,
                    Message("There is nobody called {name} in {chosen}.", name=name, chosen=chosen),
                )
            known.remove(found[0])
    except PeopleError as error:
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error
    if as_json:
        click.echo(_told(found[0]))
        return
    echo(Message("{name} is removed from {chosen}.", name=name, chosen=chosen))


@command.command(
    "list",
    short_help="List them.",
    epilog="""\b
    Examples:
      cylindre people list --board roulette_ref
      cylindre people list --file people.jsonl --json
    """,
)
@_json
@_file
@_board
def list_(as_json: bool, path: Path | None, board: str | None) -> None:
    """List names and roles."""
    chosen = _chosen(path, board)
    try:
        known = people.load(chosen)
    except FileNotFoundError:
        known = []
        echo(
            Message(
                "Nobody: there is no {chosen}. Add somebody with cylindre people add.",
                chosen=chosen,
            ),
            err=True,
        )
    except PeopleError as error:
        raise Failure(CONFIGURATION, listed(error.sentences, "\n")) from error
    for person in known:
        click.echo(_told(person) if as_json else f"{person.role:<11} {person.name}")
    outdated = [person.name for person in known if people.is_outdated(person)]
    if outdated:
        echo(
            Message(
                "The PIN of {names} is hashed as it was done before: give it once, and it is hashed"
                " as today.",
                names=", ".join(outdated),
            ),
            err=True,
        )


def _told(person: Person) -> str:
    """Somebody as a program is told of them."""
    return json.dumps({"name": person.name, "role": person.role}, ensure_ascii=False)


def _named(known: list[Person], name: str) -> list[Person]:
    return [person for person in known if person.name.casefold() == name.casefold()]
