"""`cylindre sim`: coups in virtual time, truth beside decision."""

import contextlib
import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from firmware.config import Config
from firmware.config.game import choose
from firmware.core.controller import Controller
from firmware.core.feed import TIME_ONLY, feed
from firmware.lib.errors import FAILED, Failure
from firmware.text.event_text import json_line
from firmware.text.trace import open_trace
from tools.commands.sim import command
from tools.virtual.replay import replay
from tools.virtual.score import Judged
from tools.virtual.simulate import Simulation

GAME = choose("roulette_ref", Config())
BOARD = GAME.board


def sim(*arguments):
    """Runs the command; returns what it wrote."""
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def events_of(stdout):
    """The lines of a simulation that a replay has too."""
    return [
        line
        for line in stdout.splitlines()
        if json.loads(line)["event"] not in ("judged", "summary")
    ]


@pytest.mark.parametrize("hand", [(), ("--hand",)], ids=["driven", "hand"])
@pytest.mark.parametrize("wheel", ["W1", "W2"])
def test_the_trace_of_a_simulation_replays_to_the_same_events(tmp_path, wheel, hand):
    path = tmp_path / "sim.vcd"
    done = sim("--coups", 4, "--seed", 5, "--wheel", wheel, *hand, "--json", "--trace", path)
    assert done.exit_code == 0
    events = events_of(done.stdout)
    assert events == [json_line(fact) for fact in replay(path, GAME)]
    assert sum('"result"' in event for event in events) == 4


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    def run(seed, hashing):
        path = tmp_path / f"{seed}-{hashing}.vcd"
        done = subprocess.run(
            [sys.executable, "-m", "tools.cli", "sim", "--coups", "2", "--seed", str(seed),
             "--json", "--trace", str(path)],
            stdout=subprocess.PIPE, check=True, env={**os.environ, "PYTHONHASHSEED": hashing},
        )  # fmt: skip
        return done.stdout, path.read_bytes()

    assert run(3, "1") == run(3, "2")
    assert run(3, "1")[1] != run(4, "1")[1]


def test_each_coup_is_judged_beside_its_truth_and_summed_up():
    done = sim("--coups", 3, "--seed", 2, "--wheel", "W2", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    judged = [line for line in lines if line["event"] == "judged"]
    assert [line["coup"] for line in judged] == [1, 2, 3]
    for line in judged:
        assert line["verdict"] == "right"
        assert line["truth"]["number"] == line["decision"]["number"]
        assert line["lead_us"] > 0
        assert 0 < line["rest_to_verified_us"] < 10_000_000
        assert 0 < line["rest_to_verified_uturn"] < 2_000_000
    summary = lines[-1]
    assert summary["event"] == "summary"
    assert (summary["right"], summary["wrong"], summary["void"], summary["late"]) == (3, 0, 0, 0)
    assert summary["lead_s"]["min"] == min(round(line["lead_us"] / 1e6, 3) for line in judged)


def test_people_get_a_line_a_coup_and_a_summary():
    done = sim("--coups", 2, "--seed", 2)
    rows = done.stdout.splitlines()
    assert rows[0].split()[:3] == ["coup", "truth", "decision"]
    assert [row.split()[0] for row in rows[1:3]] == ["1", "2"]
    assert "right 2   wrong 0   void 0   late calls 0" in done.stdout


def test_where_nothing_turns_no_turns_are_told():
    arguments = ("--board", "boule_ref", "--coups", 2, "--seed", 2)
    rows = sim(*arguments).stdout.splitlines()
    assert rows[0].split()[-1] == "turns"
    assert [row.split()[-1] for row in rows[1:3]] == ["-", "-"]
    lines = [json.loads(line) for line in sim(*arguments, "--json").stdout.splitlines()]
    judged = [line for line in lines if line["event"] == "judged"]
    assert [line["rest_to_verified_uturn"] for line in judged] == [None, None]
    assert lines[-1]["rest_to_verified_turns"]["max"] is None


def test_in_a_pipe_there_is_no_progress_bar():
    assert sim("--coups", 1, "--json").stderr == ""


def test_where_a_person_looks_there_is_a_progress_bar():
    ours, theirs = os.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "tools.cli", "sim", "--coups", "2", "--json"],
        stdout=subprocess.PIPE, stderr=theirs, check=True,
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # EIO: all that was written is read, and nobody holds it
        while data := os.read(ours, 65_536):
            seen += data
    os.close(ours)
    assert b"2/2" in seen
    assert b"2/2" not in done.stdout


def test_a_trace_that_cannot_be_written_fails_before_anything_is_played(tmp_path):
    done = sim("--coups", 1, "--json", "--trace", tmp_path / "nowhere" / "t.vcd")
    assert isinstance(done.exception, Failure)
    assert done.exception.exit_code == FAILED
    assert done.exception.sentence.endswith("t.vcd: cannot be written: no such file or directory.")
    assert done.stdout == ""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Levels and edges of three simulated coups."""
    path = tmp_path_factory.mktemp("run") / "run.vcd"
    assert sim("--coups", 3, "--seed", 11, "--hand", "--trace", path).exit_code == 0
    with open_trace(path, BOARD) as trace:
        return list(trace.levels), list(trace.edges())


def decided(levels, edges):
    controller = Controller(BOARD, GAME.rules)
    return [json_line(fact) for fact in feed(controller, edges, levels)]


@pytest.mark.parametrize("share", [0.05, 0.21, 0.34, 0.5, 0.66, 0.87])
def test_what_is_decided_by_a_time_depends_on_edges_up_to_that_time_alone(run, share):
    levels, edges = run
    whole = decided(levels, edges)
    part = edges[: int(len(edges) * share)]
    until_us = part[-1][0]
    early = decided(levels, [*part, (until_us, TIME_ONLY, 0)])
    if "interrupted" in early[-1]:
        early.pop()
    assert early == [line for line in whole if json.loads(line)["t_us"] <= until_us]


def test_a_simulation_judges_as_it_goes():
    judged = 0
    for item in Simulation(GAME, preset="W1", seed=8, hand=True).play(3):
        if isinstance(item, Judged):
            judged += 1
            assert item.truth.coup == judged
            assert item.truth.t_lift_us is not None
    assert judged == 3


def test_what_is_set_at_the_wheel_changes_its_coups_and_is_said():
    options = ("--coups", 2, "--seed", 5, "--hand", "--json")
    plain, worn = (
        [json.loads(line) for line in sim(*options, *changes).output.splitlines()]
        for changes in ((), ("--set", "slowing=1.2", "--set", "fret.17.loose=.1@2"))
    )
    lasted = [
        [
            each["truth"]["t_drop_us"] - each["truth"]["t_launch_us"]
            for each in lines
            if each["event"] == "judged"
        ]
        for lines in (plain, worn)
    ]
    assert max(lasted[1]) < min(lasted[0])
    assert worn[-1]["set"] == ["slowing=1.2", "fret.17.loose=.1@2"]
    assert "set" not in plain[-1]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--set", "fret.37.loose=.1"), "there is no fret 37: they are 0 to 36"),
        (("--set", "tilt_deg=9"), "tilt_deg is from 0 to 2"),
        (("--set", "tilt_deg=.1", "--board", "boule_ref"), "only a roulette wheel"),
    ],
)
def test_what_cannot_be_set_ends_with_a_sentence(options, why):
    done = sim("--coups", 1, *options)
    assert isinstance(done.exception, Failure)
    assert why in str(done.exception)
