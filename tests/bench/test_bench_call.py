"""The bench of the call as a command: what it plays, writes, and ends with."""

import os
import sys
from collections import Counter
from importlib import metadata
from itertools import pairwise
from math import nan
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tools.bench.call import changes, grid, new_wheels
from tools.bench.call import command as bench_call
from tools.bench.call.changes import CHANGES, TRACELESS, Campaign, Changed
from tools.bench.call.new_wheels import FIRST, Newcomer, draw
from tools.bench.call.promises import Promise, promises, share
from tools.bench.call.report import console, markdown, picture
from tools.bench.call.run import LEARN, Leads, Outcome, Plan, leads, play
from tools.bench.call.spins import Eyes, Setting

SMALL = Plan(Setting("W2", 0.01, 0.0), (grid.PROMISED, Eyes(1, 1_000, 0.005)), 6, 60, 1)
GOOD = Leads(0, 0.1, 0.2, 0.3, 0.4, 0.3)
RIVAL = Leads(0, 0.1, 0.5, 0.9, 1.2, 1.0)


def changed(change=CHANGES[1], late=0, noticed=(2, None, 1), wider_s=(0.5, None, 0.25)):
    return Changed(SMALL.setting, change, 120, late, 0.125, list(noticed), list(wider_s))


def outcome(wheel="W2", scatter=0.01, tilt_deg=0.0, eyes=grid.PROMISED, **changed):
    figures = {"first": GOOD, "ours": GOOD, "best": GOOD, "threshold": RIVAL, "factory": RIVAL}
    figures |= {"oracle": GOOD} | changed
    return Outcome(Setting(wheel, scatter, tilt_deg), eyes, coups=30_000, **figures)


@pytest.fixture(scope="module")
def played():
    return play(SMALL)


def run(*arguments):
    return CliRunner().invoke(bench_call.main, [str(argument) for argument in arguments])


# --- what is played -------------------------------------------------------------------------------
def test_the_grid_has_every_row_of_the_issue_once_and_the_promised_ones_with_many_coups():
    plans = grid.plans(coups=10, many=300, seed=3)
    rows = Counter((plan.setting, eyes) for plan in plans for eyes in plan.eyes)
    assert set(rows.values()) == {1}
    assert len(rows) == 2 * 3 * 3 * 3 * 2 * 2
    for many, scatter in ((300, 0.01), (100, 0.003)):
        long = {(plan.setting, eyes) for plan in plans for eyes in plan.eyes if plan.coups == many}
        assert long == {(Setting(wheel, scatter, 0.0), grid.PROMISED) for wheel in ("W1", "W2")}
    assert {plan.seed for plan in plans} == {3}
    settings = {setting for setting, _ in rows}
    assert {setting.scatter for setting in settings} == {0.003, 0.01, 0.025}
    assert {setting.tilt_deg for setting in settings} == {0.0, 0.1, 0.2}


def test_an_outcome_has_the_first_coups_apart_and_all_callers_on_the_rest(played):
    for row in played:
        assert row.coups == SMALL.coups
        for figures in (row.first, row.ours, row.best, row.threshold, row.factory, row.oracle):
            assert figures.least <= figures.p5 <= figures.p50 <= figures.p95
        assert row.threshold.late == row.best.late == 0
        assert row.best.mean < row.ours.mean < row.first.p95
        assert row.factory.mean > row.threshold.mean
    assert played[0].oracle == played[1].oracle  # the same balls
    assert played[0].ours.p95 < 1.3 < played[0].first.p95  # the cautious calls are the first's
    assert [row.eyes for row in played] == list(SMALL.eyes)
    assert LEARN == 200


def test_leads_are_summed_up_and_those_at_the_drop_or_after_it_are_late():
    found = leads([1_000_000, -5, 0, 1, 2_000_000])
    assert (found.late, found.least, found.p50, found.p95) == (2, -5e-6, 1e-6, 2.0)
    assert found.mean == pytest.approx(0.5999992)
    assert leads([]).late == 0 and repr(leads([]).mean) == repr(nan)


# --- promises -------------------------------------------------------------------------------------
def test_promises_are_kept_up_to_their_limit():
    assert Promise("", 0.65, 0.65, False).kept
    assert not Promise("", 0.651, 0.65, False).kept
    assert not Promise("", nan, 0.65, False).kept
    assert share(1.0, 0.0) == float("inf")


