"""What really happened in a coup: what the simulator knows and the controller must find out."""

from dataclasses import asdict, dataclass
from typing import Any

UNSEEN_US = 2_500_000  # a third of a turn at 8 rpm, slower than any rotor is played


@dataclass(slots=True)
class CoupTruth:
    """One coup. What has not happened yet is None; times are microseconds of the table's clock.

    `compartment` counts in layout order, and is the pocket the ball lies in (None until it rests).
    No bet may stand from `t_drop_us` on: at vingt-trois that is when the plate is set in motion.
    """

    coup: int
    t_start_us: int  # the button, or the rotor's first movement if that came first
    rotor: int = 0  # 1 ccw, -1 cw, at the launch; 0 before
    launched_direction: int = 0  # of the ball: 1 ccw, -1 cw; 0 before the launch
    t_launch_us: int | None = None
    t_drop_us: int | None = None
    t_rest_us: int | None = None
    t_lift_us: int | None = None
    compartment: int | None = None
    number: int | None = None
    laps: float | None = None  # turns on the track
    drop_deg: float | None = None  # stator angle where the ball left the track
    deflector: int | None = None  # which it struck, None if none
    displacement: int | None = None  # pockets from the one under the deflector, in the ball's way
    croupier: int = 0  # who throws; 0 where they have no numbers
    # What goes wrong. Spoiled: no number of this coup is right, for two balls are in the wheel.
    spoiled: bool = False
    # Where the ball lay before it was moved: (until when, compartment, number), in order of time.
    lay: tuple[tuple[int, int, int], ...] = ()

    def moved(self, at_us: int) -> None:
        """The ball is taken or thrown out of where it lies."""
        if self.compartment is not None and self.number is not None:
            self.lay = (*self.lay, (at_us, self.compartment, self.number))
        self.compartment = self.number = None

    def right(self, at_us: int, compartment: int | None, number: int) -> bool:
        """Whether that was the coup's result at that time.

        A ball that moved is seen at its new place after a third of a turn: till then nobody knows.
        """
        if self.spoiled:
            return False
        said = (compartment, number)
        lay = [place for until_us, *place in self.lay if at_us <= until_us + UNSEEN_US]
        return said == (self.compartment, self.number) or said in [tuple(place) for place in lay]

    def as_dict(self) -> dict[str, Any]:
        """Its fields by name, but for what did not go wrong and a croupier without a number."""
        unsaid = ("croupier", "spoiled", "lay")
        return {key: value for key, value in asdict(self).items() if value or key not in unsaid}


def open_coup(truths: list[CoupTruth], t: float) -> CoupTruth:
    """Opens the next coup at t (s) and appends it to `truths`."""
    truth = CoupTruth(coup=len(truths) + 1, t_start_us=round(t * 1e6))
    truths.append(truth)
    return truth
