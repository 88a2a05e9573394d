"""The frame around the views: whose page it is, how one gets about, what lies above the fold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from display_page.contrast import contrast
from page_bench import Page, Table
from page_looks import LOOK, READ, VIEWS
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from firmware.store.source_hash import firmware_hash

SCREEN, TABLET, TELEPHONE, SMALL_TELEPHONE = (1920, 1080), (1024, 768), (390, 844), (360, 640)
SIZES = (SCREEN, TABLET, TELEPHONE, SMALL_TELEPHONE)
TITLES = {
    "en": ("Live", "Faults", "Self-test"),
    "fr": ("En direct", "Défauts", "Autotest"),
}
FOREMOST = ["live", "coups", "faults", "selftest"]
# Whether all of an element is seen, and is what a finger there touches; none of it scrolled to.
SEEN = """return (([selector]) => {
  const one = document.querySelector(selector), box = one.getBoundingClientRect();
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return scrollY === 0 && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight
    && box.left >= 0 && box.right <= innerWidth && one.contains(there);
})(arguments)"""
ACROSS = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
# The links and buttons of the menu that are seen: of which view or what, and where.
ENTRIES = """
return [...document.querySelectorAll('#nav a, #nav button')].filter((one) => one.offsetParent)
  .map((one) => { const box = one.getBoundingClientRect();
    return [one.dataset.view ?? one.id, Math.round(box.top), Math.round(box.width),
      box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight]; });
