"""One frame on the line: what makes a run of bytes a payload again, or nothing.

0x00, COBS(length, payload, CRC-32), 0x00. The first 0x00 ends whatever noise an idle line caught,
so that noise costs itself and not the frame behind it.
The CRC (IEEE 802.3, `binascii.crc32`) covers length and payload. Nothing here is secret or signed.
"""

import binascii
import struct

try:
    from cobs import cobs
except ImportError:  # MicroPython cannot run that package (docs/adr/0004)
    from firmware.bus import cobs_small as cobs

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
    """Frames `payload`, delimiters included. Raises ValueError for 0 or too many bytes."""
    if not 0 < len(payload) <= PAYLOAD_MAX:
        raise ValueError(f"a payload has 1 to {PAYLOAD_MAX} bytes, not {len(payload)}")
    body = struct.pack(_LENGTH, len(payload)) + payload
    stuffed: bytes = cobs.encode(body + struct.pack(_CRC, binascii.crc32(body)))
    return _DELIMITER + stuffed + _DELIMITER


def decode(stuffed: bytes) -> bytes | None:
    """Gives the payload that stood between two delimiters; None if it is not whole and sound."""
    try:
        body = cobs.decode(stuffed)
    except cobs.DecodeError:
        return None
    end = len(body) - _CRC_SIZE  # of the payload
    if end <= _LENGTH_SIZE or struct.unpack_from(_LENGTH, body)[0] != end - _LENGTH_SIZE:
        return None
    if struct.unpack_from(_CRC, body, end)[0] != binascii.crc32(body[:end]):
        return None
    payload: bytes = body[_LENGTH_SIZE:end]
    return payload


class Deframer:
    """Finds the payloads in a stream of bytes, however it is cut, whatever lies between them."""

    def __init__(self) -> None:
        self._held = b""
        self._room = STUFFED_MAX  # for what has come since the last delimiter

    def feed(self, data: bytes) -> list[bytes]:
        """Takes the bytes that came; returns the sound payloads they complete, in order."""
        parts = bytes(data).split(_DELIMITER)
        payloads = []
        for part in parts[:-1]:
            whole = self._held + part
            # Between two frames stand two delimiters, and nothing.
            payload = decode(whole) if 0 < len(whole) <= self._room else None
            if payload is not None:
                payloads.append(payload)
            self._held = b""
            self._room = STUFFED_MAX
        self._held += parts[-1]
        if len(self._held) > self._room:
            self._held = b""
            self._room = 0  # until the next delimiter nothing is a frame
        return payloads
