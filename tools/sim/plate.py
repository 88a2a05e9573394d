"""The virtual vingt-trois: a plate of 27 cases that flings the ball."""

from typing import Any

from tools.sim.custom import FREE, Custom
from tools.sim.plate_ball import PlateBall
from tools.sim.plate_croupier import PlateCroupier
from tools.sim.plate_parameters import PRESETS, PlateParameters
from tools.sim.streams import stream
from tools.sim.turning import TurningTable


class VirtualPlate(TurningTable):
    """One vingt-trois plate at one table.

    `preset` names a plate of plate_parameters.PRESETS; `parameters` replaces it. With `hand` the
    croupier turns the plate and the motor is not connected. `custom`: what the house asks of him.
    Raises KeyError for an unknown preset.
    """

    ball: PlateBall

    def __init__(
        self,
        board: dict[str, Any],
        rules: dict[str, Any],
        preset: str = "V1",
        seed: int = 0,
        hand: bool = False,
        *,
        parameters: PlateParameters | None = None,
        custom: Custom = FREE,
    ) -> None:
        self.parameters = p = parameters or PRESETS[preset]
        numbers = rules["layout"]
        super().__init__(board, p, pockets=len(numbers), seed=seed, hand=hand)
        self.ball = PlateBall(
            parameters=p,
            layout=self.layout,
            numbers=numbers,
            rotor_marks=self.marks,
            seed=seed,
            truths=self.truths,
        )
        self.croupier = PlateCroupier(
            parameters=p,
            chance=stream(seed, "croupier"),
            start_line=self.layout.line["btn_start"],
            hand=hand,
            truths=self.truths,
            custom=custom,
        )

    def use(self, parameters: PlateParameters) -> None:
        """Mishaps: other parameters of the throw."""
        self.parameters = parameters
        self.ball.use(parameters)
