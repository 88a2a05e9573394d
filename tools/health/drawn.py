"""Wheels that exist in numbers alone, many at once, drawn from a seed.

A sound wheel's compartments come evenly whatever else it does: KINDS are what a watch must not
take for a bias. A bias is added to it: numbers that come more often, drops that lean.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt
from typing import Any

import numpy as np

from firmware.core.facts import CCW, CW
from firmware.core.health import facts
from firmware.core.health.budget import YEAR_COUPS
from firmware.core.health.facts import Wheel
from tools.health.wheels import Coups

WHEEL = Wheel(37, (0.0, 120.0, 240.0), 3, YEAR_COUPS, True)
KINDS = (
    "even throws",  # launched alike, so that drops bunch: as foretold
    "lost coups",  # some have no number, whatever it would have been
    "new balls",  # each with an act
    "peaked scatter",  # from launch to number, within the tolerance
    "tolerances",  # of each compartment .4 %
    "pauses",  # after which rotor and hand go on otherwise
    "acts",  # of service, 20 a year
)
MIXED = "all of these"
LEAST, MOST = 35.0, 80.0  # deg: how far a drop may be from where it was foretold (sd)
_STEP_DEG = 5
_MEANS = 360 // _STEP_DEG
_DAY = 430  # coups
_CROUPIERS = 5
_SHIFT = 150  # coups
_TOLERANCE = 0.004
_PEAK = 0.0138  # vector strength: no number comes more than 2.76 % over its share
_ACTS = (
    facts.LEVELLED, facts.FRETS, facts.CLEANED, facts.ROTOR, facts.MOVED, facts.RING_SENSOR,
    facts.CALIBRATION, facts.NEW_BALL, facts.NEW_MOTOR,
)  # fmt: skip


def forecasts(beams_deg: Sequence[float] = WHEEL.beams_deg) -> Any:
    """The chances of all gaps, each row foretold of a drop at a place: sds x places, gaps."""
    rows = []
    for sd in (LEAST, MOST):
        for mean in range(0, 360, _STEP_DEG):
            edges = [*beams_deg, beams_deg[0] + 360.0]
            below = [
                [erf((edge - mean + 360.0 * turn) / sd / sqrt(2.0)) / 2.0 for edge in edges]
                for turn in range(-4, 5)
            ]
            row = np.diff(np.array(below), axis=1).sum(axis=0)
            rows.append(np.round(row / row.sum() * 1e6))
    found = np.array(rows)
    return found / found.sum(axis=1, keepdims=True)


class Drawn:
    """Some wheels, and their coups to come."""

    def __init__(self, seed: Sequence[int], kinds: Sequence[str | None]) -> None:
        """`kinds`: of each wheel; None: none of KINDS, and no service."""
        self._draw = np.random.default_rng(seed)
        self.wheels = len(kinds)
        self.chances = forecasts()
        self._is = {kind: np.array([each in (kind, MIXED) for each in kinds]) for kind in KINDS}
        self._is_of_a_kind = np.array([each is not None for each in kinds])
        even = np.full(WHEEL.compartments, 1.0 / WHEEL.compartments)
        uneven = self._draw.normal(1.0, _TOLERANCE, (self.wheels, WHEEL.compartments))
        self.odds = np.where(self._is["tolerances"][:, None], even * uneven, even)
        self.gap_odds = np.broadcast_to(self.chances, (self.wheels, 2, *self.chances.shape))
        self._habit_deg = self._draw.uniform(0, 360, (self.wheels, 2))
        self.peak = self._draw.uniform(0, 2 * np.pi, (self.wheels, _CROUPIERS))
        self._speed = self._draw.uniform(300_000, 400_000, self.wheels)
        self._balls = np.ones(self.wheels, dtype=np.int64)
        self._parity = np.zeros(self.wheels, dtype=np.int64)
        self.coups_drawn = 0

    def favour(self, odds: Any) -> None:
        """From now on numbers come by such chances: wheels x compartments, each at most 1."""
        self.odds = np.asarray(odds, dtype=float)

    def lean(self, kappa: float, low_deg: Any) -> None:
        """From now on the low side of each wheel draws its drops, a quarter turn past it."""
        self.gap_odds = leaning(self.chances, kappa, np.asarray(low_deg, dtype=float))

    def coups(self, count: int) -> Coups:
        """Draws as many coups of each wheel."""
        draw, shape = self._draw, (self.wheels, count)
        number = self.coups_drawn + np.arange(count)
        acts = self._acts(count)
        lost = (draw.random(shape) < 0.04) & self._is["lost coups"][:, None]
        turns = self._parity[:, None] + np.cumsum(1 + lost, axis=1)
        self._parity = turns[:, -1] % 2
        way = turns % 2
        direction = np.where(way == 0, CCW, CW).astype(np.int8)
        place = _places(draw, self.odds, count)
        croupier = np.broadcast_to(number // _SHIFT % _CROUPIERS, shape)
        moved = self._moved(croupier)
        forecast = self._forecast(way)
        gap = _gaps(draw, self.gap_odds, way, forecast)
        ball = np.empty(shape, dtype=np.int64)
        ball[:] = self._balls[:, None]
        for wheel, after, kind in acts:
            if kind == facts.NEW_BALL:
                self._balls[wheel] += 1
                ball[wheel, after:] = self._balls[wheel]
        self.coups_drawn += count
        return Coups(
            place,
            direction,
            self._rotor(number),
            gap,
            forecast,
            (place - direction * moved) % WHEEL.compartments,
            croupier,
            ball,
            acts,
        )

    def _acts(self, count: int) -> list[tuple[int, int, str]]:
        year = WHEEL.coups_a_year
        found = []
        for kinds, a_year, are in (
            (_ACTS, 3.0, self._is_of_a_kind & ~self._is["acts"]),
            (_ACTS, 20.0, self._is["acts"]),
            ((facts.NEW_BALL,), 4.0, self._is["new balls"]),
        ):
            for wheel in np.flatnonzero(are):
                for _ in range(self._draw.poisson(a_year * count / year)):
                    kind = kinds[int(self._draw.integers(len(kinds)))]
                    found.append((int(wheel), int(self._draw.integers(1, count + 1)), kind))
        return sorted(found)

    def _moved(self, croupier: Any) -> Any:
        """How far the number lies from the launch, in compartments the ball's way."""
        at = self._draw.random(croupier.shape)
        peaked = np.flatnonzero(self._is["peaked scatter"])
        if len(peaked):
            # Of the density 1 + 2 r cos(angle - peak), by one correction of the even one.
            middle = self.peak[peaked[:, None], croupier[peaked]]
            angle = 2 * np.pi * self._draw.random(middle.shape)
            keep = self._draw.random(middle.shape) * 2 < 1 + 2 * _PEAK * np.cos(angle - middle)
            angle = np.where(keep, angle, 2 * middle + np.pi - angle)
            at[peaked] = angle / (2 * np.pi) % 1.0
        return (at * WHEEL.compartments).astype(np.int64)

    def _forecast(self, way: Any) -> Any:
        """Which row of `chances` foretells the drop."""
        even = self._is["even throws"][:, None]
        usual = self._habit_deg[np.arange(self.wheels)[:, None], way]
        thrown = usual + self._draw.normal(0.0, 15.0, way.shape)
        mean = np.where(even, thrown, self._draw.uniform(0, 360, way.shape))
        at = (mean / _STEP_DEG).astype(np.int64) % _MEANS
        return np.where(even, at, at + _MEANS * self._draw.integers(0, 2, way.shape))

    def _rotor(self, number: Any) -> Any:
        speeds = self._speed[:, None] + self._draw.normal(0, 15_000, (self.wheels, len(number)))
        mornings = np.flatnonzero(number % _DAY == 0)
        for at in mornings:
            by = self._draw.normal(0, 40_000, self.wheels) * self._is["pauses"]
            speeds[:, at:] += by[:, None]
            self._speed = np.clip(self._speed + by, 200_000, 500_000)
        return np.abs(speeds).astype(np.int64)


