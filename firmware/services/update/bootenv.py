"""The few words that U-Boot chooses the slot by: BOOT_ORDER, BOOT_A_LEFT, BOOT_B_LEFT.

Two files of U-Boot's own format lie on the partition `firmware`: the state, and a copy of the last
state that was whole (firmware/lib/partitions.py). One is written while the other is whole, so
whatever the power cuts in half, the start reads the words as they were before or as they are now.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import NamedTuple

from firmware.lib import durable
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named
from firmware.lib.partitions import SLOTS, STATE_COPY, STATE_FILE, STATE_SIZE, TRIES
from firmware.services.update.slots import FIRMWARE

_CRC = 4  # bytes, little endian, before the words (U-Boot: tools/env, an environment in one file)
_ORDER = "BOOT_ORDER"


class Choice(NamedTuple):
    """Which slots are started, the first that has tries left; and how many each has."""

    order: tuple[str, ...]
    left: dict[str, int]


def read(root: Path) -> dict[str, str]:
    """Returns every word of the state. Raises Failure: neither file is whole."""
    why: str = Message("neither it nor its copy is whole")
    for name in (STATE_FILE, STATE_COPY):
        try:
            told = parse(begin_named(root / FIRMWARE / name, STATE_SIZE + 1))
        except OSError as error:
            why = cause(error)
            continue
        if told is not None:
            return told
    raise Failure(
        FAILED,
        Message(
            "{root}: {why}. It says which slot starts: this is no wheel with two slots,"
            " or its card must be flashed.",
            root=root / FIRMWARE / STATE_FILE,
            why=why,
        ),
    )


def parse(data: bytes) -> dict[str, str] | None:
    """Returns the words in a file; None: it is not whole."""
    if len(data) != STATE_SIZE or int.from_bytes(data[:_CRC], "little") != zlib.crc32(data[_CRC:]):
        return None
    text = data[_CRC:].split(b"\0\0", 1)[0].decode("utf-8", "replace")
    pairs = (each.partition("=") for each in text.split("\0"))
    return {name: value for name, sign, value in pairs if sign}


def text(told: dict[str, str]) -> bytes:
    """Returns the whole file. Raises Failure: it does not fit."""
    data = b"".join(f"{name}={value}\0".encode() for name, value in sorted(told.items())) + b"\0"
    if len(data) > STATE_SIZE - _CRC:
        raise Failure(
            FAILED,
            Message(
                "{state_file} has no room for more words. Flash the card anew.",
                state_file=STATE_FILE,
            ),
        )
    data = data.ljust(STATE_SIZE - _CRC, b"\0")
    return zlib.crc32(data).to_bytes(_CRC, "little") + data


def choice(told: dict[str, str]) -> Choice:
    """Returns what they say; a word that is missing or unreadable counts as none left."""
    names = [slot.bootname for slot in SLOTS]
    order = tuple(name for name in told.get(_ORDER, "").split() if name in names)
    return Choice(order, {name: _number(told.get(_left(name), "")) for name in names})


def words(order: tuple[str, ...], left: dict[str, int]) -> dict[str, str]:
    """Returns the three words; who is not in `left` has no start left."""
    names = [slot.bootname for slot in SLOTS]
    return {_ORDER: " ".join(order)} | {_left(name): f"{left.get(name, 0):x}" for name in names}


def flashed() -> bytes:
    """Returns the file of a freshly flashed card: slot A starts, and slot B is empty."""
    return text(words(("A", "B"), {"A": TRIES}))


def choose(root: Path, *order: str, tries: int = TRIES) -> None:
    """Starts from now on the slots of `order`, the first so many times, the others all of theirs.

    Raises Failure; then it is as it was.
    """
    left = {name: tries if name == order[0] else TRIES for name in order}
    _write(root / FIRMWARE, text(read(root) | words(order, left)))


def _write(folder: Path, data: bytes) -> None:
    state, copy = folder / STATE_FILE, folder / STATE_COPY
    try:
        now = state.read_bytes() if state.exists() else b""
        if now == data:
            return
        if parse(now) is not None:
            _put(copy, now)
        _put(state, data)
    except OSError as error:
        text = Message(
            "{state} cannot be written: {cause}. What starts is as before.",
            state=state,
            cause=cause(error),
        )
        raise Failure(FAILED, text) from None


def _put(path: Path, data: bytes) -> None:
    if path.exists() and path.stat().st_size == len(data):
        durable.overwrite(path, data)  # on FAT a rename changes more than the sectors of a file
    else:
        durable.replace(path, data)


def _left(name: str) -> str:
    return f"BOOT_{name}_LEFT"


def _number(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        return 0
