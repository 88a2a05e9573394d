"""`cylindre key`: the key that signs a wheel's results, shown and changed."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware.lib.language import N_, Message, echo, translated

# What DIR holds, by its name in JSON.
_SHOWN = {
    "root": N_("root            {value}"),
    "current": N_("current         {value}"),
    "kid": N_("kid             {value}"),
    "signs": N_("signs           {value}"),
    "rotations": N_("rotations       {value}"),
    "unfinished": N_("unfinished      {value}"),
    "epoch": N_("epoch           {value}"),
    "displays": N_("displays        {value}"),
    "terminals": N_("terminals       {value}"),
}
_folder = click.option(
    "--keys",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keys, as cylindre provision made them.",
)


@click.group(
    epilog="""\b
    Examples:
      cylindre key show --keys keys
      cylindre key rotate --keys keys --journal var/roulette_ref/journal.db

    Exit codes: 0 ok, 1 failed, 2 usage, 3 no device, 4 keys.
    """,
)
def command() -> None:
    """Show or change the key that signs a wheel's results."""


@command.command(
    short_help="Show which keys a folder holds; none of its secrets.",
    epilog="""\b
    Examples:
      cylindre key show --keys var/roulette_ref/keys
      cylindre key show --keys keys --json
    """,
)
@_folder
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(folder: Path, as_json: bool) -> None:
    """Show which keys DIR holds: public halves and addresses, nothing secret."""
    from tools.journal.key_command import summary

    found = summary(folder)
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else value
        shown = "-" if text in (None, "") else translated(str(text))
        echo(Message(_SHOWN[name], value=shown))


@command.command(
    short_help="Give a wheel a new key; its old one signs for it.",
    epilog="""\b
    Examples:
      cylindre key rotate --keys var/roulette_ref/keys --journal var/roulette_ref/journal.db
      cylindre key rotate --keys keys --journal coups.db --board pi4
    """,
)
@_folder
@click.option(
    "--journal",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The wheel's journal: the change is recorded there.",
)
@click.option(
    "--fram", type=click.Path(path_type=Path), metavar="FILE", help="As of cylindre run, if any."
)
@click.option("--board", metavar="BOARD", help="The board, where a FRAM is on it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def rotate(
    folder: Path, journal: Path, fram: Path | None, board: str | None, as_json: bool
) -> None:
    """Give the wheel of DIR a new signing key, while its controller is stopped.

    The old key signs a record that names the new one. Displays and cylindre journal verify follow
    it from wheel.pub, which stays; nothing is to be carried to them. A power cut in between does no
    harm: the next start goes on with the key that the journal names.
    """
    from tools.journal.key_command import rotate as rotate_key

    old, new = rotate_key(folder, journal, fram, board)
    if as_json:
        click.echo(json.dumps({"old": old.hex(), "new": new.hex()}))
    else:
        echo(
            Message(
                "The wheel signs with the key {new} now, no more with {old}.",
                new=new.hex(),
                old=old.hex(),
            )
        )
