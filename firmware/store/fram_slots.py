"""What lies in the FRAM: two slots with a checksum each, of which the newer whole one counts.

A slot is written in the other's turn, so a torn write leaves the one before. What the head of the
journal is, and when it is written: firmware/store/fram.py.
"""

import errno
import struct
import zlib
from typing import NamedTuple, Protocol

from firmware.lib.language import Message

PENDING_MAX = 768  # bytes; a signed record has 320 at most
ID_SIZE = 8
_MAGIC = b"CYL4"
_VERSION = 1
# Magic, version, one spare byte, length of what is pending (0: nothing), counter, id, epoch,
# base n and hash, next n and hash; then the pending row; then the CRC-32 of all that.
_FORM = struct.Struct(">4sBxHQ8sIQ32sQ32s")
_CRC = struct.Struct(">I")
# Of its own 4 KiB page each: where a file stands in, a torn page cannot reach the other slot.
PLACES = (0x0000, 0x1000)
SLOT_SIZE = 1024
_HASH_SIZE = 32


class Memory(Protocol):
    """Bytes that stay: drivers.fram_mb85rc256v, firmware.store.fram_file. OSError on trouble."""

    def read(self, at: int, size: int) -> bytes:
        """Reads `size` bytes from the address `at` on."""
        ...

    def write(self, at: int, data: bytes) -> None:
        """Writes durably."""
        ...


# How a technician makes it so; what the store knows of FILE and DIR is less than who runs it.
ADOPT = "cylindre journal adopt FILE --keys DIR"


class HeadError(Exception):
    """The FRAM, or it and the journal together, cannot be used; the text says why and what to do.

    `what`: the text without what to do. Nothing was overwritten.
    """

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(f"{what} {remedy}".rstrip())
        self.what = what


class Newer(HeadError):
    """A later version has written it: nothing here may write over that, not even adopting."""


class Point(NamedTuple):
    """A place in the journal's chain: the number of its last row and that row's hash."""

    n: int
    hash: bytes


START = Point(0, bytes(_HASH_SIZE))  # before the first row


class Slot(NamedTuple):
    """What a slot says. Without `pending`, and `base` == `next`: the journal ends there."""

    counter: int
    fram_id: bytes
    epoch: int
    base: Point
    next: Point
    pending: bytes | None


def encode(slot: Slot) -> bytes:
    """Returns the bytes of a slot."""
    pending = slot.pending or b""
    assert len(pending) <= PENDING_MAX, len(pending)
    data = _FORM.pack(
        _MAGIC,
        _VERSION,
        len(pending),
        slot.counter,
        slot.fram_id,
        slot.epoch,
        *slot.base,
        *slot.next,
    )
    data += pending
    return data + _CRC.pack(zlib.crc32(data))


def decode(data: bytes) -> Slot | None:
    """Returns the slot at the beginning of these bytes, or None if it is not whole.

    Raises Newer for a slot of a newer version.
    """
    if len(data) < _FORM.size + _CRC.size:
        return None
    magic, version, length, counter, fram_id, epoch, *ends = _FORM.unpack_from(data)
    end = _FORM.size + length
    if magic != _MAGIC or length > PENDING_MAX or len(data) < end + _CRC.size:
        return None
    if zlib.crc32(data[:end]) != _CRC.unpack_from(data, end)[0] or data[5]:
        return None
    if version != _VERSION:
        raise Newer(
            Message(
                "The FRAM is written in version {version}, this is version {own_version}:"
                " install the newer software.",
                version=version,
                own_version=_VERSION,
            )
        )
    base, following = Point(*ends[:2]), Point(*ends[2:])
    return Slot(counter, fram_id, epoch, base, following, data[_FORM.size : end] or None)


def read_state(memory: Memory) -> Slot | None:
    """Returns what a FRAM says; None for one never used.

    Raises OSError; HeadError if it is damaged.
    """
    parts = [memory.read(place, SLOT_SIZE) for place in PLACES]
    slots = []
    for place, part in enumerate(parts):
        slot = decode(part)
        # Counters take turns with the places: a slot in the other's place is a copy.
        slots.append(slot if slot is not None and slot.counter % 2 == place else None)
    first, second = slots
    if first is not None and second is not None:
        if first.fram_id != second.fram_id or abs(first.counter - second.counter) != 1:
            raise HeadError(
                Message("The two slots of the FRAM do not belong together."),
                Message("Have the board looked at; then {adopt}.", adopt=ADOPT),
            )
        return first if first.counter > second.counter else second
    found = first or second
    if found is not None:
        return found
    # The first slot is written first: where the second is blank, nothing was ever finished.
    if _blank(parts[1]) and (_blank(parts[0]) or parts[0].startswith(_MAGIC[:1])):
        return None
    if any(part.startswith(_MAGIC) for part in parts):
        raise HeadError(
            Message("Both slots of the FRAM are damaged."),
            Message(
                "Have the board looked at; then {adopt}, with a FRAM that keeps what it is told.",
                adopt=ADOPT,
            ),
        )
    raise HeadError(
        Message("The FRAM holds something that is not ours."),
        Message("Use one that is blank, or {adopt} to overwrite it.", adopt=ADOPT),
    )


def pendings(memory: Memory, state: Slot | None) -> list[bytes]:
    """Returns what is pending in `state`; without one, in any slot still whole.

    Raises OSError, Newer.
    """
    slots = [state]
    if state is None:
        slots = [decode(memory.read(place, SLOT_SIZE)) for place in PLACES]
    return [slot.pending for slot in slots if slot is not None and slot.pending is not None]


def _blank(part: bytes) -> bool:
    return part.strip(b"\x00") == b"" or part.strip(b"\xff") == b""


def write_checked(memory: Memory, at: int, data: bytes) -> None:
    """Writes, and reads it back. Raises OSError where it is not there.

    A chip that is write-protected takes every byte and keeps none.
    """
    memory.write(at, data)
    if memory.read(at, len(data)) != data:
        raise OSError(
            errno.EIO, Message("the FRAM does not keep what it is told (write-protected?)")
        )


def erase(memory: Memory) -> None:
    """Makes a FRAM blank: its journal is gone for good. Raises OSError.

    Cut short it is blank, or as damaged or out of step as before.
    """
    for place in PLACES:
        memory.write(place, bytes(SLOT_SIZE))
