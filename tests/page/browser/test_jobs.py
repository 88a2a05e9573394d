"""A self-test and a calibration on the page: where they are, what failed, and again."""

import json
from typing import Any

import pytest
from display_page.conftest import Browser
from page_bench import Page, Table

from firmware.services.page.translation import with_translations
from tools.technician.selftest import limits
from tools.technician.selftest.part import judged

ANSWERS = """
const real = window.fetch, told = JSON.stringify({job: arguments[0]});
window.sent = [];
window.fetch = (path, options) => {
  if (path === '/api/job') return Promise.resolve(new Response(told));
  if (path !== '/api/job/answer') return real(path, options);
  window.sent.push(JSON.parse(options.body));
  return Promise.resolve(new Response('{"ok": true}'));
};
"""
IN_SIGHT = """
const box = document.getElementById(arguments[0])?.getBoundingClientRect();
return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= window.innerHeight;
"""
PROGRESS = "document.getElementById('progress')?.innerText === arguments[0]"


def job(what: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """As the page is told of it."""
    said = [with_translations({"n": n, **step}) for n, step in enumerate(steps)]
    begun = {"what": what, "who": "weber", "state": "running", "asked": None, "step_age_s": 0}
    # As it goes over the line.
    found: dict[str, Any] = json.loads(json.dumps({**begun, "steps": said, **more}))
    return found


def shown(page: Page, told: dict[str, Any], view: str, language: str = "en") -> None:
    page.open("live", language=language)
    page.logged_in("weber")
    page.run(ANSWERS, told)
    page.show(view)


def test_what_failed_and_what_to_do_about_it_is_seen_without_scrolling(page: Page) -> None:
    parts = [judged("rim beams", f"rim{at} dark", 1.0, limits.DARK) for at in range(60)]
    for at in (7, 9):
        parts[at] = judged("rim beams", f"rim{at} dark", 0.0, limits.DARK)._replace(tries=3)
    steps = [{"kind": "part", **part.as_json()} for part in parts]
    summary = {"kind": "summary", "outcome": "failed", "passed": 58, "failed": 2}
    end = {"kind": "end", "state": "failed", "text": ""}
    shown(page, job("selftest", *steps, summary, end, state="failed"), "selftest", "fr")
    page.until("document.getElementById('failed-steps')")
    said = page.text("#failed-steps")
    assert said.count("essayé 3 fois") == 2
    assert said.count("Passez un doigt devant, lentement et une seule fois.") == 1
    assert "rim7" in said and "rim9" in said and "rim8" not in said
    assert page.run(IN_SIGHT, "failed-steps")
    page.photograph("selftest-failed-fr")


def test_what_failed_of_a_calibration_that_is_signed_stands_beside_its_signature(
    page: Page,
) -> None:
    failed = {"kind": "failed", "text": "throw cw: The ball made too few turns: throw it harder."}
    signed = {"kind": "signed", "sha256": "ab" * 32}
    end = {"kind": "end", "state": "passed", "text": ""}
    shown(page, job("calibrate", failed, signed, end, state="passed"), "calibrate")
    page.until("document.getElementById('signed')")
    assert page.text("#failed-steps") == failed["text"]


@pytest.mark.parametrize(
    ("age_s", "language", "says"),
    [
        (9.0, "en", "Step 3 of 9 · about 90 s left"),  # 91 s, and 2 min, until a second is over
        (1000.0, "fr", "Étape 3 sur 9 · encore 40 s environ"),  # it takes longer than was known
    ],
)
def test_a_step_says_its_number_and_the_time_left_counts_down_and_waits(
    page: Page, age_s: float, language: str, says: str
) -> None:
    progress = {"kind": "step", "number": 3, "of": 9, "left_s": 100.0, "now_s": 60.0}
    shown(page, job("selftest", progress, step_age_s=age_s), "selftest", language)
    page.until(PROGRESS, says)
    assert page.run("return document.querySelector('progress').value") == 2


@pytest.mark.parametrize(("button", "yes"), [("answer-yes", True), ("answer-no", False)])
def test_what_failed_is_offered_again(page: Page, button: str, yes: bool) -> None:
    ask = {"kind": "ask", "text": "rim1 dark: 0 pulses. Again?", "again": True}
    shown(page, job("selftest", ask, asked=0), "selftest")
    page.until("document.getElementById('question-text')?.checkVisibility()")
    assert page.text("#answer-yes") == "Again"
    assert page.text("#answer-no") == "Go on"
    twice = (
        "document.getElementById(arguments[0]).dispatchEvent(new MouseEvent('click', {detail: 2}))"
    )
    page.run(twice, button)  # the second of two clicks was meant for the question before
    assert page.run("return window.sent") == []
    page.click(f"#{button}")
    page.until("window.sent.length")
    assert page.run("return window.sent") == [{"n": 0, "yes": yes}]


def test_a_hand_that_is_left_before_a_beam_is_asked_for_again_and_gone_on_from(
    browser: Browser, table: Table
) -> None:
    table.play()
    table.serve()
    page = Page(browser, table)
    page.open("selftest", language="fr")
    page.logged_in()
    table.rest()
    table.ask({"do": "lift"}, "hand.sock")
    page.until("document.getElementById('begin') && !document.getElementById('begin').disabled")
    page.click("#begin")
    page.until("document.getElementById('question-text')?.checkVisibility()")
    assert page.text("#progress").startswith("Étape 1 sur 8 · encore ")
    assert page.text("#answer-no") == "Passer"
    table.ask({"do": "cover", "line": "rim0", "s": 60}, "hand.sock")
    page.click("#answer-yes")
    page.until("document.getElementById('answer-yes')?.innerText === 'Recommencer'")
    assert page.text("#question-text").startswith("rim0 libre, à l'arrêt : 100")
    page.click("#answer-no")
    page.until("document.querySelectorAll('.measures tbody tr.failed').length === 1")
    page.until("document.getElementById('progress').innerText.startsWith('Étape 2 sur 8')")
    page.click("#stop")
    page.until("document.getElementById('begin')")
