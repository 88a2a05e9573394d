"""Whether the wheel is fair and sound, in words and drawings, from a real journal."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from display_page.conftest import Browser
from display_page.contrast import contrast
from health.coup_journal import LAYOUT, CoupJournal
from page_bench import PINS, Page, Table
from page_looks import LOOK
from patience import LAST_RESORT_S

from firmware.lib.language import LANGUAGES
from tools.bench.page.client import Client

FAVOURED = 9  # a compartment
SIZES = ((390, 844), (1024, 768), (1366, 900))
JUDGED = "document.getElementById('judged')"
# Nothing of these is for who is not logged in.
HUNTED = (
    r"gaps?(_ppm)?", "foretold", "odds", r"croupier\d+", "timeline", '"streams?"',
    "launch_place", "slowing(_ppm)?", '"place"', "settled_us",
)  # fmt: skip


def changed(coup: int, draw: Any, told: dict[str, Any], said: dict[str, Any]) -> None:
    """A sensor misses a third until it is mended; then one compartment comes far too often."""
    if coup <= 60 and draw.random() < 0.35:
        said["votes"] = said["votes"][:2]
    if coup > 120 and draw.random() < 0.6:
        told["place"] = FAVOURED


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A page beside a journal with two notices, of which an act has ended one."""
    made = Table(tmp_path_factory.mktemp("judged"))
    path = made.folder / "past" / "journal.db"
    path.parent.mkdir()
    journal = CoupJournal(path, "page", changed)
    journal.play(60)
    journal.act("sensor")
    journal.play(60)
    journal.act("frets")
    journal.void()
    journal.play(100)
    journal.act("acknowledged", "H12: the management knows")
    journal.close()
    made.play()
    made.serve("--journal", str(path))
    yield made
    made.close()


@pytest.fixture
def health(browser: Browser, judged: Table) -> Page:
    return Page(browser, judged)


def opened(page: Page, language: str = "en", **looks: Any) -> None:
    page.open("health", language=language, **looks)
    page.logged_in("weber")
    page.until(JUDGED)


def each(page: Page, selector: str, of: str) -> Any:
    """What JavaScript says `of` each element, `one`."""
    script = f"return [...document.querySelectorAll(arguments[0])].map((one) => {of})"
    return page.run(script, selector)


def test_the_verdict_names_what_stands_and_not_what_was_mended(health: Page) -> None:
    opened(health)
    verdict = health.text("#verdict")
    assert f"Number {LAYOUT[FAVOURED]} comes more often than it should." in verdict
    assert "220 coups judged, 1 void. Numbers count since frets mended" in verdict
    assert "would have been seen by now" in verdict
    assert "sensor" not in verdict.lower()
    assert not re.search(r"\bp\s*[=<]", verdict)
    kinds = each(health, ".standing li", "one.dataset.kind")
    assert "pocket" in kinds


def test_the_ring_has_a_bar_for_each_number_and_marks_the_one_that_is_named(health: Page) -> None:
    opened(health)
    bars = "#numbers .bar-of"
    numbers = each(health, bars, "Number(one.dataset.number)")
    assert numbers == list(LAYOUT)
    named = each(health, "#numbers .named[data-number]", "one.dataset.number")
    assert named == [str(LAYOUT[FAVOURED])]
    assert health.run("return document.querySelector('.favoured')") is None  # no sector is named
    health.run(
        "document.querySelector(arguments[0]).dispatchEvent(new Event('click', {bubbles: true}))",
        f"{bars}[data-number='{LAYOUT[FAVOURED]}']",
    )
    assert health.text("#numbers .reading").startswith(f"{LAYOUT[FAVOURED]}: ")
    assert "of its share; band" in health.text("#numbers .reading")


