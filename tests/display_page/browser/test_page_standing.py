"""Where the prediction of the call stands: one small line of the page, in its language."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.bus.messages import Call, Table
from firmware.bus.receiver import DARK, Lit

# fmt: off
SAID = [
    (Call(0, None, "new"), "Annonce prudente : cylindre neuf", "Call: new wheel, cautious"),
    (Call(12, 1_440, "learning"), "Annonce : 12 coups appris, 1,4 s avant la chute",
     "Call: 12 coups learned, 1.4 s before the drop"),
    (Call(212, 520, "learned"), "Annonce : 212 coups appris, 0,5 s avant la chute",
     "Call: 212 coups learned, 0.5 s before the drop"),
    (Call(4_294_967_295, 65_534, "relearning"),
     "Annonce : nouvel apprentissage, 65,5 s avant la chute",
     "Call: learning anew, 65.5 s before the drop"),
    (Call(0, None, "refused"), "Annonce prudente : acquis inutilisable",
     "Call: what was learned is unusable, cautious"),
    (None, "", ""),
]
# fmt: on


def shows(call: Call | None, coup: int, state: str = "BETS_OPEN") -> Lit:
    return DARK._replace(
        state=state,
        game="roulette",
        coup=coup,
        epoch=1,
        rotor=1,
        history=((17, "black"), None, (0, "green")),
        layout_verified=True,
        wheel="table-3",
        table=Table("roulette_lu", "table-3", 500, 500, (), call),
    )


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_page_says_where_the_call_stands(browser: Any, stand: Any, language: str) -> None:
    browser.open(f"{stand.address}?lang={language}")
    for coup, (call, french, english) in enumerate(SAID, 1):
        stand.show(shows(call, coup))
        browser.until(
            "document.getElementById('coup').textContent === arguments[0]", f"coup {coup}"
        )
        assert browser.text("standing") == (french if language == "fr" else english)
        right = "document.getElementById('standing').getBoundingClientRect().right"
        room = "document.querySelector('.last').getBoundingClientRect().right"
        assert browser.run(f"return {right} <= {room} + 1")
        browser.photograph(f"standing-{language}-{coup}")
    # As large as the other asides: who bets looks elsewhere.
    size = "getComputedStyle(document.getElementById(arguments[0])).fontSize"
    sizes = [browser.run(f"return {size}", name) for name in ("standing", "shares-window")]
    assert sizes[0] == sizes[1]


def test_a_dark_page_says_nothing_of_the_call(browser: Any, stand: Any) -> None:
    browser.open(stand.address)
    stand.show(shows(SAID[2][0], 1))
    browser.until("document.getElementById('standing').textContent !== ''")
    stand.show(DARK)
    browser.until("document.body.dataset.stage === 'STALE'")
    assert browser.text("standing") == ""
