"""A small day of a table of seven with followers: its sums agree; one that does not is seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware.stakes import accounts
from tools import cli
from tools.hil.cards import day
from tools.hil.cards.day import Day


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("day")


@pytest.fixture(scope="module")
def played(folder: Path) -> Day:
    return day.play(folder, hours=0.2, followers=6)


def test_meters_register_closing_and_the_true_rounds_agree_to_the_cent(played: Day) -> None:
    assert played.differences == []
    assert played.rounds > 15
    assert played.void > 1
    assert played.kills > 0
    assert [line.name for line in played.lines] == [
        "desk",
        *(f"seat {seat}" for seat in range(1, 8)),
        "followers",
    ]
    assert all(line.meters.staked_cents for line in played.lines[1:])
    assert "true rounds" in played.table()


def test_the_register_of_the_day_and_the_accounts_say_the_same_as_commands(
    folder: Path, played: Day, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = str(folder / "journal.db")
    assert cli.main(["journal", "verify", journal, "--keys", str(folder / "keys")]) == 0
    capsys.readouterr()
    asked = ["--journal", journal, "--day", day.OPENS.date().isoformat(), "--totals", "--json"]
    assert cli.main(["settle", *asked]) == 0
    totals = [
        told["total"]
        for told in map(json.loads, capsys.readouterr().out.splitlines())
        if "total" in told
    ]
    table = next(each for each in totals if each["player"] is None)
    assert table["staked_cents"] == played.total.staked_cents
    assert table["returned_cents"] == played.total.won_cents == played.closing["won_cents"]
    assert cli.main(["account", "list", journal, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(each["cents"] for each in found["accounts"]) == played.balances_cents
    assert accounts.Meters(**found["total"]) == accounts.ZERO  # another day begins


def test_each_sum_that_is_a_cent_off_is_seen(played: Day) -> None:
    line = played.lines[3]
    staked, returned = line.register
    off = [
        played._replace(lines=(line._replace(register=(staked, returned + 1)),)),
        played._replace(truth=played.truth._replace(staked_cents=played.truth.staked_cents + 1)),
        played._replace(balances_cents=played.balances_cents - 1),
        played._replace(closing=played.closing | {"hold_cents": 0}),
        played._replace(verified={"intact": False}),
    ]
    assert [len(each.differences) for each in off] == [1] * len(off)


def test_the_command_plays_a_day_and_prints_its_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [str(tmp_path / "day"), "--hours", "0.05", "--followers", "3", "--seed", "4"]
    assert day.main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["in", "out", "staked"]
    assert lines[-2].startswith("in less out")
    assert "rounds in 0.1 h" in lines[-1]


def test_the_command_wants_a_folder_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert day.main([str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_day_that_cannot_be_closed_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def close(self: accounts.Accounts, day: int, who: str) -> None:
        raise accounts.Refused("a payment waits")

    monkeypatch.setattr(accounts.Accounts, "close", close)
    asked = [str(tmp_path / "day"), "--hours", "0.01", "--followers", "1"]
    assert day.main(asked) == 1
    told = capsys.readouterr().err
    assert "the day cannot be closed" in told
    assert "a payment waits" in told
