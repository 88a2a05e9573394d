import pytest

import rules
from firmware.bus import messages, receiver
from tools.display import words

GAME = rules.load("european")


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
    assert " ".join(word.french for word in words.chances(GAME, number)) == french


def test_the_halves_say_where_they_end() -> None:
    assert words.chances(GAME, 18)[2] == words.Words("manque", "1 to 18")
    assert words.chances(GAME, 19)[2] == words.Words("passe", "19 to 36")


def test_eighteen_numbers_are_of_each_chance() -> None:
    called = [word.french for number in range(1, 37) for word in words.chances(GAME, number)]
    for french in ("rouge", "noir", "pair", "impair", "manque", "passe"):
        assert called.count(french) == 18


def test_everything_that_comes_over_the_bus_has_words() -> None:
    assert set(words.STATES) == {name for _, name in messages.STATES} | {receiver.STALE}
    assert set(words.REASONS) == {name for _, name in messages.REASONS if name is not None}
    assert set(words.ROTORS) == set(messages.ROTORS)