def test_a_rose_has_the_gaps_of_the_beams_and_no_arrow_that_was_not_told(health: Page) -> None:
    opened(health)
    beams = health.run("return fetch('/api/health').then((one) => one.json())")["told"]["charts"]
    beams = beams["drops"]["beams_deg"]
    for rose in (1, 2):
        selector = f"#drops figure:nth-child({rose}) .seen"
        paths = each(health, selector, "one.getAttribute('d')")
        begins = []
        for path in paths:
            x, y = map(float, path[1 : path.index("A")].split())
            begins.append(math.degrees(math.atan2(200 - y, x - 200)) % 360)
        assert begins == pytest.approx(beams, abs=0.1)
        assert len(begins) == len(beams)
    assert health.run("return document.querySelectorAll('#drops .foretold').length") == 2
    assert health.run("return document.querySelector('#drops .side')") is None


def test_an_act_shows_what_it_ended_beside_what_came_after(health: Page) -> None:
    opened(health)
    assert health.text("#compared") == ""
    acts = each(health, ".acts button", "one.innerText")
    assert [act.split(" · ")[1] for act in acts] == ["ring sensor mended", "frets mended"]
    health.click(".acts li:nth-child(2) button")
    assert "Frets mended" in health.text("#compared h3")
    row = health.text("#compared tr[data-stream=numbers]")
    assert "of 120 coups" in row
    assert "of 100 coups" in row
    assert health.run("return document.querySelectorAll('#compared .health-ring').length") == 2
    health.run(
        "document.querySelector('.act-mark').dispatchEvent(new Event('click', {bubbles: true}))"
    )
    assert "told" in health.text("#compared tr[data-stream=sensor2]")
    health.click(".acts li:nth-child(1) button")
    assert health.text("#compared") == ""


def test_a_supervisor_acknowledges_a_notice_where_it_stands(health: Page) -> None:
    opened(health)
    health.run(
        "const form = document.querySelector('.standing [data-kind=pocket] form');"
        "form.querySelector('input').value = 'frets on Monday';"
        "form.querySelector('button').click()"
    )
    health.until("document.getElementById('notes').innerText.includes('Acknowledged')")
    known = "#verdict li[data-kind=gain]"
    assert "Acknowledged by weber: the management knows" in health.text(known)
    assert health.run(f"return document.querySelector('{known} form')") is None
    health.open("health")
    health.click("#login")
    health.until("document.querySelector('.empty')")
    health.logged_in("anna")
    health.until(JUDGED)
    assert health.run("return document.querySelector('.standing form')") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_readable_at_each_size(health: Page, language: str) -> None:
    for size in SIZES:
        opened(health, language, size=size, theme="dark" if language == "fr" else "light")
        health.click(".acts li:nth-child(2) button")
        assert health.run(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ), size
        for found in health.run(LOOK):
            assert contrast(found["colour"], found["ground"]) >= 4.5, found
            assert found["text"] not in ("null", "undefined", "NaN")
        edge = health.run("return document.querySelector('#judged').getBoundingClientRect().right")
        drawn = ".health td, .health svg, .health .badge"
        for right in each(health, drawn, "one.getBoundingClientRect().right"):
            assert right <= edge + 1
        health.photograph(f"health-{size[0]}-{language}")
        health.run("localStorage.clear()")
        health.browser.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    if language == "fr":
        assert "Le numéro 34 sort plus souvent" in health.text("#verdict")


def test_who_is_not_logged_in_receives_no_word_of_it(health: Page) -> None:
    health.open("health")
    health.until("document.querySelector('.empty')")
    assert "Log in to see this." in health.text("main")
    nobody = Client(health.table.port, LAST_RESORT_S)
    came = b""
    for path in ("wheel", "me", "coups", "coup/190", "faults", "upkeep", "health"):
        came += json.dumps(nobody.ask(f"/api/{path}")[1]).encode()
    with nobody.stream() as stream:
        heard = b""
        while heard.count(b"event: status") < 3:
            heard += stream.recv(65536)
    assert b"no_session" in came
    for word in HUNTED:
        sought = word if word.startswith('"') else rf"\b{word}\b"
        assert re.findall(sought.encode(), came + heard) == [], word
    weber = Client(health.table.port, LAST_RESORT_S)
    assert weber.log_in("weber", PINS["weber"])[0] == 200
    told = json.dumps(weber.ask("/api/health")[1]).encode()
    for word in ("foretold", "odds", '"place"', "timeline"):  # the hunt finds what is there
        assert word.encode() in told
