"""Coups of vingt-trois, from the press to their end: clean ones, and those that must be void."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from harness.places import LINES
from harness.plate import PlatePlan, PlateSession
from harness.playing import VINGT_TROIS, outcomes, with_
from harness.watched import Watched

from firmware.core import facts

SEEDS = range(6)
Knob = Callable[[PlatePlan], None]
played = VINGT_TROIS.played


def test_the_benchs_lines_are_the_boards() -> None:
    assert [name for name, _ in VINGT_TROIS.board["inputs"]] == LINES


# --- clean ----------------------------------------------------------------------------------------


@pytest.mark.req("FR-47.call_first")
@pytest.mark.parametrize("seed", range(8))
def test_clean_coups_all_get_their_number_and_are_called_before_the_plate_moves(seed: int) -> None:
    """Article 47: « Il annonce "Rien ne va plus" avant d'effectuer cette manoeuvre. »"""
    coups = played(seed, clean_after=7)
    assert outcomes(coups) == ["result"] * 8
    ways = []
    for coup in coups:
        told = [type(fact) for fact in coup.facts]
        assert [kind for kind in told if kind is not facts.BallInTrack] == [
            facts.CoupStarted,
            facts.NoMoreBets,
            facts.RotorMoving,
            facts.BallDropped,
            facts.Detected,
            facts.Result,
        ]
        started, called = coup.facts[:2]
        assert started.at_us == called.at_us < coup.truth.motion_us
        assert started.rotor == 0
        assert coup.ends[0].verified
        assert not coup.ends[0].layout_verified  # our own order: no source gives it
        ways += [fact.rotor for fact in coup.facts if isinstance(fact, facts.RotorMoving)]
    assert all(way == -before for before, way in pairwise(ways))


