"""Keys that are touched and typed on the guide's page, by who may and who may not."""

from __future__ import annotations

from typing import Any

import pytest
from guide_cases import CASES, dealing, deciding, done, early, gold, unread
from guide_stand import PINS
from patience import until

from firmware.core.cards import facts
from firmware.lib.language import translated
from firmware.services.guide import keys, words

# Cases that offer every ask there is.
ASKED = ("held_unread_often", "held_exposed", "count", "held_missed", "gold_jack", "locked_foreign")
REFUSED = 0  # answered, and not done
# Touches as a finger does: down, and up.
TOUCH = """
const element = document.querySelector(arguments[0]);
const finger = { pointerId: arguments[1] ?? 7, isPrimary: true, bubbles: true, cancelable: true };
element.dispatchEvent(new PointerEvent("pointerdown", finger));
element.dispatchEvent(new PointerEvent("click", finger));
"""
SETTLED = "document.querySelector(arguments[0]) !== null && document.body.dataset.settled === '1'"


def opened(browser: Any, stand: Any, *, language: str = "en") -> None:
    browser.open(f"{stand.address}?lang={language}")
    browser.until("document.body.dataset.stage === 'table'")


def touch(browser: Any, what: str) -> None:
    """Touches a control once it has stood long enough to be seen."""
    browser.until(SETTLED, what)
    browser.run(TOUCH, what)


def confirm(browser: Any, name: str) -> None:
    """Touches a key that is armed until it counts: what may be a bounce does not."""
    again = TOUCH.replace("element.", "element?.") + "return document.body.dataset.code"
    until(lambda: browser.run(again, key(name)) == "burn_all", "the second touch to count")


def key(name: str) -> str:
    return f'[data-key="{name}"]'


def notes(browser: Any, text: str) -> None:
    browser.until("document.getElementById('notes').textContent === arguments[0]", text)


