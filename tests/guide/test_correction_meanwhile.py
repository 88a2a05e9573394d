"""A correction whose PINs are being hashed as the next round begins."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest

from firmware.services.guide import keys
from firmware.services.guide.croupier_screen import CroupierScreen
from firmware.services.guide.follower import Follower


@pytest.mark.parametrize(
    ("begins", "cards"), [(False, {1: "2S", 2: "3S"}), (True, {})], ids=["same round", "next round"]
)
def test_its_cards_are_of_no_round_that_began_meanwhile(begins: bool, cards: Any) -> None:
    follower: Any = Follower(Path(), lambda: 0, lambda *_: None)
    screen = follower._screen = CroupierScreen("blackjack", itertools.count(1))
    screen.guide, screen.cards = {"code": "next"}, {1: "AS"}
    screen.ended = [{"event": "round_result", "round": 7}]

    class Pins:
        async def ask(self, _: Any) -> None:
            if begins:
                screen.take_event({"event": "round_started", "round": 8})

    follower._pins = Pins()
    given = {"cards": ["2S", "3S"], "decisions": None, "why": "film"}
    given |= {"croupier": {}, "management": {}}
    asyncio.run(follower.ask(keys.CORRECT, screen.n, given))
    assert screen.cards == cards
