"""`cylindre update`: makes updates, installs them, tells how they stand, goes back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from firmware.client.ask import socket_option
from firmware.keys.pin_entry import pin_file_option
from firmware.lib.errors import FAILED, INTERRUPTED, OK, USAGE, Failure
from firmware.lib.language import N_, Message, echo, listed, translated
from firmware.lib.places import DEVICE_SOCKETS, DEVICE_STATE, JOURNAL, KEYS

_ROOT = Path("/")
_FILE = click.Path(path_type=Path)
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
_dry = click.option("--dry-run", is_flag=True, help="Check everything, change nothing.")
_as = click.option("--as", "who", metavar="NAME", help="Who you are: a technician or supervisor.")
_pin = pin_file_option("--pin-file")


@click.group(
    epilog="""\b
    Examples:
      cylindre update keys ~/update-keys
      cylindre update make --image wheel.img --version 1.4.0 --board pi4 \\
          --key ~/update-keys/signing.key --cert ~/update-keys/signing.pem wheel-1.4.0.raucb
      cylindre update install wheel-1.4.0.raucb --as weber
      cylindre update status --json
      cylindre update rollback --as weber

    A bundle goes into the slot that does not run. The next start tries it once, and keeps it only
    if self-test, journal, controller and displays pass; else the old slot starts again, whatever
    happens, a power cut too.

    Exit codes: 0 ok, 1 failed or refused, 2 usage, 3 no device, 130 interrupted.
    """,
)
def command() -> None:
    """Make, install and undo updates of a wheel's software."""


@command.command(
    short_help="Make a signed bundle.",
    epilog="""\b
    Examples:
      cylindre update make --image wheel.img --version 1.4.0 --board pi4 --key k --cert c a.raucb
      cylindre update make --root root.squashfs --boot boot.img --version 1.4.0 --board pi4 \\
          --key k --cert c a.raucb
    """,
)
@click.option("--image", type=_FILE, metavar="IMAGE", help="Of a card: its slot A, all of it.")
@click.option("--root", type=_FILE, metavar="DIR|IMAGE", help="Else: a folder, or squashfs,")
@click.option("--boot", type=_FILE, metavar="IMAGE", help="and the boot partition with its kernel.")
@click.option("--version", required=True, help="As 1.4.0.")
@click.option("--board", required=True, metavar="BOARD", help="cylindre boards lists them.")
@click.option("--key", required=True, type=_FILE, metavar="FILE", help="Key that signs (PEM).")
@click.option("--cert", required=True, type=_FILE, metavar="FILE", help="Its certificate (PEM).")
@click.option(
    "--authority", type=_FILE, metavar="FILE", help="Verify the bundle against that, too."
)
@_json
@_dry
@click.argument("out", type=_FILE)
def make(
    image: Path | None, root: Path | None, boot: Path | None, version: str, board: str, key: Path,
    cert: Path, authority: Path | None, as_json: bool, dry_run: bool, out: Path,
) -> None:  # fmt: skip
    """Make the bundle OUT of a slot, signed with KEY."""
    import contextlib
    import datetime
    import tempfile

    from firmware.config.choice import load_board
    from firmware.services.update import bundle, from_image, signer
    from firmware.services.update.installing import sha256
    from firmware.services.update.release import Release

    load_board(board)
    made = Release(version, board)
    told = made._asdict() | {"bundle": str(out), "dry_run": dry_run}
    signer.check(key, cert, datetime.datetime.now(datetime.UTC))
    with contextlib.ExitStack() as held:
        if image is not None and root is None and boot is None:
            from_image.want_image(image)
            parts = bundle.Parts(image, image, key, cert, authority)
        elif image is None and root is not None and boot is not None:
            parts = bundle.Parts(root, boot, key, cert, authority)
        else:
            raise Failure(
                USAGE, N_("Give --image, or --root and --boot: a slot is both partitions.")
            )
        bundle.check(out, made, parts)
        if not dry_run:
            if image is not None:
                folder = held.enter_context(
                    tempfile.TemporaryDirectory(dir=out.absolute().parent, prefix=".slot-")
                )
                taken = from_image.extract_slot(image, Path(folder))
                parts = parts._replace(root=taken[0], boot=taken[1])
            bundle.make(out, made, parts, lambda text: echo(text, err=True))
            told |= {"bytes": out.stat().st_size, "sha256": sha256(out)}
    if as_json:
        click.echo(json.dumps(told))
    elif dry_run:
        echo(
            Message(
                "Would make {out}: version {version} for {board}.",
                out=out,
                version=version,
                board=board,
            )
        )
    else:
        echo(
            Message(
                "{out}: version {version} for {board}, {bytes} bytes.",
                out=out,
                version=version,
                board=board,
                bytes=told["bytes"],
            )
        )


