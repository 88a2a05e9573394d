"""What is uneven at a wheel makes its coups uneven, and by as much as the docs say."""

from collections import Counter
from math import cos, radians, sin, tan, tau
from random import Random

import pytest

import boards
from tools.sim.causes import in_coup, put, set_from
from tools.sim.parameters import PRESETS
from tools.sim.pockets import Pockets
from tools.sim.ring import settle
from tools.sim.sensors import Layout
from tools.sim.track import Drag, roll
from tools.sim.wheel_ball import fall

W1 = PRESETS["W1"]
LAYOUT = Layout(boards.load("roulette_ref"), 37)
RADIUS_M = LAYOUT.ring_radius_m
PITCH_MM = tau * RADIUS_M * 1000 / 37
SPEEDS = (-6.0, -5.0, -4.0, -3.0, 3.0, 4.0, 5.0, 6.0)  # rad/s over the pockets


def wheel(**values):
    found = W1
    for name, value in values.items():
        found = put(found, name.replace("__", "."), value)
    return found


def settled(p, count, seed=3):
    """Balls that reach the ring anywhere, at the speeds in turn."""
    pockets, rng = Pockets(p, 37, RADIUS_M), Random(seed)
    for at in range(count):
        psi, speed = rng.random(), SPEEDS[at % len(SPEEDS)]
        yield settle(p, rng, layout=LAYOUT, pockets=pockets, psi=psi, speed_rad_s=speed)


# --- pockets and frets ----------------------------------------------------------------------------
def test_a_pocket_wider_by_x_mm_has_x_over_the_pitch_more_of_the_ring():
    pockets = Pockets(put(W1, "pocket.17.wider_mm", 1.0), 37, RADIUS_M)
    places = [-pockets.at(step / 37_000) % 37 for step in range(-37_000, 37_000)]
    share = Counter(places)[17] * 37 / len(places)
    assert share == pytest.approx(1 + 36 / 37 / PITCH_MM, abs=2e-3)
    for pocket in range(-40, 40):
        assert pockets.at(pockets.centre(pocket)) == pocket
        assert abs(pockets.centre(pocket) - pocket / 37) < 0.02 / 37
        for side in (-1, 1):
            edge = pockets.centre(pocket) + side * pockets.width(pocket) / 2
            assert pockets.at(edge - side * 1e-9) == pocket
            assert pockets.at(edge + side * 1e-9) == pocket + side


def test_pockets_of_one_width_are_where_they_always_were():
    odd = Pockets(put(W1, "fret.3.loose", 0.5), 37, RADIUS_M)
    rng = Random(1)
    for _ in range(2000):
        psi = rng.uniform(-5, 5)
        assert odd.at(psi) == round(psi * 37)
        assert odd.centre(odd.at(psi)) == round(psi * 37) / 37


def test_a_ball_stays_below_a_fret_that_it_cannot_climb():
    higher_m = 0.001
    pockets = Pockets(put(W1, "fret.17.higher_mm", 1000 * higher_m), 37, RADIUS_M)
    # Fret 17 is clockwise of compartment 17: before a ball there that goes clockwise over the
    # pockets, and before one in compartment 18 that goes counter-clockwise.
    for compartment, speed in ((17, -1.0), (18, 1.0)):
        hold = pockets.hold(-compartment / 37, speed)
        usual = pockets.hold(-compartment / 37, -speed)
        assert usual.speed_m_s == W1.capture_speed_m_s
        for found, before in (
            (hold.speed_m_s, W1.capture_speed_m_s),
            (hold.bounce_m_s, W1.capture_bounce_m_s),
        ):
            gained = (found**2 - before**2) / 2
            assert gained == pytest.approx(W1.gravity_m_s2 * higher_m)


def test_a_floor_that_leans_raises_the_fret_at_its_low_side_and_lowers_the_other():
    pockets = Pockets(put(W1, "pocket.17.floor_slope_deg", 2.0), 37, RADIUS_M)
    rise_m = tan(radians(2.0)) * PITCH_MM / 2000
    for speed, sign in ((1.0, 1), (-1.0, -1)):  # it falls counter-clockwise
        found = pockets.hold(-17 / 37, speed).speed_m_s
        gained = (found**2 - W1.capture_speed_m_s**2) / 2
        assert gained == pytest.approx(sign * W1.gravity_m_s2 * rise_m)


