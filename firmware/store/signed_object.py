"""One object that the wheel's key signed, as bytes that lie in a file (CPython).

One COSE_Sign1 (RFC 9052) whose external data say what it is, so that nothing of one kind can pass
for another, nor for a record.
"""

from __future__ import annotations

from typing import Any

import cbor2
from nacl.signing import SigningKey

from firmware.bus import record
from firmware.bus.record import SIGNATURE_SIZE
from firmware.lib.signatures import verify

_COSE_SIGN1 = b"\xd2\x84"  # tag 18, an array of four
_NO_HEADERS = b"\xa0"
_SIGNATURE_HEAD = b"\x58\x40"  # 64 bytes follow

# Why bytes are not what was signed.
CUT, OTHER_KEY, ALTERED = "cut", "other key", "altered"


class NotSigned(Exception):
    """Bytes that this key did not sign: `why` is CUT, OTHER_KEY or ALTERED."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def sign(private: bytes, domain: bytes, said: dict[str, Any]) -> bytes:
    """Returns the object signed with the private key. `domain` says what it is."""
    payload = cbor2.dumps(said, canonical=True)
    key = SigningKey(private)
    name = record.key_id(bytes(key.verify_key))
    signature = key.sign(_to_be_signed(name, domain, payload)).signature
    return _head(name) + cbor2.dumps(payload) + cbor2.dumps(signature)


def read(data: bytes, public: bytes, domain: bytes) -> Any:
    """Returns what the key `public` signed as a `domain`. Raises NotSigned.

    Nothing is decoded before its signature holds.
    """
    name = record.key_id(public)
    head = _head(name)
    at = len(data) - SIGNATURE_SIZE
    if not data.startswith(head[:4]) or data[at - len(_SIGNATURE_HEAD) : at] != _SIGNATURE_HEAD:
        raise NotSigned(CUT)
    if not data.startswith(head):
        raise NotSigned(OTHER_KEY)
    payload, signature = _payload(data[len(head) : at - len(_SIGNATURE_HEAD)]), data[at:]
    if payload is None or not verify(public, signature, _to_be_signed(name, domain, payload)):
        raise NotSigned(ALTERED)
    return cbor2.loads(payload)


def _head(name: bytes) -> bytes:
    return _COSE_SIGN1 + cbor2.dumps(record.protected_header(name)) + _NO_HEADERS


def _to_be_signed(name: bytes, domain: bytes, payload: bytes) -> bytes:
    """RFC 9052, 4.4: context, protected header, external data, payload."""
    parts = ["Signature1", record.protected_header(name), domain, payload]
    found: bytes = cbor2.dumps(parts, canonical=True)
    return found


def _payload(data: bytes) -> bytes | None:
    """Returns the bytes of one CBOR byte string, in its shortest form."""
    for head in (1, 2, 3):  # of up to 23, 255 and 65535 bytes
        payload = data[head:]
        if cbor2.dumps(payload) == data:
            return payload
    return None
