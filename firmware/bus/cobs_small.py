"""COBS (Cheshire and Baker, 1999): bytes without a zero, so that a zero can end a frame.

For a display on a microcontroller, where the `cobs` package does not run (docs/adr/0004). A test
holds this to that package, byte for byte.
"""

_BLOCK = 254  # bytes that one code byte can announce


class DecodeError(Exception):
    """Bytes that no encoder wrote."""


def encode(data: bytes) -> bytes:
    """Gives `data` without zeros, one byte in 254 longer at most (and one byte at least)."""
    out = bytearray()
    parts = bytes(data).split(b"\0")
    last = len(parts) - 1
    for number, part in enumerate(parts):
        whole = len(part) // _BLOCK * _BLOCK
        for begin in range(0, whole, _BLOCK):
            out.append(_BLOCK + 1)
            out.extend(part[begin : begin + _BLOCK])
        if number < last or whole < len(part) or not part:
            out.append(len(part) - whole + 1)
            out.extend(part[whole:])
    return bytes(out)


def decode(data: bytes) -> bytes:
    """Gives what `encode` was given. Raises DecodeError for a zero, or a block cut short."""
    data = bytes(data)
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        block = data[at + 1 : at + code]
        if len(block) != code - 1 or block.find(b"\0") >= 0:
            raise DecodeError("zero byte, or a block cut short")
        out.extend(block)
        at += code
        if code <= _BLOCK and at < len(data):
            out.append(0)
    return bytes(out)
