"""What the port of edges promises (edges_bench: in the guest of tools.hil.kernel the real gpiod's),
and what it does with what only a stand-in can be made to do (edge_bench)."""

import pytest

from firmware.shims.edge_ledger import DOUBT, HOLD_US
from firmware.shims.edges import QUEUE, find_chip

INPUT, OTHER_INPUT, POLLED = 17, 4, 23
T0 = 1_000_000


def test_one_request_owns_edges_and_polled_lines_with_the_kernels_monotonic_clock(edge_bench):
    bench = edge_bench()
    line = bench.gpiod.line
    assert len(bench.requests) == 1
    assert bench.request.size == QUEUE
    edges = {pin: settings.edge_detection for pin, settings in bench.request.config.items()}
    assert edges == {INPUT: line.Edge.BOTH, OTHER_INPUT: line.Edge.BOTH, POLLED: line.Edge.NONE}
    clocks = {settings.event_clock for settings in bench.request.config.values()}
    assert clocks == {line.Clock.MONOTONIC}


def test_read_returns_edges_with_the_kernels_time_and_the_boards_line(edges_bench):
    bench = edges_bench()
    start_us = bench.now_us
    bench.edge_at(start_us + 5_000, OTHER_INPUT, 1)
    [(at_us, line, level)] = bench.edges.read(start_us + 900_000)
    assert (line, level) == (1, 1)
    assert at_us == pytest.approx(start_us + 5_000, abs=bench.tolerance_us)
    assert bench.now_us <= start_us + 5_000 + 100 * bench.tolerance_us, "it must not wait on"


def test_read_waits_no_later_than_it_was_told(edges_bench):
    bench = edges_bench()
    start_us = bench.now_us
    bench.edge_at(start_us + 600_001, INPUT, 1)
    assert bench.edges.read(start_us + 10_000) == []
    assert start_us + 10_000 <= bench.now_us < start_us + 600_000
    [(at_us, line, level)] = bench.edges.read(start_us + 20_000_000)
    assert (line, level) == (0, 1)
    assert at_us == pytest.approx(start_us + 600_001, abs=bench.tolerance_us)


def test_read_takes_everything_that_is_queued(edges_bench):
    bench = edges_bench()
    for i in range(300):
        bench.edge_now(INPUT, (i + 1) % 2)
    # A kernel may still be handing them over.
    found = list(bench.edges.read(bench.now_us + 1_000_000))
    while len(found) < 300 and (more := bench.edges.read(bench.now_us + 1_000_000)):
        found += more
    assert [level for _, _, level in found] == [1, 0] * 150
    assert [at_us for at_us, _, _ in found] == sorted(at_us for at_us, _, _ in found)


@pytest.mark.req("UK-2.2.parts")
def test_an_overflowing_queue_is_doubt_of_every_line(edges_bench):
    bench = edges_bench()
    for i in range(QUEUE + 2):
        bench.edge_now(INPUT, (i + 1) % 2)
    found = bench.edges.read(bench.now_us + HOLD_US)
    assert {line for _, line, level in found if level == DOUBT} == {0, 1}


def test_a_lost_last_edge_shows_in_the_level(edge_bench):
    bench = edge_bench()
    bench.request.edge(INPUT, 1, 0, lost=True, count=False)
    found, now_us = [], T0
    while not found and now_us < T0 + 100_000:
        now_us += 10_000
        found = bench.edges.read(now_us)
    assert [(line, level) for _, line, level in found] == [(0, DOUBT), (0, 1)]


def test_the_levels_at_the_start_are_told_and_are_no_edges(edges_bench):
    bench = edges_bench(levels={OTHER_INPUT: 1})
    assert bench.edges.initial_levels == (0, 1)
    assert bench.edges.read(bench.now_us + 1) == []


def test_the_level_of_a_polled_line_is_read(edges_bench):
    bench = edges_bench()
    bench.set_level(POLLED, 1)
    assert (bench.edges.level(POLLED), bench.edges.level(INPUT)) == (1, 0)


def test_a_pin_that_is_no_input_is_named(edges_bench):
    with pytest.raises(ValueError, match="GPIO 5 is not an input of this board"):
        edges_bench().edges.level(5)


def test_a_polled_line_gives_no_edges(edges_bench):
    with pytest.raises(ValueError, match="GPIO 23 gives no edges"):
        edges_bench().edges.watch(POLLED, lambda: None, 4)


def test_a_pull_is_set_without_disturbing_the_other_lines(edge_bench):
    bench = edge_bench()
    bench.edges.set_pull(INPUT, 1)
    line = bench.gpiod.line
    assert bench.request.config[INPUT].bias is line.Bias.PULL_UP
    assert bench.request.config[OTHER_INPUT].bias is line.Bias.AS_IS
    assert bench.request.config[OTHER_INPUT].edge_detection is line.Edge.BOTH
    bench.edges.set_pull(INPUT, -1)
    assert len(bench.request.reconfigured) == 1


def test_the_chip_is_found_by_its_label_whatever_its_number(fake_gpio, tmp_path):
    (tmp_path / "gpiochip4").touch()
    assert find_chip(fake_gpio().gpiod, "pinctrl-rp1", tmp_path) == str(tmp_path / "gpiochip4")
    with pytest.raises(FileNotFoundError, match="no GPIO chip pinctrl-bcm2711"):
        find_chip(fake_gpio().gpiod, "pinctrl-bcm2711", tmp_path)
