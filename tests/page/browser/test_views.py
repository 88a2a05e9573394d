"""Every view in a real browser: readable, whole, in every language, by day and by night."""

from typing import Any

import pytest
from display_page.contrast import contrast
from page_looks import LOOK, READ, VIEWS

from firmware.api.guarded import public_told
from firmware.config import KEYS
from firmware.lib.language import LANGUAGES
from firmware.services.page.server import PERSONS_AT_ONCE, QUESTION, STRANGERS_AT_ONCE

PERSONAL = (
    "scope", "history", "health", "selftest", "calibrate", "parts", "config", "update", "log",
)  # fmt: skip

# What can be pressed has a name, and a tablet's finger finds it.
UNNAMED = """
return [...document.querySelectorAll("button, a[href], input, select, textarea")]
  .filter((one) => one.offsetParent !== null && !(one.innerText || one.getAttribute("aria-label")
    || one.labels?.length || one.getAttribute("aria-labelledby")))
  .map((one) => one.outerHTML);
"""
SMALL = """
return [...document.querySelectorAll("button, a.button, select, #nav a")]
  .filter((one) => one.offsetParent !== null)
  .filter((one) => one.getBoundingClientRect().height < 34)
  .map((one) => one.outerHTML);
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_is_readable_and_whole(page: Any, language: str, theme: str) -> None:
    page.open("live", language=language, theme=theme)
    page.logged_in()
    for view in VIEWS:
        page.show(view)
        page.until("document.querySelector('.view').children.length > 1")
        page.until(READ)
        assert page.run("return document.documentElement.lang") == language
        assert page.run("return document.documentElement.scrollWidth <= innerWidth"), view
        seen = page.run(LOOK)
        assert len(seen) > 20
        for found in seen:
            assert contrast(found["colour"], found["ground"]) >= 4.5, (view, found)
            assert found["text"] not in ("null", "undefined", "NaN"), (view, found)
        assert page.run(UNNAMED) == [], view
        assert page.run(SMALL) == [], view
        page.photograph(f"{view}-{language}-{theme}")


def test_the_editor_lists_every_key_of_the_table(page: Any) -> None:
    page.open("config", language="en", size=(390, 844))
    page.logged_in()
    page.until("document.getElementById('config')?.value.includes('table-3')")
    page.click("#keys summary")
    page.until("document.querySelectorAll('#keys tbody tr').length > 0")
    listed = "return [...document.querySelectorAll('#keys tbody code')].map((one) => one.innerText)"
    assert page.run(listed) == [f"[{key.section}] {key.name}" for key in KEYS]
    row = (
        "[...document.querySelectorAll('#keys tbody tr')].find((one) => /baud/.test(one.innerText))"
    )
    assert "115200" in page.run(f"return {row}.innerText")
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    for found in page.run(LOOK):
        assert contrast(found["colour"], found["ground"]) >= 4.5, found


@pytest.mark.parametrize("view", PERSONAL)
def test_who_is_not_logged_in_is_told_so_and_nothing_else(page: Any, view: str) -> None:
    page.open(view)
    page.until("document.querySelector('.empty')")
    assert "Log in to see this." in page.text("main")
    assert page.run("return document.querySelectorAll('main canvas, main table').length") == 0


@pytest.mark.smoke
def test_the_page_asks_nobody_but_its_wheel(page: Any) -> None:
    page.browser.requests()
    page.open("live")
    page.logged_in()
    for view in VIEWS:
        page.show(view)
        page.until("document.querySelector('.view').children.length > 1")
    asked = [url for url in page.browser.requests() if not url.startswith(("data:", "about:"))]
    assert asked
    assert [url for url in asked if not url.startswith(page.table.address)] == []


def cost(urls: list[str], address: str) -> float:
    """What these count, of what one may ask."""
    paths = [url.removeprefix(address) for url in urls if url.startswith(address)]
    return sum(QUESTION if path.startswith(("api/", "events")) else 1.0 for path in paths)


def test_a_page_whose_views_are_all_looked_at_asks_a_tenth_of_what_it_may(page: Any) -> None:
    page.browser.requests()
    page.open("live")
    opened = cost(page.browser.requests(), page.table.address)
    assert 10 < opened < STRANGERS_AT_ONCE / 10
    page.logged_in()
    for view in VIEWS:
        page.show(view)
        page.until("document.querySelector('.view').children.length > 1")
    looked = cost(page.browser.requests(), page.table.address)
    print(f"opened {opened:.0f}, all views {looked:.0f}")
    assert QUESTION * len(VIEWS) / 2 < looked < PERSONS_AT_ONCE / 10


@pytest.mark.smoke
def test_the_keyboard_is_enough(page: Any) -> None:
    """Views by their keys, the order of what is focused, and a focus that can be seen."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    def press(*keys: str) -> None:
        ActionChains(page.browser.driver).send_keys(*keys).perform()

    page.open("live")
    press(Keys.TAB)
    assert page.run("return document.activeElement.id") == "skip"
    press("5")
    page.until("document.body.dataset.view === 'faults'")
    press("l")
    page.until("document.querySelector('dialog[open] #field-name') === document.activeElement")
    press("5", "3")  # typed, not taken for a shortcut
    assert page.run("return document.activeElement.value") == "53"
    press(Keys.TAB)
    assert page.run("return document.activeElement.id") == "field-pin"
    outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    press(Keys.ESCAPE)
    page.until("document.querySelector('dialog') === null")
    press("f")
    page.until("document.documentElement.lang === 'fr'")
    press("t")
    page.until("document.documentElement.dataset.theme === 'dark'")
    press("?")
    page.until("document.querySelector('dialog[open] .keys')")
    page.photograph("shortcuts")


