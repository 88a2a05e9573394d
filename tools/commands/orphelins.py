"""`cylindre orphelins`: the register of abandoned stakes (Luxembourg art. 8)."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware.core.house import CROUPIER, MANAGEMENT
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.language import N_, Message, translated
from firmware.stakes.abandoned import CLOSED, FOUND, MARKED, RETURNED

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
            help="The table's journal  [default: of the wheel that is meant]",
        ),
        click.option(
            "--config",
            "config_path",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="The configuration that cylindre run has.",
        ),
        click.option(
            "--board", metavar="BOARD", help="The table's board, where several wheels are here."
        ),
    ):
        function = option(function)
    return function


@click.group(
    epilog="""\b
    Examples:
      cylindre orphelins mark plein 17 --cents 500 --croupier anna --board roulette_ref
      cylindre orphelins found --cents 350 --where "on the floor, seat 3" --croupier anna \\
          --board roulette_ref
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
    """Keep the register of orphelins: abandoned stakes and money that was found."""


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
    n, _, body = register.mark(places, stake, register.Signatory(croupier, CROUPIER, pin_file))
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
    short_help="Enter money that was found without a bet.",
    epilog="""\b
    Examples:
      cylindre orphelins found --cents 350 --where "on the floor, seat 3" --croupier anna \\
          --board roulette_ref
    """,
)
@click.option("--cents", type=int, required=True, help="What was found.")
@click.option("--where", required=True, metavar="TEXT", help="Where it lay.")
@click.option("--croupier", required=True, metavar="NAME", help="Who found it.")
@pin_file_option("--pin-file", "the croupier's PIN")
@where_options
@json_option
def found(
    cents: int, where: str, croupier: str, pin_file: Path | None, as_json: bool, **files: Any
) -> None:
    """Enter money found on the floor, left on the table, or that is no lawful stake.

    It waits for three coups as a stake does, and does not play. Then it is paid into the casino's
    cash.
    """
    from firmware.text.money import money
    from tools.journal import register

    places = register.find(**files)
    signer = register.Signatory(croupier, CROUPIER, pin_file)
    n, _, body = register.find_money(places, cents, where, signer)
    click.echo(
        register.json_entry(n, FOUND, body)
        if as_json
        else translated(
            Message(
                "Number {n}: {money} found, waits for three coups after coup {coup}.",
                n=n,
                money=money(cents),
                coup=body["coup"],
            )
        )
    )


@command.command(
    short_help="Correct a mistyped entry; two people.",
    epilog="""\b
    Examples:
      cylindre orphelins correct 1 plein 18 --cents 500 --croupier anna --management weber \\
          --why "mistyped" --board roulette_ref
      cylindre orphelins correct 2 --cents 350 --croupier anna --management weber \\
          --why "counted again" --board roulette_ref
      cylindre orphelins correct 3 --withdraw --croupier anna --management weber \\
          --why "its owner was there" --board roulette_ref
    """,
)
@click.argument("n", type=int, metavar="N")
@click.argument("bet", required=False)
@click.argument("numbers", required=False, default="")
@click.option("--cents", type=int, help="What it should have been.")
@click.option("--withdraw", is_flag=True, help="It was no orphelin at all.")
@click.option("--croupier", required=True, metavar="NAME", help="Who corrects.")
@click.option("--management", required=True, metavar="NAME", help="Who agrees.")
@click.option("--why", required=True, metavar="TEXT", help="What was wrong.")
@pin_file_option("--croupier-pin-file", "the croupier's PIN")
@pin_file_option("--management-pin-file", "the other's PIN")
@where_options
@json_option
def correct(
    n: int,
    bet: str | None,
    numbers: str,
    cents: int | None,
    withdraw: bool,
    croupier: str,
    management: str,
    why: str,
    croupier_pin_file: Path | None,
    management_pin_file: Path | None,
    as_json: bool,
    **files: Any,
) -> None:
    """Correct number N: the stake on BET and NUMBERS, or the money, that it should have been.

    What was entered stays; the new entry names it. The coups that it was counted for count for what
    it should have been, and the account moves by the difference.
    """
    from firmware.lib.errors import USAGE, Failure
    from firmware.text.money import money
    from tools.journal import register

    if withdraw == (cents is not None) or (withdraw and bet is not None):
        raise Failure(USAGE, N_("Give what it should have been, with --cents, or --withdraw."))
    right: dict[str, Any] | None = None if withdraw else {"cents": cents}
    if right is not None and bet is not None:
        right |= {"bet": bet, "on": register.numbers(numbers)}
    places = register.find(**files)
    entry, kind, body = register.correct(
        places,
        n,
        right,
        register.Signatory(croupier, CROUPIER, croupier_pin_file),
        register.Signatory(management, MANAGEMENT, management_pin_file),
        why,
    )
    if as_json:
        click.echo(register.json_entry(entry, kind, body))
        return
    click.echo(
        translated(
            Message(
                "Number {n} is corrected (entry {entry}). The account: {before}, now {total}.",
                n=n,
                entry=entry,
                before=money(body["before_cents"]),
                total=money(body["total_cents"]),
            )
        )
    )


