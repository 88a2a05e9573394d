"""What a page shows of names and limits that are rightly signed, and meant to do harm."""

from typing import Any

import pytest
from display_page.looks import LOOK, OVERLAPS, SCROLLS

from firmware.bus import message_bytes
from firmware.bus.messages import NO_LEAD, Call, Table
from firmware.bus.receiver import DARK, Lit
from firmware.lib.language import LANGUAGES

GREATEST = 2**32 - 1
# 24 bytes each, at most: what a table's message has room for.
NAMES = {
    "an element with a handler": "<img src=x onerror=a()>",
    "a script": "<script>a()</script>",
    "an end of what it stands in": "</p></main><svg/onload=a",
    "an address": "javascript:a()//'\"`${a}",
    "an entity": "&lt;b&gt;&#x202e;&amp;",
    "letters that run the other way": "\u202e\u202e36 rouge\u2066\u2067",
    "marks on marks": "a" + "\u0301\u0489" * 5,
    "one word of the widest letters": "W" * 24,
    "no letters at all": "\u200b\u2060\ufeff\u3000",
}
EVERYBODY = "return document.querySelectorAll('*').length"
HARM = "window.harm = 0; window.a = () => { window.harm += 1; };"


def told(name: str, call: Call | None) -> Table:
    """A table as a display takes it from the line: it came through its own decoder."""
    told = Table("roulette_lu", name, GREATEST, GREATEST, (), call)  # the rules give the maxima
    payload = message_bytes.table_bytes(told)
    opened = message_bytes.open_table(payload, message_bytes.table_digest(payload))
    assert opened == told
    return told


def lit(name: str, table: Table | None) -> Lit:
    return DARK._replace(
        state="CONFIRMED", game="roulette", number=36, colour="red", epoch=GREATEST, seq=GREATEST,
        coup=GREATEST, rotor=-1, manual=True, history=((36, "red"), None) * 10,
        layout_verified=False, wheel=name, table=table,
    )  # fmt: skip


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("has_table", [True, False], ids=["of the table", "of a record"])
def test_a_name_is_letters_whatever_stands_in_it(
    browser: Any, stand: Any, name: str, has_table: bool
) -> None:
    browser.requests()  # of pages before this one
    browser.open(f"{stand.address}?lang=en")
    browser.run(HARM)
    call = Call(GREATEST, NO_LEAD - 1, "learned") if has_table else None
    plain, hostile = (
        lit(each, told(each, call) if has_table else None) for each in ("table 7", name)
    )
    stand.show(plain)
    browser.until("document.getElementById('number').innerText === '36'")
    browser.until("document.body.innerText.toLowerCase().includes('table 7')")
    elements = browser.run(EVERYBODY)
    stand.show(hostile._replace(coup=GREATEST - 1))
    browser.until(
        "document.getElementById('coup').textContent.endsWith(arguments[0])", str(GREATEST - 1)
    )
    assert browser.run("return document.body.textContent.includes(arguments[0])", name)
    assert browser.run(EVERYBODY) == elements, "a name has made an element"
    assert browser.run("return window.harm") == 0
    assert (browser.text("number"), browser.stage()) == ("36", "CONFIRMED")
    for found in browser.run(LOOK):
        assert found["fits"], found
    box = "return document.getElementById(arguments[0]).getBoundingClientRect()"
    assert browser.run(f"{box}.right", "wheel") <= browser.run(f"{box}.left", "game")
    assert browser.run(SCROLLS) == []
    assert {each.split("/")[2] for each in browser.requests() if each.startswith("http")} <= {
        stand.address.split("/")[2]
    }
    browser.photograph(
        f"hostile-{'table' if has_table else 'record'}-{sorted(NAMES.values()).index(name)}"
    )


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=["720p", "1080p"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_greatest_limits_lie_on_nothing(
    browser: Any, stand: Any, language: str, size: tuple[int, int]
) -> None:
    browser.open(f"{stand.address}?lang={language}", size=size)
    stand.show(lit("table 7", told("table 7", None)))
    browser.until("document.querySelectorAll('#maxima b').length === 8")
    assert "42" in browser.text("minimum")
    for found in browser.run(LOOK):
        assert found["fits"], found
    assert browser.run(OVERLAPS) == []
    assert browser.run(SCROLLS) == []
    browser.photograph(f"hostile-limits-{language}-{size[1]}")
