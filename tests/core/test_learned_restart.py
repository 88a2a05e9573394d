"""What was learned about the call outlives a restart, or is refused and learned anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from harness.playing import ROULETTE, in_coups, late_calls
from harness.stage import goes_on, session_of, stopped_in
from harness.taught import COUPS, GEOMETRY, VALUES, played, recorded, remembering, rows
from harness.watched import Watched
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.core import facts
from firmware.core.call import change_detection, learned, predictor
from firmware.core.call.margin import SCATTERS
from firmware.core.call.predictor import CAUTIOUS_TURN_S, CallPredictor
from firmware.core.controller import Controller
from firmware.core.coup import states as coup_states
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import CCW, CW
from firmware.core.sense.beams import Crossing
from firmware.core.units import TURN

DAMAGED, OTHER_VERSION = learned.DAMAGED, learned.OTHER_VERSION
Rows = list[Any]
WITH_DROPS = 3  # the version that recorded drops by their places as well


def started(plain: Any, *, coups: int = COUPS, geometry: Any = GEOMETRY) -> Watched:
    """A ROULETTE.controller that has just begun with what was recorded."""
    board = ROULETTE.board | {"geometry": geometry}
    restart_state = FRESH._replace(coup=coups, seq=coups, learned=plain)
    watched = Watched(Controller(board, ROULETTE.rules, restart_state=restart_state))
    watched.start(None)
    return watched


def refused(plain: Any, **more: Any) -> str:
    """Why it is not used, in the words of the one notice that comes before anything else."""
    watched = started(plain, **more)
    (told,) = watched.facts
    assert isinstance(told, facts.Fault)
    assert told.code == "W51"
    call_predictor = watched.core.game.predictor
    fresh = CallPredictor(watched.core.game.predictor._geometry, None, call_us=0)
    assert call_predictor.plain() == fresh.plain(), "something of it was kept"
    for reason in (DAMAGED, OTHER_VERSION, learned.OTHER_WHEEL, learned.MISSING):
        if reason in told.text:
            return reason
    raise AssertionError(told.text)


def sealed(plain: Rows) -> Rows:
    """With a checksum that fits."""
    return [*plain[:-1], learned._checksum(plain[:-1])]


# --- taken up again -----------------------------------------------------------------------------
@pytest.mark.req("OK-18.state")
def test_what_is_recorded_is_taken_up_as_it_was() -> None:
    watched = started(recorded())
    assert watched.facts == []
    call_predictor = watched.core.game.predictor
    assert call_predictor.refusal is None
    assert call_predictor.plain() == recorded()
    assert len(recorded()) == VALUES
    assert call_predictor.progress(0).coups == COUPS
    assert call_predictor.progress(0).why == predictor.LEARNING


def test_what_was_recorded_with_drops_by_their_places_is_taken_up_without_them() -> None:
    """A wheel that is updated calls as it did."""
    now = recorded()
    before = learned.Learned(3)
    fields = learned._of_model(3)
    places = [at for at, field in enumerate(fields) if field.name == ""]
    assert [fields[at].count for at in places] == [3]
    at = sum(max(field.count, 1) for field in fields[: places[0]])
    of_model = sum(max(field.count, 1) for field in fields if field.name)
    old = [WITH_DROPS, *now[1:5], 7, *now[5 : 5 + len(before.change_detector.sums)]]
    begins = len(old) - 1
    for first in (begins, begins + of_model):
        old += [*now[first : first + at], 1, 2, 3, *now[first + at : first + of_model]]
    old += now[begins + 2 * of_model :]
    assert started(sealed(old)).core.game.predictor.plain() == now
    assert refused(sealed([WITH_DROPS, *now[1:]])) == DAMAGED


def test_a_new_wheels_state_is_taken_up_too() -> None:
    fresh = CallPredictor(GEOMETRY, None, call_us=0).plain()
    assert started(fresh).core.game.predictor.plain() == fresh


def test_after_a_restart_it_calls_as_it_would_have() -> None:
    """Rounded as it is recorded, to well under what a beam's time is worth."""
    session = played(COUPS + 6)
    at_once = Watched(ROULETTE.controller())
    at_once.run(session)
    split_us = session.truths[COUPS - 1].end_us
    levels = [0] * len(ROULETTE.board["inputs"])
    for at_us, line, level in session.edges():
        if at_us <= split_us:
            levels[line] = level
    again = Watched(ROULETTE.controller(restart_state=remembering()))
    again.start(levels)
    again.at_us = split_us
    goes_on(again, session)
    again.end()
    calls = [
        [fact.at_us for fact in seen.facts if isinstance(fact, facts.NoMoreBets)]
        for seen in (at_once, again)
    ]
    assert len(calls[1]) == 6
    for before, after in zip(calls[0][-6:], calls[1], strict=True):
        assert abs(before - after) <= 1_000


