"""The lines byte for byte: each example and rule of FIELD.md on the ASCII status line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.services.gateway import lines
from firmware.services.gateway.lines import POLL_US, Line, More, Polls

# "for example `*X;4;011;23;0;165;1`"
EXAMPLE = Line(state=4, games=11, number=23, flags=0, rpm=16.5, anticlockwise=True)
COUNTS = (lines.GAMES_1_256, lines.GAMES_0_255)


def test_the_example_of_the_field() -> None:
    line = lines.status(EXAMPLE, lines.GAMES_1_256)
    assert line == b"*X;4;011;23;0;165;1"
    assert len(line) == lines.LENGTH == 19


@pytest.mark.parametrize(
    ("change", "line"),
    [
        # "two spaces if none", "right-justified"
        ({"number": None}, b"*X;4;011;  ;0;165;1"),
        ({"number": 0}, b"*X;4;011; 0;0;165;1"),
        ({"number": 7}, b"*X;4;011; 7;0;165;1"),
        ({"number": 36}, b"*X;4;011;36;0;165;1"),
        # "one hexadecimal digit, a sum"
        ({"flags": 8 + 2}, b"*X;4;011;23;A;165;1"),
        ({"flags": 15}, b"*X;4;011;23;F;165;1"),
        # "tenths of rpm (000 below 2.0 or above 60.0)"
        ({"rpm": 1.9}, b"*X;4;011;23;0;000;1"),
        ({"rpm": 2.0}, b"*X;4;011;23;0;020;1"),
        ({"rpm": 14.1}, b"*X;4;011;23;0;141;1"),
        ({"rpm": 60.0}, b"*X;4;011;23;0;600;1"),
        ({"rpm": 60.1}, b"*X;4;011;23;0;000;1"),
        ({"rpm": None}, b"*X;4;011;23;0;000;1"),
        # "`d` 0 clockwise, 1 anticlockwise"
        ({"anticlockwise": False}, b"*X;4;011;23;0;165;0"),
    ],
)
def test_each_field_is_as_the_field_has_it(change: dict[str, object], line: bytes) -> None:
    assert lines.status(EXAMPLE._replace(**change), lines.GAMES_1_256) == line


@pytest.mark.parametrize(
    ("games", "from_1", "from_0"),
    [(1, b"001", b"001"), (255, b"255", b"255"), (256, b"256", b"000"), (257, b"001", b"001")],
)
def test_games_count_to_256_and_begin_again(games: int, from_1: bytes, from_0: bytes) -> None:
    """`ggg` games so far, 1-256 or 0-255."""
    line = EXAMPLE._replace(games=games)
    assert lines.status(line, lines.GAMES_1_256)[5:8] == from_1
    assert lines.status(line, lines.GAMES_0_255)[5:8] == from_0


@pytest.mark.parametrize(
    ("more", "end"),
    [
        (More(0, None, None), b";0000;00;?;?????;??"),
        (More(lines.STOPPED | lines.TURN_UNKNOWN, None, None), b";0041;00;?;?????;??"),
        (More(lines.LEGAL_SPEED | lines.TURNS_CCW, False, None), b";0022;00;0;?????;??"),
        (More(lines.FAST | lines.TURNS_CW | lines.NO_BALL, True, None), b";0094;00;1;?????;??"),
        (More(lines.SLOW | lines.TURNS_CW | lines.IN_POCKET, None, 7), b";0118;00;?;?????; 7"),
    ],
)
def test_an_extended_line_is_a_status_line_and_more(more: More, end: bytes) -> None:
    """`;ffff;cc;b;ttttt;pp`, 38 characters in all."""
    line = lines.extended(EXAMPLE, more, lines.GAMES_1_256)
    assert line == b"*X;4;011;23;0;165;1" + end
    assert len(line) == lines.EXTENDED_LENGTH == 38


@given(
    line=st.builds(
        Line,
        state=st.integers(1, 7),
        games=st.integers(1, 1 << 32),
        number=st.none() | st.integers(0, 36),
        flags=st.integers(0, 15),
        rpm=st.none() | st.floats(0, 1000),
        anticlockwise=st.booleans(),
    ),
    more=st.builds(
        More,
        flags=st.integers(0, 0x1FF),
        ball_ccw=st.none() | st.booleans(),
        pocket=st.none() | st.integers(0, 36),
    ),
    count=st.sampled_from(COUNTS),
)
def test_no_line_is_longer_or_shorter(line: Line, more: More, count: str) -> None:
    assert len(lines.status(line, count)) == 19
    assert len(lines.extended(line, more, count)) == 38
    assert 0 <= int(lines.status(line, count)[5:8]) <= 256


@pytest.mark.parametrize("number", [38, 39, -1])
def test_the_numbers_that_stand_for_two_and_three_zeros_are_never_ours(number: int) -> None:
    with pytest.raises(AssertionError):
        lines.status(EXAMPLE._replace(number=number), lines.GAMES_1_256)


# --- the poll ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "pieces", [[b"*X"], [b"*", b"X"], [b"\r\n*X\r\n"], [b"**X"], [b"x*", b"X*"]]
)
def test_a_poll_is_heard_however_it_is_cut(pieces: list[bytes]) -> None:
    polls = Polls()
    assert [polls.is_polled(piece, 0) for piece in pieces][-1]
    assert not polls.is_polled(b"\r\n", POLL_US)


@pytest.mark.parametrize("noise", [b"", b"X", b"*", b"* X", b"*x", b"X*", b"\x00\xff" * 500])
def test_nothing_else_is_heard_as_a_poll(noise: bytes) -> None:
    assert not Polls().is_polled(noise, 0)


def test_a_poll_is_answered_if_it_comes_no_oftener_than_every_100_ms() -> None:
    polls = Polls()
    heard = [
        polls.is_polled(b"*X", at_us) for at_us in (0, 50_000, 99_999, 100_000, 150_000, 200_000)
    ]
    assert heard == [True, False, False, True, False, True]
