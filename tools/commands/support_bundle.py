"""`cylindre support-bundle`: one file with what a wheel's maker needs, and no key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tools.exits import USAGE, Failure
from tools.pin_entry import ask_pin, pin_file_option
from tools.session import Session, as_option

_PARTS = ("versions", "config", "status", "doctor", "journal", "selftest", "logs", "coups")


_Command = TypeVar("_Command", bound=Callable[..., Any])


def _path(name: str, words: str) -> Callable[[_Command], _Command]:
    kind = click.Path(path_type=Path)
    return click.option(f"--{name}", type=kind, metavar="PATH", help=f"{words}, if elsewhere.")


@click.command(
    "support-bundle",
    short_help="Pack logs, coups and findings for support.",
    epilog="""\b
    Examples:
      cylindre support-bundle
      cylindre support-bundle --out /media/stick/table-3.tar.gz
      cylindre support-bundle --without logs --dry-run

    \b
    What is in it and what is not: docs/support.md. To read one: cylindre support read FILE.
    """,
)
@click.option("--board", metavar="BOARD", help="The board; else the configuration's or machine's.")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration  [default: /etc/cylindre/wheel.toml, if there]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where it goes; never over another  [default: cylindre-support-TIME.tar.gz]",
)
@click.option(
    "--without",
    type=click.Choice(_PARTS),
    multiple=True,
    help="Leave a part out; may be given again.",
)
@_path("journal", "The journal")
@_path("keys", "The folder of keys, so that none of them leaves")
@_path("people", "The file of people, so that no PIN's hash leaves")
@_path("socket", "The folder of the controller's sockets")
@_path("records", "The folder of cylindre run --record")
@_path("certificates", "The folder of self-test certificates")
@as_option(required=False)
@pin_file_option("--pin-file")
@click.option("--dry-run", is_flag=True, help="Gather and look for keys, but write nothing.")
@click.option("--json", "as_json", is_flag=True, help="What was packed, as one JSON object.")
def command(
    board: str | None,
    config_file: Path | None,
    out: Path | None,
    without: tuple[str, ...],
    journal: Path | None,
    keys: Path | None,
    people: Path | None,
    socket: Path | None,
    records: Path | None,
    certificates: Path | None,
    name: str | None,
    pin_file: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Pack what is needed to understand a fault into one file; changes nothing else.

    Keys and the hashes of PINs do not leave: everything is searched for them, and where one is
    found nothing is written. With --as the wheel's journal says who packed it, and its SHA-256.
    """
    from firmware.store.clock import utc
    from tools.doctor.case import Files, open_case
    from tools.doctor.machine import Machine, who_plays
    from tools.support import make

    case = open_case(Machine(user=who_plays(Path("/"))), board, config_file)
    files = case.files
    if files is None:
        raise Failure(USAGE, "Which board? Give --board; cylindre boards lists them.")
    chosen = (journal, keys, people, socket, records, certificates)
    pairs = zip(files, chosen, strict=True)
    files = Files(*[path if given is None else given.absolute() for path, given in pairs])
    made = utc()
    stamp = made.replace(":", "").replace("-", "")
    path = out or Path(f"cylindre-support-{stamp}.tar.gz")
    if not dry_run:
        make.want_free(path)
    packed = make.make(case, files, frozenset(without), made)
    if not dry_run:
        if name is not None:  # first: nothing leaves that is not in the journal
            with Session(files.sockets, name, ask_pin(name, pin_file)) as session:
                session.act("support", path.name, packed.sha256)
        make.write(path, packed.data)
    told = {
        "file": None if dry_run else str(path),
        "bytes": len(packed.data),
        "sha256": packed.sha256,
        "files": packed.names,
        "missing": packed.missing,
    }
    if as_json:
        click.echo(json.dumps(told))
        return
    for part, why in packed.missing.items():
        click.echo(f"Without {part}: {why.rstrip('.')}.", err=True)
    verb = "would be packed" if dry_run else f"are in {path}"
    click.echo(f"{len(packed.names)} files, {len(packed.data) / 1000:.0f} kB, {verb}.")
