"""Each message of the shoe's line, byte for byte: written from docs/shoe.md without our code."""

import hashlib
import hmac
import struct
import zlib

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from drivers import shoe_messages as messages
from drivers.shoe_messages import Message, opened, written
from firmware.bus import frame

KEY = bytes(range(32))
SESSION, BOOT, COUNTER = 0x1122334455667788, 0x99AABBCCDDEEFF01, 258
VIRTUAL, SERIAL, IDENT = b"virtual".ljust(16, b"\0"), b"0001".ljust(16, b"\0"), b"S17-0345"
# Kind, values of the message, and its body as struct packs it.
# fmt: off
BODIES = (
    (1, (VIRTUAL, SERIAL, 6, 258, 3), struct.pack("<16s16sBII", b"virtual", b"0001", 6, 258, 3)),
    (2, (7, 1000, 22, IDENT.ljust(16, b"\0"), 22, 255),
     struct.pack("<IIB16sBB", 7, 1000, 22, IDENT, 22, 255)),
    (3, (8, 1100, 2), struct.pack("<IIB", 8, 1100, 2)),
    (4, (9, 1200), struct.pack("<II", 9, 1200)),
    (5, (10, 1300), struct.pack("<II", 10, 1300)),
    (6, (11, 1400), struct.pack("<II", 11, 1400)),
    (7, (11, 1500, 5), struct.pack("<IIB", 11, 1500, 5)),
    (17, (11, 4), struct.pack("<II", 11, 4)),
    (18, (), b""),
    (19, (1,), b"\1"),
    (20, (1,), b"\x01"),
    (21, (257,), struct.pack("<I", 257)),
)
# fmt: on
ALL_KINDS = tuple(kind for kind, _, _ in BODIES)


def line(kind: int, body: bytes, key: bytes | None) -> bytes:
    """A frame, by the page alone."""
    payload = struct.pack("<BBQQI", 1, kind, SESSION, BOOT, COUNTER) + body
    if key is not None:
        payload += hmac.new(key, payload, hashlib.sha256).digest()[:8]
    whole = struct.pack("<H", len(payload)) + payload
    return b"\0" + cobs.encode(whole + struct.pack("<I", zlib.crc32(whole))) + b"\0"


def payload_of(kind: int, key: bytes | None) -> bytes:
    body = next(body for code, _, body in BODIES if code == kind)
    (payload,) = frame.Deframer().feed(line(kind, body, key))
    return payload


def test_every_kind_has_its_row_here() -> None:
    assert sorted(ALL_KINDS) == sorted(messages.FROM_SHOE + messages.FROM_TABLE)
    assert sorted(ALL_KINDS) == sorted(code for code, *_ in messages.KINDS)


@pytest.mark.parametrize(("kind", "values", "body"), BODIES)
@pytest.mark.parametrize("key", [KEY, None], ids=["with a key", "without"])
def test_a_message_is_these_very_bytes(
    kind: int, values: tuple[object, ...], body: bytes, key: bytes | None
) -> None:
    message = Message(kind, SESSION, BOOT, COUNTER, values)
    assert frame.encode(written(message, key)) == line(kind, body, key)
    assert opened(written(message, key), key, ALL_KINDS) == message


def test_two_of_them_as_they_lie_on_the_line() -> None:
    assert line(3, BODIES[2][2], KEY).hex() == (
        "000227150103887766554433221101ffeeddccbbaa9902010102080101034c04010e02e9874cdb7c"
        "1797202252d14700"
    )
    assert line(17, BODIES[7][2], None).hex() == (
        "00021e150111887766554433221101ffeeddccbbaa99020101020b010102040101053ce506bc00"
    )


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_what_goes_one_way_is_nothing_the_other_way(kind: int) -> None:
    others = messages.FROM_TABLE if kind in messages.FROM_SHOE else messages.FROM_SHOE
    assert opened(payload_of(kind, KEY), KEY, others) is None


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_one_flipped_bit_anywhere_is_not_the_keys(kind: int) -> None:
    payload = payload_of(kind, KEY)
    for bit in range(8 * len(payload)):
        flipped = bytearray(payload)
        flipped[bit // 8] ^= 1 << bit % 8
        assert opened(bytes(flipped), KEY, ALL_KINDS) is None


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_what_has_no_code_or_one_too_many_is_not_opened(kind: int) -> None:
    assert opened(payload_of(kind, None), KEY, ALL_KINDS) is None
    assert opened(payload_of(kind, KEY), None, ALL_KINDS) is None
    assert opened(payload_of(kind, KEY), KEY[::-1], ALL_KINDS) is None


def bare(kind: int, body: bytes, version: int = 1) -> bytes:
    return struct.pack("<BBQQI", version, kind, SESSION, BOOT, COUNTER) + body


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\1",
        bare(4, struct.pack("<II", 1, 0), version=2),
        bare(9, struct.pack("<II", 1, 0)),
        bare(4, struct.pack("<I", 1)),
        bare(4, struct.pack("<IIB", 1, 0, 0)),
        bare(4, struct.pack("<II", 0, 0)),  # no event has the number 0
        bare(3, struct.pack("<IIB", 1, 0, 3)),
        bare(2, struct.pack("<IIB16sBB", 1, 0, 52, b"", 1, 1)),
        bare(2, struct.pack("<IIB16sBB", 1, 0, 1, b"", 254, 1)),
        bare(2, struct.pack("<IIB16sBB", 1, 0, 1, b"a\0b", 1, 1)),
        bare(2, struct.pack("<IIB16sBB", 1, 0, 1, b"\x1b[2J", 1, 1)),
        bare(1, struct.pack("<16s16sBII", b"\x7f", b"1", 6, 1, 0)),
        bare(1, struct.pack("<16s16sBII", b"a", "é".encode(), 6, 1, 0)),
        bare(1, struct.pack("<16s16sBII", b"a", b"1", 0, 1, 0)),
        bare(1, struct.pack("<16s16sBII", b"a", b"1", 6, 0, 0)),
        bare(1, struct.pack("<16s16sBII", b"a", b"1", 6, 1 << 31, 0)),
        bare(1, struct.pack("<16s16sBII", b"a", b"1", 6, 1, 1 << 31)),
        bare(4, struct.pack("<II", 1 << 31, 0)),
        bare(7, struct.pack("<IIB", 1 << 31, 0, 0)),
        bare(7, struct.pack("<IIB", 1, 0, 8)),
        bare(19, b"\2"),
    ],
)
def test_what_contradicts_itself_is_nothing(payload: bytes) -> None:
    assert opened(payload, None, ALL_KINDS) is None


@given(st.binary(max_size=80))
def test_any_bytes_are_nothing_or_these_very_bytes_again(payload: bytes) -> None:
    for each in (payload, b"\1" + payload):
        message = opened(each, None, ALL_KINDS)
        assert message is None or written(message, None) == each
        assert opened(each, KEY, ALL_KINDS) is None


@pytest.mark.parametrize("name", ["seventeen letters", "é", "a\0", "\t"])
def test_a_name_that_does_not_fit_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="16 letters"):
        messages.name_bytes(name)


@pytest.mark.parametrize("name", ["", "S17-0345", "sixteen letters!"])
def test_a_name_comes_back(name: str) -> None:
    assert messages.name_of(messages.name_bytes(name)) == name
