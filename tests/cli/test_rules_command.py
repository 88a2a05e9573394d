"""`cylindre rules`: a table that a croupier can check, and the object of contracts/commands.md."""

import json
from pathlib import Path

import pytest

import rules
from firmware.lib.errors import CONFIGURATION, OK, USAGE
from tools import cli

COLOURS = {"red", "black", "green", "yellow", "white"}


def printed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert cli.main(["rules", *options]) == OK
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize("name", rules.WHEEL_GAMES)
def test_the_object_has_what_the_contract_asks(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (line,) = printed(capsys, name, "--json").splitlines()
    told = json.loads(line)
    game = rules.load(name)
    assert told["verified"] is (name != "vingt_trois_fr")
    assert [(place["number"], place["colour"]) for place in told["layout"]] == list(
        zip(game["layout"], game["colours"], strict=True)
    )
    assert [place["compartment"] for place in told["layout"]] == list(range(len(game["layout"])))
    assert {place["colour"] for place in told["layout"]} <= COLOURS
    assert set(told["bets"]) == {bet.name for bet in game["bets"]}


@pytest.mark.parametrize(
    ("name", "bet", "pays", "multiple"),
    [
        ("roulette_lu", "plein", "35:1", 20),
        ("roulette_lu", "deux_colonnes", "1:2", 480),
        ("roulette_live", "carre", "8:1", None),
        ("boule_fr", "plein", "7:1", 40),
        ("boule_fr", "passe", "1:1", 200),
        ("vingt_trois_fr", "plein", "23:1 (1-4), 11:1 (5-11), 7:1 (12-14)", 20),
        ("vingt_trois_fr", "noir", "1:1", 100),
    ],
)
def test_a_bet_says_what_it_pays_and_its_maximum(
    capsys: pytest.CaptureFixture[str], name: str, bet: str, pays: str, multiple: int | None
) -> None:
    told = json.loads(printed(capsys, name, "--json"))["bets"][bet]
    assert (told["pays"], told["maximum_multiple"]) == (pays, multiple)


@pytest.mark.req("LU-20-2.return")
@pytest.mark.parametrize(
    ("name", "bet", "rate"),
    [
        ("roulette_lu", "plein", "36/37"),
        ("roulette_lu", "rouge", "73/74"),
        ("roulette_live", "rouge", "36/37"),
        ("boule_fr", "plein", "8/9"),
        ("vingt_trois_fr", "noir", "8/9"),
    ],
)
def test_art_20_2_a_bet_says_what_it_returns(
    capsys: pytest.CaptureFixture[str], name: str, bet: str, rate: str
) -> None:
    """« le taux de redistribution »"""
    assert json.loads(printed(capsys, name, "--json"))["bets"][bet]["returns"] == rate
    percent = f"{100 * int(rate.split('/')[0]) / int(rate.split('/')[1]):.2f} % ({rate}): "
    lines = printed(capsys, name).splitlines()
    assert any(line.startswith(f"  {percent}") for line in lines)


def test_announced_bets_say_what_they_are_composed_of(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "roulette_lu").splitlines()
    for line in (
        "  voisins du zéro of 9 pieces: 2 × transversale 0-2-3, cheval 4-7 12-15 18-21 19-22 32-35,"
        " 2 × carré 25-26-28-29",
        "  orphelins (jeu) of 5 pieces: plein 1, cheval 6-9 14-17 17-20 31-34",
        "  finale 4 of 4 pieces: plein 4 14 24 34",
    ):
        assert line in lines
    live = printed(capsys, "roulette_live").splitlines()
    assert "  voisins du zéro is refused: no transversale has the zero here (s. 1.3)" in live
    told = json.loads(printed(capsys, "roulette_live", "--json"))["announced_bets"]
    assert sum(piece["pieces"] for piece in told["tiers"]["of"]) == 6
    assert told["voisins"]["refused"] and not told["orphelins_jeu"]["refused"]
    assert "Announced bets" not in printed(capsys, "boule_fr")


def test_without_a_game_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys).splitlines()
    games = list(rules.NAMES)
    assert [line.split()[0] for line in lines] == games
    unverified = [line.split()[0] for line in lines if "UNVERIFIED" in line]
    assert unverified == ["vingt_trois_fr", "punto_2000"]
    objects = [json.loads(line) for line in printed(capsys, "--json").splitlines()]
    assert [told["rules"] for told in objects] == games


