"""Who said it: HMAC-SHA-256 (RFC 2104), cut to 64 bits. MicroPython has the hash but no hmac."""

import hashlib

SIZE = 8  # bytes on the line: one forgery in 2**64 tries, and a slot has room for a handful
KEY_SIZE = 32  # bytes of a key
_BLOCK = 64  # bytes SHA-256 takes at once
# As one number each: a heartbeat to 32 displays takes 32 codes, and the loop waits for it.
_INNER = int.from_bytes(b"\x36" * _BLOCK, "big")
_OUTER = int.from_bytes(b"\x5c" * _BLOCK, "big")
# What stands before the data, for each key: the same few keys are used all the time.
_PADS = {}  # type: dict[bytes, tuple[bytes, bytes]]
_PADS_MAX = 64  # keys: as many as a line has stations


def hmac_sha256(key: bytes, data: bytes) -> bytes:
    """Gives the whole code of `data`, 32 bytes."""
    pads = _PADS.get(key)
    if pads is None:
        pads = _pads(key)
        if len(_PADS) == _PADS_MAX:
            _PADS.clear()
        _PADS[key] = pads
    inner = hashlib.sha256(pads[0] + data).digest()
    return hashlib.sha256(pads[1] + inner).digest()


def signed(key: bytes, payload: bytes) -> bytes:
    """Gives `payload` and its code."""
    return payload + hmac_sha256(key, payload)[:SIZE]


def is_signed(key: bytes, data: bytes) -> bool:
    """Tells whether `data` ends with the code of what stands before it, always in the same time."""
    if len(data) <= SIZE:
        return False
    return is_same(hmac_sha256(key, data[:-SIZE])[:SIZE], data[-SIZE:])


def is_same(code: bytes, other: bytes) -> bool:
    """Tells whether two codes are the same, always in the same time."""
    differs = len(code) ^ len(other)
    for at in range(min(len(code), len(other))):
        differs |= code[at] ^ other[at]
    return differs == 0


def _pads(key: bytes) -> "tuple[bytes, bytes]":
    """Returns what is hashed before the data, and before the hash of that."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    padded = int.from_bytes(key + bytes(_BLOCK - len(key)), "big")
    return (padded ^ _INNER).to_bytes(_BLOCK, "big"), (padded ^ _OUTER).to_bytes(_BLOCK, "big")
