"""Issue 27: rounds of black jack, a fresh shoe each, win in the mean what others measured."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tools.bench.cards.figures import KNOWN_PLAYS, SIGMAS, KnownPlay, deviation, table_of
from tools.bench.cards.played import play
from tools.testing.sizes import size


@pytest.mark.parametrize("known", KNOWN_PLAYS, ids=lambda known: f"{known.game} {known.decks}")
def test_a_round_wins_what_is_known(known: KnownPlay, counted: Callable[[str, int], None]) -> None:
    rounds = size("rounds of black jack")
    found = play(table_of(known.game, known.decks), rounds, "27")
    counted("rounds", found.rounds)
    assert abs(deviation(found, known)) <= SIGMAS, found
    assert found.error < 1.2 / rounds**0.5
