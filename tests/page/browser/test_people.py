"""Who may do what, as people meet it in a browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from display_page.conftest import Browser
from page_bench import Page, Table
from patience import LAST_RESORT_S, PATIENCE_S

from firmware.keys.people import load
from tools.bench.page.client import Client


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A second browser: another profile, another person."""
    made = Browser(tmp_path_factory.mktemp("other"))
    made.patience_s = PATIENCE_S
    yield made
    made.driver.quit()


# The form alone: the one before it has such fields too, until it has closed.
FIRST_FORM = "document.querySelector('#first-form') && !document.querySelector('#login-form')"
# Each wrong PIN makes the next one wait longer: who was too slow to be refused is not for ever.
TRIED_TOO_SOON = """
(() => {
  const said = document.querySelector('#login-form .wrong')?.innerText ?? '';
  if (said.includes('none is heard')) return true;
  if (said) document.querySelector('#login-form button[type=submit]').click();
  return false;
})()
"""


def test_a_wrong_pin_is_refused_and_told_and_each_more_waits(page: Any) -> None:
    page.open("live")
    page.log_in("anna", "999111")
    page.until("document.querySelector('#login-form .wrong')?.innerText.includes('wrong')")
    page.photograph("login-wrong")
    page.until(TRIED_TOO_SOON)
    page.photograph("login-waits")
    assert page.run("return document.querySelector('dialog[open]') !== null")


def test_the_fingerprint_stands_where_one_logs_in(page: Any) -> None:
    page.open("live", language="fr", theme="dark")
    page.run("document.getElementById('login').click()")
    page.until("document.querySelector('dialog .fingerprint code')")
    assert page.text("dialog .fingerprint code") == page.table.fingerprint
    page.photograph("login-fr-dark")


def test_a_login_that_ends_is_told_and_what_was_personal_is_gone(page: Any) -> None:
    page.open("scope")
    page.logged_in("klein")
    page.until("document.querySelector('canvas')")
    cookie = page.browser.driver.get_cookie("__Host-cylindre")
    client = Client(page.table.port, LAST_RESORT_S)
    client.cookie = f"{cookie['name']}={cookie['value']}"
    client.token = client.ask("/api/me")[1]["token"]
    assert client.ask("/api/logout", {})[0] == 200
    page.until("document.querySelector('.empty')")
    page.until("document.getElementById('notes').innerText.includes('session has ended')")
    assert page.run("return document.querySelector('canvas')") is None


def test_the_first_supervisor_is_proven_by_the_wheels_button(
    browser: Browser, tmp_path: Path
) -> None:
    table = Table(tmp_path, staffed=False)
    try:
        table.play()
        table.serve()
        page = Page(browser, table)
        page.open("live")
        table.rest()
        page.run("document.getElementById('login').click()")
        page.click("#first")
        page.until(FIRST_FORM)
        page.fill("field-name", "dubois")
        page.fill("field-pin", "492517")
        page.fill("field-again", "492518")
        page.click("#first-form button[type=submit]")
        page.until("document.querySelector('#first-form .wrong')?.innerText.includes('differ')")
        page.fill("field-again", "492517")
        page.click("#first-form button[type=submit]")
        page.until("document.getElementById('press')")
        assert "void" in page.text("#press")
        page.photograph("first-press")
        assert not table.people.exists()
        presses = int(re.findall(r"(\d) times", page.text("#press"))[0])
        for at in range(presses):
            press = {"do": "press", "line": "btn_void", "s": 0.2, "after_s": 0.5 * at}
            table.ask(press, "hand.sock")
        page.until("document.getElementById('who').innerText.includes('dubois')")
        assert [(each.name, each.role) for each in load(table.people)] == [("dubois", "supervisor")]
        page.photograph("first-done")
        page.run("document.getElementById('login').click()")  # logs out
        page.until("document.getElementById('login').innerText === 'Log in'")
        page.run("document.getElementById('login').click()")
        page.click("#first")
        page.until(FIRST_FORM)
        for field, text in (("name", "mallory"), ("pin", "111222x"), ("again", "111222x")):
            page.fill(f"field-{field}", text)
        page.click("#first-form button[type=submit]")
        page.until("document.querySelector('#first-form .wrong')?.innerText")
        assert "already" in page.text("#first-form .wrong")
    finally:
        table.close()


def test_two_people_at_two_browsers_see_who_has_the_wheel(
    browser: Browser, other: Browser, table: Table
) -> None:
    table.play()
    table.serve()
    one, two = Page(browser, table), Page(other, table)
    one.open("live")
    one.logged_in("weber")
    two.open("live", language="fr", theme="dark")
    two.logged_in("klein")
    table.rest()
    one.until("!document.getElementById('take-out')?.disabled")
    one.fill("why", "monthly check")
    one.click("#take-out")
    for page in (one, two):
        page.until("document.body.dataset.state === 'SERVICE'")
        page.until("document.getElementById('in-service')?.innerText.includes('weber')")
    assert "monthly check" in two.text("#in-service")
    two.until("document.getElementById('turn-ccw')?.disabled")
    assert "weber" in two.text("#service-why")
    two.photograph("in-service-of-another")
    held = two.run(
        "return import('/link.mjs').then((link) => link.send('/api/turn',"
        " {way: 'ccw', rpm: 20, for_s: 3})).then(() => 'turned', (error) => error.message)"
    )
    assert held == "weber a le cylindre hors service. Demandez à weber, ou reprenez-le."
    one.until("!document.getElementById('turn-ccw').disabled")
    one.fill("turn-for", "30")
    one.click("#turn-ccw")
    one.until("!document.querySelector('svg.wheel').classList.contains('unplaced')")
    one.photograph("turning-in-service")
    spun = one.run("return document.querySelector('.rotor').getAttribute('transform')")
    one.until("document.querySelector('.rotor').getAttribute('transform') !== arguments[0]", spun)
    assert table.status()["state"] == "SERVICE"


def test_a_technician_sees_why_a_button_is_dead(page: Any) -> None:
    page.open("live")
    page.logged_in("anna")
    page.until("document.getElementById('take-out')?.disabled")
    assert page.text("#service-why") == "For a supervisor only."
    page.show("selftest")
    page.until("document.getElementById('begin')?.disabled")
    assert "supervisor" in page.text(".begin")
