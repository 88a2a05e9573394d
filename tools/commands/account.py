"""`cylindre account`: the players' accounts at a semi-automatic table (Luxembourg art. 62)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware.bus.mac import KEY_SIZE
from firmware.client.ask import ask_and_hear, json_option, socket_option
from firmware.client.signing import Credential, signed
from firmware.keys.pin_entry import ask_pin, pin_file_option
from firmware.keys.players import secret_of
from firmware.lib.errors import FAILED, USAGE, Failure, of_file
from firmware.lib.language import Message, echo, translated
from firmware.lib.named_file import read_named
from firmware.lib.unseen import reveal
from firmware.text.money import entry_words, money
from rules.limits import CENTS_MAX

RECEIPT_FILE_MAX = 4096  # bytes
_UNASKED = "00" * KEY_SIZE  # in the place of what a player types last, while the rest is judged


class _Cents(click.ParamType):  # type: ignore[type-arg]
    """Whole cents; anything else is refused by the article, not by the form of a command."""

    name = "cents"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Returns the amount. Raises Failure."""
        if isinstance(value, int) or (value.isascii() and value.isdigit() and len(value) < 16):
            cents = int(value)
            if 0 < cents <= CENTS_MAX:
                return cents
        text = Message(
            "art. 62: « argent comptant » : an amount is whole cents from 1 to {most}, not"
            " {value}.",
            most=CENTS_MAX,
            value=value,
        )
        raise Failure(FAILED, text)


CENTS = _Cents()


