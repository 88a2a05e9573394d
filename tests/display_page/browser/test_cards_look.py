"""A card table on the page, in each language, on screens of every shape: every state, read by who
sees colours and who does not, with photographs."""

from typing import Any

import pytest
from display_page import card_scenes
from display_page.card_scenes import (
    ENDED,
    LONG,
    PAIRS,
    ROUND,
    SCENES,
    end_of,
    hand,
    lit_of,
    lying,
    shoe,
    told,
)  # fmt: skip
from display_page.contrast import contrast
from display_page.looks import OVERLAPS

from firmware.bus.messages import STALE
from firmware.bus.receiver import DARK
from firmware.lib.language import LANGUAGES
from firmware.text.display_words import words

# Screens, and the least letters on each, in its own pixels: those of a card of four split hands.
SCREENS = {
    "1280x720": ((1280, 720), 8),
    "1920x1080": ((1920, 1080), 12),
    "1080x1920": ((1080, 1920), 13),
}
LEAST_SAID = 0.014  # of the shorter side: words and points, of whatever hand

# Every text of the table: its colour, the ground behind it, whether it lies within its room.
LOOK = """
const found = [];
for (const element of document.querySelectorAll("#cloth *, #roads *, .call *, header *")) {
  const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const style = getComputedStyle(element);
  if (!own.length || style.visibility !== "visible" || style.display === "none") continue;
  let behind = element;
  const ground = () => getComputedStyle(behind).backgroundColor;
  while (ground() === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
  const range = document.createRange();
  range.selectNodeContents(element);
  const box = range.getBoundingClientRect();
  const rooms = ".card, .seat, .side, .dealer, .bead, #roads, #cloth, .call, header";
  const room = element.closest(rooms).getBoundingClientRect();
  found.push({
    text: element.textContent.trim(),
    of: element.closest(".card, .bead") ? "card" : "word",
    size: parseFloat(style.fontSize),
    colour: style.color,
    ground: ground(),
    fits: box.left >= room.left - 2 && box.right <= room.right + 2
      && box.top >= room.top - 2 && box.bottom <= room.bottom + 2
      && room.left >= -1 && room.right <= innerWidth + 1 && room.bottom <= innerHeight + 1,
  });
}
return found;
"""
# Boxes with more in them than is seen: no card, no word is cut.
SCROLLS = """
const boxes = "html, body, .call, header, #cloth, #roads, .seat, .side, .dealer, .hand, .beads";
return [...document.querySelectorAll(boxes)]
  .filter((one) => one.clientWidth && (one.scrollWidth > one.clientWidth + 2
    || one.scrollHeight > one.clientHeight + 2))
  .map((one) => `${one.className || one.id || one.tagName} ${one.innerText}`);
"""
# The cards of each place as they are seen: rank, shape, letter, colour; and its words.
SEEN = """
const found = {};
for (const hand of document.querySelectorAll(".hand")) {
  found[hand.dataset.place] = {
    cards: [...hand.querySelectorAll(".card")].map((card) => [
      card.classList.contains("back") ? "back" : card.innerText.split("\\n").join(" ").trim(),
      card.getAttribute("aria-label"),
    ]),
    points: hand.querySelector(".points").textContent,
    end: hand.querySelector(".end")?.textContent ?? null,
    turn: hand.classList.contains("turn"),
    events: [...hand.querySelectorAll(".events span")].map((one) => one.textContent),
  };
}
return found;
"""
SHAPES = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def expected_face(card: str, said: Any) -> str:
    if card == "back":
        return "back"
    if card == "dash":
        return "–"
    rank = said["ranks"].get(card[0], card[0])
    return f"{rank} {SHAPES[card[1]]} {said['suits'][card[1]]}"


def seen_of(browser: Any) -> Any:
    return browser.run(SEEN)


def show(browser: Any, stand: Any, game: str, at: int, scene: Any) -> Any:
    """Has a scene drawn; returns what the display was told of it."""
    _, state, what = scene
    reason = card_scenes.REASON if state == "VOID" else None
    lit = lit_of(game, state, at, reason=reason)
    stand.show(lit, told=what)
    browser.until(
        "document.getElementById('coup').textContent.endsWith(arguments[0])", str(lit.coup)
    )
    return stand._scene.cloth


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SCENES)
def test_every_state_of_a_card_table_is_told_readable_and_whole(
    browser: Any, stand: Any, game: str, language: str, screen: str
) -> None:
    from firmware.services.display.page_json import faces

    size, least = SCREENS[screen]
    browser.open(f"{stand.address}?lang={language}", size=size)
    said = words(language)
    for at, scene in enumerate(SCENES[game]()):
        cloth = show(browser, stand, game, at, scene)
        seen = seen_of(browser)
        assert set(seen) == {each.place for each in cloth.hands}
        for each in cloth.hands:
            own = seen[each.place]
            told_faces = ["dash"] if each.cards is None else faces(each.cards)
            assert [face for face, _ in own["cards"]] == [
                expected_face(card, said) for card in told_faces
            ], scene[0]
            assert own["points"] == (each.points or "–")
            assert own["end"] == (None if each.end is None else said["ends"][each.end])
            assert own["turn"] == each.has_turn
            assert own["events"] == [said["side_bets"][event] for event in each.events]
        for found in browser.run(LOOK):
            assert found["fits"], (scene[0], found)
            smallest = least if found["of"] == "card" else LEAST_SAID * min(size)
            assert found["size"] >= smallest, (scene[0], found)
            assert contrast(found["colour"], found["ground"]) >= 4.5, (scene[0], found)
        assert browser.run(SCROLLS) == [], scene[0]
        assert browser.run(OVERLAPS) == [], scene[0]
        browser.photograph(f"{game}-{language}-{screen}-{at:02d}-{scene[0]}")
    stand.show(DARK, stage=STALE)
    browser.until("document.body.dataset.stage === 'STALE'")
    assert browser.text("cloth") == "–" and browser.text("roads") == ""
    assert seen_of(browser) == {}
    browser.photograph(f"{game}-{language}-{screen}-stale")