class Ball:
    """Throws of any kind: what a track could tell of them."""

    def __init__(self, call_predictor: CallPredictor) -> None:
        self.predictor = call_predictor

    def throw(self, way: int, start: float, slowing: float, missed: int, silent_s: float) -> None:
        self.predictor.forget_coup()
        crossings: list[Crossing] = []
        at_s, speed = 1.0, start
        for n in range(60):
            if n % 7 != missed:
                beam = n % 3 if way == CCW else -n % 3
                crossings = [*crossings, Crossing(int(at_s * 1e6), beam, n * TURN // 3)][-17:]
                self.predictor.crossed(crossings, way)
            at_s += 1 / 3 / speed
            speed -= slowing / 3 / speed
            if speed < 0.15:
                break
        if crossings:
            list(
                chain.from_iterable(self.predictor.left(crossings[-1].at_us + int(silent_s * 1e6)))
            )
        self.predictor.explain("predicted")


throws = st.tuples(
    st.sampled_from((CCW, CW)),
    st.floats(0.3, 2.0),
    st.floats(0.0, 0.4),
    st.integers(0, 9),
    st.floats(0.01, 3.0),
)


@settings(max_examples=60)
@given(st.lists(throws, max_size=30), st.booleans())
def test_whatever_the_balls_did_what_is_recorded_is_taken_up(some: Any, late: bool) -> None:
    call_predictor = CallPredictor(GEOMETRY, None, call_us=0)
    ball = Ball(call_predictor)
    for throw in some:
        ball.throw(*throw)
    if late:
        call_predictor.called_late()
    plain = call_predictor.plain()
    again = CallPredictor(GEOMETRY, plain, call_us=0)
    assert again.refusal is None
    assert again.plain() == plain
    assert all(type(value) is int for value in plain)


def test_what_has_wandered_beyond_a_limit_is_recorded_as_the_limit() -> None:
    """Or the next start would refuse all that was learned."""
    call_predictor = CallPredictor(GEOMETRY, None, call_us=0)
    one = call_predictor.learned
    one.coups, one.lead_us = 10**12, 10**9
    one.models[0].margin.means = [-2.5] * len(one.models[0].margin.means)
    one.models[1].curve.values = [0.5] * len(one.models[1].curve.values)
    again = CallPredictor(GEOMETRY, call_predictor.plain(), call_us=0)
    assert again.refusal is None
    assert again.plain() == call_predictor.plain()
    assert set(again.learned.models[0].margin.means) == {0.1}


# --- refused ------------------------------------------------------------------------------------
def test_nothing_recorded_is_no_news_of_a_new_wheel_and_is_of_one_that_has_played() -> None:
    assert started(None, coups=predictor.RECORDED_EACH).facts == []
    assert refused(None, coups=predictor.RECORDED_EACH + 1) == learned.MISSING


@pytest.mark.parametrize("old", [[1, 0.52, 0.0, 1.7], [2, 0.52, 0.001, 1.7], [12, 0.5, 0.1, 1.0]])
def test_what_the_version_before_recorded_is_another_versions(old: Rows) -> None:
    assert refused(old) == OTHER_VERSION


@pytest.mark.parametrize("version", [1, 2, 5, -1, 0, 10**30])
def test_a_newer_version_is_not_guessed_at(version: int) -> None:
    assert refused(sealed([version, *recorded()[1:]])) == OTHER_VERSION
    assert refused([version, {"curve": [1.5]}, "x"]) == OTHER_VERSION
    assert refused([version]) == OTHER_VERSION


@pytest.mark.parametrize(
    "other",
    [
        {"ball_mm": 18},
        {"track_radius_mm": GEOMETRY["track_radius_mm"] + 1},
        {"rim_deg": [0, 120, 241]},
        {"rim_deg": [0, 90, 180, 270]},
        {"rim_deg": [0]},
    ],
    ids=str,
)
def test_what_another_wheel_taught_is_not_used(other: Any) -> None:
    geometry = GEOMETRY | other
    assert geometry != GEOMETRY
    assert refused(recorded(), geometry=geometry) == learned.OTHER_WHEEL


@pytest.mark.parametrize("place", range(0, VALUES, 7))
@pytest.mark.parametrize("by", [-1, 1, 1 << 20])
def test_a_value_that_was_altered_is_noticed_though_it_could_be(place: int, by: int) -> None:
    plain = recorded()
    plain[place] += by
    read = place or plain[0] == WITH_DROPS
    assert refused(plain) == (DAMAGED if read else OTHER_VERSION)


@settings(max_examples=200)
@given(st.integers(0, VALUES - 1))
def test_a_row_that_was_cut_is_noticed(length: int) -> None:
    assert refused(recorded()[:length]) == DAMAGED
    if length > 2:  # the version and the wheel are there
        assert refused(sealed(recorded()[:length])) == DAMAGED


def nested(inner: Any) -> Any:
    """As JSON nests values."""
    return st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)


scalars = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8)
whatever = scalars | nested(scalars | nested(scalars))


