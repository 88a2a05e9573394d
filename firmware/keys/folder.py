"""The folder of keys: one file a key, made once, replaced by a rotation alone.

    DIR/wheel.key             signs what the wheel records: the controller's alone
    DIR/wheel.pub             its public half when the folder was made: the root that displays and
                              `cylindre journal verify` trust; a rotation (rotation.py) leaves it
    DIR/display-01.key ...    of the display at address 1 ..., shared with the controller alone
    DIR/terminal-01.key ...   of the terminal at address 1 ...
    DIR/epoch                 of the last journal that was begun with these keys
    DIR/opening               the last opening with its limits, signed (run/table_opening.py)
    DIR/players               by which players sign on at terminals (players.py)

Each key is 64 hexadecimal digits. On a bench all read the same folder; in a house a display has its
own key and wheel.pub, and a terminal its own key.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware.bus.terminal_messages import ADDRESS_MAX
from firmware.keys import key_files
from firmware.keys.key_files import KEY_SIZE, text_of
from firmware.lib import durable
from firmware.lib.durable import FOR_ALL, OWNER_ONLY
from firmware.lib.errors import CONFIGURATION, FAILED, Failure, cause, unwritten
from firmware.lib.language import Message

EPOCH_MAX = 2**32 - 1
_EPOCH_DIGITS = 11


def wheel_file(folder: Path) -> Path:
    """Returns where the wheel's private key lies."""
    return folder / "wheel.key"


def new_wheel_file(folder: Path) -> Path:
    """Returns where the private key lies that a rotation makes the wheel's (rotation.py)."""
    return folder / "wheel.key.new"


def public_file(folder: Path) -> Path:
    """Returns where the root lies: the wheel's first public key."""
    return folder / "wheel.pub"


def display_file(folder: Path, address: int) -> Path:
    """Returns where the key of a display lies."""
    return folder / f"display-{address:02d}.key"


def terminal_file(folder: Path, address: int) -> Path:
    """Returns where the key of a terminal lies."""
    return folder / f"terminal-{address:02d}.key"


def shoe_file(folder: Path) -> Path:
    """Returns where the key of a card table's shoe is."""
    return folder / "shoe.key"


def epoch_file(folder: Path) -> Path:
    """Returns where the last epoch stands."""
    return folder / "epoch"


def provision(
    folder: Path, terminals: int = 0, displays: int = 0, *, shoe: bool = False
) -> list[Path]:
    """Makes keys of so many terminals and displays, of a card table's `shoe`, and the wheel's if it
    has none; their files.

    All or none. Raises Failure if one is there already or cannot be written.
    """
    addressed = [display_file(folder, address) for address in range(1, displays + 1)]
    addressed += [terminal_file(folder, address) for address in range(1, terminals + 1)]
    addressed += [shoe_file(folder)] if shoe else []
    there = [path for path in addressed if os.path.lexists(path)]
    if there:
        raise Failure(
            FAILED,
            Message(
                "{there} is there already, and a key is never overwritten. Give another"
                " folder, or remove the old keys.",
                there=there[0],
            ),
        )
    with _all_or_none(folder) as made:
        _make_wheel(folder, made)
        for path in addressed:
            durable.write_once(path, text_of(os.urandom(KEY_SIZE)), OWNER_ONLY)
            made.append(path)
    return made


def ensure_wheel(folder: Path) -> None:
    """Makes the wheel's key if the folder has none: for a wheel that plays by itself.

    Raises Failure.
    """
    with _all_or_none(folder) as made:
        _make_wheel(folder, made)


def read_private(folder: Path) -> bytes:
    """Returns the wheel's private key. Raises Failure."""
    return key_files.read_secret(wheel_file(folder))


def read_root(folder: Path) -> bytes:
    """Returns the public key that displays and auditors trust from the beginning.

    Raises Failure.
    """
    return key_files.read_public(public_file(folder))


def read_display(folder: Path, address: int) -> bytes:
    """Returns the key of a display.

    Raises Failure if it is not there, not a key, or not kept secret.
    """
    return key_files.read_secret(display_file(folder, address))


