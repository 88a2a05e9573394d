"""Each cause in a simulated wheel is told for what it is, and nothing else is.

Nothing here draws a number: balls roll, fall and settle in a wheel that is worn so, and the watch
over its health takes what evidence has of them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest
from watched import told

from firmware.core.health import facts
from tools.health.new_watch import new_watch
from tools.health.rolled import RolledWheel
from tools.sim.causes import set_from
from tools.sim.parameters import PRESETS
from tools.testing.sizes import is_soaking, size

SEED = 1
FRETS = (17, 18)  # the compartments beside fret 17
CALM = ("deceleration_scatter=.01", "deceleration_flutter=.02", "exit_speed_scatter=.003")
# A croupier who throws as evenly as nobody can, beside one who throws as the wheel has it.
HABIT = (
    "croupier.1.coups=200", "croupier.2.coups=200", "croupier.2.launch_speed_rad_s_range=6:6.05",
    "croupier.2.launch_angle_deg_range=178:182", "croupier.2.hand_speed_turn_s_range=.167:.17",
)  # fmt: skip


class Cause(NamedTuple):
    """What is wrong with a wheel, and what is to be told of it."""

    name: str
    changes: tuple[str, ...]
    told: dict[str, tuple[int | None, ...]]  # the kinds, one of which must come; their places
    # Kinds that may come too, as they follow from the cause; their places, none: any.
    besides: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    missed: tuple[float, ...] = (0.0, 0.0, 0.0)
    drops: bool = False  # whether it takes the motion of balls to see it


GAIN = {facts.GAIN: ()}  # a number that comes so often is one that a player could gain by
FIRST_GAP = tuple(range(120))  # degrees: a place is told by the gap alone
STRONGEST = (
    Cause("fair", (), {}, drops=True),
    Cause("loose fret", ("fret.17.loose=.3",),
          {facts.POCKET: FRETS, facts.LOOSE: FRETS}, besides=GAIN),
    Cause("flaw of the track", ("track_flaw_deg=60", "track_flaw_rise=.03"),
          {facts.FLAW: FIRST_GAP}, drops=True),
    Cause("worn track", ("slowing=1.05@1000-20000",), {facts.TRACK: (None,)}),
    Cause("ring sensor", (), {facts.SENSOR: (1,)}, missed=(0.0, 0.05, 0.0)),
)  # fmt: skip
WEAKER = (
    Cause("tilt", ("tilt_deg=.2", "tilt_low_point_deg=210"),
          {facts.TILT: tuple(range(165, 256))}, drops=True),
    Cause("another ball", ("slowing=1.05@3000",), {facts.BALL: (None,)}),
    Cause("leaning rotor", ("rotor_wobble_deg=1.5",),
          {facts.SECTOR: (*range(11), *range(26, 37))}, besides=GAIN),
    Cause("wide pocket", ("pocket.17.wider_mm=8",), {facts.POCKET: (16, 17, 18)}, besides=GAIN),
    Cause("dead floor", ("pocket.17.capture_speed_m_s=.15",),
          {facts.DEAD: (17,)}, besides=GAIN),
    # Whoever is so even lets balls go at like places of the rotor as well: numbers near 21 come
    # more often (first harmonic .018 of his coups, p 1e-7), which 10^5 coups show.
    Cause("habit of a croupier", (*CALM, *HABIT), {facts.SIGNATURE: (2,)},
          besides={facts.SECTOR: tuple(range(13, 30))}),
)  # fmt: skip


@pytest.mark.parametrize(
    "cause", STRONGEST + WEAKER if is_soaking() else STRONGEST, ids=lambda cause: cause.name
)
def test_a_cause_is_told_for_what_it_is_and_nothing_else_is(cause):
    parameters = PRESETS["W1"].changed(tilt_deg=0.0)
    for change in cause.changes:
        parameters = set_from(parameters, change)
    wheel = RolledWheel(parameters, SEED, missed=cause.missed, drops=cause.drops)
    watch = new_watch(wheel.wheel)
    notices = told(watch, wheel.coups(size("coups of a cause")))
    print(cause.name, [(coup, notice.kind, notice.place) for coup, notice in notices])
    kinds = {notice.kind for _, notice in notices}
    assert kinds <= {*cause.told, *cause.besides}
    assert bool(kinds & set(cause.told)) == bool(cause.told)
    for _, notice in notices:
        places = cause.told.get(notice.kind) or cause.besides[notice.kind]
        assert not places or notice.place in places
