"""The README opens with pictures of what its reader would see today."""

import re
from pathlib import Path
from typing import Any

import pytest
from display_page import card_scenes
from docs.readme_pictures import ALIKE, PICTURES, assert_current, share_apart

import rules
from firmware.bus.messages import Table
from firmware.bus.receiver import DARK

README = Path(__file__).resolve().parents[3] / "README.md"
SIZE = (1280, 720)
GAME = rules.load("roulette_lu")
COLOURS = dict(zip(GAME["layout"], GAME["colours"], strict=True))
LAST = tuple(
    None if number is None else (number, COLOURS[number])
    for number in (0, 32, 15, None, 19, 4, 21, 2, 25, 17, 34, 6, None, 27, 13, 36, 11, 30, 17, 17)
)
# The call tells the rotor's place before the state: both are looked at.
BEFORE_THE_CALL = (
    "document.body.dataset.state === 'BALL_IN_TRACK' && "
    "document.querySelector('#call-wait') !== null"
)


@pytest.mark.smoke
def test_the_display_looks_as_the_readme_shows_it(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}?lang=fr", size=SIZE)
    limits = Table("roulette_lu", "Table 3", 500, 500, (), None)
    lit = DARK._replace(
        state="CONFIRMED", number=17, colour="black", game="roulette", epoch=1, seq=42, coup=42,
        rotor=-1, history=LAST, layout_verified=True, wheel="Table 3", table=limits,
    )  # fmt: skip
    stand.show(lit)
    browser.until("document.getElementById('number').textContent === '17'")
    assert_current(browser, "display")


CARDS = Path(__file__).resolve().parents[3] / "docs" / "cards.md"
PICTURED = (("blackjack", "playing"), ("baccarat", "confirmed"))


@pytest.mark.parametrize(("game", "name"), PICTURED)
def test_a_card_table_looks_as_its_page_shows_it(
    browser: Any, stand: Any, game: str, name: str
) -> None:
    browser.open(f"{stand.address}?lang=fr", size=SIZE)
    (scene,) = [scene for scene in card_scenes.SCENES[game]() if scene[0] == name]
    lit = card_scenes.lit_of(game, scene[1], 0)
    stand.show(lit, told=scene[2])
    browser.until("document.querySelectorAll('.hand').length > 1")
    assert f"pictures/cards-{game}.png" in CARDS.read_text(encoding="utf-8")
    assert_current(browser, f"cards-{game}")


def test_the_service_page_looks_as_the_readme_shows_it(page: Any) -> None:
    page.open("live", language="en", size=SIZE)
    page.logged_in()
    page.until("document.querySelector('.wheel') && document.querySelectorAll('.card').length > 3")
    assert_current(page.browser, "service-page", BEFORE_THE_CALL)


def test_another_look_is_another_picture(browser: Any, stand: Any) -> None:
    """A picture that differs in one panel is not current."""
    shown = []
    for number, colour in ((17, "black"), (36, "red")):
        browser.open(f"{stand.address}?lang=fr", size=SIZE)
        stand.show(DARK._replace(
            state="CONFIRMED", number=number, colour=colour, game="roulette", epoch=1, seq=number,
            coup=number, rotor=-1, history=LAST, layout_verified=True,
        ))  # fmt: skip
        browser.until("document.getElementById('number').textContent === arguments[0]", str(number))
        shown.append(browser.driver.get_screenshot_as_png())
    assert share_apart(browser, shown[0], shown[0]) == 0
    assert share_apart(browser, *shown) > ALIKE


def test_the_readme_opens_with_every_picture_that_is_on_no_page_of_its_own() -> None:
    first = README.read_text(encoding="utf-8").split("\n## ")[0]
    shown = set(re.findall(r"docs/pictures/([\w-]+\.png)", first))
    pages = "".join(page.read_text(encoding="utf-8") for page in CARDS.parent.glob("*.md"))
    own = set(re.findall(r"\(pictures/([\w-]+\.png)\)", pages))
    assert shown and own and not shown & own
    assert shown | own == {path.name for path in PICTURES.glob("*.png")}
