"""The frames between a wheel and a controller that are two processes."""

from tools.hil.stage.wire import Unpacker, pack

# COBS of [0x83 "edges" 5 1000] and its CRC-32, low byte first; then the zero.
GOLDEN = bytes.fromhex("1083656564676573051903e8356090f900")


def test_what_is_packed_comes_out_byte_by_byte() -> None:
    unpacker = Unpacker()
    found = []
    for byte in pack("edges", 5, 1000, 990, 2, 1) + pack("safety", 6, [0, 1]):
        found += unpacker.feed(bytes((byte,)))
    assert found == [["edges", 5, 1000, 990, 2, 1], ["safety", 6, [0, 1]]]


def test_a_frame_is_cobs_of_cbor_and_its_crc() -> None:
    assert pack("edges", 5, 1000) == GOLDEN


def test_a_spoiled_byte_loses_its_frame_and_no_other() -> None:
    first, second = pack("edges", 1, 10), pack("edges", 2, 20)
    for at in range(len(first) - 1):
        for flip in (0x01, 0x80, first[at]):  # the last makes a zero of it
            spoiled = bytearray(first)
            spoiled[at] ^= flip
            assert Unpacker().feed(bytes(spoiled) + b"\0" + second)[-1] == ["edges", 2, 20]
            assert ["edges", 1, 10] not in Unpacker().feed(bytes(spoiled) + second)
