"""The row of the last outcomes stands still while a new record is on its way."""

from firmware.bus.receiver import DARK
from firmware.services.display.scene import HOLD_US, Director

LIT = DARK._replace(state="CONFIRMED", game="roulette", epoch=1, seq=3, coup=3)
PAST = ((17, "black"), None)


def history(director: Director, lit: object, now_us: int) -> object:
    return director.scene(lit, now_us).lit.history


def test_the_row_stays_for_a_moment_while_nothing_of_the_past_is_told() -> None:
    director = Director()
    assert history(director, LIT._replace(history=PAST), 1_000_000) == PAST
    assert history(director, LIT, 1_030_000) == PAST
    assert history(director, LIT, 1_000_000 + HOLD_US) == ()


def test_nothing_stays_once_the_display_was_dark() -> None:
    director = Director()
    history(director, LIT._replace(history=PAST), 1_000_000)
    assert history(director, DARK, 1_010_000) == ()
    assert history(director, LIT, 1_020_000) == ()
