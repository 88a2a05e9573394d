"""What the page does beside its views: who leaves, how it refuses, what it cannot know."""

from pathlib import Path
from typing import Any

import own_journal
import pytest
from display_page.conftest import Browser
from page_bench import PINS, Page, Table

SENDS = """
window.sent = []; window.answered = []; const real = window.fetch;
window.fetch = async (path, options) => {
  window.sent.push([path, options?.body]);
  const response = await real(path, options);
  window.answered.push(path);
  return response;
};
"""


def test_a_login_is_taken_over_out_of_play_and_leaving_is_asked_first(
    browser: Browser, table: Table
) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("live")
    page.logged_in("klein")
    table.rest()
    page.until("!document.getElementById('take-out')?.disabled")
    page.fill("why", "hands inside")
    page.run("document.getElementById('take-out').focus()")
    page.click("#take-out")
    page.until("document.getElementById('in-service')?.innerText.includes('klein')")
    page.until("document.getElementById('take-out').innerText === 'Put back into play'")
    assert page.run("return document.activeElement.id") == "take-out"
    page.run(SENDS)
    page.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'l'}))")
    page.run("import('/link.mjs').then(({ask}) => ask('/api/me'))")  # after all that the key sends
    page.until("window.answered.includes('/api/me')")
    sent = page.run("return window.sent.map(([path]) => path)")
    assert not {"/api/job", "/api/logout"} & set(sent)  # who leaves asks for the job first
    assert "klein" in page.text("#who")  # a slip of a finger logs nobody out
    page.click("#login")
    page.until("document.getElementById('leaves')")
    assert "stays out of play" in page.text("#leaves")
    page.click("#leave")
    page.until("document.getElementById('login').innerText === 'Log in'")
    page.logged_in("weber")
    page.until("document.getElementById('take-out')?.innerText === 'Take over from klein'")
    page.run("window.sent = []")
    page.fill("why", "mine now")
    page.click("#take-out")
    page.until("window.sent.some(([path]) => path === '/api/service')")
    (body,) = page.run("return window.sent.filter(([path]) => path === '/api/service')")
    assert '"on":true' in body[1]
    assert '"take":true' in body[1]
    page.until("document.getElementById('in-service')?.innerText.includes('weber')")
    page.until("document.getElementById('take-out').innerText === 'Put back into play'")
    assert page.run("return window.sent.filter(([path]) => path === '/api/service').length") == 1
    assert table.status()["state"] == "SERVICE"


def test_a_name_with_the_keyboards_space_is_the_same_name(page: Any) -> None:
    page.open("live")
    page.log_in("weber ", PINS["weber"])
    page.until("document.getElementById('who').innerText.includes('weber')")


@pytest.fixture
def first(page: Any) -> Any:
    """The page of a wheel whose first supervisor was asked for with a space at the name's end."""
    page.open("live")
    page.run(
        "const real = window.fetch; window.sent = [];"
        "window.fetch = (path, options) => { if (path !== '/api/first') return real(path, options);"
        " window.sent.push(JSON.parse(options.body)); return Promise.resolve(new Response("
        " JSON.stringify({button: 'btn_void', presses: 4, within_s: 60, pause_s: 3}))); }"
    )
    page.run("document.getElementById('login').click()")
    page.click("#first")
    for field, text in (("name", "Rene\u0301 "), ("pin", "492517"), ("again", "492517")):
        page.fill(f"field-{field}", text)
    page.click("#first-form button[type=submit]")
    page.until("document.getElementById('press')")
    return page


def test_the_first_name_is_sent_as_the_wheel_will_keep_it(first: Any) -> None:
    assert first.run("return window.sent[0].name") == "Ren\u00e9"


def test_refusals_are_told_in_the_language_of_the_page(page: Any) -> None:
    page.open("live", language="fr")
    page.log_in("anna", "999111")
    page.until("document.querySelector('#login-form .wrong')?.innerText.includes('est faux')")
    assert "wrong" not in page.text("#login-form .wrong")


def test_the_state_is_read_aloud_where_it_stands(page: Any) -> None:
    page.open("live")
    page.until("document.body.dataset.state !== 'GONE'")
    page.run("window.said = document.getElementById('state')")
    state = page.run("return document.body.dataset.state")
    page.until("document.body.dataset.state !== arguments[0]", state)
    assert page.run("return window.said === document.getElementById('state')")
    assert page.run("return window.said.innerText.trim() !== ''")


def test_what_happened_has_the_time_of_day(page: Any) -> None:
    page.open("live")
    page.until(
        "/^\\d\\d:\\d\\d:\\d\\d$/.test(document.querySelector('.happened li span')?.innerText)"
    )
    page.run(
        "return import('/app.mjs').then(({app}) => { app.facts.push("
        "{event: 'first', ok: true, name: 'dubois'}); })"
    )
    page.until("['NO_MORE_BETS', 'BALL_DROPPED'].includes(document.body.dataset.state)")
    assert "first" not in page.text(".happened")
    assert "NaN" not in page.text(".happened")


def test_faults_are_unknown_while_the_controller_is_gone_and_views_come_back(
    browser: Browser, table: Table
) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("faults")
    page.until("document.querySelector('.well')")
    assert table.controller is not None and table.page is not None
    table.controller.end()
    page.until("document.getElementById('unknown')")
    assert page.run("return document.querySelector('.well')") is None
    port = table.port
    table.page.end()
    page.show("coups")
    page.until("document.getElementById('unheard')")
    table.serve("--port", str(port))
    page.until("document.querySelector('.split')")


