"""`cylindre replay --truth`: what happened beside what is decided, and files that are no truths."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.lib.errors import FAILED, OK, Failure
from rules import load as load_rules
from tools import cli
from tools.commands import replay, sim
from tools.virtual import truth_file

TRACES = Path(__file__).parents[3] / "shared" / "traces"
WHEELS = {
    "sample_mixed_w1": "roulette_ref",
    "sample_mixed_vingt_trois": "vingt_trois_ref",
    "sample_mixed_boule": "boule_ref",
}
LAYOUT = load_rules("roulette_lu")["layout"]
needs_traces = pytest.mark.needs("traces")


def replayed(trace, board, truth, *options):
    """Runs the command; returns how it ended, the rows judged, and the summary."""
    arguments = [str(trace), "--board", board, "--truth", str(truth), "--json", *options]
    done = CliRunner().invoke(replay.command, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit | Failure)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    judged = [row for row in rows if row["event"] == "judged"]
    failed = isinstance(done.exception, Failure)
    return FAILED if failed else done.exit_code, judged, rows[-1] if rows else None


@pytest.fixture(scope="module", params=["roulette_ref --wheel W2", "boule_ref", "vingt_trois_ref"])
def simulated(request, tmp_path_factory):
    """A trace of the simulator, its board, and what `sim --json` printed beside it."""
    folder = tmp_path_factory.mktemp("simulated")
    said = folder / "coups.jsonl"
    line = f"--board {request.param} --coups 2 --seed 4 --json --trace {folder / 'coups.vcd'}"
    done = CliRunner().invoke(sim.command, line.split())
    assert done.exit_code == OK
    said.write_text(done.stdout)
    return folder / "coups.vcd", request.param.split()[0], said


def as_array(said):
    """The same truths as an array lies beside a shared trace."""
    rows = [json.loads(line) for line in said.read_text().splitlines()]
    return [
        {
            "kind": "clean",
            "expect": "result",
            "number": None,
            "compartment": row["truth"]["compartment"],
            "t_start": row["truth"]["t_start_us"] / 1e6,
            "t_drop": row["truth"]["t_drop_us"] / 1e6,
            "t_settle": row["truth"]["t_rest_us"] / 1e6,
            "t_remove": row["truth"]["t_lift_us"] / 1e6,
        }
        for row in rows
        if row["event"] == "judged"
    ]


@needs_traces
@pytest.mark.parametrize("name", WHEELS)
def test_the_shared_traces_are_right_beside_their_truths(name):
    truth = TRACES / f"{name}.truth.json"
    code, judged, figures = replayed(TRACES / f"{name}.vcd", WHEELS[name], truth)
    told = json.loads(truth.read_text())
    assert (code, figures["wrong"], figures["late"], figures["missed"]) == (OK, 0, 0, 0)
    assert [row["kind"] for row in judged] == [each["kind"] for each in told]
    for row, each in zip(judged, told, strict=True):
        assert row["verdict"] in {"result": ["right"], "void": ["void"]}.get(
            each["expect"], ["right", "void"]
        )
        assert row["verdict"] == "void" or row["lead_us"] > 0
    assert figures["unexpected_void"] == 0
    assert figures["right"] + figures["void"] == len(told)


def test_what_a_simulation_printed_is_the_truth_of_its_trace(simulated):
    code, judged, figures = replayed(*simulated)
    said = [json.loads(line) for line in simulated[2].read_text().splitlines()]
    assert code == OK and figures["right"] == 2
    assert [row["truth"] for row in judged] == [
        row["truth"] for row in said if row["event"] == "judged"
    ]


def test_both_forms_of_the_same_truths_say_the_same(simulated, tmp_path):
    array = tmp_path / "truth.json"
    array.write_text(json.dumps(as_array(simulated[2])))
    ours, theirs = replayed(*simulated)[1], replayed(*simulated[:2], array)[1]
    same = ("coup", "verdict", "late", "lead_us", "rest_to_verified_us", "decision")
    assert [[row[key] for key in same] for row in ours] == [
        [row[key] for key in same] for row in theirs
    ]
    assert [row["truth"]["number"] for row in ours] == [row["truth"]["number"] for row in theirs]


@pytest.mark.parametrize(
    ("changed", "verdict", "late", "code"),
    [
        ({}, "right", False, OK),
        ({"compartment": 0}, "wrong", False, FAILED),
        ({"t_drop": "at the start"}, "right", True, FAILED),
        ({"expect": "void"}, "wrong", False, FAILED),
        ({"t_drop": None}, "right", False, OK),
    ],
    ids=["as it was", "another number", "an early drop", "a coup that must be void", "no drop"],
)
def test_a_wrong_number_and_a_late_call_fail(simulated, tmp_path, changed, verdict, late, code):
    truths = as_array(simulated[2])
    first = truths[0]
    first |= changed
    if first["t_drop"] == "at the start":
        first["t_drop"] = first["t_start"]
    path = tmp_path / "truth.json"
    path.write_text(json.dumps(truths))
    ended, judged, figures = replayed(*simulated[:2], path)
    assert (judged[0]["verdict"], judged[0]["late"], ended) == (verdict, late, code)
    assert (judged[1]["verdict"], judged[1]["late"]) == ("right", False)
    assert (judged[0]["lead_us"] is None) == (first["t_drop"] is None)
    assert (figures["wrong"], figures["late"]) == (int(verdict == "wrong"), int(late))


def test_people_read_each_coup_and_what_it_comes_to(simulated, tmp_path, capsys):
    truths = as_array(simulated[2])
    truths[0]["compartment"] = 0 if truths[0]["compartment"] else 1
    path = tmp_path / "truth.json"
    path.write_text(json.dumps(truths))
    arguments = ["replay", str(simulated[0]), "--board", simulated[1], "--truth", str(path)]
    assert cli.main(arguments) == FAILED
    said = capsys.readouterr()
    rows = said.out.splitlines()
    assert rows[0].split()[:4] == ["coup", "truth", "decision", "verdict"]
    assert "wrong" in rows[1] and "right" in rows[2]
    assert f"2 coups on {simulated[1]}" in rows
    assert any(row.startswith("  right 1   wrong 1   void 0") for row in rows)
    assert said.err.splitlines()[-1] == "Wrong numbers: 1; late calls: 0; missed: 0; of 2 coups."


def test_a_coup_that_was_missed_fails(simulated, tmp_path, capsys):
    """One more really happened, after the two that were played, and no coup was opened for it."""
    truths = as_array(simulated[2])
    times = ("t_start", "t_drop", "t_settle", "t_remove")
    truths.append(truths[0] | {key: truths[0][key] + 1_000 for key in times})
    path = tmp_path / "truth.json"
    path.write_text(json.dumps(truths))
    arguments = ["replay", str(simulated[0]), "--board", simulated[1], "--truth", str(path)]
    assert cli.main(arguments) == FAILED
    said = capsys.readouterr()
    assert "right 2   wrong 0   void 0   missed 1   late calls 0" in said.out
    assert said.err.splitlines()[-1] == "Wrong numbers: 0; late calls: 0; missed: 1; of 3 coups."


@pytest.fixture
def short(simulated, tmp_path):
    """The trace up to the drop of its second coup, which is void then: interrupted."""
    drop_us = as_array(simulated[2])[1]["t_drop"] * 1e6
    rows = simulated[0].read_text().splitlines(keepends=True)
    ends = next(k for k, row in enumerate(rows) if row[0] == "#" and int(row[1:]) > drop_us)
    path = tmp_path / "short.vcd"
    path.write_text("".join(rows[: ends + 1]))
    return path


def test_a_void_where_a_number_was_expected_is_told_and_no_failure(simulated, short, tmp_path):
    path = tmp_path / "truth.json"
    path.write_text(json.dumps(as_array(simulated[2])))
    code, judged, figures = replayed(short, simulated[1], path)
    assert [row["verdict"] for row in judged] == ["right", "void"]
    assert (code, figures["unexpected_void"]) == (OK, 1)


def test_a_late_call_of_a_void_coup_is_told_and_no_failure(simulated, short, tmp_path):
    """Who throws too weakly lets nobody call in time: the coup pays nobody."""
    truths = as_array(simulated[2])
    truths[1] |= {"t_drop": truths[1]["t_start"], "expect": "any"}
    path = tmp_path / "truth.json"
    path.write_text(json.dumps(truths))
    code, judged, figures = replayed(short, simulated[1], path)
    assert (judged[1]["verdict"], judged[1]["late"], code) == ("void", True, OK)
    assert (figures["late"], figures["late_void"], figures["unexpected_void"]) == (1, 1, 0)


def test_a_trace_that_is_cut_short_is_judged_as_far_as_it_goes(simulated, tmp_path):
    trace = tmp_path / "cut.vcd"
    data = simulated[0].read_bytes()
    cut_us = int(as_array(simulated[2])[1]["t_start"] * 1e6) + 1_000_000
    rows = data.split(b"\n")
    ends = next(k for k, row in enumerate(rows) if row[:1] == b"#" and int(row[1:]) > cut_us)
    trace.write_bytes(b"\n".join(rows[:ends]) + b"\n#1")
    code, judged, figures = replayed(trace, simulated[1], simulated[2])
    assert (code, [row["verdict"] for row in judged]) == (FAILED, ["right"])
    assert (figures["coups"], figures["missed"]) == (1, 0)


COUP = {"kind": "clean", "expect": "result", "number": 17, "compartment": 8, "t_start": 1.0}
HOPPED = COUP | {"hop_t": 20.0, "number_before_hop": 34, "t_remove": 30.0}


def _judged(truth):
    """A line of `sim --json`."""
    return json.dumps({"event": "judged", "truth": truth})


def test_before_a_late_hop_the_ball_lay_elsewhere(tmp_path):
    path = tmp_path / "truth.json"
    path.write_text(json.dumps([HOPPED]))
    (known,) = truth_file.load(path, LAYOUT)
    before, after = LAYOUT.index(34), 8
    assert known.truth.right(19_000_000, before, 34) and known.truth.right(19_000_000, after, 17)
    assert not known.truth.right(25_000_000, before, 34)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no truth of a coup"),
        ("[]", "no truth of a coup"),
        ("[1]", "coup 1: it must be an object"),
        ("[{}", ":1: this is not JSON"),
        ('{"event": "summary"}', "no truth of a coup"),
        ('{"number": 17}', ":1: this is neither"),
        ("17", ":1: this is neither"),
        ('{"event": "summary"}\n{"event": ', ":2: this is not JSON"),
        ('[{"kind": "a", "kind": "b"}]', "a key stands twice"),
        ('[{"t_start": NaN}]', "a value is no number"),
        ("[" * 100_000, "nested too deep"),
        (json.dumps([COUP, COUP]), "coup 2: it does not begin after the one before"),
        (json.dumps([COUP | {"t_dorp": 2.0}]), 'there is no key "t_dorp"'),
        *((json.dumps([{key: value for key, value in COUP.items() if key != gone}]),
           f"{gone} is missing") for gone in COUP),
        (json.dumps([COUP | {"expect": "wrong"}]), "expect"),
        (json.dumps([COUP | {"kind": None}]), "kind must be a text"),
        (json.dumps([COUP | {"compartment": 37}]), "one of 0 to 36"),
        (json.dumps([COUP | {"compartment": True}]), "one of 0 to 36"),
        (json.dumps([COUP | {"compartment": 9}]),
         f"compartment 9 of this wheel has the number {LAYOUT[9]}"),
        (json.dumps([COUP | {"compartment": None}]), "no compartment"),
        (json.dumps([COUP | {"compartment": None, "number": None}]), "its compartment is missing"),
        (json.dumps([COUP | {"t_start": None}]), "t_start must be a number of seconds"),
        (json.dumps([COUP | {"t_start": -1}]), "t_start must be a number of seconds"),
        (json.dumps([COUP | {"t_drop": "9"}]), "t_drop must be a number of seconds"),
        ('[{"kind": "", "expect": "any", "number": 0, "compartment": 0, "t_start": 1e999}]',
         "t_start must be a number of seconds"),
        (json.dumps([COUP | {"t_drop": 0.5}]), "do not follow one another"),
        (json.dumps([HOPPED | {"number_before_hop": 99}]), "hop_t needs the number_before_hop"),
        (_judged(3), "coup 1: it must be an object"),
        (_judged({"coup": 1}), "t_start_us is missing"),
        (_judged({"coup": 1, "t_start_us": "1"}), "t_start_us is not"),
        (_judged({"coup": 1, "t_start_us": 1, "lay": [[1]]}), "lay is not"),
        (_judged({"coup": [], "t_start_us": 1}), "coup is not"),
    ],
)  # fmt: skip
def test_what_is_no_truth_is_refused_with_a_sentence(text, part, tmp_path, capsys):
    path = tmp_path / "truth.json"
    path.write_text(text)
    trace = tmp_path / "none.vcd"
    arguments = ["replay", str(trace), "--board", "roulette_ref", "--truth", str(path)]
    assert cli.main(arguments) == FAILED
    said = capsys.readouterr()
    assert part in said.err and str(path) in said.err and len(said.err.splitlines()) == 1
    assert said.out == ""


def test_every_coup_with_a_mistake_is_told(tmp_path):
    path = tmp_path / "truth.json"
    path.write_text(json.dumps([{}, COUP, 3]))
    with pytest.raises(Failure) as caught:
        truth_file.load(path, LAYOUT)
    assert [line.split(": ")[1] for line in caught.value.sentence.splitlines()] == [
        "coup 1", "coup 3",
    ]  # fmt: skip


def test_a_record_has_its_truth_in_no_file(tmp_path, capsys):
    assert cli.main(["replay", str(tmp_path), "--truth", str(tmp_path / "x.json")]) == 2
    assert "give no other" in capsys.readouterr().err