def test_the_language_and_the_theme_stay_chosen(page: Any) -> None:
    page.open("faults", language="en", theme="light")
    page.click("#language")
    page.until("document.querySelector('h1').innerText === 'Défauts'")
    page.click("#theme")
    page.until("document.documentElement.dataset.theme === 'dark'")
    page.browser.driver.get(f"{page.table.address}#faults")
    page.browser.driver.refresh()
    page.until("document.documentElement.dataset.theme === 'dark'")
    page.until("document.querySelector('h1')?.innerText === 'Défauts'")
    page.run("localStorage.clear()")


@pytest.mark.parametrize(("language", "done"), [("en", "another ball"), ("fr", "autre bille")])
def test_work_on_the_wheel_is_recorded_by_who_is_logged_in(
    page: Any, language: str, done: str
) -> None:
    page.open("upkeep", language=language)
    page.until("document.querySelector('.view').children.length > 1")
    assert not page.run("return document.getElementById('work') !== null")
    page.logged_in()
    page.show("upkeep")
    page.until("document.getElementById('work') !== null")
    meant = "return document.getElementById('work-meaning').textContent"
    before = page.run(meant)
    page.run(
        "const kind = document.getElementById('work'); kind.value = 'ball';"
        "kind.dispatchEvent(new Event('change'));"
        "document.getElementById('work-note').value = '19 mm ivorine';"
    )
    assert page.run(meant) != before
    page.click("form:has(#work) button")
    page.show("log")
    page.until("document.querySelector('.view').innerText.includes('19 mm ivorine')")
    assert done in page.run("return document.querySelector('.view').innerText")


# As if these faults had been told during the last coups.
TOLD = """
const real = window.fetch, more = arguments[0];
window.fetch = async (path, options) => {
  const answer = await real(path, options);
  if (path !== '/api/faults') return answer;
  return new Response(JSON.stringify({...await answer.json(), told: more}), {status: 200});
};
"""


def test_a_supervisor_acknowledges_a_notice_of_health_with_a_reason(page: Any) -> None:
    page.open("live")
    page.logged_in()
    told = {"coup": 3, "code": "H20", "detail": "17", "at_s": None}
    page.run(TOLD, [told, told | {"code": "W21"}])
    page.show("faults")
    page.until("document.querySelector('#told [data-code=H20] form') !== null")
    assert page.run("return document.querySelectorAll('form.acknowledge').length") == 1
    page.run("document.querySelector('.acknowledge input').value = 'looked at, sound'")
    page.click(".acknowledge button")
    page.show("log")
    page.until("document.querySelector('.view').innerText.includes('H20: looked at, sound')")


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("anna", "H20", "Pocket 17 holds the ball."),
        (
            None,
            "H00",
            "The watch over this wheel gives notice. What to do: Have the wheel looked at.",
        ),
    ],
)
def test_who_is_no_supervisor_acknowledges_nothing_and_a_stranger_reads_no_place(
    page: Any, name: str | None, code: str, says: str
) -> None:
    page.open("live")
    if name is not None:
        page.logged_in(name)
    told = {"coup": 3, "code": "H20", "detail": "17", "at_s": None}
    page.run(TOLD, [told if name else public_told(told)])
    page.show("faults")
    page.until(f"document.querySelector('#told [data-code={code}]') !== null")
    assert says in " ".join(page.text(f"#told [data-code={code}]").split())
    assert not page.run("return document.querySelector('form.acknowledge') !== null")