# Of an even share, from the table in docs/simulator.md: (values, compartment, least, most).
@pytest.mark.parametrize(
    ("values", "compartments", "least", "most"),
    [
        ({"fret__17__loose": 0.3}, (17, 18), 1.7, 2.4),
        ({"fret__17__keeps": 0.7}, (17, 18), 1.3, 2.2),
        ({"pocket__17__capture_speed_m_s": 0.15}, (17,), 0.55, 0.85),
        ({"pocket__17__capture_speed_m_s": 0.4}, (17,), 1.3, 2.5),
        ({"pocket__17__wider_mm": 8.0}, (17,), 1.1, 1.35),
    ],
)
def test_an_odd_part_makes_its_pockets_uneven(values, compartments, least, most):
    came = Counter(way.compartment for way in settled(wheel(**values), 12_000))
    for compartment in compartments:
        assert least < came[compartment] * 37 / 12_000 < most
    far = sum(came[at] for at in range(25, 37)) * 37 / 12 / 12_000
    assert far == pytest.approx(1.0, abs=0.12)


def test_a_loose_fret_brings_balls_to_rest_sooner():
    ways = list(settled(wheel(fret__17__loose=0.6), 8_000))
    lasts = [(sum(hop.lasts_s for hop in way.hops), way.compartment) for way in ways]
    limit = sorted(lasts)[len(ways) // 4][0]
    there = [lasted < limit for lasted, compartment in lasts if compartment in (17, 18)]
    assert sum(there) / len(there) > 0.32  # of all balls .25


def test_a_rotor_that_leans_gathers_balls_at_its_low_side():
    p = wheel(rotor_wobble_deg=4.0, rotor_wobble_at_deg=90.0)
    ways = list(settled(p, 8_000))
    lean = sum(sin(tau * way.psi) for way in ways) * 2 / len(ways)  # 1 + lean cos(psi - low)
    across = sum(cos(tau * way.psi) for way in ways) * 2 / len(ways)
    assert 0.06 < lean < 0.2
    assert abs(across) < 0.06


# --- on the way there -----------------------------------------------------------------------------
def rolled(p, count, direction=1, seed=4):
    drag, rng = Drag(p.deceleration), Random(seed)
    for _ in range(count):
        start = rng.random()
        yield roll(
            p, drag, rng, direction=direction, start_turn=start,
            radius_m=LAYOUT.track_radius_m, beams=LAYOUT.beams(start, direction),
        )  # fmt: skip


@pytest.mark.parametrize("direction", [1, -1])
def test_balls_leave_the_track_at_its_flaw_whichever_way_they_run(direction):
    flaw = wheel(tilt_deg=0.0, track_flaw_deg=100.0, track_flaw_rise=0.05)
    for p, least, most in ((wheel(tilt_deg=0.0), 0.03, 0.14), (flaw, 0.3, 0.6)):
        ends = [track.end_turn * 360 for track in rolled(p, 300, direction)]
        near = [abs((end - 100.0 + 180.0) % 360.0 - 180.0) <= 15.0 for end in ends]
        assert least < sum(near) / len(near) < most


def test_a_flaw_lets_a_ball_go_that_is_faster_by_its_rise():
    p = wheel(tilt_deg=0.0, track_flaw_rise=0.1, track_flaw_width_deg=180.0, exit_speed_scatter=0.0)
    fastest = max(track.end_speed_rad_s for track in rolled(p, 300))
    assert 1.06 < fastest / p.exit_speed_rad_s < 1.1001


def test_a_worn_track_slows_the_ball_by_its_share():
    calm = {"deceleration_scatter": 0.0, "deceleration_flutter": 0.0, "exit_speed_scatter": 0.0}
    p = wheel(tilt_deg=0.0, **calm).changed(
        launch_speed_rad_s_range=(9.0, 9.0), skid_loss_range=(0.0, 0.0)
    )
    (usual,), (worn,) = rolled(p, 1), rolled(p.changed(slowing=1.1), 1)
    assert usual.duration_s / worn.duration_s == pytest.approx(1.1, rel=1e-3)
    assert (usual.slowing, worn.slowing) == (1.0, 1.1)


def fallen(p, count, direction=1, seed=4):
    rng = Random(seed)
    return [
        fall(p, rng, direction=direction, turn=rng.random(), speed_rad_s=3.0) for _ in range(count)
    ]


def test_a_deflector_has_its_own_chance_and_keeps_its_own_share():
    p = wheel(deflector__3__hit_chance=1.0, deflector__3__keeps=0.05)
    struck = Counter(way.deflector for way in fallen(p, 4_000))
    assert struck[3] > 1.7 * struck[6]
    slow = {way.deflector for way in fallen(p, 400) if way.speed_rad_s < 0.05 * 1.1 * 3.0 + 1e-9}
    assert slow == {3}
    never = wheel(deflector__3__hit_chance=0.0)
    assert 3 not in {way.deflector for way in fallen(never, 400)}


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("moved", [-15.0, 15.0])
def test_a_deflector_that_was_moved_is_struck_where_it_is(direction, moved):
    p = wheel(deflector__3__moved_deg=moved)
    for way in fallen(p, 500, direction):
        if way.deflector is not None:
            own = moved if way.deflector == 3 else 0.0
            place = (p.deflector_first_deg + 45.0 * way.deflector + own) / 360
            assert abs((way.struck_turn - place + 0.5) % 1.0 - 0.5) < 1e-6


# --- by coup --------------------------------------------------------------------------------------
def test_what_wears_changes_evenly_and_stays():
    p = set_from(set_from(W1, "tilt_deg=.25@1001-2001"), "fret.17.loose=.4@3000")
    found = [in_coup(p, coup) for coup in (1, 1001, 1501, 2001, 2999)]
    assert [each.tilt_deg for each in found] == pytest.approx([0.05, 0.05, 0.15, 0.25, 0.25])
    assert not any(each.odd_frets for each in found)
    assert [fret[:] for fret in in_coup(p, 3000).odd_frets] == [(17, 0.0, 1.0, 0.4)]
    mended = set_from(p, "fret.17.loose=0@5000")
    assert in_coup(mended, 5000).odd_frets[0].loose == 0.0


def test_croupiers_take_turns_and_throw_as_they_do(wheel_of):
    p = W1
    for text in (
        "croupier.4.coups=2", "croupier.9.coups=1",
        "croupier.9.launch_speed_rad_s_range=8:8", "croupier.9.hand_speed_turn_s_range=.3:.3",
    ):  # fmt: skip
        p = set_from(p, text)
    table = wheel_of(hand=True, parameters=p)
    while table.finished < 6:
        table.advance(table.now_us + 1_000_000, 0)
    truths = table.truths[:6]
    assert [truth.croupier for truth in truths] == [4, 4, 9, 4, 4, 9]
    assert truths[0].as_dict()["croupier"] == 4
    lasted = [truth.t_drop_us - truth.t_launch_us for truth in truths]
    assert max(lasted[2], lasted[5]) < min(lasted[at] for at in (0, 1, 3, 4))


@pytest.mark.parametrize(
    "text",
    [
        "tilt_deg", "tilt_deg=", "tilt_deg=much", "tilt_deg=nan", "tilt_deg=-1", "tilt_deg=1:2",
        "launch_speed_rad_s_range=8", "launch_speed_rad_s_range=9:8", "nothing=1", "wears=1",
        "fret.17=1", "fret.17.at=2", "fret.x.loose=.1", "board.1.loose=.1", "fret.17.loose=1.5",
        "tilt_deg=.1@0", "tilt_deg=.1@9-3", "tilt_deg=.1@x", "tilt_deg=1:2:3", "gravity_m_s2=0",
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused(text):
    with pytest.raises(ValueError, match=r"there is no|write NAME|is from|takes"):
        set_from(W1, text)


@pytest.mark.parametrize(
    "text", ["fret.37.loose=.1", "pocket.40.wider_mm=1@7", "deflector.8.keeps=.1"]
)
def test_a_part_that_the_wheel_does_not_have_is_refused(text, wheel_of):
    with pytest.raises(ValueError, match="they are 0 to"):
        wheel_of(parameters=set_from(W1, text))
