"""Every state on the page, in each language, of three apparatus, on screens of every shape."""

import contextlib
import random
from typing import Any

import pytest
from display_page.conftest import Stand
from display_page.contrast import contrast
from display_page.looks import FRAMES, LOOK, NUMBER_HEIGHT, OVERLAPS, SCROLLS

import rules
from firmware.bus.messages import STALE, STATES, Call, Table
from firmware.bus.receiver import DARK, Lit
from firmware.lib.language import LANGUAGES
from firmware.services.display import server
from firmware.text.display_words import ATTRACT, STARTING, words

# Screens, and the least letters on each, in its own pixels.
SCREENS = {
    "1920x1080": ((1920, 1080), 20),
    "1024x768": ((1024, 768), 14),
    "1080x1920": ((1080, 1920), 25),
    "390x844": ((390, 844), 12),
}
NUMBER = 0.16  # of the shorter side at least, its letters' height
NAMES = {"roulette": "roulette_lu", "vingt_trois": "vingt_trois_fr", "boule": "boule_fr"}
NUMBERS = {
    "roulette": ((36, "red"), (17, "black"), (0, "green")),
    "vingt_trois": ((14, "red"), (12, "black"), (13, "white")),
    "boule": ((4, "red"), (6, "black"), (5, "yellow")),
}
# The longest of each: what fits with them fits with all.
REASON = "moved_before_call"
WHEEL = "Grand salon, table no 12"
CALL = Call(1_000_000, 65_534, "learned")
ASKS = "Marie-Christine Vandenberghe"
DASH = "–"


def history(game: str, seed: int = 1) -> tuple[tuple[int, str] | None, ...]:
    played, chance = rules.load(NAMES[game]), random.Random(seed)
    pockets = list(zip(played["layout"], played["colours"], strict=True))
    return tuple(None if chance.random() < 0.1 else chance.choice(pockets) for _ in range(20))


def playing(game: str, **fields: Any) -> Lit:
    return DARK._replace(
        game=game,
        epoch=2,
        rotor=0 if game == "boule" else -1,
        history=history(game),
        layout_verified=game != "vingt_trois",
        wheel=WHEEL,
        table=Table(NAMES[game], WHEEL, 1250, 1250, (), CALL if game == "roulette" else None),
        **fields,
    )


def scenes(game: str) -> list[tuple[str, Lit]]:
    """Everything a display of that game may show, by the name of its stage."""
    found = []
    for _, state in STATES:
        if state not in ("CONFIRMED", "VOID"):
            found.append((state, playing(game, state=state, seq=20)))
    for number, colour in NUMBERS[game]:
        lit = playing(game, state="CONFIRMED", seq=21, number=number, colour=colour)
        found.append(("CONFIRMED", lit))
    found.append(("CONFIRMED", found[-1][1]._replace(manual=True)))
    found.append(("VOID", playing(game, state="VOID", seq=21, reason=REASON)))
    found.append((ATTRACT, found[-2][1]))
    return [(stage, lit._replace(coup=100 + at)) for at, (stage, lit) in enumerate(found)]


