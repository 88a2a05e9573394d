"""`cylindre status` and `watch`: sentences for who stands at the table, its name before all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.api.server import Service
from firmware.config.this_wheel import Started, leave
from firmware.core import facts, faults
from firmware.core.cards import states as card_states
from firmware.core.coup import states
from firmware.core.facts import CCW, CW, View, fact_line
from firmware.lib import language
from firmware.lib.errors import OK
from firmware.lib.language import translated
from firmware.text.event_text import sentence_of
from firmware.text.status_text import sentences
from tools import cli

STATUS: dict[str, Any] = {
    "state": states.NO_MORE_BETS, "coup": 12, "seq": 11, "rotor": "cw", "reason": None,
    "last_number": 17, "last_coup": 11, "game": "roulette", "open": True, "number": None,
    "result_age_ms": None, "ball": "ccw", "faults": ["B11"], "rotor_rpm": 19.8, "loop_age_ms": 3,
    "employees": ["anna"], "call": {"coups": 3, "lead_us": 200_000, "why": "learning"},
    "displays": 2, "displays_heard": 1, "displays_later": [], "clients": 1, "clients_dropped": 0,
}  # fmt: skip
AT = 3_000_000
FACTS = [
    (facts.CoupStarted(AT, 7, CW), "coup 7, the bets are open."),
    (facts.RotorMoving(AT, 7, CCW), "coup 7, the rotor turns counter-clockwise."),
    (facts.BallInTrack(AT, 7, CW), "coup 7, the ball runs in the track, clockwise."),
    (facts.NoMoreBets(AT, 7), "coup 7, rien ne va plus."),
    (facts.BallDropped(AT, 7), "coup 7, the ball has left the track."),
    (facts.Detected(AT, 7, 17, 8), "coup 7, a number is detected, and not official yet."),
    (facts.Result(AT, 7, 5, 17, 8, "black", True, True), "coup 7, the number is 17, black."),
    (
        facts.Result(AT, 7, 5, 17, 8, "black", False, True),
        "coup 7, the number is 17, black, entered by hand.",
    ),
    (facts.Void(AT, 7, 5, "too_few_turns"), "coup 7, the coup is void: too few turns."),
    (
        facts.Correction(AT, 7, 6, 5, 18, 9, "red", None),
        "coup 7, it is corrected, the number is 18, red.",
    ),
    (
        facts.Correction(AT, 7, 6, 5, None, None, None, "two_balls"),
        "coup 7, it is corrected, the coup is void: two balls.",
    ),
    (
        facts.Fault(AT, "B11", faults.sentence("B11", "1")),
        "fault B11: Display 1 does not answer. Check its supply, its cable, its address and its"
        " key.",
    ),
    (
        facts.FaultEnded(AT, "B11", "1", "B11: Display 1 answers again."),
        "fault B11 has ended: Display 1 answers again.",
    ),
]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A wheel that runs here, and is called table-3."""
    monkeypatch.chdir(tmp_path)
    folder = Path("var/roulette_ref")
    service = Service(folder, number_max=36, game="roulette")
    files = (folder / "journal.db", folder / "keys", folder / "people.jsonl", None)
    leave(Started("roulette_ref", "table-3", None, *files), folder)
    service.show_view(View(states.BETS_OPEN, 7, 5, CW, None, None, None))
    yield service
    service.close()


def test_status_begins_with_the_tables_name_and_json_is_what_it_was(
    table: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["status"]) == OK
    assert capsys.readouterr().out.startswith("table-3: coup 7, the bets are open.\n")
    assert cli.main(["--lang", "fr", "status"]) == OK
    assert capsys.readouterr().out.startswith("table-3 : coup 7, les mises sont ouvertes.\n")
    assert cli.main(["status", "--json"]) == OK
    told = json.loads(capsys.readouterr().out)
    assert (told["state"], told["coup"], told["rotor"]) == ("BETS_OPEN", 7, "cw")
    assert "table-3" not in json.dumps(told)


def test_how_a_table_stands_is_sentences() -> None:
    assert [*sentences("table-3", STATUS)] == [
        "table-3: coup 12, rien ne va plus.",
        "The rotor turns clockwise, 19.8 times a minute.",
        "The last number was 17, of coup 11.",
        "At the table: anna.",
        "1 of 2 displays answer.",
        "Fault B11: Display … does not answer. Check its supply, its cable, its address and its"
        " key.",
        "The call of rien ne va plus: 3 coups learned.",
    ]


def test_how_fast_the_rotor_turns_is_a_french_number_in_french(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(language, "_chosen", language.FRENCH)
    said = [translated(sentence) for sentence in sentences("table-3", STATUS)]
    assert said[1] == (
        "Le cylindre tourne dans le sens des aiguilles d'une montre, à 19,8 tours par minute."
    )


@pytest.mark.parametrize("kind", faults.FAULTS, ids=[kind.code for kind in faults.FAULTS])
def test_a_fault_that_comes_with_its_code_is_french_in_french(kind: faults.FaultKind) -> None:
    said = translated(faults.sentence(kind.code, "rim 1."), "fr")
    assert said.startswith(f"{kind.code} : ")
    assert kind.remedy not in said and kind.text.split("{}")[0].strip() not in said


@pytest.mark.parametrize("state", [None, *sorted({state for state, _ in states.TRANSITIONS})])
def test_every_state_is_a_sentence_in_both_languages(state: str | None) -> None:
    status = STATUS | {"state": state, "number": 17, "reason": "too_few_turns", "call": None}
    for sentence in sentences("table-3", status):
        french = translated(sentence, "fr")
        assert sentence.endswith(".") and french.endswith(".")
        assert french != sentence
        assert "{" not in sentence and "_" not in sentence


@pytest.mark.parametrize("state", sorted({state for state, _ in card_states.TRANSITIONS}))
def test_every_state_of_a_card_table_is_a_sentence_in_both_languages(state: str) -> None:
    status = STATUS | {"state": state, "reason": "hole_card_unreadable", "game": "blackjack"}
    first = next(sentences("table-3", status))
    french = translated(first, "fr")
    assert first.startswith("table-3: round 12, ") and french.startswith("table-3 : coup 12, ")
    assert french != first and state not in first
    assert "{" not in first + french and "_" not in first + french


@pytest.mark.parametrize(("fact", "says"), FACTS)
def test_what_happens_is_a_sentence_that_begins_with_the_tables_name(fact: Any, says: str) -> None:
    pairs = fact_line(fact)
    assert pairs is not None
    said = sentence_of("table-3", dict(pairs))
    assert said == f"table-3: {says}"
    french = translated(said, "fr")
    assert french.startswith("table-3 : ")
    for english in (" the ", " is ", "clockwise", "black", "Check"):
        assert english not in french
