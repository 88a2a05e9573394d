"""`cylindre provision`: makes the keys of a bench."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command(
    short_help="Make the keys of a table's terminals.",
    epilog="""\b
    Examples:
      cylindre provision keys --terminals 7
      cylindre provision /etc/cylindre/keys --terminals 2 --json

    Exit codes: 0 all made, 1 a key is there already or cannot be written, 2 usage.
    """,
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--terminals",
    type=click.IntRange(1, 32),
    required=True,
    metavar="N",
    help="Player terminals: addresses 1 to N.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a key.")
def command(folder: Path, terminals: int, as_json: bool) -> None:
    """Make keys in the folder DIR: random, one for each terminal, readable by you alone.

    Nothing that exists is overwritten: all keys are made, or none. Give the folder to
    `cylindre run --keys`, and each terminal the file of its address.
    """
    from tools.keys import provision

    for address, path in enumerate(provision(folder, terminals), 1):
        if as_json:
            click.echo(json.dumps({"terminal": address, "file": str(path)}))
        else:
            click.echo(f"terminal {address:2d}  {path}")
