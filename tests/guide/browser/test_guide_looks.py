"""Every state on the guide's page, in each language, on screens that lie and that stand upright."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from display_page.contrast import contrast
from display_page.looks import OVERLAPS
from guide_cases import CASES, LIVE
from guide_stand import TABLE, GuideStand, ServedTable

from firmware.lib.language import LANGUAGES, translated
from firmware.services.guide import words

# Screens, and the least letters on each, in its own pixels.
SCREENS = {
    "1280x720": ((1280, 720), 13),
    "1920x1080": ((1920, 1080), 20),
    "1080x1920": ((1080, 1920), 20),
}
SHAPES = {"go": "▶", "wait": "■", "held": "▲", "locked": "✖"}
# Every text that is seen: whether it lies within its box and the screen, how large, how readable.
LOOK = """
const found = [];
const rooms = "button, article, header, .due, .then, .place, #form, #dark";
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const style = getComputedStyle(element);
  if (!own.length || !element.getClientRects().length || style.visibility !== "visible") continue;
  let behind = element;
  const ground = () => getComputedStyle(behind).backgroundColor;
  while (ground() === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
  const range = document.createRange();
  range.selectNodeContents(element);
  const box = range.getBoundingClientRect();
  const room = (element.closest(rooms) ?? document.body).getBoundingClientRect();
  found.push({
    text: element.textContent.trim(), size: parseFloat(style.fontSize),
    colour: style.color, ground: ground(),
    fits: box.left >= room.left - 1 && box.right <= room.right + 1
      && box.top >= room.top - 1 && box.bottom <= room.bottom + 1
      && room.left >= -1 && room.top >= -1
      && room.right <= innerWidth + 1 && room.bottom <= innerHeight + 1,
  });
}
return found;
"""
SCROLLS = """
const boxes = "html, body, .board, header, .due, .then, .cloth, .place, .side, article, #keys,"
  + " button";
return [...document.querySelectorAll(boxes)]
  .filter((one) => one.getClientRects().length && (one.scrollWidth > one.clientWidth + 1
    || one.scrollHeight > one.clientHeight + 1))
  .map((one) => `${one.tagName} ${one.className} ${one.id} ${one.textContent}`);
"""
# What is marked: the place, whether its frame is broken, the word there.
MARKED = """
return [...document.querySelectorAll(".place.here, .place.next, .hand.here, .hand.next")]
  .map((each) => [each.dataset.to, getComputedStyle(each).borderTopStyle,
    each.querySelector(".flag").textContent]);
