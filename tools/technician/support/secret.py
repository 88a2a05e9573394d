"""What must never leave a wheel, and whether it is in some bytes, however it was written there."""

from __future__ import annotations

import base64
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.lib import places
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import read_named

# firmware/keys/folder.py, firmware/keys/rotation.py, firmware/run/table_opening.py
_PUBLIC = ("wheel.pub", "wheel.chain", "epoch", "opening")
_PUBLIC_SUFFIXES = (".pub", ".crt", ".cer", ".csr")
_KEY_SUFFIXES = (".key", ".new", ".pem", ".p12", ".pfx")
_PART = ".part"  # of a file that a power cut left half written (firmware/lib/durable.py)
_FILE_MAX = 262_144  # bytes of a file with secrets: that of 500 people is the longest
PIECE = 16  # bytes: so many of a secret in a row give it away
_HEX = re.compile(rb"[0-9a-fA-F]{%d,}" % (2 * PIECE))
_PEM = re.compile(rb"-----BEGIN ([A-Z ]*PRIVATE KEY)-----(.*?)-----END \1-----", re.DOTALL)
_SPACES = b" \t\n\r\f\v"
# What people and programs put between the digits of a hexadecimal number, besides 0x.
_BETWEEN_HEX = rb"\xX:,%_\-\"'.;|/"
_TO_LOWER = bytes(range(256)).lower()
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")  # of base64
_ESCAPED = re.compile(rb"\\(x[0-9a-fA-F]{2}|u00[0-9a-fA-F]{2}|[abfnrtv\\'\"])")
_NAMED = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))
_NUMBERS = re.compile(rb"(?:[0-9]{1,3},){%d,}[0-9]{1,3}" % (PIECE - 1))
# How many signs 16 bytes are at least. Of base64 20 are theirs alone, wherever they begin.
_LEAST = {"raw": PIECE, "hex": 2 * PIECE, "base64": 20}
_BLOCK = 8  # signs: what memoryview has as one number


class Secret(NamedTuple):
    """Some bytes that must stay, and whose they are."""

    whose: str
    value: bytes

    def __repr__(self) -> str:
        return f"Secret({self.whose!r})"


def secrets_of(
    keys: Path, people: Path, *more: Path, unread: list[str] | None = None
) -> list[Secret]:
    """All that is secret in the folder of keys, in the file of people, and in keys below `more`.

    Raises Failure for what is there and cannot be read: nobody could tell what leaks then.
    `unread` takes the names of that instead.
    """
    files = [path for path in _below(keys, unread) if not _is_public(path)]
    files.append(people)
    files += [path for folder in more for path in _below(folder, unread) if _is_secret(path)]
    found = []
    for path in dict.fromkeys(files):
        try:
            found += [Secret(str(path), value) for value in _values(_read(path))]
        except (FileNotFoundError, NotADirectoryError):
            pass  # nothing lies there
        except OSError as error:
            _keep_back(path, error, unread)
    return found


