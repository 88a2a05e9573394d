"""What an independent generator of traces found at vingt-trois, one test a finding."""

from __future__ import annotations

import pytest
from harness.path import throw
from harness.places import RING_BALL
from harness.plate import PITCH, PlateSession
from harness.playing import VINGT_TROIS, outcomes

from firmware.core import facts
from firmware.core.facts import CCW, CW
from firmware.core.sense.beams import BallTrack
from firmware.core.sense.object_tracker import ObjectTracker
from firmware.core.sense.presence import Presence
from firmware.core.sense.ring import Detection, RingSensors
from firmware.core.sense.rotor import RotorEncoder

GEOMETRY = VINGT_TROIS.board["geometry"]
SEEDS = range(6)
STEPS = 144


def ends(session: PlateSession) -> list[str]:
    coups = VINGT_TROIS.coups(session)
    assert not VINGT_TROIS.wrong_numbers(coups)
    return outcomes(coups)


def turned(rotor: RotorEncoder, steps: int, *, at: int, from_us: int) -> int:
    """Turns it ccw by so many steps of 20 ms from quarter `at`; when the last came."""
    quarters = ((1, 0), (1, 1), (0, 1), (0, 0))
    for step in range(at, at + steps):
        from_us += 20_000
        before, after = quarters[step % 4], quarters[(step + 1) % 4]
        if before[0] != after[0]:
            rotor.edge_a(from_us, after[0])
        else:
            rotor.edge_b(from_us, after[1])
    return from_us


