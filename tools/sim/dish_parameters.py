"""Every figure of the simulated boule dish, with its unit and where it comes from.

Sources: "traces" is the recorded shared/traces/sample_mixed_boule, "contract" its description,
"judgement" nobody's measurement. What a dish shares with a wheel (track, sensors, the croupier's
buttons) keeps its name and its place in parameters.py; the rotor's figures there lie idle.
"""

from dataclasses import dataclass

from tools.sim.parameters import Parameters

# Deceleration of a rubber ball on the level track, (rad/s, rad/s^2): .045 + .113 w. Straight line
# through the medians of 331 pairs of beam intervals in the traces, 2 to 10 rad/s.
RUBBER_DECELERATION = ((1.0, 0.158), (14.0, 1.627))


@dataclass(frozen=True, slots=True, kw_only=True)
class DishParameters(Parameters):
    """One dish, its ball and its croupier. Energies are J a kilogram of ball."""

    # --- the dish ---------------------------------------------------------------------------
    cup_depth_m: float = 0.010  # of a rim over its cup: judgement
    cup_depth_pitch: float = 0.17  # nor deeper than this share of the cups' spacing: judgement
    cup_half_width_m: float = 0.045  # across the ring, rim to rim: judgement
    cup_half_width_pitch: float = 0.55  # nor wider than this share of their spacing: judgement
    cone_slope: float = 0.25  # rise over run, of the cone in the middle: judgement
    bank_slope_excess: float = 1.15  # outer bank over the track's lip: judgement
    lip_turns_deg_range: tuple[float, float] = (20.0, 70.0)  # inwards, on leaving: judgement
    # --- the ball in the dish -----------------------------------------------------------------
    bounce_range: tuple[float, float] = (0.6, 0.82)  # e, rubber on wood: judgement
    graze_keeps_range: tuple[float, float] = (0.6, 1.0)  # along the surface, a bounce: judgement
    roughness_rad: float = 0.25  # sd of the surface's normal at a bounce: judgement
    sticks_m_s: float = 0.12  # met slower than this the surface gives no bounce: judgement
    # What a bounce takes from the motion along the surface goes into spin, by this share, and comes
    # back while the ball lies on it: a rubber ball spins in a cup, then climbs out. All judgement.
    spin_share: float = 0.9
    spin_time_s: float = 0.15
    spin_keeps: float = 0.95
    roll_friction: float = 0.015  # force over weight, rubber on the varnished ridges: judgement
    cloth_friction: float = 0.045  # the same on bank and cone, under cloth: judgement
    creeps_m_s: float = 0.02  # slower than this friction does not stop it on a ridge: judgement
    cup_friction: float = 0.05  # the same on a cup's floor: judgement
    rest_j_kg: float = 1e-3  # less than this is rest: it rocks by .1 mm: judgement
    dish_step_s: float = 0.0025  # numerical: rest comes .02 s later in the median than with .002
    # A ball that rolls over the ridge between two cups slower than this may stay on it. The real
    # game has it, rarely; B1 does not, or no long run could be checked by its cups.
    ridge_slow_m_s: float = 0.1
    ridge_holds_chance: float = 0.0
    # --- the cup sensors ----------------------------------------------------------------------
    cup_seen_m: float = 0.034  # a ball this near the cup's middle is before its sensor: judgement
    cup_seen_pitch: float = 0.4  # nor farther than this share of the cups' spacing
    # --- the croupier -----------------------------------------------------------------------
    alternates: bool = (
        True  # throws the other way each time, as the recorded trace does; else at random
    )


PRESETS = {
    "B1": DishParameters(
        deceleration=RUBBER_DECELERATION,
        exit_speed_rad_s=3.6,  # traces: 1.8 to 7.1, for there the laps are drawn, not the speed
        exit_speed_scatter=0.06,  # judgement: a rubber ball shakes more than ivory
        launch_speed_rad_s_range=(7.6, 10.2),  # traces
        skid_loss_range=(0.0, 0.03),  # rubber grips at once: judgement
        seen_below_m=0.04,  # over the cup's floor: judgement
        launch_angle_deg_range=(0.0, 360.0),  # traces: first beams all round
        launch_s_range=(2.0, 4.0),  # after the press: brief; traces 1.7-4.0
        lift_s_range=(8.0, 12.0),  # after rest: brief; traces 8.1-11.0
        next_press_s_range=(1.0, 2.0),  # after the lift: brief; traces 1.9
    ),
}
