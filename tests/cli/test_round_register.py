"""`cylindre settle --journal FILE --day DAY` of a card table: the register of a gaming day."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path

import own_rounds
import pytest
import round_bench

from firmware.core.cards import facts
from firmware.lib.errors import FAILED, OK
from firmware.stakes import card_kinds
from firmware.store.clock import Reading
from tools import cli

DAY = datetime.date(2026, 10, 1)
Settle = Callable[..., list[str]]


@pytest.fixture
def settle(capsys: pytest.CaptureFixture[str]) -> Settle:
    def called(path: Path, *options: str) -> list[str]:
        exit_code = cli.main(["settle", "--journal", str(path), *options])
        shown = capsys.readouterr()
        assert exit_code == OK, shown.err
        return shown.out.splitlines()

    return called


def written(path: Path, place: round_bench.CardPlace, times: dict[str, str] | None = None) -> Path:
    """The journal of a place; `times`: of day, from the first row of a kind on."""
    now = [at("20:00")]
    due = dict(times or {})
    journal = own_rounds.opened(path, place.limits.rules["name"], clock=lambda: now[0])
    for kind, body in place.rows:
        if kind in due:
            now[0] = at(due.pop(kind))
        journal.write(kind, body)
    journal.close()
    return path


def at(time: str) -> Reading:
    """A moment of local time; what is before 6 in the morning, of the night after DAY."""
    hour = datetime.time.fromisoformat(time)
    day = DAY + datetime.timedelta(days=hour.hour < 6)
    return Reading(int(datetime.datetime.combine(day, hour).timestamp()), True)


def test_a_round_that_is_open_is_not_paid_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = own_rounds.baccarat()
    begun = max(n for n, (kind, _) in enumerate(place.rows) if kind == card_kinds.STAKES)
    del place.rows[begun + 1 :]
    path = written(tmp_path / "journal.db", place)
    assert cli.main(["settle", "--journal", str(path), "--coup", "3"]) == FAILED
    assert capsys.readouterr().err == f"{path}: round 3 has not ended: nothing is paid yet.\n"


def test_the_day_has_each_round_its_payments_and_its_totals(tmp_path: Path, settle: Settle) -> None:
    path = written(tmp_path / "journal.db", own_rounds.baccarat())
    assert settle(path, "--day", "2026-10-01") == [
        "round 1: joueur: 5♠ 6♦ 8♥ = 9",
        "banquier: 2♥ 10♣ 4♠ = 6",
        "joueur",
        "p: joueur, 10.00 wins 10.00, returned 20.00",
        "p in all: staked 10.00, lost 0.00, won 10.00, returned 20.00",
        "table in all: staked 10.00, lost 0.00, won 10.00, returned 20.00",
        "round 2: coup nul : les mises sont rendues",
        "p: joueur, 10.00 neither wins nor loses, returned 10.00",
        "p in all: staked 10.00, lost 0.00, won 0.00, returned 10.00",
        "table in all: staked 10.00, lost 0.00, won 0.00, returned 10.00",
        "round 3: joueur: 9♠ R♦ = 9",
        "banquier: 4♣ 5♥ = 9",
        "égalité",
        "p: joueur, 10.00 neither wins nor loses, returned 10.00",
        "p in all: staked 10.00, lost 0.00, won 0.00, returned 10.00",
        "table in all: staked 10.00, lost 0.00, won 0.00, returned 10.00",
        "2026-10-01, rounds with stakes: 3",
        "p in all: staked 20.00, lost 0.00, won 10.00, returned 30.00",
        "table in all: staked 20.00, lost 0.00, won 10.00, returned 30.00",
    ]


def test_as_json_each_round_is_its_answer_and_a_void_is_in_no_total(
    tmp_path: Path, settle: Settle
) -> None:
    path = written(tmp_path / "journal.db", own_rounds.baccarat())
    options = ("--day", "2026-10-01", "--json", "--totals")
    lines = [json.loads(line) for line in settle(path, *options)]
    assert [line.get("round") for line in lines[:3]] == [1, 2, 3]
    for line in lines[:3]:
        answer = json.loads(settle(path, "--coup", str(line["round"]), "--json")[0])
        assert line == {"round": line["round"]} | answer
    assert lines[1]["outcome"] is None
    assert lines[1]["reason"] == "croupier"
    assert lines[3] == {"day": "2026-10-01", "rounds": 3}
    totals = [line["total"] for line in lines[4:]]
    assert [total["player"] for total in totals] == ["p", None]
    assert totals[-1]["staked_cents"] == 2_000
    assert settle(path, *options, "--lang", "fr") == settle(path, *options)


@pytest.mark.parametrize("game", round_bench.ROUNDS)
def test_the_payments_of_each_game_are_those_that_were_told(
    game: str, tmp_path: Path, settle: Settle
) -> None:
    place = round_bench.ROUNDS[game]()
    path = written(tmp_path / "journal.db", place)
    last = place.last((facts.RoundResult, facts.RoundCorrection))
    answer = json.loads(settle(path, "--day", "2026-10-01", "--json")[0])
    assert answer["payments"] == [payment._asdict() for payment in last.payments]
    assert ("differences" in answer) == (game == "baccarat_live")


def test_a_round_belongs_to_the_day_of_its_call(
    tmp_path: Path, settle: Settle, capsys: pytest.CaptureFixture[str]
) -> None:
    night = written(
        tmp_path / "night.db", round_bench.punto_2000(), {"card_stakes": "05:59", "card": "06:01"}
    )
    assert json.loads(settle(night, "--day", "2026-10-01", "--json")[0])["round"] == 1
    path = written(tmp_path / "next.db", round_bench.punto_2000())
    assert cli.main(["settle", "--journal", str(path), "--day", "2026-10-02"]) == FAILED
    assert "no stakes were sealed on 2026-10-02." in capsys.readouterr().err


def test_a_round_that_is_played_is_named_and_one_without_stakes_is_not(
    tmp_path: Path, settle: Settle
) -> None:
    place = round_bench.CardPlace("blackjack_lu")
    place.open()
    place.key(facts.KEY_VOID)  # before the call
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.call()
    place.card("KS")
    path = written(tmp_path / "journal.db", place)
    assert settle(path, "--day", "2026-10-01")[:2] == [
        "round 2 has not ended: nothing is paid yet",
        "2026-10-01, rounds with stakes: 0",
    ]
    assert [json.loads(line) for line in settle(path, "--day", "2026-10-01", "--json")] == [
        {"round": 2, "payments": None},
        {"day": "2026-10-01", "rounds": 0},
    ]


def test_a_round_whose_rows_are_not_those_that_were_sealed_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = round_bench.punto_2000()
    for kind, body in place.rows:
        if kind == "card_stakes":
            body["stakes"][0]["cents"] += 20
    path = written(tmp_path / "journal.db", place)
    assert cli.main(["settle", "--journal", str(path), "--day", "2026-10-01"]) == FAILED
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert "The stakes of the round are not those that were sealed at the call." in shown.err
