"""`cylindre explain`: why the call of a coup came when it did, in a few lines of two languages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from journal_bench import Recorder, write

from firmware.core.coup import evidence
from firmware.lib.errors import FAILED, NO_DEVICE, OK, USAGE, Failure
from firmware.lib.language import translated
from firmware.text import call_text
from firmware.text.journal_coup import find, of_its_kind
from firmware.text.journal_text import explained
from tools import cli

# As the core keeps it of a call by prediction; the older of its journals have less.
CALL = {
    "why": "predicted",
    "at_us": 10_730_400,
    "call_us": 0,
    "learned": 212,
    "late_ppb": 1_000,
    "lap_us": 1_700_000,
    "guard_lap_us": 1_812_345,
    "speed_uturn_s": 580_000,
    "slowing_uturn_s2": 41_234,
    "call_speed_uturn_s": 531_000,
    "drop_speed_uturn_s": 510_000,
    "drop_us": 11_250_400,
    "spread_ppm": 10_400,
    "doubt_ppm": 3_100,
    "care": None,
    "turns_uturn": 9_333_333,
}
OLD = ("late_ppb", "spread_ppm", "doubt_ppm", "care")
DROP = {"at_us": 11_980_000, "by": "silence"}
ENGLISH = """\
Coup 1: rien ne va plus 10.73 s after the coup began; the ball's speed was predicted to fall to \
that of the call.
The ball had made 9.3 turns; its last lap took 1.70 s, then it ran 0.580 turns/s and slowed by \
0.041 turns/s each second.
212 coups had taught that it leaves at 0.510 turns/s (give or take 1.0 %; this ball's speed was \
known to 0.3 %); with a margin of 0.021 the call is due at 0.531 turns/s, so that less than one \
call in 1 000 000 comes after the drop.
It was expected to leave at 11.25 s, 0.52 s after the call.
The threshold stood by at a lap of 1.81 s.
The ball was known to have left the track 1.25 s after the call; the beams no longer saw it.
"""
FRENCH = """\
Coup 1 : rien ne va plus 10,73 s après le début du coup ; la vitesse de la bille devait, selon la \
prédiction, tomber alors à celle de l'annonce.
La bille avait fait 9,3 tours ; son dernier tour de piste a pris 1,70 s, elle roulait alors à \
0,580 tours/s et perdait 0,041 tours/s par seconde.
212 coups ont montré qu'elle quitte la piste à 0,510 tours/s (à 1,0 % près ; la vitesse de \
cette bille était connue à 0,3 %) ; avec une marge de 0,021, l'annonce est due à 0,531 tours/s, \
pour que moins d'une annonce sur 1 000 000 vienne après la chute.
La chute de la bille était attendue à 11,25 s, 0,52 s après l'annonce.
Le seuil veillait, à un tour de piste de 1,81 s.
On a su que la bille avait quitté la piste 1,25 s après l'annonce ; les faisceaux ne la voyaient \
plus.
"""
# Another call, and what is said of it in both languages.
# fmt: off
REASONS = [
    ({"care": "strange"},
     "; but this ball moved unlike those, so the call is due at a cautious 0.531 turns/s.",
     " ; mais cette bille ne roulait pas comme celles-là : l'annonce est due à 0,531 tours/s,"
     " par prudence."),
    ({"care": "new", "learned": 1},
     "1 coup had taught that it leaves at 0.510 turns/s (give or take 1.0 %; this ball's speed"
     " was known to 0.3 %); but that is too little this way round",
     "1 coup a montré qu'elle quitte la piste"),
    ({"why": "threshold"},
     "The threshold stands at a lap of 1.81 s: it spoke before the prediction.",
     "Le seuil est à un tour de piste de 1,81 s : il a parlé avant la prédiction."),
    ({"call_us": 1_000_000},
     "after the drop. The call itself takes 1.00 s, so it began that much before.",
     "après la chute. L'annonce elle-même dure 1,00 s : elle a commencé d'autant plus tôt."),
    ({"drop_us": 10_000_000},
     "By then it was expected to have left already, at 10.00 s.",
     "La chute de la bille était alors déjà attendue, à 10,00 s."),
    ({"late_ppb": 100_000}, "less than one call in 10 000 ", "moins d'une annonce sur 10 000 "),
    ({"why": "silence"},
     "the beams no longer saw the ball, which might have left the track.",
     "les faisceaux ne voyaient plus la bille, qui pouvait avoir quitté la piste."),
]
# fmt: on


def journal(folder: Path, call: Any = None, board: str = "roulette_ref") -> Path:
    """The journal of one coup that was played; of its evidence so much is as told."""
    recorder = Recorder(board)
    recorder.play()
    kept = next(body for kind, body in recorder.records if kind == "evidence")
    if call is not None:
        kept |= {"call": call, "drop": DROP}
    return write(folder, recorder)


def ended(folder: Path, evidence_body: Any, *more: Any) -> Path:
    """The journal of a coup that ended with a void, and whatever came after it."""
    recorder = Recorder("roulette_ref")
    end = {"coup": 1, "seq": 1, "reason": "croupier", "rotor": 0, "ball": 0}
    recorder.records.append(("begun", {"coup": 1}))
    if evidence_body is not None:
        recorder.records.append(("evidence", {"coup": 1, "seq": 1, **evidence_body}))
    recorder.records += [("void", end), *more]
    return write(folder, recorder)


def explain(
    capsys: pytest.CaptureFixture[str], path: Path, *options: str, coup: int = 1, code: int = OK
) -> str:
    assert cli.main(["explain", str(coup), "--journal", str(path), *options]) == code
    told = capsys.readouterr()
    assert (told.err == "") == (code == OK)
    return told.out if code == OK else told.err


@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("fr", FRENCH)])
def test_a_call_by_prediction_is_explained_in_six_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, text: str
) -> None:
    assert explain(capsys, journal(tmp_path, CALL), "--lang", language) == text


def test_journal_show_says_the_same_of_the_call(tmp_path: Path) -> None:
    told = "\n".join(explained(find(journal(tmp_path, CALL), 1)))
    for reason in call_text.reasons(CALL):
        assert f"\n  {reason}\n" in told


@pytest.mark.parametrize("language", ["en", "fr"])
def test_journals_of_before_are_told_with_what_they_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    old = {key: value for key, value in CALL.items() if key not in OLD}
    told = explain(capsys, journal(tmp_path, old), "--lang", language).splitlines()
    assert len(told) == 6
    assert "%" not in told[2]
    assert "1 000 000" not in told[2]


@pytest.mark.parametrize(("change", "english", "french"), REASONS)
def test_each_reason_is_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Any,
    english: str,
    french: str,
) -> None:
    path = journal(tmp_path, CALL | change)
    for language, text in (("en", english), ("fr", french)):
        told = explain(capsys, path, "--lang", language)
        assert text in told
        assert 3 <= len(told.splitlines()) <= 6


@pytest.mark.parametrize(
    ("learned", "english", "french"),
    [
        (0, "Nothing was learned yet: the call", "Rien n'était encore appris : l'annonce"),
        (9, "learned yet of balls that run this way", "des billes lancées dans ce sens"),
    ],
)
def test_a_wheel_that_has_learned_nothing_calls_cautiously(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], learned: int, english: str, french: str
) -> None:
    without = ("drop_speed_uturn_s", "drop_us", "spread_ppm")
    call = {key: value for key, value in CALL.items() if key not in without}
    path = journal(tmp_path, call | {"learned": learned, "care": "new"})
    assert english in explain(capsys, path)
    assert french in explain(capsys, path, "--lang", "fr")


def test_times_count_from_where_a_spoken_call_began(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = journal(tmp_path, CALL | {"call_us": 1_000_000})
    told = explain(capsys, path)
    assert "0.52 s after the call began." in told
    assert "left the track 1.25 s after the call began; the beams" in told
    french = explain(capsys, path, "--lang", "fr")
    assert french.count(" s après le début de l'annonce") == 2
    assert "after the call began; the beams" in "\n".join(explained(find(path, 1)))


@pytest.mark.parametrize("learned", [None, 0])
def test_coups_that_nobody_counted_are_not_counted_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], learned: Any
) -> None:
    path = journal(tmp_path, CALL | {"learned": learned})
    assert "\nEarlier coups had taught that it leaves" in explain(capsys, path)
    assert "\nDes coups passés ont montré qu'elle quitte" in explain(capsys, path, "--lang", "fr")


def test_evidence_beyond_all_numbers_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure) as refused, of_its_kind(tmp_path):
        list(call_text.reasons(CALL | {"speed_uturn_s": 10**400}))
    assert refused.value.sentence.count("\n") == 0


@pytest.mark.parametrize(
    ("board", "english", "french"),
    [
        ("vingt_trois_ref", "the croupier pressed the button", "le croupier a appuyé"),
        ("boule_ref", "the ball was thrown", "la bille a été lancée"),
    ],
)
def test_where_nothing_is_predicted_press_or_throw_is_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], board: str, english: str, french: str
) -> None:
    path = journal(tmp_path, board=board)
    told = explain(capsys, path)
    assert english in told
    assert "it needs no prediction." in told
    assert french in explain(capsys, path, "--lang", "fr")


def test_a_real_coup_of_roulette_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = explain(capsys, journal(tmp_path)).splitlines()
    assert 3 <= len(told) <= 6
    assert told[0].startswith("Coup 1: rien ne va plus ")
    assert told[-1].startswith("The ball was known to have left the track ")


def test_a_coup_without_a_call_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = ended(tmp_path, {"at_us": 3_000_000})
    assert explain(capsys, path) == "Coup 1 was void before any call.\n"
    assert explain(capsys, path, "--lang", "fr") == "Coup 1 : coup nul avant toute annonce.\n"


@pytest.mark.parametrize(
    ("body", "coup", "sentence"),
    [
        (None, 1, "nothing was kept that explains the call of coup 1."),
        ({}, 1, "a restart of the controller interrupted coup 1: its call is not known."),
        ({"at_us": 1}, 2, "coup 2 has not ended; the last that has ended is 1."),
    ],
)
def test_what_is_not_told_fails_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: Any, coup: int, sentence: str
) -> None:
    path = ended(tmp_path, body, ("begun", {"coup": 2}))
    assert explain(capsys, path, coup=coup, code=FAILED) == f"{path}: {sentence}\n"


def test_a_coup_that_never_was_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder = Recorder("roulette_ref")
    end = {"coup": 5, "seq": 1, "reason": "croupier", "rotor": 0, "ball": 0}
    recorder.records += [("evidence", {"coup": 5, "seq": 1}), ("void", end)]
    path = write(tmp_path, recorder)
    assert "there is no coup 3." in explain(capsys, path, coup=3, code=FAILED)


@pytest.mark.parametrize(
    "call", ["late", {"why": "predicted"}, CALL | {"lap_us": "long"}, CALL | {"late_ppb": "x"}]
)
def test_a_call_of_another_shape_is_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], call: Any
) -> None:
    told = explain(capsys, journal(tmp_path, call), code=FAILED)
    assert "not as a wheel writes it" in told


def test_json_has_what_the_call_went_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(explain(capsys, journal(tmp_path, CALL), "--json", "--lang", "fr"))
    assert (told["coup"], told["call"], told["drop"]) == (1, CALL, DROP)
    assert "\n".join(told["lines"]) + "\n" == FRENCH


def test_the_journal_of_the_only_wheel_is_found_and_several_wheels_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["explain", "1"]) == NO_DEVICE
    assert capsys.readouterr().err.startswith("No wheel is here.")
    folder = tmp_path / "var" / "roulette_ref"
    folder.mkdir(parents=True)
    journal(folder, CALL)
    assert cli.main(["explain", "1"]) == OK
    assert capsys.readouterr().out == ENGLISH
    shutil.copytree(folder, tmp_path / "var" / "pi4")
    assert cli.main(["explain", "1"]) == USAGE
    said = capsys.readouterr().err
    assert "Several wheels are here: var/pi4, var/roulette_ref. Say with --socket which" in said


def test_both_languages_have_words_for_all_that_is_recorded() -> None:
    for named in (evidence.CALLS, evidence.DROPS):
        for text in dict(named).values():
            assert translated(text, "fr") != text
