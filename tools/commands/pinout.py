"""`cylindre pinout`: the 40-pin header with our signals."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from firmware.config.choice import load_board
from firmware.lib.errors import USAGE, Failure, unwritten
from firmware.lib.language import N_, Message, echo


@click.command(
    epilog="""\b
    Examples:
      cylindre pinout
      cylindre pinout pi4
      cylindre pinout boule_pi4 --svg boule.svg
      cylindre pinout pi5 --json
    """,
)
@click.argument("board", required=False)
@click.option(
    "--svg",
    "svg_file",
    type=click.Path(path_type=Path, allow_dash=True, dir_okay=False),
    metavar="FILE",
    help="Write a picture to print; - for standard output.",
)
@click.option("--dry-run", is_flag=True, help="Draw what --svg would write; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a board.")
def command(board: str | None, svg_file: Path | None, dry_run: bool, as_json: bool) -> None:
    """Draw the 40-pin header of BOARD; without it, of what this machine may be, or of all."""
    from tools.pinout import header, text

    found = [load_board(name) for name in _names(board)]
    if svg_file is not None and as_json:
        raise Failure(USAGE, N_("Give --svg or --json, not both."))
    if dry_run and (svg_file is None or str(svg_file) == "-"):
        raise Failure(USAGE, N_("Nothing is written without --svg FILE: leave --dry-run out."))
    if svg_file is not None:
        if len(found) != 1:
            names = ", ".join(each["name"] for each in found)
            raise Failure(
                USAGE, Message("A picture shows one board: choose one of {names}.", names=names)
            )
        _write(svg_file, found[0], dry_run=dry_run)
        return
    colours = sys.stdout.isatty()
    plain = "utf" not in (sys.stdout.encoding or "").lower()
    for at, each in enumerate(found):
        if as_json:
            click.echo(json.dumps(header.as_json(each)))
            continue
        if at:
            click.echo()
        for line in text.lines(each, colours=colours, plain=plain):
            click.echo(line)


def _names(board: str | None) -> list[str]:
    """Which boards are meant. Raises Failure for one without a header."""
    from firmware.config.this_wheel import of_this_machine, with_header

    if board is None:
        return of_this_machine() or with_header()
    if load_board(board)["provider"] != "pi":
        known = ", ".join(with_header())
        raise Failure(
            USAGE,
            Message(
                "{board} is virtual and has no header; these have one: {known}.",
                board=board,
                known=known,
            ),
        )
    return [board]


def _write(path: Path, board: dict[str, object], *, dry_run: bool) -> None:
    from firmware.lib import durable
    from tools.pinout.svg import picture

    if str(path) == "-":
        click.echo(picture(board), nl=False)
        return
    data = picture(board).encode()
    if dry_run:
        echo(
            Message("{path}: {count} bytes would be written.", path=path, count=len(data)), err=True
        )
        return
    try:
        durable.replace(path, data, durable.FOR_ALL)
    except OSError as error:
        raise unwritten(path, error) from error
    echo(Message("{path}: the pins of {name}.", path=path, name=board["name"]), err=True)
