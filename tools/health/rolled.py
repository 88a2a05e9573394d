"""Rolled coups (tools.sim.fast) as the watch over a wheel's health takes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import boards
import rules
from firmware.core.call.predictor import CallPredictor
from firmware.core.health.facts import Coup, Wheel
from firmware.core.health.ranks import TIES
from firmware.core.sense.beams import BallTrack
from firmware.core.sense.drop_detector import DropDetector
from tools.sim.fast import FastWheel, Rolled
from tools.sim.parameters import Parameters
from tools.sim.streams import stream

COUPS_A_YEAR = 150_000  # of a live wheel
_STAMP_US = (200.0, 50.0)  # late by, and sd: as the simulator's sensors


class RolledWheel:
    """A reference wheel whose rotor is turned by hand, rolled coup by coup.

    It has no spin-up and no duty.
    """

    def __init__(
        self,
        parameters: Parameters,
        seed: int,
        *,
        missed: Sequence[float] = (0.0, 0.0, 0.0),
        drops: bool = False,
    ) -> None:
        """`missed`: the chance of each ring sensor that it does not see the ball at rest.

        `drops`: whether the controller's own predictor follows each ball, and tells its gap, the
        chances of all gaps and the slowing. Without it the gap and the slowing are as they were,
        and nothing is foretold.
        """
        board = boards.load("roulette_ref")
        geometry = board["geometry"]
        game = rules.load(board["rules"])
        self._beams_turn = [degrees / 360 for degrees in geometry["rim_deg"]]
        self._missed = missed
        self._follower = _Follower(board, seed) if drops else None
        self._ties, self._sensors = stream(seed, "ties"), stream(seed, "sensors")
        self._wheel = FastWheel(board, game, seed=seed, parameters=parameters)
        self.wheel = Wheel(
            compartments=len(game["layout"]),
            beams_deg=geometry["rim_deg"],
            sensors=len(geometry["pocket_deg"]),
            coups_a_year=COUPS_A_YEAR,
            croupiers=bool(parameters.shifts),
        )

    def use(self, parameters: Parameters) -> None:
        """Somebody worked on the wheel: other parameters, from the next coup on."""
        self._wheel.use(parameters)

    def coups(self, count: int) -> Iterator[Coup]:
        """The next coups, as evidence has them."""
        for rolled in self._wheel.coups(count):
            yield self._coup(rolled)

    def _coup(self, rolled: Rolled) -> Coup:
        truth = rolled.truth
        assert truth.compartment is not None and truth.drop_deg is not None
        if self._follower is None:
            drop_turn = truth.drop_deg / 360 % 1.0
            # Counter-clockwise from the last beam before it, and across 0 from the last of all.
            gap = (sum(beam <= drop_turn for beam in self._beams_turn) - 1) % len(self._beams_turn)
            told: dict[str, Any] = {"gap": gap, "slowing_ppm": round((rolled.slowing - 1.0) * 1e6)}
        else:
            told = self._follower.drop_of(rolled)
        seen = [self._sensors.random() >= chance for chance in self._missed]
        return Coup(
            place=truth.compartment,
            direction=truth.launched_direction,
            rotor_uturn_s=round(abs(rolled.rotor_turn_s) * 1e6),
            gap=told.get("gap"),
            gaps_ppm=told.get("gaps_ppm"),
            launch_place=rolled.launch_place,
            slowing_ppm=told.get("slowing_ppm"),
            settled_ms=rolled.settled_us // 1000,
            seen=sum(1 << at for at, sees in enumerate(seen) if sees),
            croupier=truth.croupier or None,
            ball=1,
            spin_up_ms=None,
            duty_permille=None,
            tie=self._ties.randrange(TIES),
        )


class _Follower:
    """The controller's own predictor, which follows rolled balls from beam to beam."""

    def __init__(self, board: dict[str, Any], seed: int) -> None:
        self._geometry = geometry = board["geometry"]
        names = [entry[0] for entry in board["inputs"]]
        self._beam = {names.index(f"rim{at}"): at for at in range(len(geometry["rim_deg"]))}
        self._jitter = stream(seed, "stamps")
        self._predictor = CallPredictor(geometry, None, call_us=0)
        self._drop = DropDetector()

    def drop_of(self, rolled: Rolled) -> dict[str, Any]:
        """What the evidence of the coup has of the drop: gap, gaps_ppm, slowing_ppm, if known."""
        predictor, drop = self._predictor, self._drop
        track = BallTrack(self._geometry)
        predictor.forget_coup()
        drop.forget_coup()
        call_us: int | None = None
        called = False
        for at_s, line, level in rolled.crossings:
            at_us = int(at_s * 1e6 + self._jitter.gauss(*_STAMP_US))
            if not called and call_us is not None and call_us <= at_us:
                predictor.called()
                called = True
            if not track.edge(at_us, self._beam[line], level) or not track.direction:
                continue
            if called:
                predictor.follow(track.crossings, track.direction)
            else:
                call_us = predictor.crossed(track.crossings, track.direction)
            drop.crossed(track, is_fast=predictor.fast)
        if not called:
            predictor.called()
        left_us = drop.left_us(track, 0)
        if left_us is not None:
            for _ in predictor.left(left_us):
                pass
        return dict(predictor.explain_drop(drop.last_beam(track), track.direction))
