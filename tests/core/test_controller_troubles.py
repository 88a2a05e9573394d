"""Broken sensors, noise, lost edges: never a wrong number, one end a coup, and play goes on."""

from __future__ import annotations

import pytest
from harness.playing import ROULETTE, Coup, in_coups, late_calls, outcomes
from harness.watched import Watched, codes
from harness.wheel import WheelSession
from harness.wheel_troubles import BLIND, HARMLESS, HONEST

from firmware.core import facts

SEEDS = 6


def spoilt(trouble: str, seed: int) -> tuple[list[Coup], list[str]]:
    """A clean coup, one with the trouble, two clean ones; and the codes of all faults told."""
    session = WheelSession(seed * 13 + 5)
    session.play(session.plan())
    plan = session.plan()
    plan.troubles.append(trouble)
    session.play(plan)
    for _ in range(2):
        session.play(session.plan())
    told = Watched(ROULETTE.controller()).run(session)
    return in_coups(session.truths, told), codes(told)


@pytest.mark.parametrize("trouble", HARMLESS)
def test_a_harmless_trouble_costs_no_number(trouble: str) -> None:
    """contracts/trace.md: pulses shorter than a ball can make are noise; a beam may miss a ball."""
    for seed in range(SEEDS):
        coups, _ = spoilt(trouble, seed)
        assert not ROULETTE.wrong_numbers(coups)
        assert not late_calls(coups)
        assert outcomes(coups) == ["result"] * 4, (trouble, seed)


@pytest.mark.req("UK-2.2.parts")
@pytest.mark.parametrize("trouble", HONEST)
def test_what_the_sensors_cannot_tell_is_void_and_never_guessed(trouble: str) -> None:
    """contracts/trace.md: what the sensors cannot tell is void, not guessed."""
    for seed in range(SEEDS):
        coups, _ = spoilt(trouble, seed)
        assert not ROULETTE.wrong_numbers(coups)
        assert [len(coup.ends) for coup in coups] == [1] * 4, (trouble, seed)
        after = outcomes(coups[2:])
        assert after == ["result", "result"], (trouble, seed)


@pytest.mark.parametrize("trouble", BLIND)
def test_without_an_encoder_there_is_no_wrong_number(trouble: str) -> None:
    for seed in range(SEEDS):
        coups, _ = spoilt(trouble, seed)
        assert not ROULETTE.wrong_numbers(coups)
        assert coups[0].outcome == "result"
        assert coups[3].outcome == "result", (trouble, seed)


@pytest.mark.parametrize("trouble", ["pocket_shifted", "pocket_shifted_back"])
def test_a_sensor_a_compartment_off_is_no_number(trouble: str) -> None:
    for seed in range(SEEDS):
        coups, _ = spoilt(trouble, seed)
        assert not ROULETTE.wrong_numbers(coups)
        assert coups[1].outcome == "sensors_disagree"


@pytest.mark.req("UK-4.1.detected")
def test_a_dead_ring_sensor_is_told() -> None:
    told = [spoilt("pocket_dead", seed)[1] for seed in range(3)]
    assert all("W23" in codes for codes in told)


@pytest.mark.req("UK-4.1.detected")
def test_a_blind_beam_is_told() -> None:
    told = [spoilt("rim_dead", seed)[1] for seed in range(3)]
    assert all("W22" in codes for codes in told)


@pytest.mark.req("UK-4.1.detected")
def test_a_lost_mark_is_told_and_gives_no_number() -> None:
    for seed in range(3):
        coups, codes = spoilt("index_lost", seed)
        assert "W32" in codes
        assert coups[1].outcome != "result"


def test_a_state_that_lasts_is_told_once_a_coup() -> None:
    """FIELD.md: actions triggered dozens of times by a state repeated every 500 ms."""
    for seed in range(3):
        _, codes = spoilt("rim_stuck", seed)
        assert len(codes) <= 4


@pytest.mark.parametrize("seed", range(12))
def test_troubles_that_come_together_make_no_wrong_number(seed: int) -> None:
    session = WheelSession(seed)
    for _ in range(5):
        plan = session.plan()
        plan.troubles = session.random.sample(HARMLESS + HONEST + BLIND, 2)
        if session.random.random() < 0.3:
            plan.hop = (session.random.uniform(0.5, 6), session.random.choice((-2, -1, 1, 5)))
        if session.random.random() < 0.2:
            plan.pause = (session.random.uniform(0, 6), session.random.uniform(0.1, 3), 0.05)
        session.play(plan)
    assert not ROULETTE.wrong_numbers(ROULETTE.coups(session))


def for_good(line: str, *, stuck: bool, seed: int) -> list[Coup]:
    """Four coups with one line dead, or dark, all the time."""
    session = WheelSession(seed)
    for _ in range(4):
        plan = session.plan()
        plan.settled_s = 16.0
        session.play(plan)
    whole = (0.0, session.rotor.end + 0.5)
    (session.dark if stuck else session.cut)[line].append(whole)
    coups = ROULETTE.coups(session)
    assert not ROULETTE.wrong_numbers(coups)
    assert [len(coup.ends) for coup in coups] == [1] * 4
    return coups


@pytest.mark.parametrize("stuck", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_beam_broken_for_good_costs_no_number_and_makes_no_call_late(
    seed: int, stuck: bool
) -> None:
    coups = for_good(f"rim{seed}", stuck=stuck, seed=seed)
    assert outcomes(coups) == ["result"] * 4
    assert not late_calls(coups)


@pytest.mark.req("UK-2.2.parts")
@pytest.mark.parametrize("seed", range(3))
def test_a_ring_sensor_dead_for_good_leaves_two_that_must_agree(seed: int) -> None:
    """DESIGN section 3: with one sensor known dead, the other two over two full sets."""
    coups = for_good(f"pocket{seed}", stuck=False, seed=seed)
    assert outcomes(coups) == ["result"] * 4


@pytest.mark.parametrize("seed", range(3))
def test_a_ring_sensor_dark_for_good_voids_every_coup(seed: int) -> None:
    coups = for_good(f"pocket{seed}", stuck=True, seed=seed)
    assert all(isinstance(coup.ends[0], facts.Void) for coup in coups)


@pytest.mark.parametrize("stuck", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_without_a_zero_mark_no_coup_has_a_number(seed: int, stuck: bool) -> None:
    coups = for_good("enc_z", stuck=stuck, seed=seed)
    assert all(isinstance(coup.ends[0], facts.Void) for coup in coups)


@pytest.mark.req("LU-37-1.chip")
@pytest.mark.parametrize("dead", ["rim0", "rim1", "rim2", None])
@pytest.mark.parametrize("width_mm", [20.0, 14.0, 28.0])
def test_a_coin_in_the_ring_is_no_number_while_the_ball_still_runs(
    dead: str | None, width_mm: float
) -> None:
    """However few beams are left: what they see is a ball in the track, not in a pocket."""
    for seed in range(6):
        session = WheelSession(seed + 1268)
        plan = session.plan()
        plan.things = [(plan.launch_s + 6.0 + seed, 11.3, width_mm)]
        session.play(plan)
        session.play(session.plan())
        if dead:
            session.cut[dead].append((0.0, session.truths[0].end_us / 1e6))
        coups = ROULETTE.coups(session)
        assert not ROULETTE.wrong_numbers(coups)
        assert [len(coup.ends) for coup in coups] == [1, 1]
        assert isinstance(coups[0].ends[0], facts.Void)
