"""Checks Ed25519 signatures (RFC 8032) with PyNaCl: on CPython, for controllers and displays.

MicroPython has firmware/bus/ed25519.py instead, which tests hold to the same answers.
"""

from __future__ import annotations

# Not nacl.signing, which loads half a megabyte more: a display signs nothing.
from nacl.bindings import crypto_sign_BYTES, crypto_sign_open, crypto_sign_PUBLICKEYBYTES
from nacl.exceptions import BadSignatureError


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Returns whether `signature` is of `message`, by the owner of the key `public`.

    Raises nothing.
    """
    # The library reads as many bytes as a key and a signature must have, whatever there is.
    if len(public) != crypto_sign_PUBLICKEYBYTES or len(signature) != crypto_sign_BYTES:
        return False
    try:
        crypto_sign_open(signature + message, public)
    except BadSignatureError:
        return False
    return True
