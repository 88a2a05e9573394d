"""Rolled coups (tools.sim.fast) as the watch over a wheel's health takes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import boards
import rules
from firmware.core.health.facts import Coup, Wheel
from firmware.core.health.ranks import TIES
from tools.sim.fast import FastWheel, Rolled
from tools.sim.parameters import Parameters
from tools.sim.streams import stream

COUPS_A_YEAR = 150_000  # of a live wheel


class RolledWheel:
    """A reference wheel whose rotor is turned by hand, rolled coup by coup.

    It has no spin-up and no duty. The ball's slowing is as it was, without what a controller
    mistakes in measuring it.
    """

    def __init__(
        self,
        parameters: Parameters,
        seed: int,
        *,
        missed: Sequence[float] = (0.0, 0.0, 0.0),
        gaps: Any = None,
    ) -> None:
        """`missed`: the chance of each ring sensor that it does not see the ball at rest.

        `gaps`: tells the chances foretold of each gap, as Gaps does; None: they are not known.
        """
        board = boards.load("roulette_ref")
        geometry = board["geometry"]
        game = rules.load(board["rules"])
        self._beams_turn = [degrees / 360 for degrees in geometry["rim_deg"]]
        self._missed = missed
        self._gaps = gaps
        self._ties, self._sensors = stream(seed, "ties"), stream(seed, "sensors")
        self._wheel = FastWheel(board, game, seed=seed, parameters=parameters)
        self.wheel = Wheel(
            compartments=len(game["layout"]),
            beams_deg=geometry["rim_deg"],
            sensors=len(geometry["pocket_deg"]),
            coups_a_year=COUPS_A_YEAR,
            croupiers=bool(parameters.shifts),
        )

    def coups(self, count: int) -> Iterator[Coup]:
        """The next coups, as evidence has them."""
        for rolled in self._wheel.coups(count):
            yield self._coup(rolled)

    def _coup(self, rolled: Rolled) -> Coup:
        truth = rolled.truth
        assert truth.compartment is not None and truth.drop_deg is not None
        drop_turn = truth.drop_deg / 360 % 1.0
        # Counter-clockwise from the last beam before it, and across 0 from the last of all.
        gap = sum(beam <= drop_turn for beam in self._beams_turn) - 1
        seen = [self._sensors.random() >= chance for chance in self._missed]
        return Coup(
            place=truth.compartment,
            direction=truth.launched_direction,
            rotor_uturn_s=round(abs(rolled.rotor_turn_s) * 1e6),
            gap=gap % len(self._beams_turn),
            gaps_ppm=None if self._gaps is None else self._gaps.foretold(rolled),
            launch_place=rolled.launch_place,
            slowing_ppm=round((rolled.slowing - 1.0) * 1e6),
            settled_ms=rolled.settled_us // 1000,
            seen=sum(1 << at for at, sees in enumerate(seen) if sees),
            croupier=truth.croupier or None,
            ball=1,
            spin_up_ms=None,
            duty_permille=None,
            tie=self._ties.randrange(TIES),
        )
