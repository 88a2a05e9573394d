"""Golden pictures: `UPDATE_GOLDEN=1 pytest tests/display` writes them anew; look at them then."""

import os
import re
from pathlib import Path

import pytest

import rules
from firmware.bus import messages
from firmware.bus.receiver import DARK, Lit
from tools.display import digits, picture

GAME = rules.load("roulette_lu")
GOLDEN = Path(__file__).parent / "golden"
_COLOURS = dict(zip(GAME["layout"], GAME["colours"], strict=True))
LAST = tuple(
    None if number is None else (number, _COLOURS[number])
    for number in (0, 32, 15, None, 19, 4, 21, 2, 25, 17, 34, 6, None, 27, 13, 36, 11, 30, 8, 17)
)
# fmt: off
LIT = {
    "stale": DARK,
    "bets_open": Lit("BETS_OPEN", "roulette", None, None, 42, 43, 0, None, LAST[-3:], True),
    "no_more_bets": Lit("NO_MORE_BETS", "roulette", None, None, 41, 42, -1, None, LAST[:-1], True),
    "confirmed_17": Lit("CONFIRMED", "roulette", 17, "black", 42, 42, -1, None, LAST, True),
    "confirmed_0": Lit(
        "CONFIRMED", "roulette", 0, "green", 43, 43, 1, None, (*LAST[1:], (0, "green")), True
    ),
    "void": Lit(
        "VOID", "roulette", None, None, 44, 44, 1, "same_direction", (*LAST[1:], None), True
    ),
    "unverified": Lit(
        "CONFIRMED", "vingt_trois", 7, "red", 42, 42, -1, None,
        ((13, "white"), None, (7, "black"), (7, "red")), False,
    ),
    "boule_void": Lit("VOID", "boule", None, None, 2, 2, 0, "foreign_object", (None,), True),
}
# fmt: on
NOTE = "The port /dev/ttyUSB0 is gone: plug it in again, the display waits."


def plain(lit: Lit, note: str = "") -> list[str]:
    return picture.draw(lit, note, picture.Painter(colours=False))


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
    shown = (36, "red") if state == "CONFIRMED" else (None, None)
    lit = Lit(state, "roulette", *shown, 1, 2**32 - 1, -1, reason, LAST, True)
    rows = plain(lit, "x" * 200)
    assert len(rows) == 24
    assert max(map(len, rows)) <= 80
    coloured = picture.draw(lit, "x" * 200, picture.Painter(colours=True))
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", row).rstrip() for row in coloured]
    assert bare == [row.rstrip() for row in rows]


@pytest.mark.parametrize(
    ("game", "number", "colour", "ground"),
    [
        ("roulette", 32, "red", "160"),
        ("roulette", 17, "black", "16"),
        ("roulette", 0, "green", "28"),
        ("boule", 5, "yellow", "220"),
        ("vingt_trois", 13, "white", "231"),
    ],
)
def test_a_number_stands_on_its_colour(game: str, number: int, colour: str, ground: str) -> None:
    lit = Lit("CONFIRMED", game, number, colour, 1, 1, 1, None, ((number, colour),), True)
    rows = picture.draw(lit, "", picture.Painter(colours=True))
    assert sum(f";48;5;{ground}m" in row for row in rows) == digits.ROWS + 3


def test_a_sentence_about_the_port_goes_before_the_mark_of_the_layout() -> None:
    assert "UNVERIFIED" in plain(LIT["unverified"])[-1]
    assert plain(LIT["unverified"], NOTE)[-1].strip() == NOTE
    assert "UNVERIFIED" not in "".join(plain(LIT["confirmed_17"]) + plain(DARK))


def test_nothing_flashes() -> None:
    rows = picture.draw(LIT["no_more_bets"], "", picture.Painter(colours=True))
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
        (
            "unverified",
            "CONFIRMED  coup 42  rotor cw: 7  rouge/red  last: 13 x 7 7  UNVERIFIED layout",
        ),
        ("boule_void", "VOID  coup 2: - (a foreign object in the apparatus)  last: x"),
    ],
)
def test_one_plain_line_says_it_too(name: str, line: str) -> None:
    assert picture.sentence(LIT[name]) == line
    assert line.isascii()
