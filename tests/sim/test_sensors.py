"""Geometry and polarity of the sensors as contracts/trace.md has them."""

from math import radians, sin
from random import Random

import pytest

import boards
from tools.sim.sensors import Layout, Stamper


@pytest.fixture(scope="module")
def marks():

    return Layout(boards.load("roulette_ref"), 37)


def test_encoder_and_zero_mark_are_those_of_the_contract(marks):
    rotor = marks.rotor_marks()
    line = marks.line
    for step in range(3600):
        phi = step / 10 + 0.031  # degrees; never on an edge
        a = sin(radians(36 * phi)) >= 0
        b = sin(radians(36 * phi - 90)) >= 0
        z = min(phi % 360, -phi % 360) <= 1.25
        seen = [rotor.level_at(phi / 360, line[name]) for name in ("enc_a", "enc_b", "enc_z")]
        assert seen == [a, b, z], phi


def test_the_ring_sensors_look_at_60_180_and_300_degrees(marks):
    ring = marks.ring_marks()
    half_deg = 360 * 10 / (240 * 6.283185)
    for number, degrees in enumerate((60, 180, 300)):
        line = marks.line[f"pocket{number}"]
        for off, level in ((-1.05, 0), (-0.95, 1), (0, 1), (0.95, 1), (1.05, 0)):
            assert ring.level_at((degrees + off * half_deg) / 360, line) == level


def test_the_beams_ahead_come_in_the_balls_order(marks):
    ahead = [entry[1] for entry in marks.beams(0.5, 1) if entry[2]]
    assert [marks.names[line] for line in ahead] == ["rim2", "rim0", "rim1"]
    behind = [entry[1] for entry in marks.beams(0.5, -1) if entry[2]]
    assert [marks.names[line] for line in behind] == ["rim1", "rim0", "rim2"]


def test_a_stamp_is_never_early_and_waits_for_its_call():
    stamper = Stamper(lines=1, latency_us=200.0, jitter_us=50.0, rng=Random(1))
    assert stamper.stamp([(0.001, 0, 1)], 1000) == []
    ((at_us, line, level),) = stamper.stamp([], 2000)
    assert 1000 < at_us < 1500
    assert (line, level) == (0, 1)
    assert stamper.next_s == float("inf")


def test_edges_of_a_line_keep_their_order_however_close():
    stamper = Stamper(lines=1, latency_us=200.0, jitter_us=50.0, rng=Random(1))
    crossings = [(1e-6 * at, 0, at % 2) for at in range(1, 200)]
    edges = stamper.stamp(crossings, 10_000)
    times = [edge[0] for edge in edges]
    assert len(edges) == 199
    assert times == sorted(set(times))


def test_stamps_scatter_by_the_jitter():
    stamper = Stamper(lines=1, latency_us=200.0, jitter_us=50.0, rng=Random(1))
    crossings = [(0.001 * at, 0, at % 2) for at in range(1, 2001)]
    late = [
        edge[0] - 1000 * at for at, edge in enumerate(stamper.stamp(crossings, 3_000_000), start=1)
    ]
    mean = sum(late) / len(late)
    assert mean == pytest.approx(200, abs=5)
    assert (sum((x - mean) ** 2 for x in late) / len(late)) ** 0.5 == pytest.approx(50, rel=0.1)


def test_a_crossing_that_changes_nothing_is_no_edge():
    stamper = Stamper(lines=2, latency_us=1.0, jitter_us=0.0, rng=Random(1))
    assert stamper.stamp([(0.1, 1, 0)], 200_000) == []
