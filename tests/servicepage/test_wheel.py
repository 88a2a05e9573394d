"""The wheel as the page shows it, its tools, and the wheel unplugged while the page is open."""

import io
import json
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from https import Client
from page.conftest import Browser
from page_bench import PATIENCE_S, PINS, Page, Table, until

import boards
from tools.trace import open_trace

SAYS_S = 2.0  # the page says within so long that its wheel is gone


def test_from_the_call_on_the_wheel_is_drawn_from_its_encoder(page: Any) -> None:
    page.open("live")
    page.logged_in()
    page.until("document.querySelector('svg.wheel').classList.contains('unplaced')")
    page.until("['BETS_OPEN', 'BALL_IN_TRACK'].includes(document.body.dataset.state)")
    assert page.run("return document.querySelector('svg.wheel').classList.contains('unplaced')")
    assert page.run("return document.getElementById('estimate')") is None
    page.photograph("live-before-the-call")
    page.until("!document.querySelector('svg.wheel').classList.contains('unplaced')")
    page.until("['NO_MORE_BETS', 'BALL_DROPPED', 'DETECTED'].includes(document.body.dataset.state)")
    page.until("document.getElementById('estimate')")
    page.photograph("live-after-the-call")


def test_who_is_not_logged_in_sees_no_estimate_and_no_place(page: Any) -> None:
    page.open("live")
    page.until("document.body.dataset.state === 'BALL_DROPPED'")
    assert page.run("return document.querySelector('svg.wheel').classList.contains('unplaced')")
    assert page.run("return document.getElementById('estimate')") is None
    assert page.run("return document.getElementById('take-out')") is None


def test_the_oscilloscope_triggers_freezes_zooms_and_exports(page: Any, tmp_path: Path) -> None:
    page.open("scope")
    page.logged_in()
    page.until("document.getElementById('traces')")
    page.until("document.body.dataset.state === 'BALL_DROPPED'")
    page.run(
        "const line = document.getElementById('trigger-line');"
        "line.value = '6'; line.dispatchEvent(new Event('change'))"
    )
    page.until("document.getElementById('scope-state').dataset.state === 'triggered'")
    before = page.text("#window")
    page.click("#zoom-in")
    page.until("document.getElementById('window').innerText !== arguments[0]", before)
    page.click("#freeze")
    page.until("document.getElementById('scope-state').dataset.state === 'frozen'")
    assert page.run("return document.querySelector('#freeze[aria-pressed=true]') !== null")
    page.run(
        "const canvas = document.getElementById('traces');"
        "const box = canvas.getBoundingClientRect();"
        "for (const x of [300, 500]) for (const name of ['pointerdown', 'pointerup'])"
        "canvas.dispatchEvent(new PointerEvent(name, {pointerId: 1, clientX: box.left + x,"
        " clientY: box.top + 60, bubbles: true}))"
    )
    page.until("document.querySelectorAll('.readout div').length === 3")
    assert re.search(r"Distance\s+[\d.]+ m?s", page.text(".readout"))
    page.photograph("scope-triggered")
    drawn = page.run(
        "const canvas = document.getElementById('traces');"
        "const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;"
        "const seen = new Set(); for (let at = 0; at < data.length; at += 4)"
        " seen.add((data[at] << 16) + (data[at + 1] << 8) + data[at + 2]); return seen.size"
    )
    assert drawn > 20
    page.until("['DETECTED', 'CONFIRMED'].includes(document.body.dataset.state)")
    client = Client(page.table.port, PATIENCE_S)
    client.log_in("weber", PINS["weber"])
    status, text = client.ask("/api/scope.vcd")
    assert status == 200
    assert b"$timescale 1 us $end" in text
    path = tmp_path / "scope.vcd"
    path.write_bytes(text)
    with open_trace(path, boards.load("roulette_ref")) as trace:
        assert sum(1 for _ in trace.edges()) > 50


def test_a_coup_is_explained_to_who_is_logged_in_alone(page: Any) -> None:
    page.open("coups")
    page.until("document.querySelectorAll('tbody tr button').length > 0")
    page.until("document.querySelector('.detail').innerText.includes('Log in to see why')")
    page.logged_in()
    page.until("document.getElementById('why-called')?.innerText.includes('rien ne va plus')")
    page.photograph("coup-explained")
    page.click("#language")
    page.until("document.getElementById('why-called')?.innerText.includes('début du coup')")