"""


def press(page: Page, *keys: str) -> None:
    ActionChains(page.browser.driver).send_keys(*keys).perform()


def read(page: Page, view: str) -> None:
    """Shows a view, and waits until it has what it asks for."""
    page.show(view)
    page.until("document.querySelector('.view').children.length > 1")
    page.until(READ)


@pytest.mark.parametrize("language", TITLES)
def test_ten_tabs_of_ten_wheels_are_told_apart(page: Page, language: str) -> None:
    live, faults, selftest = TITLES[language]
    other = {"en": "fr", "fr": "en"}[language]
    page.open("live", language=language)
    for view, name in (("live", live), ("selftest", selftest), ("faults", faults)):
        page.show(view)
        page.until("document.title === arguments[0]", f"table-3 · {name} · Cylindre")
        assert page.text("#bar .brand").split("\n") == ["table-3", name]
    page.run("document.getElementById('login').click()")
    words = {"en": ("Log in", "Log in at table-3"), "fr": ("Connexion", "Connexion à table-3")}
    page.until("document.title === arguments[0]", f"table-3 · {words[language][0]} · Cylindre")
    assert page.text("dialog h2") == words[language][1]
    press(page, Keys.ESCAPE)
    page.until("document.title === arguments[0]", f"table-3 · {faults} · Cylindre")
    page.click("#language")
    page.until("document.title === arguments[0]", f"table-3 · {TITLES[other][1]} · Cylindre")
    page.run("localStorage.clear()")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_screen_scrolls_sideways_and_each_view_is_photographed(
    page: Page, size: tuple[int, int]
) -> None:
    for language, theme in (("fr", "dark"), ("en", "light")):
        page.open("live", language=language, theme=theme, size=size)
        page.run("document.getElementById('login').click()")
        page.until("document.querySelector('dialog[open]')")
        assert page.run(ACROSS)
        page.photograph(f"login-{size[0]}-{language}-{theme}")
        press(page, Keys.ESCAPE)
        page.until("!document.querySelector('dialog')")
        page.logged_in()
        for view in VIEWS:
            read(page, view)
            assert page.run(ACROSS), view
            page.photograph(f"{view}-{size[0]}-{language}-{theme}")
        page.click("#login")
        page.until("document.getElementById('who').textContent.match(/Read only|Lecture seule/)")
    page.run("localStorage.clear()")


def test_a_tablet_has_a_rail_of_icons_that_say_their_names(page: Page) -> None:
    page.open("live", size=TABLET)
    page.logged_in()
    entries = page.run(ENTRIES)
    assert [name for name, *_ in entries] == [*VIEWS, "language", "theme"]
    assert all(width <= 60 and seen for _, _, width, seen in entries)
    assert page.run("return document.getElementById('nav').getBoundingClientRect().width") < 80
    label = "getComputedStyle(document.querySelector('#nav a[data-view=upkeep] .label'))"
    names = "return [...document.querySelectorAll('#nav a')].map((one) => one.innerText.trim())"
    assert page.run(names)[4:6] == ["Faults", "Upkeep"]  # what a screen reader says
    assert page.run(f"return {label}.opacity") == "0"
    page.run("document.querySelector('#nav a[data-view=faults]').focus()")
    press(page, Keys.TAB)
    page.until(f"{label}.opacity === '1'")
    assert contrast(*page.run(f"return [{label}.color, {label}.backgroundColor]")) >= 4.5
    box = page.run(
        "const box = document.querySelector('#nav a[data-view=upkeep] .label')"
        ".getBoundingClientRect(); return [box.left, box.right]"
    )
    assert 60 < box[0] < box[1] < TABLET[0]
    assert page.run(ACROSS)
    page.photograph("rail-1024")
    element = page.browser.driver.find_element("css selector", "#nav a[data-view=parts]")
    ActionChains(page.browser.driver).move_to_element(element).perform()
    page.until("getComputedStyle(document.querySelector('[data-view=parts] .label')).opacity == 1")


@pytest.mark.parametrize("size", [SCREEN, (1280, 720), (1024, 700)], ids=["1920", "1280", "1024"])
def test_a_screen_has_the_whole_menu_at_once(page: Page, size: tuple[int, int]) -> None:
    page.open("live", size=size, language="fr")
    entries = page.run(ENTRIES)
    assert [name for name, *_ in entries] == [*VIEWS, "language", "theme"]
    assert [name for name, *_, seen in entries if not seen] == []


@pytest.mark.parametrize("size", [TELEPHONE, SMALL_TELEPHONE], ids=["390", "360"])
def test_a_telephone_has_one_row_and_the_rest_behind_more(page: Page, size: Any) -> None:
    page.open("live", size=size, language="fr")
    page.logged_in()
    entries = page.run(ENTRIES)
    assert [name for name, *_ in entries] == [*FOREMOST, "menu"]
    assert len({top for _, top, *_ in entries}) == 1  # one row
    assert all(seen for *_, seen in entries)
    bar = page.run("return document.querySelector('#bar .bar').getBoundingClientRect().height")
    assert bar <= 60  # one row, too
    opened = "return document.getElementById('menu').getAttribute('aria-expanded')"
    assert page.run(opened) == "false"
    page.click("#menu")
    assert page.run(opened) == "true"
    entries = page.run(ENTRIES)
    assert [name for name, *_ in entries] == [*VIEWS, "language", "theme", "menu"]
    assert all(seen for *_, seen in entries)
    assert "weber" in page.text("#nav")
    page.photograph(f"more-{size[0]}")
    for found in page.run(LOOK):
        assert contrast(found["colour"], found["ground"]) >= 4.5, found
    page.run("document.getElementById('language').focus()")
    press(page, Keys.ENTER)  # what was pressed stays where it is
    page.until("document.documentElement.lang === 'en'")
    assert page.run("return document.activeElement.id") == "language"
    press(page, Keys.ESCAPE)
    assert page.run(opened) == "false"
    page.click("#menu")
    page.click("#nav a[data-view=live]")  # also that which is open
    assert page.run(opened) == "false"
    page.run("localStorage.clear()")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_takes_the_wheel_out_of_play_is_seen_without_scrolling(
    browser: Any, table: Table, size: tuple[int, int]
) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("live", language="fr", size=size)
    page.logged_in("klein")
    table.rest()
    page.until("!document.getElementById('take-out')?.disabled")
    for one in ("#take-out", "#play-state", "#why"):
        assert page.run(SEEN, one), one
    assert page.text("#play-state") == "en jeu"
    height = "return document.querySelector('.card.service').getBoundingClientRect().height"
    free = page.run(height)
    page.run("document.getElementById('service-why').textContent = 'Un coup est en cours.'")
    assert page.run(height) == free  # what stands below does not jump with each coup
    page.fill("why", "contrôle mensuel")
    page.click("#take-out")
    page.until("document.getElementById('play-state').innerText === 'HORS SERVICE'")
    page.until("document.getElementById('in-service')")
    for one in ("#take-out", "#play-state", "#state"):
        assert page.run(SEEN, one), one
    assert all(seen for *_, seen in page.run(ENTRIES))  # of the menu, below the banner
    page.photograph(f"out-of-play-{size[0]}")


PASTED = "return document.getElementById('field-name').value"


@pytest.mark.parametrize("without", [False, True], ids=["clipboard", "older browser"])
def test_a_fingerprint_is_copied_by_hand_or_by_key_and_says_so(page: Page, without: bool) -> None:
    page.open("live", size=TELEPHONE, language="fr")
    assert page.run("return isSecureContext")
    if without:
        page.run("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    else:
        state = "return navigator.permissions.query({name: 'clipboard-write'}).then((p) => p.state)"
        assert page.run(state) == "granted"  # and so nobody is asked
    page.run("document.getElementById('login').click()")
    page.until("document.querySelector('dialog .copy')")
    told = "document.querySelector('dialog .copied[role=status]').innerText"
    label = "return document.querySelector('dialog .copy').getAttribute('aria-label')"
    assert page.run(label) == "Copier : Empreinte du certificat"
    if without:
        page.run("document.querySelector('dialog .copy').focus()")
        press(page, Keys.ENTER)
    else:
        page.browser.driver.find_element("css selector", "dialog .copy").click()
    page.until(f"{told} === 'copié'")
    assert page.run("return document.activeElement.className") == "quiet copy"
    page.photograph("copied-390")
    page.run("document.getElementById('field-name').focus()")
    ActionChains(page.browser.driver).key_down(Keys.CONTROL).send_keys("v").key_up(
        Keys.CONTROL
    ).perform()
    page.until("document.getElementById('field-name').value !== ''")
    assert page.run(PASTED) == page.table.fingerprint[:64]  # of a name's length
    assert page.run("return document.querySelectorAll('dialog textarea').length") == 0


def test_what_is_read_over_the_telephone_has_a_button_to_copy_it(page: Page) -> None:
    page.open("about")
    firmware = page.run("return import('/app.mjs').then(({app}) => app.wheel.firmware)")
    assert firmware == firmware_hash().hex()
    shown = "[...document.querySelectorAll('.about .copyable')].map((one) => one.innerText.trim())"
    page.until(f"{shown}.length === 2")
    assert page.run(f"return {shown}") == [page.table.fingerprint, firmware]
    page.run("document.querySelector('.about .copy').focus()")
    page.run("window.beats = 0; import('/app.mjs').then(({app}) => app.on(() => { beats += 1; }))")
    page.until("window.beats > 4")  # what changes there leaves the button alone
    assert page.run("return document.activeElement.className") == "quiet copy"
    page.show("faults")
    page.until("document.querySelectorAll('#all .fault').length > 40")
    assert page.run(
        "return [...document.querySelectorAll('#all .fault')].every((one) =>"
        " one.querySelector('.copy').getAttribute('aria-label') === `Copy: ${one.dataset.code}`)"
    )


# --- a fault and what mends it -------------------------------------------------------------------
def test_each_fault_leads_to_the_view_that_mends_it(page: Page) -> None:
    page.open("faults")
    page.logged_in("anna")
    page.until("document.querySelectorAll('#all .fault').length > 40")
    links = page.run(
        "return [...document.querySelectorAll('#all .fault')].map((one) =>"
        " [one.dataset.code, one.querySelector('a.mend')?.hash ?? null])"
    )
    mends = page.run("return import('/words.mjs').then((told) => told.default.en.fault_mends)")
    assert {code for code, link in links if link is not None} == set(mends)
    seen = set()
    for code, link in links:
        if link is None or (opened := mends[code][0]) in seen:
            continue
        seen.add(opened)
        assert link == f"#{opened}/{code}"
        page.run("location.hash = arguments[0]", link)
        page.until("document.body.dataset.view === arguments[0]", opened)
        page.until("document.getElementById('led')?.innerText.startsWith(arguments[0])", code)
        assert page.run("return document.querySelector('#nav [aria-current]').dataset.view") == (
            opened
        )
    assert len(seen) > 5
    page.run("location.hash = '#parts/S10'")
    page.until("document.querySelector('.parts .sought')?.innerText.startsWith('Journal')")
    assert "Look at: Journal." in page.text("#led")
    page.photograph("led-parts")
    page.click("#led a")
    page.until("document.body.dataset.view === 'faults'")
    assert page.run("return document.getElementById('led')") is None


def test_who_may_not_see_a_view_is_not_led_there(page: Page) -> None:
    page.open("faults")
    page.until("document.querySelectorAll('#all .fault').length > 40")
    views = "return [...document.querySelectorAll('a.mend')].map((one) => one.hash.split('/')[0])"
    assert set(page.run(views)) == {"#about", "#coups", "#live"}


STEPS = """
const part = (n, group) => ({n, kind: 'part', group, part: 'one', value: 1, unit: 'yes', low: 1,
  high: 1, outcome: 'passed', why: '', note: ''});
