"""Who said it: HMAC-SHA-256 (RFC 2104), cut to 64 bits. MicroPython has the hash but no hmac."""

import hashlib

SIZE = 8  # bytes on the line: one forgery in 2**64 tries, and a slot has room for a handful
KEY_SIZE = 32  # bytes of a key
_BLOCK = 64  # bytes SHA-256 takes at once


def hmac_sha256(key: bytes, data: bytes) -> bytes:
    """The whole code of `data`, 32 bytes."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    key = key + bytes(_BLOCK - len(key))
    inner = hashlib.sha256(bytes([byte ^ 0x36 for byte in key]) + data).digest()
    return hashlib.sha256(bytes([byte ^ 0x5C for byte in key]) + inner).digest()


def signed(key: bytes, payload: bytes) -> bytes:
    """`payload` and its code."""
    return payload + hmac_sha256(key, payload)[:SIZE]


def is_signed(key: bytes, data: bytes) -> bool:
    """Whether `data` ends with the code of what stands before it; in the same time either way."""
    if len(data) <= SIZE:
        return False
    code = hmac_sha256(key, data[:-SIZE])[:SIZE]
    differs = 0
    for at in range(SIZE):
        differs |= code[at] ^ data[at - SIZE]
    return differs == 0
