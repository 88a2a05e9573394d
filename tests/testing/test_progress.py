"""A long command says at once how long it takes, and then how far it is."""

import io
import json
import os
import signal
import threading
from pathlib import Path

import pytest
from patience import LAST_RESORT_S

from tools.testing.progress import KEPT_S, LOG_S, Progress, duration


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        """The line that is there now."""
        return self.getvalue().rpartition("\r")[2].removesuffix("\x1b[K")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def begin(clock: Clock, tmp_path: Path):
    def begin(total: float, out: io.StringIO | None = None, **options: object) -> Progress:
        out = io.StringIO() if out is None else out
        options = {"clock": clock, "beats": False, "folder": tmp_path} | options
        return Progress("night", total, out=out, **options)

    return begin


def keep(folder: Path, unit_s: float, name: str = "night") -> None:
    (folder / f"{name}.json").write_text(json.dumps({"unit_s": unit_s}))


# --- at once --------------------------------------------------------------------------------------
def test_it_says_at_once_what_the_last_run_lets_expect(begin, tmp_path):
    keep(tmp_path, 2.0)
    out = io.StringIO()
    with begin(100, out):
        assert out.getvalue() == "night: about 3 min 20 s, as the last time\n"


def test_without_a_last_run_it_says_what_it_took_elsewhere(begin):
    out = io.StringIO()
    with begin(100, out, unit_s=2.0):
        assert out.getvalue() == "night: about 3 min 20 s, as elsewhere\n"


def test_two_workers_take_half_as_long(begin, tmp_path):
    keep(tmp_path, 2.0)
    out = io.StringIO()
    with begin(100, out, workers=2):
        assert "about 1 min 40 s" in out.getvalue()


def test_what_was_done_before_takes_no_time(begin, tmp_path):
    keep(tmp_path, 2.0)
    out = io.StringIO()
    with begin(100, out, done=90, unit="jobs") as progress:
        assert "about 20 s" in out.getvalue()
        assert progress.line() == "night: 90 of 100 jobs, 20 s left"


def test_without_a_last_run_the_first_two_seconds_tell(begin, clock):
    out = io.StringIO()
    with begin(100, out) as progress:
        assert out.getvalue() == "night: the first 2 s tell how long it takes\n"
        clock.now_s += 1.0
        progress.add(1)
        assert out.getvalue().count("\n") == 1
        clock.now_s += 1.0
        progress.add(1)
        assert out.getvalue().endswith("\nnight: 2 %, 1 min 38 s left\n")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"unit_s": "x"}', '{"unit_s": -1}', '{"unit_s": NaN}',
     '{"unit_s": 1e999}', '{"unit_s": null}', "\x00"],
)  # fmt: skip
def test_a_spoiled_last_run_counts_as_none(begin, tmp_path, text):
    (tmp_path / "night.json").write_text(text)
    assert begin(100).left_s() is None
    (tmp_path / "night.json").write_bytes(b"\xff\xfe")
    assert begin(100).left_s() is None


def test_too_little_of_the_work_tells_nothing(begin, clock):
    with begin(1_000) as progress:
        clock.now_s += 60.0
        progress.add(4)
        assert progress.line() == "night: 0 %, 1 min 00 s so far"
        progress.add(1)
        assert progress.left_s() == 60.0 / 5 * 995


# --- where nobody looks, and where somebody does --------------------------------------------------
def test_a_log_gets_a_line_a_minute_though_no_unit_ends(begin, clock, tmp_path):
    keep(tmp_path, 10.0)
    out = io.StringIO()
    with begin(100, out) as progress:
        for _ in range(600):
            clock.now_s += 0.25
            progress.beat()
        lines = out.getvalue().splitlines()
    assert lines[1:] == ["night: 0 %, 15 min 40 s left", "night: 0 %, 14 min 40 s left"]
    assert "\r" not in out.getvalue() and "\x1b" not in out.getvalue()


def test_a_terminal_has_one_line_that_is_redrawn(begin, clock):
    out = Terminal()
    with begin(10, out, unit="rows") as progress:
        for _ in range(4):
            clock.now_s += 5.0
            progress.add(note="W2")
        assert out.shown() == "night: 4 of 10 rows, 30 s left; W2"
        assert "\n" not in out.getvalue()
    assert out.getvalue().endswith("\rnight: done in 20 s; W2\x1b[K\n")


def test_a_terminal_is_not_redrawn_for_each_of_many_units(begin, clock):
    out = Terminal()
    with begin(10_000, out) as progress:
        for _ in range(10_000):
            clock.now_s += 0.001
            progress.add()
        assert 30 < out.getvalue().count("\r") < 45


def test_a_line_that_says_the_same_is_not_drawn_again(begin, clock):
    out = Terminal()
    with begin(10, out) as progress:
        clock.now_s += 5.0
        progress.add()
        for _ in range(4):
            clock.now_s += 0.25
            progress.beat()
        assert out.getvalue().count("\r") == 3  # at once, 45 s left, 44 s left


def test_a_line_never_wraps(begin, clock):
    out = Terminal()
    with begin(10, out) as progress:
        clock.now_s += 5.0
        progress.add(note="x" * 300)
        assert len(out.shown()) == 79


def test_what_is_said_stands_above_the_line(begin, clock):
    out, results = Terminal(), io.StringIO()
    with begin(2, out) as progress:
        clock.now_s += 5.0
        progress.add()
        progress.print_line("a row", results)
        assert out.getvalue().endswith("\r\x1b[K\rnight: 50 %, 5 s left\x1b[K")
        progress.print_line("a word")
        assert "\r\x1b[Ka word\n" in out.getvalue()
    assert results.getvalue() == "a row\n"