def _below(folder: Path, unread: list[str] | None) -> Iterator[Path]:
    """Every file in a folder and the folders below it."""

    def closed(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            _keep_back(Path(error.filename or folder), error, unread)

    for place, _, names in os.walk(folder, onerror=closed):
        yield from (Path(place) / name for name in sorted(names))


def _is_public(path: Path) -> bool:
    """Whether anybody may have this file of a folder of keys."""
    path = path.with_name(path.name.removesuffix(_PART))
    return path.name in _PUBLIC or path.suffix.lower() in _PUBLIC_SUFFIXES


def _is_secret(path: Path) -> bool:
    """Whether a file that lies anywhere has the name of a key, or of people."""
    path = path.with_name(path.name.removesuffix(_PART))
    return path.suffix.lower() in _KEY_SUFFIXES or path.name == places.PEOPLE


def _read(path: Path) -> bytes:
    return read_named(path, _FILE_MAX, follow=True)  # what leaks, leaks through a link too


def _keep_back(path: Path, error: OSError, unread: list[str] | None) -> None:
    """Notes that it cannot be read. Raises Failure where nobody wants to know."""
    if unread is not None:
        unread.append(str(path))
        return
    raise Failure(
        FAILED,
        Message(
            "{path}: {cause}: nobody could tell whether it leaks. Ask as root.",
            path=path,
            cause=cause(error),
        ),
    ) from error


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
    """Looks for all of the secrets at once.

    Of each way to write bytes there is a view of the data, in which a secret stands as one text.
    What is at least 15 signs of it in a row holds one whole block of eight of those that the view
    is cut into; so each block is looked up among all eights of all texts, and around one that is
    found the rest is compared.
    """

    def __init__(self, secrets: list[Secret]) -> None:
        """Writes each secret in every way it could stand somewhere."""
        self._texts: dict[str, list[tuple[str, bytes]]] = {view: [] for view in _LEAST}
        for whose, value in secrets:
            if len(value) >= PIECE:
                for view, text in _forms(value):
                    self._texts[view].append((whose, text))
        self._eights = {
            view: {
                _number(text[at : at + _BLOCK])
                for _, text in texts
                for at in range(len(text) - _BLOCK + 1)
            }
            for view, texts in self._texts.items()
        }

    def leak(self, data: bytes) -> str | None:
        """Whose secret is in there; None if none is."""
        for view, seen in _views(data):
            eights = self._eights[view]
            blocks = memoryview(seen)[: len(seen) // _BLOCK * _BLOCK].cast("Q")
            if eights.isdisjoint(blocks):
                continue
            for at, block in enumerate(blocks):
                if block in eights:
                    whose = self._around(view, seen, at * _BLOCK)
                    if whose is not None:
                        return whose
        return None

    def _around(self, view: str, seen: bytes, at: int) -> str | None:
        """Whose text stands around that block, at least as much of it as gives it away."""
        block = seen[at : at + _BLOCK]
        for whose, text in self._texts[view]:
            begin = text.find(block)
            while begin >= 0:
                before = _same(reversed(seen[max(0, at - begin) : at]), reversed(text[:begin]))
                after = _same(seen[at : at + len(text) - begin], text[begin:])
                if before + after >= _LEAST[view]:
                    return whose
                begin = text.find(block, begin + 1)
        return None


def _number(block: bytes) -> int:
    """A block as memoryview has it."""
    return int.from_bytes(block, sys.byteorder)


def _same(one: Iterable[int], other: Iterable[int]) -> int:
    """How many are the same from the beginning on."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _views(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The data as it is, and without what stands between the signs of each way to write bytes."""
    for _ in range(3):  # as it is, as Python shows bytes, and that within JSON
        yield "raw", data
        plain = data.translate(None, _SPACES)
        yield "raw", b"|".join(_listed(plain))
        yield "base64", plain.translate(_TO_STANDARD, b'"')
        plain = plain.replace(b"0x", b"").replace(b"0X", b"")
        yield "hex", plain.translate(_TO_LOWER, _BETWEEN_HEX)
        written = data
        data = _ESCAPED.sub(_escaped, written)
        if data == written:
            return


def _listed(text: bytes) -> Iterator[bytes]:
    """The bytes of each list of as many numbers as give a secret away."""
    for numbers in _NUMBERS.findall(text):
        yield bytes([min(int(number), 255) for number in numbers.split(b",")])


def _escaped(found: re.Match[bytes]) -> bytes:
    """The byte that is written by what stands behind a backslash."""
    name = found[1]
    if len(name) > 1:  # x7f, u007f
        return bytes.fromhex(name[-2:].decode())
    return bytes([_NAMED.get(name[0], name[0])])


def _forms(value: bytes) -> Iterator[tuple[str, bytes]]:
    """Each way to write some bytes, and in which view of the data it is looked for."""
    yield "raw", value
    yield "hex", value.hex().encode()
    for before in range(3):  # where in a group of three bytes it begins
        whole = base64.b64encode(bytes(before) + value)
        first, last = -(-before * 4 // 3), (before + len(value)) * 4 // 3
        yield "base64", whole[first:last]
