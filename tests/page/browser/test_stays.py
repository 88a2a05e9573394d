"""What somebody looks at, has typed or has opened stays: whoever leaves, whatever comes."""

from pathlib import Path

import own_journal
import pytest
from display_page.conftest import Browser
from page_bench import PINS, Page, Table
from patience import LAST_RESORT_S
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from firmware.services.page.translation import with_translations
from tools.bench.page.client import Client

FOCUSED = "return document.activeElement.{}"
TEXTS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"


def press(page: Page, *keys: str) -> None:
    ActionChains(page.browser.driver).send_keys(*keys).perform()


# --- the oscilloscope -----------------------------------------------------------------------------
HEARS = """
window.names = [];
const canvas = document.getElementById('traces'), context = canvas.getContext;
canvas.getContext = (...how) => { window.drawn += 1; return context.apply(canvas, how); };
return import('/app.mjs').then(({app}) => { app.on((name, data) => {
  window.names.push(name);
  if (name !== 'edges') return;
  window.heard_us = data.t_us;
  if (!data.held) window.told_us = data.t_us;
}); });
"""
AHEAD_US = 300_000  # the picture goes on by itself for so long, to be filled as edges come


def drawn(page: Page) -> str:
    """The picture, drawn anew from now on."""
    page.run("window.drawn = 0")
    page.until("window.drawn > 1")
    picture: str = page.run("return document.getElementById('traces').toDataURL()")
    return picture


def test_a_frozen_picture_outlives_the_session_that_its_edges_came_by(page: Page) -> None:
    weber = Client(page.table.port, LAST_RESORT_S)
    assert weber.log_in("weber", PINS["weber"])[0] == 200
    with weber.stream("/events?edges=1") as stream:
        came = b""
        while b"event: lines" not in came:
            came += stream.recv(65536)
        page.open("scope")
        page.logged_in("anna")
        page.until("document.getElementById('scope-state')?.innerText.includes('edges/s')")
        page.until("document.body.dataset.state === 'BALL_DROPPED'")
        page.run(HEARS)
        page.until("window.names.filter((name) => name === 'edges').length > 20")
        press(page, " ")
        page.until("document.getElementById('scope-state').dataset.state === 'frozen'")
        # What was held back when it froze is told at the call, and drawn then.
        heard_us = page.run("return window.heard_us")
        page.until("window.told_us > arguments[0]", heard_us + AHEAD_US)
        before = drawn(page)
        assert weber.ask("/api/logout", {})[0] == 200
        page.until("window.names.includes('lines')")
        page.run("window.names = []")
        page.until("window.names.filter((name) => name === 'edges').length > 2")
        assert drawn(page) == before
        assert "frozen" in page.text("#scope-state")
    assert "anna" in page.text("#who")


JOINED = """
return import('/trace.mjs').then(({Traces}) => {
  const traces = new Traces(['one']);
  traces.begin([0], 0);
  traces.take({edges: [[10, 0, 1]], lost: 0, t_us: 50, held: false});
  traces.join([0]);
  traces.take({edges: [], lost: 0, t_us: 90, held: true});
  traces.take({edges: [[70, 0, 1]], lost: 0, t_us: 100, held: false});
  const held = new Traces(['one']);
  held.begin([0], 50);
  held.take({edges: [], lost: 0, t_us: 90, held: true});
  const since = held.held_us;
  held.take({edges: [[60, 0, 1]], lost: 0, t_us: 100, held: false});
  return [traces.changes[0], since, held.changes[0]];
})
"""
ENCODED = """
return import('/encoder.mjs').then(({Encoder, Clock}) => {
  const encoder = new Encoder(['enc_a', 'enc_b', 'enc_z'], 100);
  encoder.preset([0, 0, 0]);
  for (const edge of [[1, 0, 1], [2, 2, 1], [3, 1, 1], [4, 2, 0]]) encoder.edge(...edge);
  const placed = encoder.placed, count = encoder.count;
  encoder.edge(5, 0, -1);
  const clock = new Clock();
  clock.hear(9e6, 100);
  clock.hear(1e6, 200);
  return [placed, encoder.placed, encoder.count === count, clock.offsets];
})
"""


def test_what_was_missed_is_in_doubt_and_never_a_step(page: Page) -> None:
    page.open("live")
    joined, since, held = page.run(JOINED)
    assert joined == [[0, 0], [10, 1], [50, -1], [70, 0], [70, 1]]
    assert (since, held) == (50, [[50, 0], [60, 1]])
    assert page.run(ENCODED) == [True, False, True, [-800]]


