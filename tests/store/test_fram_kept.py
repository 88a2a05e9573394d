"""What the FRAM keeps beside the head: what a torn write or a dead chip leaves of it."""

import errno

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_fram import Power, Ram, played

from firmware.store import fram
from firmware.store.fram import Head
from firmware.store.fram_kept import KEPT_MAX, PLACES, keep, read_kept


def test_a_new_chip_keeps_nothing():
    assert read_kept(Ram()) is None
    assert read_kept(Ram(b"\xff" * 32_768)) is None


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=6))
def test_the_last_that_was_kept_is_read(each):
    ram = Ram()
    for data in each:
        keep(ram, data)
        assert read_kept(ram) == data


def test_the_longest_lies_inside_the_chip_and_beside_the_other():
    ram = Ram()
    for byte in (b"a", b"b"):
        keep(ram, byte * KEPT_MAX)
        assert read_kept(ram) == byte * KEPT_MAX
    assert len(ram.data) == 32_768


@given(st.integers(0, 40))
def test_a_power_cut_leaves_what_was_kept_before(left):
    ram = Ram()
    keep(ram, b"the first")
    keep(ram, b"the second")
    ram.left = left
    try:
        keep(ram, b"the third")
    except Power:
        assert read_kept(ram) == b"the second"
    else:
        assert read_kept(ram) == b"the third"
    ram.left = None
    keep(ram, b"the fourth")
    assert read_kept(ram) == b"the fourth"


@given(st.integers(0, 30), st.integers(1, 255))
def test_a_flipped_byte_is_never_read_as_what_was_kept(at, flip):
    ram = Ram()
    keep(ram, b"the only one")
    ram.data[PLACES[0] + at] ^= flip
    assert read_kept(ram) in (None, b"the only one")
    if at < 26:  # magic, counter, length, twelve bytes, checksum
        assert read_kept(ram) is None


def test_a_chip_that_keeps_nothing_is_noticed():
    class Protected(Ram):
        def write(self, at, data):
            pass

    with pytest.raises(OSError, match="does not keep") as failed:
        keep(Protected(), b"x")
    assert failed.value.errno == errno.EIO


def test_the_head_and_what_is_kept_leave_each_other_alone():
    ram, head = played(rows=3)
    before = head.state
    head.keep(b"limits" * 1000)
    assert Head(ram).state == before
    fram.erase(ram)
    adopted = Head(ram, anew=True)
    adopted.stand(fram.START, 1)
    assert (Head(ram).state.next, adopted.kept()) == (fram.START, b"limits" * 1000)