"""
# Touches as a finger does.
TOUCH = """
for (const kind of ["pointerdown", "click"]) {
  document.querySelector(arguments[0]).dispatchEvent(
    new PointerEvent(kind, { pointerId: 7, isPrimary: true, bubbles: true }));
}
"""
KEYS = "return [...document.querySelectorAll('#keys button')].map((each) => each.dataset.key)"
TEXTS = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"


class Stood:
    """One table in its state, and its guide."""

    def __init__(self, folder: Path, case: Any, people: bytes) -> None:
        self.case = case
        self.table = ServedTable(folder, case.game, people, **(case.options or {}))
        case.drive(self.table)
        self.guide = GuideStand(folder)

    def close(self) -> None:
        self.guide.close()
        self.table.close()


@pytest.fixture(scope="module")
def stood(
    tmp_path_factory: pytest.TempPathFactory, people: bytes
) -> Iterator[Callable[[str], Stood]]:
    """The table of a case by its name, driven there once."""
    made: dict[str, Stood] = {}
    cases = {case.name: case for case in CASES}

    def find(name: str) -> Stood:
        if name not in made:
            made[name] = Stood(tmp_path_factory.mktemp(name), cases[name], people)
        return made[name]

    yield find
    for each in made.values():
        each.close()


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_every_state_stands_whole_and_readable(
    browser: Any, stood: Any, name: str, screen: str
) -> None:
    size, least = SCREENS[screen]
    one = stood(name)
    case = one.case
    for language in LANGUAGES:
        browser.open(f"{one.guide.address}?lang={language}", size=size)
        browser.until("document.body.dataset.stage === 'table'")
        says = one.guide.scene["say"][language]
        assert browser.text("due") == says["due"]
        assert browser.text("then") == says["then"]
        assert browser.text("table") == TABLE
        assert browser.text("simulated") == translated(words.LABELS["simulated"], language)
        assert browser.run(KEYS) == [*case.keys, *(f"ask:{do}" for do in case.asks)]
        assert browser.run(TEXTS, "#ways li") == says["ways"]
        assert len(says["ways"]) == len(case.ways)
        grade = browser.run("return document.body.dataset.grade")
        mark = translated(words.LABELS[grade], language)
        assert browser.text("grade").split() == [SHAPES[grade], *mark.split()]
        marked = browser.run(MARKED)
        here = [to for to, style, _ in marked if style == "solid"]
        if case.places == ("cloth",):
            assert here == []
            assert browser.run("return document.querySelector('.cloth.here') !== null")
        else:
            assert sorted(here) == sorted(case.places)
        words_there = [word for _, style, word in marked if style == "solid"]
        assert all(translated("HERE", language) in word for word in words_there)
        assert browser.run(SCROLLS) == []
        assert browser.run(OVERLAPS) == []
        for found in browser.run(LOOK):
            assert found["fits"], found
            assert found["size"] >= least, found
            assert contrast(found["colour"], found["ground"]) >= 4.5, found
        browser.photograph(f"guide-{name}-{language}-{screen}")


@pytest.mark.parametrize("screen", SCREENS)
def test_seven_seats_with_split_hands_and_every_key_fit(
    browser: Any, table: Any, guide: Any, screen: str
) -> None:
    """The most that ever lies there: seven seats, one with four hands."""
    size, _ = SCREENS[screen]
    place = table()
    place.open()
    for seat in range(1, 8):
        place.stake(seat, 1000)
    place.call()
    place.cards("8S 8H 8D 8C 8S 8H TD AH 8D 8C 8S 8H 8D 8C AS")
    browser.open(f"{guide(place).address}?lang=fr", size=size)
    browser.until("document.body.dataset.code === 'insure'")
    assert browser.run(SCROLLS) == []
    browser.photograph(f"guide-full-insure-fr-{screen}")
    place.key("no_more_bets", "pair")
    place.card("8C")
    place.key("pair")
    place.card("2S")
    place.key("card")
    place.cards("2H")
    place.key("card")
    place.cards("2C")
    browser.until("document.body.dataset.code === 'decide'")
    browser.until("document.querySelectorAll('[data-to=s1] .hand').length === 3")
    assert browser.run(SCROLLS) == []
    assert browser.run(OVERLAPS) == []
    assert [each for each in browser.run(LOOK) if not each["fits"]] == []
    browser.photograph(f"guide-full-fr-{screen}")


def test_where_there_are_no_seats_nothing_is_paid_from_right_to_left(
    browser: Any, stood: Any
) -> None:
    title = "return document.getElementById('paid-title').textContent"
    for name, says in (("next", "Payments, from right to left"), ("next_baccarat", "Payments")):
        browser.open(f"{stood(name).guide.address}?lang=en")
        browser.until("document.querySelectorAll('#paid li').length > 0")
        assert browser.run(title) == says
    browser.open(f"{stood('confirm_baccarat').guide.address}?lang=en")
    browser.until("document.body.dataset.code === 'confirm'")
    assert browser.text("then") == "Then pay and collect."


def test_every_payment_of_many_players_is_reached(browser: Any, table: Any, guide: Any) -> None:
    place = table("baccarat_live")
    place.open()
    for number in range(20):
        place.stake(None, 2000, bet="player", player=f"p{number}")
    place.call()
    place.cards("9S 2H TD 3C")
    browser.open(f"{guide(place).address}?lang=en")
    browser.until("document.querySelectorAll('#paid li').length === 20")
    last, low, high = browser.run(
        "const last = document.querySelector('#paid li:last-child'); last.scrollIntoView();"
        " return [last.textContent, last.getBoundingClientRect().bottom,"
        " document.querySelector('.side').getBoundingClientRect().bottom]"
    )
    assert last.startswith("p19, ")
    assert low <= high
    style = "return getComputedStyle(document.getElementById('paid-box')).overflowY"
    assert browser.run(style) == "auto"  # a finger strokes it


@pytest.mark.parametrize("screen", SCREENS)
def test_four_hands_of_five_cards_are_seen_whole(
    browser: Any, table: Any, guide: Any, screen: str
) -> None:
    """A ten is the widest card."""
    size, least = SCREENS[screen]
    place = table()
    place.open()
    for seat in range(1, 8):
        place.stake(seat, 1000)
    place.call()
    place.cards("8S 9H TD 9C 9S 9H TD 9H 8D TC TS TH TD TC TS")
    for text in ("8C", "8H", "TS"):
        place.key("pair")
        place.card(text)
    for hand in range(4):
        if hand:
            place.card("TH")
        for text in ("AS", "AH", "AD"):
            place.key("card")
            place.card(text)
    browser.open(f"{guide(place).address}?lang=fr", size=size)
    browser.until("document.querySelectorAll('[data-to=s1] .hand').length === 4")
    hands = "return [...document.querySelectorAll('[data-to=s1] .hand')]"
    assert browser.run(hands + ".map((each) => each.querySelectorAll('.card').length)") == [5] * 4
    assert browser.run(SCROLLS) == []
    assert browser.run(OVERLAPS) == []
    assert [each for each in browser.run(LOOK) if not each["fits"]] == []
    assert min(each["size"] for each in browser.run(LOOK)) >= least
    browser.photograph(f"guide-four-hands-fr-{screen}")


def test_the_hole_card_is_a_back_until_it_is_turned(browser: Any, table: Any, guide: Any) -> None:
    place = table(LIVE)
    place.open()
    place.stake(2, 1000)
    place.call()
    place.cards("KS 5H TD 7C")
    stand = guide(place)
    browser.open(f"{stand.address}?lang=fr")
    browser.until("document.querySelector('.card.back') !== null")
    place.key("stand")
    browser.until("document.body.dataset.code === 'turn'")
    assert "7♣" not in browser.run("return document.documentElement.outerHTML")
    assert "7C" not in str(stand.scenes) and "7♣" not in str(stand.scenes)
    place.key("turned")
    browser.until("document.getElementById('bank').textContent.includes('7♣')")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("name", "do"), [("held_unread_often", "card"), ("next", "correct_round"), ("gold_jack", "pay")]
)
def test_what_people_ask_together_is_whole_and_readable(
    browser: Any, stood: Any, name: str, do: str, screen: str
) -> None:
    size, least = SCREENS[screen]
    for language in LANGUAGES:
        browser.open(f"{stood(name).guide.address}?lang={language}", size=size)
        browser.until("document.body.dataset.settled === '1'")
        browser.run(TOUCH, f'[data-key="ask:{do}"]')
        browser.until("document.querySelector('#form:not([hidden])') !== null")
        assert browser.run(
            "const form = document.getElementById('form');"
            " return [form.scrollWidth - form.clientWidth, form.scrollHeight - form.clientHeight]"
        ) == [0, 0]
        boxes = browser.run(
            "return [...document.querySelectorAll('#form button, #form input')]"
            ".map((each) => each.getBoundingClientRect()).map((box) => box.left >= 0"
            " && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight)"
        )
        assert all(boxes)
        sizes = browser.run(
            "return [...document.querySelectorAll('#form button, #form label')]"
            ".map((each) => parseFloat(getComputedStyle(each).fontSize))"
        )
        assert min(sizes) >= least
        assert [each for each in browser.run(LOOK) if not each["fits"]] == []
        browser.photograph(f"guide-form-{do}-{language}-{screen}")
