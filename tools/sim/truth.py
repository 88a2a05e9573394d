"""What really happened in a coup: what the simulator knows and the controller must find out."""

from dataclasses import dataclass


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


def begin(truths: list[CoupTruth], t: float) -> CoupTruth:
    """Opens the next coup at t (s) and appends it to `truths`."""
    truth = CoupTruth(coup=len(truths) + 1, t_start_us=round(t * 1e6))
    truths.append(truth)
    return truth
