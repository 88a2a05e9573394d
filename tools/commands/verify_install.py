"""`cylindre verify-install`: whether the installed software is as it was made."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable
from pathlib import Path

import click

from firmware.lib.errors import FAILED, USAGE, Failure, cause
from firmware.lib.language import Message, echo, listed, translated

NAMED_MAX = 20  # of each kind, in words; --json names all


@click.command(
    epilog="""\b
    Examples:
      cylindre verify-install
      cylindre verify-install /mnt/card --json
      cylindre verify-install --hash

    The same hash from outside, without our software: docs/verify-install.md.

    Exit codes: 0 as it was made, 1 not, 2 no installed software there.
    """,
)
@click.argument("root", type=click.Path(path_type=Path), default=Path("/"), metavar="[ROOT]")
@click.option("--hash", "only_hash", is_flag=True, help="Print the hash of what is there, only.")
@click.option("--quiet", is_flag=True, help="Say only what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(root: Path, only_hash: bool, quiet: bool, as_json: bool) -> int:
    """Compare every file of the software below ROOT [default: /] with its manifest.

    Says which files differ in content or mode, are missing, or lie there besides; and the one hash
    that an inspector computes from outside and compares with that of the release.
    """
    from firmware.services.device import manifest
    from firmware.store import source_hash

    try:
        found = manifest.installed(root)
        if not found and not (root / manifest.MANIFEST).exists():
            raise FileNotFoundError(
                errno.ENOENT, Message("no software of ours lies below it"), str(root)
            )
        if only_hash:
            click.echo(manifest.hash_of(manifest.text_of(found)))
            return 0
        wanted = manifest.parse(manifest.read(root))
    except manifest.NoManifestError as error:
        text: str = Message(
            "{error} Only the installed package has one; give the ROOT of its file system.",
            error=Message(str(error)),
        )
        raise Failure(USAGE if not (root / manifest.MANIFEST).exists() else FAILED, text) from None
    except OSError as error:
        text = Message("{}: {}.", error.filename, cause(error))
        none = isinstance(error, FileNotFoundError | NotADirectoryError)
        raise Failure(USAGE if none else FAILED, text) from None
    sources, number = _sources(root, found), source_hash.LIST
    different = manifest.compare(wanted, found)
    is_same = not any(different)
    here = manifest.hash_of(manifest.text_of(found))
    if as_json:
        told = {
            "ok": is_same,
            "hash": here,
            "manifest": manifest.hash_of(manifest.text_of(wanted)),
            "files": len(found),
            "firmware": sources.hex() if sources else None,
            "list": source_hash.LIST,
            "covers": list(source_hash.COVERED),
            "not_covered": list(source_hash.NOT_COVERED),
        }
        click.echo(json.dumps(told | different._asdict()))
        return 0 if is_same else FAILED
    if is_same:
        if not quiet:
            echo(
                Message(
                    "{count} files are as they were made; hash {here}.", count=len(found), here=here
                )
            )
            if sources:
                echo(
                    Message(
                        "Records name firmware {sources} (sources of list {number}).",
                        sources=sources.hex(),
                        number=number,
                    )
                )
                echo(Message("That covers {names};", names=", ".join(source_hash.COVERED)))
                left = listed(source_hash.NOT_COVERED, Message("; not "))
                echo(Message("not {left}.", left=left))
        return 0
    for what, paths in different._asdict().items():
        for path in paths[:NAMED_MAX]:
            click.echo(f"{translated(what):9} /{path}", err=True)
        if len(paths) > NAMED_MAX:
            echo(
                Message(
                    "{what:9} {count} more; --json names them.",
                    what=Message(what),
                    count=len(paths) - NAMED_MAX,
                ),
                err=True,
            )
    raise Failure(
        FAILED,
        Message(
            "{count} files are not as they were made: install the package again, or the"
            " image, and ask who changed them.",
            count=sum(map(len, different)),
        ),
    )


def _sources(root: Path, found: Iterable[str]) -> bytes | None:
    """The firmware hash of the software below `root`; None where its sources are not whole."""
    from firmware.store.source_hash import firmware_hash

    ours = "firmware/store/source_hash.py"
    folders = [path.removesuffix(ours) for path in found if path.endswith(f"/{ours}")]
    try:
        return firmware_hash(root / folders[0]) if len(folders) == 1 else None
    except OSError:
        return None