def test_contrast_is_as_the_definition_has_it() -> None:
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert contrast("rgb(118, 118, 118)", "rgb(255, 255, 255)") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", NAMES)
def test_every_state_is_told_readable_and_whole(
    browser: Any, stand: Any, game: str, language: str, screen: str
) -> None:
    size, least = SCREENS[screen]
    browser.open(f"{stand.address}?lang={language}", size=size)
    own, beside = words(language), words("en" if language == "fr" else "fr")
    for at, (stage, lit) in enumerate(scenes(game)):
        stand.show(lit, stage=stage, asks=ASKS)
        browser.until(
            "document.getElementById('coup').textContent.endsWith(arguments[0])", str(lit.coup)
        )
        assert browser.stage() == stage
        shown = lit.number is not None and stage == "CONFIRMED"
        assert browser.text("number") == (
            str(lit.number) if shown else DASH if stage != ATTRACT else ""
        )
        told = browser.text("headline"), browser.text("headline-too")
        if not shown:
            said = own["states"][stage].upper(), beside["states"][stage].capitalize()
            assert told == said
        if stage == "VOID":
            assert browser.text("more").lower() == own["reasons"][REASON].lower()
        assert browser.text("asks") == own["labels"]["asks"].replace("{name}", ASKS)
        for found in browser.run(LOOK):
            assert found["fits"], (stage, found)
            assert found["size"] >= least, (stage, found)
            assert contrast(found["colour"], found["ground"]) >= 4.5, (stage, found)
        assert browser.run(SCROLLS) == []
        assert browser.run(OVERLAPS) == [], stage
        assert browser.run(NUMBER_HEIGHT) >= NUMBER * min(size)
        browser.photograph(f"{game}-{language}-{screen}-{at:02d}-{stage.lower()}")
    stand.show(DARK, stage=STALE)
    browser.until("document.body.dataset.stage === 'STALE'")
    assert browser.text("number") == DASH
    assert browser.text("last") == browser.text("asks") == ""
    browser.photograph(f"{game}-{language}-{screen}-stale")


def test_a_name_is_drawn_as_it_is_and_gone_with_who_asks(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}?lang=en", size=(1280, 720))
    lit = playing("roulette", state="BETS_OPEN", seq=20, coup=7)
    for name in ("<b>paul</b>", "$& {name} $1", "paul"):
        stand.show(lit, asks=name)
        browser.until(f"document.getElementById('asks').textContent.includes({name!r})")
        assert browser.run("return document.querySelector('#asks').children.length") == 0
    stand.show(lit)
    browser.until("document.getElementById('asks').textContent === ''")


@pytest.mark.smoke
def test_a_number_is_told_by_colour_shape_letter_and_words(browser: Any, stand: Any) -> None:
    browser.open(stand.address)
    seen = []
    for number, colour, letter, french in [
        (36, "red", "R", "ROUGE · PAIR · PASSE"),
        (17, "black", "N", "NOIR · IMPAIR · MANQUE"),
        (0, "green", "V", "VERT"),
    ]:
        stand.show(
            playing("roulette", state="CONFIRMED", coup=number + 1, number=number, colour=colour)
        )
        browser.until("document.getElementById('number').textContent === arguments[0]", str(number))
        assert (browser.text("mark"), browser.text("headline")) == (letter, french)
        seen.append(browser.run("return document.querySelector('#mark svg').innerHTML"))
    assert len(set(seen)) == 3


def test_a_page_speaks_the_next_language_at_a_press(browser: Any, stand: Any) -> None:
    browser.open(stand.address)
    stand.show(playing("roulette", state="NO_MORE_BETS", coup=1))
    browser.until("document.body.dataset.stage === 'NO_MORE_BETS'")
    assert browser.text("headline") == "RIEN NE VA PLUS"
    first = LANGUAGES.index("fr") + 1
    for language in (*LANGUAGES[first:], *LANGUAGES[:first]):
        assert browser.text("language") == words(language)["labels"]["own_name"]
        browser.run("document.getElementById('language').click()")
        said = words(language)["states"]["NO_MORE_BETS"]
        assert browser.text("headline") == said.upper()
        told = browser.run("return [document.documentElement.lang, location.search]")
        assert told == [language, f"?lang={language}"]


