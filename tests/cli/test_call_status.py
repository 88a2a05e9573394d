"""`cylindre call status`, and what else says where the prediction of the call stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.api.server import Service
from firmware.core.call.predictor import WHYS
from firmware.core.facts import CallProgress
from firmware.lib.errors import NO_DEVICE, OK, USAGE
from firmware.text.call_status import line, sentences, unpredicted
from tools import cli


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """A running controller of that game; where its call stands, if it says so."""
    opened: list[Service] = []

    def begin(game: str, *told: Any) -> Service:
        opened.append(Service(tmp_path, number_max=36, game=game))
        for fact in told:
            opened[-1].take_fact(fact)
        return opened[-1]

    yield begin
    for service in opened:
        service.close()


def said(capsys: pytest.CaptureFixture[str], folder: Path, *options: str) -> str:
    assert cli.main(["call", "status", "--socket", str(folder), *options]) == OK
    return capsys.readouterr().out


def test_it_says_coups_lead_and_why(
    controller: Callable[..., Service], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    controller("roulette", CallProgress(0, 212, 519_600, "learned"))
    assert said(capsys, tmp_path) == (
        "212 coups learned; the call should end 0.52 s before the drop.\n"
        "The margin is what the scatter of this wheel's own drops asks for.\n"
    )
    assert said(capsys, tmp_path, "--lang", "fr") == (
        "212 coups appris ; l'annonce doit finir 0,52 s avant la chute.\n"
        "La marge est celle que demande la dispersion des chutes de ce cylindre.\n"
    )
    assert json.loads(said(capsys, tmp_path, "--json")) == {
        "game": "roulette",
        "call": {"coups": 212, "lead_us": 519_600, "why": "learned"},
    }


@pytest.mark.parametrize(("game", "name"), [("boule", "boule"), ("vingt_trois", "vingt-trois")])
def test_where_the_call_needs_no_prediction_it_says_so(
    controller: Callable[..., Service],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    game: str,
    name: str,
) -> None:
    controller(game)
    told = said(capsys, tmp_path)
    assert told.startswith(f"At {name} ")
    assert told.endswith("it needs no prediction.\n")
    assert "pas besoin de prédiction" in said(capsys, tmp_path, "--lang", "fr")
    assert json.loads(said(capsys, tmp_path, "--json")) == {"game": game, "call": None}


def test_a_controller_that_has_not_begun_is_to_be_asked_again(
    controller: Callable[..., Service], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    controller("roulette")
    assert said(capsys, tmp_path) == (
        "The controller has not begun to play yet: ask again in a moment.\n"
    )


def test_status_says_it_in_its_lines(
    controller: Callable[..., Service], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    controller("roulette", CallProgress(0, 1, 2_140_000, "learning"))
    assert cli.main(["status", "--socket", str(tmp_path)]) == OK
    told = capsys.readouterr().out
    assert "\ncall             1 coup learned, 2.1 s before the drop\n" in told
    assert cli.main(["status", "--socket", str(tmp_path), "--json"]) == OK
    call = json.loads(capsys.readouterr().out)["call"]
    assert call == {"coups": 1, "lead_us": 2_140_000, "why": "learning"}


def test_without_a_controller_it_says_how_to_start_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["call", "status", "--socket", str(tmp_path)]) == NO_DEVICE
    told = capsys.readouterr().err
    assert told == (
        f"No controller is running at {tmp_path}/cylindre.sock. Start one with cylindre run.\n"
    )


def test_a_language_that_nobody_wrote_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["call", "status", "--lang", "xx"]) == USAGE
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("why", WHYS)
@pytest.mark.parametrize(("coups", "lead_us"), [(0, None), (0, 1), (1, 2_000_000), (9_999, None)])
def test_whatever_stands_is_said_in_one_to_three_sentences(
    language: str, why: str, coups: int, lead_us: int | None
) -> None:
    told = sentences("roulette", {"coups": coups, "lead_us": lead_us, "why": why}, language)
    assert 1 <= len(told) <= 3
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in told)
    assert line(coups, lead_us, why, language).startswith("Call: " if language == "en" else "Ann")
    assert len(line(coups, lead_us, why, language)) <= 60


def test_no_two_ways_to_stand_are_said_alike() -> None:
    for language in ("en", "fr"):
        told = [
            sentences("roulette", {"coups": 3, "lead_us": 1, "why": why}, language)[-1]
            for why in WHYS
        ]
        assert len(set(told)) == len(WHYS)


def test_a_wheel_that_never_predicts_is_told_from_one_that_does() -> None:
    assert unpredicted("roulette", "en") is None
    assert unpredicted(None, "fr") is None
    assert unpredicted("other", "fr") is None
    assert unpredicted("boule", "en")
