"""`cylindre act`: a technician records what was done to the wheel itself."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.client.ask import json_option, socket_option
from firmware.client.session import as_option
from firmware.client.signing import ask_as
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.language import Message, echo
from firmware.store.acts import SERVICE_ACTS

_DONE = {act.what: act.done for act in SERVICE_ACTS}
_WIDTH = max(map(len, _DONE))
_KINDS = "\n    ".join(f"{act.what:<{_WIDTH}}  {act.meaning}" for act in SERVICE_ACTS)


@click.command(
    epilog=f"""\b
    Examples:
      cylindre act levelled --as weber
      cylindre act sensor --as weber --note "ring sensor 1 replaced"
      cylindre act ball --as weber --note "19 mm" --pin-file /run/weber.pin --json

    \b
    Kinds:
    {_KINDS}
    """,
)
@click.argument("kind", type=click.Choice([*_DONE]))
@as_option()
@click.option("--note", metavar="TEXT", help="More of it, in words.")
@pin_file_option("--pin-file")
@socket_option
@json_option
def command(
    kind: str,
    name: str,
    note: str | None,
    pin_file: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Record that work of KIND was done to the wheel.

    The journal has it with who did it, signed. The watch over the wheel's health begins anew what
    that work has changed.
    """
    request = {"do": "act", "what": kind} | ({} if note is None else {"detail": note})
    answer = ask_as(folder, name, pin_file, request)
    if as_json:
        click.echo(json.dumps(answer))
    else:
        echo(Message("Recorded: {}.", Message(_DONE[kind])))
