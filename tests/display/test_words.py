import json
from pathlib import Path

import pytest

import rules
from firmware.bus import messages
from firmware.lib import catalogue
from firmware.lib.language import LANGUAGES
from firmware.services.display.page_json import vocabulary
from firmware.text import display_words
from firmware.text.display_words import Words
from rules import announce
from tools.docs.catalogue import compiled

GAME = rules.load("roulette_lu")
WORDS = {language: display_words.words(language) for language in LANGUAGES}
PAIRS = display_words.at_table("en")


def said(game: str, number: int, colour: str | None = None) -> list[Words]:
    at = GAME["layout"].index(number)
    chances = display_words.chances(game, number, colour or GAME["colours"][at])
    return [PAIRS["chances"][chance] for chance in chances]


@pytest.mark.parametrize(
    ("number", "french"),
    [
        (0, "vert"),
        (1, "rouge impair manque"),
        (2, "noir pair manque"),
        (17, "noir impair manque"),
        (18, "rouge pair manque"),
        (19, "rouge impair passe"),
        (36, "rouge pair passe"),
    ],
)
def test_a_number_is_called_as_the_croupier_calls_it(number: int, french: str) -> None:
    assert " ".join(word.french for word in said("roulette", number)) == french


def test_the_halves_say_where_they_end() -> None:
    assert said("roulette", 18)[2] == Words("manque", "1 to 18")
    assert said("roulette", 19)[2] == Words("passe", "19 to 36")


def test_eighteen_numbers_are_of_each_chance() -> None:
    called = [word.french for number in range(1, 37) for word in said("roulette", number)]
    for french in ("rouge", "noir", "pair", "impair", "manque", "passe"):
        assert called.count(french) == 18


@pytest.mark.req("LU-37-1.announced")
@pytest.mark.parametrize(
    ("game", "number", "colour", "french"),
    [
        ("boule", 4, "red", "rouge pair manque"),
        ("boule", 5, "yellow", "jaune"),
        ("boule", 6, "black", "noir pair passe"),
        ("vingt_trois", 7, "red", "rouge"),
        ("vingt_trois", 7, "black", "noir"),
        ("vingt_trois", 13, "white", "blanc"),
    ],
)
def test_each_game_announces_its_own_chances(
    game: str, number: int, colour: str, french: str
) -> None:
    """Boule: number, colour, parity, half; vingt-trois: number, colour (DESIGN section 1)."""
    assert " ".join(word.french for word in said(game, number, colour)) == french


@pytest.mark.parametrize("name", rules.WHEEL_GAMES)
def test_a_display_announces_in_french_what_the_croupier_does(name: str) -> None:
    """Art. 37-1: the French of a display is that of rules/announce.py, whatever the catalogue."""
    game = rules.load(name)
    for pocket in zip(game["layout"], game["colours"], strict=True):
        for pair in announce.chances(game, *pocket):
            assert PAIRS["chances"][pair[1]] == Words(*pair)
    for bet in game["bets"]:
        if not bet.simple:
            french = announce.french(bet.name).replace("deux ", "2 ")
            assert PAIRS["bets"][bet.name].french == french


def test_the_call_at_the_table_is_french_and_stands_beside_any_language() -> None:
    for language in LANGUAGES:
        pairs = display_words.at_table(language)
        assert pairs["states"]["BETS_OPEN"].french == "FAITES VOS JEUX"
        assert pairs["states"]["NO_MORE_BETS"].french == "RIEN NE VA PLUS"
        beside = "en" if language == "fr" else language
        assert pairs["states"]["VOID"].beside == WORDS[beside]["states"]["VOID"]


def test_everything_that_comes_over_the_bus_has_words() -> None:
    own = {messages.STALE, display_words.ATTRACT}
    assert set(display_words.STATES) == {name for _, name in messages.STATES} | own
    assert set(display_words.MORE) <= set(display_words.STATES)
    assert set(display_words.REASONS) == {name for _, name in messages.REASONS if name is not None}
    colours = {name for _, name in messages.COLOURS if name is not None}
    assert set(announce.COLOURS) == colours == set(display_words.LETTERS)
    assert set(display_words.ROTORS) == {str(rotor) for rotor in messages.ROTORS}
    assert set(display_words.GAMES) == set(messages.GAME_CODES)
    bets = {
        bet.name for name in rules.WHEEL_GAMES for bet in rules.load(name)["bets"] if not bet.simple
    }
    own = {display_words.SIMPLE, display_words.EVERY_BET}
    assert set(display_words.BETS) == bets | own


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_display_has_no_word_for_how_long_before_the_drop_a_call_comes(language: str) -> None:
    said = json.dumps(vocabulary()[language], ensure_ascii=False).lower()
    for word in ("before the drop", "avant la chute", "{lead}", "{coups}", " s,"):
        assert word not in said
    assert "call" not in vocabulary()[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_colours_of_one_game_have_letters_of_their_own(language: str) -> None:
    for name in rules.WHEEL_GAMES:
        colours = set(rules.load(name)["colours"])
        letters = {WORDS[language]["letters"][colour] for colour in colours}
        assert len(letters) == len(colours)


def test_every_language_is_called_by_its_own_name() -> None:
    assert len({words["labels"]["own_name"] for words in WORDS.values()}) == len(LANGUAGES)


def test_what_a_catalogue_lacks_stays_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source = 'msgid ""\nmsgstr ""\n\nmsgctxt "states.VOID"\nmsgid "void"\nmsgstr "nul"\n'
    (folder / "display.mo").write_bytes(compiled(source, "fr"))
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    words = display_words.words("xx")
    assert words["states"]["VOID"] == "nul"
    assert words["labels"]["void"] == "void"  # the same text in another place
    assert words["states"]["FAULT"] == display_words.STATES["FAULT"]