def test_a_hand_of_many_cards_lies_in_two_rows(browser: Any, stand: Any) -> None:
    """Each card is read as easily as those of its neighbours."""
    browser.open(f"{stand.address}?lang=fr", size=(1280, 720))
    many = lying(
        hand("s6", "2D 3H AC AS 2S 3D 4D AH"), hand("s7", "9C AD"), hand("d", "6H *"),
        events=(("pair_colour", "s6"), ("insured", "s6")),
    )  # fmt: skip
    stand.show(lit_of("blackjack", "PLAYING", 0), told=told(many))
    browser.until("document.querySelectorAll('[data-place=s6] .card').length === 8")
    rows, letters = browser.run(
        "const cards = [...document.querySelectorAll('[data-place=s6] .card')];"
        " return [new Set(cards.map((card) => card.getBoundingClientRect().top)).size,"
        " parseFloat(getComputedStyle(cards[0].querySelector('small')).fontSize)]"
    )
    assert rows == 2
    assert letters >= 15
    assert browser.run(SCROLLS) == []
    assert browser.run(OVERLAPS) == []


def test_which_side_is_which_is_told_before_any_card_lies_there(browser: Any, stand: Any) -> None:
    """By its name, not by a colour alone."""
    for language, names in (("fr", ["joueur", "banquier"]), ("en", ["player", "banker"])):
        browser.open(f"{stand.address}?lang={language}", size=(1280, 720))
        stand.show(lit_of("baccarat", "BETS_OPEN", 0), told=told(lying()))
        browser.until("document.querySelectorAll('.side').length === 2")
        sides = "return [...document.querySelectorAll('.side .who')].map((one) => one.textContent)"
        assert browser.run(sides) == names


def test_what_ended_is_in_the_headline_and_a_dash_of_it_is_none(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}?lang=fr", size=(1280, 720))
    for game, name, headline in (
        ("blackjack", "confirmed", "LA BANQUE A 19"),
        ("blackjack", "gold-jack", "BLACK JACK À LA BANQUE"),
        ("blackjack", "unproved", "LE RÉSULTAT"),
        ("blackjack", "insurance", "ASSURANCE ?"),
        ("blackjack", "void", "COUP NUL"),
        ("baccarat", "no-shoe", "SABOT EN PRÉPARATION"),
        ("baccarat", "confirmed", "LE JOUEUR GAGNE 9 – 6"),
        ("baccarat", "tie", "ÉGALITÉ 9 – 9"),
        ("baccarat", "bets", "FAITES VOS JEUX"),
    ):
        scenes = SCENES[game]()
        at = [scene[0] for scene in scenes].index(name)
        show(browser, stand, game, at, scenes[at])
        assert browser.text("headline") == headline, name
    show(browser, stand, "blackjack", 14, card_scenes.blackjack()[14])
    assert browser.text("headline") == "SABOT EN PRÉPARATION"
    assert browser.text("more") == "La banque a 19"
    show(browser, stand, "blackjack", 16, card_scenes.blackjack()[16])
    assert browser.text("headline") == "SABOT EN PRÉPARATION"
    why = words("fr")["reasons"][card_scenes.REASON].lower()
    assert browser.text("more") == f"Coup nul : {why}"
    show(browser, stand, "blackjack", 11, card_scenes.blackjack()[11])
    assert browser.text("notes") == "cartes saisies à la main"
    show(browser, stand, "baccarat", 3, card_scenes.baccarat()[3])
    assert browser.text("notes") == "dernier coup du sabot"
    show(browser, stand, "blackjack", 17, card_scenes.blackjack()[17])
    assert browser.text("notes").startswith("table simulée")


ROADS = """
const read = (name) => [...document.querySelectorAll(`.${name} .bead`)].map((bead) => [
  bead.querySelector("b").textContent, bead.style.gridArea,
  bead.querySelector(".ties")?.textContent ?? null,
  getComputedStyle(bead).backgroundColor, getComputedStyle(bead).borderRadius,
]);
return { bead: read("bead-road .beads"), big: read("big-road .beads") };
"""


