"""One door to every simulated apparatus. What is not asked for is not loaded."""

from typing import Any, Protocol

from tools.sim.custom import Custom
from tools.sim.sensors import Edge
from tools.sim.truth import CoupTruth


class Table(Protocol):
    """A simulated apparatus, its ball and its croupier, on one clock."""

    hand: bool  # whether the croupier turns the rotor; the motor is not connected then

    @property
    def truths(self) -> list[CoupTruth]:
        """What really happened, one a coup, in order of time."""
        ...

    @property
    def now_us(self) -> int:
        """The time it has been simulated to."""
        ...

    @property
    def finished(self) -> int:
        """Coups whose ball has been lifted."""
        ...

    @property
    def acts_us(self) -> int:
        """Before then, whatever the motor does, only an encoder's lines move."""
        ...

    def initial_levels(self) -> list[int]:
        """The level of every line at time 0, by line."""
        ...

    def advance(self, until_us: int, motor_permille: int) -> list[Edge]:
        """Simulates to `until_us` with the motor held so; the edges stamped since the last call."""
        ...


def presets(apparatus: str) -> tuple[str, ...]:
    """The names of the apparatus's simulated specimens, the default first.

    Raises KeyError for an apparatus that there is not.
    """
    if apparatus == "roulette":
        from tools.sim import parameters

        return tuple(parameters.PRESETS)
    if apparatus == "vingt_trois":
        from tools.sim import plate_parameters

        return tuple(plate_parameters.PRESETS)
    if apparatus == "boule":
        from tools.sim import dish

        return tuple(dish.PRESETS)
    raise KeyError(apparatus)


def virtual_table(
    board: dict[str, Any],
    rules: dict[str, Any],
    preset: str | None = None,
    seed: int = 0,
    hand: bool = False,
    *,
    confirms: bool = False,
    pace_us: int = 0,
) -> Table:
    """The board's apparatus, simulated. `preset`: one of presets(apparatus), None for the first.

    With `hand` the croupier turns the rotor and no motor does; a dish has none: it does not matter.
    `confirms`: he presses to confirm each number; `pace_us`: he leaves at least so much between the
    beginnings of two coups. Raises KeyError for an unknown preset or apparatus.
    """
    apparatus = board["apparatus"]
    names = presets(apparatus)
    preset = preset or names[0]
    if preset not in names:
        raise KeyError(preset)
    custom = Custom(confirms, pace_us * 1e-6)
    if apparatus == "roulette":
        from tools.sim.wheel import VirtualWheel

        return VirtualWheel(board, rules, preset, seed, hand, custom=custom)
    if apparatus == "vingt_trois":
        from tools.sim.plate import VirtualPlate

        return VirtualPlate(board, rules, preset, seed, hand, custom=custom)
    from tools.sim.dish import VirtualDish

    return VirtualDish(board, rules, preset, seed, custom=custom)
