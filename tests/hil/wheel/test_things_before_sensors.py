"""Chips and second balls as the sensors see them: laid over what the table shows."""

from random import Random

from firmware.config import Config
from firmware.config.game import choose
from tools.hil.faults.second_ball import Rider
from tools.hil.faults.world_fault import Overlay
from tools.hil.shadow import Shadow
from tools.hil.world import World
from tools.sim.sensors import Layout
from tools.sim.table import virtual_table

GAME = choose("roulette_ref", Config())


def laid_over():
    table = virtual_table(GAME.board, GAME.rules, None, 1, hand=True)
    overlay = Overlay(World(table, GAME.board, (), 1), {}, Random(1))
    assert overlay.begin_fault(0) == []
    return overlay


def test_a_line_is_dark_while_either_is_before_it():
    overlay = laid_over()
    overlay.put([(20, 3, 1), (60, 3, 0)])
    seen = overlay.edges([(10, 3, 1), (30, 3, 0), (50, 3, 1), (70, 3, 0)], 100)
    assert seen == [(10, 3, 1), (70, 3, 0)]


def test_what_comes_later_waits():
    overlay = laid_over()
    overlay.put([(20, 3, 1), (60, 3, 0)])
    assert overlay.edges([], 40) == [(20, 3, 1)]
    assert overlay.edges([], 100) == [(60, 3, 0)]


def test_the_end_takes_away_its_own_alone():
    overlay = laid_over()
    overlay.put([(20, 3, 1), (20, 4, 1)])
    overlay.edges([(10, 4, 1)], 40)
    assert overlay.end_fault(50) == [(50, 3, 0)]


class SteadyRotor:
    """Turns by `speed` turns a second from `turn` on."""

    at_rest, heading = False, 1

    def __init__(self, turn, speed):
        self.turn, self.speed = turn, speed

    def turn_at(self, t):
        return (self.turn + self.speed * t) % 1.0

    def speed_at(self, _):
        return self.speed


def passes(speed, size_m, seconds=4.0):
    layout = Layout(GAME.board, 37)
    rotor = SteadyRotor(0.11, speed)
    shadow = Shadow(rotor, 0.0)
    rider = Rider(layout, shadow, psi=0.0, size_m=size_m)
    edges, t = list(rider.now(0.0)), 0.0
    while t < seconds:
        before, t = t, t + 0.02
        shadow.follow(t)
        edges += rider.since(before)
    return layout, sorted(edges)


def test_a_thing_on_the_rotor_darkens_each_ring_sensor_once_a_turn_for_its_width():
    layout, edges = passes(0.25, layout_ball())
    width_s = 2 * layout.ring_half_turn / 0.25
    for line in layout.ring_lines:
        (rise, fall) = [t for t, at, _ in edges if at == line]
        assert abs(fall - rise - width_s) < 1e-6


def test_it_is_seen_as_well_when_the_rotor_turns_the_other_way():
    layout, edges = passes(-0.25, 0.039)
    assert sorted({line for _, line, _ in edges}) == sorted(layout.ring_lines)
    for line in layout.ring_lines:
        assert [level for _, at, level in edges if at == line] == [1, 0]


def layout_ball():
    return Layout(GAME.board, 37).ball_m