def test_roads_have_a_letter_a_shape_and_a_colour_for_each_winner(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}?lang=fr", size=(1920, 1080))
    cloth = show(browser, stand, "baccarat", 5, card_scenes.baccarat()[5])
    found = browser.run(ROADS)
    letters = {"player": "J", "banker": "B", "tie": "É"}
    assert len(cloth.roads.bead) == 71
    assert [bead[0] for bead in found["bead"]] == [letters[each] for each in cloth.roads.bead]
    looks = {(bead[0], bead[3], bead[4]) for bead in found["bead"]}
    assert len(looks) == len({look[1] for look in looks}) == len({look[2] for look in looks}) == 3
    runs = cloth.roads.big
    off = max(run.column for run in runs) + 1 - 24
    assert [(bead[0], bead[2]) for bead in found["big"]] == [
        (letters[run.winner], str(run.ties) if run.ties else None)
        for run in runs
        if run.column >= off
    ]
    last = found["big"][-1][1].replace(" ", "").split("/")
    assert (int(last[0]), int(last[1])) == (runs[-1].row + 1, 24)
    browser.driver.set_window_size(1080, 1920)
    begun = card_scenes.baccarat()[10]
    show(browser, stand, "baccarat", 10, begun)
    assert "commencée avant" in browser.text("roads")


def test_the_hole_card_is_a_back_wherever_the_page_has_it(browser: Any, stand: Any) -> None:
    """Nothing of it is in what the page is told, and so in none of its places."""
    browser.open(f"{stand.address}?lang=fr", size=(1280, 720))
    what = told(lying(*LONG, hand("d", "6H *"), turn="s5.2", events=PAIRS))
    show(browser, stand, "blackjack", 1, ("playing", "PLAYING", what))
    assert seen_of(browser)["d"]["cards"] == [["6 ♥ C", None], ["back", "carte cachée"]]
    assert seen_of(browser)["d"]["points"] == "6"
    assert browser.run("return document.querySelector('.card.back').innerText") == ""


def test_a_card_that_is_taken_back_is_gone_in_the_same_frame(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}?lang=fr", size=(1280, 720))
    one = ("a", "DEALING", told(lying(hand("P", "5S 6D"), hand("B", "2H"))))
    other = ("b", "HOLD", told(lying(hand("P", "5S ?"), hand("B", "2H"))))
    show(browser, stand, "baccarat", 1, one)
    assert [face for face, _ in seen_of(browser)["P"]["cards"]] == ["5 ♠ P", "6 ♦ K"]
    show(browser, stand, "baccarat", 2, other)
    assert [face for face, _ in seen_of(browser)["P"]["cards"]] == ["5 ♠ P", "–"]
    assert seen_of(browser)["P"]["points"] == "–"


def test_a_wheel_after_a_card_table_and_a_card_table_after_a_wheel_show_nothing_of_before(
    browser: Any, stand: Any
) -> None:
    browser.open(f"{stand.address}?lang=fr", size=(1280, 720))
    ended = told(lying(*ENDED, hand("d", "AH 8D")), end_of("blackjack", "AH 8D"))
    show(browser, stand, "blackjack", 1, ("ended", "CONFIRMED", ended))
    wheel = DARK._replace(
        state="CONFIRMED", game="roulette", coup=7, number=17, colour="black", layout_verified=True
    )
    stand.show(wheel)
    browser.until("document.getElementById('coup').textContent.endsWith('7')")
    assert browser.text("number") == "17"
    assert (
        browser.run("return getComputedStyle(document.getElementById('cloth')).display") == "none"
    )
    show(browser, stand, "baccarat", 2, ("bets", "BETS_OPEN", told(lying(), ends=shoe(20))))
    assert (
        browser.run(
            "return getComputedStyle(document.getElementById('disc').parentElement).display"
        )
        == "none"
    )
    assert seen_of(browser) == {}


def test_a_card_table_that_is_silent_is_a_dash_within_a_second(browser: Any, stand: Any) -> None:
    browser.open(f"{stand.address}?lang=fr", size=(1280, 720))
    what = told(lying(*LONG, hand("d", "6H *")))
    show(browser, stand, "blackjack", 1, ("playing", "PLAYING", what))
    stand._standing.cancel()  # it says no more that the scene stands
    browser.until("document.body.dataset.stage === 'STALE'")
    assert browser.text("cloth") == "–"
    assert seen_of(browser) == {}


def test_nothing_of_the_page_comes_from_elsewhere(browser: Any, stand: Any) -> None:
    browser.requests()
    browser.open(f"{stand.address}?lang=fr", size=(1280, 720))
    show(browser, stand, "baccarat", 5, card_scenes.baccarat()[5])
    asked = [url for url in browser.requests() if not url.startswith(("data:", "about:"))]
    assert asked and all(url.startswith(stand.address) for url in asked)
    assert ROUND  # and it knows the round
