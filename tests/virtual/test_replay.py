"""`cylindre replay` (contracts/trace.md) over the recorded traces, where they are present."""

import importlib.util
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.config import Config
from firmware.config.game import choose
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.text.event_text import json_line
from firmware.text.trace import TraceError
from tools.commands.replay import command
from tools.testing.machine import OPEN_TRACES
from tools.virtual.replay import replay

_SPEC = importlib.util.spec_from_file_location("judge", Path(__file__).with_name("judge.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
judging = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(judging)

GAME = choose("roulette_ref", Config())
TRACES = Path(__file__).parents[3] / "shared" / "traces"
SAMPLES = sorted(TRACES.glob("*.vcd"))


def game_of(path):
    """The game of a shared trace, by its name."""
    for apparatus in ("vingt_trois", "boule"):
        if apparatus in path.stem:
            return choose(f"{apparatus}_ref", Config())
    return GAME


KEYS = {
    "coup_started": ["t_us", "event", "coup", "rotor"],
    "rotor_moving": ["t_us", "event", "coup", "rotor"],
    "ball_in_track": ["t_us", "event", "coup", "ball"],
    "no_more_bets": ["t_us", "event", "coup"],
    "ball_dropped": ["t_us", "event", "coup"],
    "detected": ["t_us", "event", "coup"],
    "result": ["t_us", "event", "coup", "number", "compartment", "colour", "verified"],
    "void": ["t_us", "event", "coup", "reason"],
    "fault": ["t_us", "event", "code", "text"],
}

needs_traces = pytest.mark.needs("traces")


def lines_of(path, game=GAME):
    """The JSON lines of a replay, and the sentence it ended with (None: none)."""
    lines = []
    try:
        lines.extend(json_line(fact) for fact in replay(path, game))
    except TraceError as error:
        return lines, str(error)
    return lines, None


@pytest.fixture(scope="module", params=SAMPLES, ids=lambda path: path.stem)
def sample(request):
    """A recorded trace's path, its JSON lines and the truth beside it."""
    lines = [json_line(fact) for fact in replay(request.param, game_of(request.param))]
    truth = json.loads(request.param.with_suffix(".truth.json").read_text())
    return request.param, lines, truth


@needs_traces
def test_recorded_coups_are_decided_as_they_were(sample):
    _, lines, truth = sample
    verdict = judging.judge([json.loads(line) for line in lines], truth)
    assert verdict.complaints == []
    assert len(verdict.leads_s) == sum(coup["kind"] == "clean" for coup in truth)


@pytest.mark.needs("open traces")
def test_a_ball_whose_sights_scatter_is_no_foreign_object():
    """One of 120 clean coups was void: the sensors' middle was 14.04 % off in one turn."""
    path = OPEN_TRACES / "sample_clean_vingt_trois.vcd"
    events = [json.loads(json_line(fact)) for fact in replay(path, game_of(path))]
    verdict = judging.judge(events, json.loads(path.with_suffix(".truth.json").read_text()))
    assert verdict.complaints == []
    assert len(verdict.leads_s) == 120


@needs_traces
def test_every_line_has_the_contracts_keys_in_order_of_time(sample):
    events = [json.loads(line) for line in sample[1]]
    for event in events:
        assert set(KEYS[event["event"]]) <= set(event)
    times = [event["t_us"] for event in events]
    assert times == sorted(times)
    assert all(type(t_us) is int for t_us in times)


@needs_traces
@pytest.mark.parametrize("share", [0.13, 0.4712, 0.77])
def test_a_trace_cut_short_gives_what_was_decided_before_and_nothing_else(sample, tmp_path, share):
    path, whole, _ = sample
    data = path.read_bytes()
    at = data.index(b"\n", int(len(data) * share)) + 2  # behind the first byte of a record
    cut = tmp_path / "cut.vcd"
    cut.write_bytes(data[:at])
    lines, sentence = lines_of(cut, game_of(path))
    assert sentence is not None
    last_row = data[:at].count(b"\n") + 1
    assert sentence.startswith(f"{cut}:{last_row}: ")
    assert lines == whole[: len(lines)]
    last_us = max(int(row[1:]) for row in data[:at].split(b"\n")[:-1] if row.startswith(b"#"))
    due = [line for line in whole if json.loads(line)["t_us"] < last_us]
    assert lines[: len(due)] == due


@needs_traces
def test_a_coup_that_is_open_at_the_end_of_the_trace_is_void_interrupted(sample, tmp_path):
    path, whole, _ = sample
    rows = path.read_text().splitlines(keepends=True)
    second = next(e["t_us"] for e in map(json.loads, whole) if e.get("coup") == 2)
    ends = next(k for k, row in enumerate(rows) if row[0] == "#" and int(row[1:]) > second + 9e6)
    cut = tmp_path / "short.vcd"
    cut.write_text("".join(rows[: ends + 1]))
    lines, sentence = lines_of(cut, game_of(path))
    assert sentence is None
    last = json.loads(lines[-1])
    assert (last["event"], last["coup"], last["reason"]) == ("void", 2, "interrupted")
    assert last["t_us"] == int(rows[ends][1:])
    assert lines[:-1] == whole[: len(lines) - 1]


@needs_traces
def test_a_replay_on_the_command_line_prints_json_and_nothing_else(sample):
    path, lines, _ = sample
    game = game_of(path)
    done = CliRunner().invoke(command, [str(path), "--board", game.board["name"], "--json"])
    assert done.exit_code == 0
    assert done.stdout.splitlines() == lines
    assert ("UNVERIFIED" in done.stderr) == (not game.rules["layout_verified"])
    assert done.stderr.count("\n") == (not game.rules["layout_verified"])


@needs_traces
def test_people_read_the_same_events_in_words(sample):
    path, lines, _ = sample
    done = CliRunner().invoke(command, [str(path), "--board", game_of(path).board["name"]])
    assert len(done.stdout.splitlines()) == len(lines)
    assert done.stdout.count("rien ne va plus") == sum('"no_more_bets"' in line for line in lines)


@needs_traces
def test_where_the_croupier_confirms_no_number_is_a_result_when_it_is_detected(sample):
    facts = list(replay(sample[0], game_of(sample[0]), Config(confirm="croupier")))
    events = [json.loads(json_line(fact)) for fact in facts]
    detected = {e["coup"]: e["t_us"] for e in events if e["event"] == "detected"}
    assert detected
    assert all(e["t_us"] > detected[e["coup"]] for e in events if e["event"] == "result")
    ends = [e["coup"] for e in events if e["event"] in ("result", "void")]
    assert sorted(ends) == [e["coup"] for e in events if e["event"] == "coup_started"]


def invoke(*arguments):
    """Runs the command; returns what it wrote, and the Failure it raised (None: none)."""
    done = CliRunner().invoke(command, [str(argument) for argument in arguments])
    return done, done.exception if isinstance(done.exception, Failure) else None


def test_an_unknown_board_is_a_usage_error_that_guesses_what_was_meant(tmp_path):
    _, failure = invoke(tmp_path / "t.vcd", "--board", "roulete_ref", "--json")
    assert failure.exit_code == USAGE
    assert failure.sentence == 'There is no board "roulete_ref"; did you mean "roulette_ref"?'


def test_a_missing_trace_fails_with_its_name(tmp_path):
    done, failure = invoke(tmp_path / "t.vcd", "--board", "roulette_ref", "--json")
    assert failure.exit_code == FAILED
    assert failure.sentence == f"{tmp_path / 't.vcd'}: cannot be read: no such file or directory."
    assert done.stdout == ""


def test_a_wire_the_board_lacks_fails_before_anything_is_decided(tmp_path):
    path = tmp_path / "t.vcd"
    path.write_text(
        "$timescale 1 us $end\n$scope module wheel $end\n$var wire 1 ! cup00 $end\n"
        "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n0!\n$end\n#9\n1!\n"
    )
    done, failure = invoke(path, "--board", "roulette_ref", "--json")
    assert failure.exit_code == FAILED
    assert failure.sentence.startswith(f'{path}:3: board roulette_ref has no line "cup00"; ')
    assert done.stdout == ""


def test_a_trace_in_which_nothing_happens_decides_nothing(tmp_path):
    path = tmp_path / "t.vcd"
    path.write_text(
        "$timescale 1 us $end\n$scope module wheel $end\n$upscope $end\n$enddefinitions $end\n"
        "#0\n$dumpvars\n$end\n#3600000000\n"
    )
    assert lines_of(path) == ([], None)
