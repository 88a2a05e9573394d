"""The two slots: what a torn write, a flipped bit and a dead chip leave of them."""

import contextlib
import errno
import hashlib
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.fram_mb85rc256v import FramMb85rc256v
from firmware.shims.virtual import VirtualMachine
from firmware.store import fram
from firmware.store.fram import START, Head, HeadError, Point, Slot
from tools.sim.chips import attach

SIZE = 32_768
BASES = (0x0000, 0x1000)


def point(n):
    return START if n == 0 else Point(n, hashlib.sha256(b"row %d" % n).digest())


class Power(Exception):
    """The power fails."""


class Ram:
    """A memory whose power may fail after so many bytes more."""

    def __init__(self, data=bytes(SIZE)):
        self.data = bytearray(data)
        self.left = None  # bytes until the power fails
        self.writes = 0

    def read(self, at, size):
        return bytes(self.data[at : at + size])

    def write(self, at, data):
        self.writes += 1
        kept = len(data) if self.left is None else min(self.left, len(data))
        self.data[at : at + kept] = data[:kept]
        if self.left is not None:
            self.left -= kept
            if kept < len(data):
                raise Power


def played(rows=3, pending=None):
    """A FRAM after so many commits of a row; the last is still on its way if it is pending."""
    ram = Ram()
    head = Head(ram)
    for n in range(rows):
        head.before(point(n), point(n + 1), 1, pending)
        if pending is None or n + 1 < rows:
            head.after()
    return ram, head


# --- the form -----------------------------------------------------------------------------------
SLOTS = st.builds(
    Slot,
    st.integers(0, 2**64 - 1),
    st.binary(min_size=8, max_size=8),
    st.integers(0, 2**32 - 1),
    st.builds(Point, st.integers(0, 2**64 - 1), st.binary(min_size=32, max_size=32)),
    st.builds(Point, st.integers(0, 2**64 - 1), st.binary(min_size=32, max_size=32)),
    st.none() | st.binary(min_size=1, max_size=fram.PENDING_MAX),
)
GOLDEN = Slot(
    3, bytes(range(8)), 2, Point(7, b"\x11" * 32), Point(9, b"\x22" * 32), b"a result's row"
)


def test_a_slot_has_a_golden_form():
    assert fram.encode(GOLDEN).hex() == (
        "43594c340100000e0000000000000003000102030405060700000002"
        "0000000000000007" + "11" * 32 + "0000000000000009" + "22" * 32 +
        "6120726573756c74277320726f77" + fram.encode(GOLDEN)[-4:].hex()
    )  # fmt: skip
    assert fram.encode(GOLDEN)[-4:].hex() == "7285e24f"
    assert fram.decode(fram.encode(GOLDEN)) == GOLDEN


@given(slot=SLOTS, after=st.binary(max_size=40))
def test_what_is_encoded_is_decoded_whatever_lies_behind(slot, after):
    assert fram.decode(fram.encode(slot) + after) == slot


@given(data=st.binary(max_size=300))
def test_noise_is_no_slot(data):
    assert fram.decode(data) is None
    assert fram.decode(fram.encode(GOLDEN)[:8] + data) is None


@settings(deadline=None)
@given(slot=SLOTS)
def test_no_beginning_of_a_slot_is_a_slot(slot):
    data = fram.encode(slot)
    for size in range(len(data)):
        other = bytes((data[size] ^ 0xFF,))  # zeros alone might happen to be the end
        assert fram.decode(data[:size] + other + bytes(1024 - size)) is None


def test_no_slot_with_one_bit_or_two_neighbours_flipped_is_a_slot():
    data = fram.encode(GOLDEN)
    for at in range(8 * len(data)):
        for width in (1, 3):
            other = int.from_bytes(data) ^ width << at
            assert fram.decode((other % (1 << 8 * len(data))).to_bytes(len(data))) is None


def test_a_newer_version_is_refused_and_says_so():
    data = bytearray(fram.encode(GOLDEN)[:-4])
    data[4] = 2
    data += zlib.crc32(bytes(data)).to_bytes(4)
    with pytest.raises(HeadError, match="version 2, this is version 1: install the newer"):
        fram.decode(bytes(data))


# --- torn and flipped ---------------------------------------------------------------------------
@pytest.mark.req("ON-3.2.4.survive")
@pytest.mark.parametrize("pending", [None, b"a result of some length" * 20])
def test_a_write_cut_after_any_byte_leaves_what_was_or_has_what_came(pending):
    before, _ = played(rows=3)
    was = Head(Ram(before.data)).state
    size = len(fram.encode(was._replace(pending=pending)))
    for left in range(size + 1):
        ram = Ram(before.data)
        head = Head(ram)
        ram.left = left
        try:
            head.before(point(3), point(4), 1, pending)
        except Power:
            assert left < size
        found = Head(Ram(ram.data)).state
        came = Slot(was.counter + 1, was.fram_id, 1, point(3), point(4), pending)
        # Bytes that are as they were need not be written: a whole slot may be there before its end.
        assert found == came if left == size else found in (was, came)
        assert found == was or ram.data[: len(ram.data)] != before.data


