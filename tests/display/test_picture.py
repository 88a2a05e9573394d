"""Golden pictures: `UPDATE_GOLDEN=1 pytest tests/display` writes them anew; look at them then."""

import os
import re
from pathlib import Path

import pytest

import rules
from firmware.bus import messages
from firmware.bus.messages import Table
from firmware.bus.receiver import DARK, Lit
from firmware.lib.language import LANGUAGES
from firmware.services.display import picture
from firmware.services.display.page_json import scene_fields
from firmware.services.display.picture import DIGIT_ROWS, DIGIT_WIDTH, big_digits
from firmware.services.display.scene import ATTRACT_US, STARTING_US, Director, limits_of
from firmware.text.display_words import at_table

GAME = rules.load("roulette_lu")
GOLDEN = Path(__file__).parent / "golden"
_COLOURS = dict(zip(GAME["layout"], GAME["colours"], strict=True))
LAST = tuple(
    None if number is None else (number, _COLOURS[number])
    for number in (0, 32, 15, None, 19, 4, 21, 2, 25, 17, 34, 6, None, 27, 13, 36, 11, 30, 8, 17)
)
LIMITS = Table("roulette_lu", "table-3", 500, 500, (), None)
ROULETTE = DARK._replace(
    game="roulette", epoch=1, layout_verified=True, wheel="table-3", table=LIMITS
)
# fmt: off
LIT = {
    "starting": DARK,
    "stale": DARK,
    "bets_open": ROULETTE._replace(state="BETS_OPEN", seq=42, coup=43, history=LAST[-3:]),
    "no_more_bets": ROULETTE._replace(
        state="NO_MORE_BETS", seq=41, coup=42, rotor=-1, history=LAST[:-1]
    ),
    "manual": ROULETTE._replace(state="MANUAL", seq=41, coup=42, rotor=-1, history=LAST[:-1]),
    "confirmed_17": ROULETTE._replace(
        state="CONFIRMED", number=17, colour="black", seq=42, coup=42, rotor=-1, history=LAST
    ),
    "confirmed_0": ROULETTE._replace(
        state="CONFIRMED", number=0, colour="green", seq=43, coup=43, rotor=1, manual=True,
        history=(*LAST[1:], (0, "green")), table=None,
    ),
    "attract": ROULETTE._replace(
        state="CONFIRMED", number=17, colour="black", seq=42, coup=42, rotor=-1, history=LAST
    ),
    "void": ROULETTE._replace(
        state="VOID", seq=44, coup=44, rotor=1, reason="same_direction", history=(*LAST[1:], None)
    ),
    "unverified": DARK._replace(
        state="CONFIRMED", game="vingt_trois", number=7, colour="red", epoch=1, seq=42, coup=42,
        rotor=-1, history=((13, "white"), None, (7, "black"), (7, "red")), layout_verified=False,
        table=Table("vingt_trois_fr", "", 250, 250, (("plein", 50),), None),
    ),
    "boule_void": DARK._replace(
        state="VOID", game="boule", epoch=1, seq=2, coup=2, reason="foreign_object",
        history=(None,), layout_verified=True, table=Table("boule_fr", "", 200, 400, (), None),
    ),
}
# fmt: on
NOTE = "The port /dev/ttyUSB0 is gone: plug it in again, the display waits."


def drawn(
    lit: Lit,
    note: str = "",
    *,
    colours: bool = False,
    later_us: int = 0,
    language: str = "en",
    asks: str | None = None,
) -> list[str]:
    director, outcomes = Director(), tuple(enumerate(lit.history))
    for at_us in (0, later_us):
        scene = director.scene(lit, at_us, lambda: outcomes, asks)
    painter = picture.Painter(colours=colours)
    return picture.draw(scene, note, "18:40", painter, at_table(language))


@pytest.mark.parametrize("name", LIT)
def test_the_picture_is_this_very_one(name: str) -> None:
    later_us = {"attract": ATTRACT_US, "stale": STARTING_US}.get(name, 0)
    note = NOTE if name == "stale" else ""
    found = drawn(LIT[name], note, later_us=later_us)
    # Beside French stands the reader's language; who reads French has English there.
    assert found == drawn(LIT[name], note, later_us=later_us, language="fr")
    text = "\n".join([*found, ""])
    golden = GOLDEN / f"{name}.txt"
    if "UPDATE_GOLDEN" in os.environ:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", [name for _, name in messages.CARD_GAMES])
@pytest.mark.parametrize("state", [name for _, name in messages.STATES])
def test_a_card_table_has_no_row_of_numbers(state: str, game: str) -> None:
    """State and the dash: rounds have no number, and a row of crosses would say they were void."""
    lit = DARK._replace(state=state, game=game, epoch=1, seq=3, coup=3, wheel="table-9")
    assert drawn(lit._replace(history=(None, None, None))) == drawn(lit)
    director = Director()
    scene = director.scene(lit._replace(history=(None, None)), 0, lambda: ((1, None), (2, None)))
    told = scene_fields(scene)
    assert (told["number"], told["last"], told["tally"], told["unverified"]) == (
        None, (), None, False,
    )  # fmt: skip
    said = picture.sentence(scene.lit)
    assert said.startswith(f"{state}  coup 3: -  last: -")