FIRST_STATUS = """
return import('/views/faults.mjs').then(({mount}) => {
  const root = document.createElement('div');
  let hear;
  const app = {
    me: null, status: null, silent: false, facts: [], language: "en", t: (name) => name,
    missing: () => "", try: async () => null, on: (told) => { hear = told; return () => {}; },
  };
  const view = mount(root, app);
  const before = root.querySelector('#unknown') !== null;
  app.status = {faults: []};
  hear('status');
  view.unmount();
  return [before, root.querySelector('.well') !== null];
})
"""


def test_the_first_status_without_a_fault_says_so_however_late_it_comes(page: Any) -> None:
    page.open("live")
    assert page.run(FIRST_STATUS) == [True, True]


def test_two_tabs_of_one_browser_know_of_each_other(page: Any) -> None:
    driver = page.browser.driver
    page.open("live")
    here = driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        page.open("live")
        page.logged_in("anna")
        driver.switch_to.window(here)
        page.log_in("weber")
        page.until("document.getElementById('who').innerText.includes('weber')")
    finally:
        for handle in driver.window_handles:
            if handle != here:
                driver.switch_to.window(handle)
                driver.close()
        driver.switch_to.window(here)


TRACES = """
return import('/trace.mjs').then(({Traces}) => {
  const traces = new Traces(['one']);
  traces.begin([0], null);
  traces.take({edges: [], lost: 0, t_us: 5e6, held: false});
  const begun = traces.begin_us;
  const edges = Array.from({length: 1000}, (_, at) => [6e6 + at * 1000, 0, at % 2]);
  traces.take({edges, lost: 0, t_us: 7e6, held: false});
  traces.take({edges: [], lost: 0, t_us: 400e6, held: false}, 6e6);
  const kept = traces.changes[0].length;
  traces.take({edges: [], lost: 0, t_us: 400e6, held: false});
  return [begun, kept > 1000, traces.changes[0].length < 1000];
})
"""


def test_the_oscilloscope_forgets_nothing_frozen_and_knows_when_it_began(page: Any) -> None:
    page.open("scope")
    page.logged_in()
    assert page.run(TRACES) == [5_000_000, True, True]


@pytest.fixture
def past(browser: Browser, table: Table, tmp_path: Path) -> Page:
    """The page beside a journal of sixty coups, one of ten void."""
    path = tmp_path / "past.db"
    journal = own_journal.opened(path)
    own_journal.add_coups(journal, 1, 61)
    journal.close()
    table.play()
    table.serve("--journal", str(path))
    return Page(browser, table)


ZOOM = """
const over = document.querySelector('.u-over');
const box = over.getBoundingClientRect();
const at = (name, x) => (name === 'mousedown' ? over : document).dispatchEvent(new MouseEvent(name,
  {bubbles: true, button: 0, clientX: box.left + x * box.width, clientY: box.top + 50}));
over.dispatchEvent(new MouseEvent('mouseenter'));
for (const [name, x] of [['mousedown', .3], ['mousemove', .4], ['mousemove', .6], ['mouseup', .6]])
  (name === 'mousemove' ? over : document).constructor && (name === 'mousemove'
    ? over.dispatchEvent(new MouseEvent(name, {bubbles: true, clientX: box.left + x * box.width,
        clientY: box.top + 50, movementX: 9}))
    : at(name, x));
"""


def test_the_past_is_read_under_the_finger_and_a_zoom_stays(past: Page, tmp_path: Path) -> None:
    past.open("history")
    past.logged_in()
    past.until("document.querySelectorAll('.uplot').length === 3")
    assert "Red bar: a void coup." in past.text(".chart")
    assert past.text(".chart-head b") == (
        "In the track: median 0.13 s (#30) · least 0.10 s (#1)"
        " · Drop: median 0.28 s (#30) · least 0.25 s (#1)"
    )
    past.run(
        "window.label = []; const real = CanvasRenderingContext2D.prototype.fillText;"
        "CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {"
        " if (window.one.contains(this.canvas)) window.label.push(text);"
        " return real.call(this, text, ...rest); };"
        "window.one = document.querySelector('.uplot')"
    )
    past.run(ZOOM)
    past.until("/^#\\d+ · .+ · 0\\.\\d+ s$/.test(document.querySelector('.reading').innerText)")
    past.until("window.label.some((text) => /^#\\d+$/.test(text))")
    marks = past.run("return window.label.filter((text) => /^#\\d+$/.test(text))")
    assert "#60" not in marks  # a part of it is seen
    assert past.run("return window.label.some((text) => /^\\d\\d:\\d\\d$/.test(text))")
    journal = own_journal.opened(tmp_path / "past.db")
    own_journal.add_coups(journal, 61, 64)
    journal.close()
    past.run("window.label = []")
    past.until("document.querySelectorAll('.chart-head b')[2].innerText === '6 voids of 63'")
    assert past.run("return window.one === document.querySelector('.uplot')")
    assert not past.run("return window.label.some((text) => ['#60', '#63'].includes(text))")
    for size, language, theme in (((1024, 768), "fr", "dark"), ((390, 844), "en", "light")):
        for view in ("history", "live", "faults", "parts"):
            past.open(view, language=language, theme=theme, size=size)
            past.until("document.querySelectorAll('.view .card').length > 1")
            assert past.run("return document.documentElement.scrollWidth <= innerWidth"), view
            past.photograph(f"{view}-{size[0]}")


def test_the_parts_are_named_in_french(page: Any) -> None:
    page.open("parts", language="fr")
    page.logged_in()
    page.until("document.querySelectorAll('.parts dt').length > 2")
    assert "Journal" in page.text(".parts")
    for english in ("rows", "epoch", "trouble", "trusted"):
        assert english not in page.text(".parts")
