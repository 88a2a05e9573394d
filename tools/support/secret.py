"""What must never leave a wheel, and whether it is in some bytes, however it was written there."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools import places
from tools.exits import FAILED, Failure

_PUBLIC = ("wheel.pub", "wheel.chain", "epoch")  # tools/keys.py, tools/rotation.py
_PUBLIC_SUFFIXES = (".pub", ".crt", ".cer", ".csr")
_KEY_SUFFIXES = (".key", ".new", ".part", ".pem", ".p12", ".pfx")
_FILE_MAX = 262_144  # bytes of a file with secrets: that of 500 people is the longest
PIECE = 16  # bytes: so many of a secret in a row give it away
_HEX = re.compile(rb"[0-9a-fA-F]{%d,}" % (2 * PIECE))
_PEM = re.compile(rb"-----BEGIN ([A-Z ]*PRIVATE KEY)-----(.*?)-----END \1-----", re.DOTALL)
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
# What people and programs put between the digits of a hexadecimal number.
_BETWEEN_HEX = re.compile(rb"0x|\\x|[\s:,%_-]", re.IGNORECASE)
_BETWEEN_BASE64 = re.compile(rb"\\n|[\s\"]")
_BETWEEN_NUMBERS = re.compile(rb"\s")


class Secret(NamedTuple):
    """Some bytes that must stay, and whose they are."""

    whose: str
    value: bytes

    def __repr__(self) -> str:
        return f"Secret({self.whose!r})"


def secrets_of(keys: Path, people: Path, *more: Path) -> list[Secret]:
    """All that is secret in the folder of keys, in the file of people, and in keys below `more`.

    Raises Failure for a file that is there and cannot be read: nobody could tell what leaks then.
    """
    files = [*_key_files(keys), people, *[path for folder in more for path in _lying(folder)]]
    found = []
    for path in dict.fromkeys(files):
        if os.path.lexists(path):
            found += [Secret(str(path), value) for value in _values(_read(path))]
    return found


def _key_files(folder: Path) -> list[Path]:
    """Every file in the folder of keys but those that anybody may have."""
    try:
        there = sorted(path for path in folder.iterdir() if not path.is_dir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _kept_back(folder, error) from error
    return [
        path
        for path in there
        if path.name not in _PUBLIC and path.suffix.lower() not in _PUBLIC_SUFFIXES
    ]


def _lying(folder: Path) -> Iterator[Path]:
    """Files with the name of a key or of people, somewhere below a folder."""
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            if Path(name).suffix.lower() in _KEY_SUFFIXES or name == places.PEOPLE:
                yield Path(place) / name


def _read(path: Path) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            return file.read(_FILE_MAX)
    except OSError as error:
        raise _kept_back(path, error) from error


def _kept_back(path: Path, error: OSError) -> Failure:
    why = (error.strerror or str(error)).lower()
    text = f"{path}: {why}: nobody could tell whether it leaks. Ask as the wheel's user or as root."
    return Failure(FAILED, text)


def _values(data: bytes) -> Iterator[bytes]:
    """The secret values in a file: hexadecimal numbers, private keys in PEM, or plain bytes."""
    named = False
    for digits in _HEX.findall(data):
        named = True
        yield bytes.fromhex(digits[: len(digits) // 2 * 2].decode())
    for block in _PEM.finditer(data):
        named = True
        yield from _private(block[0], block[2])
    if not named and len(data) >= PIECE and not data.isascii():
        yield data


def _private(block: bytes, body: bytes) -> Iterator[bytes]:
    """What makes a private key in PEM secret: its number, where it can be read, and its bytes."""
    from cryptography.hazmat.primitives import serialization

    try:
        key = serialization.load_pem_private_key(block, None)
    except (ValueError, TypeError):  # of another kind, or under a password
        yield base64.b64decode(re.sub(rb"[^A-Za-z0-9+/=]", b"", body), validate=False)
        return
    numbers = getattr(key, "private_numbers", None)
    if numbers is None:
        yield key.private_bytes_raw()  # type: ignore[union-attr]
        return
    values = vars(numbers()) if hasattr(numbers(), "__dict__") else {}
    for name in ("private_value", "d", "p", "q"):
        number = values.get(name) or getattr(numbers(), name, None)
        if isinstance(number, int):
            yield number.to_bytes((number.bit_length() + 7) // 8)


class Scanner:
    """Looks for all of the secrets at once."""

    def __init__(self, secrets: list[Secret]) -> None:
        """Writes each secret, in pieces, in every way it could stand somewhere."""
        self._forms: list[tuple[str, str, bytes]] = []
        for whose, value in secrets:
            for piece in _pieces(value):
                forms = [(view, form) for view, form in _forms(piece) if len(form) >= PIECE]
                self._forms += [(whose, view, form) for view, form in forms]

    def leak(self, data: bytes) -> str | None:
        """Whose secret is in there; None if none is."""
        views = {
            "raw": data,
            "hex": _BETWEEN_HEX.sub(b"", data).lower(),
            "base64": _BETWEEN_BASE64.sub(b"", data).translate(_TO_STANDARD),
            "numbers": _BETWEEN_NUMBERS.sub(b"", data),
        }
        for whose, view, form in self._forms:
            if form in views[view]:
                return whose
        return None


def _pieces(value: bytes) -> Iterator[bytes]:
    """A secret cut into what is short enough to be found where only a part of it stands."""
    for at in range(0, max(1, len(value) - PIECE + 1), PIECE):
        yield value[at : at + PIECE]


def _forms(piece: bytes) -> Iterator[tuple[str, bytes]]:
    """Each way to write some bytes, and in which view of the data it is looked for."""
    yield "raw", piece
    yield "raw", repr(piece)[2:-1].encode()
    yield "hex", piece.hex().encode()
    yield "numbers", ",".join(str(byte) for byte in piece).encode()
    for before in range(3):  # where in a group of three bytes it begins
        whole = base64.b64encode(bytes(before) + piece)
        first, last = -(-before * 4 // 3), (before + len(piece)) // 3 * 4
        yield "base64", whole[first:last]
