"""`cylindre flash`: writes an image to a card, or the portable part to a MicroPython board."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.lib.errors import FAILED, INTERRUPTED, USAGE, Failure, cause
from firmware.lib.language import N_, Message, echo, translated
from firmware.lib.named_file import begin_named

if TYPE_CHECKING:
    from tools.image.blockmap import BlockMap
    from tools.image.disk import Disk
    from tools.image.first_files import Files


@click.command(
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
            raise Failure(USAGE, N_("--mcu takes no image and no configuration."))
        _board(mcu, dry_run=dry_run, as_json=as_json)
        return
    if image is None or device is None:
        raise Failure(
            USAGE, N_("Give the image and the disk, or --mcu PORT. See cylindre flash -h.")
        )
    from tools.image import disk as disks
    from tools.image import first_config

    found = _map_of(image)
    files, notices = (None, []) if config is None else first_config.check(config)
    for notice in notices:
        echo(
            Message("{notice} The wheel plays all the same.", notice=Message(str(notice))), err=True
        )
    disk = disks.find(device, found.image_size, image)
    if dry_run:
        _tell(as_json, {"would_write": found.mapped_size, "to": str(device), "title": disk.title})
        return
    _ask(disk, yes=yes)

    def look(handle: int) -> None:
        """What was asked about is still there, and is what is open now. Raises Failure."""
        again = disks.find(device, found.image_size, image)
        if again != disk or os.fstat(handle).st_rdev != disk.number:
            text = Message(
                "{device} is another disk now: nothing was written. Begin again.", device=device
            )
            raise Failure(USAGE, text)

    told = _flash(image, found, disk, files, look, as_json=as_json)
    _tell(as_json, told | {"config": str(config) if config else None})


def _flash(
    image: Path,
    found: BlockMap,
    disk: Disk,
    files: Files | None,
    look: Callable[[int], None],
    *,
    as_json: bool,
) -> dict[str, Any]:
    """What was done. `files`: of the first configuration. `look`: at what is open, once nobody else
    can take it any more and before it is written. Raises Failure.
    """
    from tools.image import first_config, writing
    from tools.image.progress import Bar

    started_s = time.monotonic()
    state = Message("half written and starts nothing")
    try:
        with writing.opened(disk.path) as handle:
            look(handle)
            with Bar(N_("writing"), found.mapped_size, as_json=as_json) as bar:
                writing.write(handle, image, found, bar.more)
            written_s = time.monotonic()
            state = Message("written, but was not read back")
            with Bar(N_("reading back"), found.mapped_size, as_json=as_json) as bar:
                writing.verify(handle, found, bar.more)
            verified_s = time.monotonic()
            if files is not None:
                state = Message("written, but has no configuration")
                first_config.put(files, disk.path)  # before anybody mounts what is on it
            writing.tell_kernel(handle)
    except KeyboardInterrupt:
        raise Failure(
            INTERRUPTED,
            Message("Interrupted. {path} is {state}: flash it again.", path=disk.path, state=state),
        ) from None
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
        raise Failure(
            USAGE,
            Message("There is no image {image}: cylindre image build makes one.", image=image),
        )
    try:
        _check_start(image)
        found = blockmap.parse(begin_named(path, blockmap.MAP_MAX + 1))
    except FileNotFoundError:
        raise Failure(
            USAGE,
            Message(
                "The block map {path} is missing: copy it from where the image came from, it"
                " lay beside it.",
                path=path,
            ),
        ) from None
    except OSError as error:
        why = cause(error)
        raise Failure(
            FAILED,
            Message(
                "{filename} cannot be read: {why}.",
                filename=error.filename or image,
                why=Message(why),
            ),
        ) from None
    except blockmap.MapError as error:
        raise Failure(
            FAILED, Message("{path} cannot be used. {error}", path=path, error=Message(str(error)))
        ) from None
    if found.image_size != image.stat().st_size:
        raise Failure(
            FAILED,
            Message(
                "{image} is not whole: its block map says {image_size} bytes, it has"
                " {st_size}. Copy it again.",
                image=image,
                image_size=found.image_size,
                st_size=image.stat().st_size,
            ),
        )
    return found


def _check_start(image: Path) -> None:
    """Raises Failure for a file that does not begin as a disk does; one cut to nothing may yet."""
    start = begin_named(image, 512)
    if start and start[510:] != b"\x55\xaa":  # a partition table's last two bytes
        raise Failure(
            USAGE,
            Message(
                "{image} is no image of a card: give the .img file that cylindre image build"
                " made, unpacked.",
                image=image,
            ),
        )


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
            with Bar(N_("installing"), 1, as_json=as_json) as bar:
                told = mcu.install(transport, wanted, bar.at)._asdict()
    _tell(as_json, {"board": board.title, **told})


def _tell(as_json: bool, told: dict[str, Any]) -> None:
    if as_json:
        click.echo(json.dumps(told))
        return
    if "flashed" in told:
        mib = told["bytes"] / (1 << 20)
        text = Message(
            "{flashed}: {mib:.0f} MiB written in {write_s} s and read back in {verify_s}"
            " s. It can be unplugged.",
            flashed=told["flashed"],
            mib=mib,
            write_s=told["write_s"],
            verify_s=told["verify_s"],
        )
        if told["config"]:
            text += Message(" It takes {config} when it first starts.", config=told["config"])
    elif "would_write" in told:
        mib = told["would_write"] / (1 << 20)
        text = Message(
            "Would write {mib:.0f} MiB to {to} ({title}).",
            mib=mib,
            to=told["to"],
            title=told["title"],
        )
    elif "would_send" in told:
        text = Message(
            "{board}: would send {would_send} files and remove {would_remove}{value}",
            board=told["board"],
            would_send=told["would_send"],
            would_remove=told["would_remove"],
            value=": " if told["remove"] else "",
        )
        text += ", ".join(told["remove"]) + "."
    else:
        text = Message(
            "{board}: {files} files sent ({bytes} bytes), {same} were there, {removed}"
            " old ones removed; all hashed there.",
            board=told["board"],
            files=told["files"],
            bytes=told["bytes"],
            same=told["same"],
            removed=told["removed"],
        )
    echo(text)