def test_the_first_write_of_all_cut_after_any_byte_is_a_blank_fram_or_the_slot():
    for blank in (b"\0", b"\xff"):
        for left in range(117):
            ram = Ram(blank * SIZE)
            head = Head(ram)
            ram.left = left
            with contextlib.suppress(Power):
                head.before(START, point(1), 1)
            state = Head(Ram(ram.data)).state
            assert state is None or state.next == point(1)
            # The checksum ends it: where its last bytes are as the blank ones, less is enough.
            assert state is None or left >= 112 - 4
            assert state is not None or left < 112


def test_a_torn_write_over_a_torn_write_leaves_the_other_slot():
    before, _ = played(rows=3)
    was = Head(Ram(before.data)).state
    for first in range(0, 130, 7):
        for second in range(0, 130, 7):
            ram = Ram(before.data)
            for left in (first, second):
                ram.left = left
                with pytest.raises(Power):
                    Head(ram).before(point(3), point(4), 1, b"something pending, for its length")
            assert Head(Ram(ram.data)).state == was


@pytest.mark.parametrize("pending", [None, b"a result"])
def test_every_flipped_bit_of_the_newest_slot_falls_back_to_the_other(pending):
    ram, head = played(rows=3, pending=pending)
    newest = head.state
    place = BASES[newest.counter % 2]
    other = fram.decode(ram.read(BASES[1 - newest.counter % 2], 1024))
    for bit in range(8 * len(fram.encode(newest))):
        copy = Ram(ram.data)
        copy.data[place + bit // 8] ^= 1 << bit % 8
        assert Head(copy).state == other


@pytest.mark.parametrize("pending", [None, b"a result"])
def test_every_flipped_bit_of_the_older_slot_does_nothing(pending):
    ram, head = played(rows=3, pending=pending)
    place = BASES[1 - head.state.counter % 2]
    for bit in range(8 * 112):
        copy = Ram(ram.data)
        copy.data[place + bit // 8] ^= 1 << bit % 8
        assert Head(copy).state == head.state


@pytest.mark.req("ON-3.2.3.corrupted")
@given(cuts=st.tuples(st.integers(0, 111), st.integers(0, 111)))
def test_two_damaged_slots_are_refused_and_nothing_is_overwritten(cuts):
    ram, _ = played(rows=3)
    for base, at in zip(BASES, cuts, strict=True):
        ram.data[base + at] ^= 0x55
    was = bytes(ram.data)
    with pytest.raises(HeadError, match="journal adopt"):
        Head(ram)
    assert bytes(ram.data) == was
    assert ram.writes == 6


def test_two_damaged_slots_are_one_sentence_with_its_remedy():
    ram, _ = played(rows=3)
    for base in BASES:
        ram.data[base + 30] ^= 1
    with pytest.raises(HeadError, match=r"^Both slots of the FRAM are damaged\. Have the board"):
        Head(ram)


def test_a_fram_with_something_else_in_it_is_refused():
    ram = Ram(b"somebody's recipe" + bytes(SIZE))
    with pytest.raises(HeadError, match=r"not ours\. Use one that is blank"):
        Head(ram)


def test_a_slot_copied_over_the_other_is_not_believed():
    ram, head = played(rows=3)
    newest = BASES[head.state.counter % 2]
    older = BASES[1 - head.state.counter % 2]
    copy = Ram(ram.data)
    copy.data[older : older + 1024] = ram.data[newest : newest + 1024]
    assert Head(copy).state == head.state
    copy = Ram(ram.data)
    copy.data[newest : newest + 1024] = ram.data[older : older + 1024]
    assert Head(copy).state == fram.decode(ram.read(older, 1024))


@pytest.mark.parametrize("what", ["another id", "a gap"])
def test_slots_that_do_not_belong_together_are_refused(what):
    ram, head = played(rows=3)
    other = head.state._replace(counter=head.state.counter + 3)
    if what == "another id":
        other = head.state._replace(counter=head.state.counter + 1, fram_id=b"somebody")
    data = fram.encode(other)
    base = BASES[other.counter % 2]
    ram.data[base : base + len(data)] = data
    with pytest.raises(HeadError, match="do not belong together"):
        Head(ram)


def test_a_blank_one_of_zeros_or_of_ones_is_new():
    for blank in (b"\0", b"\xff"):
        head = Head(Ram(blank * SIZE))
        assert head.state is None
        assert head.epoch == 0
        assert len(head.fram_id) == fram.ID_SIZE


def test_the_id_is_chance_and_stays():
    ram, head = played(rows=1)
    other = Head(Ram())
    assert other.fram_id != head.fram_id
    again = Head(ram)
    again.before(point(1), point(2), 2)
    assert Head(ram).fram_id == head.fram_id
    assert Head(ram).epoch == 2


def test_taken_over_anew_it_has_another_id_and_nothing_of_the_old():
    ram, head = played(rows=4, pending=b"old")
    new = Head(ram, anew=True)
    assert new.fram_id != head.fram_id
    new.before(START, point(9), 5)
    found = Head(ram)
    assert found.state == Slot(0, new.fram_id, 5, START, point(9), None)
    new.after()
    assert Head(ram).state == Slot(1, new.fram_id, 5, point(9), point(9), None)


def test_taking_over_cut_after_any_byte_is_the_old_the_new_or_a_blank_one():
    for rows in (3, 4):
        before, old = played(rows=rows)
        for left in range(1024 + 113):
            ram = Ram(before.data)
            new = Head(ram, anew=True)
            ram.left = left
            with contextlib.suppress(Power):
                new.before(START, point(9), 5)
            try:
                state = Head(Ram(ram.data)).state
            except HeadError:
                continue  # refused, and taken over again
            assert state is None or state.fram_id in (old.fram_id, new.fram_id)


# --- trouble ------------------------------------------------------------------------------------
class Dead(Ram):
    """An I2C bus that may be dead."""

    dead = False

    def read(self, at, size):
        if self.dead:
            raise OSError(errno.ETIMEDOUT, "Connection timed out")
        return super().read(at, size)

    def write(self, at, data):
        if self.dead:
            raise OSError(errno.ETIMEDOUT, "Connection timed out")
        super().write(at, data)


def test_a_chip_that_does_not_answer_at_the_start_is_an_os_error():
    dead = Dead()
    dead.dead = True
    with pytest.raises(OSError, match="timed out"):
        Head(dead)


def test_a_write_protected_chip_is_noticed_before_anything_is_committed():
    machine = VirtualMachine()
    chip = attach(machine, 1, 0x50)
    head = Head(FramMb85rc256v(machine.I2C(1)))
    chip.protected = True
    with pytest.raises(OSError, match="does not keep what it is told"):
        head.before(START, point(1), 1)
    chip.protected = False
    head.before(START, point(1), 1)
    head.after()
    assert head.state.base == point(1)


def test_what_failed_is_tried_again_in_the_same_slot():
    ram = Dead()
    head = Head(ram)
    head.before(START, point(1), 1)
    head.after()
    ram.dead = True
    for _ in range(3):
        with pytest.raises(OSError, match="timed out"):
            head.before(point(1), point(2), 1, b"a result")
    ram.dead = False
    head.before(point(1), point(2), 1, b"a result")
    assert Head(ram).state == Slot(2, head.fram_id, 1, point(1), point(2), b"a result")


def test_one_given_up_is_not_asked_until_it_is_due_and_then_goes_on_at_the_journals_head():
    ram = Dead()
    head = Head(ram)
    head.before(START, point(1), 1)
    head.after()
    ram.dead = True
    assert not head.due(1000.0)
    head.give_up("no answer", 100.0)
    head.before(point(1), point(3), 1, b"a result")
    head.after()
    assert head.lost == "no answer"
    assert not head.due(100.0 + fram.AGAIN_S - 1)
    assert head.due(100.0 + fram.AGAIN_S)
    with pytest.raises(OSError, match="timed out"):
        head.resume(point(3), 1, 130.0)
    assert head.lost == "no answer"
    assert not head.due(130.0 + fram.AGAIN_S - 1)
    ram.dead = False
    assert head.due(200.0)
    head.resume(point(7), 1, 200.0)
    assert head.lost is None
    assert not head.due(1000.0)
    assert Head(ram).state.next == point(7)
    head.before(point(7), point(8), 1)
    assert Head(ram).state.base == point(7)


def test_another_chip_put_in_meanwhile_is_not_taken_up():
    ram, head = played(rows=2)
    head.give_up("no answer", 0.0)
    other, _ = played(rows=2)
    for data in (other.data, bytes(SIZE), b"noise" * 5 + bytes(SIZE)):
        ram.data[:] = data[:SIZE]
        with pytest.raises(OSError, match=r"another FRAM answers|not ours"):
            head.resume(point(9), 1, 1.0)
        assert head.lost == "no answer"
        assert bytes(ram.data) == bytes(data[:SIZE])
