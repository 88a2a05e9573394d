"""`cylindre pinout`: the 40-pin header with our signals."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from tools.exits import FAILED, USAGE, Failure
from tools.games import load_board


@click.command(
    short_help="Draw the header with our signals.",
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object a board.")
def command(board: str | None, svg_file: Path | None, as_json: bool) -> None:
    """Draw the 40-pin header of BOARD; without it, of what this machine may be, or of all."""
    from tools.pinout import header, text

    found = [load_board(name) for name in _names(board)]
    if svg_file is not None and as_json:
        raise Failure(USAGE, "Give --svg or --json, not both.")
    if svg_file is not None:
        if len(found) != 1:
            names = ", ".join(each["name"] for each in found)
            raise Failure(USAGE, f"A picture shows one board: choose one of {names}.")
        _write(svg_file, found[0])
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
    from tools.pinout.header import of_this_machine, with_header

    if board is None:
        return of_this_machine() or with_header()
    if load_board(board)["provider"] != "pi":
        known = ", ".join(with_header())
        raise Failure(USAGE, f"{board} is virtual and has no header; these have one: {known}.")
    return [board]


def _write(path: Path, board: dict[str, object]) -> None:
    from tools import key_files
    from tools.pinout.svg import picture

    if str(path) == "-":
        click.echo(picture(board), nl=False)
        return
    try:
        key_files.replace(path, picture(board).encode(), key_files.FOR_ALL)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Failure(FAILED, f"Cannot write {path}: {why}.") from error
    click.echo(f"{path}: the pins of {board['name']}.", err=True)
