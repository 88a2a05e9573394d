"""Golden pictures: `UPDATE_GOLDEN=1 pytest tests/display` writes them anew; look at them then."""

import os
import re
from pathlib import Path

import pytest

import rules
from firmware.bus import messages
from firmware.bus.receiver import DARK, Lit
from tools.display import digits, picture

GAME = rules.load("european")
GOLDEN = Path(__file__).parent / "golden"
LAST = (0, 32, 15, None, 19, 4, 21, 2, 25, 17, 34, 6, None, 27, 13, 36, 11, 30, 8, 17)
# fmt: off
LIT = {
    "stale": DARK,
    "bets_open": Lit("BETS_OPEN", None, 42, 43, 0, None, LAST[-3:]),
    "no_more_bets": Lit("NO_MORE_BETS", None, 41, 42, -1, None, LAST[:-1]),
    "confirmed_17": Lit("CONFIRMED", 17, 42, 42, -1, None, LAST),
    "confirmed_0": Lit("CONFIRMED", 0, 43, 43, 1, None, (*LAST[1:], 0)),
    "void": Lit("VOID", None, 44, 44, 1, "same_direction", (*LAST[1:], None)),
}
# fmt: on
NOTE = "The port /dev/ttyUSB0 is gone: plug it in again, the display waits."


def plain(lit: Lit, note: str = "") -> list[str]:
    return picture.draw(lit, note, picture.Painter(GAME, colours=False))


@pytest.mark.parametrize("name", LIT)
def test_the_picture_is_this_very_one(name: str) -> None:
    drawn = "\n".join([*plain(LIT[name], NOTE if name == "stale" else ""), ""])
    golden = GOLDEN / f"{name}.txt"
    if "UPDATE_GOLDEN" in os.environ:
        golden.write_text(drawn, encoding="utf-8")
    assert drawn == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("state", [name for _, name in messages.STATES])
@pytest.mark.parametrize("reason", [None, *(name for _, name in messages.REASONS)])
def test_every_picture_fits_80_by_24_and_colours_change_no_letter(
    state: str, reason: str | None
) -> None:
    lit = Lit(state, 36 if state == "CONFIRMED" else None, 1, 2**32 - 1, -1, reason, LAST)
    rows = plain(lit, "x" * 200)
    assert len(rows) == 24
    assert max(map(len, rows)) <= 80
    coloured = picture.draw(lit, "x" * 200, picture.Painter(GAME, colours=True))
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", row).rstrip() for row in coloured]
    assert bare == [row.rstrip() for row in rows]


@pytest.mark.parametrize(("number", "ground"), [(32, "160"), (17, "16"), (0, "28")])
def test_a_number_stands_on_its_colour(number: int, ground: str) -> None:
    lit = Lit("CONFIRMED", number, 1, 1, 1, None, (number,))
    rows = picture.draw(lit, "", picture.Painter(GAME, colours=True))
    assert sum(f";48;5;{ground}m" in row for row in rows) == digits.ROWS + 3


def test_nothing_flashes() -> None:
    rows = picture.draw(LIT["no_more_bets"], "", picture.Painter(GAME, colours=True))
    codes = re.findall(r"\x1b\[([0-9;]*)m", "".join(rows))
    assert codes != []
    for code in codes:
        attributes = re.sub(r"[34]8;5;\d+", "", code).split(";")  # without the palette's colours
        assert not {"5", "6"} & set(attributes)


def test_every_glyph_is_of_one_size() -> None:
    for letter in "0123456789-":
        rows = digits.big(letter)
        assert [len(row) for row in rows] == [digits.WIDTH] * digits.ROWS


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("stale", "STALE: -"),
        ("bets_open", "BETS_OPEN  coup 43  rotor -: -  last: 30 8 17"),
        (
            "confirmed_0",
            "CONFIRMED  coup 43  rotor ccw: 0  vert/green  last: "
            "32 15 x 19 4 21 2 25 17 34 6 x 27 13 36 11 30 8 17 0",
        ),
        (
            "void",
            "VOID  coup 44  rotor ccw: - (the ball ran with the rotor)  last: "
            "32 15 x 19 4 21 2 25 17 34 6 x 27 13 36 11 30 8 17 x",
        ),
    ],
)
def test_one_plain_line_says_it_too(name: str, line: str) -> None:
    assert picture.sentence(LIT[name], GAME) == line
    assert line.isascii()