def test_a_croupier_can_check_roulette_anglaise(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "roulette_lu")
    lines = text.splitlines()
    for row in (
        "  plein           pays 35:1  maximum 20           a number, 0-36",
        "  cheval          pays 17:1  maximum 40           two neighbouring numbers;"
        " with the zero 0-1, 0-2, 0-3",
        "  deux douzaines  pays 1:2   maximum 480          24 numbers, two neighbouring dozens",
        "  passe           pays 1:1   maximum 360          19-36",
        "Number 0: the simple chances lose half (art. 37-2)",
    ):
        assert row in lines
    assert (
        "player by player, colonne and deux colonnes, passe, impair, noir, rouge, pair, manque,"
        " douzaine and deux douzaines, sixain, transversale, carré, cheval, plein (art. 37-1)"
    ) in " ".join(text.split())
    assert any(line.split("  ")[1] == "zéro, vert" for line in lines if "zéro" in line)
    assert "UNVERIFIED" not in text
    assert max(len(line) for line in lines) <= 120


def test_a_croupier_can_check_boule(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "boule_fr").splitlines()
    for row in (
        "Bets (art. 47); maxima in minima (art. 47): the lower, unless the house chose within the"
        " range",
        "  plein           pays 7:1   maximum 40 to 100    a number, 1-9",
        "  impair          pays 1:1   maximum 200 to 500   1 3 7 9",
        "  passe           pays 1:1   maximum 200 to 500   6-9",
        "  manque          pays 1:1   maximum 200 to 500   1-4",
        "Number 5: the simple chances lose whole (art. 47)",
        "  5, jaune                       5, yellow",
    ):
        assert row in lines


def test_the_order_of_the_vingt_trois_is_unverified_until_a_house_gives_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "UNVERIFIED" in printed(capsys, "vingt_trois_fr")
    game = rules.load("vingt_trois_fr")
    path = tmp_path / "cases.toml"
    path.write_text(
        'apparatus = "vingt_trois"\nsource = "Casino de Z"\n'
        f"numbers = {list(game['layout'])}\ncolours = {list(game['colours'])}\n",
        encoding="utf-8",
    )
    text = printed(capsys, "vingt_trois_fr", "--layout", str(path))
    assert "UNVERIFIED" not in text
    assert "source: Casino de Z" in text
    told = json.loads(printed(capsys, "vingt_trois_fr", "--json", "--layout", str(path)))
    assert told["verified"] is True
    assert told["layout_hash"] in text


def test_a_layout_of_another_apparatus_or_no_game_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "cups.toml"
    game = rules.load("boule_fr")
    path.write_text(
        'apparatus = "boule"\nsource = "Casino de Z"\n'
        f"numbers = {list(game['layout'])}\ncolours = {list(game['colours'])}\n",
        encoding="utf-8",
    )
    assert cli.main(["rules", "roulette_lu", "--layout", str(path)]) == CONFIGURATION
    assert capsys.readouterr() == (
        "",
        f"{path}:1: This layout is for boule, not roulette.\n",
    )
    assert cli.main(["rules", "--layout", str(path)]) == USAGE
    assert "--layout needs the GAME" in capsys.readouterr().err


def test_an_unknown_game_is_a_usage_error_with_what_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["rules", "bule_fr"]) == USAGE
    assert capsys.readouterr() == ("", 'There is no game "bule_fr"; did you mean "boule_fr"?\n')


@pytest.mark.parametrize("name", rules.CARD_GAMES)
def test_a_card_game_says_its_bets_and_all_that_a_house_may_choose(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (line,) = printed(capsys, name, "--json").splitlines()
    told, game = json.loads(line), rules.load(name)
    assert "layout" not in told
    assert told["verified"] is (name != "punto_2000")
    assert list(told["bets"]) == [bet.name for bet in game["bets"]]
    assert sorted([*told["house"], *told["fixed"]]) == sorted(key.name for key in game["house"])
    assert all(len(key["values"]) > 1 for key in told["house"].values())
    words = printed(capsys, name)
    for key in game["house"]:
        marked = f"{'*' if key.ours else ' '} {key.name} "
        assert any(row.startswith(marked) for row in words.splitlines())


def test_a_croupier_can_check_black_jack(capsys: pytest.CaptureFixture[str]) -> None:
    words = printed(capsys, "blackjack_lu")
    assert "multiples of 1000 cents (Perfect Pairs), where the house names it (art. 49-16)" in words
    assert "Maximum of a table: 50 or 100 or 200 times its minimum (art. 33)" in words
    assert "Dragon" not in words
    assert "Perfect" not in printed(capsys, "blackjack_live")
    assert "« limiter les paires aux cartes similaires »" in words
    punto = printed(capsys, "punto_2000")
    assert "30-10-6-4-2-1" in punto
    assert "UNVERIFIED" in punto.splitlines()[-1]


def test_a_card_game_has_no_layout(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules", "blackjack_lu", "--layout", "cases.toml"]) == USAGE
    assert capsys.readouterr().err.count("\n") == 1
