"""One key, one file: read only where nobody else could have read or placed it, written once."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path

from firmware.store.files import sync_folder
from tools.exits import CONFIGURATION, FAILED, Failure

KEY_SIZE = 32  # bytes of every key, secret or public; in a file two hexadecimal digits each
OWNER_ONLY = 0o600
FOR_ALL = 0o644
_FORM = re.compile(rb"[0-9a-f]{%d}\n?" % (2 * KEY_SIZE))
_PART = ".part"  # a file that is being written; one of a power cut's is written anew


def read_secret(path: Path) -> bytes:
    """A key that its owner alone can read.

    Raises Failure, exit 4, if it is not there, others can read it, it is not a file of ours, or not
    a key.
    """
    text = _read(path, 0o077, f"{path} can be read by others: chmod 600 it.")
    return _key(path, text)


def read_public(path: Path) -> bytes:
    """A key that anybody may read, but its owner alone change. Raises Failure as read_secret."""
    text = _read(path, 0o022, f"{path} can be changed by others: chmod 644 it.")
    return _key(path, text)


def read_text(path: Path, size_max: int) -> str:
    """A text beside the keys; empty if there is none. Raises Failure as read_public."""
    if not os.path.lexists(path):
        return ""
    found = _read(path, 0o022, f"{path} can be changed by others: chmod 644 it.", size_max + 1)
    if len(found) > size_max:
        raise Failure(CONFIGURATION, f"{path} is longer than {size_max} bytes: restore it.")
    return found.decode("ascii", "replace")


def text_of(key: bytes) -> bytes:
    """A key as its file holds it."""
    return key.hex().encode() + b"\n"


def write_once(path: Path, content: bytes, mode: int) -> None:
    """A new file, whole or not at all, once it is durable. Raises OSError; never overwrites."""
    part = _write_part(path, content, mode)
    try:
        os.link(part, path)
    finally:
        part.unlink()
    try:
        sync_folder(path.parent)
    except OSError:
        path.unlink()
        raise


def replace(path: Path, content: bytes, mode: int) -> None:
    """A new content for a file, whole or not at all, once it is durable. Raises OSError."""
    _write_part(path, content, mode).rename(path)
    sync_folder(path.parent)


def unwritten(path: Path, error: OSError) -> Failure:
    """That a file cannot be written, as a sentence."""
    why = (error.strerror or str(error)).lower()
    return Failure(FAILED, f"Cannot write {path}: {why}.")


def rename(path: Path, to: Path) -> None:
    """Puts a file in the place of another, durably. Raises OSError."""
    path.rename(to)
    sync_folder(to.parent)


def _write_part(path: Path, content: bytes, mode: int) -> Path:
    part = path.with_name(path.name + _PART)
    with contextlib.suppress(FileNotFoundError):
        part.unlink()
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with open(handle, "wb") as file:
            os.fchmod(handle, mode)  # whatever the umask is
            file.write(content)
            file.flush()
            os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    return part


def _read(path: Path, forbidden: int, refusal: str, size: int = 4 * KEY_SIZE) -> bytes:
    """A regular file's first bytes; `refusal` says what is wrong with `forbidden` permissions."""
    try:
        # Not blocking: somebody may have put a pipe here.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise Failure(CONFIGURATION, f"{path} is no file: a key is one, of its own.")
            if os.geteuid() != 0 and status.st_uid not in _owners(path, forbidden):
                raise Failure(CONFIGURATION, f"{path} belongs to somebody else: chown it.")
            if stat.S_IMODE(status.st_mode) & forbidden:
                raise Failure(CONFIGURATION, refusal)
            return os.read(handle, size)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise Failure(
            CONFIGURATION,
            f"There is no key {path}. Make keys with cylindre provision, or give another --keys.",
        ) from None
    except OSError as error:
        if path.is_symlink():
            text = f"{path} points elsewhere, and a key is not followed: put the file itself here."
            raise Failure(CONFIGURATION, text) from None
        why = (error.strerror or str(error)).lower()
        raise Failure(CONFIGURATION, f"{path}: {why}.") from error
    except ValueError:
        raise Failure(CONFIGURATION, "The folder of keys has a null character.") from None


def _owners(path: Path, forbidden: int) -> tuple[int, ...]:
    """Whose the file may be: ours or root's; what all may read also his who has the folder, for the
    service page reads the public key of the controller."""
    ours = (0, os.geteuid())
    return ours if forbidden & 0o044 else (*ours, path.parent.stat().st_uid)


def _key(path: Path, text: bytes) -> bytes:
    if not _FORM.fullmatch(text):
        raise Failure(CONFIGURATION, f"{path} is no key: restore it, or provision anew.")
    return bytes.fromhex(text.decode())
