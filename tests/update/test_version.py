import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.services.update.release import parse_version

NUMBERS = st.lists(st.integers(0, 10**9 - 1), min_size=1, max_size=4)


def written(numbers):
    return ".".join(map(str, numbers))


@given(NUMBERS, NUMBERS)
def test_versions_are_compared_number_by_number(one, another):
    padded = [numbers + [0] * (4 - len(numbers)) for numbers in (one, another)]
    assert (parse_version(written(one)) < parse_version(written(another))) == (
        padded[0] < padded[1]
    )


@given(st.text() | st.none() | st.integers() | st.lists(st.text()))
def test_whatever_is_no_version_raises_nothing_else(text):
    with contextlib.suppress(ValueError):
        assert all(number >= 0 for number in parse_version(text))


@pytest.mark.parametrize(
    "text", ["", "1.", ".1", "1.2.3.4.5", "1.2-rc1", "v1", "1..2", " 1", "1\n", "1" * 10, "-1", "١"]
)
def test_what_looks_like_one_is_not(text):
    with pytest.raises(ValueError, match=r"as 1\.4\.0 is"):
        parse_version(text)


def test_ten_is_newer_than_nine():
    assert parse_version("1.10.0") > parse_version("1.9.9")
