"""One image from a board and a package: root, partitions, map, bill of materials."""

from __future__ import annotations

import hashlib
import re
import tarfile
import tempfile
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.parser import HeaderParser
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib import durable, partitions, programs
from firmware.lib.errors import FAILED, USAGE, Failure, of_file
from firmware.lib.language import N_, Message
from firmware.lib.named_file import begin_named
from firmware.services.device import manifest
from firmware.services.update.from_image import squashfs_length
from tools.image import assemble, blockmap, firmware, root

_STATUS = "./var/lib/dpkg/status"
_METADATA = re.compile(r"\.dist-info/METADATA$")
_SPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")  # RFC 4122: names that are addresses

Part = NamedTuple("Part", [("kind", str), ("name", str), ("version", str), ("arch", str)])


def parts_of(root: Path) -> list[Part]:
    """What the archive `root` of a file system has installed, sorted."""
    found: set[Part] = set()
    with tarfile.open(root) as archive:
        for member in archive:
            if not member.isfile():
                continue
            if member.name == _STATUS:
                found.update(_debian(_text(archive, member)))
            elif _METADATA.search(member.name):
                fields = HeaderParser().parsestr(_text(archive, member))
                found.add(Part("pypi", fields["Name"].lower(), fields["Version"], ""))
    return sorted(found)


def sbom_text(root: Path, *, name: str, sha256: str, epoch: int) -> str:
    """The bill of the image `name` with that hash, for the archive of its root file system."""
    from cyclonedx.model import HashAlgorithm, HashType
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.output.json import JsonV1Dot5
    from packageurl import PackageURL

    bom = Bom(serial_number=uuid.uuid5(_SPACE, sha256))
    bom.metadata.timestamp = datetime.fromtimestamp(epoch, UTC)
    bom.metadata.component = Component(
        name=name,
        type=ComponentType.FIRMWARE,
        bom_ref=name,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sha256)],
    )
    for part in parts_of(root):
        space = "debian" if part.kind == "deb" else None
        more = {"arch": part.arch, "distro": "bookworm"} if part.kind == "deb" else None
        url = PackageURL(part.kind, space, part.name, part.version, more)
        bom.components.add(
            Component(
                name=part.name,
                version=part.version,
                type=ComponentType.LIBRARY,
                purl=url,
                bom_ref=url.to_string(),
            )
        )
    bom.register_dependency(bom.metadata.component, bom.components)
    return str(JsonV1Dot5(bom).output_as_string(indent=1)) + "\n"


def _debian(status: str) -> Iterator[Part]:
    for paragraph in status.split("\n\n"):
        fields = HeaderParser().parsestr(paragraph)
        if fields["Status"] == "install ok installed":
            yield Part("deb", fields["Package"], fields["Version"], fields["Architecture"])


def _text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = archive.extractfile(member)
    return "" if file is None else file.read().decode("utf-8", "replace")


Asked = NamedTuple(
    "Asked",
    [
        ("board", dict[str, Any]),
        ("deb", Path),
        ("out", Path),
        ("keyring", Path | None),
        ("mirror", str | None),
        ("epoch", int | None),  # seconds since 1970; None: the package's own
    ],
)
_AR = b"!<arch>\n"


def check(asked: Asked) -> None:
    """Raises Failure for what cannot become an image."""
    firmware.model(asked.board)
    package_epoch(asked.deb)
    if asked.out.suffix != ".img":
        raise Failure(
            USAGE, Message("{out}: give the image a name that ends in .img.", out=asked.out)
        )
    if not asked.out.parent.is_dir():
        raise Failure(
            USAGE, Message("There is no folder {parent}: make it first.", parent=asked.out.parent)
        )
    if asked.keyring is not None and b"BEGIN CERTIFICATE" not in _start(asked.keyring):
        raise Failure(USAGE, Message("{keyring} is no certificate (PEM).", keyring=asked.keyring))
    programs.require((*assemble.NEEDED, *root.NEEDED))


def build(asked: Asked, tell: Callable[[str], None]) -> dict[str, Any]:
    """Makes the image, its map and its bill; returns what they are. Raises Failure."""
    epoch = package_epoch(asked.deb) if asked.epoch is None else asked.epoch
    name = str(asked.board["name"])
    with tempfile.TemporaryDirectory(dir=asked.out.parent, prefix=".build-") as folder:
        parts = Path(folder)
        parts.chmod(0o777)  # mmdebstrap as an ordinary user writes under another number
        tell(Message("Debian and the application"))
        root.build(
            parts, asked.deb, epoch=epoch, board=name, mirror=asked.mirror or root.MIRROR,
            keyring=asked.keyring,
        )  # fmt: skip
        tell(N_("partitions"))
        assemble.image(asked.out, asked.board, parts, epoch=epoch)
        tell(Message("bill of materials"))
        with asked.out.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        software = manifest.hash_of(root.manifest_of(parts / "root.tar"))
        bill = asked.out.with_suffix(".cdx.json")
        title = f"cylindre-{name}"
        text = sbom_text(parts / "root.tar", name=title, sha256=sha256, epoch=epoch)
        durable.replace(bill, text.encode())
    found = blockmap.parse(blockmap.path_of(asked.out).read_bytes())
    return {
        "image": str(asked.out),
        "board": name,
        "sha256": sha256,
        "software": software,
        "root": root_hash(asked.out),
        "size": found.image_size,
        "mapped": found.mapped_size,
        "bill": str(bill),
    }


def root_hash(image: Path) -> dict[str, Any]:
    """Size in bytes and SHA-256 of slot A's root. What follows it in its partition is of no
    matter, and not written on a card. Raises ValueError: it is no whole squashfs."""
    with image.open("rb") as file:
        place = partitions.partition("root-a")
        size = squashfs_length(file, place)
        file.seek(place.start_mib * partitions.MIB)
        return {"size": size, "sha256": hashlib.sha256(file.read(size)).hexdigest()}


def package_epoch(deb: Path) -> int:
    """When a package says it was made: the time of its first member. Raises Failure."""
    head = _start(deb)
    stamp = head[len(_AR) + 16 : len(_AR) + 28].strip()
    if not head.startswith(_AR + b"debian-binary") or not stamp.isdigit():
        raise Failure(FAILED, Message("{deb} is no Debian package.", deb=deb))
    return int(stamp)


def _start(path: Path) -> bytes:
    try:
        return begin_named(path, 4096)
    except FileNotFoundError:
        raise Failure(USAGE, Message("There is no file {path}.", path=path)) from None
    except OSError as error:
        raise of_file(path, error, USAGE) from None
