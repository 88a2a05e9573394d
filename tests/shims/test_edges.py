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


def test_read_returns_edges_with_the_kernels_time_and_the_boards_line(edge_bench):
    bench = edge_bench()
    bench.edge_at(T0 + 500, OTHER_INPUT, 1)
    assert bench.edges.read(T0 + 9_000) == [(T0 + 500, 1, 1)]
    assert bench.now_us == T0 + 500, "it must not wait on once there is an edge"


def test_read_waits_no_later_than_it_was_told(edge_bench):
    bench = edge_bench()
    bench.edge_at(T0 + 10_001, INPUT, 1)
    assert bench.edges.read(T0 + 10_000) == []
    assert bench.now_us == T0 + 10_000
    assert bench.edges.read(T0 + 20_000) == [(T0 + 10_001, 0, 1)]


def test_read_takes_everything_that_is_queued(edge_bench):
    bench = edge_bench()
    for i in range(300):
        bench.request.edge(INPUT, (i + 1) % 2, (T0 + i) * 1000 + 1000)
    bench.now_us = T0 + 400
    assert len(bench.edges.read(T0 + 400)) == 300


def test_an_overflowing_queue_is_doubt_of_every_line(edge_bench):
    bench = edge_bench()
    for i in range(QUEUE + 2):
        bench.request.edge(INPUT, (i + 1) % 2, (T0 + i) * 1000 + 1000)
    bench.now_us = T0 + 2 * QUEUE
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


def test_the_levels_at_the_start_are_told_and_are_no_edges(edge_bench):
    bench = edge_bench(levels={OTHER_INPUT: 1})
    assert bench.edges.initial_levels == (0, 1)
    assert bench.edges.read(T0 + 1) == []


def test_the_level_of_a_polled_line_is_read(edge_bench):
    bench = edge_bench()
    bench.lines.levels[POLLED] = 1
    assert (bench.edges.level(POLLED), bench.edges.level(INPUT)) == (1, 0)


def test_a_pin_that_is_no_input_is_named(edge_bench):
    with pytest.raises(ValueError, match="GPIO 5 is not an input of this board"):
        edge_bench().edges.level(5)


def test_a_polled_line_gives_no_edges(edge_bench):
    with pytest.raises(ValueError, match="GPIO 23 gives no edges"):
        edge_bench().edges.watch(POLLED, lambda: None, 4)


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


def test_the_stand_in_has_the_shape_of_the_real_gpiod(fake_gpio, settings_class):
    """Runs where the extra `pi` is installed."""
    gpiod = pytest.importorskip("gpiod")
    stand_in = fake_gpio().gpiod
    for name in ("Direction", "Edge", "Bias", "Clock"):
        ours = {item.name for item in getattr(stand_in.line, name)}
        assert ours <= {item.name for item in getattr(gpiod.line, name)}
    assert set(settings_class().__dict__) <= set(gpiod.LineSettings().__dict__)
    assert {"RISING_EDGE", "FALLING_EDGE"} == {item.name for item in gpiod.EdgeEvent.Type}
    fields = ("event_type", "timestamp_ns", "line_offset", "global_seqno", "line_seqno")
    assert set(fields) == set(gpiod.EdgeEvent.__dataclass_fields__)
    for method in ("wait_edge_events", "read_edge_events", "get_values", "get_value", "release"):
        assert callable(getattr(gpiod.LineRequest, method))
