"""Signs records: PyNaCl and `cbor2` (CPython).

What is signed here must be read by firmware/bus/record.py, and is, before it leaves.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import cbor2
from nacl.signing import SigningKey

from firmware.bus import messages, record
from firmware.bus.message_bytes import cut
from firmware.lib.signatures import verify as verify  # what is signed here, checked there
from firmware.store.source_hash import HASH_SIZE

PRIVATE_SIZE = 32  # bytes of a private key


class Signer:
    """Signs with one private key."""

    def __init__(self, private: bytes) -> None:
        """`private`: PRIVATE_SIZE bytes. Raises ValueError for another size."""
        self._key = SigningKey(private)
        self.public = bytes(self._key.verify_key)
        self.kid = record.key_id(self.public)

    def sign(self, fields: dict[str, Any]) -> bytes:
        """Returns the record with these fields of record.FIELDS by name, codes as their words.

        What is None is left out; names of people are cut to record.NAME_MAX, and where a round's
        record would be too long with that, as far as it must. Raises ValueError, a sentence, for
        what no reader would take.
        """
        name_max = record.NAME_MAX
        data = self._signed(fields, name_max)
        while len(data) > record.RECORD_MAX and fields.get("manual") and name_max > 1:
            name_max -= 1
            data = self._signed(fields, name_max)
        if len(data) > record.RECORD_MAX:
            raise ValueError(f"A record of {len(data)} bytes: {record.RECORD_MAX} is the limit.")
        if record.parse(data) is None:
            raise ValueError(f"No reader would take this record: {_told(fields)}.")
        return data

    def _signed(self, fields: dict[str, Any], name_max: int) -> bytes:
        """Returns the record, of whatever length; names of people are cut to so many bytes."""
        payload = cbor2.dumps(_by_key(fields, name_max), canonical=True)
        signature = self._key.sign(record.to_be_signed(self.kid, payload)).signature
        parts = [record.protected_header(self.kid), {}, payload, signature]
        data: bytes = cbor2.dumps(cbor2.CBORTag(18, parts), canonical=True)
        return data


def new_key() -> bytes:
    """Returns a new private key."""
    return bytes(SigningKey.generate())


def public_of(private: bytes) -> bytes:
    """Returns the public half of a private key."""
    return bytes(SigningKey(private).verify_key)


def rules_hash(rules: dict[str, Any]) -> bytes:
    """Returns the SHA-256, cut, of rules as rules.load gives them, their layout included."""
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).digest()[:HASH_SIZE]


def _by_key(fields: dict[str, Any], name_max: int = record.NAME_MAX) -> dict[int, Any]:
    """Fields as they stand in a payload. Raises ValueError for a name or word that is not known."""
    unknown = sorted(set(fields) - set(record.NAMES))
    if unknown:
        raise ValueError(f"A record has no field {', '.join(unknown)}.")
    found: dict[int, Any] = {}
    for key, name, form, limits, _ in record.FIELDS:
        value = fields.get(name)
        if value is None:
            continue
        if name == "reason":
            value = messages.known_reason(value)
        if form == "code":
            codes = {word: code for code, word in limits}
            if value not in codes:
                raise ValueError(f"A record's {name} is never {value}.")
            value = codes[value]
        elif form == "people":
            value = [cut(str(person).encode(), name_max).decode() for person in value]
        found[key] = value
    return found


def _told(fields: dict[str, Any]) -> str:
    """Fields as a person reads them."""
    told = []
    for name in record.NAMES:
        value = fields.get(name)
        if value is not None:
            shown = value.hex() if isinstance(value, bytes) else value
            told.append(f"{name} {shown}")
    return ", ".join(told)
