"""A wheel changes its signing key: the old one signs a record that names the new one.

    DIR/wheel.key.new         the next private key, until its record is durable
    DIR/wheel.chain           the rotation records so far, one a line, hexadecimal: how whoever
                              trusts wheel.pub comes to trust wheel.key

Order: wheel.key.new; the record in the journal; wheel.chain; wheel.key.new becomes wheel.key. After
a crash in between, the journal says which key is the wheel's, and the next start finishes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.bus import record
from firmware.keys import folder as keys
from firmware.keys import key_files
from firmware.lib import durable
from firmware.lib.errors import CONFIGURATION, FAILED, Failure, unwritten
from firmware.lib.language import Message
from firmware.lib.signatures import verify
from firmware.store.rows import JournalError

if TYPE_CHECKING:
    from firmware.store.signing import Signer
    from firmware.store.startup_check import Keys

# One a year for the life of a wheel, and some; a display goes through all of them at its start.
ROTATIONS_MAX = 32
CHAIN_MAX = ROTATIONS_MAX * (2 * record.RECORD_MAX + 1)


def chain_file(folder: Path) -> Path:
    """Returns where the rotation records lie."""
    return folder / "wheel.chain"


def read_chain(folder: Path) -> tuple[bytes, ...]:
    """Returns the rotation records from wheel.pub to the present key, oldest first.

    Raises Failure.
    """
    return _walk(folder)[0]


def public_keys(folder: Path) -> tuple[bytes, ...]:
    """Returns every public key of the wheel: wheel.pub first, the present one last.

    Raises Failure.
    """
    return _walk(folder)[1]


def open_signer(folder: Path, journal: Path) -> Signer:
    """Returns who signs for the wheel of these keys, in that journal; a rotation cut short is
    finished.

    Raises Failure: no key, not kept secret, or not that of wheel.pub.
    """
    from firmware.store.signing import Signer, public_of

    new = keys.new_wheel_file(folder)
    if os.path.lexists(new):
        following = public_of(key_files.read_secret(new))
        present, known = public_keys(folder)[-1], _look(journal)
        if following in (present, known and known.last):
            _finish(folder, journal)
    signer = Signer(keys.read_private(folder))
    if signer.public != public_keys(folder)[-1]:
        raise Failure(
            CONFIGURATION,
            Message(
                "{wheel_file} does not belong to {public_file}: restore both from the same"
                " copy, or provision another folder.",
                wheel_file=keys.wheel_file(folder),
                public_file=keys.public_file(folder),
            ),
        )
    return signer


def rotate(
    folder: Path, journal: Path, write: Callable[[Signer, bytes], None]
) -> tuple[bytes, bytes]:
    """Gives the wheel a new key; the public halves of the old and the new one.

    `write(signer, next_key)` makes the rotation record durable in the journal. A key that an
    attempt before made, and no journal knows, is taken up. Raises Failure.
    """
    from firmware.store.signing import new_key, public_of

    if _look(journal) is None:
        raise Failure(
            FAILED,
            Message("There is no journal {journal}: give that of the wheel.", journal=journal),
        )
    signer = open_signer(folder, journal)
    if len(read_chain(folder)) >= ROTATIONS_MAX:
        raise Failure(
            FAILED,
            Message(
                "This key has been rotated {rotations_max} times: provision another folder,"
                " and give its wheel.pub to the displays.",
                rotations_max=ROTATIONS_MAX,
            ),
        )
    new = keys.new_wheel_file(folder)
    if not os.path.lexists(new):
        try:
            durable.write_once(new, key_files.text_of(new_key()), durable.OWNER_ONLY)
        except OSError as error:
            raise unwritten(new, error) from error
    following = public_of(key_files.read_secret(new))
    write(signer, following)
    _finish(folder, journal)
    return signer.public, following


def _walk(folder: Path) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Returns the rotation records, and the keys they lead to."""
    found = [keys.read_root(folder)]
    records = []
    text = key_files.read_text(chain_file(folder), CHAIN_MAX)
    for number, line in enumerate(text.splitlines(), 1):
        data = _unhexed(line)
        said = record.decode_signed(data, found[-1], verify)
        if said is None or said.kind != record.ROTATION:
            raise Failure(
                CONFIGURATION,
                Message(
                    "{chain_file}:{number}: this is no rotation of the key before it: restore the"
                    " folder of keys from a copy.",
                    chain_file=chain_file(folder),
                    number=number,
                ),
            )
        records.append(data)
        found.append(said.next_key)
    return tuple(records), tuple(found)


def _finish(folder: Path, journal: Path) -> None:
    """The journal knows the new key: it becomes the wheel's. Raises Failure."""
    chain = read_chain(folder)
    known = _look(journal)
    missing = [] if known is None else [data for data in known.rotations if data not in chain]
    try:
        if missing:
            lines = [data.hex() + "\n" for data in (*chain, *missing)]
            content = "".join(lines).encode()
            durable.replace(chain_file(folder), content, durable.FOR_ALL)
        durable.rename(keys.new_wheel_file(folder), keys.wheel_file(folder))
    except OSError as error:
        raise unwritten(keys.wheel_file(folder), error) from error


def _look(journal: Path) -> Keys | None:
    """Returns the keys that sign in a journal; None if there is no such journal yet.

    Raises Failure.
    """
    from firmware.store import reader

    if not journal.exists():
        return None
    try:
        return reader.keys(journal)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error


def _unhexed(line: str) -> bytes:
    try:
        return bytes.fromhex(line)
    except ValueError:
        return b""
