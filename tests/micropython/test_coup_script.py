"""The script that both interpreters run tells what `cylindre replay` tells."""

from pathlib import Path

import pytest

import boards
import rules
from firmware.core.controller import Controller
from firmware.core.feed import feed
from firmware.text.event_text import json_line
from firmware.text.trace import open_trace
from tools.micropython import check, coup, edges, interpreter, portable

RUNS = (
    ("coup_w2", "roulette_ref", 1),
    ("coup_v1", "vingt_trois_ref", 2),
    ("coup_b1", "boule_ref", 2),
)
FOLDER = portable.ROOT / "tests" / "micropython"

TRACE = """\
$timescale 1 us $end
$scope module wheel $end
$var wire 1 ! enc_a $end
$var wire 1 " btn_start $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
1!
0"
$end
#1000000
1"
#1400000
0!
#9000000
"""


def test_a_trace_becomes_text_and_back(tmp_path: Path) -> None:
    trace = tmp_path / "short.vcd"
    trace.write_text(TRACE, encoding="ascii")
    board = boards.load("roulette_ref")
    levels, *rest = [coup.numbers(line) for line in edges.lines(str(trace), "roulette_ref")]
    with open_trace(trace, board) as reader:
        assert list(levels) == list(reader.levels)
        assert rest == list(reader.edges())


@pytest.mark.parametrize(("name", "board_name", "coups"), RUNS)
def test_recorded_coups_give_the_lines_of_a_replay_and_their_numbers(
    tmp_path: Path, name: str, board_name: str, coups: int
) -> None:
    run = FOLDER / f"{name}.edges"
    board = boards.load(board_name)
    levels, *rest = [coup.numbers(line) for line in run.read_text("ascii").splitlines()]
    controller = Controller(board, rules.load(board["rules"]))
    expected = [json_line(fact) for fact in feed(controller, iter(rest), levels)]
    portable.stage(tmp_path)
    for path in (run, Path(coup.__file__)):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    printed = interpreter.run(interpreter.cpython(), tmp_path, "coup.py", run.name, board["name"])
    assert printed.splitlines() == expected
    assert sum('"event": "result"' in line for line in printed.splitlines()) == coups


@pytest.mark.needs("micropython")
def test_real_micropython_decides_a_coup_as_we_do(tmp_path: Path) -> None:
    portable.stage(tmp_path)
    (script, args) = next(each[1:] for each in check.SAME if each[0] == "roulette")
    assert "the same as on CPython" in check.compare(tmp_path, script, args)


def test_a_value_is_written_as_json_writes_it() -> None:
    values = (None, True, False, 0, -17, "ccw", 'a "b" \\ c')
    written = [coup.as_json(value) for value in values]
    assert written == ["null", "true", "false", "0", "-17", '"ccw"', '"a \\"b\\" \\\\ c"']


def test_a_script_that_fails_is_an_error_with_its_traceback(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("print('so far')\n1/0\n", encoding="ascii")
    with pytest.raises(interpreter.ScriptError, match=r"(?s)so far.*ZeroDivisionError"):
        interpreter.run(interpreter.cpython(), tmp_path, "bad.py")
