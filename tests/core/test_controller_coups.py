"""Clean coups, and coups that the regulations make void, from edges to their end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness.places import LAYOUT
from harness.playing import ROULETTE, in_coups, late_calls, outcomes
from harness.sessions import Truth
from harness.watched import Watched
from harness.wheel import WheelPlan, WheelSession

from firmware.core import facts

SEEDS = range(5)
played = ROULETTE.played
DROP_TURN_S = {"W1": 2.80 / 6.2832, "W2": 3.80 / 6.2832}


@pytest.mark.req("LU-37-1.call", "SD-34.call")
@pytest.mark.parametrize("wheel", ["W1", "W2"])
@pytest.mark.parametrize("seed", range(6))
def test_clean_coups_all_get_their_number_and_no_call_is_late(wheel: str, seed: int) -> None:
    """Luxembourg art. 37-1: « dès que le mouvement de la bille se ralentit et que celle-ci est sur
    le point de tomber dans le cylindre, le croupier annonce "rien ne va plus". »"""
    session = WheelSession(seed, wheel=wheel)
    for _ in range(8):
        session.play(session.plan())
    coups = ROULETTE.coups(session)
    assert outcomes(coups) == ["result"] * 8
    assert not ROULETTE.wrong_numbers(coups)
    assert not late_calls(coups)
    for coup in coups:
        told = [type(fact) for fact in coup.facts]
        assert told == [
            facts.CoupStarted,
            facts.RotorMoving,
            facts.BallInTrack,
            facts.NoMoreBets,
            facts.BallDropped,
            facts.Detected,
            facts.Result,
        ]
        rotor, ball = coup.one(facts.RotorMoving).rotor, coup.one(facts.BallInTrack).ball
        assert rotor == -ball
        assert coup.ends[0].verified
        assert coup.ends[0].number == LAYOUT[coup.ends[0].compartment]


def _rpm(rpm: float) -> Callable[[WheelPlan], None]:
    def knob(plan: WheelPlan) -> None:
        plan.rpm = rpm
        plan.settled_s = max(10.0, 2.3 * 60 / rpm)

    return knob


def _rest(seconds: float) -> Callable[[WheelPlan], None]:
    return lambda plan: setattr(plan, "rest_s", seconds)


def _button(at: float | None) -> Callable[[WheelPlan], None]:
    return lambda plan: setattr(plan, "start_button_s", at)


def _stays_in(plan: WheelPlan) -> None:
    plan.lift_after_stop = True


def _thrown_soon(plan: WheelPlan) -> None:
    plan.launch_s = 0.6


def _relaxed(plan: WheelPlan) -> None:
    plan.launch_s = 40.0


def _hop(plan: WheelPlan) -> None:
    plan.hop = (4.0, 2)
    plan.settled_s = 16.0


CLEAN = {
    "slow rotor": _rpm(9),
    "fast rotor": _rpm(32),
    "rest of an instant": _rest(0.1),
    "button well before the motion": _button(-1.2),
    "button after the motion": _button(1.2),
    "button with the motion": _button(0.0),
    "no button": _button(None),
    "ball lifted when the rotor had stopped": _stays_in,
    "ball thrown at once": _thrown_soon,
    "croupier waits for the players": _relaxed,
    "many bounces": lambda plan: setattr(plan, "bounces", 9),
    "ball lies off the centre": lambda plan: setattr(plan, "residual", 0.25),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("knob", CLEAN.values(), ids=CLEAN.keys())
def test_a_clean_coup_gets_its_number_however_it_is_played(
    knob: Callable[[WheelPlan], None], seed: int
) -> None:
    assert outcomes(played(seed, knob)) == ["result"] * 4


def _same_way(plan: WheelPlan) -> None:
    plan.reversed = False


def _with_the_rotor(plan: WheelPlan) -> None:
    plan.with_rotor = True


def _weak(plan: WheelPlan) -> None:
    plan.launch_turn_s = DROP_TURN_S[plan.wheel] * 1.05


@pytest.mark.req("LU-37-1.reversed", "FR-46.reversed", "SD-34.no_spin_direction")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_rotor_that_was_not_reversed_makes_the_coup_void(seed: int) -> None:
    """Luxembourg art. 37-1: « L'employé [...] doit obligatoirement actionner chaque fois le plateau
    mobile dans un sens opposé au précédent »; void or not, the next is opposite to this one."""
    coups = played(seed, _same_way, _same_way)
    assert outcomes(coups) == ["result", *["rotor_not_reversed"] * 2, "result", "result"]


@pytest.mark.req("LU-37-1.against", "FR-46.against", "SD-34.opposite", "SD-34.no_spin_direction")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_thrown_with_the_rotor_makes_the_coup_void(seed: int) -> None:
    """Luxembourg art. 37-1: « et lancer la bille dans le sens inverse »."""
    coups = played(seed, _with_the_rotor)
    assert outcomes(coups) == ["result", "same_direction", "result", "result"]


@pytest.mark.req("SD-34.four_turns", "SD-34.no_spin_turns")
@pytest.mark.parametrize("seed", SEEDS)
def test_fewer_than_four_turns_are_too_few(seed: int) -> None:
    """South Dakota 20:18:34:05-06, Indiana 68 IAC 10-3-3: no spin under four revolutions."""
    session = WheelSession(seed)
    session.play(session.plan())
    plan = session.plan()
    _weak(plan)
    session.play(plan)
    session.play(session.plan())
    coups = in_coups(session.truths, ROULETTE.replayed(session))
    assert coups[1].outcome in ("too_few_turns", "ball_lost")
    assert [coups[0].outcome, coups[2].outcome] == ["result", "result"]


@pytest.mark.req("SD-34.four_turns", "SD-34.no_spin_turns")
@pytest.mark.parametrize(
    ("launch_turn_s", "outcome"),
    [(0.62, "too_few_turns"), (0.7, "too_few_turns"), (0.8, "result")],
)
def test_turns_that_the_beams_have_followed_are_counted(launch_turn_s: float, outcome: str) -> None:
    """A ball whose way is known, and that was called: 3, 3 2/3 and 4 1/3 turns from the first beam
    to the last."""
    session = WheelSession(3, wheel="W1")
    plan = session.plan()
    plan.launch_turn_s = launch_turn_s
    session.play(plan)
    watched = Watched(ROULETTE.controller())
    (one,) = in_coups(session.truths, watched.run(session))
    assert one.one(facts.NoMoreBets)
    assert (watched.core.game.track.turns_uturn() < 4_000_000) is (outcome != "result")
    assert one.outcome == outcome


@pytest.mark.parametrize("seed", range(29, 37))
def test_a_weak_throw_soon_after_the_motion_is_a_coup_too(seed: int) -> None:
    session = WheelSession(seed)
    session.play(session.plan())
    plan = session.plan()
    slow = {"W1": 0.47, "W2": 0.63}[plan.wheel]
    plan.launch_turn_s = slow * session.random.uniform(1, 1.06)
    session.play(plan)
    session.play(session.plan())
    coups = ROULETTE.coups(session)
    assert outcomes(coups)[1] in ("too_few_turns", "ball_lost")
    assert [coups[0].outcome, coups[2].outcome] == ["result", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_coup_without_a_ball_is_void(seed: int) -> None:
    coups = played(seed, lambda plan: setattr(plan, "balls", 0))
    assert outcomes(coups) == ["result", "ball_lost", "result", "result"]


@pytest.mark.req("SD-34.no_spin_out")
@pytest.mark.parametrize("pulses", [0, 1, 2, 5])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_that_leaves_the_wheel_is_no_number_after(seed: int, pulses: int) -> None:
    """South Dakota 20:18:34:06: no spin if the ball leaves the wheel."""
    coups = played(seed, lambda plan: setattr(plan, "lost_after", pulses))
    # With five passings seen it lay where the number says, when the number was decided.
    assert coups[1].outcome == "ball_lost" if pulses < 3 else coups[1].outcome != "2 ends"
    assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.req("LU-37-1.rest")
@pytest.mark.parametrize("turns", [0.3, 0.8])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_lifted_before_the_sensors_agree_is_no_number(seed: int, turns: float) -> None:
    """Luxembourg art. 37-1: « Quand la bille est définitivement arrêtée »."""
    coups = played(seed, lambda plan: setattr(plan, "settled_s", turns * 60 / plan.rpm))
    assert len(coups[1].ends) == 1
    assert isinstance(coups[1].ends[0], facts.Void)
    assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.req("SD-34.no_spin_object")
@pytest.mark.parametrize(("ring", "track"), [(2, 1), (2, 2), (1, 2)])
@pytest.mark.parametrize("seed", SEEDS)
def test_two_balls_are_void(seed: int, ring: int, track: int) -> None:
    def knob(plan: WheelPlan) -> None:
        plan.ring_balls, plan.balls = ring, track

    assert outcomes(played(seed, knob)) == ["result", "two_balls", "result", "result"]


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
@pytest.mark.parametrize("width_mm", [39.0, 20.0, 9.0])
@pytest.mark.parametrize("pockets", [0.0, 0.4, 1.0, 9.3])
@pytest.mark.parametrize("since_s", [-0.5, 5.0])
def test_a_chip_in_the_cylinder_makes_the_coup_void(
    since_s: float, pockets: float, width_mm: float
) -> None:
    """Luxembourg art. 37-1: « Dans le cas où un jeton vient à tomber dans le cylindre pendant le
    mouvement de rotation, le croupier doit arrêter le jeu »."""
    for seed in range(3):
        coups = played(seed, lambda plan: setattr(plan, "things", [(since_s, pockets, width_mm)]))
        assert len(coups[1].ends) == 1
        assert isinstance(coups[1].ends[0], facts.Void)
        # Touching the ball's pocket it is now one thing with it, now another: no agreement.
        blurred = ("timeout", "sensors_disagree") if pockets == 0.4 else ()
        reasons = ("foreign_object", "too_few_turns", "two_balls", *blurred)
        assert coups[1].ends[0].reason in reasons
        assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.parametrize("seed", range(8))
def test_a_ball_that_hops_late_is_told_where_it_lay(seed: int) -> None:
    coups = played(seed, _hop)
    assert len(coups[1].ends) == 1
    assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_thrown_again_in_the_same_coup_is_void_once(seed: int) -> None:
    coups = played(seed, lambda plan: setattr(plan, "relaunch", True))
    assert len(coups[1].ends) == 1
    assert isinstance(coups[1].ends[0], facts.Void)
    assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.parametrize("back", [0.0, 0.04, 0.15])
@pytest.mark.parametrize("at_s", [1.0, 3.0, 9.0])
@pytest.mark.parametrize("rest_s", [0.1, 1.5, 6.0])
def test_a_rotor_that_rests_with_its_ball_in_begins_no_coup(
    rest_s: float, at_s: float, back: float
) -> None:
    """contracts/trace.md: a rotor that comes to rest before its ball is lifted has not begun a new
    one. Nor has one that a hand rocks back a little."""

    def knob(plan: WheelPlan) -> None:
        plan.pause = (at_s, rest_s, back)
        plan.settled_s = at_s + rest_s + 12.0

    for seed in range(2):
        coups = played(seed, knob)
        assert [len(coup.ends) for coup in coups] == [1, 1, 1, 1]
        assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.req("GLI-3.4.4.influence")
@pytest.mark.parametrize("turns", [0.002, 0.006, 0.01, 0.015])
@pytest.mark.parametrize("seed", range(3))
def test_a_hand_that_stirs_the_resting_rotor_begins_no_coup(seed: int, turns: float) -> None:
    coups = played(seed, lambda plan: setattr(plan, "tremble", turns))
    assert outcomes(coups) == ["result"] * 4


@pytest.mark.parametrize("seed", range(8))
def test_coup_nul_at_any_moment_is_void_until_the_number_is_official(seed: int) -> None:
    """Illinois 3000.660(b): no second decision on an outcome."""
    coups = played(seed, lambda plan: setattr(plan, "void_button_s", 0.5 + 3.5 * seed))
    assert coups[1].outcome in ("croupier", "result")
    assert outcomes(coups[2:]) == ["result", "result"]


@pytest.mark.parametrize("seed", SEEDS)
def test_stamps_a_millisecond_off_change_no_number(seed: int) -> None:
    session = WheelSession(seed)
    session.jitter_us = 1_000
    for _ in range(4):
        session.play(session.plan())
    coups = in_coups(session.truths, ROULETTE.replayed(session))
    assert outcomes(coups) == ["result"] * 4
    assert not ROULETTE.wrong_numbers(coups)
    assert not late_calls(coups)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.85, 0.95])
def test_a_trace_cut_anywhere_ends_its_open_coup_once(share: float) -> None:
    session = WheelSession(11)
    for _ in range(2):
        session.play(session.plan())
    start, end = session.truths[1].motion_us, session.truths[1].end_us
    session.cut_at_us = start + int((end - start) * share)
    coups = ROULETTE.coups(session)
    assert not ROULETTE.wrong_numbers(coups)
    assert coups[0].outcome == "result"
    assert coups[1].outcome == "interrupted" or coups[1].outcome == "result"


def test_the_truth_of_the_bench_is_where_its_ball_lies() -> None:
    truth = Truth(0, 0, 50, [(10, 20, 5), (30, 40, 7)])
    assert [truth.lies(at) for at in (5, 15, 25, 35, 45)] == [None, 5, None, 7, None]
