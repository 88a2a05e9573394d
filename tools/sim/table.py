"""One door to every simulated apparatus, and what may go wrong at each.

What is not asked for is not loaded.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from boards.apparatus import of
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


class Mishaps(Protocol):
    """A table whose ball somebody plays tricks with. All happen now, at the table's time.

    What makes no sense where the ball is (it is to leap out of a hand) does nothing, and is False.
    """

    parameters: Any  # a frozen dataclass of tools.sim

    @property
    def truths(self) -> list[CoupTruth]:
        """As of Table."""
        ...

    @property
    def now_us(self) -> int:
        """As of Table."""
        ...

    def use(self, parameters: Any) -> None:
        """Another track or another throw, from the next throw on."""
        ...

    def keep_ball(self, keeps: bool) -> None:
        """Whether the croupier keeps the ball in his hand; at vingt-trois the plate flings none."""
        ...

    def stick_ball(self) -> bool:
        """A ball on the track stays there, till the croupier has seen that and takes it."""
        ...

    def lose_ball(self) -> bool:
        """The ball leaps out, after it has left the track and before it rests."""
        ...

    def knock_ball(self) -> None:
        """The ball leaves the track."""
        ...

    def move_ball(self, places: int) -> None:
        """A ball at rest is thrown so many compartments on."""
        ...

    def take_ball(self) -> None:
        """The croupier takes the ball, wherever it is."""
        ...


def _wheel() -> tuple[Any, tuple[str, ...]]:
    from tools.sim.parameters import PRESETS
    from tools.sim.wheel import VirtualWheel

    return VirtualWheel, tuple(PRESETS)


def _plate() -> tuple[Any, tuple[str, ...]]:
    from tools.sim.plate import VirtualPlate
    from tools.sim.plate_parameters import PRESETS

    return VirtualPlate, tuple(PRESETS)


def _dish() -> tuple[Any, tuple[str, ...]]:
    from tools.sim.dish import VirtualDish
    from tools.sim.dish_parameters import PRESETS

    return VirtualDish, tuple(PRESETS)


# What simulates each apparatus: loads its class and the names of its specimens.
_SIMULATED = {"roulette": _wheel, "vingt_trois": _plate, "boule": _dish}
APPARATUS = tuple(_SIMULATED)


def presets(apparatus: str) -> tuple[str, ...]:
    """The names of the apparatus's simulated specimens, the default first.

    Raises KeyError for an apparatus that there is not.
    """
    _, names = _SIMULATED[apparatus]()
    return names


def virtual_table(
    board: dict[str, Any],
    rules: dict[str, Any],
    preset: str | None = None,
    seed: int = 0,
    hand: bool = False,
    *,
    confirms: bool = False,
    pace_us: int = 0,
    changes: Sequence[str] = (),
) -> Table:
    """The board's apparatus, simulated. `preset`: one of presets(apparatus), None for the first.

    With `hand` the croupier turns the rotor and no motor does; a dish has none: it does not matter.
    `confirms`: he presses to confirm each number; `pace_us`: he leaves at least so much between the
    beginnings of two coups. `changes`: of a roulette wheel's parameters, as causes.set_from reads
    them. Raises KeyError for an unknown preset or apparatus, ValueError for changes that cannot be.
    """
    apparatus = board["apparatus"]
    simulated, names = _SIMULATED[apparatus]()
    preset = preset or names[0]
    if preset not in names:
        raise KeyError(preset)
    custom = Custom(confirms, pace_us * 1e-6)
    hand = hand and of(apparatus).turns
    options: dict[str, Any] = {"custom": custom}
    if changes:
        options["parameters"] = changed(apparatus, preset, changes)
    table: Table = simulated(board, rules, preset, seed, hand, **options)
    return table


def changed(apparatus: str, preset: str, changes: Sequence[str]) -> Any:
    """The parameters of a roulette wheel with those changes.

    Raises ValueError for one that cannot be, and for another apparatus.
    """
    from tools.sim.causes import set_from
    from tools.sim.parameters import PRESETS

    if apparatus != "roulette":
        raise ValueError("only a roulette wheel has causes to set")
    parameters = PRESETS[preset]
    for change in changes:
        parameters = set_from(parameters, change)
    return parameters
