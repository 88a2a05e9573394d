"""Issue 27: every known figure of the card games comes out of the engine, digit for digit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest

from rules.cards.house import MARGINS
from tools.bench.cards import baccarat, side_bets
from tools.bench.cards.figures import BACCARAT, EXACT, FROM_COUNTS, Key, Known, as_printed

KNOWN = [(known, count) for rows, count in EXACT for known in rows]
ours = cache(lambda count: count())


@pytest.mark.parametrize(
    ("known", "count"), KNOWN, ids=[f"{k.what} {k.decks} {k.text}" for k, _ in KNOWN]
)
def test_ours_is_what_the_source_prints(
    known: Known, count: Callable[[], dict[Key, Fraction]]
) -> None:
    assert as_printed(ours(count)[known.key], known) == known.text


def test_the_last_digit_of_an_edge_follows_from_the_counts_of_the_sources() -> None:
    """Three were handed on with another last digit than their own counts give."""
    counts = {
        (each.what, each.decks): int(each.text.replace(" ", ""))
        for each in BACCARAT
        if each.text.replace(" ", "").isdigit()
    }

    def printed(edge: Fraction, what: str, decks: int) -> None:
        (known,) = [k for k in BACCARAT if k.key == (what, decks) and k.source == FROM_COUNTS]
        assert as_printed(edge, known) == known.text

    won = counts["player wins", 6] - counts["banker wins", 6]
    printed(Fraction(-won, counts["draws of six cards", 6]), "baccarat_live player", 6)
    draws = counts["draws of six cards", 8]
    tie = counts["natural tie", 8]
    for side, odds, what in (
        ("player", (30, 10, 6, 4, 2, 1), "punto_2000 dragon_player"),
        ("banker", (30, 10, 4, 4, 2, 2), "dragon_banker at 30-10-4-4-2-2"),
    ):
        by = [counts[f"{side} wins by {margin}", 8] for margin in MARGINS]
        naturals = counts[f"natural {side}", 8]
        won = naturals + sum(n * count for n, count in zip(odds, by, strict=True))
        printed(Fraction(draws - tie - naturals - sum(by) - won, draws), what, 8)


# --- each pattern is dealt, and weighed ----------------------------------------------------------
def test_every_draw_of_six_cards_begins_with_one_pattern_alone() -> None:
    for decks in (6, 8):
        draws = 1
        for gone in range(6):
            draws *= 52 * decks - gone
        assert baccarat.counted(decks).draws == draws


def test_a_pattern_has_so_many_ways() -> None:
    decks = 6
    left = 312 - 4
    # Ten, ten, nine, nine: 96, 95, 24, 23, and whatever two cards follow.
    assert baccarat.ways((10, 9, 10, 9), decks) == 96 * 24 * 95 * 23 * left * (left - 1)


def test_pairs_weigh_as_many_as_two_cards_can_come() -> None:
    assert sum(weight for _, _, weight in side_bets.pairs(6)) == 312 * 311
