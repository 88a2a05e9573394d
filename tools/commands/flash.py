"""`cylindre flash`: writes an image to a card, or the portable part to a MicroPython board."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.lib.errors import FAILED, INTERRUPTED, USAGE, Failure, cause
from firmware.lib.language import N_, Message, translated

if TYPE_CHECKING:
    from tools.image.blockmap import BlockMap
    from tools.image.disk import Disk
    from tools.image.first_files import Files


@click.command(
    short_help="Write an image to a card, or a MicroPython board.",
    epilog="""\b
    Examples:
      cylindre flash wheel.img /dev/sdb
      cylindre flash wheel.img /dev/mmcblk0 --config table-3
      cylindre flash wheel.img /dev/sdb --config wheel.toml --yes
      cylindre flash wheel.img /dev/sdb --dry-run
      cylindre flash --mcu /dev/ttyACM0

    Exit codes: 0 written and read back, 1 failed, 2 a disk that must not be written, 3 no such
    disk or board, 4 a configuration that cannot be used, 130 interrupted.
    """,
)
@click.argument("image", required=False, type=click.Path(path_type=Path))
@click.argument("device", required=False, type=click.Path(path_type=Path))
@click.option("--mcu", metavar="PORT", help="Install the portable part on the board at PORT.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="What the wheel takes when it first starts: wheel.toml, or a folder with it.",
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask before all on the disk is lost.")
@click.option("--dry-run", is_flag=True, help="Check everything, write nothing.")
@click.option("--json", "as_json", is_flag=True, help="JSON objects, one a line.")
def command(
    image: Path | None, device: Path | None, mcu: str | None, config: Path | None,
    yes: bool, dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Write IMAGE to the disk DEVICE by its block map (IMAGE with .bmap), and read it back.

    Everything on the disk is lost, the journal of an older wheel too. A disk that is mounted, too
    small, or that this machine runs from is refused.

    A folder for --config holds wheel.toml and, if wanted, conf.d/*.toml, the layout that it names,
    people.jsonl (cylindre people) and keys/ (cylindre provision).
    """
    if mcu is not None:
        if image is not None or config is not None:
            raise Failure(USAGE, "--mcu takes no image and no configuration.")
        _board(mcu, dry_run=dry_run, as_json=as_json)
        return
    if image is None or device is None:
        raise Failure(USAGE, "Give the image and the disk, or --mcu PORT. See cylindre flash -h.")
    from tools.image import disk as disks
    from tools.image import first_config

    found = _map_of(image)
    files, notices = (None, []) if config is None else first_config.check(config)
    for notice in notices:
        click.echo(f"{notice} The wheel plays all the same.", err=True)
    disk = disks.find(device, found.image_size)
    if dry_run:
        _tell(as_json, {"would_write": found.mapped_size, "to": str(device), "title": disk.title})
        return
    _ask(disk, yes=yes)
    if disks.find(device, found.image_size) != disk:  # somebody changed the card meanwhile
        raise Failure(USAGE, f"{device} is another disk now: nothing was written. Begin again.")
    told = _flash(image, found, disk, files, as_json=as_json)
    _tell(as_json, told | {"config": str(config) if config else None})


def _flash(
    image: Path, found: BlockMap, disk: Disk, files: Files | None, *, as_json: bool
) -> dict[str, Any]:
    """What was done. `files`: of the first configuration. Raises Failure."""
    from tools.image import first_config, writing
    from tools.image.progress import Bar

    started_s = time.monotonic()
    state = "half written and starts nothing"
    try:
        with writing.opened(disk.path) as handle:
            with Bar("writing", found.mapped_size, as_json=as_json) as bar:
                writing.write(handle, image, found, bar.more)
            written_s = time.monotonic()
            state = "written, but was not read back"
            with Bar("reading back", found.mapped_size, as_json=as_json) as bar:
                writing.verify(handle, found, bar.more)
            verified_s = time.monotonic()
            if files is not None:
                state = "written, but has no configuration"
                first_config.put(files, disk.path)  # before anybody mounts what is on it
            writing.tell_kernel(handle)
    except KeyboardInterrupt:
        text = f"{disk.path} is {state}: flash it again."
        raise Failure(INTERRUPTED, f"Interrupted. {text}") from None
    return {
        "flashed": str(disk.path),
        "bytes": found.mapped_size,
        "write_s": round(written_s - started_s, 2),
        "verify_s": round(verified_s - written_s, 2),
    }


