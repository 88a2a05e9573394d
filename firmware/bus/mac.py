"""Who said it: HMAC-SHA-256 (RFC 2104), cut to 64 bits. MicroPython has the hash but no hmac."""

import hashlib

SIZE = 8  # bytes on the line: one forgery in 2**64 tries, and a slot has room for a handful
KEY_SIZE = 32  # bytes of a key
_BLOCK = 64  # bytes SHA-256 takes at once
# As one number each: a heartbeat to 32 displays takes 32 codes, and the loop waits for it.
_INNER = int.from_bytes(b"\x36" * _BLOCK, "big")
_OUTER = int.from_bytes(b"\x5c" * _BLOCK, "big")


def hmac_sha256(key: bytes, data: bytes) -> bytes:
    """The whole code of `data`, 32 bytes."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    padded = int.from_bytes(key + bytes(_BLOCK - len(key)), "big")
    inner = hashlib.sha256((padded ^ _INNER).to_bytes(_BLOCK, "big") + data).digest()
    return hashlib.sha256((padded ^ _OUTER).to_bytes(_BLOCK, "big") + inner).digest()


def signed(key: bytes, payload: bytes) -> bytes:
    """`payload` and its code."""
    return payload + hmac_sha256(key, payload)[:SIZE]


def is_signed(key: bytes, data: bytes) -> bool:
    """Whether `data` ends with the code of what stands before it; in the same time either way."""
    if len(data) <= SIZE:
        return False
    return is_same(hmac_sha256(key, data[:-SIZE])[:SIZE], data[-SIZE:])


def is_same(code: bytes, other: bytes) -> bool:
    """Whether two codes are the same; in the same time either way."""
    differs = len(code) ^ len(other)
    for at in range(min(len(code), len(other))):
        differs |= code[at] ^ other[at]
    return differs == 0
