"""The rivals, each at its best: just never late, and late just beyond."""

from itertools import pairwise
from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.sense.beams import Crossing
from tools.bench.call.hindsight import SHIFTS, Hindsight
from tools.bench.call.ours import Ours
from tools.bench.call.rivals import ORACLE_SIGMAS, Oracle, Thresholds, laps
from tools.bench.call.spins import Chance, Eyes, Passing, Setting, Spin, passings, spins

THIRD = (0, 333_333, 666_666)


def passing(at_us, beam, turn, known_us=None):
    crossing = Crossing(at_us, beam, turn * 1_000_000 + THIRD[beam])
    return Passing(at_us + 5_000 if known_us is None else known_us, crossing)


# --- thresholds -----------------------------------------------------------------------------------
def test_a_lap_is_from_a_beam_to_the_same_beam_and_only_records_count():
    seen = [passing(0, 0, 0), passing(300, 1, 0), passing(600, 2, 0)]
    seen += [passing(1_000, 0, 1), passing(1_250, 1, 1), passing(1_700, 2, 1)]
    assert laps(seen, 3) == [(1_000, 6_000), (1_100, 6_700)]


def test_a_missed_beam_ends_no_lap_and_begins_none():
    seen = [passing(0, 0, 0), passing(300, 1, 0), passing(600, 2, 0)]
    seen += [passing(1_300, 1, 1), passing(1_650, 2, 1)]  # beam 0 missed it
    seen += [passing(2_000, 0, 2), passing(2_400, 1, 2)]
    assert laps(seen, 3) == [(1_000, 6_300), (1_050, 6_650), (1_100, 7_400)]
    assert laps([passing(0, 0, 0), passing(600, 2, 0), passing(1_400, 1, 1)], 3) == []


def test_a_ball_with_less_than_a_lap_has_none():
    assert laps([passing(0, 0, 0), passing(300, 1, 0)], 3) == []


def test_the_tuned_threshold_is_the_least_of_the_longest_laps():
    found = Thresholds()
    found.add([(1_000, 5_000), (1_200, 6_300)], 7_000)
    found.add([(900, 5_000), (1_150, 6_000), (1_250, 7_500)], 7_000)  # its last lap ends too late
    assert found.never_late() == 1_150
    assert found.leads_us(1_150) == [700, 1_000]
    assert found.leads_us(1_151) == [700, 0]
    assert found.leads_us(1_000) == [2_000, 1_000]


def test_a_lap_known_at_the_very_drop_warns_nobody():
    found = Thresholds()
    found.add([(1_000, 6_999), (1_100, 7_000)], 7_000)
    assert found.never_late() == 1_000


@pytest.mark.parametrize("coups", [[], [([], 9)], [([(1_000, 5)], 9), ([(1_000, 9)], 9)]])
def test_without_a_lap_in_time_no_threshold_is_never_late(coups):
    found = Thresholds()
    for record_laps, drop_us in coups:
        found.add(record_laps, drop_us)
    with pytest.raises(ValueError, match="lap"):
        found.never_late()


COUPS = st.lists(
    st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), min_size=1, max_size=6),
    min_size=1,
    max_size=8,
)


@given(COUPS)
def test_the_tuned_threshold_is_never_late_and_a_higher_one_is(steps):
    found = Thresholds()
    for coup in steps:
        lap_us = known_us = 0
        record_laps = []
        for longer, later in coup:
            lap_us, known_us = lap_us + longer, known_us + later
            record_laps.append((lap_us, known_us))
        found.add(record_laps, known_us + 1)
    tuned = found.never_late()
    assert min(found.leads_us(tuned)) > 0
    assert min(found.leads_us(tuned + 1)) == 0
    assert sum(found.leads_us(tuned)) <= sum(found.leads_us(tuned - 1))


# --- ours in hindsight ----------------------------------------------------------------------------
def leg(known_us, first_us, step_us):
    """A call that comes `step_us` later with each shift; the first is of the least."""
    return [known_us, *(max(known_us, first_us + at * step_us) for at in range(len(SHIFTS)))]


