"""CBOR (RFC 8949) as far as a record needs it, read strictly: what has two forms is refused.

Integers, bytes, texts, arrays, maps, tags, true and false, in the core deterministic encoding
(4.2.1): shortest heads, no indefinite lengths, the keys of a map, unsigned here, ascending. So
equal values are equal bytes, and no two readers can differ.
"""

from firmware.shims.typed import Any, NamedTuple

DEPTH_MAX = 4  # a record's envelope takes three levels, its payload two
SIZE_MAX = 512  # bytes read at once: no frame carries more
_ENTRIES_MAX = 64  # of one array or map: a record has some thirty fields

_UNSIGNED, _NEGATIVE, _BYTES, _TEXT, _ARRAY, _MAP, _TAG, _SIMPLE = range(8)
_FALSE = 20
_TRUE = 21

Tag = NamedTuple("Tag", [("number", int), ("value", Any)])


class CborError(Exception):
    """Bytes that are not CBOR of the kind read here; the text says why."""


def decode(data: bytes) -> Any:
    """Reads the one value that `data` is, of a kind named above. Raises CborError."""
    if len(data) > SIZE_MAX:
        raise CborError("too long")
    value, end = _value(data, 0, 0)
    if end != len(data):
        raise CborError("bytes behind the end")
    return value


def _value(data: bytes, at: int, depth: int) -> "tuple[Any, int]":
    """The value that begins at `at`, and where it ends."""
    if depth > DEPTH_MAX:
        raise CborError("nested too deep")
    major, number, at = _head(data, at)
    if major == _UNSIGNED:
        return number, at
    if major == _NEGATIVE:
        return -1 - number, at
    if major == _BYTES:
        return _run(data, at, number)
    if major == _TEXT:
        found, end = _run(data, at, number)
        if not is_utf8(found):
            raise CborError("text that is not UTF-8")
        return found.decode(), end
    if major == _ARRAY:
        return _array(data, at, number, depth)
    if major == _MAP:
        return _map(data, at, number, depth)
    if major == _TAG:
        value, end = _value(data, at, depth + 1)
        return Tag(number, value), end
    if number in (_FALSE, _TRUE):
        return number == _TRUE, at
    raise CborError("neither true nor false")


def _head(data: bytes, at: int) -> "tuple[int, int, int]":
    """Major type and number of the head at `at`, and where it ends."""
    if at >= len(data):
        raise CborError("cut short")
    major, number = data[at] >> 5, data[at] & 31
    at += 1
    if number < 24:
        return major, number, at
    # 24 to 27: the number follows in 1, 2, 4 or 8 bytes. 28 to 30 mean nothing, 31 no end.
    if number > 27 or major == _SIMPLE:
        raise CborError("a head that is not read here")
    size = 1 << (number - 24)
    found, end = _run(data, at, size)
    number = int.from_bytes(found, "big")
    if number < 24 or (size > 1 and number >> (4 * size) == 0):
        raise CborError("a head longer than it must be")
    return major, number, end


def _run(data: bytes, at: int, size: int) -> "tuple[bytes, int]":
    """So many bytes from `at`, and where they end."""
    end = at + size
    if end > len(data):
        raise CborError("cut short")
    return data[at:end], end


def _array(data: bytes, at: int, count: int, depth: int) -> "tuple[Any, int]":
    if count > _ENTRIES_MAX:
        raise CborError("too many entries")
    values = []
    for _ in range(count):
        value, at = _value(data, at, depth + 1)
        values.append(value)
    return values, at


def _map(data: bytes, at: int, count: int, depth: int) -> "tuple[Any, int]":
    if count > _ENTRIES_MAX:
        raise CborError("too many entries")
    found: dict[int, Any] = {}
    last = -1
    for _ in range(count):
        major, key, at = _head(data, at)
        if major != _UNSIGNED or key <= last:
            raise CborError("keys that are not numbers, ascending")
        last = key
        found[key], at = _value(data, at, depth + 1)
    return found, at


def is_utf8(data: bytes) -> bool:
    """Tells whether this is UTF-8 (RFC 3629). MicroPython decodes some of what is not."""
    at = 0
    while at < len(data):
        byte = data[at]
        at += 1
        if byte < 0x80:
            continue
        if 0xC2 <= byte < 0xE0:
            more, least = 1, 0x80
        elif 0xE0 <= byte < 0xF0:
            more, least = 2, 0x800
        elif 0xF0 <= byte < 0xF5:
            more, least = 3, 0x10000
        else:
            return False
        code = byte & (0x3F >> more)
        for _ in range(more):
            if at >= len(data) or data[at] >> 6 != 2:
                return False
            code = code << 6 | data[at] & 0x3F
            at += 1
        if code < least or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
            return False
    return True
