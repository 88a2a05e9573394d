"""The bill of materials of an image: Debian's packages and Python's, as CycloneDX JSON."""

from __future__ import annotations

import re
import tarfile
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from email.parser import HeaderParser
from pathlib import Path
from typing import NamedTuple

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


def text(root: Path, *, name: str, sha256: str, epoch: int) -> str:
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
