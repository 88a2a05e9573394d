"""The strict decoder against `cbor2`: what that encodes canonically, and nothing else."""

from typing import Any

import cbor2
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from firmware.bus import cbor_small
from firmware.bus.cbor_small import CborError, Tag, decode

KEYS = st.integers(0, 2**64 - 1)
LEAVES = (
    st.integers(-(2**64), 2**64 - 1) | st.booleans() | st.binary(max_size=40) | st.text(max_size=20)
)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)


def _depth(value: Any) -> int:
    if isinstance(value, Tag | cbor2.CBORTag):
        return 1 + _depth(value.value)
    inner = list(value.values()) if isinstance(value, dict) else value
    return 1 + max(map(_depth, inner), default=0) if isinstance(inner, list) else 0


def _tags(value: Any) -> set[int]:
    if isinstance(value, Tag):
        return {value.number} | _tags(value.value)
    inner = list(value.values()) if isinstance(value, dict) else value
    return set().union(*map(_tags, inner)) if isinstance(inner, list) else set()


# Of which cbor2 makes dates and the like, or refuses what they hold.
KNOWN_TAGS = {*range(6), *range(25, 38), 52, 54, 100, 256, 258, 260, 261, 1004, 43000, 55799}
VALUES = st.recursive(LEAVES, _nested, max_leaves=12).filter(
    lambda value: _depth(value) <= cbor_small.DEPTH_MAX
)


def _same(ours: Any, theirs: Any) -> bool:
    """Equal, and of the same types: True is 1 to Python. What a tag holds, cbor2 freezes."""
    if isinstance(theirs, tuple | cbor2.frozendict):
        theirs = list(theirs) if isinstance(theirs, tuple) else dict(theirs)
    if isinstance(ours, Tag):
        return (
            isinstance(theirs, cbor2.CBORTag)
            and ours.number == theirs.tag
            and _same(ours.value, theirs.value)
        )
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(_same(ours[k], theirs[k]) for k in ours)
    return bool(ours == theirs)


@given(VALUES)
def test_what_cbor2_encodes_canonically_is_read_as_it_was(value: Any) -> None:
    data = cbor2.dumps(value, canonical=True)
    if len(data) <= cbor_small.SIZE_MAX:
        assert _same(decode(data), value)


@given(st.binary(max_size=60))
@example(b"")
@example(bytes.fromhex("a10102"))
@example(bytes.fromhex("d28440"))
@example(bytes.fromhex("c000"))
@example(bytes.fromhex("c680"))
@example(bytes.fromhex("c6a0"))
def test_whatever_is_read_is_the_only_form_of_its_value(data: bytes) -> None:
    try:
        value = decode(data)
    except CborError:
        return
    assume(not _tags(value) & KNOWN_TAGS)
    theirs = cbor2.loads(data)
    assert _same(value, theirs)
    assert cbor2.dumps(theirs, canonical=True) == data


@given(VALUES, st.data())
def test_a_spoiled_value_is_refused_or_another_value(value: Any, data: st.DataObject) -> None:
    good = cbor2.dumps(value, canonical=True)
    at = data.draw(st.integers(0, len(good) - 1))
    spoiled = bytearray(good)
    spoiled[at] ^= data.draw(st.integers(1, 255))
    try:
        found = decode(bytes(spoiled))
    except CborError:
        return
    assert not _same(found, value)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("", "cut short"),
        ("1817", "longer than it must be"),
        ("190017", "longer than it must be"),
        ("1900ff", "longer than it must be"),
        ("1a0000ffff", "longer than it must be"),
        ("1b00000000ffffffff", "longer than it must be"),
        ("5817" + "00" * 23, "longer than it must be"),
        ("1c", "head"),
        ("5f4100ff", "head"),  # indefinite length
        ("9fff", "head"),
        ("bfff", "head"),
        ("0000", "behind the end"),
        ("a2020102 01".replace(" ", ""), "ascending"),
        ("a201010102", "ascending"),
        ("a1416101", "not numbers"),
        ("a12001", "not numbers"),
        ("f6", "neither true nor false"),
        ("f7", "neither true nor false"),
        ("f814", "head"),
        ("f93c00", "head"),  # 1.0
        ("fb3ff0000000000000", "head"),
        ("ff", "head"),
        ("61ff", "not UTF-8"),
        ("62c080", "not UTF-8"),  # zero, overlong
        ("63eda080", "not UTF-8"),  # a surrogate
        ("64f4908080", "not UTF-8"),  # above U+10FFFF
        ("61c3", "not UTF-8"),
        ("42ff", "cut short"),
        ("19ff", "cut short"),
        ("82", "cut short"),
        ("a101", "cut short"),
        ("d2", "cut short"),
        ("81" * 6 + "00", "nested too deep"),
        ("9841" + "00" * 65, "too many entries"),
        ("9b7fffffffffffffff", "too many entries"),
        ("b841" + "00" * 130, "too many entries"),
        ("00" * 513, "too long"),
    ],
)
def test_what_no_record_holds_is_refused_with_its_reason(data: str, why: str) -> None:
    with pytest.raises(CborError, match=why):
        decode(bytes.fromhex(data))


def test_the_values_of_appendix_a_that_are_read_here() -> None:
    # fmt: off
    vectors = (
        ("00", 0), ("17", 23), ("1818", 24), ("1903e8", 1000), ("1a000f4240", 1000000),
        ("1bffffffffffffffff", 18446744073709551615), ("3bffffffffffffffff", -18446744073709551616),
        ("20", -1), ("3863", -100), ("f4", False), ("f5", True), ("4401020304", b"\1\2\3\4"),
        ("6449455446", "IETF"), ("62c3bc", "ü"), ("64f0908591", "\U00010151"),
        ("8301820203820405", [1, [2, 3], [4, 5]]), ("a201020304", {1: 2, 3: 4}),
        ("c11a514b67b0", Tag(1, 1363896240)),
    )
    # fmt: on
    for data, value in vectors:
        assert decode(bytes.fromhex(data)) == value


@given(st.binary(max_size=8))
@example(b"\xe0\x9f\xbf")
@example(b"\xe0\xa0\x80")
@example(b"\xed\x9f\xbf")
@example(b"\xf0\x8f\xbf\xbf")
@example(b"\xf0\x90\x80\x80")
@example(b"\xf4\x8f\xbf\xbf")
@example(b"\xf4\x90\x80\x80")
def test_utf8_is_what_python_takes_for_it(data: bytes) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        assert not cbor_small.is_utf8(data)
    else:
        assert cbor_small.is_utf8(data)


@given(st.text(max_size=8))
def test_every_text_is_utf8(text: str) -> None:
    assert cbor_small.is_utf8(text.encode())
