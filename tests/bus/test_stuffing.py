"""The small COBS of the microcontrollers is the library's, byte for byte (docs/adr/0004)."""

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import cobs_small, frame

# Long runs without a zero are where COBS counts blocks.
RUNS = st.lists(st.binary(max_size=3) | st.integers(250, 260).map(lambda n: b"x" * n), max_size=5)
DATA = RUNS.map(b"".join)


def test_a_wheel_takes_the_library() -> None:
    assert frame.cobs is cobs


@given(DATA)
def test_the_small_one_encodes_as_the_library_does(data: bytes) -> None:
    assert cobs_small.encode(data) == cobs.encode(data)
    assert cobs_small.decode(cobs.encode(data)) == data


@given(st.binary(max_size=8) | DATA)
def test_the_small_one_decodes_and_refuses_as_the_library_does(data: bytes) -> None:
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        with pytest.raises(cobs_small.DecodeError):
            cobs_small.decode(data)
    else:
        assert cobs_small.decode(data) == expected