def test_a_configuration_shows_its_mistakes_as_it_is_typed(page: Any) -> None:
    page.open("config")
    page.logged_in()
    page.until("document.getElementById('config')?.value.includes('roulette_ref')")
    page.fill("config", '[wheel]\nboard = "roulette_ref"\nidd = "table-3"\n')
    page.until("document.querySelector('#mistakes li button')?.innerText === 'line 3'")
    assert page.run("return document.getElementById('apply').disabled") is True
    page.photograph("config-mistake")
    page.fill("config", '[wheel]\nboard = "roulette_ref"\nid = "table-4"\n')
    page.until("!document.getElementById('apply').disabled")
    page.click("#apply")
    page.click("#apply-sure")
    page.until("document.querySelector('.orders .outcome-badge')")
    (order,) = (page.table.state / "orders").glob("*.order")
    told = json.loads(order.read_text())
    assert (told["what"], told["who"]) == ("config", "weber")
    assert 'id = "table-4"' in (order.parent / told["file"]).read_text()
    done = order.with_suffix(".done")
    done.write_text(json.dumps({"ok": True, "text": "The wheel is up again.", "utc": told["utc"]}))
    page.until("document.querySelector('.orders').innerText.includes('The wheel is up again.')")
    page.photograph("config-applied")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_wheel_that_is_unplugged_is_told_and_comes_back_by_itself(
    browser: Browser, table: Table, how: int
) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("live")
    page.until("document.body.dataset.state !== 'GONE'")
    page.run(
        "window.gone_ms = null; new MutationObserver(() => {"
        " if (document.body.dataset.state === 'GONE') window.gone_ms ??= performance.now(); })"
        ".observe(document.body, {attributes: true});"
    )
    since_ms = page.run("return performance.now()")
    assert table.controller is not None
    table.controller.process.send_signal(how)
    gone_ms = page.until("window.gone_ms")
    assert (gone_ms - since_ms) / 1000 < SAYS_S
    assert "The controller does not answer" in page.text("#gone")
    page.photograph(f"unplugged-{how}")
    if how == signal.SIGSTOP:
        table.controller.process.send_signal(signal.SIGCONT)
    else:
        table.controller.end()
        table.play()
    page.until("document.body.dataset.state !== 'GONE'")
    assert page.run("return document.getElementById('gone')") is None


def test_a_page_whose_server_is_gone_says_so_and_comes_back(browser: Browser, table: Table) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("live")
    page.until("document.body.dataset.state !== 'GONE'")
    assert table.page is not None
    port = table.port
    table.page.end()
    page.until("document.getElementById('gone')?.innerText.includes('does not hear the wheel')")
    page.photograph("unheard")
    table.serve("--port", str(port))
    page.until("document.body.dataset.state !== 'GONE'")


def test_it_stops_within_two_seconds_with_pages_open(browser: Browser, table: Table) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("scope")
    page.logged_in()
    streams = [Client(table.port, PATIENCE_S).stream() for _ in range(3)]
    for stream in streams:
        assert stream.recv(10)
    assert table.page is not None
    began_s = time.monotonic()
    assert table.page.end(signal.SIGTERM) == 0
    assert time.monotonic() - began_s < 2.0
    for stream in streams:
        stream.close()
    assert table.page.log.read_text() == ""


def test_a_self_test_runs_as_a_dialog_and_leaves_a_certificate(
    browser: Browser, table: Table
) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("selftest")
    page.logged_in()
    table.rest()
    table.ask({"do": "lift"}, "hand.sock")
    page.until("document.getElementById('with-hand')")
    page.run("document.getElementById('with-hand').checked = false")
    page.until("!document.getElementById('begin').disabled")
    assert not page.run("return document.getElementById('with-hand').checked")
    page.click("#begin")
    page.until("document.getElementById('stop')")
    page.until("document.querySelectorAll('.measures tbody tr').length > 5")
    page.photograph("selftest-running")
    page.browser.patience_s = 180
    page.until("document.getElementById('certificate')")
    page.until("document.getElementById('begin')")
    page.until("document.body.dataset.state !== 'SERVICE'")
    page.photograph("selftest-done")
    # What is measured is tested in tests/selftest; here it is all there.
    assert page.run("return document.querySelectorAll('.measures tbody tr').length") > 30
    assert "not tested" in page.text(".outcome")
    assert table.status()["state"] != "SERVICE"
    client = Client(table.port, PATIENCE_S)
    client.log_in("weber", PINS["weber"])
    status, certificate = client.ask("/api/job/certificate.html")
    assert status == 200
    assert b"weber" in io.BytesIO(certificate).getvalue()


ASKED = "Boolean(document.getElementById('question-text')?.checkVisibility())"
ENDED = "document.getElementById('signed') || document.querySelector('.outcome.failed')"


@pytest.mark.skipif(
    not os.environ.get("CYLINDRE_CALIBRATION"), reason="takes minutes: set CYLINDRE_CALIBRATION=1"
)
def test_a_full_calibration_is_signed_by_the_wheel(browser: Browser, table: Table) -> None:
    """Every question is answered as a person would, by a hand at the virtual wheel."""
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("calibrate", language="fr", theme="dark")
    page.logged_in()
    table.rest()
    table.ask({"do": "lift"}, "hand.sock")
    page.until("document.getElementById('begin') && !document.getElementById('begin').disabled")
    page.click("#begin")
    page.browser.patience_s = 180
    asked = []
    while True:
        page.until(f"{ASKED} || {ENDED}")
        if not page.run(f"return {ASKED}"):
            break
        text = page.text("#question-text")
        asked.append(text)
        if told := re.search(r"into compartment (\d+)", text):
            table.ask({"do": "lay", "compartment": int(told[1])}, "hand.sock")
        elif "Take the ball out" in text:
            table.ask({"do": "lift"}, "hand.sock")
        if len(asked) == 2:
            page.photograph("calibrate-asks")
        page.run("document.getElementById('question-text').id = 'answered'")
        page.click("#answer-yes")
        page.until("!document.getElementById('answered')?.checkVisibility()")
        if told := re.search(r"Throw the ball (\w+)", text):  # it looks from the answer on
            table.ask({"do": "throw", "way": told[1]}, "hand.sock")
    assert page.text(".outcome.failed") == "", table.status()
    assert page.text("#signed") == "signé et gardé"
    assert len([text for text in asked if "compartment" in text]) >= 3
    page.photograph("calibrate-signed")
    until(lambda: table.status()["state"] != "SERVICE")
