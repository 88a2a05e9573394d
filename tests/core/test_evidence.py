"""What explains a coup is recorded just before its end, and told nobody before."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness.any_wheel import BOARDS, Wheel
from harness.taught import COUPS, remembering
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import facts
from firmware.core.call import predictor
from firmware.core.call.learned import Learned
from firmware.core.coup import evidence, states
from firmware.core.coup.evidence import Evidence
from firmware.core.coup.restart_state import FRESH, RestartState
from firmware.core.sense.ring import Detection

BODY_MAX = 8192  # bytes, however long the names; some 600 as a rule
WORDS = [word for word, _ in (*evidence.CALLS, *evidence.DROPS)]


def told(wheel: Wheel) -> list[Any]:
    return [body for kind, body in wheel.durable if kind == "evidence"]


@pytest.mark.parametrize("board", BOARDS)
def test_each_end_has_its_evidence_just_before_it(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    kinds = [kind for kind, _ in wheel.durable]
    ends = [at for at, kind in enumerate(kinds) if kind == "result"]
    assert [kinds[at - 1] for at in ends] == ["evidence", "evidence"]
    for said, body in zip(told(wheel), wheel.bodies(), strict=True):
        assert (said["coup"], said["seq"]) == (body["coup"], body["seq"])
        assert said["who"] == "auto"
        assert said["layout"] == wheel.rules["layout_hash"]
        assert len(json.dumps(said)) < 1000


@pytest.mark.parametrize("board", BOARDS)
def test_its_times_are_those_of_the_facts_from_the_coups_beginning(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    begun = {fact.coup: fact.at_us for fact in wheel.facts if isinstance(fact, facts.CoupStarted)}
    for said in told(wheel):
        at_us = {
            type(fact): fact.at_us - begun[fact.coup]
            for fact in wheel.facts
            if getattr(fact, "coup", 0) == said["coup"]
        }
        assert said["call"]["at_us"] == at_us[facts.NoMoreBets]
        assert said["drop"]["at_us"] == at_us[facts.BallDropped]
        assert said["ball_us"] == at_us[facts.BallInTrack]
        assert said["at_us"] == at_us[facts.Result]
        if facts.RotorMoving in at_us:
            assert said["rotor_us"] == at_us[facts.RotorMoving]


@pytest.mark.parametrize("board", BOARDS)
def test_why_the_call_came_when_it_did(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    first, second = (said["call"] for said in told(wheel))
    if board == "vingt_trois_ref":
        assert first["why"] == second["why"] == evidence.PRESS
        assert first["press_us"] <= first["at_us"]
    elif board == "boule_ref":
        assert first["why"] == second["why"] == evidence.THROW
        assert first["throw_us"] + first["after_us"] == first["at_us"]
    else:
        assert first["why"] == second["why"] == evidence.PREDICTED
        assert (first["learned"], second["learned"]) == (0, 1)
        for call in (first, second):  # the ball runs the other way: nothing is known of that
            assert call["care"] == predictor.NEW
            assert "drop_us" not in call, "a new wheel knows of no drop yet"


def test_why_the_call_of_a_wheel_that_has_learned_came_when_it_did() -> None:
    wheel = Wheel("roulette_ref", remembering())
    wheel.play_on()
    for coups, said in enumerate(told(wheel)):
        call = said["call"]
        assert call["why"] == evidence.PREDICTED
        assert call["care"] is None
        assert call["learned"] == COUPS + coups
        assert call["at_us"] < said["drop"]["at_us"]
        assert call["at_us"] < call["drop_us"]
        assert call["call_speed_uturn_s"] > call["drop_speed_uturn_s"]
        assert call["lap_us"] < call["guard_lap_us"]


def _guarded_from(lap_s: float) -> RestartState:
    def change(learned: Learned) -> None:
        for model in learned.models:
            model.guard.lap_s = lap_s

    return remembering(change=change)


def test_a_call_by_the_threshold_says_so() -> None:
    """What was learned lets the prediction wait; the lap has become long enough before it."""
    wheel = Wheel("roulette_ref", _guarded_from(1.2))
    wheel.play_on()
    call = told(wheel)[0]["call"]
    assert call["why"] == evidence.THRESHOLD
    assert call["lap_us"] >= call["guard_lap_us"]
    assert call["speed_uturn_s"] > call["call_speed_uturn_s"]


def test_the_call_of_boule_waits_as_long_as_the_house_says() -> None:
    wheel = Wheel("boule_ref", after_throw_us=1_500_000)
    wheel.play_on()
    (call, _) = (said["call"] for said in told(wheel))
    assert (call["after_us"], call["at_us"] - call["throw_us"]) == (1_500_000, 1_500_000)


@pytest.mark.parametrize("board", BOARDS[:2])
def test_every_vote_names_the_number_and_its_worst_residual_is_the_records(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    for said, body in zip(told(wheel), wheel.bodies(), strict=True):
        votes = said["votes"]
        assert {compartment for _, compartment, _, _ in votes} == {body["compartment"]}
        assert max(abs(residual) for _, _, residual, _ in votes) == body["residual_uturn"]
        assert len(votes) == body["votes"]
        assert len({sensor for sensor, *_ in votes}) == body["sensors"] == 3
        assert body["residual_uturn"] <= said["limit_uturn"]
        assert body["compartment"] not in {compartment for _, compartment, _, _ in said["against"]}


def test_a_dish_tells_which_cup_is_dark_since_when() -> None:
    wheel = Wheel("boule_ref")
    wheel.play_on()
    for said, body in zip(told(wheel), wheel.bodies(), strict=True):
        ((cup, since_us),) = said["cups"]
        assert cup == body["compartment"]
        assert said["at_us"] - since_us >= body["held_us"]


@pytest.mark.req("UK-3.1b.audit")
@pytest.mark.parametrize("board", BOARDS)
def test_a_void_tells_what_was_seen_and_what_was_told_of_it(board: str) -> None:
    wheel = Wheel(board)
    wheel.until_state(states.BALL_DROPPED)
    wheel.event(facts.Trouble(wheel.at_us, "M12", ""))
    said = wheel.evidence()
    begun_us = next(fact.at_us for fact in wheel.facts if isinstance(fact, facts.CoupStarted))
    assert said["faults"] == [[wheel.at_us - begun_us, "M12", ""]]
    assert said["turns_uturn"] > 0
    assert "who" not in said
    assert ("cups" if board == "boule_ref" else "against") in said


def test_who_declared_a_void_stands_in_its_evidence_alone() -> None:
    wheel = Wheel("roulette_ref")
    wheel.until_state(states.NO_MORE_BETS)
    wheel.event(facts.VoidAsked(wheel.at_us, "anna"))
    assert wheel.evidence()["who"] == "anna"
    assert set(wheel.durable[-1][1]) == {
        "reason", "coup", "seq", "rotor", "ball", "rules", "layout_verified"
    }  # fmt: skip


@pytest.mark.req("LU-house.computer")
@pytest.mark.parametrize("board", BOARDS)
def test_nothing_that_predicts_leaves_before_the_end(board: str) -> None:
    """DESIGN section 1: until the call nothing that predicts leaves the core."""
    wheel = Wheel(board)
    while wheel.core.state != states.CONFIRMED:
        wheel.edge(*wheel._left.pop(0))
        if wheel.core.table.open:
            assert not told(wheel)
            assert all("_us" not in key for _, body in wheel.durable for key in body)


def test_a_coup_that_a_restart_interrupted_says_no_more_than_that() -> None:
    wheel = Wheel("roulette_ref", FRESH._replace(coup=6, seq=6, open_coup=7))
    said = wheel.evidence()
    assert set(said) == {"coup", "seq", "layout"}


def test_between_two_coups_nothing_is_kept_for_the_next() -> None:
    wheel = Wheel("roulette_ref")
    wheel.until_state(states.CONFIRMED)
    wheel.event(facts.Trouble(wheel.at_us, "W25", "0x20"))
    wheel.play_on()
    assert "faults" not in told(wheel)[1]


names = st.text(max_size=64)


@given(
    st.lists(
        st.builds(
            Detection,
            st.integers(0, 2**41),
            st.integers(0, 11),
            st.integers(0, 36),
            st.integers(-13_000, 13_000),
            st.integers(0, 10**6),
            st.integers(),
        ),
        max_size=40,
    ),
    st.lists(st.tuples(st.integers(0, 2**41), names, names), max_size=20),
    st.lists(st.tuples(st.integers(0, 35), st.integers(0, 2**41)), max_size=36),
    names,
    names,
    st.text(max_size=200),
)
def test_it_stays_small_whatever_happened(
    detections: Any, faults: Any, cups: Any, who: str, manager: str, why: str
) -> None:
    kept = Evidence()
    kept.begin_coup(0)
    kept.event("call", 1, {"why": evidence.PREDICTED, "drop_us": 2**41, "lap_us": 2**41})
    kept.detections("votes", detections)
    kept.detections("against", detections)
    kept.cups(cups)
    for fault in faults:
        kept.fault(*fault)
    for key, value in (("who", who), ("manager", manager), ("why", why)):
        kept.note(key, value)
    said = kept.body(2**41)
    assert len(json.dumps(said, ensure_ascii=False).encode()) <= BODY_MAX
    assert len(said["votes"]) == min(len(detections), evidence.DETECTIONS_MAX)
    assert (said["who"], said["why"]) == (who, why)
    assert kept.body(1) == {"at_us": 1}


def test_every_reason_has_words() -> None:
    assert {evidence.PREDICTED, evidence.THRESHOLD, evidence.PEOPLE, "ring", "cup"} <= set(WORDS)
