"""Every figure of the simulated roulette wheel, and those that every rotor, ring and croupier has.
Each with its unit and where it comes from; the plate's own are in plate_parameters.py.

Sources: "PHYSICS" is the project's physics page, "spins" the 27 real spins published with
Visual-Ballistic-Roulette-Vision, "brief" the task this simulator was ordered with, "judgement"
nobody's measurement: change it when one comes. Units end the names; speeds of the ball are rad/s as
in PHYSICS, those of the rotor turn/s as everywhere else here.
"""

from dataclasses import dataclass, replace
from typing import Self

from tools.sim.causes import Deflector, Fret, Pocket, Shift, Wear

# Deceleration of a ball on the level track, (rad/s, rad/s^2). PHYSICS, "Two wheels to simulate".
# fmt: off
W1_DECELERATION = (
    (2.6, .13), (2.9, .150), (3.12, .158), (3.37, .191), (3.75, .275), (4.25, .50), (4.75, .76),
    (5.25, 1.08), (5.75, 1.15), (6.25, .98), (6.75, .86), (7.5, .81), (8.5, .78), (14.0, .85),
)
# fmt: on
# W2 is the law D = a w^2 + b of PHYSICS; chords this short are within 6e-5 rad/s^2 of it.
W2_DECELERATION = tuple((w / 5, 0.006 * (w / 5) ** 2 + 0.25) for w in range(10, 76))