@command.command(
    short_help="Close the exercice: the account is settled.",
    epilog="""\b
    Examples:
      cylindre orphelins close 2026 --commune Mondorf-les-Bains --receipt 17 --management weber \\
          --board roulette_ref
    """,
)
@click.argument("exercice")
@click.option("--commune", required=True, help="Whose charity office gets it.")
@click.option("--receipt", required=True, metavar="NUMBER", help="Of its collector's receipt.")
@click.option("--management", required=True, metavar="NAME", help="Who pays.")
@pin_file_option("--pin-file", "the PIN of that member of the management")
@where_options
@json_option
def close(
    exercice: str,
    commune: str,
    receipt: str,
    management: str,
    pin_file: Path | None,
    as_json: bool,
    **files: Any,
) -> None:
    """Close the EXERCICE: all that lies in the account goes to the charity office of the commune.

    Art. 8: « Les sommes encaissées par le casino au titre des « orphelins » sont attribuées au
    bureau de bienfaisance de la commune, siège du casino ». Nothing may be counted still, nor be
    returnable.
    """
    from firmware.stakes.abandoned import closing_notice
    from tools.journal import register

    places = register.find(**files)
    signer = register.Signatory(management, MANAGEMENT, pin_file)
    entry, _, body = register.close(places, exercice, commune, receipt, signer)
    notice = closing_notice(body["exercice"], body["cents"], body["commune"], body["receipt"])
    click.echo(
        json.dumps({**json.loads(register.json_entry(entry, CLOSED, body)), "text": notice})
        if as_json
        else notice
    )


@command.command(
    short_help="Add up the registers of the house.",
    epilog="""\b
    Examples:
      cylindre orphelins house var/*/orphelins.jsonl
    """,
)
@click.argument("registers", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def house(registers: tuple[Path, ...], as_json: bool) -> None:
    """Show the balance of each of the REGISTERS and of the house's account « orphelins »."""
    from firmware.lib.errors import FAILED, Failure
    from firmware.store.register import Register, RegisterError
    from tools.journal import register

    found = []
    known = set()
    for path in registers:
        if not path.exists():
            raise Failure(FAILED, Message("There is no register {register}.", register=path))
        try:
            there = path.stat()
            if (there.st_dev, there.st_ino) in known:  # named twice, it is one
                continue
            known.add((there.st_dev, there.st_ino))
            found.append((path, Register(path).rows()[1]))
        except RegisterError as error:
            raise Failure(FAILED, str(error)) from error
    if not as_json:
        for line in register.house_lines(found):
            click.echo(translated(line))
        return
    for path, said in found:
        click.echo(json.dumps({"register": str(path), "balance_cents": said.total_cents}))
    total = sum(said.total_cents for _, said in found)
    click.echo(json.dumps({"house_balance_cents": total}))


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
    """Return number N of the register to its owner: while its three coups are counted, and for
    seven calendar days after it was paid in.

    Art. 8: « peut établir son droit sans contestation possible, cette somme lui est restituée ».
    The entry names the owner and the proof; of what was paid in also the entry of the payment, and
    the account's total before and after.
    """
    from firmware.text.money import money
    from tools.journal import register

    places = register.find(**where)
    signer = register.Signatory(management, MANAGEMENT, pin_file)
    owner = {"name": name, "address": address, "proof": proof}
    entry, kind, body = register.give_back(places, n, owner, signer)
    if as_json:
        click.echo(register.json_entry(entry, kind, body))
        return
    said = Message(
        "Number {n} is returned to {name}: {money} (entry {entry}).",
        n=n,
        name=body["name"],
        money=money(body["cents"]),
        entry=entry,
    )
    if kind == RETURNED:
        said = Message(
            "{said} The account: {before}, now {total}.",
            said=said,
            before=money(body["before_cents"]),
            total=money(body["total_cents"]),
        )
    click.echo(translated(said))
