"""How far a calibration is, in its file."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.lib.errors import Failure
from tools.technician.calibrate.notes import AGE_MAX_S, Notes, Speeds, begun
from tools.technician.calibrate.ring import Laid

LAY = Laid(12, -1, [[(1.5, -120.0), (1.25, -80.5)], [(120.25, -119.0), (120.0, -90.0)]], 2)


def kept(path):
    notes = Notes(path, "roulette_ref")
    notes.lays, notes.throws = [LAY], [[(1.5, 0), (2.5, 1)]]
    notes.speeds, notes.level = Speeds(5, 28), (10, -3)
    notes.keep()
    return notes


def test_what_was_kept_is_there_again(tmp_path):
    notes = kept(tmp_path / "state.json")
    again = Notes(tmp_path / "state.json", "roulette_ref")
    assert (again.lays, again.throws) == (notes.lays, notes.throws)
    assert (again.speeds, again.level) == (notes.speeds, notes.level)
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_of_another_board_nothing_is_taken(tmp_path):
    kept(tmp_path / "state.json")
    assert Notes(tmp_path / "state.json", "pi4").empty


def test_of_yesterday_nothing_is_taken(tmp_path):
    path = tmp_path / "state.json"
    kept(path)
    said = json.loads(path.read_text())
    path.write_text(json.dumps(said | {"utc": said["utc"] - AGE_MAX_S - 60}))
    assert Notes(path, "roulette_ref").empty


def test_of_an_earlier_version_nothing_is_taken(tmp_path):
    path = tmp_path / "state.json"
    kept(path)
    said = json.loads(path.read_text())
    lay = {"compartment": 12, "way": 1, "middles_deg": [1.5], "scatter_deg": 0.1, "turns": 3}
    path.write_text(json.dumps(said | {"format": 1, "lays": [lay]}))
    assert Notes(path, "roulette_ref").empty


def test_what_is_signed_is_forgotten(tmp_path):
    notes = kept(tmp_path / "state.json")
    notes.forget()
    assert notes.empty
    assert not list(tmp_path.iterdir())


def test_a_foreign_file_is_refused_in_one_sentence_and_left_alone(tmp_path):
    path = tmp_path / "state.json"
    path.write_text("dear diary")
    with pytest.raises(Failure, match="no calibration that was begun"):
        Notes(path, "roulette_ref")
    assert path.read_text() == "dear diary"


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(Failure, match="cannot be kept"):
        kept(tmp_path / "nowhere" / "state.json")


def test_where_nothing_can_be_kept_is_told_before_anybody_lays_a_ball(tmp_path):
    (tmp_path / "file").touch()  # stands for a folder that may not be written, for root too
    with pytest.raises(Failure, match=r"cannot be kept in .*: not a directory\. Give another"):
        begun(tmp_path / "file" / "state.json", "roulette_ref")


def test_it_goes_on(tmp_path):
    path = tmp_path / "state.json"
    kept(path)
    before = path.stat().st_mtime_ns
    assert begun(path, "roulette_ref").lays == [LAY]
    assert path.stat().st_mtime_ns == before  # its 12 hours go on, too


def test_a_file_that_can_neither_be_read_nor_removed_is_one_sentence(tmp_path):
    path = tmp_path / "state.json"
    notes = Notes(path, "roulette_ref")
    path.mkdir()
    for tried in (notes.forget, lambda: Notes(path, "roulette_ref")):
        with pytest.raises(Failure, match=r"state\.json: is a directory\. Remove it, or give"):
            tried()


@given(st.recursive(st.none() | st.integers() | st.text() | st.floats(), st.lists))
def test_no_lays_in_a_file_break_the_reader(tmp_path_factory, lays):
    path = tmp_path_factory.mktemp("notes") / "state.json"
    kept(path)
    said = json.loads(path.read_text())
    path.write_text(json.dumps(said | {"lays": lays}))
    with contextlib.suppress(Failure):
        assert Notes(path, "roulette_ref").lays == []


@given(st.recursive(st.none() | st.integers() | st.text() | st.floats(), st.lists))
def test_no_passes_in_a_file_break_the_reader(tmp_path_factory, passes):
    path = tmp_path_factory.mktemp("notes") / "state.json"
    kept(path)
    said = json.loads(path.read_text())
    said["lays"][0]["passes"] = passes
    path.write_text(json.dumps(said))
    with contextlib.suppress(Failure):
        Notes(path, "roulette_ref")
