"""Makes a bundle: a root slot, its boot partition, the release they are, signed by RAUC."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firmware.lib import programs
from firmware.lib.errors import FAILED, USAGE, Failure, cause, of_file
from firmware.lib.language import Message
from firmware.lib.named_file import open_named
from firmware.lib.partitions import MIB, partition
from firmware.services.update import rauc, release, system_conf
from firmware.services.update.release import Release, parse_version
from firmware.services.update.slots import KEYRING, RAUC_CONF, RELEASE

_NEEDED = (
    ("rauc", "rauc"), ("mksquashfs", "squashfs-tools"), ("unsquashfs", "squashfs-tools"),
)  # fmt: skip
ROOT, BOOT = rauc.IMAGES["rootfs"], rauc.IMAGES["boot"]
IMAGE_MAX = 64 << 30  # bytes: the image of a whole card, too


class Parts(NamedTuple):
    """What a bundle is made of. `root`: a folder or squashfs. `authority`: to verify it with.

    `boot`: the partition with the kernel of that root; without it a slot does not start.
    """

    root: Path
    boot: Path
    key: Path
    certificate: Path
    authority: Path | None = None


def check(out: Path, made: Release, parts: Parts) -> None:
    """Checks that the bundle `out` can be made of that. Raises Failure."""
    for path in parts:
        if path is None or (path == parts.root and path.is_dir()):
            continue
        try:
            os.close(open_named(path, size_max=IMAGE_MAX))
        except FileNotFoundError:
            raise Failure(USAGE, Message("There is no {path}.", path=path)) from None
        except OSError as error:
            raise of_file(path, error, USAGE) from None
    programs.require(_NEEDED)
    if os.path.lexists(out):
        raise Failure(
            USAGE, Message("{out} is there already. Give the bundle another name.", out=out)
        )
    if not out.absolute().parent.is_dir():
        raise Failure(USAGE, Message("There is no folder {parent}.", parent=out.absolute().parent))
    try:
        parse_version(made.version)
    except ValueError as error:
        raise Failure(
            USAGE,
            Message(
                "{version} is no version. {error}",
                version=repr(made.version),
                error=Message(str(error)),
            ),
        ) from None
    own = parts.root / RELEASE
    if parts.root.is_dir() and own.exists():
        _same(release.read(own), made, own)


def make(
    out: Path, made: Release, parts: Parts, say: Callable[[str], None] = lambda _: None
) -> None:
    """Writes the bundle `out`, whole or not at all; `say` tells how far it is. Raises Failure."""
    check(out, made, parts)
    try:
        _make(out, made, parts, say)
    except OSError as error:
        text = Message(
            "{out} cannot be made: {cause}. Free the storage, or make it elsewhere.",
            out=out,
            cause=cause(error),
        )
        raise Failure(FAILED, text) from None


def _make(out: Path, made: Release, parts: Parts, say: Callable[[str], None]) -> None:
    with tempfile.TemporaryDirectory(dir=out.absolute().parent, prefix=".bundle-") as name:
        folder = Path(name) / "content"
        folder.mkdir()
        say(Message("Packing the root slot ..."))
        _root(parts.root, folder / ROOT, made)
        shutil.copyfile(parts.boot, folder / BOOT)
        _fits(folder / BOOT, "boot-a")
        (folder / release.NAME).write_text(release.text(made), encoding="utf-8")
        (folder / "manifest.raucm").write_text(_manifest(made), encoding="utf-8")
        signed = Path(name) / out.name  # beside, and then in its place whole
        say(Message("Signing ..."))
        options = [f"--cert={parts.certificate}", f"--key={parts.key}"]
        programs.run("rauc", *options, "bundle", folder, signed)
        if parts.authority is not None:
            say(Message("Verifying as a wheel will ..."))
            _verify(signed, Path(name), made, parts.authority)
        signed.rename(out)


def _verify(bundle: Path, root: Path, made: Release, authority: Path) -> None:
    """As a wheel that trusts that authority will. Raises Failure."""
    (root / RAUC_CONF).parent.mkdir(parents=True)
    # RAUC makes its folder of state even to look at a bundle: not on this machine.
    own = system_conf.text(made.board).replace("=/", f"={root}/")
    (root / RAUC_CONF).write_text(own, encoding="utf-8")
    shutil.copyfile(authority, root / KEYRING)
    rauc.info(bundle, root)


def _manifest(made: Release) -> str:
    parts = [
        f"[update]\ncompatible={release.compatible(made.board)}\nversion={made.version}\n",
        # RAUC checks a bundle of this format block by block as it is read (dm-verity).
        "[bundle]\nformat=verity\n",
        f"[image.rootfs]\nfilename={ROOT}\n",
        f"[image.boot]\nfilename={BOOT}\n",
    ]
    return "\n".join(parts)


def _root(root: Path, image: Path, made: Release) -> None:
    """The image of the root slot, which says itself what it is."""
    if root.is_dir():
        with tempfile.TemporaryDirectory() as name:
            added = [] if (root / RELEASE).exists() else _added(root, Path(name), made)
            quiet = ["-noappend", "-comp", "zstd", "-no-progress", "-quiet"]
            if root.stat().st_uid:  # somebody's folder: on the wheel its files are root's
                quiet.append("-all-root")
            programs.run("mksquashfs", root, image, *quiet, *added)
    else:
        shutil.copyfile(root, image)
        try:
            found = release.parse(programs.run("unsquashfs", "-cat", image, RELEASE))
        except (ValueError, Failure):
            raise Failure(
                FAILED,
                Message(
                    "{root} does not say what software it is: {release} is not in it. Make it"
                    " with cylindre image build.",
                    root=root,
                    release=RELEASE,
                ),
            ) from None
        _same(found, made, root)
    _fits(image, "root-a")


def _added(root: Path, folder: Path, made: Release) -> list[str]:
    """Options that add the release, and the folders to it that `root` lacks."""
    told = folder / release.NAME
    told.write_text(release.text(made), encoding="utf-8")
    options = []
    for parent in [*reversed(RELEASE.parents)][1:]:
        if not (root / parent).is_dir():
            options += ["-p", f"{parent} d 755 0 0"]
    return [*options, "-p", f"{RELEASE} f 644 0 0 cat {told}"]


def _fits(image: Path, name: str) -> None:
    most = partition(name).size_mib * MIB
    if image.stat().st_size > most:
        raise Failure(
            FAILED,
            Message(
                "{name} takes {st_size} MiB; a slot has {most}. Leave something out.",
                name=image.name,
                st_size=image.stat().st_size // MIB,
                most=most // MIB,
            ),
        )


def _same(found: Release, made: Release, where: Path) -> None:
    if found != made:
        raise Failure(
            FAILED,
            Message(
                "{where} is {version} for {board}, and the bundle is to be {wanted_version} for"
                " {wanted_board}.",
                where=where,
                version=found.version,
                board=found.board,
                wanted_version=made.version,
                wanted_board=made.board,
            ),
        )
