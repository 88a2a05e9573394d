"""Which presses of `btn_start` begin a coup of vingt-trois, and which do not."""

from __future__ import annotations

import pytest
from harness.places import LINES
from harness.plate import PlatePlan, PlateSession
from harness.playing import VINGT_TROIS, in_coups, outcomes, with_
from harness.watched import Watched

from firmware.core import facts
from firmware.core.coup import states as coup_states

START = LINES.index("btn_start")
VOID = LINES.index("btn_void")


def calls(watched: Watched) -> list[int]:
    return [fact.at_us for fact in watched.facts if isinstance(fact, facts.NoMoreBets)]


def voids(watched: Watched) -> list[str]:
    return [fact.reason for fact in watched.facts if isinstance(fact, facts.Void)]


def press(watched: Watched, at_us: int) -> None:
    watched.edge(at_us, START, 1)
    watched.edge(at_us + 100_000, START, 0)


def session_with(plan_of_second: dict[str, object], seed: int = 4) -> PlateSession:
    """Two clean coups; the second with these knobs."""
    session = PlateSession(seed)
    session.play(session.plan())
    plan: PlatePlan = session.plan()
    for name, value in plan_of_second.items():
        setattr(plan, name, value)
    session.play(plan)
    return session


def with_presses(session: PlateSession, *at_s: float) -> Watched:
    """The session, and presses besides."""
    for at in at_s:
        session.dark["btn_start"].append((at, at + 0.1))
    watched = Watched(VINGT_TROIS.controller())
    watched.run(session)
    return watched


@pytest.mark.req("FR-47.call_first")
def test_the_press_opens_the_coup_and_calls_it_in_the_same_instant() -> None:
    watched = Watched(VINGT_TROIS.controller())
    watched.start(None)
    watched.edge(2_000_000, START, 1)
    assert watched.facts == [facts.CoupStarted(2_000_000, 1, 0), facts.NoMoreBets(2_000_000, 1)]
    assert watched.core.state == coup_states.NO_MORE_BETS


def test_a_second_press_before_the_plate_moves_is_the_same_call() -> None:
    for seed in range(6):
        coups = VINGT_TROIS.played(seed, with_(press_s=2.5, presses=[0.0, 0.8, 1.6]))
        assert outcomes(coups) == ["result"] * 4


@pytest.mark.parametrize("gaps_ms", [(14, 28), (13, 26, 39), (20,), (15, 45, 60)])
def test_a_button_that_bounces_is_one_press(gaps_ms: tuple[int, ...]) -> None:
    coups = VINGT_TROIS.played(3, with_(presses=[0.0, *[gap / 1000 for gap in gaps_ms]]))
    assert outcomes(coups) == ["result"] * 4
    assert [len(coup.all(facts.NoMoreBets)) for coup in coups] == [1] * 4


@pytest.mark.parametrize("after_s", [0.3, 1.0, 3.0, 6.0, 9.0])
def test_a_press_while_the_ball_is_in_the_turning_plate_is_forgotten(after_s: float) -> None:
    session = session_with({"settled_s": 15.0})
    watched = with_presses(session, session.truths[1].motion_us / 1e6 + after_s)
    coups = in_coups(session.truths, watched.facts)
    assert outcomes(coups) == ["result", "result"]
    assert len(calls(watched)) == 2


@pytest.mark.req("FR-47.call_first")
@pytest.mark.parametrize("after_s", [0.2, 0.6, 1.0])
def test_a_press_is_no_call_while_the_ball_runs_in_a_plate_that_a_hand_has_stopped(
    after_s: float,
) -> None:
    """Seed 102, job 2883: the next coup was called at once, and had the number of that ball."""
    session = PlateSession(4)
    motion_us = session.play(session.plan()).motion_us
    assert motion_us is not None
    stopped_us = motion_us + 1_500_000
    watched = Watched(VINGT_TROIS.controller())
    watched.start(session.levels())
    encoder = {LINES.index(name) for name in ("enc_a", "enc_b", "enc_z")}
    for edge in session.edges():
        if edge[0] > stopped_us + after_s * 1_000_000:
            break
        if edge[0] < stopped_us or edge[1] not in encoder:
            watched.edge(*edge)
    press(watched, watched.at_us + 1_000)
    watched.until(watched.at_us + 2_000_000)
    assert len(calls(watched)) == 1


def test_a_press_shortly_before_the_plate_rests_counts_when_it_does() -> None:
    session = PlateSession(5)
    plan = session.plan()
    plan.lift_at_rest, plan.brake_s = True, 1.0
    session.play(plan)
    end_us = session.truths[0].end_us
    watched = with_presses(session, end_us / 1e6 - 1.2)
    assert len(calls(watched)) == 2
    assert end_us - 500_000 < calls(watched)[1] < end_us + 300_000
    assert voids(watched) == ["interrupted"]  # the second; the first has its number


def test_a_press_once_the_ball_is_lifted_counts_though_the_plate_turns() -> None:
    session = PlateSession(5)
    plan = session.plan()
    plan.run_on_s = 6.0
    session.play(plan)
    lifted_us = session.truths[0].rests[-1][1]
    watched = with_presses(session, lifted_us / 1e6 + 0.5)
    assert len(calls(watched)) == 2
    assert lifted_us < calls(watched)[1] < lifted_us + 3_000_000
    assert calls(watched)[1] < session.truths[0].end_us


