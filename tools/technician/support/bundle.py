"""The bundle as a file: a tar.gz of fixed order and times, and how a foreign one is read safely.

`manifest.json` stands first: the format, when it was made, each file's size and SHA-256, and what
could not be had. What is not in the list of names here goes into none, and comes out of none.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self

from firmware.lib.errors import FAILED, Failure, cause, of_file
from firmware.lib.language import N_, Message
from firmware.lib.named_file import open_file

FORMAT = 1
MANIFEST = "manifest.json"
EACH_MAX = 8_000_000  # bytes: a coup of the worst kind is 4 MB (docs/recorder.md)
TOTAL_MAX = 48_000_000  # bytes, unpacked: fits in the memory of a board of 512 MB beside the wheel
FILES_MAX = 1_000
_CHUNK = 65_536
NAMES = re.compile(
    r"(manifest|versions|config|status|doctor)\.json"
    r"|journal/(rows\.jsonl|verify\.json)"
    r"|(logs|selftest)/[A-Za-z0-9][\w.-]{0,99}"
    r"|coups/\d{6,12}-coup-\d{1,12}/(trace\.vcd|coup\.json|notes\.jsonl)",
    re.ASCII,
)


class Bundle(NamedTuple):
    """What was in a bundle that is whole."""

    manifest: dict[str, Any]
    files: dict[str, bytes]  # without the manifest, in their order


Told = Callable[[str, int, int], None]  # an act, how much of it is done, and of how much


def no_one(_act: str, _done: int, _whole: int) -> None:
    """Nobody is told how far it is."""


def pack(files: dict[str, bytes], about: dict[str, Any], told: Told = no_one) -> bytes:
    """The file of a bundle; `about`: more for its manifest. The same input gives the same bytes."""
    for name, content in files.items():
        assert NAMES.fullmatch(name), Message(
            "{name} is not on the list of what may go into a bundle", name=name
        )
        assert len(content) <= EACH_MAX, Message("{name} is too long", name=name)
    listed = [
        {"name": name, "bytes": len(files[name]), "sha256": _sha256(files[name])}
        for name in sorted(files)
    ]
    manifest = json.dumps({"format": FORMAT, **about, "files": listed}, indent=1).encode() + b"\n"
    data = io.BytesIO()
    # No name and no time in the head of the gzip, no owner and no time in that of a file.
    with (
        gzip.GzipFile("", "wb", 9, data, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for at, (name, content) in enumerate(((MANIFEST, manifest), *sorted(files.items()))):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o644
            tar.addfile(member, io.BytesIO(content))
            told(N_("packing"), at, len(files))
    return data.getvalue()


def read(path: Path) -> Bundle:
    """A bundle that may come from anybody. Writes nothing. Raises Failure, one sentence."""
    try:
        with open_file(path, own_handles=True) as file, gzip.GzipFile(fileobj=file) as unpacked:
            source = _Limited(unpacked)
            files = _members(path, source)
            while source.read(_CHUNK):  # to the end, where the gzip's own check of it all stands
                pass
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile):
            raise _foreign(path) from error
        raise of_file(path, error) from error
    except (tarfile.TarError, EOFError, zlib.error, ValueError) as error:
        raise _foreign(path) from error
    if MANIFEST not in files:
        raise _foreign(path)
    manifest = _manifest(path, files.pop(MANIFEST))
    wanted = {each["name"]: each["sha256"] for each in manifest["files"]}
    for name in sorted({*wanted, *files}):
        if name not in files or wanted.get(name) != _sha256(files[name]):
            text = Message(
                "{path}: {name} is not as it was packed. Copy the bundle anew.",
                path=path,
                name=name,
            )
            raise Failure(FAILED, text)
    return Bundle(manifest, files)


class _Limited:
    """What is unpacked, up to the limit of a whole bundle: a small file may hold terabytes."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        # The manifest too; of each file its head, and what fills its last block.
        self._left = TOTAL_MAX + EACH_MAX + 1_024 * FILES_MAX

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise ValueError(Message("longer than any bundle"))
        return data


class _PlainFile(tarfile.TarInfo):
    """The head of a plain file. Those that say more of another nest, and may be of any size."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        found = super().frombuf(buf, encoding, errors)
        if found.type != tarfile.REGTYPE:
            raise ValueError("something else than a plain file")
        return found


def _members(path: Path, source: Any) -> dict[str, bytes]:
    """Every file, if all are as we pack them. Raises Failure, and what tarfile raises."""
    files: dict[str, bytes] = {}
    stream: BinaryIO = source
    # Only plain files of the names we know: no links, no folders, no way out of a folder.
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_PlainFile) as tar:
        for member in tar:
            name = member.name
            if not NAMES.fullmatch(name) or name in files or len(files) == FILES_MAX:
                raise _foreign(path)
            if member.size > EACH_MAX:
                raise _foreign(path)
            content = tar.extractfile(member)
            data = b"" if content is None else content.read()
            if len(data) != member.size:
                raise EOFError
            files[name] = data
    return files


def _manifest(path: Path, data: bytes) -> dict[str, Any]:
    """What the manifest says, if it has the form of one. Raises Failure."""
    try:
        found: Any = json.loads(data)
        newer = found["format"] > FORMAT
        right = newer or all(
            isinstance(each["name"], str) and isinstance(each["sha256"], str)
            for each in found["files"]
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _foreign(path) from None
    if newer:
        text = Message(
            "{path} was made by a newer program than this: read it with cylindre of that time.",
            path=path,
        )
        raise Failure(FAILED, text)
    if not right or not isinstance(found, dict):
        raise _foreign(path)
    return found


def _foreign(path: Path) -> Failure:
    return Failure(
        FAILED, Message("{path} is no support bundle, or not a whole one: copy it anew.", path=path)
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def printable(text: object) -> Iterator[str]:
    """Lines of a text from a bundle, without what would command a terminal."""
    for line in str(text).splitlines():
        yield "".join(sign if sign.isprintable() or sign == "\t" else "?" for sign in line)


def want_new(folder: Path) -> None:
    """Raises Failure if something lies there."""
    if os.path.lexists(folder):
        text = Message("{folder} is there already: give a folder that is not.", folder=folder)
        raise Failure(FAILED, text)


def extract(bundle: Bundle, folder: Path) -> None:
    """The names were checked when it was read: none leads out of the folder. Raises Failure."""
    want_new(folder)
    part = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Of a name of its own: what a kill left of another try is in nobody's way.
        part = Path(tempfile.mkdtemp(".part", f"{folder.name}.", folder.parent))
        for name, content in bundle.files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        part.rename(folder)
    except OSError as error:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)
        raise Failure(
            FAILED,
            Message("Cannot extract to {folder}: {cause}.", folder=folder, cause=cause(error)),
        ) from error
