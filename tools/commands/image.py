"""`cylindre image`: makes the image of a wheel's card."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import click

from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message, echo, translated


@click.group(
    epilog="""\b
    Examples:
      cylindre image build --board pi4 --deb cylindre_0.1.0_arm64.deb \\
          --keyring update-keys/authority.pem --out wheel.img
      cylindre flash wheel.img /dev/sdb
    """,
)
def command() -> None:
    """Make images that cylindre flash writes to an SD card or an eMMC."""


@command.command(
    short_help="Make an image for a board.",
    epilog="""\b
    Examples:
      cylindre image build --board pi4 --deb cylindre_0.1.0_arm64.deb \\
          --keyring update-keys/authority.pem --out wheel.img
      cylindre image build --board zero2w --deb cylindre.deb --out wheel.img --dry-run
      cylindre image build --board pi4 --deb cylindre.deb --out wheel.img \\
          --mirror http://snapshot.debian.org/archive/debian/20261101T000000Z/

    Exit codes: 0 made, 1 failed, 2 usage, 4 a board that no image is made for.
    """,
)
@click.option("--board", "name", required=True, metavar="BOARD", help="See cylindre boards.")
@click.option(
    "--deb", required=True, type=click.Path(path_type=Path), help="The application, for arm64."
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The image to make.")
@click.option(
    "--keyring", type=click.Path(path_type=Path), help="Whose updates it takes (PEM); else none."
)
@click.option("--mirror", metavar="URL", help="Where Debian comes from; dated: the same again.")
@click.option("--dry-run", is_flag=True, help="Check everything, make nothing.")
@click.option("--json", "as_json", is_flag=True, help="JSON objects, one a line.")
def build(
    name: str, deb: Path, out: Path, keyring: Path | None, mirror: str | None,
    dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Make an image, its block map (.bmap) and its bill of materials (.cdx.json).

    Same package, keyring and Debian: same bytes. Its times are those of SOURCE_DATE_EPOCH, or of
    the package. Takes ten minutes or more, and 3 GB; an ordinary user may do it where user
    namespaces are allowed.
    """
    from firmware.config.choice import load_board
    from tools.image import build as building

    if keyring is None:
        echo(N_("Without --keyring a wheel takes no update, ever: only a new card."), err=True)

    asked = building.Asked(load_board(name), deb, out, keyring, mirror, _epoch())
    building.check(asked)
    if dry_run:
        text = {"would_make": str(out), "board": name}
        click.echo(
            json.dumps(text)
            if as_json
            else translated(Message("Would make {out} for {name}.", out=out, name=name))
        )
        return
    started_s = time.monotonic()

    def tell(act: str) -> None:
        at_s = round(time.monotonic() - started_s, 1)
        if as_json:
            click.echo(json.dumps({"act": act, "at_s": at_s}))
        else:
            echo(Message("{at_s:6.1f} s  {act}", at_s=at_s, act=Message(act)), err=True)
        sys.stdout.flush()

    made = building.build(asked, tell)
    took_s = round(time.monotonic() - started_s, 1)
    if as_json:
        click.echo(json.dumps(made | {"took_s": took_s}))
        return
    mib = made["mapped"] / (1 << 20)
    echo(
        Message(
            "{out}: {mib:.0f} MiB to write, SHA-256 {sha256}, in {took_s} s.",
            out=out,
            mib=mib,
            sha256=made["sha256"],
            took_s=took_s,
        )
    )
    size, sha256 = made["root"]["size"], made["root"]["sha256"]
    echo(Message("Its root: the first {size} bytes, SHA-256 {sha256}.", size=size, sha256=sha256))
    echo(
        Message(
            "Its software (cylindre verify-install --hash): {software}.", software=made["software"]
        )
    )


def _epoch() -> int | None:
    found = os.environ.get("SOURCE_DATE_EPOCH")
    if found is None:
        return None
    if not found.isascii() or not found.isdigit() or len(found) > 10:
        raise Failure(USAGE, N_("SOURCE_DATE_EPOCH is no number of seconds: correct or unset it."))
    return int(found)
