"""One key, one file: read only where nobody else could have read or placed it."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

from firmware.lib.errors import CONFIGURATION, Failure, of_file
from firmware.lib.language import N_, Message
from firmware.lib.named_file import NamedFileError, open_named

KEY_SIZE = 32  # bytes of every key, secret or public; in a file two hexadecimal digits each
_FORM = re.compile(rb"[0-9a-f]{%d}\n?" % (2 * KEY_SIZE))


def read_secret(path: Path) -> bytes:
    """Returns a key that its owner alone can read.

    Raises Failure, exit 4, if it is not there, others can read it, it is not a file of ours, or not
    a key.
    """
    text = _read(path, 0o077, Message("{path} can be read by others: chmod 600 it.", path=path))
    return _key(path, text)


def read_public(path: Path) -> bytes:
    """Returns a key that anybody may read, and its owner alone change.

    Raises Failure as read_secret.
    """
    text = _read(path, 0o022, Message("{path} can be changed by others: chmod 644 it.", path=path))
    return _key(path, text)


def read_text(path: Path, size_max: int) -> str:
    """Returns a text beside the keys; empty if there is none. Raises Failure as read_public."""
    if not os.path.lexists(path):
        return ""
    found = _read(
        path,
        0o022,
        Message("{path} can be changed by others: chmod 644 it.", path=path),
        size_max + 1,
    )
    if len(found) > size_max:
        raise Failure(
            CONFIGURATION,
            Message(
                "{path} is longer than {size_max} bytes: restore it.", path=path, size_max=size_max
            ),
        )
    return found.decode("ascii", "replace")


def read_secret_text(path: Path, size_max: int) -> bytes:
    """Returns a text that its owner alone can read; empty if there is none. Raises Failure as
    read_secret.
    """
    if not os.path.lexists(path):
        return b""
    text = _read(
        path, 0o077, Message("{path} can be read by others: chmod 600 it.", path=path), size_max + 1
    )
    if len(text) > size_max:
        raise Failure(
            CONFIGURATION,
            Message(
                "{path} is longer than {size_max} bytes: restore it.", path=path, size_max=size_max
            ),
        )
    return text


def text_of(key: bytes) -> bytes:
    """Returns a key as its file holds it."""
    return key.hex().encode() + b"\n"


def _read(path: Path, forbidden: int, refusal: str, size: int = 4 * KEY_SIZE) -> bytes:
    """Returns a regular file's first bytes; `refusal` says what is wrong with `forbidden`
    permissions.
    """
    try:
        handle = open_named(path)
        try:
            status = os.fstat(handle)
            if os.geteuid() != 0 and status.st_uid not in _owners(path, forbidden):
                raise Failure(
                    CONFIGURATION, Message("{path} belongs to somebody else: chown it.", path=path)
                )
            if stat.S_IMODE(status.st_mode) & forbidden:
                raise Failure(CONFIGURATION, refusal)
            return os.read(handle, size)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise Failure(
            CONFIGURATION,
            Message(
                "There is no key {path}. Make keys with cylindre provision, or give another"
                " --keys.",
                path=path,
            ),
        ) from None
    except NamedFileError as error:
        text = Message("{path} is no file: a key is one, of its own.", path=path)
        if error.errno == errno.ELOOP:
            text = Message(
                "{path} points elsewhere, and a key is not followed: put the file itself here.",
                path=path,
            )
        raise Failure(CONFIGURATION, text) from None
    except OSError as error:
        raise of_file(path, error, CONFIGURATION) from error
    except ValueError:
        raise Failure(CONFIGURATION, N_("The folder of keys has a null character.")) from None


def _owners(path: Path, forbidden: int) -> tuple[int, ...]:
    """Returns whose the file may be: ours or root's; what all may read also his who has the folder,
    for the service page reads the public key of the controller.
    """
    ours = (0, os.geteuid())
    return ours if forbidden & 0o044 else (*ours, path.parent.stat().st_uid)


def _key(path: Path, text: bytes) -> bytes:
    if not _FORM.fullmatch(text):
        raise Failure(
            CONFIGURATION, Message("{path} is no key: restore it, or provision anew.", path=path)
        )
    return bytes.fromhex(text.decode())
