"""What feeds a recorded run to the core: causal, complete, and silent on orders."""

import pytest
from harness.places import LINES
from harness.playing import ROULETTE
from harness.watched import ENDS
from harness.wheel import WheelSession

import boards
from firmware.core import facts
from firmware.core.feed import TIME_ONLY, feed


def one_coup(seed: int = 3) -> WheelSession:
    session = WheelSession(seed)
    session.play(session.plan())
    return session


def test_the_bench_and_the_board_number_their_lines_alike() -> None:
    assert [name for name, _ in boards.load("roulette_ref")["inputs"]] == LINES


def test_only_facts_come_out_and_in_order_of_time() -> None:
    told = ROULETTE.replayed(one_coup())
    assert told
    assert all(facts.fact_line(fact) is not None for fact in told)
    times = [fact.at_us for fact in told]
    assert times == sorted(times)


def test_what_is_decided_depends_on_edges_up_to_then_alone() -> None:
    """contracts/trace.md: the line for time t depends on edges up to t alone."""
    session = one_coup()
    edges = session.edges()
    whole = list(feed(ROULETTE.controller(), edges, session.levels()))
    for share in (0.2, 0.5, 0.8, 0.95):
        cut = edges[: int(len(edges) * share)]
        part = list(feed(ROULETTE.controller(), cut, session.levels()))
        until = cut[-1][0]
        early = [fact for fact in whole if fact.at_us < until]
        assert part[: len(early)] == early


def test_a_coup_still_open_at_the_end_is_void_interrupted() -> None:
    session = one_coup()
    settle = session.truths[0].settle_us
    assert settle is not None
    session.cut_at_us = settle - 1_000_000
    told = ROULETTE.replayed(session)
    ends = [fact for fact in told if isinstance(fact, ENDS)]
    assert [end.reason for end in ends] == ["interrupted"]
    assert ends[0].at_us == session.cut_at_us


def test_the_last_stamp_advances_time() -> None:
    """contracts/trace.md: the final timestamp of a trace advances time."""
    session = one_coup()
    edges = [edge for edge in session.edges() if edge[0] < session.truths[0].drop_us - 1]  # type: ignore[operator]
    late = edges[-1][0] + 3_600_000_000
    told = list(feed(ROULETTE.controller(), [*edges, (late, TIME_ONLY, 0)], session.levels()))
    end = told[-1]
    assert isinstance(end, facts.Void)
    assert end.at_us < late


def test_what_was_decided_before_a_trace_breaks_is_out() -> None:
    session = one_coup()

    def broken() -> object:
        for edge in session.edges():
            if edge[0] > session.truths[0].drop_us:  # type: ignore[operator]
                raise ValueError("torn")
            yield edge

    told: list[object] = []
    with pytest.raises(ValueError, match="torn"):
        told.extend(feed(ROULETTE.controller(), broken(), session.levels()))
    assert any(isinstance(fact, facts.NoMoreBets) for fact in told)


@pytest.mark.req("UK-2.1.random")
def test_the_same_edges_give_the_same_facts() -> None:
    assert ROULETTE.replayed(one_coup(5)) == ROULETTE.replayed(one_coup(5))
