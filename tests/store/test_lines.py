"""The lines of a register: nothing that was not written so is believed."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from firmware.store.checked_lines import Row, decode, encode

UTC = "2026-01-01T00:00:00Z"

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(kind=st.text(), body=json_values, n=st.integers(0))
def test_a_line_says_what_was_written(kind: str, body: Any, n: int) -> None:
    line = encode(Row(n, UTC, kind, body))
    assert line.count(b"\n") == 1
    assert decode(line) == Row(n, UTC, kind, body)


@given(st.binary(max_size=80))
def test_no_bytes_from_elsewhere_are_a_row(data: bytes) -> None:
    assert decode(data) is None
    assert decode(data + b"\n") is None