# --- the call -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_a_press_within_the_slack_of_the_encoder_is_no_call_before_the_plate_moves(
    seed: int,
) -> None:
    """Article 47: « avant d'effectuer cette manoeuvre »: the first step shows up to .3 s late."""
    session = PlateSession(seed)
    session.play(session.plan())
    plan = session.plan()
    plan.rest_s, plan.press_s, plan.accelerate_s = 2.0, -0.02, 2.0
    session.play(plan)
    session.play(session.plan())
    assert ends(session) == ["result", "moved_before_call", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_uncalled_plate_is_seen_though_its_ball_runs_before_the_encoder_tells(seed: int) -> None:
    """The first of all, pushed slowly: a beam has seen the ball before the fourth step."""
    session = PlateSession(seed)
    plan = session.plan()
    plan.press_s, plan.accelerate_s, plan.missed = None, 4.0, 0.0
    session.play(plan)
    session.play(session.plan())
    assert ends(session) == ["moved_before_call", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_lifted_at_rest_is_not_taken_for_the_one_that_a_beam_sees(seed: int) -> None:
    """One beam sees the ball of an uncalled coup, and no more for long."""
    session = PlateSession(seed)
    plan = session.plan()
    plan.lift_at_rest = True
    session.play(plan)
    plan = session.plan()
    plan.press_s, plan.rest_s, plan.missed = None, 3.0, 1.0
    session.play(plan)
    motion_s = session.truths[1].motion_us / 1e6
    session.dark["rim0"].append((motion_s + 0.9, motion_s + 0.908))
    assert ends(session) == ["result", "moved_before_call"]


def test_a_hand_over_the_standing_plate_does_not_move_the_ball() -> None:
    rotor = RotorEncoder(cycles=36)
    here = Presence(rotor, RingSensors(GEOMETRY, compartments=27, rotor=rotor))
    for number in range(4):
        here.in_ring(Detection(number * 700_000, number % 3, 5, 0, 13_000, number * 333_000))
    for number, case in enumerate((9, 25, 16, 9, 7)):
        here.in_ring(Detection(4_000_000 + number, number % 3, case, 0, 0, 0))
    assert here.place() == 5


def test_where_the_ball_lay_is_known_though_a_beam_has_seen_another_since() -> None:
    rotor = RotorEncoder(cycles=36)
    here = Presence(rotor, RingSensors(GEOMETRY, compartments=27, rotor=rotor))
    for number in range(4):
        here.in_ring(Detection(number * 700_000, number % 3, 5, 0, 13_000, number * 333_000))
    here.in_track(9_000_000)
    here.in_track(9_400_000)
    assert here.place() is None
    assert here.place_at(8_700_000) == 5
    assert here.place_at(9_200_000) is None
    assert not here.gone_at(8_700_000)  # the plate has not turned: it may lie there still


def test_a_ball_that_the_plate_did_not_bring_round_was_gone_before_a_beam_saw_the_next() -> None:
    rotor = RotorEncoder(cycles=36)
    here = Presence(rotor, RingSensors(GEOMETRY, compartments=27, rotor=rotor))
    for number in range(4):
        here.in_ring(Detection(number * 700_000, number % 3, 5, 0, 13_000, number * 333_000))
    now_us = turned(rotor, STEPS, at=3, from_us=3_000_000)
    here.in_track(now_us + 100)
    assert here.about(now_us + 100)
    assert here.gone_at(now_us)


# --- what lies in the ring ------------------------------------------------------------------------


def lying(rotor: RotorEncoder) -> ObjectTracker:
    return ObjectTracker(rotor, RingSensors(GEOMETRY, compartments=27, rotor=rotor))


def at_place(rotor: RotorEncoder, at_us: int, sensor: int = 0) -> Detection:
    """A detection of what lies 100 000 micro-turns from the rotor's zero."""
    angle = 100_000 + GEOMETRY["pocket_deg"][sensor] * 1_000_000 // 360
    return Detection(at_us, sensor, 0, 0, 13_000, angle)


def test_what_is_seen_at_every_passing_has_lain_there_since_the_first() -> None:
    rotor = RotorEncoder(cycles=36)
    here = lying(rotor)
    first = here.seen(at_place(rotor, 1), 0)
    now_us = turned(rotor, 48, at=3, from_us=1_000_000)
    stay = here.seen(at_place(rotor, now_us, 1), 2)
    assert (stay.at_us, stay.steps, stay.beams) == (first.at_us, first.steps, 0)
    now_us = turned(rotor, 96, at=51, from_us=now_us)  # one sensor dead
    assert here.seen(at_place(rotor, now_us), 2).at_us == 1


def test_a_ball_that_comes_into_one_case_twice_did_not_lie_there_between() -> None:
    rotor = RotorEncoder(cycles=36)
    here = lying(rotor)
    here.seen(at_place(rotor, 1), 0)
    now_us = turned(rotor, 120, at=3, from_us=1_000_000)
    assert here.seen(at_place(rotor, now_us), 3).at_us == now_us


def test_what_lies_there_is_known_again_when_the_mark_has_corrected_the_count() -> None:
    rotor = RotorEncoder(cycles=36)
    here = lying(rotor)
    first = at_place(rotor, 1)
    here.seen(first, 0)
    rotor.edge_z(1)
    turned(rotor, 1, at=0, from_us=1_000_000)
    now_us = turned(rotor, 1, at=1, from_us=1_100_000)
    rotor.edge_z(0)
    shift = rotor.corrected
    moved = first._replace(at_us=now_us, angle_uturn=first.angle_uturn - shift * 1_000_000 // STEPS)
    assert here.seen(moved, 0).at_us == 1


@pytest.mark.parametrize("rpm", [10.0, 16.0, 30.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_that_was_left_in_the_first_plate_is_no_number(seed: int, rpm: float) -> None:
    """It is seen before the zero mark is, and before the push counts as one."""
    session = PlateSession(seed)
    plan = session.plan()
    plan.balls, plan.things, plan.settled_s = 0, [(-3.0, 0, 20.0)], 25.0
    plan.rpm, plan.accelerate_s, plan.press_s = rpm, 3.0, 2.0
    session.play(plan)
    assert ends(session)[0] in ("too_few_turns", "foreign_object")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_that_bounces_into_its_case_early_and_out_again_gets_its_number(seed: int) -> None:
    """By chance the ring sees it there a second after the push, and once more when it rests."""
    session = PlateSession(seed)
    plan = session.plan()
    plan.rpm, plan.accelerate_s, plan.missed, plan.hops = 25.0, 0.4, 0.6, 0
    motion_s = session.play(plan).motion_us / 1e6
    case = -(plan.lands + plan.residual) * PITCH
    session._fixed(case, RING_BALL, motion_s + 0.9, motion_s + 1.68)  # less than a third of a turn
    assert ends(session) == ["result"]


# --- the track and the encoder --------------------------------------------------------------------


def test_a_ball_that_the_plate_turns_back_is_followed_and_is_no_second_ball() -> None:
    first = throw(CW, 1.0, 0.8, 4.0)
    then = [
        (begin + 4_100_000, end + 4_100_000, beam) for begin, end, beam in throw(CCW, 0.8, 0.6, 6.0)
    ]
    track = BallTrack(GEOMETRY)
    track.sparse = True
    edges = [(begin, beam, 1) for begin, _, beam in first + then]
    for edge in sorted(edges + [(end, beam, 0) for _, end, beam in first + then]):
        track.edge(*edge)
    assert track.direction == CCW
    assert not track.second_ball


def test_a_channel_that_died_is_mended_by_the_next_mark() -> None:
    """Steps to and fro at a playing pace: edges are being lost, so the mark is right."""
    rotor = RotorEncoder(cycles=36)
    now_us = turned(rotor, 3 * STEPS, at=3, from_us=0)
    slips = rotor.slips
    for step in range(40):
        now_us += 20_000
        rotor.edge_a(now_us, (rotor._a + 1) % 2)
        assert step < 20 or rotor.slips > slips
    before = rotor.slips
    now_us += 20_000
    rotor.edge_a(now_us, (rotor._a + 1) % 2)
    assert rotor.slips > before  # and again, after whatever mark has passed meanwhile


@pytest.mark.parametrize("seed", SEEDS)
def test_a_coup_whose_encoder_died_before_the_push_does_not_take_in_the_next(seed: int) -> None:
    session = PlateSession(seed)
    session.play(session.plan())
    motion_s = session.play(session.plan()).motion_us / 1e6
    session.dead_encoder.append(("enc_a", motion_s - 0.1, session.truths[1].end_us / 1e6))
    for _ in range(2):
        session.play(session.plan())
    first, dead, *after = ends(session)
    assert first == "result"
    assert dead in ("encoder", "ball_lost")  # the beams may have told of the push before
    assert after[-1] == "result"


@pytest.mark.parametrize("seed", SEEDS)
def test_beams_that_cannot_be_followed_speak_against_what_lies_in_the_ring(seed: int) -> None:
    """A thing as wide as a ball; the ball still runs, and most of its pulses are missed."""
    session = PlateSession(seed)
    plan = session.plan()
    plan.balls, plan.things, plan.missed = 0, [(2.4, 0, 20.0)], 1.0
    plan.settled_s = 15.0
    motion_s = session.play(plan).motion_us / 1e6
    for after_s, beam in ((2.9, 0), (4.0, 0), (5.5, 1), (6.6, 0), (8.0, 2), (9.4, 0)):
        session.dark[f"rim{beam}"].append((motion_s + after_s, motion_s + after_s + 0.009))
    assert ends(session)[0] != "result"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_coup_after_one_with_a_dead_channel_has_its_number_and_its_way_judged(
    seed: int,
) -> None:
    session = PlateSession(seed)
    session.play(session.plan())
    plan = session.plan()
    plan.troubles = ["encoder_dead"]
    session.play(plan)
    for _ in range(2):
        session.play(session.plan())
    coups = VINGT_TROIS.coups(session)
    assert not VINGT_TROIS.wrong_numbers(coups)
    assert outcomes(coups[2:]) == ["result", "result"]
    for coup in coups[2:]:
        assert len(coup.all(facts.RotorMoving)) == 1
