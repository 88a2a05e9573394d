import pytest

import rules
from firmware.bus import messages
from firmware.text import display_words
from rules import announce

GAME = rules.load("roulette_lu")


def said(game: str, number: int, colour: str | None = None) -> tuple[display_words.Words, ...]:
    at = GAME["layout"].index(number)
    return display_words.chances(game, number, colour or GAME["colours"][at])


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
    assert said("roulette", 18)[2] == display_words.Words("manque", "1 to 18")
    assert said("roulette", 19)[2] == display_words.Words("passe", "19 to 36")


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


def test_everything_that_comes_over_the_bus_has_words() -> None:
    own = {messages.STALE, display_words.ATTRACT}
    assert set(display_words.STATES) == {name for _, name in messages.STATES} | own
    assert set(display_words.MORE) <= set(display_words.STATES)
    assert set(display_words.REASONS) == {name for _, name in messages.REASONS if name is not None}
    colours = {name for _, name in messages.COLOURS if name is not None}
    assert set(announce.COLOURS) == colours == set(display_words.LETTERS)
    assert set(display_words.ROTORS) == set(messages.ROTORS)
    assert set(display_words.GAMES) == {name for _, name, _, _ in messages.GAMES}


def test_colours_of_one_game_have_letters_of_their_own() -> None:
    for name in rules.NAMES:
        letters = [display_words.LETTERS[colour] for colour in set(rules.load(name)["colours"])]
        for language in (0, 1):
            assert len({pair[language] for pair in letters}) == len(letters)