@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        ({}, []),
        ({"ours": GOOD._replace(late=1)}, ["W2 1 %: late calls in 30000 coups"]),
        ({"first": GOOD._replace(late=1)}, ["first 200 coups of each of 1 rows: late calls"]),
        ({"ours": GOOD._replace(p50=0.66)}, ["W2 1 %: median lead, s"]),
        ({"best": GOOD._replace(mean=0.81)}, ["W2 1 %: the same, both in hindsight"]),
        ({"threshold": GOOD, "best": RIVAL._replace(mean=0.2)}, ["W2 1 %: lead to threshold's"]),
        ({"factory": GOOD._replace(mean=0.7)}, ["W2 1 %: lead to factory's"]),
    ],
)
def test_each_promise_can_be_broken(changed, broken):
    found = promises([outcome(**changed)])
    assert [one.name for one in found if not one.kept] == broken
    assert [one.safe for one in found] == [True, False, False, False, False, True]


def test_only_three_beams_on_a_level_wheel_are_promised_leads():
    slow = RIVAL._replace(p50=3.0)
    rows = [outcome(tilt_deg=0.1, ours=slow), outcome(scatter=0.025, ours=slow)]
    rows += [outcome(eyes=Eyes(8, 100, 0.0), ours=slow), outcome(scatter=0.003, ours=slow)]
    assert [one.name for one in promises(rows) if not one.kept] == ["W2 0.3 %: median lead, s"]


# --- what is written ------------------------------------------------------------------------------
def test_the_report_has_a_row_for_each_outcome_and_says_what_is_late(played):
    late = outcome(factory=RIVAL._replace(late=3), ours=GOOD._replace(late=2))
    rows = [*played[1:], late, outcome(wheel="W1", scatter=0.003)]
    text = markdown(rows, promises(rows), seed=9)
    assert "seed 9" in text and "![mean leads](call.svg)" in text
    assert "## W1, drop speed scatter 0.3 %" in text and "## W2, drop speed scatter 1 %" in text
    row = next(
        line for line in text.splitlines() if line.startswith("| 0 | 3 | 100 | 0 | 30000 | 2")
    )
    assert "1.000 (3 late)" in row and row.endswith("| 0.30 | 0.30 | 0.30 |")
    assert "| W2 1 %: late calls in 30000 coups | 2 | 0 | MISSED |" in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in tables}) == 2  # promises, and the grid


def test_the_report_says_how_wheels_that_changed_were_called():
    rows = [changed(), changed(TRACELESS[0], late=2, noticed=[None] * 3, wider_s=[None] * 3)]
    text = markdown([outcome()], promises([outcome()], rows), rows, seed=1)
    told = [line for line in text.splitlines() if "ball 18 to 21" in line or "only that" in line]
    assert told == [
        "| W2 1 %: ball 18 to 21 mm | 120 | 0 | 0.125 | 2 of 3 | 1 | 2 | 0.25 |",
        "| W2 1 %: lets go 1 % earlier (only that) | 120 | 2 | 0.125 | 0 of 3 |  |  |  |",
    ]
    assert "| late calls in 120 coups after a change | 0 | 0 | kept |" in text
    assert "Wheels that change" not in markdown([outcome()], [], seed=1)
    (*_, broken) = promises([], [changed(late=1)])
    assert broken.safe and not broken.kept


def test_the_terminal_gets_the_promised_sensors_and_sums_of_the_others(played):
    rows = [*played, outcome(wheel="W1", ours=GOOD._replace(late=1))]
    lines = list(console(rows, promises(rows)))
    assert sum(line.startswith(("W1 1 %", "W2 1 %")) for line in lines) == 2
    assert any("1 beams, 1000 us, 0.5 % missed" in line for line in lines)
    assert any("W1 1 %: late calls in 30000 coups" in line and "MISSED" in line for line in lines)
    assert max(map(len, lines)) <= 120


def test_the_picture_is_an_svg_without_scripts_that_names_every_caller():
    rows = [outcome(wheel=wheel, scatter=scatter) for wheel in ("W2", "W1") for scatter in (0.01,)]
    svg = picture([*rows, outcome(tilt_deg=0.2), outcome(eyes=Eyes(1, 100, 0.0))])
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    words = " ".join(root.itertext())
    for word in ("factory", "threshold", "ours in hindsight", "oracle", "W1 1 %", "W2 1 %"):
        assert word in words
    assert "deg" not in words
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
    assert svg == picture([*rows, outcome(tilt_deg=0.2)])


def test_drawing_leaves_no_hook_in_the_way_of_later_imports():
    before = {each.metadata["Name"] for each in metadata.distributions()}
    picture([outcome()])
    assert [each for each in sys.meta_path if not hasattr(each, "find_spec")] == []
    assert {each.metadata["Name"] for each in metadata.distributions()} == before != set()


def play_changes(plan, tell):
    """At the top, so that other processes find it."""
    return [changed(), changed(TRACELESS[2], late=plan.seed)]


