"""A wheel has no memory for cards: their engine and machine are imported at a card table alone."""

from __future__ import annotations

import subprocess
import sys

OF_CARDS = (
    "firmware.config.card_game",
    "firmware.core.cards.facts",
    "firmware.core.cards.table",
    "firmware.run.card_play",
    "firmware.stakes.card_round",
    "rules.cards.blackjack",
    "rules.cards.round",
    "rules.cards.stakes",
)


def imported(*arguments: str) -> set[str]:
    """All modules of a process that has run this line of the program."""
    code = f"import sys; from tools import cli; cli.main({list(arguments)}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split("\n")[-2].split())


def test_a_wheel_that_plays_imports_nothing_of_a_round_of_cards(tmp_path: object) -> None:
    wheel = ("--board", "boule_ref", "--seed", "3", "--coups", "1", "--pace", "50")
    paths = (
        arg for name in ("keys", "journal", "socket") for arg in (f"--{name}", f"{tmp_path}/{name}")
    )
    there = imported("run", *wheel, *paths)
    assert "firmware.core.controller" in there
    assert "firmware.api.server" in there
    assert there.isdisjoint(OF_CARDS), there & set(OF_CARDS)


def test_and_a_card_table_does_not_without() -> None:
    there = imported("sim", "--board", "baccarat_ref", "--coups", "1")
    assert set(OF_CARDS) <= there
