"""The virtual roulette wheel."""

from typing import Any

from tools.sim.custom import FREE, Custom
from tools.sim.parameters import PRESETS, Parameters
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth
from tools.sim.turning import TurningTable
from tools.sim.wheel_ball import WheelBall
from tools.sim.wheel_croupier import WheelCroupier

__all__ = ["CoupTruth", "VirtualWheel"]


class VirtualWheel(TurningTable):
    """One roulette wheel at one table.

    `preset` names a wheel of parameters.PRESETS; `parameters` replaces it. With `hand` the croupier
    turns the rotor and the motor is not connected. `custom`: what the house asks of him.
    Raises KeyError for an unknown preset.
    """

    ball: WheelBall

    def __init__(
        self,
        board: dict[str, Any],
        rules: dict[str, Any],
        preset: str = "W1",
        seed: int = 0,
        hand: bool = False,
        *,
        parameters: Parameters | None = None,
        custom: Custom = FREE,
    ) -> None:
        self.parameters = p = parameters or PRESETS[preset]
        numbers = rules["layout"]
        super().__init__(board, p, pockets=len(numbers), seed=seed, hand=hand)
        self.ball = WheelBall(
            parameters=p,
            layout=self.layout,
            numbers=numbers,
            rotor_marks=self.marks,
            seed=seed,
        )
        self.croupier = WheelCroupier(
            parameters=p,
            chance=stream(seed, "croupier"),
            start_line=self.layout.line["btn_start"],
            hand=hand,
            truths=self.truths,
            custom=custom,
        )

    def use(self, parameters: Parameters) -> None:
        """Mishaps: other parameters of the throw."""
        self.parameters = parameters
        self.ball.use(parameters)
