"""The chain's form: an auditor works it out again with another program."""

import hashlib

from firmware.store.rows import START, follow

BODY = b'{"coup":1}'


def test_the_hash_of_a_row_is_over_these_very_bytes() -> None:
    """As firmware/store/rows.py tells it; bytes are written out here, not computed by it."""
    row = follow(START, "2026-11-23T20:15:03Z", "begun", BODY)
    told = bytes(32)
    told += b"\0\0\0\x011" + b"\0\0\0\x142026-11-23T20:15:03Z" + b"\0\0\0\x05begun"
    told += b"\0\0\0\x0a" + BODY
    assert row == (1, "2026-11-23T20:15:03Z", "begun", BODY, hashlib.sha256(told).digest())
