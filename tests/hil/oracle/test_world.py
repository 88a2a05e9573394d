"""The world: the table as it is, with faults that begin and end when the scenario says."""

from __future__ import annotations

import pytest

from firmware.config import Config
from firmware.config.game import choose
from tools.hil.scenario import FaultInjection
from tools.hil.world import World
from tools.sim.table import Table, virtual_table

GAME = choose("boule_ref", Config())
STEP_US = 10_000
Edges = list[tuple[int, int, int]]


def table() -> Table:
    """A dish, whose ball does not depend on any controller."""
    return virtual_table(GAME.board, GAME.rules, seed=4)


def played(wheel: Table, until_us: int, step_us: int = STEP_US) -> Edges:
    """Its edges."""
    edges: Edges = []
    for at_us in range(step_us, until_us + 1, step_us):
        edges += wheel.advance(at_us, 0)
    return edges


def dark(coup: int, moment: str, after_us: int, lasts_us: int | None = None) -> FaultInjection:
    """A beam that stays dark."""
    parameters = (("level", "1"), ("line", "rim1"))
    return FaultInjection("beam_stuck_dark", coup, moment, after_us, lasts_us, parameters)


def world(*uses: FaultInjection) -> World:
    """A dish with these faults."""
    return World(table(), GAME.board, uses, seed=1)


def test_without_faults_the_world_is_the_table() -> None:
    assert played(world(), 60_000_000) == played(table(), 60_000_000)


def test_before_its_moment_a_fault_changes_nothing() -> None:
    spoiled = world(dark(2, "launch", 0))
    edges = played(spoiled, 60_000_000)
    begins_us = spoiled.intervals[0].begin_us
    before = [edge for edge in edges if edge[0] < begins_us]
    assert before == [edge for edge in played(table(), 60_000_000) if edge[0] < begins_us]


def test_a_fault_begins_so_long_after_its_moment_and_lasts_as_long_as_it_says() -> None:
    spoiled = world(dark(1, "launch", 500_000, 2_000_000))
    edges = played(spoiled, 30_000_000)
    launched_us = spoiled.truths[0].t_launch_us
    assert launched_us is not None
    interval = spoiled.intervals[0]
    assert (interval.begin_us, interval.end_us) == (launched_us + 500_000, launched_us + 2_500_000)
    beam = spoiled.line["rim1"]
    within = [
        e for e in edges if e[1] == beam and interval.begin_us < e[0] < interval.begin_us + 2e6
    ]
    assert within == []
    assert [e for e in edges if e[1] == beam and e[0] == interval.begin_us][-1][2] == 1


def test_a_moment_is_noticed_in_the_step_in_which_it_comes() -> None:
    moments = ("start", "launch", "drop", "rest", "lift")
    game = choose("roulette_ref", Config())
    uses = [
        FaultInjection("frames_spoiled", coup, moment, 0, 1)
        for coup in (1, 2, 3)
        for moment in moments
    ]
    wheel = virtual_table(game.board, game.rules, seed=4, hand=True)
    spoiled = World(wheel, game.board, uses, seed=1)
    played(spoiled, 150_000_000)
    assert len(spoiled.intervals) == len(uses)
    for interval in spoiled.intervals:
        use = uses[interval.use]
        came_us = getattr(spoiled.truths[use.coup - 1], f"t_{use.moment}_us")
        assert 0 <= interval.begin_us - came_us <= STEP_US


def test_a_plate_that_its_motor_sets_in_motion_is_noticed_at_once() -> None:
    game = choose("vingt_trois_ref", Config())
    plate = virtual_table(game.board, game.rules, seed=4)
    spoiled = World(
        plate, game.board, [FaultInjection("frames_spoiled", 1, "launch", 0, 1)], seed=1
    )
    while not spoiled.intervals:
        pressed_us = spoiled.truths[0].t_start_us if spoiled.truths else spoiled.now_us
        permille = 500 if spoiled.now_us > pressed_us + 1_000_000 else 0
        spoiled.advance(spoiled.now_us + STEP_US, permille)
    launched_us = spoiled.truths[0].t_launch_us
    assert launched_us is not None
    assert spoiled.intervals[0].begin_us - launched_us <= STEP_US


def test_after_it_the_lines_stand_as_the_table_has_them() -> None:
    spoiled = world(dark(1, "launch", 500_000, 2_000_000))
    played(spoiled, 60_000_000)
    assert spoiled.shown == spoiled.levels


def test_edges_come_in_order_of_time_and_each_changes_its_line() -> None:
    spoiled = world(dark(1, "launch", 0, 3_000_000), dark(2, "start", 0, 9_000_000))
    levels = spoiled.initial_levels()
    last_us = 0
    for at_us, line, level in played(spoiled, 60_000_000):
        assert at_us >= last_us and levels[line] != level
        levels[line], last_us = level, at_us