@command.command(
    short_help="Make an authority and a signing key, for development.",
    epilog="""\b
    Examples:
      cylindre update keys ~/update-keys
      cylindre update keys ~/update-keys --dry-run --json
    """,
)
@click.argument("folder", type=_FILE)
@_dry
@_json
def keys(folder: Path, dry_run: bool, as_json: bool) -> None:
    """Make in FOLDER an authority, which wheels trust, and a key that signs their updates.

    For development: who holds these files can make software that your wheels take.
    """
    import datetime

    from firmware.services.update import keys

    if dry_run:
        made = keys.want_none(folder)
    else:
        made = keys.make(folder, now=datetime.datetime.now(datetime.UTC))
    for path in made:
        secret = path.suffix == ".key"
        told = {"file": str(path), "secret": secret, "dry_run": dry_run}
        text = Message("Would make {path}", path=path) if dry_run else Message("{path}", path=path)
        if secret:
            text += Message("  keep it secret")
        click.echo(json.dumps(told) if as_json else translated(text))


@command.command(
    short_help="Install a bundle; the next start tries it.",
    epilog="""\b
    Examples:
      cylindre update install wheel-1.4.0.raucb --as weber
      cylindre update install wheel-1.4.0.raucb --dry-run --json
    """,
)
@click.argument("bundle", type=_FILE)
@_as
@_pin
@socket_option
@_dry
@_json
def install(
    bundle: Path, who: str | None, pin_file: Path | None, folder: Path | None, dry_run: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Install BUNDLE into the slot that does not run. Nothing that runs is touched.

    Who does it is recorded in the journal first. Where no controller runs, root may do it all the
    same.
    """
    import contextlib

    from firmware.services.update import installing, rauc, slot_status
    from firmware.services.update.attribution import record

    rauc.want_file(bundle)
    with contextlib.ExitStack() as held:
        held.enter_context(installing.alone(_ROOT))
        plan = installing.plan(_ROOT, bundle)  # what is no good is not even copied
        if dry_run:
            sha256 = installing.sha256(bundle)
        else:
            copy = held.enter_context(installing.own(_ROOT, bundle))
            sha256, plan = copy.sha256, installing.plan(_ROOT, copy.path)
        into = plan.into.bootname
        told: dict[str, Any] = {
            "version": plan.incoming.version, "running": plan.running.version, "slot": into,
            "dry_run": dry_run, "sha256": sha256,
        }  # fmt: skip
        if not dry_run:
            detail = Message(
                "install {version} over {running}, slot {into}",
                version=plan.incoming.version,
                running=plan.running.version,
                into=into,
            )
            record(folder, who, pin_file, detail, told["sha256"])
            try:
                installing.install(_ROOT, plan, _told)
            except KeyboardInterrupt:
                text = Message(
                    "RAUC goes on with it by itself; cylindre update status tells how it ended."
                )
                raise Failure(INTERRUPTED, text) from None
            finally:
                slot_status.publish(_ROOT)
    if as_json:
        click.echo(json.dumps(told))
    elif dry_run:
        echo(
            Message(
                "Would install {version} into slot {into}; {running} runs.",
                version=plan.incoming.version,
                into=into,
                running=plan.running.version,
            )
        )
    else:
        echo(
            Message(
                "{version} is in slot {into}. The next restart tries it, once.",
                version=plan.incoming.version,
                into=into,
            )
        )


@command.command(
    short_help="Slots, versions, what runs and what is tried.",
    epilog="""\b
    Examples:
      cylindre update status
      cylindre update status --json
    """,
)
@_json
def status(as_json: bool) -> None:
    """Tell what each slot holds, which one runs, and which one starts next."""
    from firmware.services.update import overview

    look = overview.read_overview(_ROOT)
    click.echo(json.dumps(look) if as_json else translated(listed(overview.lines(look), "\n")))


@command.command(
    short_help="Go back to the other slot.",
    epilog="""\b
    Examples:
      cylindre update rollback --as weber
      cylindre update rollback --dry-run
    """,
)
@_as
@_pin
@socket_option
@_dry
@_json
def rollback(
    who: str | None, pin_file: Path | None, folder: Path | None, dry_run: bool, as_json: bool
) -> None:
    """Go back to the other slot, if it has proved itself before; the next start tries it, once."""
    from firmware.services.update import installing, slot_status
    from firmware.services.update.attribution import record

    with installing.alone(_ROOT):
        back, version = installing.way_back(_ROOT)
        if not dry_run:
            record(
                folder,
                who,
                pin_file,
                Message(
                    "back to {version}, slot {bootname}", version=version, bootname=back.bootname
                ),
                None,
            )
            try:
                installing.go_back(_ROOT, back)
            finally:
                slot_status.publish(_ROOT)
    told = {"version": version, "slot": back.bootname, "dry_run": dry_run}
    if as_json:
        click.echo(json.dumps(told))
    else:
        slot = back.bootname
        if dry_run:
            text = Message(
                "Would go back: the next restart tries slot {slot}, version {version}, once.",
                slot=slot,
                version=version,
            )
        else:
            text = Message(
                "The next restart tries slot {slot}, version {version}, once.",
                slot=slot,
                version=version,
            )
        echo(text)


@command.command(hidden=True)
@_json
def started(as_json: bool) -> None:
    """At every start, before the controller: what has proved itself gets its starts back."""
    from firmware.services.update import commit, slot_status

    found = commit.started(_ROOT)
    slot_status.publish(_ROOT)
    if as_json:
        click.echo(json.dumps(None if found is None else found._asdict()))
    elif found is None:
        echo(N_("This slot is on trial: its checks decide."))
    else:
        echo(
            Message(
                "Slot {slot}, version {version}, has its starts back.",
                slot=found.slot,
                version=found.version,
            )
        )


@command.command(hidden=True)
@click.option("--keys", type=_FILE, default=DEVICE_STATE / KEYS, show_default=True, metavar="DIR")
@click.option(
    "--journal", type=_FILE, default=DEVICE_STATE / JOURNAL, show_default=True, metavar="FILE"
)
@click.option("--socket", type=_FILE, default=DEVICE_SOCKETS, show_default=True, metavar="DIR")
@click.option("--restart", default="systemctl reboot", show_default=True, metavar="COMMAND")
@click.option("--limit", "limit_s", default=300.0, show_default=True, metavar="SECONDS")
@_json
def settle(
    keys: Path, journal: Path, socket: Path, restart: str, limit_s: float, as_json: bool
) -> int:
    """At every start: keep a slot on trial, or go back (cylindre-update-commit.service)."""
    import shlex
    import subprocess

    from firmware.services.update import commit, slot_status

    checks = commit.device_checks(str(keys), str(journal), str(socket))
    try:
        found = commit.settle(_ROOT, checks, limit_s=limit_s, say=lambda text: echo(text, err=True))
    finally:
        slot_status.publish(_ROOT)
    if as_json:
        click.echo(json.dumps(found._asdict()))
    elif found.kept:
        echo(
            Message(
                "Version {version} in slot {slot} is kept.", version=found.version, slot=found.slot
            )
        )
    else:
        echo(
            Message(
                "Version {version} is not kept, the old one starts again. {why}",
                version=found.version,
                why=found.why,
            )
        )
    if found.kept:
        return OK
    subprocess.run(shlex.split(restart), check=False)
    return FAILED


@command.command(hidden=True)
@socket_option
def answers(folder: Path | None) -> None:
    """Whether the controller and its displays answer: for the start after an update."""
    from firmware.services.update import state
    from firmware.services.update.commit import check_controller_answers

    check_controller_answers(folder, state.load(_ROOT).told_later)


@command.command(hidden=True)
@click.argument("which", type=click.Choice(("bootloader", "pre-install")))
@click.argument("words", nargs=-1)
def rauc(which: str, words: tuple[str, ...]) -> None:
    """What RAUC asks of a wheel."""
    from firmware.services.update import installing, rauc_calls, slot_status

    mounted, said = os.environ.get("RAUC_BUNDLE_MOUNT_POINT"), None
    if which == "pre-install" and mounted is None:
        raise Failure(USAGE, N_("RAUC asks this, with RAUC_BUNDLE_MOUNT_POINT set."))
    try:
        if which == "bootloader":
            said = rauc_calls.bootloader(_ROOT, words)
        else:
            rauc_calls.pre_install(_ROOT, Path(mounted or ""))
    except Failure as failure:
        installing.refused(_ROOT, failure.sentence)
        if which == "pre-install":
            click.echo(f"<< error {failure.sentence}")  # into the log of RAUC's service
        raise
    if said is not None:
        click.echo(said)
    else:  # something was changed, perhaps by `rauc` typed by hand
        slot_status.publish(_ROOT)


def _told(percent: int, text: str) -> None:
    """A line a step."""
    echo(Message("{percent:3d} %  {text}", percent=percent, text=Message(text)), err=True)
