from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import frame
from firmware.bus.frame import PAYLOAD_MAX, STUFFED_MAX, Deframer, encode

PAYLOADS = st.binary(min_size=1, max_size=PAYLOAD_MAX)
NOISE = st.binary(max_size=600)

# fmt: off
GOLDEN = (
    (b"a", "0002010661ebe236c400"),
    (b"\0", "000201010525b383fe00"),
    (b"123456789", "0002090e313233343536373839e1a2373d00"),
)
# fmt: on


@pytest.mark.parametrize(("payload", "line"), GOLDEN)
def test_a_frame_is_these_very_bytes(payload: bytes, line: str) -> None:
    assert encode(payload).hex() == line
    assert Deframer().feed(bytes.fromhex(line)) == [payload]


@given(PAYLOADS)
def test_any_payload_comes_back(payload: bytes) -> None:
    assert Deframer().feed(encode(payload)) == [payload]


@given(PAYLOADS)
def test_the_delimiter_stands_at_both_ends_and_nowhere_else(payload: bytes) -> None:
    line = encode(payload)
    assert line[0] == line[-1] == 0
    assert 0 not in line[1:-1]
    assert len(line) - 2 <= STUFFED_MAX


@pytest.mark.parametrize("size", [0, PAYLOAD_MAX + 1])
def test_a_payload_beyond_the_limits_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="1 to 480 bytes"):
        encode(bytes(size))


@given(before=NOISE, payload=PAYLOADS, after=NOISE)
def test_noise_before_and_after_costs_no_frame_and_makes_none(
    before: bytes, payload: bytes, after: bytes
) -> None:
    assert Deframer().feed(before + encode(payload) + after) == [payload]


@given(payloads=st.lists(PAYLOADS, max_size=4), noise=NOISE, cuts=st.lists(st.integers(1, 700)))
def test_it_does_not_matter_how_the_bytes_are_cut(
    payloads: list[bytes], noise: bytes, cuts: list[int]
) -> None:
    line = noise + b"".join(encode(payload) for payload in payloads)
    deframer, found = Deframer(), []
    for cut in cuts:
        found += deframer.feed(line[:cut])
        line = line[cut:]
    found += deframer.feed(line)
    assert found == payloads


@given(PAYLOADS)
def test_byte_by_byte_is_the_same_as_whole(payload: bytes) -> None:
    deframer = Deframer()
    found = [got for byte in encode(payload) * 2 for got in deframer.feed(bytes([byte]))]
    assert found == [payload, payload]


@given(payload=PAYLOADS, data=st.data())
def test_one_flipped_bit_never_makes_another_payload(payload: bytes, data: st.DataObject) -> None:
    line = bytearray(encode(payload))
    bit = data.draw(st.integers(0, len(line) * 8 - 1))
    line[bit // 8] ^= 1 << bit % 8
    # What stands before and behind may join what the flip tore open.
    found = Deframer().feed(encode(b"before") + line + encode(b"after"))
    assert [got for got in found if got not in (payload, b"before", b"after")] == []


def test_every_single_flip_in_a_short_frame_loses_it_or_changes_nothing() -> None:
    line = encode(bytes(range(22)))
    for bit in range(len(line) * 8):
        flipped = bytearray(line)
        flipped[bit // 8] ^= 1 << bit % 8
        inside = 8 <= bit < len(line) * 8 - 8
        found = Deframer().feed(bytes(flipped) + b"\0")
        assert found in ([], [bytes(range(22))])
        assert not (inside and found)


def test_a_run_too_long_to_be_a_frame_is_not_kept_and_the_next_frame_is_found() -> None:
    deframer = Deframer()
    for _ in range(1000):
        assert deframer.feed(b"\xaa" * 1000) == []
        assert len(deframer._held) <= STUFFED_MAX
    assert deframer.feed(encode(b"next")) == [b"next"]


def test_the_longest_frame_is_not_too_long() -> None:
    payload = b"\x55" * PAYLOAD_MAX
    assert Deframer().feed(encode(payload)) == [payload]


@pytest.mark.parametrize(
    "body",
    [
        b"\x02\x00a",  # says two bytes, brings one
        b"\x00\x00a",
        b"\x00\x00",  # no payload at all
        b"\x01",
    ],
)
def test_a_wrong_length_is_refused_even_with_a_right_crc(body: bytes) -> None:
    sealed = body + crc32(body).to_bytes(4, "little")
    assert frame.decode(frame.cobs.encode(sealed)) is None


@pytest.mark.parametrize("stuffed", [b"", b"\x05ab", b"\xff", b"\x01\x01\x01"])
def test_what_is_no_cobs_is_refused(stuffed: bytes) -> None:
    assert frame.decode(stuffed) is None