@pytest.mark.parametrize("state", [name for _, name in messages.STATES])
@pytest.mark.parametrize("reason", [None, *(name for _, name in messages.REASONS if name)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_fits_80_by_24_and_colours_change_no_letter(
    language: str, state: str, reason: str | None
) -> None:
    shown = (36, "red") if state == "CONFIRMED" else (None, None)
    lit = ROULETTE._replace(
        state=state,
        number=shown[0],
        colour=shown[1],
        seq=1,
        coup=2**32 - 1,
        rotor=-1,
        reason=reason,
        history=LAST,
        wheel="W" * 24,
    )
    rows = drawn(lit, "x" * 200, language=language)
    assert len(rows) == 24
    assert max(map(len, rows)) <= 80
    coloured = drawn(lit, "x" * 200, colours=True, language=language)
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", row).rstrip() for row in coloured]
    assert bare == [row.rstrip() for row in rows]


@pytest.mark.req("LIVE-1.3.shown")
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
    lit = ROULETTE._replace(
        state="CONFIRMED",
        game=game,
        number=number,
        colour=colour,
        coup=1,
        seq=1,
        history=((number, colour),),
    )
    rows = drawn(lit, colours=True)
    assert sum(f";48;5;{ground}m" in row for row in rows) == DIGIT_ROWS + 3


def test_a_sentence_about_the_port_goes_before_the_mark_of_the_layout() -> None:
    assert "UNVERIFIED" in drawn(LIT["unverified"])[-1]
    assert drawn(LIT["unverified"], NOTE)[-1].strip() == NOTE
    address = "Table display: http://127.0.0.1:65535/"
    assert drawn(LIT["unverified"], address)[-1].strip() == f"UNVERIFIED layout · {address}"
    assert "UNVERIFIED" not in "".join(drawn(LIT["confirmed_17"]) + drawn(DARK))


def test_before_anybody_was_heard_there_is_a_dash_and_no_word() -> None:
    words = re.findall(r"\w+", "".join(drawn(LIT["starting"])))
    assert words == []
    assert any("█" in row for row in drawn(LIT["starting"]))


def test_a_name_paints_nothing_on_a_terminal() -> None:
    """A record's name is signed by the wheel's key, and no more: whoever has that may write it."""
    lit = LIT["confirmed_17"]._replace(wheel="\x1b[2J\u202eA\x07\x9b7m", table=None)
    rows = drawn(lit)
    assert "?[2J?A??7m" in rows[0]
    assert all(row.isprintable() for row in rows)


def test_nothing_flashes() -> None:
    rows = drawn(LIT["no_more_bets"], colours=True)
    codes = re.findall(r"\x1b\[([0-9;]*)m", "".join(rows))
    assert codes != []
    for code in codes:
        attributes = re.sub(r"[34]8;5;\d+", "", code).split(";")  # without the palette's colours
        assert not {"5", "6"} & set(attributes)


def test_every_glyph_is_of_one_size() -> None:
    for letter in "0123456789-":
        rows = big_digits(letter)
        assert [len(row) for row in rows] == [DIGIT_WIDTH] * DIGIT_ROWS


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("stale", "STALE: -"),
        ("bets_open", "BETS_OPEN  coup 43  rotor -: -  last: 30 8 17"),
        (
            "confirmed_0",
            "CONFIRMED  coup 43  rotor ccw: 0  vert/green  entered by hand  last: "
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


@pytest.mark.parametrize("name", ["roulette_lu", "roulette_live", "boule_fr", "vingt_trois_fr"])
@pytest.mark.parametrize("minimum", [1, 250, 10**8])
def test_the_limits_of_every_game_fit_in_three_lines(name: str, minimum: int) -> None:
    table = Table(name, "", minimum, minimum, (), None)
    rows = drawn(ROULETTE._replace(state="BETS_OPEN", table=table))
    assert max(map(len, rows)) <= 80
    least, *maxima = " · ".join(row.strip() for row in rows[17:20] if row).split(" · ")
    assert least == f"min {picture.amount(minimum, 'EUR')}"
    limits = limits_of(table)
    assert limits is not None
    assert len(maxima) == len(limits.maxima)
    for said, limit in zip(maxima, limits.maxima, strict=True):
        amount = "-" if limit.maximum_cents is None else picture.amount(limit.maximum_cents, "EUR")
        assert said.endswith(f" {amount}") or (
            minimum == 10**8 and f"{said} €".endswith(f" {amount}")
        )


@pytest.mark.parametrize(
    ("cents", "told"),
    [(500, "5 €"), (250, "2,50 €"), (505, "5,05 €"), (5, "0,05 €"), (100_000, "1000 €")],
)
def test_cents_are_told_only_where_there_are_some_and_both_digits_then(
    cents: int, told: str
) -> None:
    assert picture.amount(cents, "EUR") == told


def test_a_currency_that_has_no_sign_here_is_told_by_its_code() -> None:
    assert picture.amount(250, "CHF") == "2,50 CHF"


@pytest.mark.parametrize("name", ["paul", "\U0001f3b0" * 40, "{name}", "\\1"])
@pytest.mark.parametrize("lit", [LIT["confirmed_17"], LIT["attract"]])
def test_who_asks_to_be_the_first_supervisor_stands_below_and_hides_nothing(
    name: str, lit: Lit
) -> None:
    before, found = drawn(lit), drawn(lit, asks=name)
    assert found[:22] == before[:22]
    assert found[22].startswith(f'  "{name}" demande à être le premier')
    if len(name) < 40:
        assert found[22:] == [
            f'  "{name}" demande à être le premier responsable',
            f'  "{name}" asks to be the first supervisor',
        ]
    assert drawn(lit, NOTE, asks=name)[23] == drawn(lit, NOTE)[23]


def test_on_a_plain_line_who_asks_is_told_in_ascii() -> None:
    line = picture.sentence(LIT["confirmed_17"], "pa\u00fal")
    assert line == picture.sentence(LIT["confirmed_17"]) + (
        '  "pa\\xfal" asks to be the first supervisor'
    )