@dataclass(frozen=True, slots=True, kw_only=True)
class RotorPhysics:
    """What every turning apparatus has. Pairs called `_range` are (least, most), uniform."""

    gravity_m_s2: float = 9.81
    # --- in the ring ------------------------------------------------------------------------
    first_bounce_m_s_range: tuple[float, float] = (0.4, 1.2)  # upwards; e * sqrt(2 g h): judgement
    bounce_range: tuple[float, float] = (0.3, 0.6)  # e: PHYSICS
    fret_kick_range: tuple[float, float] = (0.0, 0.9)  # of the sliding speed, upwards: judgement
    # Of the sliding speed, drawn once a coup: so that displacement spreads over 1-35 pockets and
    # settling over 2-6 s, as PHYSICS has them.
    fret_keeps_range: tuple[float, float] = (0.70, 0.97)
    fret_keeps_scatter: float = 0.05  # sd, from fret to fret: judgement
    fret_throws_back_chance: float = 0.04  # judgement
    fret_throws_back_range: tuple[float, float] = (0.1, 0.5)  # of the sliding speed: judgement
    capture_speed_m_s: float = 0.24  # along the ring, with a low bounce, a pocket holds: judgement
    capture_bounce_m_s: float = 0.35
    ring_max_s: float = 3.5  # then any pocket holds: settling ends within some 6 s, PHYSICS
    seen_below_m: float = 0.04  # a ring sensor sees a ball hopping lower than this: judgement
    # --- parts unlike the others: tools/sim/causes.py ------------------------------------------
    odd_pockets: tuple[Pocket, ...] = ()
    odd_frets: tuple[Fret, ...] = ()
    rotor_wobble_deg: float = 0.0  # how far the rotor's ring leans, turning with the rotor
    rotor_wobble_at_deg: float = 0.0  # its low side, ccw from the rotor's zero
    # --- in the pocket ----------------------------------------------------------------------
    rocking_start_pitch: float = 0.22  # first swing, of the pitch: half the play of a 20 mm ball
    rocking_keeps_range: tuple[float, float] = (0.5, 0.75)  # judgement
    rocking_swing_s_range: tuple[float, float] = (0.08, 0.16)  # judgement
    rocking_swings_range: tuple[int, int] = (3, 6)  # judgement
    rest_offset_pitch: float = 0.09  # sd of where the ball lies: sample traces
    rest_offset_max_pitch: float = 0.2  # sample traces
    # --- the rotor --------------------------------------------------------------------------
    motor_full_turn_s: float = 0.6  # at 1000 permille: brief
    motor_time_constant_s: float = 1.5  # brief
    motor_friction_turn_s2: float = 0.01  # judgement
    runout_friction_turn_s2: float = 0.02  # motor off, belt and gear drag: judgement
    runout_time_constant_s: float = 20.0
    free_friction_turn_s2: float = 0.0007  # by hand, no motor: spins, median -.00067 at .21 turn/s
    ripple: float = 0.01  # of the speed, once a turn: brief
    # --- the sensors ------------------------------------------------------------------------
    latency_us: float = 200.0  # of every sensor alike: judgement
    jitter_us: float = 50.0  # sd of a stamp: brief
    # --- the croupier -----------------------------------------------------------------------
    press_us: int = 200_000  # brief; sample traces
    first_press_s: float = 1.0  # sample traces
    moving_turn_s: float = 0.05  # brief: slower than this the rotor is not in motion
    patience_s: float = 10.0  # judgement: then throw against a rotor that did not reverse
    lift_s_range: tuple[float, float] = (9.0, 13.0)  # after the ball is at rest: brief
    # Where the house has him confirm he presses when he would lift, and lifts so much later.
    confirm_to_lift_s: float = 1.0  # judgement
    next_press_s_range: tuple[float, float] = (2.0, 4.0)  # after the lift: brief
    look_s: float = 0.1  # how often the croupier looks at the rotor: judgement
    hand_brake_turn_s2: float = 0.3  # judgement; sample traces: at rest 1-2 s after the lift
    hand_still_s_range: tuple[float, float] = (0.3, 1.5)  # judgement
    hand_push_s_range: tuple[float, float] = (0.8, 2.0)  # sample traces: some 2 s to full speed
    hand_speed_turn_s_range: tuple[float, float] = (10 / 60, 30 / 60)  # brief: 10-30 rpm

    def changed(self, **values: object) -> Self:
        """The same with some values changed. Raises TypeError for a name that is not here."""
        return replace(self, **values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters(RotorPhysics):
    """One roulette wheel, its ball and its croupier."""

    # --- the track --------------------------------------------------------------------------
    deceleration: tuple[tuple[float, float], ...]  # PHYSICS; straight lines between the knots
    exit_speed_rad_s: float  # w_c: PHYSICS, per wheel
    launch_speed_rad_s_range: tuple[float, float]  # brief: 6-14 turns, 9-20 s; spins: .40-.65 s
    exit_speed_scatter: float = 0.01  # sd, per coup: PHYSICS (.003 to .025 is thinkable)
    deceleration_scatter: float = 0.03  # sd, per coup: PHYSICS
    deceleration_flutter: float = 0.05  # sd, within a coup: PHYSICS
    flutter_correlation_s: float = 0.3  # PHYSICS
    tilt_deg: float = 0.05  # judgement: a wheel set up with care (PHYSICS tabulates .05 to .5)
    tilt_low_point_deg: float = 210.0  # judgement: anywhere
    slowing: float = 1.0  # of `deceleration`: less where it is polished, more where it is worn
    # A spot where the lip is worn: there a ball leaves that is faster by so large a share.
    track_flaw_deg: float = 0.0  # its middle, stator
    track_flaw_width_deg: float = 30.0  # from edge to edge; it rises and falls evenly
    track_flaw_rise: float = 0.0
    track_step_s: float = 0.01  # numerical; halving it moves the drop by less than 1 ms
    # --- the launch -------------------------------------------------------------------------
    launch_angle_deg_range: tuple[float, float] = (140.0, 220.0)  # judgement: croupier's place
    skid_friction: float = 0.03  # rad/s^2 lost per (rad/s)^2 while sliding: judgement
    skid_loss_range: tuple[float, float] = (0.03, 0.12)  # speed lost until it rolls: judgement
    # --- from the track to the ring -----------------------------------------------------------
    slope_s: float = 0.7  # judgement; sample traces: first ring pulse .6 s after the drop
    slope_scatter_s: float = 0.1
    slope_speed_range: tuple[float, float] = (0.9, 1.1)  # of the drop speed: judgement
    deflectors: int = 8  # PHYSICS
    deflector_first_deg: float = 22.5  # judgement
    deflector_hit_chance: float = 0.45  # judgement: some lie along, some across the ball's path
    deflector_keeps_range: tuple[float, float] = (0.3, 0.6)  # e: PHYSICS
    deflector_passes_max: int = 3  # then the ball is past them: judgement
    deflector_to_ring_s_range: tuple[float, float] = (0.1, 1.5)  # some over the cone: judgement
    odd_deflectors: tuple[Deflector, ...] = ()
    # --- the croupier -----------------------------------------------------------------------
    steady_s: float = 2.0  # brief: in motion this long before a ball is thrown
    launch_s_range: tuple[float, float] = (4.0, 7.0)  # after the rotor is in motion: brief
    hand_press_s_range: tuple[float, float] = (-0.4, 0.5)  # from first movement to press: brief
    # --- by coup ------------------------------------------------------------------------------
    shifts: tuple[Shift, ...] = ()  # who throws, and how
    wears: tuple[Wear, ...] = ()  # what changes meanwhile


PRESETS = {
    "W1": Parameters(
        deceleration=W1_DECELERATION,
        exit_speed_rad_s=2.80,
        launch_speed_rad_s_range=(8.0, 11.2),
    ),
    "W2": Parameters(
        deceleration=W2_DECELERATION,
        exit_speed_rad_s=3.80,
        launch_speed_rad_s_range=(8.8, 11.2),
        tilt_low_point_deg=75.0,
    ),
}