def test_a_shifted_call_waits_for_the_next_crossing_if_that_comes_first():
    found = Hindsight()
    found.add([leg(0, 100, 100), leg(350, 500, 100)], 5_000)
    assert [5_000 - lead for shift in SHIFTS[:4] for lead in found.leads_us(shift)] == [
        100, 200, 300, 800,
    ]  # fmt: skip
    between = (SHIFTS[0] + SHIFTS[1]) / 2
    assert found.leads_us(between) == [4_850]


def test_the_largest_shift_is_found_with_which_no_coup_is_late():
    found = Hindsight()
    found.add([leg(0, 1_000, 1_000)], 4_500)
    found.add([leg(0, 1_000, 1_000)], 3_500)
    tuned = found.never_late()
    a_us = (SHIFTS[3] - SHIFTS[2]) / 1_000
    assert tuned == pytest.approx(SHIFTS[2] + 500 * a_us, abs=a_us)
    assert min(found.leads_us(tuned)) > 0 >= min(found.leads_us(tuned + a_us))


def test_a_coup_that_is_late_with_every_shift_leaves_the_least_shift():
    found = Hindsight()
    found.add([leg(0, 1_000, 1_000)], 500)
    assert found.never_late() == SHIFTS[0]


def test_unshifted_it_is_the_call_as_shipped():
    """On real balls, each with jitter, from a new wheel on: cautious calls, guarded ones, all."""
    ours, found, leads_us = Ours(3), Hindsight(), []
    rng = Random(1)
    for spin in spins(Setting("W2", 0.01, 0.0), 120, "unshifted"):
        seen = passings(spin, Eyes(3, 100, 0.0), Chance(rng, len(spin.centres)))
        called = ours.coup(seen, spin.direction)
        found.add(called.legs, spin.drop_us)
        leads_us.append(spin.drop_us - called.at_us)
    assert max(abs(a - b) for a, b in zip(found.leads_us(0.0), leads_us, strict=True)) <= 1
    tuned = found.never_late()
    assert 0 < tuned < SHIFTS[-1]
    assert 0 < min(found.leads_us(tuned)) < 1_000
    assert min(found.leads_us(tuned + 0.001)) <= 0


# --- the oracle -----------------------------------------------------------------------------------
def even_spin(drop_speed, slowing=0.3, beams=60):
    """Slows evenly to its drop, in rad/s; the last of the union's beams lies just before it."""
    step = 6.283185307179586 / 24
    centres, way = [], 0.01
    for _ in range(beams):
        now = (drop_speed**2 + 2 * slowing * way) ** 0.5
        centres.append(20e6 - (now - drop_speed) / slowing * 1e6)
        way += step
    return Spin(1, 0, centres[::-1], centres[::-1], 20_000_000)


def test_the_oracle_calls_so_many_scatters_above_the_mean_drop_speed():
    found = Oracle()
    speeds = [3.7, 3.8, 3.9, 3.8]
    for speed in speeds:
        found.add(even_spin(speed))
    sd = (0.02 / 4) ** 0.5
    call = 3.8 + ORACLE_SIGMAS * sd
    assert found.call_speed() == pytest.approx(call, abs=1e-3)
    for lead, speed in zip(found.leads_us(), speeds, strict=True):
        assert lead / 1e6 == pytest.approx((call - speed) / 0.3, abs=0.005)


def test_a_ball_that_leaves_faster_than_the_oracle_calls_is_late():
    found = Oracle()
    for speed in [3.8] * 60 + [4.2]:
        found.add(even_spin(speed))
    assert found.call_speed() < 4.2
    assert found.leads_us()[-1] == 0
    assert min(found.leads_us()[:-1]) > 0


def test_the_chance_of_4_753_sigmas_is_1e_6():
    from statistics import NormalDist

    assert log(1 - NormalDist().cdf(ORACLE_SIGMAS)) == pytest.approx(log(1e-6), abs=0.01)


def test_the_oracle_knows_the_drop_speed_of_the_simulators_balls():
    found = Oracle()
    for spin in spins(Setting("W1", 0.003, 0.0), 40, "oracle"):
        found.add(spin)
    assert found.call_speed() == pytest.approx(2.8 * (1 + ORACLE_SIGMAS * 0.003), rel=0.006)
    leads = found.leads_us()
    assert all(lead > 0 for lead in leads)
    assert len({a - b for a, b in pairwise(leads)}) > 30