def test_a_touched_key_is_the_croupiers_and_what_follows_is_drawn(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    place.open()
    place.stake(2, 1000)
    opened(browser, guide(place))
    touch(browser, key("no_more_bets"))
    browser.until("document.body.dataset.code === 'deal'")
    assert place.pressed == [facts.KEY_NO_MORE_BETS]


def test_letters_arrows_and_enter_reach_every_control_and_the_focus_is_seen(
    browser: Any, table: Any, guide: Any
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    place = table()
    deciding(place)
    opened(browser, guide(place))
    typed = lambda *keys: ActionChains(browser.driver).send_keys(*keys).perform()  # noqa: E731
    named = "return document.activeElement.dataset.key ?? document.activeElement.id"
    controls = browser.run("return document.querySelectorAll('button').length")
    reached = []
    for _ in range(controls):
        typed(Keys.ARROW_RIGHT)
        reached.append(browser.run(named))
    assert reached == ["language", "card", "stand", "void", "cut", "ask:rescan"]
    ring = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid"
    typed(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert browser.run(named) == "stand"
    browser.until(SETTLED, key("stand"))
    typed(Keys.ENTER)
    browser.until("document.getElementById('due').textContent.startsWith('Seat 5')")
    browser.until(SETTLED, key("card"))
    typed("c")
    browser.until("document.body.dataset.code === 'deal'")
    assert place.pressed == [facts.KEY_STAND, facts.KEY_CARD]


def test_a_key_that_is_touched_twice_acts_once_and_the_second_is_one_sentence(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    deciding(place)
    opened(browser, guide(place))
    browser.until(SETTLED, key("stand"))
    browser.run(
        "for (const each of [1, 2]) {" + TOUCH.replace("const ", "let ") + "}", key("stand")
    )
    browser.until("document.getElementById('due').textContent.startsWith('Seat 5')")
    browser.until("document.getElementById('notes').textContent !== ''")
    assert browser.text("notes") in (words.UNDER_WAY, words.CHANGED)
    assert place.pressed == [facts.KEY_STAND]
    assert len(place.all(facts.Engaged)) == 1


def test_a_key_that_is_touched_as_the_screen_changes_is_for_nobody(
    browser: Any, table: Any, guide: Any
) -> None:
    """The card falls between finger and glass: what was seen is not what is due."""
    place = table()
    deciding(place)
    opened(browser, guide(place), language="fr")
    browser.until(SETTLED, key("stand"))
    what, finger, down, up = TOUCH.strip().split("\n")
    browser.run(what + finger + down, key("stand"))
    place.key("stand")
    browser.until("document.getElementById('due').textContent.startsWith('Place 5')")
    browser.until(SETTLED, key("stand"))
    browser.run(what + finger + up, key("stand"))
    notes(browser, translated(words.CHANGED, "fr"))
    assert place.pressed == []


def test_what_gives_back_all_stakes_is_touched_twice(browser: Any, table: Any, guide: Any) -> None:
    place = table()
    deciding(place)
    opened(browser, guide(place))
    touch(browser, key("void"))
    browser.until("document.querySelector('.armed') !== null")
    assert words.LABELS["sure"] in browser.run(
        "return document.querySelector('.armed').textContent"
    )
    assert place.pressed == []
    confirm(browser, "void")
    assert place.pressed == [facts.KEY_VOID]


def test_a_finger_that_bounces_confirms_nothing(browser: Any, table: Any, guide: Any) -> None:
    """A second touch counts once somebody may have meant it."""
    place = table()
    deciding(place)
    opened(browser, guide(place))
    browser.until(SETTLED, key("void"))
    twice = "for (const each of [1, 2]) {" + TOUCH.replace("const ", "let ") + "}"
    browser.run(twice, key("void"))
    browser.until("document.querySelector('.armed') !== null")
    assert place.pressed == []
    confirm(browser, "void")
    assert place.pressed == [facts.KEY_VOID]


def test_each_finger_presses_what_it_saw_as_it_went_down(
    browser: Any, table: Any, guide: Any
) -> None:
    """One that lies on the glass as the screen changes does nothing; another one that comes then
    presses, and does not speak for it."""
    place = table()
    deciding(place)
    opened(browser, guide(place), language="en")
    browser.until(SETTLED, key("stand"))
    what, finger, down, up = TOUCH.strip().split("\n")
    browser.run(what + finger + down, key("stand"), 7)
    place.key("stand")
    browser.until("document.getElementById('due').textContent.startsWith('Seat 5')")
    browser.until(SETTLED, key("card"))
    second = finger.replace("isPrimary: true", "isPrimary: false")
    browser.run(what + second + down, key("card"), 8)
    browser.run(what + finger + up, key("stand"), 7)
    notes(browser, words.CHANGED)
    assert place.pressed == []
    browser.run(what + second + up, key("card"), 8)
    browser.until("document.body.dataset.code === 'deal'")
    assert place.pressed == [facts.KEY_CARD]


def test_a_click_that_no_finger_and_no_key_began_is_for_nobody(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    deciding(place)
    opened(browser, guide(place))
    browser.until(SETTLED, key("stand"))
    browser.run("document.querySelector(arguments[0]).click()", key("stand"))
    notes(browser, words.CHANGED)
    assert place.pressed == []


def test_space_presses_what_stood_as_it_went_down(browser: Any, table: Any, guide: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    place = table()
    deciding(place)
    opened(browser, guide(place))
    browser.until(SETTLED, key("stand"))
    what = "const element = document.querySelector(arguments[0]); element.focus();"
    down = 'element.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }))'
    browser.run(what + down, key("stand"))
    place.key("stand")
    browser.until("document.getElementById('due').textContent.startsWith('Seat 5')")
    browser.until(SETTLED, key("stand"))
    browser.run(what + "element.click()", key("stand"))  # as Space is let go
    notes(browser, words.CHANGED)
    assert place.pressed == []
    ActionChains(browser.driver).send_keys(Keys.SPACE).perform()
    until(lambda: place.pressed == [facts.KEY_STAND])


@pytest.mark.parametrize(
    ("case", "do"),
    [(case.name, do) for case in CASES for do in case.asks if case.name in ASKED],
)
def test_every_ask_is_sent_or_opens_its_form(
    browser: Any, table: Any, guide: Any, case: str, do: str
) -> None:
    one = next(each for each in CASES if each.name == case)
    place = table(one.game, **(one.options or {}))
    one.drive(place)
    n = len(place.rows)
    opened(browser, guide(place))
    before = browser.run("return document.getElementById('due').textContent")
    touch(browser, key(f"ask:{do}"))
    if keys.FIELDS[do]:
        browser.until("document.querySelector('#form:not([hidden])') !== null")
        assert browser.run("return document.querySelectorAll('#form input').length") > 0
    else:
        browser.until("document.getElementById('due').textContent !== arguments[0]", before)
        assert len(place.rows) > n


def fill(browser: Any, **said: str) -> None:
    """Types into the fields of the form, in their order."""
    boxes = browser.run(
        "return [...document.querySelectorAll('#form input')].map((each) => each.className)"
    )
    assert boxes.count("pin") == len([name for name in said if name.endswith("pin")])
    values = list(said.values())
    browser.run(
        "const boxes = [...document.querySelectorAll('#form input')];"
        " arguments[0].forEach((text, at) => { boxes[at].value = text; })",
        values,
    )


def test_two_people_enter_a_card_and_a_wrong_pin_is_one_sentence(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    unread(3)(place)
    opened(browser, guide(place))
    touch(browser, key("ask:card"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    browser.photograph("guide-form-card-en-1280x720")
    touch(browser, "[data-send]")
    browser.until("document.getElementById('said').textContent !== ''")
    assert browser.text("said") == words.LABELS["missing"]
    browser.run(TOUCH, "[data-rank=K]")
    browser.run(TOUCH, "[data-suit=S]")
    assert browser.text("picked") == "R♠"
    anna, weber = PINS["anna"][1], PINS["weber"][1]
    fill(browser, why="its index is torn", who="anna", pin="000000", other="weber", its_pin=weber)
    browser.run(TOUCH, "[data-send]")
    browser.until("document.getElementById('said').textContent.includes('anna')")
    assert place.table.hold is not None
    assert browser.run("return document.querySelector('#form input.pin').value") == ""

    def entered() -> bool:
        """After a wrong PIN none is heard for a second: they try again."""
        said = browser.run("return document.getElementById('said')?.textContent ?? null")
        if said is None:  # the form is gone
            return True
        if said != words.LABELS["asking"]:
            fill(
                browser, why="its index is torn", who="anna", pin=anna, other="weber", its_pin=weber
            )
            browser.run(TOUCH, "[data-send]")
        return False

    until(entered, "the card to be entered")
    browser.until("document.body.dataset.code === 'deal'")
    row = next(body for kind, body in reversed(place.rows) if body.get("manual"))
    assert (row["card"], row["manual"], row["why"]) == (
        "KS", ["anna", "weber"], "its index is torn",
    )  # fmt: skip


def test_letters_of_the_screen_fill_the_field_that_was_touched(
    browser: Any, table: Any, guide: Any
) -> None:
    place = table()
    gold(place)
    opened(browser, guide(place), language="fr")
    touch(browser, key("ask:pay"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    browser.photograph("guide-form-pay-fr-1280x720")
    for letter in "weber":
        browser.run(
            "[...document.querySelectorAll('.typing button')]"
            ".find((each) => each.textContent === arguments[0]).click()",
            letter,
        )
    browser.run("document.querySelector('#form input.pin').focus()")
    for digit in PINS["weber"][1]:
        browser.run(
            "[...document.querySelectorAll('.typing button')]"
            ".find((each) => each.textContent === arguments[0]).click()",
            digit,
        )
    browser.run(TOUCH, "[data-send]")
    browser.until("document.body.dataset.code === 'next'")
    assert place.last(facts.HeldPaid).manager == "weber"


def test_the_last_round_is_corrected_by_two_people(browser: Any, table: Any, guide: Any) -> None:
    place = table("baccarat_live")
    dealing(place)
    place.cards("9S 2H TD 3C")
    opened(browser, guide(place))
    touch(browser, key("ask:correct_round"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    assert browser.text("picked").split() == ["9♠", "2♥", "10♦", "3♣"]
    browser.photograph("guide-form-correct-en-1280x720")
    browser.run(TOUCH, "[data-void]")
    anna, weber = PINS["anna"][1], PINS["weber"][1]
    fill(browser, why="seen", who="anna", pin=anna, other="weber", its_pin=weber)
    browser.run(TOUCH, "[data-send]")
    browser.until("document.body.dataset.code === 'burn_all'")
    assert place.last(facts.RoundCorrection).reason == "croupier"


def test_a_decision_that_was_recorded_wrong_is_corrected(
    browser: Any, table: Any, guide: Any
) -> None:
    """Seat 5 had asked for a card: the ten was its own, and the dealer drew the four."""
    place = table()
    done(place)
    stand = guide(place)
    opened(browser, stand)
    touch(browser, key("ask:correct_round"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    browser.run(TOUCH, "[data-list=decisions]")
    assert browser.text("picked").split("\n") == ["2 Stand", "5 Stand"]
    browser.run(TOUCH, "#picked button:nth-child(2)")
    browser.run(TOUCH, "[data-seat='5']")
    browser.run(TOUCH, "[data-do=hit]")
    assert browser.text("picked").split("\n") == ["2 Stand", "5 Card"]
    browser.photograph("guide-form-decisions-en-1280x720")
    browser.run(TOUCH, "[data-list=cards]")
    for rank, suit in ("KC", "9H"):
        browser.run(TOUCH, f"[data-rank='{rank}']")
        browser.run(TOUCH, f"[data-suit={suit}]")
    browser.run("[...document.querySelectorAll('.pick button')].at(-1).click()")  # one too many
    assert browser.text("picked").split() == ["R♠", "9♥", "5♥", "5♠", "2♦", "10♦", "4♣", "R♣"]
    anna, weber = PINS["anna"][1], PINS["weber"][1]
    fill(browser, why="heard", who="anna", pin=anna, other="weber", its_pin=weber)
    browser.run(TOUCH, "[data-send]")
    browser.until("document.getElementById('form').hidden")  # it was accepted
    until(lambda: place.all(facts.RoundCorrection), "the correction")
    won = {each.seat: each.won_cents for each in place.last(facts.RoundCorrection).payments}
    assert won == {2: -2000, 5: 1000}
    until(lambda: len(stand.scene["cards"]) == 8)  # another correction begins with this one
    assert [(each["seat"], each["do"]) for each in stand.scene["decisions"]] == [
        (2, "stand"), (5, "hit"),
    ]  # fmt: skip


def test_what_nobody_touches_of_the_decisions_stays_as_it_is_recorded(
    browser: Any, table: Any, guide: Any
) -> None:
    """A double for less keeps its sum, also where another decision is put right."""
    place = table("blackjack_live")
    dealing(place)
    place.cards("KS 9H 5H 9S 2D 7C")
    place.key(facts.KEY_STAND)
    place.tell(facts.DecisionMade, 5, 1, "double", 400, None, "5")
    place.card("TD")
    place.key(facts.KEY_TURNED)
    place.cards("TC")
    opened(browser, guide(place))
    touch(browser, key("ask:correct_round"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    browser.run(TOUCH, "[data-list=decisions]")
    assert browser.text("picked").split("\n") == ["2 Stand", "5 Double 4.00"]
    browser.run(TOUCH, "#picked button:nth-child(1)")
    browser.run(TOUCH, "[data-seat='2']")
    browser.run(TOUCH, "[data-do=stand]")
    browser.run(TOUCH, "[data-list=cards]")
    browser.run(TOUCH, "#picked button:nth-child(1)")
    browser.run(TOUCH, "[data-rank=Q]")
    browser.run(TOUCH, "[data-suit=S]")
    anna, weber = PINS["anna"][1], PINS["weber"][1]
    fill(browser, why="seen", who="anna", pin=anna, other="weber", its_pin=weber)
    browser.run(TOUCH, "[data-send]")
    browser.until("document.getElementById('form').hidden")  # it was accepted
    until(lambda: place.all(facts.RoundCorrection), "the correction")
    won = {each.seat: each.won_cents for each in place.last(facts.RoundCorrection).payments}
    assert won[5] == 1400


def test_what_the_controller_refuses_is_said_in_the_readers_language(
    browser: Any, table: Any, guide: Any
) -> None:
    """A key of the real keyboard that means nothing stands there as one sentence, too."""
    place = table()
    early(place)
    stand = guide(place)
    opened(browser, stand, language="fr")
    place.key(facts.KEY_CONFIRM)
    browser.until("document.getElementById('notes').textContent.startsWith('P10')")
    assert place.refusals()[-1] not in browser.text("notes")
    assert browser.text("notes") == translated(place.refusals()[-1], "fr")


def test_a_form_is_closed_with_what_it_asked_for(browser: Any, table: Any, guide: Any) -> None:
    """The controller goes: no PIN stays in a form behind the dark, and none is sent to the next."""
    place = table()
    unread(3)(place)
    stand = guide(place)
    opened(browser, stand)
    touch(browser, key("ask:card"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    fill(browser, why="torn", who="anna", pin="246810", other="weber", its_pin="135799")
    n = stand.scene["n"]
    place.leave_sockets()
    browser.until("document.body.dataset.stage === 'gone'")
    assert browser.run("return document.querySelectorAll('#form *').length") == 0
    place.come_back()
    browser.until("document.body.dataset.stage === 'table'")
    assert browser.run("return document.getElementById('form').hidden")
    assert stand.scene["n"] > n


def test_enter_in_a_field_sends_the_form(browser: Any, table: Any, guide: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    place = table()
    gold(place)
    opened(browser, guide(place))
    touch(browser, key("ask:pay"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    browser.until("document.getElementById('said').textContent !== ''")
    assert browser.text("said") == words.LABELS["missing"]
    fill(browser, other="weber", its_pin=PINS["weber"][1])
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    browser.until("document.body.dataset.code === 'next'")
    assert place.last(facts.HeldPaid).manager == "weber"


def test_names_of_the_region_are_touched(browser: Any, table: Any, guide: Any) -> None:
    """And the ring of the focus lies on no word."""
    place = table()
    gold(place)
    opened(browser, guide(place))
    touch(browser, key("ask:pay"))
    browser.until("document.querySelector('#form:not([hidden])') !== null")
    typed = browser.run(
        "return [...document.querySelectorAll('.typing button')].map((each) => each.textContent)"
    )
    assert not set("abcdefghijklmnopqrstuvwxyzàâçèéêëîïôöùûüä0123456789-'.,:/()") - set(typed)
    browser.run("document.querySelector('#form input').focus()")
    ring, gap = browser.run(
        "const box = document.activeElement, style = getComputedStyle(box);"
        " const name = document.createRange();"
        " name.selectNode(box.previousSibling);"
        " return [parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset),"
        " box.getBoundingClientRect().top - name.getBoundingClientRect().bottom]"
    )
    assert ring <= max(gap, 0)
