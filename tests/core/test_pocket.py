"""RingSensors pulses become compartments (contracts/trace.md: frame of reference)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from firmware.core.facts import CCW
from firmware.core.sense.ring import BLOCKED_UTURN, NOISE_US, RingSensors
from firmware.core.sense.rotor import RotorEncoder
from firmware.core.units import TURN

GEOMETRY = boards.load("roulette_ref")["geometry"]
STEP_US = 20_000  # 20.8 rpm


def turning(steps: int = 150) -> tuple[RotorEncoder, RingSensors, int]:
    """A rotor at an even pace ccw, its ring, and the time."""
    rotor = RotorEncoder(cycles=36)
    ring = RingSensors(GEOMETRY, compartments=37, rotor=rotor)
    return rotor, ring, turn(rotor, 0, steps)


def turn(rotor: RotorEncoder, now_us: int, steps: int) -> int:
    for _ in range(steps):
        now_us += STEP_US
        if (rotor.count & 1) == 1:  # the next boundary is even: A
            rotor.edge_a(now_us, (0, 1)[(rotor.count + 1) % 4 == 0])
        else:
            rotor.edge_b(now_us, (0, 1)[(rotor.count + 1) % 4 == 1])
    assert rotor.direction == CCW
    assert rotor.slips == 0
    return now_us


@pytest.mark.req("LIVE-1.1.rest")
@given(st.integers(0, 36), st.floats(-0.49, 0.49), st.integers(-5, 5))
def test_compartment_k_is_centred_at_minus_k_pitches(k: int, off: float, turns: int) -> None:
    _, ring, _ = turning(4)
    angle = turns * TURN + round((k + off) * TURN / 37)
    compartment, residual = ring.compartment_at(angle)
    assert compartment == k
    assert abs(residual - off * TURN / 37) <= 1.5


@pytest.mark.req("LIVE-1.1.rest")
def test_a_pulse_names_the_compartment_at_its_centre() -> None:
    rotor, ring, now_us = turning()
    begin_us = now_us + 7_000
    assert ring.edge(begin_us, 1, 1) is None
    angle = rotor.angle_uturn(begin_us)
    now_us = turn(rotor, now_us, 2)
    detection = ring.edge(now_us + 5_000, 1, 0)
    assert detection is not None
    middle = (angle + rotor.angle_uturn(now_us + 5_000)) // 2
    assert detection.angle_uturn == middle
    compartment, residual = ring.compartment_at(middle - TURN // 2)  # pocket1 looks at 180 deg
    assert (detection.compartment, detection.residual_uturn) == (compartment, residual)
    assert ring.is_ball_wide(detection)


def test_pulses_shorter_than_a_ball_can_make_are_noise() -> None:
    """contracts/trace.md: beam pulses shorter than a ball can make are noise."""
    _, ring, now_us = turning()
    assert ring.edge(now_us + 1_000, 0, 1) is None
    assert ring.edge(now_us + 1_000 + NOISE_US - 1, 0, 0) is None
    assert not ring.dark()


def test_noise_is_noise_though_the_rotor_stands() -> None:
    _, ring, now_us = turning()
    later_us = now_us + 2_000_000
    ring.edge(later_us, 0, 1)
    assert ring.edge(later_us + NOISE_US - 1, 0, 0) is None
    ring.edge(later_us + 100_000, 0, 1)
    assert ring.edge(later_us + 400_000, 0, 0) is not None  # a hand, or a ball that was lifted


def test_a_fall_without_its_rise_says_nothing() -> None:
    _, ring, now_us = turning()
    assert ring.edge(now_us + 1_000, 0, 0) is None


def test_something_wider_than_a_ball_is_no_resting_ball() -> None:
    rotor, ring, now_us = turning()
    ring.edge(now_us, 2, 1)
    now_us = turn(rotor, now_us, 4)  # four steps of 2.5 deg: 42 mm of the ring
    detection = ring.edge(now_us, 2, 0)
    assert detection is not None
    assert not ring.is_ball_wide(detection)


def test_a_sensor_dark_for_half_a_turn_is_blocked() -> None:
    rotor, ring, now_us = turning()
    ring.edge(now_us, 1, 1)
    now_us = turn(rotor, now_us, 20)
    assert ring.dark()
    assert ring.blocked(now_us) is None
    now_us = turn(rotor, now_us, 144 * BLOCKED_UTURN // TURN)
    assert ring.blocked(now_us) == 1
