"""`cylindre doctor`: what is wrong with this machine, and what to do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click

from firmware.client.ask import socket_option
from firmware.lib.errors import FAILED, OK, USAGE, Failure
from firmware.lib.language import Message, echo

_WIDTHS = (60, 100)  # columns of text that people read with ease


@click.command(
    epilog="""\b
    Examples:
      cylindre doctor
      cylindre doctor --board pi4 --config /etc/cylindre/wheel.toml
      cylindre doctor --root /media/card --board pi4 --json

    \b
    Exit codes: 0 nothing found, 1 something found, 2 usage. What a code means: docs/doctor.md.
    """,
)
@click.option("--board", metavar="BOARD", help="The board; else the configuration's or machine's.")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration  [default: that of the wheel which is meant]",
)
@socket_option
@click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    default=Path("/"),
    help="Look at the card of another machine, mounted there.",
)
@click.option(
    "--user",
    metavar="NAME",
    help="Whose rights count  [default: for root cylindre, if there is such a user; else yours]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a problem.")
@click.pass_context
def command(
    ctx: click.Context,
    board: str | None,
    config_file: Path | None,
    folder: Path | None,
    root: Path,
    user: str | None,
    as_json: bool,
) -> None:
    """Look for whatever keeps this machine from being a good wheel; changes nothing."""
    from tools.technician.doctor import text
    from tools.technician.doctor.case import open_case
    from tools.technician.doctor.examine import examine
    from tools.technician.doctor.machine import Machine, who_plays

    name = user or who_plays(root.absolute())
    try:
        machine = Machine(root.absolute(), user=name)
    except KeyError:
        raise Failure(USAGE, Message("The machine has no user {name}.", name=name)) from None
    found = examine(open_case(machine, board, config_file, folder))
    if as_json:
        for told in text.objects(found):
            click.echo(json.dumps(told))
    else:
        width = min(max(shutil.get_terminal_size().columns, _WIDTHS[0]), _WIDTHS[1])
        for line in text.lines(found, width):
            echo(line)
    ctx.exit(FAILED if found.findings else OK)
