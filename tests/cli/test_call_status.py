"""`cylindre call status`, and what else says where the prediction of the call stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import own_journal
import pytest

from firmware.api.server import Service
from firmware.core.call.predictor import WHYS
from firmware.core.facts import CallProgress
from firmware.lib.errors import FAILED, NO_DEVICE, OK, USAGE
from firmware.lib.places import JOURNAL
from firmware.text.call_status import (
    brief,
    measured,
    measured_sentences,
    sentences,
    unpredicted,
)
from firmware.text.journal_coup import Lead
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


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Three coups, recorded beside the sockets."""
    path = tmp_path / JOURNAL
    store = own_journal.opened(path)
    own_journal.add_coups(store, 1, 4)
    store.close()
    return path


def test_it_says_coups_why_and_what_the_last_calls_reached(
    controller: Callable[..., Service],
    journal: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    controller("roulette", CallProgress(0, 212, 2_900_000, "learned"))
    assert said(capsys, tmp_path) == (
        "212 coups learned.\n"
        "The margin is what the scatter of this wheel's own drops asks for.\n"
        "Measured in the last 3 calls: a beam still saw the ball in the track 0.10 s after the call"
        " began at least (coup 1), 0.10 s in the median (coup 2).\n"
        "The drop was known 0.25 s after the call began at least (coup 1), 0.25 s in the median"
        " (coup 2), in 3 calls.\n"
    )
    assert said(capsys, tmp_path, "--lang", "fr") == (
        "212 coups appris.\n"
        "La marge est celle que demande la dispersion des chutes de ce cylindre.\n"
        "Mesuré aux 3 dernières annonces : un faisceau voyait encore la bille dans la piste 0,10 s"
        " après le début de l'annonce au moins (coup 1), 0,10 s en médiane (coup 2).\n"
        "La chute était établie 0,25 s après le début de l'annonce au moins (coup 1), 0,25 s en"
        " médiane (coup 2), sur 3 annonces.\n"
    )
    track, drop = (
        {
            "calls": 3,
            "least_us": least_us,
            "least_coup": 1,
            "median_us": least_us + 1000,
            "median_coup": 2,
        }
        for least_us in (101_000, 251_000)
    )
    assert json.loads(said(capsys, tmp_path, "--json")) == {
        "game": "roulette",
        "call": {"coups": 212, "lead_us": 2_900_000, "why": "learned"},
        "measured": {"track": track, "drop": drop},
    }


def test_without_a_journal_it_says_what_was_learned_and_where_none_is(
    controller: Callable[..., Service], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    controller("roulette", CallProgress(0, 212, 519_600, "learned"))
    told = said(capsys, tmp_path).splitlines()
    assert told[0] == "212 coups learned."
    assert str(tmp_path / JOURNAL) in told[2]
    assert json.loads(said(capsys, tmp_path, "--json"))["measured"] is None
    asked = ["call", "status", "--socket", str(tmp_path), "--journal", str(tmp_path / "none.db")]
    assert cli.main(asked) == FAILED


@pytest.mark.parametrize("language", ["en", "fr"])
def test_late_calls_and_calls_of_old_journals_are_told_as_they_were(language: str) -> None:
    late = measured([Lead(7, -30_000, 20_000), Lead(8, 400_000, 800_000)])
    told = measured_sentences(late, language)
    assert len(told) == 2
    assert "-0.03" in told[0].replace(",", ".")
    assert "7" in told[0]
    old = measured([Lead(7, None, 500_000)])
    assert old["track"] is None
    assert len(measured_sentences(old, language)) == 1
    none = measured_sentences(measured([]), language)
    assert none == ["No call was measured yet." if language == "en" else none[0]]


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
    assert json.loads(said(capsys, tmp_path, "--json")) == {
        "game": game,
        "call": None,
        "measured": None,
    }


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
    assert "The call of rien ne va plus: 1 coup learned." in told
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
    for text in (*told, brief(coups, lead_us, why, language)):
        assert "drop" not in text.replace("drops", "")  # how long before it a call came is measured
        assert "avant la chute" not in text
    assert len(brief(coups, lead_us, why, language)) <= 60


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
