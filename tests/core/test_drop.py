"""When to call: never after the drop, and as late as what was learned allows."""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

import pytest
from harness.places import RIM, RIM_BALL
from harness.wheel import WheelSession
from hypothesis import given
from hypothesis import strategies as st

import boards
from firmware.core.call import predictor
from firmware.core.call.predictor import CAUTIOUS_TURN_S, CallPredictor
from firmware.core.facts import CCW, CallProgress
from firmware.core.sense.beams import BallTrack, Crossing
from firmware.core.sense.drop_detector import ONE_BEAM, SILENT_BEAMS
from firmware.core.units import TURN

GEOMETRY = boards.load("roulette_ref")["geometry"]
DAY_US = 86_400_000_000

Edges = list[tuple[int, int, int]]


def spins(wheel: str, coups: int, seed: int) -> list[tuple[Edges, int]]:
    """For each throw its edges of the rim, and when it left the track."""
    found = []
    for n in range(coups):
        session = WheelSession(seed * 1000 + n, wheel=wheel)
        ball, left = session._throw(session.plan(), 1.0)
        edges = []
        for beam, place in enumerate(RIM):
            for begin, end in ball.near(place, RIM_BALL, 1.0, left):
                edges += [(int(begin * 1e6), beam, 1), (int(end * 1e6), beam, 0)]
        found.append((sorted(edges), int(left * 1e6)))
    return found


def fresh(call_us: int = 0) -> CallPredictor:
    """Of a new wheel."""
    return CallPredictor(GEOMETRY, None, call_us=call_us)


def call_of(call_predictor: CallPredictor, edges: Edges) -> tuple[int, BallTrack]:
    """When it calls, as the controller asks it: at each crossing, or at the time it gave."""
    track = BallTrack(GEOMETRY)
    call_predictor.forget_coup()
    due = None
    for at_us, beam, level in edges:
        if due is not None and due <= at_us:
            return due, track
        if track.edge(at_us, beam, level) and track.direction:
            due = call_predictor.crossed(track.crossings, track.direction)
            if due is not None and due <= at_us:
                return at_us, track
    assert due is not None
    return due, track


