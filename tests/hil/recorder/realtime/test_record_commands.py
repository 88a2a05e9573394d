"""`cylindre run --record` and `cylindre replay` of what it kept, as people use them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LAST_RESORT_S, until

from firmware.config import Config
from firmware.config.game import choose
from firmware.lib.errors import CONFIGURATION, FAILED, OK, USAGE
from firmware.run.recorder_tap import Tap
from firmware.services.recorder import files, recorder
from firmware.store.recorded_coup import Coup
from tools.cli import main
from tools.virtual.simulate import Simulation

ROOT = Path(__file__).parents[4]
BOARD = "vingt_trois_ref"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Two recorded coups."""
    game, house = choose(BOARD, Config()), Config(call_us=0, undetected="void").house
    about = recorder.about(game, Config(), house._replace(driven=True))
    folder = tmp_path / "records"
    folder.mkdir()

    def keep(coup: Coup) -> None:
        files.save(folder, coup, game.board, about)

    simulation = Simulation(
        game,
        seed=2,
        tap=lambda core, levels: Tap(core, game.board, levels, keep),
    )
    for _ in simulation.play(2):
        pass
    return folder


def _seal(path: Path, other: dict[str, str]) -> None:
    """As if it had been recorded like that."""
    head = json.loads((path / files.HEAD).read_text()) | other
    head["sha256"] = files.digest(path, head)
    (path / files.HEAD).write_text(json.dumps(head))


def test_a_folder_of_records_is_played_again_and_nothing_differs(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(records)]) == OK
    said = capsys.readouterr().out
    assert "coup 1" in said and "coup 2" in said and "differs" not in said
    assert {line.split()[0] for line in said.splitlines() if line[0] == " "} == {"same"}


def test_one_that_was_decided_otherwise_is_told_and_ends_with_1(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files.recordings(records)[0]
    notes = (path / files.NOTES).read_text()
    assert '"event": "result"' in notes
    (path / files.NOTES).write_text(notes.replace('"compartment": ', '"compartment": 1'))
    _seal(path, {})
    assert main(["replay", str(path), "--json"]) == FAILED
    caught = capsys.readouterr()
    told = [json.loads(line) for line in caught.out.splitlines()]
    assert [one["verdict"] for one in told].count("differs") == 1
    assert told[-1]["then"]["compartment"] != told[-1]["today"]["compartment"]
    assert "not decided today as then" in caught.err
    assert main(["replay", str(records)]) == FAILED
    assert "1 of 2 coups are not" in capsys.readouterr().err


def test_what_cannot_be_replayed_is_one_sentence(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files.recordings(records)[0]
    head = json.loads((path / files.HEAD).read_text())

    def said(*arguments: str) -> tuple[int, str]:
        code = main(["replay", *arguments])
        return code, capsys.readouterr().err

    assert said(str(records), "--board", BOARD)[0] == USAGE
    assert said("no-such.vcd") == (
        USAGE,
        "Which board was the trace recorded on? Give --board.\n",
    )
    (tmp_path / "empty").mkdir()
    code, sentence = said(str(tmp_path / "empty"))
    assert code == FAILED and "no recorded coup" in sentence
    _seal(path, {"board": "no_such_board"})
    code, sentence = said(str(path))
    assert code == CONFIGURATION and "no_such_board" in sentence and "\n" not in sentence[:-1]
    (path / files.HEAD).write_text(json.dumps(head | {"version": 99}))
    code, sentence = said(str(path))
    assert code == FAILED and "another version" in sentence


def test_a_folder_that_cannot_be_written_stops_nothing_halfway(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = subprocess.run(
        [*COMMAND, "--record", str(tmp_path / "file" / "records")],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=False,
    )
    assert ended.returncode == FAILED
    assert "Name a folder that can be written" in ended.stderr and "Traceback" not in ended.stderr


def test_a_wheel_that_is_killed_loses_the_open_coup_alone(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    with subprocess.Popen(
        [*COMMAND, "--record", str(folder)],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:  # the second coup is open
                if '"coup_started"' in line and '"coup": 2' in line:
                    break
            until(lambda: folder.is_dir() and files.recordings(folder), "the first coup")
        finally:
            process.send_signal(signal.SIGKILL)
    kept = files.recordings(folder)
    assert [files.load_head(path)["number"] for path in kept] == [1]
    assert main(["replay", str(folder)]) == OK


COMMAND = (
    sys.executable, "-P", "-m", "tools.cli", "run", "--board", BOARD, "--seed", "3", "--json",
    "--pace", "5",
)  # fmt: skip


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}