def test_a_thread_tells_it_while_a_unit_lasts_and_ends_with_the_block(begin, clock, tmp_path):
    keep(tmp_path, 10.0)
    told = threading.Event()

    class Heard(io.StringIO):
        def write(self, text: str) -> int:
            if "9 min 00 s left" in text:
                told.set()
            return super().write(text)

    with begin(60, Heard(), beats=True):
        clock.now_s += LOG_S
        assert told.wait(LAST_RESORT_S)
    assert not any(thread.name.endswith("(_beat)") for thread in threading.enumerate())


def test_nobody_who_reads_it_is_no_error(begin, clock):
    class Gone(Terminal):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with begin(2, Gone()) as progress:
        clock.now_s += 5.0
        progress.add()


# --- the time left --------------------------------------------------------------------------------
def test_the_time_left_runs_down_between_two_units_and_never_below_nothing(begin, clock):
    with begin(3) as progress:
        clock.now_s += 10.0
        progress.add()
        assert progress.left_s() == 20.0
        clock.now_s += 15.0
        assert progress.left_s() == 5.0
        clock.now_s += 15.0
        assert progress.line() == "night: 33 %, 40 s so far, longer than thought"


def test_units_of_different_cost_on_two_workers_leave_a_steady_time(begin, clock):
    """400 units, the long ones first: from a fifth of the work on, all of it is known to 10 %."""
    costs = sorted((1.0 + 9.0 * (at % 14 == 0) for at in range(400)), reverse=True)
    free_s, ends = [0.0, 0.0], []
    for cost in costs:
        worker = free_s.index(min(free_s))
        free_s[worker] += cost
        ends.append((free_s[worker], cost))
    whole_s, begin_s, far = max(free_s), clock.now_s, []
    with begin(sum(costs), workers=2) as progress:
        for end_s, cost in sorted(ends):
            clock.now_s = begin_s + end_s
            progress.add(cost)
            if end_s > 0.2 * whole_s:
                far.append(abs(end_s + progress.left_s() - whole_s) / whole_s)
    assert max(far) < 0.1


def test_the_first_units_do_not_outweigh_the_last_run(begin, clock, tmp_path):
    keep(tmp_path, 1.0)
    with begin(1_000) as progress:
        clock.now_s += 10.0  # ten times as long as then
        progress.add()
        assert 1_000 < progress.left_s() < 1_300
        clock.now_s += 4_990.0
        progress.add(499)
        assert progress.left_s() == pytest.approx(4_590, abs=10)


# --- the end --------------------------------------------------------------------------------------
def test_a_whole_run_is_kept_for_the_next_one(begin, clock, tmp_path):
    with begin(100, workers=2, folder=tmp_path / "new") as progress:
        clock.now_s += 50.0
        progress.add(100)
    out = io.StringIO()
    with begin(10, out, folder=tmp_path / "new"):
        assert "about 10 s" in out.getvalue()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["night.json"]


def test_runs_of_another_kind_are_kept_apart(begin, clock, tmp_path):
    with begin(100, like="real") as progress:
        clock.now_s += 50.0
        progress.add(100)
    assert begin(100).left_s() is None
    assert begin(100, like="real").left_s() == 50.0


def test_the_environment_says_where_it_is_kept_or_that_nothing_is(clock, tmp_path, monkeypatch):
    for folder, kept in ((str(tmp_path), ["night.json"]), ("", [])):
        monkeypatch.setenv("CYLINDRE_DURATIONS", folder)
        with Progress("night", 1, out=io.StringIO(), clock=clock, beats=False) as progress:
            clock.now_s += 60.0
            progress.add()
        assert [path.name for path in tmp_path.iterdir()] == kept
        (tmp_path / "night.json").unlink(missing_ok=True)


@pytest.mark.parametrize(("took_s", "error"), [(KEPT_S - 1, None), (60.0, KeyboardInterrupt())])
def test_a_short_run_and_one_that_was_stopped_are_not_kept(begin, clock, tmp_path, took_s, error):
    try:
        with begin(100) as progress:
            clock.now_s += took_s
            progress.add(100)
            if error:
                raise error
    except KeyboardInterrupt:
        pass
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_no_error(begin, clock, tmp_path):
    (tmp_path / "file").write_text("")
    with begin(100, folder=tmp_path / "file") as progress:
        clock.now_s += 60.0
        progress.add(100)


@pytest.mark.parametrize("out", [io.StringIO, Terminal])
def test_whoever_stops_it_is_told_how_far_it_came(begin, clock, out):
    out = out()

    def work() -> None:
        with begin(100, out) as progress:
            clock.now_s += 60.0
            progress.add(37)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert "night: stopped after 1 min 00 s, 37 %" in out.getvalue()
    assert out.getvalue().endswith("\n")


def test_what_is_forked_while_the_thread_writes_can_write_too(begin, clock, tmp_path):
    """The lock is free in the child: the fork waits until the line is written."""
    writing, go_on = threading.Event(), threading.Event()

    class Slow(io.StringIO):
        def write(self, text: str) -> int:
            if threading.current_thread() is not threading.main_thread():
                writing.set()
                assert go_on.wait(LAST_RESORT_S)
            return super().write(text)

    with begin(60, Slow(), beats=True):
        clock.now_s += LOG_S
        assert writing.wait(LAST_RESORT_S)
        threading.Timer(0.2, go_on.set).start()
        child = os.fork()
        if not child:
            signal.alarm(10)  # ends it if it waits for ever
            with Progress("child", 1, out=io.StringIO(), beats=False):
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (3599.6, "1 h 00 min"),
        (9000, "2 h 30 min"),
    ],
)
def test_a_time_is_said_as_a_person_says_it(seconds, said):
    assert duration(seconds) == said