def leaning(chances: Any, kappa: float, low_deg: Any) -> Any:
    """The chances of all gaps of wheels with such low sides: wheels, ways, forecasts, gaps."""
    fine = np.arange(0.5, 360.0)
    gaps = np.searchsorted(WHEEL.beams_deg, fine, side="right") - 1
    found = []
    for past in (90.0, -90.0):  # ccw, cw
        middle = np.radians(fine[None, :] - (low_deg[:, None] + past))
        drawn = np.exp(kappa * np.cos(middle))
        mean = np.stack(
            [drawn[:, gaps == gap].mean(axis=1) for gap in range(len(WHEEL.beams_deg))], axis=1
        )
        odds = chances[None] * mean[:, None, :]
        found.append(odds / odds.sum(axis=2, keepdims=True))
    return np.stack(found, axis=1)


def _places(draw: Any, odds: Any, count: int) -> Any:
    through = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
    at = draw.random((len(odds), count))
    found = np.empty(at.shape, dtype=np.int64)
    for wheel, row in enumerate(through):
        found[wheel] = np.searchsorted(row[:-1], at[wheel], side="right")
    return found


def _gaps(draw: Any, odds: Any, way: Any, forecast: Any) -> Any:
    rows = np.arange(len(odds))[:, None]
    at = draw.random(way.shape)
    found = np.zeros(way.shape, dtype=np.int64)
    through = np.cumsum(odds, axis=3)
    for gap in range(odds.shape[3] - 1):
        found += at >= through[rows, way, forecast, gap]
    return found
