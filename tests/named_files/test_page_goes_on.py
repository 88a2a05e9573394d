"""A layout that is no file stops no question of the service page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from walking import TRAPS, trap, watched

from firmware.services.page.actions import Acts
from firmware.services.page.logins import Logins
from firmware.services.page.queries import Places
from firmware.services.page.server import Question
from tools.technician.page_providers import PROVIDERS

MORE_THAN_THREADS = 40  # asyncio has 32 at most for what waits


def _question(body: Any) -> Question:
    said = {"session": "of weber", "name": "weber", "role": "supervisor"}
    login = Logins().open(said | {"idle_s": 900, "most_s": 28800})
    return Question(cast(Any, SimpleNamespace(json=body, args={})), login)


@pytest.mark.parametrize("kind", TRAPS)
def test_a_layout_that_is_none_is_answered_and_the_other_questions_go_on(
    kind: str, tmp_path: Path
) -> None:
    path = trap(kind, tmp_path / "there")
    places = Places(tmp_path, tmp_path / "wheel.toml", tmp_path, tmp_path)
    acts = Acts(cast(Any, None), places, "roulette_ref", PROVIDERS)
    text = f'[game]\nlayout = "{path}"\n'

    async def ask() -> list[Any]:
        answers = [acts._check(_question({"text": text})) for _ in range(MORE_THAN_THREADS)]
        return await asyncio.gather(*answers, asyncio.to_thread(lambda: "went on"))

    with watched(path, kind):
        *answers, other = asyncio.run(ask())
    assert other == "went on"
    for answer in answers:
        (mistake,) = answer["mistakes"]
        assert str(path) in str(mistake)
