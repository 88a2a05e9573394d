"""Reads and verifies the golden records, printed: the same lines on CPython and MicroPython.

    record_script.py records.json

Not a test by itself. test_record_script.py holds CPython to the golden lines; `make micropython`
runs the same file on the device's interpreter and compares.
"""

import json
import sys

from firmware.bus import ed25519, record, sha512


def shown(value):
    """A field as both interpreters write it."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return "+".join(value)
    return str(value)


def told(found):
    """A record in one line."""
    if found is None:
        return "None"
    fields = [(record.NAMES[at], found[at]) for at in range(len(record.NAMES))]
    return " ".join([name + "=" + shown(value) for name, value in fields if value is not None])


def spoiled(data):
    """The record with one bit wrong, in each of its parts, and cut, and longer."""
    for at in (0, 3, 9, 17, 40, len(data) - 70, len(data) - 40, len(data) - 1):
        other = bytearray(data)
        other[at] ^= 1 << at % 8
        yield bytes(other)
    yield data[:-1]
    yield data + b"\0"


def lines(path):
    """What is believed of the file's records, and what is not."""
    with open(path) as file:
        vectors = json.load(file)
    key = bytes.fromhex(vectors["root"])
    for vector in vectors["records"]:
        data = bytes.fromhex(vector["cose"])
        found = record.decode_signed(data, key, ed25519.verify)
        yield vector["name"] + " " + told(found)
        yield record.kid(data).hex() + " " + record.digest(data).hex()
        believed = [record.decode_signed(other, key, ed25519.verify) for other in spoiled(data)]
        in_form = [record.parse(other) is not None for other in spoiled(data)]
        yield f"spoiled: {len(believed)}, believed: {len(believed) - believed.count(None)}"
        yield f"in form: {in_form}"
        if found is not None and found.next_key is not None:
            key = found.next_key
    for size in (0, 1, 111, 112, 127, 128, 300):
        yield sha512.small(bytes(range(256)) * 2)[:4].hex() + sha512.small(b"a" * size).hex()


if __name__ == "__main__":
    for line in lines(sys.argv[1]):
        print(line)
