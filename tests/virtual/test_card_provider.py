"""The card table of a virtual board: what is built in, and what the configuration names instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.core.cards import facts
from firmware.lib.errors import CONFIGURATION, NO_DEVICE
from tools import cli
from tools.virtual.card_hands import players_of
from tools.virtual.card_provider import LaidStakes
from tools.virtual.card_table import campaign_limits


def test_the_stakes_of_built_in_players_lie_there_as_a_round_opens() -> None:
    laid = LaidStakes(players_of(campaign_limits("blackjack_live"), 3), lambda: 7)
    assert laid.take_events() == []
    for number in (1, 2):
        laid.take_fact(facts.RoundStarted(5, number))
    laid.take_fact(facts.BetsClosed(6, 2, 1, 100))
    players = players_of(campaign_limits("blackjack_live"), 3)
    assert laid.take_events() == [facts.StakesLaid(7, players.stakes()) for _ in range(2)]
    assert laid.take_events() == []


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ('shoe = "/dev/none"', CONFIGURATION, "[cards] keyboard is missing"),
        ('keyboard = "/dev/none"', CONFIGURATION, "[cards] shoe is missing"),
        ('shoe = "/dev/none"\nkeyboard = "/dev/gone"', NO_DEVICE, "There is no port /dev/gone"),
    ],
)
def test_ports_that_cannot_be_are_one_sentence(
    lines: str,
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.toml").write_text(f"[cards]\n{lines}\n")
    assert cli.main(["run", "--board", "baccarat_ref", "--config", "t.toml"]) == code
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert captured.err.count("\n") == 1
