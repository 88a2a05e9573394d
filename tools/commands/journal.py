"""`cylindre journal`: what a wheel has recorded: read, explained, checked, handed on."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from firmware.config.this_wheel import files_meant
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message, echo, translated

FOLLOW_S = 0.5  # between two looks for new rows
ROWS_MAX = 100_000  # for a person's eyes; programs take the export


def _or_meant(_: click.Context, __: click.Parameter, file: Path | None) -> Path:
    """FILE, or the journal of the wheel that is meant."""
    return file or files_meant(option="FILE").journal


def _or_the_wheels(ctx: click.Context, keys: click.Parameter, given: Path | None) -> Path:
    """The keys that were given; those of the wheel that is meant, where FILE was left out too."""
    if given is None and ctx.get_parameter_source("file") is ParameterSource.COMMANDLINE:
        raise click.MissingParameter(ctx=ctx, param=keys)
    return given or files_meant(option="FILE").keys


class _FileOrCoup(click.Command):
    """A command of FILE and COUP: of one word alone it is FILE that was left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the line; puts the journal of the wheel that is meant where FILE was left out."""
        words = [word for word in args if not word.startswith("-")]
        if len(words) == 1 and words[0].isdigit():
            args = [str(files_meant(option="FILE").journal), *args]
        return super().parse_args(ctx, args)


_path = click.Path(path_type=Path)
_file = click.argument("file", metavar="[FILE]", type=_path, required=False, callback=_or_meant)
_named_file = click.argument("file", metavar="FILE", type=_path)
_json = click.option("--json", "as_json", is_flag=True, help="JSON objects, one a line.")
_fram = click.option(
    "--fram", type=click.Path(path_type=Path), metavar="FILE", help="As of cylindre run, if any."
)
_keys = click.option(
    "--keys",
    required=True,
    type=_path,
    metavar="DIR",
    help="Keys, as cylindre provision made them.",
)
_own_keys = click.option(
    "--keys",
    type=_path,
    metavar="DIR",
    callback=_or_the_wheels,
    help="Keys, as cylindre provision made them  [default, without FILE: of that wheel]",
)
_board = click.option("--board", metavar="BOARD", help="The board, where a FRAM is on it.")


@click.group(
    epilog="""\b
    Examples:
      cylindre journal tail
      cylindre journal show 12
      cylindre journal verify var/roulette_ref/journal.db --keys var/roulette_ref/keys
      cylindre journal export var/roulette_ref/journal.db --format csv > coups.csv

    Without FILE it is the journal of the wheel that is meant: the one below var/, or a device's.

    Exit codes: 0 ok, 1 failed, 2 usage, 3 no device, 4 configuration or keys.
    """,
)
def command() -> None:
    """Read what a wheel has recorded. All but adopt change nothing, while it plays or not."""


@command.command(
    short_help="The last rows, in words.",
    epilog="""\b
    Examples:
      cylindre journal tail
      cylindre journal tail var/roulette_ref/journal.db -n 100 --follow
    """,
)
@_file
@click.option(
    "-n",
    "count",
    default=20,
    show_default=True,
    type=click.IntRange(1, ROWS_MAX),
    help="How many rows.",
)
@click.option("-f", "--follow", is_flag=True, help="Go on with what is added, until interrupted.")
@_json
def tail(file: Path, count: int, follow: bool, as_json: bool) -> None:
    """Print the last rows of the journal FILE, the newest last."""
    from firmware.text.journal_coup import last_rows, of_its_kind
    from firmware.text.journal_text import row_line

    after = 0
    while True:
        for entry in last_rows(file, ROWS_MAX if after else count, after):
            after = entry.row.n
            with of_its_kind(file):
                line = _json_line(_row(entry)) if as_json else translated(row_line(entry))
            click.echo(line)
        if not follow:
            return
        time.sleep(FOLLOW_S)


@command.command(
    cls=_FileOrCoup,
    short_help="Explain a coup.",
    epilog="""\b
    Examples:
      cylindre journal show 12
      cylindre journal show var/roulette_ref/journal.db 12 --json
    """,
)
@_file
@click.argument("coup", type=click.IntRange(min=1))
@_json
def show(file: Path, coup: int, as_json: bool) -> None:
    """Explain COUP: why the call came when it did, what each sensor said, who confirmed.

    Times are seconds from the coup's beginning. Whether all this is as it was written, verify says.
    """
    from firmware.text.journal_coup import find, of_its_kind
    from firmware.text.journal_text import explained

    with of_its_kind(file):
        found = find(file, coup)
        lines = [_json_line(_told(found))] if as_json else map(translated, explained(found))
    for line in lines:
        click.echo(line)


def _told(found: Any) -> dict[str, Any]:
    """A coup for programs: what stands, and every row that is of it."""
    from firmware.bus import record

    entries = (*found.entries, *[each.said for each in found.corrections])
    return {
        "coup": found.end.body["coup"],
        "stands": found.stands,
        "evidence": found.evidence,
        "corrections": [each.said.body | {"evidence": each.evidence} for each in found.corrections],
        "digest": record.digest(found.end.row.body).hex(),
        "record": found.end.row.body.hex(),
        "rows": [_row(entry) for entry in entries],
    }


def _row(entry: Any) -> dict[str, Any]:
    row, body = entry
    return {"n": row.n, "utc": row.utc, "kind": row.kind, "body": body}


def _json_line(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False)


@command.command(
    short_help="Find any row that is not as it was written.",
    epilog="""\b
    Examples:
      cylindre journal verify
      cylindre journal verify coups.db --keys keys --fram fram.bin
      cylindre journal verify coups.db --keys keys --board pi4
    """,
)
@_file
@_own_keys
@_fram
@_board
@_json
def verify(file: Path, keys: Path, fram: Path | None, board: str | None, as_json: bool) -> None:
    """Check every row of the journal FILE: none changed, missing, swapped or added.

    That the end was not cut off, nor changed behind the last signed row, only the FRAM can tell:
    the file that stands in for it, or the chip of BOARD.
    """
    from tools.journal.journal_check import check

    told = check(file, keys, fram, board)
    if as_json:
        click.echo(json.dumps(told))
    if not told["intact"]:
        raise Failure(FAILED, Message("{file}: {why}", file=file, why=Message(told["why"])))
    if not as_json:
        echo(Message("{file} is intact: {what}.", file=file, what=Message(told["what"])))


@command.command(
    short_help="Every coup, for other programs.",
    epilog="""\b
    Examples:
      cylindre journal export
      cylindre journal export var/roulette_ref/journal.db --format csv > coups.csv
      cylindre journal export --format health > coups.txt
    """,
)
@_file
@click.option(
    "--format",
    "form",
    default="json",
    show_default=True,
    type=click.Choice(["json", "csv", "health"]),
    help="Objects, one a line, a table, or the form of docs/health.md.",
)
def export(file: Path, form: str) -> None:
    """Print every coup of the journal FILE that has ended: one object, or one line of CSV, each.

    Number and reason are those that stand; what a correction replaced is told beside them. The form
    of cylindre health has the coups whose number sensors gave, service acts and corrections.
    """
    from firmware.text.journal_coup import of_its_kind
    from tools.journal.journal_export import csv_lines, health_lines, json_lines

    lines = {"json": json_lines, "csv": csv_lines, "health": health_lines}[form]
    with of_its_kind(file):
        for line in lines(file):
            click.echo(line)


@command.command(
    short_help="Take over a journal after a board, chip or card was changed.",
    epilog="""\b
    Examples:
      cylindre journal adopt coups.db --keys keys --fram fram.bin
      cylindre journal adopt coups.db --keys keys --board pi4
      cylindre journal adopt coups.db --keys keys --board pi4 --gone
    """,
)
@_named_file
@_keys
@_fram
@_board
@click.option(
    "--gone",
    is_flag=True,
    help="FILE is lost for good: make the FRAM blank, so that the next start begins a new journal."
    " What the FRAM knew is printed first: keep it.",
)
@_json
def adopt(
    file: Path, keys: Path, fram: Path | None, board: str | None, gone: bool, as_json: bool
) -> None:
    """Let the journal FILE be this board's and this FRAM's from now on, while nothing plays.

    For a technician who changed one of them. Nothing of the journal is changed: a signed record
    that begins a new epoch is added to it. A FILE that is not there is refused, unless --gone.
    """
    from tools.journal.journal_adopt import adopt as journal_adopt
    from tools.journal.journal_adopt import forget

    def say(what: str) -> None:
        click.echo(_json_line({"what": what}) if as_json else translated(what))

    say(forget(file, keys, fram, board, say) if gone else journal_adopt(file, keys, fram, board))