@given(st.lists(whatever, min_size=1, max_size=6))
def test_a_row_that_was_extended_is_noticed(more: Rows) -> None:
    for plain in ([*recorded(), *more], [*recorded()[:-1], *more, recorded()[-1]]):
        assert refused(plain) in (DAMAGED, OTHER_VERSION)


@pytest.mark.parametrize("more", [[0], [1], [0, 0], [10] * 40])
def test_a_row_of_a_longer_form_is_refused_though_the_checksum_fits(more: Rows) -> None:
    assert refused(sealed([*recorded()[:-1], *more, 0])) == DAMAGED


@pytest.mark.parametrize("scatters", [1, len(SCATTERS)])
def test_directions_that_have_more_in_common_than_either_is_unsure_of_are_refused(
    scatters: int,
) -> None:
    """The next drop would make a variance negative."""
    row = recorded()
    assert refused(sealed([*row[: -scatters - 1], *[10**12] * scatters, row[-1]])) == DAMAGED


@settings(max_examples=300)
@given(whatever.filter(lambda value: value is not None))
def test_whatever_was_recorded_instead_is_refused(plain: Any) -> None:
    assert refused(plain) in (DAMAGED, OTHER_VERSION)


@settings(max_examples=300)
@given(st.integers(2, VALUES - 2), st.integers() | st.integers(-(10**400), 10**400))
def test_a_value_that_could_not_be_is_refused_though_the_checksum_fits(
    place: int, value: int
) -> None:
    """And one that could be gives no call later than the cautious one."""
    plain = sealed([*recorded()[:place], value, *recorded()[place + 1 :]])
    call_predictor = CallPredictor(GEOMETRY, plain, call_us=0)
    if call_predictor.refusal is not None:
        assert refused(plain) == DAMAGED
        return
    crossings = [Crossing(n * 650_000 + n * n * 20_000, n % 3, n * TURN // 3) for n in range(6)]
    call_predictor.crossed(crossings, CCW)
    assert call_predictor.explain("predicted")["call_speed_uturn_s"] <= CAUTIOUS_TURN_S * 1e6
    list(chain.from_iterable(call_predictor.left(crossings[-1].at_us + 900_000)))
    assert call_predictor.plain()


# What becomes of the row that was recorded.
BROKEN: dict[str, Callable[[Rows], Any]] = {
    "missing": lambda row: None,
    "empty": lambda row: [],
    "old": lambda row: [12, 0.52, 0.001, 1.7],
    "newer": lambda row: sealed([5, *row[1:]]),
    "cut": lambda row: row[:90],
    "altered": lambda row: [*row[:60], 0, *row[61:]],
    "no list": lambda row: {"learned": 1},
    "huge": lambda row: sealed([*row[:20], 10**400, *row[21:]]),
}


@pytest.fixture(scope="module")
def new_wheel() -> list[Any]:
    """What a new wheel says of three coups."""
    return Watched(ROULETTE.controller(restart_state=FRESH._replace(coup=COUPS, seq=COUPS))).run(
        session_of(3)
    )


@pytest.mark.parametrize("how", BROKEN)
def test_a_wheel_whose_state_is_refused_plays_as_a_new_one(how: str, new_wheel: list[Any]) -> None:
    restart_state = FRESH._replace(coup=COUPS, seq=COUPS, learned=BROKEN[how](recorded()))
    session = session_of(3)
    told = Watched(ROULETTE.controller(restart_state=restart_state)).run(session)
    assert isinstance(told[0], facts.Fault)
    assert told[0].code == "W51"
    assert told[1:] == new_wheel[1:]
    assert not late_calls(in_coups(session.truths, told[1:]))
    assert [type(fact) for fact in told if isinstance(fact, (facts.Result, facts.Void))] == [
        facts.Result
    ] * 3


def test_where_it_stands_says_so_until_enough_is_learned_anew() -> None:
    watched = Watched(ROULETTE.controller(restart_state=FRESH._replace(learned=[])))
    watched.run(session_of(2))
    told = [order for order in watched.orders if isinstance(order, facts.CallProgress)]
    assert [(one.coups, one.why) for one in told] == [(n, predictor.REFUSED) for n in range(3)]


# --- recorded -----------------------------------------------------------------------------------
def test_it_is_recorded_after_each_of_the_first_coups_and_then_after_every_eighth() -> None:
    watched = Watched(ROULETTE.controller())
    watched.run(session_of(20))
    coups = [body.get("coup") for kind, body in watched.durable if kind == "result"]
    assert coups == list(range(1, 21))
    found = [plain[2] for plain in rows(watched)]
    assert found == [1, 2, 3, 4, 5, 6, 7, 8, 16]
    # A restart after any coup loses what less than eight have taught.
    lost = [coup - max(n for n in [0, *found] if n <= coup) for coup in coups]
    assert max(lost) < predictor.RECORDED_EACH == 8


def test_it_is_durable_no_later_than_the_end_of_its_coup() -> None:
    watched = Watched(ROULETTE.controller(), delay_us=700_000)
    watched.run(session_of(3))
    kinds = [kind for kind, _ in watched.durable if kind in ("learned", "result")]
    assert kinds == ["learned", "result"] * 3


def test_a_drift_is_recorded_at_once_with_its_notice() -> None:
    def changed(one: learned.Learned) -> None:
        one.change_detector.sums = [change_detection.SUM_MAX] * change_detection.TESTS

    watched = Watched(ROULETTE.controller(restart_state=remembering(change=changed)))
    watched.run(session_of())
    assert watched.codes == ["W52"]
    (row,) = rows(watched)
    again = started(row)
    assert again.facts == []
    assert again.core.game.predictor.progress(0).why == predictor.RELEARNING


def test_a_call_that_came_late_is_recorded_at_once() -> None:
    session = session_of()
    watched = stopped_in(coup_states.BALL_IN_TRACK, session=session, restart_state=remembering())
    watched.core.game.predictor.crossed = lambda *_: None  # type: ignore[method-assign]
    watched.core.timers.set(0, None)
    goes_on(watched, session)
    assert "C10" in watched.codes
    assert [type(end) for end in watched.ends] == [facts.Void]
    (row,) = rows(watched)  # the coup has ended long before the next begins
    assert started(row).core.game.predictor.progress(0).why == predictor.RELEARNING


def test_a_row_is_small() -> None:
    """Every eighth coup: the evidence of those eight takes twice as much."""
    assert len(json.dumps(recorded(), separators=(",", ":"))) < 3_500


# --- what leaves the core -----------------------------------------------------------------------
def before_the_call(restart_state: Any) -> list[Any]:
    """All that the core told, ordered and recorded before the call, but where the call stands."""
    watched = Watched(ROULETTE.controller(restart_state=restart_state))
    session = session_of()
    watched.start(session.levels())
    told: list[Any] = []
    take = watched.take

    def taken(at_us: int, answer: Any) -> None:
        told.extend(answer)
        take(at_us, answer)

    watched.take = taken  # type: ignore[method-assign]
    for edge in session.edges():
        watched.edge(*edge)
        if any(isinstance(order, facts.NoMoreBets) for order in told):
            break
    first = [isinstance(order, facts.NoMoreBets) for order in told].index(True)
    return told[:first]


def test_until_the_call_nothing_tells_what_was_learned_or_predicted() -> None:
    """DESIGN section 1: whatever a wheel has learned, until it calls it says the very same."""

    def other(one: learned.Learned) -> None:
        for model in one.models:
            model.guard.lap_s = 1.2
            model.curve.values = [value * 1.2 for value in model.curve.values]
            model.curve.fill()

    fresh = before_the_call(FRESH._replace(coup=COUPS, seq=COUPS, learned=[]))
    for restart_state in (remembering(), remembering(change=other)):
        known = before_the_call(restart_state)
        shorter = min(len(fresh), len(known))
        assert fresh[:shorter] == known[:shorter]
        for answer in fresh[shorter:] + known[shorter:]:
            assert isinstance(answer, (facts.RotorMoving, facts.View))
    assert {type(answer) for answer in fresh} == {
        facts.CoupStarted, facts.RotorMoving, facts.BallInTrack, facts.View, facts.Record
    }  # fmt: skip
    kinds = [answer.kind for answer in fresh if isinstance(answer, facts.Record)]
    assert kinds == ["begun", "actuation"]