def learn(call_predictor: CallPredictor, edges: Edges) -> list[tuple[str, str]]:
    track = BallTrack(GEOMETRY)
    call_predictor.forget_coup()
    for edge in edges:
        if track.edge(*edge) and track.direction:
            call_predictor.crossed(track.crossings, track.direction)
    return list(
        chain.from_iterable(
            call_predictor.left(track.crossings[-1].at_us + track.beam_us() * ONE_BEAM // 10)
        )
    )


def play(call_predictor: CallPredictor, edges: Edges) -> int:
    """A coup as the core plays it: a ball that is silent before its call was called late."""
    called_us, track = call_of(call_predictor, edges)
    if called_us > track.crossings[-1].at_us + track.beam_us() * SILENT_BEAMS // 10:
        call_predictor.called_late()
    learn(call_predictor, edges)
    return called_us


@pytest.fixture(scope="module")
def throws() -> list[tuple[Edges, int]]:
    """Forty of one wheel, for tests that only need some."""
    return spins("W2", 40, seed=8)


@pytest.fixture
def taught(throws: list[tuple[Edges, int]]) -> CallPredictor:
    """A call_predictor that has learned from all but the last."""
    call_predictor = fresh()
    for edges, _ in throws[:-1]:
        learn(call_predictor, edges)
    return call_predictor


def slowing(laps: float, beams: int = 3) -> list[Crossing]:
    """A ball of about .55 turn/s that slows evenly, ccw."""
    share = TURN // beams
    steps = round(laps * beams) + 1
    return [
        Crossing(n * 1_800_000 // beams + n * n * 20_000, n % beams, n * share)
        for n in range(steps)
    ]


def lapping(lap_s: float) -> list[Crossing]:
    """Two laps of three beams at that pace, hardly slowing."""
    return [
        Crossing(int(n * lap_s / 3 * 1e6 * (1 + n / 1000)), n % 3, n * TURN // 3) for n in range(7)
    ]


# --- no call is late ----------------------------------------------------------------------------
@pytest.mark.req("LU-37-1.call", "FR-46.call")
@pytest.mark.parametrize("wheel", ["W1", "W2"])
def test_no_call_is_late_from_the_first_coup_on(wheel: str) -> None:
    call_predictor = fresh()
    leads = []
    for edges, left_us in spins(wheel, 120, seed=1):
        called_us, _ = call_of(call_predictor, edges)
        leads.append(left_us - called_us)
        learn(call_predictor, edges)
    assert min(leads) > 0
    # And it earns its margin: what a new wheel gives away is won back.
    assert sorted(leads[60:])[30] < sorted(leads[:3])[1]


@pytest.mark.req("LU-37-1.open")
@pytest.mark.parametrize("wheel", ["W1", "W2"])
def test_bets_are_taken_until_the_ball_is_about_to_leave_the_track(wheel: str) -> None:
    """Luxembourg art. 37-1: « Tant que la force centrifuge retient la bille dans la galerie, les
    joueurs peuvent continuer à miser, mais dès que le mouvement de la bille se ralentit et que
    celle-ci est sur le point de tomber dans le cylindre, le croupier annonce « rien ne va plus »
    »: of a wheel that is known bets stay open for all but the last 2.5 s of a ball's way."""
    call_predictor = fresh()
    throws = spins(wheel, 60, seed=7)
    leads_us = []
    for edges, left_us in throws:
        leads_us.append(left_us - play(call_predictor, edges))
    assert all(0 < lead_us < 2_500_000 for lead_us in leads_us[-20:]), leads_us[-20:]
    # That is late: the ball is in the track for ten times as long.
    assert all(left_us - edges[0][0] > 8_000_000 for edges, left_us in throws)


def test_a_wheel_that_lets_go_earlier_than_it_used_to_is_learned_again() -> None:
    """A new ball, a cleaned track: what was learned is wrong, and late calls must not go on."""
    call_predictor = fresh()
    for edges, _ in spins("W1", 20, seed=2):
        learn(call_predictor, edges)
    late = []
    for edges, left_us in spins("W2", 12, seed=3):
        late.append(play(call_predictor, edges) > left_us)
    assert sum(late) == 1 and late.index(True) < 2  # the core saw it (C10)


# --- the cautious start -------------------------------------------------------------------------
def test_a_new_wheel_calls_at_the_cautious_speed() -> None:
    """PHYSICS.md: the steepest track lets go at 3.81 rad/s."""
    call_predictor = fresh()
    at_us = call_predictor.crossed(slowing(1.34), CCW)
    said = call_predictor.explain("predicted")
    assert said["care"] == predictor.NEW
    assert said["call_speed_uturn_s"] == int(CAUTIOUS_TURN_S * 1e6)
    assert at_us <= slowing(1.34)[-1].at_us  # this ball is slower already: call now
    assert CAUTIOUS_TURN_S > 3.81 / (2 * math.pi) * 1.1


def test_both_directions_earn_their_margins_together(throws: list[tuple[Edges, int]]) -> None:
    """The first coups are called with caution, whichever way they run; then none is."""
    call_predictor = fresh()
    cared = []
    for edges, _ in throws[:-1]:
        learn(call_predictor, edges)
        cared.append(call_predictor.explain("predicted")["care"])
    # What explains a call is asked for after the coup has taught: one coup less is cautious.
    first, later = cared[: predictor.EARNED_COUPS], cared[predictor.EARNED_COUPS :]
    assert first == [predictor.NEW] * predictor.EARNED_COUPS and set(later) == {None}


def test_what_is_explained_is_what_was_learned(throws: list[tuple[Edges, int]]) -> None:
    """Where caution speaks no chance was aimed at, and no drop has told its speed yet."""
    call_predictor = fresh()
    for edges, _ in throws[:2]:
        learn(call_predictor, edges)
    call_predictor.crossed(slowing(1.34), CCW)
    said = call_predictor.explain("predicted")
    assert said["learned"] == 2 and "late_ppb" not in said and "drop_speed_uturn_s" not in said


def test_a_late_call_puts_it_back_to_the_cautious_speed(taught: CallPredictor) -> None:
    taught.crossed(slowing(2), CCW)
    assert taught.explain("predicted")["care"] is None
    taught.called_late()
    taught.crossed(slowing(2.4), CCW)
    assert taught.explain("predicted")["care"] == predictor.NEW
    assert taught.progress(0).why == predictor.RELEARNING


# --- the time to call ---------------------------------------------------------------------------
@given(st.integers(1, 3_000_000))
def test_a_call_that_takes_so_long_begins_so_much_earlier(call_us: int) -> None:
    """DESIGN section 3: less the time the call takes (call_s)."""
    fast = lapping(0.9)
    at_once = fresh().crossed(fast, CCW)
    assert at_once > fast[-1].at_us
    assert fresh(call_us).crossed(fast, CCW) == at_once - call_us


def test_a_longer_call_is_earlier_on_a_wheel_that_has_learned(
    throws: list[tuple[Edges, int]], taught: CallPredictor
) -> None:
    edges, left_us = throws[-1]
    spoken = CallPredictor(GEOMETRY, taught.plain(), call_us=1_000_000)
    called_us, _ = call_of(taught, edges)
    spoken_us, _ = call_of(spoken, edges)
    assert called_us < left_us
    # What is known of the ball a second earlier is a little less.
    assert called_us - 1_100_000 < spoken_us < called_us - 900_000


def test_without_a_whole_lap_nothing_is_predicted_nor_said() -> None:
    call_predictor = fresh()
    assert call_predictor.crossed([Crossing(0, 0, 0), Crossing(200_000, 1, TURN // 3)], CCW) is None
    said = call_predictor.explain("silence")
    assert said == {"why": "silence", "call_us": 0, "learned": 0}
    assert not call_predictor.guarded()
    assert (
        list(chain.from_iterable(call_predictor.left(900_000))) == []
        and call_predictor.progress(0).coups == 0
    )


def test_the_uptime_changes_nothing(throws: list[tuple[Edges, int]], taught: CallPredictor) -> None:
    """Floats only ever see times of the coup: after days they would lose the milliseconds."""
    other = CallPredictor(GEOMETRY, taught.plain(), call_us=0)
    again = CallPredictor(GEOMETRY, taught.plain(), call_us=0)
    edges, _ = throws[-1]
    later = [(at_us + 400 * DAY_US, beam, level) for at_us, beam, level in edges]
    called_us, _ = call_of(other, edges)
    assert call_of(again, later)[0] == called_us + 400 * DAY_US


def test_the_same_crossings_give_the_same_call(throws: list[tuple[Edges, int]]) -> None:
    assert len({call_of(fresh(), throws[0][0])[0] for _ in range(3)}) == 1


def test_asking_twice_changes_nothing(
    throws: list[tuple[Edges, int]], taught: CallPredictor
) -> None:
    edges, _ = throws[-1]
    _, track = call_of(taught, edges)
    once = taught.crossed(track.crossings, track.direction)
    said = taught.explain("predicted")
    assert taught.crossed(track.crossings, track.direction) == once
    assert taught.explain("predicted") == said


def test_a_smaller_share_of_late_calls_is_paid_with_an_earlier_call(
    throws: list[tuple[Edges, int]], taught: CallPredictor
) -> None:
    edges, left_us = throws[-1]
    calls = [
        call_of(CallPredictor(GEOMETRY, taught.plain(), call_us=0, late_ppb=ppb), edges)[0]
        for ppb in (1, 1_000, 1_000_000, 100_000_000)
    ]
    assert calls == sorted(calls) and calls[0] < calls[-1] and calls[1] < left_us


# --- the guard ----------------------------------------------------------------------------------
@pytest.mark.req("FR-46.call")
def test_the_guard_speaks_when_a_lap_is_as_long_as_the_last_ones_were() -> None:
    call_predictor = fresh()
    model = call_predictor.learned.model(CCW)
    model.coups, model.guard.coups, model.guard.lap_s = 50, 8, 2.0
    slow = lapping(2.1)
    assert call_predictor.crossed(slow, CCW) == slow[-1].at_us and call_predictor.guarded()
    said = call_predictor.explain("threshold")
    assert said["guard_lap_us"] == 2_000_000 < said["lap_us"]
    call_predictor.forget_coup()
    call_predictor.crossed(lapping(1.0), CCW)
    assert not call_predictor.guarded()


def test_a_new_wheels_guard_speaks_at_the_cautious_lap() -> None:
    call_predictor = fresh()
    lap_s = 1 / CAUTIOUS_TURN_S
    call_predictor.crossed(lapping(lap_s * 1.01), CCW)
    assert call_predictor.guarded()
    call_predictor.forget_coup()
    call_predictor.crossed(lapping(lap_s * 0.99), CCW)
    assert not call_predictor.guarded()


# --- what is fast -------------------------------------------------------------------------------
@given(st.integers(1, 10_000_000))
def test_fast_is_a_ball_well_above_any_speed_at_which_one_leaves(lap_us: int) -> None:
    assert fresh().fast(lap_us) == (1e6 / lap_us > 1.3 * CAUTIOUS_TURN_S)


# --- what a coup teaches ------------------------------------------------------------------------
def test_a_ball_taken_out_of_the_track_at_speed_teaches_nothing() -> None:
    call_predictor = fresh()
    before = call_predictor.plain()
    laps = lapping(0.8)
    call_predictor.crossed(laps, CCW)
    assert list(chain.from_iterable(call_predictor.left(laps[-1].at_us + 270_000))) == []
    assert call_predictor.plain() == before


def followed(call_predictor: CallPredictor, edges: Edges, until_us: int) -> BallTrack:
    """The ball as far as the beams had seen it by then."""
    track = BallTrack(GEOMETRY)
    call_predictor.forget_coup()
    for edge in edges:
        if edge[0] <= until_us and track.edge(*edge) and track.direction:
            call_predictor.crossed(track.crossings, track.direction)
    return track


@pytest.mark.req("LU-37-1.call")
def test_a_ball_that_is_struck_as_the_call_is_made_may_have_left_before_it(
    throws: list[tuple[Edges, int]], taught: CallPredictor
) -> None:
    """A campaign, seed 11: knocked off .13 s before the call, and no beam came between."""
    called = [(edges, call_of(taught, edges)[0]) for edges, _ in throws]
    found = []
    for edges, called_us in called:
        track = followed(taught, edges, called_us)
        last_us, beam_us = track.crossings[-1].at_us, track.beam_us()
        assert not taught.struck(last_us, last_us + beam_us * ONE_BEAM // 10)  # it was seen since
        found.append(taught.struck(called_us, last_us + beam_us * ONE_BEAM // 10))
    # The others are called so near the usual drop that the ball may have left by itself.
    assert len(found) / 4 < sum(found) < len(found)


def test_a_ball_that_leaves_by_itself_was_not_struck(
    throws: list[tuple[Edges, int]], taught: CallPredictor
) -> None:
    for edges, left_us in throws:
        called_us = call_of(taught, edges)[0]
        track = followed(taught, edges, left_us)
        missing_us = track.crossings[-1].at_us + track.beam_us() * ONE_BEAM // 10
        assert not taught.struck(called_us, missing_us)


def test_nothing_is_learned_before_the_ball_has_left(throws: list[tuple[Edges, int]]) -> None:
    call_predictor = fresh()
    call_of(call_predictor, throws[0][0])
    assert call_predictor.progress(0) == CallProgress(0, 0, None, predictor.NEW)
    assert call_predictor.plain() == fresh().plain()


def test_it_stands_from_new_over_learning_to_learned() -> None:
    call_predictor = fresh()
    stood = [call_predictor.progress(0)]
    for edges, _ in spins("W2", predictor.LEARNED_COUPS, seed=5):
        assert learn(call_predictor, edges) == []
        stood.append(call_predictor.progress(0))
    assert [one.coups for one in stood] == list(range(predictor.LEARNED_COUPS + 1))
    assert stood[0] == CallProgress(0, 0, None, predictor.NEW)
    assert {one.why for one in stood[1:-1]} == {predictor.LEARNING}
    assert stood[-1].why == predictor.KNOWN
    leads = [one.lead_us for one in stood[1:]]
    assert all(0 < lead_us < 10_000_000 for lead_us in leads)
    assert leads[-1] < leads[0]


def test_what_is_expected_at_the_drop_is_about_what_comes(
    throws: list[tuple[Edges, int]], taught: CallPredictor
) -> None:
    edges, left_us = throws[-1]
    called_us, _ = call_of(taught, edges)
    said = taught.explain("predicted")
    assert all(value is None or isinstance(value, (int, str)) for value in said.values())
    assert said["call_speed_uturn_s"] > said["drop_speed_uturn_s"]
    assert called_us < said["drop_us"]
    assert abs(said["drop_us"] - left_us) < 1_000_000


def test_the_first_coups_are_recorded_at_once_and_then_every_eighth(
    throws: list[tuple[Edges, int]],
) -> None:
    call_predictor = fresh()
    recorded = []
    for coup, (edges, _) in enumerate(throws, start=1):
        learn(call_predictor, edges)
        if call_predictor.to_record() is not None:
            recorded.append(coup)
    assert recorded == [1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32, 40]


def test_a_late_call_is_recorded_at_once(
    throws: list[tuple[Edges, int]], taught: CallPredictor
) -> None:
    assert taught.learned.coups % predictor.RECORDED_EACH and taught.to_record() is None
    taught.called_late()
    recorded: Any = taught.to_record()
    assert CallPredictor(GEOMETRY, recorded, call_us=0).progress(0).why == predictor.RELEARNING
    assert taught.to_record() is None