def test_the_oscilloscope_is_used_with_keys_alone(page: Page) -> None:
    page.open("scope")
    page.logged_in("anna")
    page.until("document.getElementById('traces')")
    window = page.text("#window")
    page.run("document.getElementById('zoom-in').focus()")
    press(page, "+")
    page.until("document.getElementById('window').innerText !== arguments[0]", window)
    press(page, "c", Keys.ARROW_RIGHT, "v")
    page.until("document.querySelectorAll('.readout div').length === 3")
    assert "Cursor A" in page.text(".readout")
    assert "Hz" in page.text(".readout")
    page.run("document.getElementById('freeze').focus()")
    press(page, " ")  # presses the button, and once
    page.until("document.getElementById('scope-state').dataset.state !== 'frozen'")


# --- coups, the past ------------------------------------------------------------------------------
@pytest.fixture
def past(browser: Browser, table: Table, tmp_path: Path) -> Page:
    """The page beside a journal of 120 coups."""
    path = tmp_path / "past.db"
    journal = own_journal.opened(path)
    own_journal.add_coups(journal, 1, 121)
    journal.close()
    table.play()
    table.serve("--journal", str(path))
    return Page(browser, table)


def test_the_keyboard_stays_where_it_is_and_older_coups_stay_open(
    past: Page, tmp_path: Path
) -> None:
    past.open("coups")
    past.logged_in("anna")
    rows = "document.querySelectorAll('.list tbody tr').length"
    past.until(f"{rows} === 50")
    past.click(".list > button")
    past.until(f"{rows} === 100")
    past.run("document.querySelector('[data-coup=\"118\"]').focus()")
    press(past, Keys.ENTER)
    past.until("document.querySelector('.coup-head h2')?.innerText === 'Coup 118'")
    assert past.run(FOCUSED.format("dataset.coup")) == "118"
    journal = own_journal.opened(tmp_path / "past.db")
    own_journal.add_coups(journal, 121, 123)
    journal.close()
    past.until("document.querySelector('[data-coup=\"122\"]')")  # at the end of the next coup
    assert past.run(f"return {rows}") == 102
    assert past.run(FOCUSED.format("dataset.coup")) == "118"
    assert past.run("return document.querySelector('tr.chosen').innerText.includes('#118')")


def test_a_curve_is_read_with_the_arrow_keys_and_follows_the_evening(past: Page) -> None:
    past.open("history")
    past.logged_in("anna")
    past.until("document.querySelectorAll('.uplot').length === 3")
    past.run("document.querySelector('.plot').focus()")
    press(past, Keys.ARROW_LEFT)
    past.until("/^#\\d+ · /.test(document.querySelector('.reading').innerText)")
    first = past.text(".reading")
    press(past, Keys.ARROW_LEFT)
    past.until("document.querySelector('.reading').innerText !== arguments[0]", first)
    assert past.text(".reading").startswith("#119 ")
    past.run("window.one = document.querySelector('.uplot')")
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    past.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    past.until("window.one !== document.querySelector('.uplot')")


# --- what was typed -------------------------------------------------------------------------------
TYPED = '[wheel]\nboard = "roulette_ref"\n# half a thou'


def test_a_configuration_that_is_being_written_is_nobodys_to_take_away(page: Page) -> None:
    page.open("config")
    page.logged_in("anna")
    page.until("document.getElementById('config')?.value.includes('table-3')")
    page.fill("config", TYPED)
    there = "document.getElementById('config')?.value === arguments[0]"
    page.click("#language")
    page.until("document.documentElement.lang === 'fr'")
    page.until(there, TYPED)
    page.show("live")
    page.show("config")
    page.until(there, TYPED)
    page.browser.driver.refresh()  # as where a new program is served
    page.until(there, TYPED)
    assert page.run("return document.getElementById('moved').hidden")
    page.run(
        "const said = JSON.parse(sessionStorage.getItem('config-draft'));"
        "sessionStorage.setItem('config-draft', JSON.stringify({...said, file: 'another'}))"
    )
    page.show("live")
    page.show("config")
    page.until("document.getElementById('moved')?.hidden === false")
    page.click("#login")  # leaves
    page.until("document.querySelector('.empty')")
    page.logged_in("klein")
    page.until("document.getElementById('config')?.value.includes('table-3')")
    page.click("#login")
    page.until("document.querySelector('.empty')")
    page.logged_in("anna")
    page.until(there, TYPED)
    page.click("#revert")
    page.show("live")
    page.show("config")
    page.until("document.getElementById('config')?.value.includes('table-3')")


# Each answer about a text waits until it is let through.
HELD = """
const real = window.fetch;
window.held = [];
window.fetch = async (...asked) => {
  const answer = await real(...asked);
  if (String(asked[0]).includes("config/check")) await new Promise((go) => window.held.push(go));
  return answer;
};
"""