@pytest.mark.parametrize(
    "knob",
    [
        with_(missed=0.95),
        with_(missed=1.0),
        with_(ball_way=1),  # the plate's own way: no throw by hand, so no `same_direction`
        with_(troubles=["rim_dead"]),
        with_(troubles=["two_rims_dead"]),
        with_(troubles=["rim_doubled"]),
        with_(rest_s=0.1, press_s=2.9),  # the plate still turns at the press
        with_(rest_s=2.0, press_s=1.6),  # .4 s after it stopped
        with_(rest_s=2.0, press_s=0.5),
        with_(lift_at_rest=True, rest_s=2.0),
        with_(tremble=0.012, rest_s=1.0, press_s=2.5),  # stirred after the call
        with_(tremble=0.012, rest_s=1.0, press_s=0.8),  # and before
        with_(tremble=0.040, rest_s=1.0, press_s=2.5),
        with_(tremble=0.040, rest_s=1.0, press_s=0.6),
        with_(pause=(0.3, 0.2, 0), accelerate_s=0.3, missed=0.6, settled_s=20.0),
        with_(pause=(0.8, 0.3, 0), settled_s=20.0),
        with_(pause=(0.8, 0.3, 0), missed=1.0, settled_s=20.0),
        with_(pause=(2.5, 1.0, 0), settled_s=20.0),
        with_(pause=(6.0, 0.15, 0), settled_s=20.0),
        with_(pause=(9.0, 1.5, 0), settled_s=20.0, hops=0, track_s=4.0),
        with_(rpm=12.0, settled_s=18.0),
        with_(rpm=45.0),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_harms_no_coup_leaves_it_its_number(seed: int, knob: Knob) -> None:
    assert outcomes(played(seed, knob)) == ["result"] * 4


def test_the_way_of_a_ball_that_no_beam_follows_is_not_told() -> None:
    coups = played(1, with_(missed=1.0))
    assert coups[1].outcome == "result"
    assert not coups[1].one(facts.BallInTrack)
    assert coups[2].one(facts.BallInTrack)


def test_a_number_comes_with_one_ring_sensor_dead() -> None:
    for seed in SEEDS:
        coups = played(seed, with_(troubles=["pocket_dead"], settled_s=14.0))
        assert outcomes(coups) == ["result"] * 4


# --- void -----------------------------------------------------------------------------------------


@pytest.mark.req("FR-47.reversed")
@pytest.mark.parametrize(
    ("knob", "reason"),
    [
        (with_(reversed=False), "rotor_not_reversed"),
        (with_(press_s=None), "moved_before_call"),
        (with_(press_s=None, rest_s=0.15), "moved_before_call"),
        (with_(press_s=None, lift_at_rest=True, rest_s=2.0), "moved_before_call"),
        (with_(press_s=-0.2, accelerate_s=0.4, rpm=30.0), "moved_before_call"),
        (with_(press_s=-0.4), "moved_before_call"),
        (with_(press_s=-2.0), "moved_before_call"),
        (with_(press_s=-6.0), "moved_before_call"),
        (with_(balls=2), "two_balls"),
        (with_(things=[(-0.1, 9, 40.0)]), "foreign_object"),
        (with_(things=[(-0.1, 9, 8.0)]), "foreign_object"),
        (with_(things=[(3.0, 20, 40.0)], settled_s=12.0), "foreign_object"),
        (with_(balls=0, settled_s=20.0), "ball_lost"),
        (with_(lost_after=2, settled_s=25.0), "ball_lost"),
        (with_(void_button_s=2.0), "croupier"),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_rules_make_void_is_void_and_the_next_coups_are_not(
    seed: int, knob: Knob, reason: str
) -> None:
    """Article 47: « chaque fois [...] dans un sens opposé au précédent ».

    Alternation counts from the last actuation, so the coup after a void one turns against it.
    """
    assert outcomes(played(seed, knob)) == ["result", reason, "result", "result"]


@pytest.mark.req("SD-34.no_spin_object")
@pytest.mark.parametrize("second_s", [0.0, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_ball_is_void_however_late_it_falls(seed: int, second_s: float) -> None:
    coups = played(seed, with_(balls=2, second_s=second_s, missed=0.25, settled_s=14.0))
    assert coups[1].outcome in ("two_balls", "foreign_object")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thing_as_wide_as_a_ball_is_void_too(seed: int) -> None:
    coups = played(seed, with_(things=[(-0.1, 9, 20.0)]))
    assert coups[1].outcome in ("two_balls", "foreign_object")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_fell_in_while_the_ball_ran_is_not_the_ball(seed: int) -> None:
    """As wide as a ball and alone in the ring for five seconds: the ball is still on the slope."""
    falls_in = with_(things=[(3.3, 9, 20.0)], track_s=5.0, slope_s=5.0, missed=0.0, settled_s=15.0)
    assert played(seed, falls_in)[1].outcome in ("two_balls", "foreign_object")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_fell_in_with_the_ball_on_the_slope_is_not_the_ball(seed: int) -> None:
    falls_in = with_(things=[(5.5, 9, 20.0)], track_s=5.0, slope_s=3.0, hops=0, settled_s=15.0)
    assert played(seed, falls_in)[1].outcome in ("two_balls", "foreign_object")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pulse_in_the_ring_while_the_beams_see_the_ball_is_no_drop(seed: int) -> None:
    session = PlateSession(seed)
    plan = session.plan()
    plan.missed, plan.track_s = 0.0, 6.0
    session.play(plan)
    motion_s = session.truths[0].motion_us / 1e6
    session.dark["pocket1"].append((motion_s + 3.5, motion_s + 3.59))
    [coup] = VINGT_TROIS.coups(session)
    assert coup.outcome == "result"
    dropped_us = coup.one(facts.BallDropped).at_us
    assert dropped_us > (motion_s + 0.6 + plan.track_s) * 1e6


@pytest.mark.parametrize("seed", SEEDS)
def test_two_dead_ring_sensors_give_no_number(seed: int) -> None:
    coups = played(seed, with_(troubles=["two_pockets_dead"]))
    assert coups[1].outcome in ("timeout", "ball_lost", "sensors_disagree")
    assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_that_was_not_lifted_is_no_new_number(seed: int) -> None:
    """It lies in its case from the first turn on: the plate has flung nothing."""
    lies = with_(balls=0, things=[(-0.5, 0, 20.0)], settled_s=15.0)
    assert outcomes(played(seed, lies)) == ["result", "too_few_turns", "result", "result"]


@pytest.mark.parametrize("missed", [0.5, 0.7, 0.95])
@pytest.mark.parametrize("seed", SEEDS)
def test_an_uncalled_coup_is_seen_though_the_beams_miss_its_ball(seed: int, missed: float) -> None:
    """The ball was lifted from the plate at rest, so the ring still remembers it there."""
    uncalled = with_(press_s=None, missed=missed, rest_s=2.0, hops=1)
    coups = played(seed, with_(lift_at_rest=True), uncalled)
    assert coups[2].outcome == "moved_before_call"
    session = PlateSession(seed)
    plan = session.plan()
    uncalled(plan)
    session.play(plan)  # the first of all
    coups = VINGT_TROIS.coups(session)
    assert outcomes(coups) == ["moved_before_call"]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_uncalled_coup_is_seen_though_one_beam_alone_sees_its_ball_from_the_start(
    seed: int,
) -> None:
    session = PlateSession(seed)
    plan = session.plan()
    plan.press_s, plan.missed, plan.accelerate_s = None, 1.0, 1.2
    session.play(plan)
    motion_s = session.truths[0].motion_us / 1e6
    for after_s in (0.6, 1.7, 3.1, 4.4):
        session.dark["rim0"].append((motion_s + after_s, motion_s + after_s + 0.008))
    coups = VINGT_TROIS.coups(session)
    assert outcomes(coups) == ["moved_before_call"]
    assert coups[0].facts[0].at_us < session.truths[0].motion_us + 2_000_000


@pytest.mark.parametrize("at_s", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_plate_turned_back_within_a_coup_begins_no_other(seed: int, at_s: float) -> None:
    coups = played(seed, with_(pause=(at_s, 0.5, 0.15), settled_s=20.0))
    assert coups[1].outcome in ("result", "rotor_not_reversed")
    assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_edge_lost_as_the_plate_ran_out_is_mended_before_the_next_number(seed: int) -> None:
    session = PlateSession(seed)
    for _ in range(2):
        session.play(session.plan())
    lifted_us = session.truths[0].rests[-1][1]
    session.lost_encoder.append(("enc_a", lifted_us / 1e6 + 0.1, 1))
    coups = VINGT_TROIS.coups(session)
    assert outcomes(coups) == ["result", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_push_the_way_the_plate_was_stirred_before_the_call_is_the_coups_own(seed: int) -> None:
    session = PlateSession(seed)
    session.play(session.plan())
    stir = -session.way * 6 / 144 / 0.4  # six steps of the encoder, over .8 s
    session.rotor.go(1.0, 0.0)
    session.rotor.go(0.4, 0.0, stir)
    session.rotor.go(0.4, stir, 0.0)
    plan = session.plan()
    plan.rest_s, plan.press_s, plan.missed = 2.5, 1.5, 1.0
    session.play(plan)
    coups = VINGT_TROIS.coups(session)
    assert outcomes(coups) == ["result", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_lost_as_the_plate_runs_out_are_no_push(seed: int) -> None:
    """A gap in the edges looks like a rest, and what follows like a motion after the call."""
    session = PlateSession(seed)
    session.play(session.plan())
    plan = session.plan()
    plan.rest_s, plan.press_s = 0.1, 2.9
    session.play(plan)
    gap_s = session.truths[1].start_us / 1e6 + 0.2
    session.dead_encoder += [("enc_a", gap_s, gap_s + 0.2), ("enc_b", gap_s, gap_s + 0.2)]
    coups = VINGT_TROIS.coups(session)
    assert not VINGT_TROIS.wrong_numbers(coups)
    assert [len(coup.ends) for coup in coups] == [1, 1]


@pytest.mark.parametrize("line", ["pocket0", "pocket1", "pocket2", "rim0"])
def test_no_number_is_given_within_four_seconds_of_a_sign_against_it(line: str) -> None:
    """With two balls, the one that still hops may be out of sight for so long."""
    session = PlateSession(4)
    plan = session.plan()
    plan.missed, plan.hops, plan.settled_s = 1.0, 0, 20.0
    session.play(plan)
    settled_s = session.truths[0].rests[0][0] / 1e6
    width_s = 0.008 if line == "rim0" else 0.09
    signs_s = [settled_s + 2.5] if line == "rim0" else [settled_s + 2.5 * n for n in range(1, 5)]
    session.dark[line] += [(at, at + width_s) for at in signs_s]
    [coup] = VINGT_TROIS.coups(session)
    assert coup.outcome == "result"
    assert coup.ends[0].at_us > (signs_s[-1] + 4.0) * 1e6


@pytest.mark.parametrize("seed", SEEDS)
def test_a_coup_without_encoder_is_void_and_not_mixed_with_the_next(seed: int) -> None:
    session = PlateSession(seed)
    for _ in range(3):
        plan = session.plan()
        plan.missed, plan.rest_s, plan.press_s = 0.25, 3.0, 2.0
        session.play(plan)
    truth = session.truths[1]
    for line in ("enc_a", "enc_b"):
        session.dead_encoder.append((line, truth.motion_us / 1e6 - 0.5, truth.end_us / 1e6 + 0.5))
    coups = VINGT_TROIS.coups(session)
    assert not VINGT_TROIS.wrong_numbers(coups)
    assert [len(coup.ends) for coup in coups] == [1, 1, 1]
    assert coups[1].outcome != "result"


def test_a_called_plate_that_never_moves_is_void_in_the_end() -> None:
    watched = Watched(VINGT_TROIS.controller())
    watched.start(None)
    watched.edge(1_000_000, LINES.index("btn_start"), 1)
    watched.until(100_000_000)
    assert [fact.reason for fact in watched.facts if isinstance(fact, facts.Void)] == ["timeout"]


def test_a_coup_open_at_the_end_is_interrupted() -> None:
    session = PlateSession(2)
    session.play(session.plan())
    session.cut_at_us = session.truths[0].motion_us + 4_000_000
    coups = VINGT_TROIS.coups(session)
    assert outcomes(coups) == ["interrupted"]


# --- everything together --------------------------------------------------------------------------

MESS: tuple[tuple[str, Knob, tuple[str, ...]], ...] = (
    ("clean", with_(), ("result",)),
    ("clean", with_(), ("result",)),
    ("not reversed", with_(reversed=False), ("rotor_not_reversed",)),
    ("uncalled", with_(press_s=None), ("moved_before_call",)),
    ("called late", with_(press_s=-1.0), ("moved_before_call",)),
    ("two balls", with_(balls=2), ("two_balls", "foreign_object")),
    ("a chip", with_(things=[(-0.1, 11, 35.0)]), ("foreign_object",)),
    ("no ball", with_(balls=0), ("ball_lost", "interrupted")),
    ("turns at the press", with_(rest_s=0.1, press_s=2.8), ("result",)),
    ("void button", with_(void_button_s=1.0), ("croupier",)),
    ("sparse", with_(missed=0.8), ("result",)),
)


@pytest.mark.parametrize("seed", range(20))
def test_every_kind_of_coup_after_every_other_ends_as_it_must(seed: int) -> None:
    session = PlateSession(seed)
    r = random.Random(seed)
    asked = []
    for _ in range(10):
        name, knob, allowed = r.choice(MESS)
        plan = session.plan()
        knob(plan)
        session.play(plan)
        asked.append((name, allowed))
    coups = VINGT_TROIS.coups(session)
    assert not VINGT_TROIS.wrong_numbers(coups)
    for number, (coup, (name, allowed)) in enumerate(zip(coups, asked, strict=True)):
        if number or name != "not reversed":  # the first has nothing to be compared with
            assert coup.outcome in allowed, (number, name)
