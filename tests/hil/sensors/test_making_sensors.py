"""What the faults of the sensors make of the edges (tools/hil/faults/sensors.py, encoder.py)."""

import pytest
from small_world import RIM0, RIM1, A, B, Z, pulse, seen, turning

from firmware.core.facts import DOUBT
from tools.hil.faults import encoder, sensors

BALL = pulse(RIM0, 10_000, 8_000)
OTHER = pulse(RIM1, 12_000, 8_000)


def of(line: int, edges: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    return [(at_us, level) for at_us, at, level in edges if at == line]


def test_a_stuck_line_shows_its_level_and_other_lines_what_they_see() -> None:
    told = seen(sensors.Stuck, BALL + OTHER, 40_000, line="rim0", level="1")
    assert of(RIM0, told) == [(0, 1)]
    assert of(RIM1, told) == of(RIM1, OTHER)


def test_a_missed_pulse_is_missed_with_both_edges() -> None:
    pulses = [edge for at in range(200) for edge in pulse(RIM0, 10_000 * at + 500, 4_000)]
    told = of(RIM0, seen(sensors.Missed, pulses, 2_001_000, line="rim0", chance_percent=30))
    assert 100 < len(told) // 2 < 180
    assert [level for _, level in told] == [1, 0] * (len(told) // 2)


def test_a_bounce_triples_an_edge_and_ends_where_the_table_is() -> None:
    told = of(
        RIM0,
        seen(sensors.Bounced, BALL, 40_000, line="rim0", chance_percent=100, bounce_us=900),
    )
    assert [level for _, level in told] == [1, 0, 1, 0, 1, 0]
    assert told[2][0] - told[0][0] <= 901


def test_a_bounce_that_the_next_edge_overtakes_leaves_no_wrong_level() -> None:
    short = pulse(RIM0, 10_000, 50)
    told = of(
        RIM0,
        seen(sensors.Bounced, short, 40_000, line="rim0", chance_percent=100, bounce_us=4_000),
    )
    assert told[-1][1] == 0


def test_jitter_keeps_the_order_of_the_edges() -> None:
    pulses = [edge for at in range(50) for edge in pulse(RIM0, 2_000 * at + 500, 300)]
    told = of(RIM0, seen(sensors.Jittered, pulses, 120_000, line="rim0", jitter_us=2_000))
    assert [level for _, level in told] == [1, 0] * 50
    assert told != of(RIM0, pulses)


def test_dirt_cuts_pulses_until_none_is_left() -> None:
    pulses = pulse(RIM0, 1_000_000, 8_000) + pulse(RIM0, 10_000_000, 8_000)
    told = of(RIM0, seen(sensors.Narrowed, pulses, 10_100_000, line="rim0", grows_us_s=1_000))
    assert told == [(1_001_000, 1), (1_008_000, 0), (10_008_000, 0)]


def test_dirt_joins_pulses_that_meet() -> None:
    pulses = pulse(RIM0, 1_000_000, 8_000) + pulse(RIM0, 1_010_000, 8_000)
    told = of(RIM0, seen(sensors.Widened, pulses, 1_100_000, line="rim0", grows_us_s=4_000))
    assert [edge for edge in told if edge[1] == 0] == [(1_018_000 + 4_072, 0)]


def test_lamps_are_seen_more_and_more_and_never_hide_the_ball() -> None:
    ball = pulse(RIM0, 1_000_500, 25_000)
    told = of(
        RIM0,
        seen(sensors.Ambient, ball, 2_000_000, line="rim0", grows_us_s=2_000, wave_hz="100"),
    )
    level, dark_us, since_us = 0, [0, 0], 0
    for at_us, now in told:
        if level:
            dark_us[at_us > 1_100_000] += at_us - since_us
        if 1_000_500 < at_us < 1_025_500:
            assert now == 1
        level, since_us = now, at_us
    assert dark_us[0] < dark_us[1]
    assert next(at_us for at_us, now in told if now) > 20_000  # from nothing


def test_crossed_lines_show_each_other_and_the_last_of_a_kind_the_first() -> None:
    told = seen(sensors.Crossed, BALL + OTHER, 40_000, line="rim0")
    assert [edge for edge in told if edge[0]] == sorted(
        [(at_us, RIM1, level) for at_us, _, level in BALL]
        + [(at_us, RIM0, level) for at_us, _, level in OTHER]
    )
    told = seen(sensors.Crossed, BALL, 40_000, line="rim2")
    assert (10_000, 2, 1) in told


def test_a_doubted_edge_is_told_as_the_ledger_of_a_pi_tells_it() -> None:
    told = seen(sensors.Doubted, BALL, 40_000, line="rim0", chance_percent=100)
    assert told == [(10_000, RIM0, DOUBT), BALL[0], (18_000, RIM0, DOUBT), BALL[1]]


@pytest.mark.parametrize("make", [sensors.Stuck, sensors.Narrowed, sensors.Missed])
def test_a_doubt_passes_what_else_is_wrong_with_that_line(make: type) -> None:
    doubt = (5_000, RIM0, DOUBT)
    parameters = {"line": "rim0", "level": 0, "grows_us_s": 1000, "chance_percent": 100}
    assert doubt in seen(make, [doubt], 10_000, **parameters)


def test_a_slip_takes_whole_cycles_once_and_not_the_mark() -> None:
    edges = turning(24)
    told = seen(encoder.Slipped, edges, 300_000, cycles=2)
    assert told == [edge for edge in edges if edge[1] == Z or edge[0] > 80_000]


def test_a_slip_does_not_give_back_on_the_way_back_what_it_took() -> None:
    """Four edges of eight are lost before the rotor turns back: all eight are after that."""
    turned = turning(4) + [(200_000 + at_us, *edge) for at_us, *edge in turning(12)]
    told = seen(encoder.Slipped, turned, 400_000, cycles=2)
    assert min(at_us for at_us, line, _ in told if line != Z) == 200_000 + 90_000


def test_a_cable_that_is_out_takes_channels_and_mark() -> None:
    told = seen(encoder.CableOut, turning(24), 300_000, level="0")
    assert told == [(0, A, 0), (0, B, 0), (0, Z, 0)]


def test_reversed_channels_change_places() -> None:
    told = seen(encoder.Reversed, turning(4), 50_000)
    assert (10_000, B, 1) in told
    assert (20_000, A, 1) in told


@pytest.mark.parametrize(
    ("make", "rises"), [(encoder.MarkMoved, [65_000]), (encoder.MarkTwice, [5_000, 65_000])]
)
def test_a_mark_elsewhere_is_as_wide_as_the_mark(make: type, rises: list[int]) -> None:
    """Half a step to both sides of its edge, as contracts/trace.md has it."""
    told = of(Z, seen(make, turning(24), 300_000, steps=6))
    assert [at_us for at_us, level in told if level] == rises
    assert told[-1] == (75_000, 0)