def test_how_time_is_cut_into_calls_does_not_matter_to_a_fault() -> None:
    uses = (dark(1, "start", 1_000_000, 9_000_000),)
    fine, coarse = world(*uses), world(*uses)
    edges = played(fine, 60_000_000, 1_000)
    assert edges == played(coarse, 60_000_000, 1_000_000)


def test_a_spell_tells_whether_anything_came_that_the_fault_could_change() -> None:
    """The ball of coup 1 falls into one of the cups; before the others there is nothing to miss."""
    cups = [name for name, *_ in GAME.board["inputs"] if name.startswith("cup")]
    uses = [
        FaultInjection(
            "cup_misses", 1, "start", 0, 40_000_000, (("chance_percent", 100), ("line", name))
        )
        for name in cups
    ]
    spoiled = world(*uses)
    edges = played(table(), 40_000_000)
    played(spoiled, 40_000_000)
    begin_us = spoiled.intervals[0].begin_us
    seen = {cups[interval.use] for interval in spoiled.intervals if not interval.idle}
    held = {spoiled.line[name]: name for name in cups}
    assert seen == {held[line] for at, line, _ in edges if line in held and at > begin_us}
    assert 0 < len(seen) < len(cups)


def test_a_blind_sensor_does_not_see_what_comes_to_lie_before_it() -> None:
    """Whichever of the two began first."""
    blind = FaultInjection(
        "cup_misses", 1, "start", 0, None, (("chance_percent", 100), ("line", "cup03"))
    )
    chip = FaultInjection("chip_in_cup", 1, "start", 1_000_000, None, (("line", "cup03"),))
    spoiled = world(blind, chip)
    cup = spoiled.line["cup03"]
    assert [edge for edge in played(spoiled, 8_000_000) if edge[1] == cup] == []
    assert [edge for edge in played(world(chip), 8_000_000) if edge[1] == cup] != []


def test_a_chip_that_came_while_a_beam_was_blind_is_seen_when_it_sees_again() -> None:
    blink = FaultInjection(
        "beam_blinks", 1, "start", 0, 3_000_000, (("level", "0"), ("line", "rim1"))
    )
    chip = FaultInjection("chip_before_beam", 1, "start", 1_000_000, None, (("line", "rim1"),))
    spoiled = world(blink, chip)
    (begins, ends) = (
        [edge[0] for edge in played(one, 8_000_000) if edge[1] == spoiled.line["rim1"]]
        for one in (world(chip), spoiled)
    )
    assert (begins, ends) == ([2_000_000], [4_000_000])


def test_a_chip_that_is_taken_with_a_second_ball_is_gone() -> None:
    """Campaign of seed 11, pair 338: it had fallen in after the ball."""
    ball = FaultInjection("second_ball_lies", 1, "start", 0, None)
    chip = FaultInjection("chip_in_cup", 1, "start", 1_000_000, None, (("line", "cup03"),))
    spoiled = world(chip, ball)
    while len(spoiled.truths) < 2:
        spoiled.advance(spoiled.now_us + STEP_US, 0)
    assert all(interval.end_us is not None for interval in spoiled.intervals)
    cup = spoiled.line["cup03"]
    assert (spoiled.shown[cup], spoiled.levels[cup]) == (0, 0)


def test_a_motor_that_turns_one_way_is_idle_until_it_is_told_the_other() -> None:
    game = choose("roulette_ref", Config())
    wheel = virtual_table(game.board, game.rules, seed=4)
    spoiled = World(
        wheel, game.board, [FaultInjection("rotor_one_way", 1, "start", 0, 60_000_000)], seed=1
    )
    spoiled.advance(5_000_000, 600)
    spoiled.advance(8_000_000, 600)
    way = 1 if wheel.rotor.heading > 0 else -1
    before = [interval.idle for interval in spoiled.intervals]
    spoiled.advance(9_000_000, -600 * way)
    assert before == [True]
    assert [interval.idle for interval in spoiled.intervals] == [False]


@pytest.mark.parametrize(("weak_us", "tilted_us", "lasts_us"), [(0, 9, 40_000_000), (9, 0, 20_000)])
def test_faults_that_change_the_same_table_put_back_each_what_it_changed(
    weak_us: int, tilted_us: int, lasts_us: int
) -> None:
    """Whichever of the two begins first, and is over first."""
    tilt = (("low_deg", 7), ("tilt_mdeg", 900))
    weak = FaultInjection(
        "ball_too_few_turns", 1, "start", weak_us * 1_000, None, (("percent", 110),)
    )
    tilted = FaultInjection("wheel_tilted", 1, "start", tilted_us * 1_000, lasts_us, tilt)
    spoiled = world(weak, tilted)
    usual = table().parameters
    played(spoiled, 60_000_000, 5_000)
    assert all(interval.end_us is not None for interval in spoiled.intervals)
    assert spoiled.table.parameters == usual
