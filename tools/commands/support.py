"""`cylindre support`: reads a support bundle on a laptop."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import N_, Message, echo, translated


@click.group(
    epilog="""\b
    Examples:
      cylindre support read table-3.tar.gz
      cylindre support read table-3.tar.gz --file doctor.json
    """,
)
def command() -> None:
    """Read what cylindre support-bundle has packed; nothing in it is believed."""


@command.command(
    short_help="Say what is in a bundle.",
    epilog="""\b
    Examples:
      cylindre support read table-3.tar.gz
      cylindre support read table-3.tar.gz --file journal/rows.jsonl
      cylindre support read table-3.tar.gz --extract table-3
      cylindre replay table-3/coups/000012-coup-7

    Exit codes: 0 ok, 1 no bundle or not a whole one, 2 usage.
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--file", "name", metavar="NAME", help="Print one of its files.")
@click.option(
    "--extract",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Put its files into a new folder.",
)
@click.option("--dry-run", is_flag=True, help="Check what --extract would write; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object.")
def read(file: Path, name: str | None, folder: Path | None, dry_run: bool, as_json: bool) -> None:
    """Check the bundle FILE and say what is in it."""
    from tools.technician.support import bundle, text
    from tools.technician.support.bundle import extract, want_new

    if name is not None and (folder is not None or as_json):
        raise Failure(USAGE, N_("Give --file alone."))
    if dry_run and folder is None:
        raise Failure(USAGE, N_("Nothing is written without --extract: leave --dry-run out."))
    found = bundle.read(file)
    if name is not None:
        if name not in found.files:
            known = ", ".join(found.files) or Message("none")
            raise Failure(
                FAILED,
                Message(
                    "{file} has no {name}; it has: {known}.", file=file, name=name, known=known
                ),
            )
        _print(found.files[name])
        return
    if folder is not None:
        if dry_run:
            want_new(folder)
        else:
            extract(found, folder)
        count = len(found.files)
        if dry_run:
            where = Message("{count} files would be in {folder}.", count=count, folder=folder)
        else:
            where = Message("{count} files are in {folder}.", count=count, folder=folder)
        echo(where, err=True)
    if as_json:
        click.echo(json.dumps(text.summary(found)))
    elif folder is None:
        for line in text.lines(found):
            click.echo("".join(bundle.printable(translated(line))))


def _print(content: bytes) -> None:
    """As it is for a program; for a person without what would command the terminal."""
    from tools.technician.support.bundle import printable

    if not sys.stdout.isatty():
        sys.stdout.buffer.write(content)
        return
    for line in printable(content.decode(errors="replace")):
        click.echo(line)