const job = {what: 'selftest', who: 'klein', state: 'passed', asked: null,
  steps: [part(0, 'rim beams'), part(1, 'ring sensors')]};
const real = window.fetch;
window.fetch = (path, options) => (path === '/api/job'
  ? Promise.resolve(new Response(JSON.stringify({job}))) : real(path, options));
"""


def test_the_self_test_shows_which_of_its_steps_a_fault_asks_for(page: Page) -> None:
    page.open("live")
    page.logged_in("anna")
    page.run(STEPS)
    page.run("location.hash = '#selftest/W23'")
    page.until("document.querySelectorAll('.measures tbody tr').length === 2")
    sought = "[...document.querySelectorAll('.measures tr.sought')].map((one) => one.innerText)"
    (row,) = page.run(f"return {sought}")
    assert row.startswith("ring sensors")


# --- nothing found -------------------------------------------------------------------------------
@pytest.fixture
def new(browser: Any, table: Table, tmp_path: Path) -> Page:
    """The page of a wheel that has not played yet."""
    table.play()
    table.serve("--journal", str(tmp_path / "none.db"))
    return Page(browser, table)


HELD = """
const real = window.fetch;
window.let_go = [];
window.fetch = async (path, options) => {
  if (String(path).startsWith('/api/') && !options?.method) {
    const refuse = await new Promise((go) => window.let_go.push(go));
    if (refuse) return new Response(JSON.stringify({error: {code: 'x', text: 'No.', remedy: ''}}));
  }
  return real(path, options);
};
"""
NONE = {  # view: what says that there is nothing
    "coups": "No coup has ended yet.",
    "history": "No coup has ended yet.",
    "faults": "No fault was told during them.",
    "log": "The journal has no row yet.",
    "parts": "No display is on the line.",
    "live": "No coup has ended yet.",
    "config": "No order was left.",
    "update": "No order was left.",
}
# All that was asked for by now is answered: as it is, or refused.
GO = """(() => { for (const go of window.let_go.splice(0)) go(arguments[1]); })()
  ?? document.querySelector('main').innerText.includes(arguments[0])"""


@pytest.mark.parametrize("view", NONE)
def test_nothing_there_is_not_what_was_not_read_yet(new: Page, view: str) -> None:
    new.open("upkeep")
    new.logged_in()
    new.until(READ)
    new.run(HELD)
    has = "document.querySelector('main').innerText.includes(arguments[0])"
    for refused, told in ((False, NONE[view]), (True, "This cannot be read now.")):
        new.show("upkeep")
        new.show(view)
        new.until(has, "Reading…")
        assert not new.run(f"return {has}", NONE[view])
        assert not new.run(f"return {has}", "This cannot be read now.")
        new.until(GO, told, refused)


def test_a_search_and_a_filter_say_what_they_did_not_find(page: Page) -> None:
    page.open("faults")
    page.until("document.querySelectorAll('#all .fault').length > 40")
    page.fill("search", "croissant")
    page.until("document.querySelectorAll('#all .fault').length === 0")
    told = page.text("#all [role=status]")
    assert told == "No fault has “croissant” in its code, sentence or remedy."
    page.photograph("faults-none-found")
    page.fill("search", "W21")
    page.until("document.querySelectorAll('#all .fault').length === 1")
    assert page.text("#all [role=status]") == ""
    page.logged_in("anna")
    page.run(ROWS)
    page.show("log")
    page.until("document.querySelectorAll('.log tr').length === 2")
    page.click("#acts")
    page.until("document.querySelector('.log').innerText === 'No act among the last 2 rows.'")


ROWS = """
const rows = [1, 2].map((n) => ({n, utc: '2026-11-27T05:00:00Z', kind: 'fram', said: {}}));
const real = window.fetch;
window.fetch = (path, options) => (String(path).startsWith('/api/log')
  ? Promise.resolve(new Response(JSON.stringify({rows}))) : real(path, options));
"""


def test_an_oscilloscope_without_edges_says_so(page: Page) -> None:
    page.open("faults")
    page.logged_in("anna")
    page.run("EventSource.prototype.addEventListener = () => {}")  # of the stream that comes next
    page.show("scope")
    page.until("document.getElementById('scope-state')?.innerText.includes('Reading…')")
    page.run("import('/app.mjs').then(({app}) => { app.lines = {lines: ['rim0'], levels: [0]}; })")
    page.until("document.getElementById('scope-state').innerText.includes('no edge yet')")
