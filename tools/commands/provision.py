"""`cylindre provision`: makes the keys of a bench."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message, echo


@click.command(
    epilog="""\b
    Examples:
      cylindre provision keys --displays 2
      cylindre provision keys --displays 4 --terminals 7
      cylindre provision keys --displays 2 --shoe
      runuser -u cylindre -- cylindre provision /var/lib/cylindre/keys --displays 2 --json

    Exit codes: 0 all made, 1 a key is there already or cannot be written, 2 usage.
    """,
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--displays",
    type=click.IntRange(0, 32),
    metavar="N",
    help="Table displays: addresses 1 to N.",
)
@click.option(
    "--terminals",
    type=click.IntRange(0, 32),
    metavar="N",
    help="Player terminals: addresses 1 to N.",
)
@click.option("--shoe", is_flag=True, help="The shoe of a card table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
def command(
    folder: Path, displays: int | None, terminals: int | None, shoe: bool, as_json: bool
) -> None:
    """Make keys in the folder DIR: random, none shared, each readable by you alone.

    The wheel gets the key that signs its results, wheel.key, unless DIR has one; each display and
    terminal its own. Nothing that exists is overwritten: all keys are made, or none.

    Give the folder to `cylindre run --keys`; each display its own file and wheel.pub, which anybody
    may read; each terminal its own file.
    """
    from firmware.keys.folder import provision

    if displays is None and terminals is None and not shoe:
        raise Failure(USAGE, N_("For whom? Give --displays, --terminals or --shoe."))
    for path in provision(folder, terminals or 0, displays or 0, shoe=shoe):
        owner, _, address = path.stem.partition("-")
        if as_json:
            told = {owner: int(address)} if address else {owner: path.suffix[1:]}
            click.echo(json.dumps(told | {"file": str(path)}))
        else:
            key = f"{owner} {int(address) if address else path.suffix[1:]}"
            echo(Message("{key:12} {path}", key=Message(key), path=path))
