"""Every figure of the simulated vingt-trois plate, with its unit and where it comes from.

"trace" is the recorded sample_mixed_vingt_trois (20 coups, turned by a machine or by hand: it does
not say); "judgement" nobody's measurement. No film or drawing of a vingt-trois is known to us.
"""

from dataclasses import dataclass

from tools.sim.parameters import RotorPhysics


@dataclass(frozen=True, slots=True, kw_only=True)
class PlateParameters(RotorPhysics):
    """One plate, its ball and its croupier. Pairs called `_range` are (least, most), uniform."""

    # --- the ball is flung --------------------------------------------------------------------
    fling_turn_s_range: tuple[float, float] = (0.08, 0.14)  # of the plate: then the ball is loose
    climb_s_range: tuple[float, float] = (0.5, 0.7)  # to the rim; trace: first beams from .8 s on
    # Judgement: in all 20 coups of the trace the ball runs against the plate, while friction alone
    # would take it along. Both are played, so that nobody learns to lean on one.
    along_chance: float = 0.2
    # --- on the rim ---------------------------------------------------------------------------
    rim_speed_rad_s_range: tuple[float, float] = (5.3, 8.6)  # trace: 5.3-8.5, whatever the plate's
    rim_loss_per_s_range: tuple[float, float] = (0.012, 0.017)  # of the speed: trace
    rim_s_range: tuple[float, float] = (4.2, 6.9)  # trace: last beams 4.8-7.5 s after the start
    beam_seen_chance: float = 0.72  # it leaps and runs low: trace, 241 pulses of some 330
    # --- down to the ring ---------------------------------------------------------------------
    slope_s_range: tuple[float, float] = (0.1, 0.4)  # trace: first ring pulse .2-1 s after the rim
    slope_keeps_range: tuple[float, float] = (0.75, 0.95)  # of the speed: trace
    # --- in the ring: flat cases, long rattling: trace, 3.7 pulses before rest, rest at 7-12.6 s --
    first_bounce_m_s_range: tuple[float, float] = (0.2, 0.5)  # judgement
    fret_kick_range: tuple[float, float] = (0.0, 0.35)  # judgement: low edges
    fret_keeps_range: tuple[float, float] = (0.93, 0.985)  # fitted to the trace
    fret_keeps_scatter: float = 0.03  # judgement
    fret_throws_back_chance: float = 0.004  # judgement: there are more of these hops
    ring_max_s: float = 5.0  # trace: the longest from the last beam to rest is 5.7 s
    # --- the plate ----------------------------------------------------------------------------
    hand_push_s_range: tuple[float, float] = (0.8, 1.2)  # trace: full speed after 1 s
    hand_speed_turn_s_range: tuple[float, float] = (0.35, 0.58)  # trace
    hand_brake_turn_s2: float = 0.22  # trace: at rest some 2.6 s after the lift
    # --- the croupier -------------------------------------------------------------------------
    call_s_range: tuple[float, float] = (1.2, 3.0)  # from the press to the push: trace
    lift_s_range: tuple[float, float] = (11.0, 14.0)  # after the ball is at rest: trace
    next_press_s_range: tuple[float, float] = (1.0, 3.0)  # after the ball is laid: judgement


PRESETS = {"V1": PlateParameters()}
