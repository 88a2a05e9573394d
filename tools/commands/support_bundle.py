"""`cylindre support-bundle`: one file with what a wheel's maker needs, and no key."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware.client.session import as_option
from firmware.client.signing import check_login, log_in
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message, echo
from tools.technician.support.bundle import TOTAL_MAX

_MB = 1_000_000
_PARTS = ("versions", "config", "status", "doctor", "journal", "selftest", "logs", "coups")


_Command = TypeVar("_Command", bound=Callable[..., Any])


def _path(name: str, words: str) -> Callable[[_Command], _Command]:
    kind = click.Path(path_type=Path)
    return click.option(f"--{name}", type=kind, metavar="PATH", help=f"{words}, if elsewhere.")


class _Progress:
    """A bar for each act, one after the other."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._act = ""
        self._bars = ExitStack()

    def told(self, act: str, done: int, whole: int) -> None:
        """So much of an act is done."""
        from tools.image.progress import Bar

        if self._quiet:
            return
        if act != self._act:
            self._bars.close()
            self._act, self._bar = act, self._bars.enter_context(Bar(act, whole, as_json=False))
        self._bar.at(done, whole)

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self._bars.close()


@click.command(
    "support-bundle",
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
    help="Configuration  [default: that of the wheel which is meant]",
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
@click.option(
    "--unsearched",
    is_flag=True,
    help="Pack also where keys may not be read, so not be searched for; without logs then.",
)
@click.option(
    "--at-most",
    "most_mb",
    type=click.IntRange(1, TOTAL_MAX // _MB),
    default=TOTAL_MAX // _MB,
    show_default=True,
    metavar="MB",
    help="Of all files together, unpacked.",
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
    unsearched: bool,
    most_mb: int,
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
    from firmware.config.this_wheel import Files
    from firmware.store.clock import utc
    from tools.technician.doctor.case import open_case
    from tools.technician.doctor.machine import Machine, who_plays
    from tools.technician.support import make

    case = open_case(Machine(user=who_plays(Path("/"))), board, config_file, socket)
    files = case.files
    if files is None:
        raise Failure(USAGE, N_("Which board? Give --board; cylindre boards lists them."))
    chosen = (journal, keys, people, socket, records, certificates)
    pairs = zip(files, chosen, strict=True)
    files = Files(*[path if given is None else given.absolute() for path, given in pairs])
    made = utc()
    stamp = made.replace(":", "").replace("-", "")
    path = out or Path(f"cylindre-support-{stamp}.tar.gz")
    if not dry_run:
        make.want_free(path)
        if name is not None:
            check_login(files.sockets, name)
    for named in (keys, people):
        if named is not None and not unsearched:
            _want_there(named)
    with _Progress(quiet=as_json) as progress:
        packed = make.make(
            case,
            files,
            without,
            made,
            placed=[name for name, path in (("keys", keys), ("people", people)) if path],
            unsearched=unsearched,
            total_max=most_mb * _MB,
            told=progress.told,
        )
    if not dry_run:
        if name is not None:  # first: nothing leaves that is not in the journal
            with log_in(files.sockets, name, pin_file) as session:
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
        text = Message("Without {part}: {why}", part=part, why=Message(why))
        echo(text if why.endswith(".") else text + ".", err=True)
    where = Message("would be packed") if dry_run else Message("are in {path}", path=path)
    echo(
        Message(
            "{count} files, {size_kb:.0f} kB, {where}.",
            count=len(packed.names),
            size_kb=len(packed.data) / 1000,
            where=where,
        )
    )


def _want_there(path: Path) -> None:
    """Raises Failure for a place of secrets that was mistyped: it would be searched as empty."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        raise Failure(
            USAGE,
            Message(
                "There is no {path}, so nobody could tell whether what is in it leaks. Give"
                " where it is, or leave the option out.",
                path=path,
            ),
        ) from None
    except OSError:
        pass  # who searches says so
