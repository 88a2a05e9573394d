"""The shipped CallPredictor at one wheel, led through its coups as firmware.core.games leads it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from firmware.core.sense import drop_detector
from firmware.core.sense.beams import DIRECTION_VOTES, KEPT, Crossing
from firmware.core.units import TURN
from tools.bench.call.hindsight import Leg, Probe
from tools.bench.call.spins import Passing, geometry

_NEVER_US = 1 << 62


class Called(NamedTuple):
    """When the call of a coup came, in us; `blind`: only when the beams had fallen silent."""

    at_us: int
    blind: bool
    legs: list[Leg]  # for hindsight.py
    told: list[tuple[str, str]]  # to maintenance, by the coup


class Ours:
    """One wheel's call_predictor, which learns from coup to coup."""

    def __init__(
        self, beams: int, wheel: dict[str, Any] | None = None, *, learned: object = None
    ) -> None:
        """A new wheel, or one that has `learned`; `wheel`: its geometry, if it is not the reference
        wheel's.

        The call itself takes no time, as at terminals.
        """
        self._wheel = wheel or geometry(beams)
        self.predictor = Probe(self._wheel, learned, call_us=0)
        self._beams = beams

    def restarted(self) -> Ours:
        """The same wheel after a restart, which takes up what it had recorded."""
        return Ours(self._beams, self._wheel, learned=self.predictor.plain())

    def coup(self, passings: Sequence[Passing], direction: int) -> Called:
        """Plays one ball till its beams are silent, and learns from it."""
        call_predictor, beams = self.predictor, self._beams
        call_predictor.forget_coup()
        kept: list[Crossing] = []
        legs: list[Leg] = []
        called: int | None = None
        due_us = silent_us = gone_us = _NEVER_US
        beam_us = steady = 0
        for count, (known_us, crossing) in enumerate(passings):
            if called is None and min(due_us, silent_us) < known_us:
                called = min(due_us, silent_us)
            kept.append(crossing)
            if len(kept) > KEPT:
                del kept[0]
            if count < DIRECTION_VOTES:
                continue  # which way it runs is not known yet
            due = call_predictor.crossed(kept, direction)
            due_us = _NEVER_US if due is None else max(due, known_us)
            leg = call_predictor.leg(known_us)
            if leg is None:
                legs.clear()  # what was expected before has not come true
            else:
                legs.append(leg)
            travel = crossing.turned_uturn - kept[-2].turned_uturn
            steady = 0 if 2 * beams * travel > 3 * TURN else steady + 1
            beam_us = (crossing.at_us - kept[-2].at_us) * (TURN // beams) // travel
            tenths = drop_detector.SILENT_BEAMS
            if call_predictor.fast(beam_us * beams):
                tenths += drop_detector.FAST_BEAMS
            silent_us = crossing.at_us + beam_us * tenths // 10
            gone_us = (
                silent_us - beam_us * (drop_detector.SILENT_BEAMS - drop_detector.RING_BEAMS) // 10
            )
        blind = called is None and due_us > silent_us
        at_us = min(due_us, silent_us) if called is None else called
        if blind or at_us > gone_us:
            call_predictor.called_late()
        told: list[tuple[str, str]] = []
        if steady >= drop_detector.STEADY_STEPS:
            told = list(
                chain.from_iterable(
                    call_predictor.left(kept[-1].at_us + beam_us * drop_detector.ONE_BEAM // 10)
                )
            )
        return Called(at_us, blind, legs, told)
