"""`cylindre orphelins`: the register of abandoned stakes (Luxembourg art. 8)."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware.core.house import CROUPIER, MANAGEMENT
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.language import Message, translated
from firmware.stakes.abandoned import MARKED, RETURNED

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


def where_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say whose register it is (tools.journal.register.Places)."""
    for option in (
        click.option(
            "--register",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="The register  [default: orphelins.jsonl beside the journal]",
        ),
        click.option(
            "--journal",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="The table's journal  [default: var/BOARD/journal.db]",
        ),
        click.option(
            "--config",
            "config_path",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="The configuration that cylindre run has.",
        ),
        click.option("--board", metavar="BOARD", help="The table's board, for var/BOARD."),
    ):
        function = option(function)
    return function


@click.group(
    short_help="Keep the register of abandoned stakes.",
    epilog="""\b
    Examples:
      cylindre orphelins mark plein 17 --cents 500 --croupier anna --board roulette_ref
      cylindre orphelins mark cheval 17-20 --cents 500 --croupier anna --board roulette_ref
      cylindre orphelins list --board roulette_ref
      cylindre orphelins return 1 --name "Jean Weber" --address "1 rue Flammang, Mondorf" \\
          --proof "camera 3, 21h14" --management weber --board roulette_ref

    Art. 8: « Les « orphelins » sont versés après trois coups joués dans la caisse du casino et ce
    versement est constaté au carnet d'enregistrement ». A running controller counts the coups and
    pays in, where its configuration has [stakes] minimum_cents; what is marked while none runs is
    counted from the next coup.
    """,
)
def command() -> None:
    """Keep the register of abandoned stakes: mark one, list them, return one to its owner."""


@command.command(
    "list",
    short_help="Show the register and its balance.",
    epilog="""\b
    Examples:
      cylindre orphelins list --board roulette_ref
      cylindre orphelins list --config /etc/cylindre/wheel.toml --json
    """,
)
@where_options
@json_option
def list_(as_json: bool, **where: Any) -> None:
    """Show every entry, the balance of the account, and until when a stake can be returned.

    With --json an object an entry, then one a stake, then one with the balance.
    """
    from tools.journal import register

    rows, said = register.read(register.find(**where))
    lines = register.json_lines if as_json else register.text_lines
    for line in lines(rows, said, datetime.date.today().toordinal()):
        click.echo(line if as_json else translated(line))


@command.command(
    short_help="Enter a stake that was found abandoned.",
    epilog="""\b
    Examples:
      cylindre orphelins mark plein 17 --cents 500 --croupier anna --board roulette_ref
      cylindre orphelins mark cheval 17-20 --cents 500 --croupier anna --board roulette_ref --json
    """,
)
@click.argument("bet")
@click.argument("numbers", required=False, default="")
@click.option("--cents", type=int, required=True, help="The stake that was forgotten.")
@click.option("--croupier", required=True, metavar="NAME", help="Who found it.")
@pin_file_option("--pin-file", "the croupier's PIN")
@where_options
@json_option
def mark(
    bet: str,
    numbers: str,
    cents: int,
    croupier: str,
    pin_file: Path | None,
    as_json: bool,
    **where: Any,
) -> None:
    """Enter a stake on BET, and NUMBERS as 17 or 17-20, that was found abandoned.

    It stays on its place for the next three coups, a coup that is being played among them; its
    winnings are counted beside it. Then both are paid into the casino's cash.
    """
    from firmware.text.money import money
    from tools.journal import register

    places = register.find(**where)
    stake = {"bet": bet, "on": register.numbers(numbers), "cents": cents}
    who = register.signed(places, croupier, CROUPIER, pin_file)
    n, body = register.mark(places, stake, who)
    click.echo(
        register.json_entry(n, MARKED, body)
        if as_json
        else translated(
            Message(
                "Number {n}: {place} {money}, counted after coup {coup} for three coups.",
                n=n,
                place=register.place(body),
                money=money(cents),
                coup=body["coup"],
            )
        )
    )


@command.command(
    "return",
    short_help="Return a stake to its owner.",
    epilog="""\b
    Examples:
      cylindre orphelins return 1 --name "Jean Weber" --address "1 rue Flammang, Mondorf" \\
          --proof "camera 3, 21h14" --management weber --board roulette_ref
    """,
)
@click.argument("n", type=int, metavar="N")
@click.option("--name", required=True, help="The owner's name.")
@click.option("--address", required=True, help="The owner's address.")
@click.option("--proof", required=True, help="What proved that it is the owner's.")
@click.option("--management", required=True, metavar="NAME", help="Who returns it.")
@pin_file_option("--pin-file", "the PIN of that member of the management")
@where_options
@json_option
def return_(
    n: int,
    name: str,
    address: str,
    proof: str,
    management: str,
    pin_file: Path | None,
    as_json: bool,
    **where: Any,
) -> None:
    """Return number N of the register to its owner, within seven calendar days.

    Art. 8: « peut établir son droit sans contestation possible, cette somme lui est restituée ».
    The entry names the owner, the proof and the entry of the payment, and the account's total
    before and after.
    """
    from firmware.text.money import money
    from tools.journal import register

    places = register.find(**where)
    who = register.signed(places, management, MANAGEMENT, pin_file)
    owner = {"name": name, "address": address, "proof": proof}
    entry, body = register.give_back(places, n, owner, who)
    before, total = body["before_cents"], body["total_cents"]
    click.echo(
        register.json_entry(entry, RETURNED, body)
        if as_json
        else translated(
            Message(
                "Number {n} is returned to {name}: {money} (entry {entry}). The account:"
                " {before}, now {total}.",
                n=n,
                name=body["name"],
                money=money(body["cents"]),
                entry=entry,
                before=money(before),
                total=money(total),
            )
        )
    )