def test_the_next_call_ends_a_coup_that_found_no_number() -> None:
    """The ball is lifted, the sensors have not agreed: void for what it lacked."""
    session = PlateSession(6)
    plan = session.plan()
    plan.troubles = ["two_pockets_dead"]
    session.play(plan)
    session.play(session.plan())
    coups = VINGT_TROIS.coups(session)
    assert outcomes(coups)[1] == "result"
    assert outcomes(coups)[0] in ("timeout", "ball_lost", "sensors_disagree")
    assert coups[0].ends[0].at_us <= coups[1].facts[0].at_us


def test_the_next_coup_opens_only_when_the_void_of_the_last_is_durable() -> None:
    session = PlateSession(6)
    plan = session.plan()
    plan.troubles, plan.rest_s, plan.press_s = ["two_pockets_dead"], 4.0, 3.0
    session.play(plan)
    second = session.plan()
    second.rest_s, second.press_s = 4.0, 3.0
    session.play(second)
    watched = Watched(VINGT_TROIS.controller(), delay_us=900_000)
    watched.run(session)
    assert not VINGT_TROIS.wrong_numbers(in_coups(session.truths, watched.facts))
    kinds = [type(fact) for fact in watched.facts if not isinstance(fact, facts.Fault)]
    first_end = kinds.index(facts.Void)
    assert kinds[first_end + 1 : first_end + 3] == [facts.CoupStarted, facts.NoMoreBets]
    assert kinds[-1] is facts.Result


def test_a_press_that_ended_a_coup_is_kept_however_slow_its_record() -> None:
    session = PlateSession(6)
    plan = session.plan()
    plan.troubles = ["two_pockets_dead"]
    session.play(plan)
    end_us = session.truths[0].end_us
    watched = Watched(VINGT_TROIS.controller(), delay_us=5_000_000)
    watched.play(session)
    press(watched, end_us + 2_000_000)
    watched.until(end_us + 20_000_000)
    assert calls(watched)[1:] == [end_us + 7_000_000]


def test_a_press_that_is_kept_begins_nothing_once_the_end_has_come() -> None:
    session = PlateSession(6)
    plan = session.plan()
    plan.troubles = ["two_pockets_dead"]
    session.play(plan)
    watched = Watched(VINGT_TROIS.controller(), delay_us=5_000_000)
    watched.play(session)
    press(watched, session.truths[0].end_us + 2_000_000)
    watched.end()
    assert len(calls(watched)) == 1
    assert len(voids(watched)) == 1


def test_a_void_before_the_plate_moves_leaves_nothing_open_and_the_next_press_calls() -> None:
    watched = Watched(VINGT_TROIS.controller())
    watched.start(None)
    press(watched, 2_000_000)
    watched.edge(3_000_000, VOID, 1)
    press(watched, 4_000_000)
    assert voids(watched) == ["croupier"]
    assert calls(watched) == [2_000_000, 4_000_000]


@pytest.mark.parametrize("after_s", [-0.05, 0.05, 0.2, 0.4])
def test_a_void_as_the_plate_is_pushed_makes_no_second_coup_of_its_motion(after_s: float) -> None:
    session = session_with({"void_button_s": after_s})
    coups = VINGT_TROIS.coups(session)
    assert outcomes(coups) == ["result", "croupier"]


def test_where_the_croupier_confirms_the_press_confirms_and_the_next_one_calls() -> None:
    session = session_with({"rest_s": 3.0, "press_s": 2.0})
    settled_us = session.truths[0].rests[-1][0]
    session.dark["btn_start"].append((settled_us / 1e6 + 8.0, settled_us / 1e6 + 8.1))
    watched = Watched(VINGT_TROIS.controller(confirm="croupier"))
    watched.run(session)
    results = [fact for fact in watched.facts if isinstance(fact, facts.Result)]
    assert [fact.at_us for fact in results] == [settled_us + 8_000_000]
    assert len(calls(watched)) == 2


def test_a_press_out_of_play_begins_nothing() -> None:
    watched = Watched(VINGT_TROIS.controller())
    watched.start(None)
    watched.event(facts.Trouble(1_000_000, "M12", ""))
    press(watched, 2_000_000)
    assert not calls(watched)
    watched.event(facts.ClearAsked(3_000_000, "boss"))
    assert not calls(watched)
    press(watched, 4_000_000)
    assert calls(watched) == [4_000_000]


def test_a_plate_that_already_turns_when_the_controller_starts_begins_no_coup() -> None:
    """A restart in the middle: the coup it interrupted has its end, the motion is that coup's."""
    session = session_with({})
    cut_us = session.truths[0].motion_us + 5_000_000
    levels = session.levels()
    for at_us, line, level in session.edges():
        if at_us < cut_us and line >= 0:
            levels[line] = level
    watched = Watched(VINGT_TROIS.controller())
    for line, level in enumerate(levels):
        watched.core.preset(line, level)
    watched.at_us = cut_us
    watched.take(cut_us, watched.core.begin_play(cut_us))
    for edge in session.edges():
        if edge[0] >= cut_us:
            watched.edge(*edge)
    assert len(calls(watched)) == 1
    assert not voids(watched)
