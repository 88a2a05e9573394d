"""Lines of text that are sealed: the forms of what stands in them, their bytes, their SHA-256.

A line ends with a newline and its words are parted by one space: so a word holds neither, and a
name, which may hold spaces, stands last.
"""

import binascii
import hashlib

from firmware.shims.typed import Any


def whole(value: Any) -> str:
    """Returns a whole number in decimal. Raises TypeError for anything else."""
    if type(value) is not int:
        raise TypeError(value)
    return str(value)


def word(value: Any) -> str:
    """Returns text without a space. Raises ValueError for anything else."""
    if not value or " " in value:
        raise ValueError(value)
    return name(value)


def name(value: Any) -> str:
    """Returns text that ends with its line. Raises ValueError for anything else."""
    if type(value) is not str or "\n" in value:
        raise ValueError(value)
    return value


def bytes_of(lines: "list[str]") -> bytes:
    """Returns the bytes of the lines, each ended by a newline."""
    return ("\n".join(lines) + "\n").encode()


def sha256(data: bytes) -> str:
    """Returns the SHA-256 in hexadecimal."""
    return binascii.hexlify(hashlib.sha256(data).digest()).decode()
