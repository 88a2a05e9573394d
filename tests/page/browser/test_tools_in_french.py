"""The dialogs and the mistakes of a configuration on a page in French, in real Chromium."""

from typing import Any

from display_page.conftest import Browser
from page_bench import Page, Table

from firmware.lib.language import LANGUAGES

LANG = "return document.querySelector(arguments[0])?.closest('[lang]').lang"


def test_mistakes_of_a_configuration_are_told_in_the_language_of_the_page(page: Any) -> None:
    wrong = '[wheel]\nboard = "roulette_ref"\nidd = "table-3"\n'
    page.open("config", language="fr")
    page.logged_in()
    page.until("document.getElementById('config')?.value.includes('roulette_ref')")
    page.fill("config", wrong)
    page.until("document.getElementById('mistakes').innerText.includes('Vouliez-vous dire « id »')")
    assert page.run(LANG, "#mistakes li:nth-child(2) span") == "fr"
    page.photograph("config-mistake-fr")
    for _ in LANGUAGES[1:]:  # all others, until it is English again
        page.click("#language")
    page.until("document.documentElement.lang === 'en'")
    page.until("document.getElementById('config')?.value.includes('roulette_ref')")
    page.fill("config", wrong)
    page.until("document.getElementById('mistakes').innerText.includes('Did you mean \"id\"')")
    assert page.run(LANG, "#mistakes li:nth-child(2) span") == "en"


def test_a_self_test_asks_and_tells_in_the_language_of_the_page(
    browser: Browser, table: Table
) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("selftest", language="fr")
    page.logged_in()
    table.rest()
    page.until("document.getElementById('begin') && !document.getElementById('begin').disabled")
    page.click("#begin")
    page.until("document.getElementById('question-text')?.checkVisibility()")
    asked = page.text("#question-text")
    assert asked == "Retirez la bille et écartez-vous du cylindre."
    assert page.run(LANG, "#question-text") == "fr"
    table.ask({"do": "lift"}, "hand.sock")
    page.click("#answer-yes")
    page.until("document.querySelectorAll('.measures tbody tr').length > 3")
    page.photograph("selftest-fr")
    rows = page.text(".measures tbody")
    assert "barrières de piste rim0 libre, à l'arrêt" in rows
    steps = page.text(".steps")
    assert "Chaque capteur est lu sans rien devant lui." in steps
    page.click("#stop")
    page.until("document.getElementById('begin')")
