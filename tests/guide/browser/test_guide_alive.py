"""A controller that goes, stands still or comes back; a screen that is unplugged and plugged in."""

from __future__ import annotations

from typing import Any

from guide_cases import deciding
from patience import until

from firmware.core.cards import facts
from firmware.lib.language import translated
from firmware.services.guide import words

DARK = "document.body.dataset.stage === 'gone'"
SEEN = "return document.body.innerText.trim()"


def opened(browser: Any, stand: Any, *, language: str = "fr") -> None:
    browser.open(f"{stand.address}?lang={language}")
    browser.until("document.body.dataset.stage === 'table'")


def test_a_controller_that_goes_is_one_sentence_in_the_dark_and_comes_back_by_itself(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    deciding(place)
    opened(browser, guide(place))
    place.leave_sockets()
    browser.until(DARK)
    assert browser.run(SEEN) == translated(words.GONE, "fr")
    browser.photograph("guide-gone-fr-1280x720")
    place.come_back()
    browser.until("document.body.dataset.code === 'decide'")
    assert browser.text("due").startswith("Place 2")
    assert browser.run(SEEN) != translated(words.GONE, "fr")


def test_a_controller_that_stands_still_is_told_of_as_one_that_is_gone(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    deciding(place)
    opened(browser, guide(place), language="en")
    place.is_still = True
    browser.until(DARK)
    assert browser.run(SEEN) == words.STILL
    place.is_still = False
    browser.until("document.body.dataset.code === 'decide'")


def test_a_guide_that_says_nothing_any_more_leaves_the_page_dark(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    deciding(place)
    stand = guide(place)
    opened(browser, stand, language="en")
    stand._running.cancel()
    browser.until(DARK)
    assert browser.run(SEEN) == words.LABELS["unheard"]


def test_nothing_is_shown_of_more_than_a_second_ago(table: Any, guide: Any) -> None:
    """Each scene is told with when its controller was there for sure: link.mjs shows none that is
    older than a second (tests/display_page/browser/test_page_alive.py)."""
    place = table()
    deciding(place)
    stand = guide(place)
    until(lambda: stand.scene["stage"] == "table")
    stood_us = stand.server._stood_us
    until(lambda: stand.server._stood_us > stood_us)
    place.is_still = True
    until(lambda: stand.scene["stage"] == "gone")
    place.is_still = False
    until(lambda: stand.scene["stage"] == "table")


def test_a_screen_that_is_unplugged_shows_at_once_what_stands_when_it_is_there_again(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    deciding(place)
    stand = guide(place)
    opened(browser, stand)
    browser.driver.get("about:blank")
    place.key(facts.KEY_STAND)
    opened(browser, stand)
    assert browser.text("due").startswith("Place 5")
    assert "R♠" in browser.text("seats")


def test_two_screens_show_the_same_and_follow_each_other(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    deciding(place)
    one, other = guide(place), guide(place)
    until(lambda: one.scene["stage"] == other.scene["stage"] == "table")
    place.key(facts.KEY_STAND)
    until(lambda: one.scene.get("places") == other.scene.get("places") == ["s5"])
    assert one.scene["say"] == other.scene["say"]


def test_a_wheels_controller_is_told_of_as_such(tmp_path: Any, guide: Any) -> None:
    from types import SimpleNamespace

    from firmware.api.server import Service

    folder = tmp_path / "wheel"
    service = Service(folder, number_max=36, game="roulette")
    try:
        stand = guide(SimpleNamespace(folder=folder))
        until(lambda: stand.scene.get("say", {}).get("en", {}).get("due") == words.NO_CARDS)
    finally:
        service.close()
