"""Which game is played on which board, and what does not go together."""

from pathlib import Path

import pytest

import boards
import rules
from firmware.config import Config, ConfigError, parse
from firmware.config.game import choose

OWN = """
apparatus = "vingt_trois"
source = "the plate of table 3, read on 3 March 2026"
numbers = [{numbers}]
colours = [{colours}]
"""


def own_layout(folder: Path) -> Path:
    """Our own order as an establishment's file: 27 cases, begun at another one."""
    game = rules.load("vingt_trois_fr")
    numbers, colours = (game[key][5:] + game[key][:5] for key in ("layout", "colours"))
    path = folder / "cases.toml"
    path.write_text(
        OWN.format(
            numbers=", ".join(str(number) for number in numbers),
            colours=", ".join(f'"{colour}"' for colour in colours),
        )
    )
    return path


def refusal(board: str, config: Config) -> str:
    with pytest.raises(ConfigError) as caught:
        choose(board, config)
    return " ".join(caught.value.sentences)


@pytest.mark.parametrize("board", ["roulette_ref", "vingt_trois_ref", "boule_ref"])
def test_a_board_brings_its_own_game(board: str) -> None:
    game = choose(board, Config())
    assert game.board["name"] == board
    assert game.rules["name"] == boards.load(board)["rules"]
    assert game.rules["apparatus"] == game.board["apparatus"]


def test_a_house_may_choose_other_rules_of_the_same_apparatus() -> None:
    assert choose("roulette_ref", Config(rules="roulette_live")).rules["name"] == "roulette_live"


def test_rules_of_another_apparatus_are_refused_with_those_that_fit() -> None:
    said = refusal("roulette_ref", Config(rules="boule_fr"))
    assert "boule_fr is not played on roulette_ref; use roulette_lu or roulette_live." in said


def test_rules_for_another_number_of_compartments_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wrong count is a wrong number at every coup, as a wrong order is."""
    fewer = rules.load("roulette_live") | {"layout": tuple(range(1, 37))}
    known = rules.load
    monkeypatch.setattr(rules, "WHEEL_GAMES", (*rules.WHEEL_GAMES, "fewer"))
    monkeypatch.setattr(
        rules, "load", lambda name, *layout: fewer if name == "fewer" else known(name, *layout)
    )
    said = refusal("roulette_ref", Config(rules="fewer"))
    assert said == (
        "[game] rules: fewer is not played on roulette_ref; use roulette_lu or roulette_live."
    )


@pytest.mark.req("FR-47.apparatus")
@pytest.mark.parametrize("cups", [9, 18, 36])
def test_a_dish_has_as_many_cups_as_the_house_says(cups: int) -> None:
    game = choose("boule_ref", Config(cups=cups))
    named = [name for name, _ in game.board["inputs"] if name.startswith("cup")]
    assert len(named) == cups == len(game.rules["layout"]) == game.board["geometry"]["cups"]


def test_only_a_dish_has_cups() -> None:
    assert "roulette_ref is no boule board" in refusal("roulette_ref", Config(cups=18))


@pytest.mark.parametrize(
    ("board", "text", "told"),
    [
        (
            "vingt_trois_ref", "[boule]\nalternate = false",
            ["[boule] alternate: vingt_trois_ref is no boule board. Leave the key out."],
        ),
        (
            "roulette_ref", "[boule]\nalternate = true\nafter_throw_s = 0.0",
            ["[boule] after_throw_s: roulette_ref is no", "[boule] alternate: roulette_ref is no"],
        ),
        (
            "boule_ref", '[rotor]\ndrive = "hand"\ntarget_rpm = 20',
            ["[rotor] drive: boule_ref has no rotor.", "[rotor] target_rpm: boule_ref has no"],
        ),
    ],
)  # fmt: skip
def test_a_key_that_means_nothing_on_the_board_is_refused(
    board: str, text: str, told: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        choose(board, parse(text))
    found = caught.value.sentences
    assert [said[: len(start)] for said, start in zip(found, told, strict=True)] == told


def test_a_dish_and_a_plate_take_their_own_keys() -> None:
    game = choose("boule_ref", parse("[boule]\ncups = 9\nafter_throw_s = 2\nalternate = true"))
    assert game.board["geometry"]["cups"] == 9
    assert choose("vingt_trois_ref", parse('[rotor]\ndrive = "hand"')).board


def test_an_establishments_own_order_replaces_ours_and_is_verified(tmp_path: Path) -> None:
    """The issue: "ours is marked UNVERIFIED [...], and an establishment's own file replaces it,
    checked and hashed"."""
    ours = choose("vingt_trois_ref", Config()).rules
    own = choose("vingt_trois_ref", Config(layout=str(own_layout(tmp_path)))).rules
    assert not ours["layout_verified"]
    assert own["layout_verified"]
    assert own["layout"] == ours["layout"][5:] + ours["layout"][:5]
    assert len(own["layout_hash"]) == 64


@pytest.mark.req("FR-47.apparatus")
def test_a_real_plate_does_not_play_on_an_order_that_nobody_verified(tmp_path: Path) -> None:
    """A wrong order is a wrong number at every coup, and no sensor can notice."""
    assert "nobody has verified the order" in refusal("vingt_trois_pi4", Config())
    assert choose("vingt_trois_pi4", Config(layout=str(own_layout(tmp_path)))).board


@pytest.mark.req("FR-47.apparatus")
def test_a_layout_with_one_case_too_many_is_refused(tmp_path: Path) -> None:
    path = own_layout(tmp_path)
    path.write_text(path.read_text().replace("numbers = [", "numbers = [7, "))
    said = refusal("vingt_trois_ref", Config(layout=str(path)))
    assert str(path) in said
    assert "28" in said
