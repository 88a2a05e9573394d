"""What controller and wheel say to each other over a serial line: frames of COBS, CBOR and CRC-32.

From the controller: `hello` (nonce): it has begun, and has seen nothing of the wheel yet; `out`
(pin, level, duty, ...): outputs that changed. From the wheel: `begin` (nonce, at_us, levels,
safety), the answer to hello; `edges` (until_us, at_us, line, level, ...): all edges up to until_us;
`safety` (levels): safety inputs. Each of the wheel's is numbered, so that a lost one shows.
Times are microseconds of CLOCK_MONOTONIC: both processes are on one machine.
"""

from __future__ import annotations

import zlib
from typing import Any

import cbor2
from cobs import cobs

HELLO, OUT, BEGIN, EDGES, SAFETY = "hello", "out", "begin", "edges", "safety"
_CRC_BYTES = 4
_FRAME_MAX = 1 << 20  # what never ends is noise


def pack(*said: Any) -> bytes:
    """One frame, with the zero that ends it."""
    body = cbor2.dumps(said)
    return bytes(cobs.encode(body + zlib.crc32(body).to_bytes(_CRC_BYTES, "little"))) + b"\0"


class Unpacker:
    """Finds whole frames in bytes as they come. What is spoiled is passed over."""

    def __init__(self) -> None:
        """Nothing has come."""
        self._held = b""

    def feed(self, data: bytes) -> list[list[Any]]:
        """The frames that are complete now."""
        *whole, self._held = (self._held + data).split(b"\0")
        if len(self._held) > _FRAME_MAX:
            self._held = b""
        return [said for said in map(_unpacked, whole) if said is not None]


def _unpacked(frame: bytes) -> list[Any] | None:
    try:
        data = cobs.decode(frame)
        body, crc = data[:-_CRC_BYTES], data[-_CRC_BYTES:]
        if zlib.crc32(body).to_bytes(_CRC_BYTES, "little") != crc:
            return None
        said = cbor2.loads(body)
    except (cobs.DecodeError, cbor2.CBORDecodeError):
        return None
    return list(said) if said else None