# --- the command ----------------------------------------------------------------------------------
@pytest.fixture
def small(monkeypatch):
    """The command on two rows."""
    asked = []

    def plans(**options):
        asked.append(options)
        return [SMALL._replace(coups=options["coups"], seed=options["seed"])]

    def campaigns(*, wheels, seed):
        return [Campaign(SMALL.setting, grid.PROMISED, wheels, seed)]

    monkeypatch.setattr(bench_call, "plans", plans)
    monkeypatch.setattr(bench_call, "campaigns", campaigns)
    monkeypatch.setattr(bench_call, "fleets", lambda **options: [])
    monkeypatch.setattr(bench_call.changes, "play", play_changes)
    return asked


def test_the_same_seed_writes_the_same_bytes_whoever_does_the_work(small, tmp_path):
    for name, jobs in (("a", 1), ("b", 2)):
        done = run("--coups", 3, "--seed", 4, "--jobs", jobs, "--out", tmp_path / name)
        assert done.exit_code == 0, done.output
    for name in ("call.md", "call.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert small[0] == {"coups": 3, "many": 30_000, "seed": 4}
    run("--coups", 3, "--seed", 5, "--jobs", 1, "--out", tmp_path / "c")
    assert (tmp_path / "a/call.svg").read_bytes() != (tmp_path / "c/call.svg").read_bytes()


@pytest.mark.parametrize(
    ("row", "options", "code"),
    [
        (outcome(), [], 0),
        (outcome(ours=GOOD._replace(p50=5.0)), [], 1),
        (outcome(ours=GOOD._replace(p50=5.0)), ["--many", 100], 0),  # too few coups to judge leads
        (outcome(ours=GOOD._replace(late=1)), ["--many", 100], 1),
        (outcome(eyes=Eyes(1, 1_000, 0.005), first=GOOD._replace(late=1)), ["--coups", 5], 1),
    ],
)
def test_a_promise_that_is_missed_ends_with_1(row, options, code, small, tmp_path, monkeypatch):
    monkeypatch.setattr(bench_call, "play", lambda plan, tell: [row])
    done = run("--jobs", 1, "--out", tmp_path, *options)
    assert done.exit_code == code
    assert "call.md has all of it" in done.output
    assert ("MISSED" in done.output) == (row != outcome())


@pytest.mark.parametrize(
    "arguments", [("--coups", 0), ("--many", "x"), ("--jobs", 0), ("--seed", "a"), ("extra",)]
)
def test_bad_input_is_a_usage_error_before_any_work(arguments, small):
    done = run(*arguments)
    assert done.exit_code == 2
    assert "Error: " in done.output and not small


def test_a_place_where_nothing_can_be_written_is_told_before_any_work(small, tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        done = run("--out", place)
        assert done.exit_code == 2
        assert "file" in done.output and "Traceback" not in done.output
    assert not small


@pytest.mark.parametrize("name", ["call.md", "call.svg"])
def test_a_file_that_cannot_be_written_is_told_before_any_work(name, small, tmp_path):
    (tmp_path / name).mkdir()
    done = run("--out", tmp_path)
    assert done.exit_code == 2
    assert f"{name} cannot be written" in done.output and not small


def test_a_folder_of_somebody_else_is_told_before_any_work(small, tmp_path, monkeypatch):
    monkeypatch.setattr(bench_call.os, "access", lambda place, mode: mode == os.R_OK)
    done = run("--out", tmp_path)
    assert done.exit_code == 2
    assert "cannot be written to" in done.output and not small


def test_a_disk_that_fills_meanwhile_costs_the_files_not_the_results(small, tmp_path, monkeypatch):
    def full(rows):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bench_call, "picture", full)
    done = run("--coups", 3, "--jobs", 1, "--out", tmp_path)
    assert done.exit_code == 1
    assert "late calls in" in done.output
    assert "cannot be written to: no space left on device" in done.output


def stopped(plan, tell):
    raise KeyboardInterrupt


def test_an_interrupted_bench_prints_and_keeps_the_rows_that_are_done(small, tmp_path, monkeypatch):
    monkeypatch.setattr(bench_call.changes, "play", stopped)
    (tmp_path / "call.md").write_text("of a whole one")
    done = run("--coups", 3, "--jobs", 1, "--out", tmp_path)
    assert done.exit_code == 130
    assert "W2 1 %: late calls in 3 coups" in done.output
    assert "Incomplete: interrupted after 1 of 2 runs" in done.output
    assert (
        "**Incomplete: interrupted after 1 of 2 runs.**" in (tmp_path / "call-part.md").read_text()
    )
    assert (tmp_path / "call.md").read_text() == "of a whole one"
    assert not (tmp_path / "call.svg").exists()


def test_a_bench_interrupted_before_any_row_says_so_and_writes_nothing(
    small, tmp_path, monkeypatch
):
    monkeypatch.setattr(bench_call, "play", stopped)
    done = run("--jobs", 1, "--out", tmp_path)
    assert done.exit_code == 130
    assert "Interrupted before any run was done." in done.output and not list(tmp_path.iterdir())


def test_what_is_told_while_it_plays_is_all_that_it_was_said_to_cost():
    told = []
    play(SMALL, told.append)
    assert sum(told) == pytest.approx(SMALL.cost) and len(told) == LEARN + 6 + 60
    told.clear()
    plan = Campaign(SMALL.setting, grid.PROMISED, 1, 1)
    changes.play(plan, told.append)
    assert sum(told) == pytest.approx(plan.cost) and len(told) == 1 + len(CHANGES + TRACELESS)


def test_the_long_rows_lie_apart_so_that_there_are_others_soon():
    long = [plan.coups >= 100 for plan in grid.plans(coups=10, many=300, seed=3)]
    assert sum(long) == 4 and long[0]
    assert (True, True) not in list(pairwise(long)) and not any(long[-10:])


def test_fewer_coups_have_fewer_wheels_that_change(small, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(bench_call, "campaigns", lambda **options: asked.append(options) or [])
    for options in ([], ["--coups", 20], ["--coups", 750], ["--coups", 20, "--wheels", 3]):
        monkeypatch.setattr(bench_call, "play", lambda plan, tell: [outcome()])
        run("--jobs", 1, "--out", tmp_path, *options)
    assert [each["wheels"] for each in asked] == [10, 1, 5, 3]


# --- new wheels -----------------------------------------------------------------------------------
def newcomer(first_s=(4.0,) * 3 + (1.5,) * 17, late=0, beams=3):
    drawn = draw(Random(beams))
    eyes = drawn.eyes._replace(beams=beams)
    return Newcomer(eyes, drawn.scatter, list(first_s), learned_s=1.0, late=late)


def test_a_new_wheel_is_drawn_in_the_ranges_of_physics():
    wheels = [draw(Random(seed)) for seed in range(200)]
    slowest = [one.parameters.exit_speed_rad_s for one in wheels]
    assert 2.6 < min(slowest) < 2.8 and 3.7 < max(slowest) < 3.95
    assert {one.eyes.beams for one in wheels} == {1, 3, 8}
    assert all(340 <= one.geometry["track_radius_mm"] <= 380 for one in wheels)
    assert all(17 <= one.geometry["ball_mm"] <= 23 for one in wheels)
    assert all(0.003 <= one.scatter <= 0.025 for one in wheels)
    level = [one for one in wheels if one.parameters.tilt_deg == 0.0]
    assert 70 < len(level) < 130 and max(one.parameters.tilt_deg for one in wheels) <= 0.2


def test_new_wheels_keep_two_promises_or_break_them():
    kept = promises([], (), [newcomer(), newcomer()])[1:]
    assert [(one.value, one.safe, one.kept) for one in kept] == [
        (0, True, True),
        (1.5, False, True),
    ]
    early = newcomer(first_s=[-0.1] + [2.5] * 19, late=1)
    assert [one.kept for one in promises([], (), [early])[1:]] == [False, False]


def test_the_report_says_how_new_wheels_began():
    report = markdown([], [], (), [newcomer(), newcomer(beams=1)], seed=1)
    rows = [line for line in report.splitlines() if line.startswith(("| all", "| beams"))]
    assert rows == [
        "| all | 2 | 0 | 0 | 1.00 | 1.50 | 4.00 | 1.50 | 1.50 | 1.50 | 1.50 |",
        "| beams: 1 | 1 | 0 | 0 | 1.00 | 1.50 | 4.00 | 1.50 | 1.50 | 1.50 | 1.50 |",
        "| beams: 3 | 1 | 0 | 0 | 1.00 | 1.50 | 4.00 | 1.50 | 1.50 | 1.50 | 1.50 |",
    ]


def test_a_fleet_plays_its_wheels_and_tells_their_cost():
    told = []
    (plan,) = grid.fleets(wheels=1, seed=1)
    (found,) = new_wheels.play(plan, told.append)
    assert sum(told) == pytest.approx(plan.cost)
    assert len(found.first_s) == FIRST and found.late == 0 and found.learned_s > 0.0
    fleets = grid.fleets(wheels=50, seed=1)
    assert [(one.begin, one.wheels) for one in fleets] == [(0, 20), (20, 20), (40, 10)]
