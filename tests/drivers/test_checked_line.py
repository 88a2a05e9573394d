"""The check of a line: ISO 7064, MOD 37-2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.checked_line import ALPHABET, LINE_MAX, Lines, check_of, fields_of, written

TEXTS = st.text(ALPHABET, min_size=1, max_size=20)
PRINTED = [chr(code) for code in range(0x20, 0x7F)]


def test_the_check_is_the_one_of_the_standard() -> None:
    """ISBT 128 numbers of donations are checked so too: G123 4 98 654321 has the check H."""
    assert check_of("G123498654321") == "H"


def test_the_whole_is_one_more_than_a_multiple_of_37() -> None:
    text = "S17-0345-TH"
    values = [ALPHABET.index(letter) for letter in text + check_of(text)]
    weights = [2 ** (len(values) - 1 - at) for at in range(len(values))]
    assert sum(map(int.__mul__, values, weights)) % 37 == 1


@given(TEXTS)
def test_any_one_wrong_character_is_found(text: str) -> None:
    line = f"{text}*{check_of(text)}"
    assert fields_of(line) == text.split("-")
    for at, letter in enumerate(line):
        for other in PRINTED:
            if other != letter:
                assert fields_of(line[:at] + other + line[at + 1 :]) is None


@given(TEXTS)
def test_any_two_neighbours_that_changed_places_are_found(text: str) -> None:
    line = f"{text}*{check_of(text)}"
    for at in range(len(line) - 1):
        swapped = line[:at] + line[at + 1] + line[at] + line[at + 2 :]
        assert swapped == line or fields_of(swapped) is None


@given(st.text([*ALPHABET, "*", "a"], max_size=12))
def test_any_text_has_its_fields_or_none(line: str) -> None:
    fields = fields_of(line)
    assert fields is None or written(fields) == line


@pytest.mark.parametrize("line", ["", "*", "**", "*1", "A", "A*", "AB", "a*1", "A*1 "])
def test_what_is_no_line_has_no_fields(line: str) -> None:
    assert fields_of(line) is None


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\n\n\r"])
def test_each_end_of_a_line_ends_it_once(end: bytes) -> None:
    assert Lines().feed(b"one" + end + b"two" + end + b"three") == ["one", "two"]


@given(
    data=st.lists(st.sampled_from([b"A", b"-", b"*", b"\r", b"\n", b"\xff", b"\0", b"A" * 30])),
    cuts=st.lists(st.integers(1, 9)),
)
def test_it_does_not_matter_how_the_bytes_are_cut(data: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(data)
    whole = Lines().feed(stream)
    lines, found = Lines(), []
    for cut in cuts:
        found += lines.feed(stream[:cut])
        stream = stream[cut:]
        assert len(lines._held) <= LINE_MAX
    assert found + lines.feed(stream) == whole


def test_a_line_too_long_is_one_empty_line_and_the_next_is_found() -> None:
    lines = Lines()
    for _ in range(1000):
        assert lines.feed(b"A" * 100) == []
        assert len(lines._held) <= LINE_MAX
    assert lines.feed(b"\nnext\n") == ["", "next"]
    assert lines.feed(b"A" * LINE_MAX + b"\n") == ["A" * LINE_MAX]