def test_a_third_language_has_the_french_of_the_table_beside_it(
    browser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = server.vocabulary()
    third = {group: dict(table) for group, table in known["en"].items()}
    third["states"]["NO_MORE_BETS"] = "nichts geht mehr"
    third["chances"]["black"] = "schwarz"
    # "odd" is the same in both: told as a whole, what is beside it stays whole too.
    third["chances"]["odd"] = known["fr"]["chances"]["odd"]
    monkeypatch.setattr(server, "vocabulary", lambda: {**known, "de": third})
    with contextlib.closing(Stand()) as stand:
        browser.open(f"{stand.address}?lang=de")
        stand.show(playing("roulette", state="NO_MORE_BETS", coup=1))
        browser.until("document.body.dataset.stage === 'NO_MORE_BETS'")
        told = browser.text("headline"), browser.text("headline-too")
        assert told == ("NICHTS GEHT MEHR", "Rien ne va plus")
        stand.show(playing("roulette", state="CONFIRMED", coup=2, number=17, colour="black", seq=2))
        browser.until("document.body.dataset.stage === 'CONFIRMED'")
        told = browser.text("headline"), browser.text("headline-too")
        assert told == ("SCHWARZ · IMPAIR · 1 TO 18", "Noir · impair · manque")


@pytest.mark.parametrize(("rotor", "ring"), [(1, "ccw"), (-1, "cw")])
def test_the_ring_of_the_direction_is_lit_and_turns_that_way(
    browser: Any, stand: Any, rotor: int, ring: str
) -> None:
    browser.open(stand.address, still=False)
    stand.show(playing("roulette", state="BETS_OPEN", coup=1)._replace(rotor=rotor))
    assert browser.until(
        "document.querySelector('.ring.lit')?.classList.contains(arguments[0])", ring
    )
    turning = browser.run(
        "return document.getAnimations().filter((one) => one.animationName === 'turn')"
        ".map((one) => [one.effect.target.classList.contains('lit'),"
        " one.effect.getTiming().direction, one.effect.getTiming().duration])"
    )
    turning = [(way, duration) for is_lit, way, duration in turning if is_lit]
    assert [way for way, _ in turning] == ["reverse" if ring == "ccw" else "normal"]
    # What passes at one place of the ring is all that changes by itself: slower than 3 a second.
    chevrons = browser.run("return document.querySelectorAll('.ring.lit path').length")
    assert chevrons / (turning[0][1] / 1000) < 3
    browser.open(stand.address, still=True)
    browser.until("document.querySelector('.ring.lit')")
    assert browser.run("return document.getAnimations().length") == 0


def test_a_dish_has_no_direction(browser: Any, stand: Any) -> None:
    browser.open(stand.address)
    stand.show(playing("boule", state="BETS_OPEN", coup=1)._replace(rotor=1))
    browser.until("document.body.dataset.stage === 'BETS_OPEN'")
    assert browser.text("direction") == ""
    assert browser.run("return document.querySelector('.ring.lit')") is None


def test_limits_come_from_the_minimum_and_a_dash_where_it_is_not_known(
    browser: Any, stand: Any
) -> None:
    """Luxembourg, art. 37-3: 20 times the minimum on a plein, 360 times on a simple chance."""
    browser.open(stand.address)
    open_for_bets = playing("roulette", state="BETS_OPEN", coup=1)
    stand.show(open_for_bets)
    browser.until("document.body.dataset.stage === 'BETS_OPEN'")
    assert browser.text("minimum").split() == ["12,50", "€", "Minimum"]
    limits = browser.text("maxima").splitlines()
    assert limits[:2] == ["Plein", "250\u00a0€"]
    assert limits[-2:] == ["Chances simples", "4\u202f500\u00a0€"]
    stand.show(open_for_bets._replace(table=None, coup=2))
    browser.until("document.getElementById('coup').textContent === 'coup 2'")
    assert browser.text("minimum").split() == [DASH, "Minimum"]
    assert browser.text("maxima") == ""


def test_the_window_of_the_tally_is_named_and_voids_are_marked(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}?lang=en")
    last = ((17, "black"), None, (17, "black"), (0, "green"), (36, "red"))
    stand.show(playing("roulette", state="BETS_OPEN", coup=6)._replace(history=last))
    browser.until("document.getElementById('last').children.length === 5")
    assert browser.text("last").split() == ["17", "×", "17", "0", "36"]
    assert browser.text("shares-window") == "of the last 4 numbers"
    assert browser.text("shares").splitlines()[:2] == ["Red 25 %", "Black 50 %"]
    assert browser.text("hot").split() == ["17", "2", "×"]
    stand.show(playing("roulette", state="BETS_OPEN", coup=7)._replace(history=last[-1:]))
    browser.until("document.getElementById('last').children.length === 1")
    assert browser.text("shares-window") == "of the last number"


def test_an_unverified_layout_is_marked(browser: Any, stand: Any) -> None:
    browser.open(stand.address)
    stand.show(playing("vingt_trois", state="BETS_OPEN", coup=1))
    browser.until("document.body.dataset.stage === 'BETS_OPEN'")
    assert browser.text("unverified") == "disposition NON VÉRIFIÉE"
    stand.show(playing("roulette", state="BETS_OPEN", coup=2))
    browser.until("document.getElementById('coup').textContent === 'coup 2'")
    assert browser.text("unverified") == ""


@pytest.mark.parametrize("game", NAMES.values())
@pytest.mark.parametrize(
    ("language", "cents", "said"),
    [
        ("fr", 500, "5\u00a0€"),
        ("en", 500, "€5"),
        ("fr", 250, "2,50\u00a0€"),
        ("en", 100_005, "€1,000.05"),
        ("fr", 2**32 - 1, "42\u202f949\u202f672,95\u00a0€"),
    ],
)
def test_amounts_are_of_a_currency_as_the_language_writes_it_and_exact(
    browser: Any, stand: Any, game: str, language: str, cents: int, said: str
) -> None:
    browser.open(f"{stand.address}?lang={language}")
    stand.show(
        DARK._replace(
            state="BETS_OPEN",
            game="roulette",
            coup=1,
            epoch=1,
            table=Table(game, "T", cents, cents, (), None),
        )
    )
    browser.until("document.body.dataset.stage === 'BETS_OPEN'")
    assert browser.text("minimum").splitlines()[0] == said
    maxima = browser.run(
        "return [...document.querySelectorAll('#maxima b')].map((b) => b.innerText)"
    )
    whole = [text for text in maxima if any(letter.isdigit() for letter in text)]
    assert len(whole) == (len(maxima) if game != "roulette_live" else 0)
    assert all("€" in text for text in whole)


def test_number_colour_letter_and_shape_go_in_one_frame(browser: Any, stand: Any) -> None:
    browser.open(stand.address, still=False)
    last = playing("roulette", state="CONFIRMED", coup=1, seq=1, number=36, colour="red")
    stand.show(last)
    browser.until("document.getElementById('number').textContent === '36'")
    browser.run(FRAMES)
    stand.show(playing("roulette", state="BETS_OPEN", coup=2, seq=1))
    browser.until("seen.at(-1).number === arguments[0] && seen.length > 40", DASH)
    stand.show(last._replace(coup=2, seq=2, number=17, colour="black"))
    browser.until("seen.at(-1).number === '17' && seen.length > 80")
    seen = browser.run("return seen")
    looks = {tuple(sorted(each.items())) for each in seen}
    assert len(looks) == 3, looks  # the number, the dash, the next number: and nothing between
    dash = next(each for each in seen if each["number"] == DASH)
    assert (dash["letter"], dash["shapes"]) == ("", 0)
    assert contrast(dash["ground"], "rgb(0, 0, 0)") < 1.5


def test_before_anybody_was_heard_there_is_a_dash_and_nothing_else(
    browser: Any, stand: Any
) -> None:
    browser.open(stand.address)  # where a display has said nothing yet
    assert [each["text"] for each in browser.run(LOOK)] == [DASH]
    stand.show(DARK)  # a display that was just started, and heard nothing
    browser.until("performance.now() > 1500")
    assert browser.stage() == STARTING
    assert [each["text"] for each in browser.run(LOOK)] == [DASH]
    browser.photograph("starting")
    stand.show(DARK, stage=STALE)
    browser.until("document.body.dataset.stage === 'STALE'")
    assert browser.text("headline") == "PAS DE LIAISON"


def test_a_display_that_says_nothing_is_told_once_it_was_listened_for(
    browser: Any, stand: Any
) -> None:
    browser.open(stand.address)
    assert browser.stage() == STARTING
    browser.until("document.body.dataset.stage === 'STALE'")
    assert browser.run("return performance.now()") >= 1000
    assert browser.text("more") == "L'afficheur ne se fait pas entendre"