def _map_of(image: Path) -> BlockMap:
    """The image's block map. Raises Failure if either cannot be used."""
    from tools.image import blockmap

    path = blockmap.path_of(image)
    if not image.is_file():
        raise Failure(USAGE, f"There is no image {image}: cylindre image build makes one.")
    try:
        _check_start(image)
        with path.open("rb") as file:
            found = blockmap.parse(file.read(blockmap.MAP_MAX + 1))
    except FileNotFoundError:
        text = "copy it from where the image came from, it lay beside it"
        raise Failure(USAGE, f"The block map {path} is missing: {text}.") from None
    except OSError as error:
        why = cause(error)
        raise Failure(FAILED, f"{error.filename or image} cannot be read: {why}.") from None
    except blockmap.MapError as error:
        raise Failure(FAILED, f"{path} cannot be used. {error}") from None
    if found.image_size != image.stat().st_size:
        text = f"{image} is not whole: its block map says {found.image_size} bytes"
        raise Failure(FAILED, f"{text}, it has {image.stat().st_size}. Copy it again.")
    return found


def _check_start(image: Path) -> None:
    """Raises Failure for a file that does not begin as a disk does; one cut to nothing may yet."""
    with image.open("rb") as file:
        start = file.read(512)
    if start and start[510:] != b"\x55\xaa":  # a partition table's last two bytes
        text = f"{image} is no image of a card: give the .img file that cylindre image build made"
        raise Failure(USAGE, f"{text}, unpacked.")


def _ask(disk: Disk, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        text = Message("All on {path} would be lost: say --yes if that is meant.", path=disk.path)
        raise Failure(USAGE, text)
    question = Message(
        "All on {path} ({title}) will be lost. Go on?", path=disk.path, title=disk.title
    )
    if not click.confirm(translated(question), err=True):
        raise Failure(INTERRUPTED, N_("Nothing was written."))


def _board(port: str, *, dry_run: bool, as_json: bool) -> None:
    from tools.image import mcu
    from tools.image.progress import Bar

    with mcu.connected(port) as transport:
        board = mcu.identify(transport)
        wanted = mcu.files_for(board)
        if dry_run:
            send, stale = mcu.differing(transport, wanted)
            told = {"would_send": len(send), "would_remove": len(stale), "remove": stale}
        else:
            with Bar("installing", 1, as_json=as_json) as bar:
                told = mcu.install(transport, wanted, bar.at)._asdict()
    _tell(as_json, {"board": board.title, **told})


def _tell(as_json: bool, told: dict[str, Any]) -> None:
    if as_json:
        click.echo(json.dumps(told))
        return
    if "flashed" in told:
        mib = told["bytes"] / (1 << 20)
        text = f"{told['flashed']}: {mib:.0f} MiB written in {told['write_s']} s"
        text += f" and read back in {told['verify_s']} s. It can be unplugged."
        if told["config"]:
            text += f" It takes {told['config']} when it first starts."
    elif "would_write" in told:
        mib = told["would_write"] / (1 << 20)
        text = f"Would write {mib:.0f} MiB to {told['to']} ({told['title']})."
    elif "would_send" in told:
        text = f"{told['board']}: would send {told['would_send']} files"
        text += f" and remove {told['would_remove']}{': ' if told['remove'] else ''}"
        text += ", ".join(told["remove"]) + "."
    else:
        text = f"{told['board']}: {told['files']} files sent ({told['bytes']} bytes),"
        text += f" {told['same']} were there, {told['removed']} old ones removed; all hashed there."
    click.echo(text)
