"""The folder of keys: one file a key, for its owner alone, made once and never overwritten.

    DIR/terminal-01.key ...   of the terminal at address 1 ..., 64 hexadecimal digits

On a bench, controller and terminal read the same file; in a house each machine has its own copy.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path

from firmware.bus.exchange import ADDRESS_MAX
from firmware.bus.mac import KEY_SIZE
from tools.exits import CONFIGURATION, FAILED, Failure

_OWNER_ONLY = 0o600
_FORM = re.compile(rb"[0-9a-f]{%d}\n?" % (2 * KEY_SIZE))


def terminal_file(folder: Path, address: int) -> Path:
    """Where the key of a terminal lies."""
    return folder / f"terminal-{address:02d}.key"


def provision(folder: Path, terminals: int) -> list[Path]:
    """Makes the keys of the terminals 1 to `terminals`; their files.

    All or none. Raises Failure if one is there already or cannot be written.
    """
    paths = [terminal_file(folder, address) for address in range(1, terminals + 1)]
    there = [path for path in paths if os.path.lexists(path)]
    if there:
        raise Failure(
            FAILED,
            f"{there[0]} is there already, and a key is never overwritten."
            " Give another folder, or remove the old keys.",
        )
    made: list[Path] = []
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in paths:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
            made.append(path)
            with open(handle, "wb") as file:
                file.write(os.urandom(KEY_SIZE).hex().encode() + b"\n")
                file.flush()
                os.fsync(handle)
        _sync(folder)
    except OSError as error:
        for path in made:
            with contextlib.suppress(OSError):
                path.unlink()
        why = (error.strerror or str(error)).lower()
        raise Failure(FAILED, f"Cannot make keys in {folder}: {why}.") from error
    return paths


def read_terminal(folder: Path, address: int) -> bytes:
    """The key of a terminal. Raises Failure if it is not there, not a key, or not kept secret."""
    path = terminal_file(folder, address)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(4 * KEY_SIZE)
    except FileNotFoundError:
        raise Failure(
            CONFIGURATION,
            f"There is no key {path}. Make keys with cylindre provision, or give another --keys.",
        ) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Failure(CONFIGURATION, f"{path}: {why}.") from error
    if stat.S_IMODE(mode) & 0o077:
        raise Failure(CONFIGURATION, f"{path} can be read by others: chmod 600 it.")
    if not _FORM.fullmatch(text):
        raise Failure(CONFIGURATION, f"{path} is no key: restore it, or provision anew.")
    return bytes.fromhex(text.decode())


def read_terminals(folder: Path, count: int | None) -> dict[int, bytes]:
    """The keys of the terminals 1 to `count`, by address; None: of all that have one, if any."""
    if count is not None:
        addresses = list(range(1, count + 1))
    else:
        every = range(1, ADDRESS_MAX + 1)
        addresses = [at for at in every if terminal_file(folder, at).exists()]
    return {address: read_terminal(folder, address) for address in addresses}


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
