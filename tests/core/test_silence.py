"""How long the beams may be silent before the ball has left the track."""

from __future__ import annotations

import pytest

from firmware.core.sense.beams import Crossing
from firmware.core.sense.drop_detector import FAST_BEAMS, RING_BEAMS, SILENT_BEAMS, DropDetector

BEAM_US = 500_000


class Followed:
    """A track of three beams, of which some have never seen the ball."""

    def __init__(self, *counts: int) -> None:
        self.counts = counts
        self.crossings = [Crossing(0, 0, 0), Crossing(BEAM_US, 1, 333_333)]

    def beam_us(self) -> int:
        return BEAM_US


@pytest.mark.parametrize("blind", [0, 1])
@pytest.mark.parametrize("is_fast", [False, True])
def test_each_blind_beam_is_waited_for_as_long_as_the_ball_takes_to_the_next(
    blind: int, is_fast: bool
) -> None:
    detector = DropDetector()
    silent_us = detector.crossed(Followed(4, 4, 4 - 4 * blind), is_fast=lambda lap_us: is_fast)
    more = 10 * blind + FAST_BEAMS * is_fast  # tenths of a beam
    assert silent_us == BEAM_US + BEAM_US * (SILENT_BEAMS + more) // 10
    assert detector.gone_us == BEAM_US + BEAM_US * (RING_BEAMS + more) // 10