def read_displays(folder: Path, count: int | None = None) -> dict[int, bytes]:
    """Returns the keys of the displays 1 to `count`, by address; None: of all that have one, if
    any.
    """
    return _read_addressed(folder, count, display_file)


def read_shoe(folder: Path) -> bytes | None:
    """Returns the key of the card shoe; None where it has none. Raises Failure."""
    path = shoe_file(folder)
    return key_files.read_secret(path) if os.path.lexists(path) else None


def read_terminal(folder: Path, address: int) -> bytes:
    """Returns the key of a terminal.

    Raises Failure if it is not there, not a key, or not kept secret.
    """
    return key_files.read_secret(terminal_file(folder, address))


def read_terminals(folder: Path, count: int | None) -> dict[int, bytes]:
    """Returns the keys of the terminals 1 to `count`, by address; None: of all that have one, if
    any.
    """
    return _read_addressed(folder, count, terminal_file)


def read_epoch(folder: Path) -> int:
    """Returns the last epoch that was begun with these keys; 0 if none was. Raises Failure."""
    path = epoch_file(folder)
    text = key_files.read_text(path, _EPOCH_DIGITS).strip()
    if not text and not os.path.lexists(path):
        return 0
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= EPOCH_MAX):
        raise Failure(
            CONFIGURATION,
            Message(
                "{path} holds no epoch: write into it the highest that any journal of these"
                " keys has.",
                path=path,
            ),
        )
    return int(text)


def next_epoch(folder: Path, at_least: int = 0) -> int:
    """Returns a new epoch, above `at_least` and all before; durable. Raises Failure."""
    epoch = max(read_epoch(folder), at_least) + 1
    if epoch > EPOCH_MAX:
        raise Failure(
            CONFIGURATION,
            Message(
                "{epoch_file}: no epoch is left. Provision anew.", epoch_file=epoch_file(folder)
            ),
        )
    try:
        durable.replace(epoch_file(folder), f"{epoch}\n".encode(), FOR_ALL)
    except OSError as error:
        raise unwritten(epoch_file(folder), error) from error
    return epoch


def _read_addressed(
    folder: Path, count: int | None, file: Callable[[Path, int], Path]
) -> dict[int, bytes]:
    if count is not None:
        addresses = list(range(1, count + 1))
    else:
        every = range(1, ADDRESS_MAX + 1)
        addresses = [at for at in every if os.path.lexists(file(folder, at))]
    return {address: key_files.read_secret(file(folder, address)) for address in addresses}


def _make_wheel(folder: Path, made: list[Path]) -> None:
    """The wheel's key and its public half, unless both are there. Raises Failure, OSError."""
    from firmware.store import signing  # here: a display signs nothing

    key, public = wheel_file(folder), public_file(folder)
    if not os.path.lexists(key):
        if os.path.lexists(public):
            raise Failure(
                FAILED,
                Message(
                    "{public} is there, but {key} is not: restore that, or give another folder.",
                    public=public,
                    key=key,
                ),
            )
        private = signing.new_key()
        durable.write_once(key, text_of(private), OWNER_ONLY)
        made.append(key)
    elif os.path.lexists(public):
        return
    elif os.path.lexists(epoch_file(folder)) or os.path.lexists(new_wheel_file(folder)):
        # The key may have been rotated since: its public half need not be the root.
        raise Failure(
            CONFIGURATION, Message("{public} is missing: restore it from a display.", public=public)
        )
    # Else a power cut between the two: no journal has begun with this key.
    private = key_files.read_secret(key)
    durable.write_once(public, text_of(signing.public_of(private)), FOR_ALL)
    made.append(public)


@contextlib.contextmanager
def _all_or_none(folder: Path) -> Iterator[list[Path]]:
    """Gives a list of the files made; they go again if one cannot be made. Raises Failure."""
    made: list[Path] = []
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield made
    except (OSError, Failure) as error:
        for path in made:
            with contextlib.suppress(OSError):
                path.unlink()
        if isinstance(error, Failure):
            raise
        raise Failure(
            FAILED,
            Message("Cannot make keys in {folder}: {cause}.", folder=folder, cause=cause(error)),
        ) from error