def test_a_text_that_was_not_checked_yet_is_not_applied(page: Page) -> None:
    page.open("config")
    page.logged_in("weber")
    page.until("document.getElementById('config')?.value.includes('table-3')")
    page.until("document.querySelector('#mistakes.good')")
    page.run(HELD)
    page.run("window.sound = document.getElementById('config').value + '# checked'")
    page.fill("config", page.run("return window.sound"))
    page.until("window.held.length === 1")
    # Another is typed, and only then comes the answer about the one before.
    page.run(
        "const field = document.getElementById('config'); field.value = 'unsound';"
        "field.dispatchEvent(new Event('input', {bubbles: true})); window.held[0]();"
        "setTimeout(() => { window.seen = String(document.getElementById('apply').disabled) }, 100)"
    )
    assert page.until("window.seen") == "true"
    page.until("window.held.length === 2")
    page.run("window.held[1]()")
    page.until("document.querySelector('#mistakes.bad')")
    page.fill("config", page.run("return window.sound"))
    assert page.run("return document.getElementById('apply').disabled")
    page.until("window.held.length === 3")
    page.run("window.held[2]()")
    page.until("!document.getElementById('apply').disabled")


# --- parts ----------------------------------------------------------------------------------------
DEAD = """
const parts = {level: null, clock: {utc_s: 1795000000, trusted: false}, fram: null,
  journal: {rows: 1, epoch: 1, trouble: null}, line: {port: '/dev/ttyS0', lost: false},
  displays: [{address: 3, heard_ms: null, lights: null, shown: null, faults: ['B11']}]};
const real = window.fetch;
window.fetch = (path, options) => (path === '/api/parts'
  ? Promise.resolve(new Response(JSON.stringify({ok: true, parts}))) : real(path, options));
"""


def test_a_dead_part_is_a_fault_of_now_and_no_part_that_is_missing(page: Page) -> None:
    page.open("live")
    page.logged_in("anna")
    page.run(DEAD)
    page.show("faults")
    page.until("document.querySelectorAll('.stack .fault .code').length > 2")
    now = page.text(".view > .stack")
    for told in ("L11", "T10", "B11", "Display 3 does not answer."):
        assert told in now
    assert "S12" not in now
    assert "No fault" not in now
    page.show("parts")
    page.until("document.querySelectorAll('.parts .card').length > 3")
    cards = page.run(TEXTS, ".parts .card")
    (level,) = [card for card in cards if card.startswith("Level")]
    (fram,) = [card for card in cards if card.startswith("FRAM")]
    assert "does not answer" in level
    assert "not fitted" in fram
    (clock,) = [card for card in cards if card.startswith("Clock")]
    assert "2026" in clock
    page.click("#language")
    page.until("document.querySelector('.parts')?.innerText.includes('sûre')")
    assert "trusted" not in page.text(".parts")


def test_what_a_fault_says_besides_is_french_too(page: Page) -> None:
    page.open("faults", language="fr")
    details = {
        "W52": "it slows less than it did",
        "L10": "X +0.12, Y -0.30 degrees.",
        "P14": "two balls",
        "S10": "what nobody knows.",
    }
    said = page.run(
        "return Promise.all([import('/app.mjs'), fetch('/api/faults').then((told) => told.json())])"
        ".then(([{app}, {kinds}]) => arguments[0].map(([code, said]) =>"
        " app.fault(kinds.find((kind) => kind.code === code), said.detail,"
        " app.translated(said, 'detail'))[0]))",
        [[code, with_translations({"detail": detail})] for code, detail in details.items()],
    )
    assert said[0].endswith("elle ralentit moins qu'avant.")
    assert "X +0,12, Y -0,30 degrés." in said[1]
    assert "two balls" not in said[2]
    assert "what nobody knows." in said[3]


JOB = """
const part = {n: 0, kind: 'part', group: 'slow', part: 'clock', value: 1, unit: 'yes', low: 1,
  high: 1, outcome: 'passed', why: '', note: ''};
const job = {what: 'selftest', who: 'klein', state: 'passed', steps: [part], asked: null};
const real = window.fetch;
window.fetch = (path, options) => (path === '/api/job'
  ? Promise.resolve(new Response(JSON.stringify({job}))) : real(path, options));
"""


def test_a_limit_has_its_unit(page: Page) -> None:
    page.open("live")
    page.logged_in("anna")
    page.run(JOB)
    page.show("selftest")
    page.until("document.querySelector('.measures tbody td')")
    cells = page.run(TEXTS, ".measures tbody td")
    assert cells[1:3] == ["1 yes", "1 yes"]