def _signed_by(role: str, name: str) -> Callable[..., Any]:
    """Returns the options of who asks for it, and where."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in (
            json_option,
            socket_option,
            pin_file_option("--pin-file", f"the PIN of the {role}"),
            click.option(f"--{name}", "who", metavar="NAME", required=True, help=f"The {role}."),
        ):
            function = option(function)
        return function

    return add


_employee = _signed_by("employee who asks", "employee")
_management = _signed_by("member of the management", "management")
_player_pin = pin_file_option("--player-pin-file", "the player's PIN, or the number of his card")


@click.group(
    epilog="""\b
    Examples:
      cylindre account open "Anna Lux" --employee claire
      cylindre account deposit 1 50000 --employee claire
      cylindre account payout 1 --employee claire > receipt.txt
      cylindre account redeem receipt.txt --employee denis
      cylindre account close-day --management weber

    Art. 62: « Les jeux ne peuvent être pratiqués qu'argent comptant : tout enjeu sur parole est
    interdit. » At a terminal nothing is staked but what lies in its player's account.
    """,
)
def command() -> None:
    """Keep the accounts of those who play at terminals."""


@command.command(
    "open",
    short_help="Open the account of a player.",
    epilog="""\b
    Examples:
      cylindre account open "Anna Lux" --employee claire
      cylindre account open anna --employee claire --pin-file /run/claire.pin \\
          --player-pin-file /run/card.txt
    """,
)
@click.argument("player")
@_player_pin
@_employee
def open_(player: str, player_pin_file: Path | None, **given: Any) -> None:
    """Open an account of PLAYER, who has none; says its number.

    The player then types a PIN, or the reader reads a card: with it and the number he signs on at a
    terminal.
    """
    request = _signed({"do": "account", "player": player, "secret": _UNASKED}, "employee", given)
    _enter(request | {"secret": _secret(player, player_pin_file)}, given)


@command.command(
    short_help="Give a player another PIN or card.",
    epilog="""\b
    Examples:
      cylindre account renew 1 --employee claire
      cylindre account renew 1 --employee claire --player-pin-file /run/card.txt
    """,
)
@click.argument("account", type=int)
@_player_pin
@_employee
def renew(account: int, player_pin_file: Path | None, **given: Any) -> None:
    """Give the player of ACCOUNT another PIN or card: the one before opens nothing any more."""
    request = _signed({"do": "renew", "account": account, "secret": _UNASKED}, "employee", given)
    _enter(request | {"secret": _secret(str(account), player_pin_file)}, given)


@command.command(
    short_help="Count money into an account.",
    epilog="""\b
    Examples:
      cylindre account deposit 1 50000 --employee claire
      cylindre account deposit 1 50000 --employee claire --pin-file /run/claire.pin --json
    """,
)
@click.argument("account", type=int)
@click.argument("cents", type=CENTS)
@_employee
def deposit(account: int, cents: int, **given: Any) -> None:
    """Count so many whole CENTS into ACCOUNT. It may stake them once the journal has them."""
    request = {"do": "deposit", "account": account, "cents": cents}
    _enter(_signed(request, "employee", given), given)


@command.command(
    short_help="Pay out of an account, against a receipt.",
    epilog="""\b
    Examples:
      cylindre account payout 1 --employee claire > receipt.txt
      cylindre account payout 1 20000 --employee claire --json
    """,
)
@click.argument("account", type=int)
@click.argument("cents", type=CENTS, required=False)
@_employee
def payout(account: int, cents: int | None, **given: Any) -> None:
    """Take so many whole CENTS, or all that does not lie on the table, out of ACCOUNT.

    Says the receipt that the wheel signs: it is paid once, with cylindre account redeem.
    """
    request: dict[str, Any] = {"do": "payout", "account": account}
    if cents is not None:
        request["cents"] = cents
    _enter(_signed(request, "employee", given), given)


@command.command(
    short_help="Pay a receipt, once.",
    epilog="""\b
    Examples:
      cylindre account redeem receipt.txt --employee denis
      cylindre account redeem - --employee denis --pin-file /run/denis.pin < receipt.txt
    """,
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@_employee
def redeem(file: Path, **given: Any) -> None:
    """Enter that the receipt in FILE, as payout said it, is paid.

    One that was paid already, that another wheel gave or that somebody altered is refused.
    """
    if str(file) == "-":
        reveal()
    words = (sys.stdin.read(RECEIPT_FILE_MAX) if str(file) == "-" else _read(file)).split()
    receipt = words[-1] if words else ""
    _enter(_signed({"do": "redeem", "receipt": receipt}, "employee", given), given)


@command.command(
    short_help="Print a receipt again that was lost.",
    epilog="""\b
    Examples:
      cylindre account reprint 17 --employee claire > receipt.txt
      cylindre account reprint 17 --employee claire --json
    """,
)
@click.argument("receipt", type=int)
@_employee
def reprint(receipt: int, **given: Any) -> None:
    """Say RECEIPT again, by its number; the journal has who asked. It is paid once all the same."""
    _enter(_signed({"do": "reprint", "receipt": receipt}, "employee", given), given)


def _judged(what: str, name: str, short: str, long: str) -> None:
    """Adds one of the commands by which the management judges an account (art. 20-3 c)."""

    @command.command(
        name,
        short_help=short,
        help=long,
        epilog=f"""\b
    Examples:
      cylindre account {name} 1 --management weber --why "seen on camera 3"
      cylindre account {name} 1 --management weber --why "seen on camera 3" --json
    """,
    )
    @click.argument("account", type=int)
    @click.option("--why", metavar="TEXT", required=True, help="Why; the journal has it.")
    @_management
    def judge(account: int, why: str, **given: Any) -> None:
        request = {"do": "judge", "what": what, "account": account, "why": why}
        _enter(_signed(request, "management", given), given)


_judged("withheld", "withhold", "Pay nothing out of an account.",
        "Withhold what ACCOUNT has: nothing of it is paid out (art. 20-3 c).")  # fmt: skip
_judged("released", "release", "Pay out of an account again.",
        "Release what ACCOUNT has: it may be paid out again.")  # fmt: skip
_judged("barred", "bar", "Bar a player from the terminals.",
        "Bar the player of ACCOUNT, who is signed off at once (art. 20-3 c).")  # fmt: skip
_judged("admitted", "admit", "Admit a player again.",
        "Admit the player of ACCOUNT again.")  # fmt: skip


@command.command(
    short_help="Close the day with its sums.",
    epilog="""\b
    Examples:
      cylindre account close-day --management weber
      cylindre account close-day --management weber --pin-file /run/weber.pin --json
    """,
)
@_management
def close_day(**given: Any) -> None:
    """Enter the day's sums as one row that the wheel signs: drop, won, hold; each terminal's in,
    out, staked, won; each account.

    Between two coups, with no stake on the table. What comes after it is another day's.
    """
    _enter(_signed({"do": "closing"}, "management", given), given)


@command.command(
    "list",
    short_help="Show the accounts and the day's meters.",
    epilog="""\b
    Examples:
      cylindre account list
      cylindre account list journal.db --json
    """,
)
@click.argument("journal", type=click.Path(path_type=Path), required=False)
@json_option
def list_(journal: Path | None, as_json: bool) -> None:
    """Show what each account of JOURNAL has, which receipts are not paid, and the day's meters.

    Without JOURNAL it is that of the wheel which is meant.
    """
    from firmware.config.this_wheel import files_meant
    from firmware.store.journal import JournalError
    from firmware.store.reader import accounts

    try:
        found = accounts(journal or files_meant(option="JOURNAL").journal)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    total = found.total()
    if as_json:
        told = {
            "accounts": [account._asdict() for account in found.all()],
            "receipts": [dict(zip(("receipt", "account", "cents"), one, strict=True))
                         for one in found.receipts()],
            "meters": [{"terminal": at} | meters._asdict() for at, meters in found.meters()],
            "total": total._asdict(), "lying_cents": found.lying_cents(),
        }  # fmt: skip
        click.echo(json.dumps(told))
        return
    for account in found.all():
        marks = [word for word in ("withheld", "barred") if getattr(account, word)]
        mark = "".join(f", {translated(Message(word))}" for word in marks)
        click.echo(f"{account.n:6d}  {account.player:24}  {money(account.cents):>14}{mark}")
    for receipt, n, cents in found.receipts():
        echo(
            Message(
                "receipt {receipt} of account {n} is not paid: {cents}",
                receipt=receipt,
                n=n,
                cents=money(cents),
            )
        )
    for at, meters in (*found.meters(), ("", total)):
        name = at or (Message("all") if at == "" else Message("desk"))
        echo(
            Message(
                "{name:>8}: in {in_}, out {out}, staked {staked}, won {won}",
                name=translated(name) if isinstance(name, Message) else f"terminal {name}",
                in_=money(meters.in_cents),
                out=money(meters.out_cents),
                staked=money(meters.staked_cents),
                won=money(meters.won_cents),
            )
        )


def _signed(request: dict[str, Any], role: str, given: dict[str, Any]) -> dict[str, Any]:
    """Returns it with the PIN of who asks for it. Raises Failure."""
    return signed(given["folder"], request, Credential(role, given["who"], given["pin_file"]))


def _secret(player: str, path: Path | None) -> str:
    """What the player's PIN or card makes, in hexadecimal. Raises Failure."""
    try:
        return secret_of(ask_pin(player, path, twice=True)).hex()
    except ValueError as error:
        raise Failure(USAGE, error.args[0]) from None


def _read(path: Path) -> str:
    try:
        return read_named(path, RECEIPT_FILE_MAX, own_handles=True).decode("ascii", "replace")
    except OSError as error:
        raise of_file(path, error) from error


def _enter(request: dict[str, Any], given: dict[str, Any]) -> None:
    """Has something entered, and says what the journal has of it."""
    told = ask_and_hear(given["folder"], request, "entered")
    if given["as_json"]:
        click.echo(json.dumps(told))
        return
    echo(entry_words(told["kind"], told["body"]) + ".")
    if "receipt" in told:
        click.echo(told["receipt"])
