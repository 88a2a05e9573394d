"""Bytes that the FRAM keeps beside the head of the journal: the wheel's last opening, signed.

Two places are written in turn, each with its checksum, so a torn write leaves the one before.
Neither `journal adopt` nor its `--gone` touches them: they bind the wheel, whichever journal it
writes (firmware/run/table_opening.py).
"""

import struct
import zlib

from firmware.store.fram_slots import Memory, write_checked

KEPT_MAX = 8192  # bytes; every game's opening together has some 3000
PLACES = (0x2000, 0x5000)  # behind the slots of the head, which have a 4 KiB page each
_MAGIC = b"CYO1"
_FORM = struct.Struct(">4sIH")  # magic, counter, length; then the bytes; then the CRC-32 of all
_CRC = struct.Struct(">I")


def read_kept(memory: Memory) -> bytes | None:
    """Returns what is kept; None where nothing whole is. Raises OSError."""
    found = [_read(memory, place) for place in PLACES]
    return max((each for each in found if each is not None), default=(0, None))[1]


def keep(memory: Memory, data: bytes) -> None:
    """Keeps these bytes instead of what was kept, durably. Raises OSError."""
    assert len(data) <= KEPT_MAX, len(data)
    found = [_read(memory, place) for place in PLACES]
    counters = [-1 if each is None else each[0] for each in found]
    older = counters.index(min(counters))
    slot = _FORM.pack(_MAGIC, max(counters) + 1, len(data)) + data
    slot += _CRC.pack(zlib.crc32(slot))
    write_checked(memory, PLACES[older], slot)


def _read(memory: Memory, place: int) -> tuple[int, bytes] | None:
    """Returns the counter and the bytes of one place; None where it is not whole."""
    head = memory.read(place, _FORM.size)
    magic, counter, size = _FORM.unpack(head)
    if magic != _MAGIC or size > KEPT_MAX:
        return None
    data = memory.read(place + _FORM.size, size + _CRC.size)
    if zlib.crc32(head + data[:size]) != _CRC.unpack_from(data, size)[0]:
        return None
    return counter, data[:size]
