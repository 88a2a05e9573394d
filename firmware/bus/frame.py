"""One frame on the line: what makes a run of bytes a payload again, or nothing.

0x00, COBS(length, payload, CRC-32), 0x00. The first 0x00 ends whatever noise an idle line caught,
so that noise costs itself and not the frame behind it.
The CRC (IEEE 802.3, `binascii.crc32`) covers length and payload. Nothing here is secret or signed.
"""

import binascii
import struct

from firmware.bus import stuffing

# A signed result takes some 230 bytes (DESIGN section 4). Twice that lies 40 ms on the line at
# 115200 baud: no other message waits longer.
PAYLOAD_MAX = 480

# Field, struct code or size, meaning: docs/bus.md is generated from it.
# fmt: off
FIELDS = (
    ("length", "H", f"bytes of payload, 1 to {PAYLOAD_MAX}"),
    ("payload", "", "one message"),
    ("crc", "I", "CRC-32 (IEEE 802.3) of length and payload"),
)
# fmt: on
BYTE_ORDER = "<"
_LENGTH = BYTE_ORDER + FIELDS[0][1]
_CRC = BYTE_ORDER + FIELDS[2][1]
_LENGTH_SIZE = struct.calcsize(_LENGTH)
_CRC_SIZE = struct.calcsize(_CRC)
_BODY_MAX = _LENGTH_SIZE + PAYLOAD_MAX + _CRC_SIZE
# COBS adds a byte for each 254 begun. Longer runs without a 0x00 are not ours, and are not kept.
STUFFED_MAX = _BODY_MAX + (_BODY_MAX + 253) // 254

_DELIMITER = b"\0"


def encode(payload: bytes) -> bytes:
    """The frame of `payload`, delimiters included. Raises ValueError for 0 or too many bytes."""
    if not 0 < len(payload) <= PAYLOAD_MAX:
        raise ValueError(f"a payload has 1 to {PAYLOAD_MAX} bytes, not {len(payload)}")
    body = struct.pack(_LENGTH, len(payload)) + payload
    stuffed: bytes = stuffing.encode(body + struct.pack(_CRC, binascii.crc32(body)))
    return _DELIMITER + stuffed + _DELIMITER


def decode(stuffed: bytes) -> bytes | None:
    """The payload of what stood between two delimiters, or None if it is not whole and sound."""
    try:
        body = stuffing.decode(stuffed)
    except stuffing.DecodeError:
        return None
    if len(body) <= _LENGTH_SIZE + _CRC_SIZE:
        return None
    covered = body[:-_CRC_SIZE]
    if struct.unpack(_LENGTH, body[:_LENGTH_SIZE])[0] != len(covered) - _LENGTH_SIZE:
        return None
    if struct.unpack(_CRC, body[-_CRC_SIZE:])[0] != binascii.crc32(covered):
        return None
    payload: bytes = covered[_LENGTH_SIZE:]
    return payload


class Deframer:
    """Finds the payloads in a stream of bytes, however it is cut, whatever lies between them."""

    def __init__(self) -> None:
        self._held = b""
        self._too_long = False

    def feed(self, data: bytes) -> list[bytes]:
        """Takes the bytes that came; returns the sound payloads they complete, in order."""
        parts = bytes(data).split(_DELIMITER)
        payloads = []
        for part in parts[:-1]:
            self._hold(part)
            payload = None if self._too_long else decode(self._held)
            if payload is not None:
                payloads.append(payload)
            self._held = b""
            self._too_long = False
        self._hold(parts[-1])
        return payloads

    def _hold(self, part: bytes) -> None:
        if self._too_long or len(self._held) + len(part) > STUFFED_MAX:
            self._held = b""
            self._too_long = True
        else:
            self._held += part
