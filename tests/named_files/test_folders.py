"""Folders that somebody else writes: each file in them may be none."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import own_journal
import pytest
from walking import TRAPS, called, trap, watched

import boards
from firmware.keys import folder as key_folder
from firmware.lib import order_folder
from firmware.lib.errors import CONFIGURATION, FAILED, Failure
from firmware.lib.named_file import NamedFileError
from firmware.services.configuring.trial import Trial
from firmware.services.device.order_runner import Orders
from firmware.services.recorder import files as recorder
from firmware.store.fram_file import FileFram
from firmware.text.trace import TraceError, TraceWriter
from tools.hil.rig import wiring
from tools.image.first_start import Card, _refuse_others
from tools.technician.calibrate.notes import Notes

BOARD = "roulette_ref"


@pytest.fixture(params=TRAPS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _orders(folder: Path) -> Orders:
    own_journal.keys(folder / "keys")
    own_journal.opened(folder / "journal.db").close()
    return Orders(folder / "orders", folder / "journal.db", folder / "keys", {}, 0.0)


def test_an_order_that_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    path = trap(kind, tmp_path / "orders/1.order")
    orders = _orders(tmp_path)
    with watched(path, kind):
        (found,) = orders.carry_out(dry_run=True)
    assert (found["ok"], "That is no order" in found["text"]) == (False, True)


def test_what_an_order_is_about_is_no_file_and_is_not_copied(kind: str, tmp_path: Path) -> None:
    path = trap(kind, tmp_path / "orders/1.wheel.toml")
    said = {"what": "config", "sha256": hashlib.sha256(b"").hexdigest()}
    (tmp_path / "orders/1.order").write_text(json.dumps(said))
    orders = _orders(tmp_path)
    with watched(path, kind):
        (found,) = orders.carry_out(dry_run=True)
    assert (found["ok"], "The order's file" in found["text"]) == (False, True)


def test_what_was_carried_out_last_is_no_file_and_holds_nobody_up(
    kind: str, tmp_path: Path
) -> None:
    orders = _orders(tmp_path)
    path = trap(kind, tmp_path / "carried-out")
    with watched(path, kind), pytest.raises(Failure, match="carried-out cannot be read"):
        orders._carried([])


def test_an_answer_that_is_no_file_is_left_out(kind: str, tmp_path: Path) -> None:
    path = trap(kind, tmp_path / "1.done")
    with watched(path, kind):
        assert order_folder.state(tmp_path) == []


@pytest.mark.parametrize("name", [recorder.TRACE, recorder.HEAD, recorder.NOTES])
def test_a_record_with_what_is_no_file_in_it_is_told(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "000001-coup-1"
    folder.mkdir()
    head = {"version": recorder.VERSION, "sha256": "0" * 64}
    (folder / recorder.HEAD).write_text(json.dumps(head))
    for each in (recorder.TRACE, recorder.NOTES):
        (folder / each).touch()
    (folder / name).unlink()
    path = trap(kind, folder / name)
    with watched(path, kind):
        assert called(["replay", str(folder)]) == FAILED
    assert str(folder) in capsys.readouterr().err


def test_more_of_a_configuration_that_is_no_file_is_told(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wheel.toml").touch()
    path = trap(kind, tmp_path / "conf.d/a.toml")
    with watched(path, kind):
        assert called(["config", "check", str(tmp_path / "wheel.toml")]) == CONFIGURATION
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize("name", ["wheel.key", "wheel.pub", "wheel.chain"])
def test_a_key_that_is_no_file_is_told(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_journal.keys(tmp_path / "keys")
    own_journal.opened(tmp_path / "journal.db").close()
    path = tmp_path / "keys" / name
    path.unlink(missing_ok=True)
    trap(kind, path)
    line = ["key", "rotate", "--keys", str(path.parent)]
    with watched(path, kind):
        assert called([*line, "--journal", str(tmp_path / "journal.db")]) in (FAILED, CONFIGURATION)
    assert str(path) in capsys.readouterr().err


def test_an_epoch_that_is_no_file_is_told(kind: str, tmp_path: Path) -> None:
    path = trap(kind, tmp_path / "epoch")
    with watched(path, kind), pytest.raises(Failure, match="epoch"):
        key_folder.read_epoch(tmp_path)


@pytest.mark.parametrize(
    ("suffix", "act"),
    [("", Trial.keep), (".good", Trial.go_back), (".trying", Trial.mark)],
    ids=["wheel.toml", "good", "trying"],
)
def test_files_around_a_trial_that_are_none_are_told(
    suffix: str, act: Callable[[Trial], object], kind: str, tmp_path: Path
) -> None:
    path = trap(kind, tmp_path / f"wheel.toml{suffix}")
    with watched(path, kind):
        if (suffix, kind) == (".trying", "huge"):
            assert act(Trial(tmp_path / "wheel.toml")) is not None  # it proves nothing
            return
        with pytest.raises(NamedFileError) as refused:
            act(Trial(tmp_path / "wheel.toml"))
    assert refused.value.filename == str(path)


@pytest.mark.parametrize("kind", ["fifo", "endless", "folder"], indirect=True)
def test_the_lock_of_a_trial_is_no_file(kind: str, tmp_path: Path) -> None:
    path = trap(kind, tmp_path / "wheel.toml.lock")
    with (
        watched(path, kind),
        pytest.raises(NamedFileError),
        Trial(tmp_path / "wheel.toml").alone("weber"),
    ):
        pass


def test_a_first_configuration_meets_what_is_no_file_in_the_controllers_folder(
    kind: str, tmp_path: Path
) -> None:
    path = trap(kind, tmp_path / "data/cylindre/people.jsonl")
    with watched(path, kind), pytest.raises((OSError, Failure)):
        _refuse_others({"people.jsonl": b"x"}, Card(tmp_path / "firmware", tmp_path / "data"))


def test_a_calibration_that_was_begun_is_no_file(kind: str, tmp_path: Path) -> None:
    path = trap(kind, tmp_path / "calibrating.json")
    with watched(path, kind), pytest.raises(Failure, match="Remove it, or give another --state"):
        Notes(path, BOARD)


def test_a_rig_that_is_no_file_is_told(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = trap(kind, tmp_path / "rig.toml")
    monkeypatch.setenv("CYLINDRE_RIG", str(path))
    with watched(path, kind), pytest.raises(Failure, match=r"rig\.toml"):
        wiring.load(wiring.where())


@pytest.mark.parametrize("name", ["results.jsonl", "campaign.json"])
def test_a_campaign_with_what_is_no_file_in_it_is_told(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = trap(kind, tmp_path / "campaign" / name)
    with watched(path, kind):
        assert called(["hil", "campaign", str(path.parent), "--coups", "1"]) == FAILED
    assert str(path.parent) in capsys.readouterr().err


def test_a_trace_is_not_written_through_what_lies_beside_it(tmp_path: Path) -> None:
    board = boards.load(BOARD)
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / "t.vcd.part").symlink_to(victim)
    TraceWriter(tmp_path / "t.vcd", board).close(5)
    assert victim.read_text() == "kept"
    os.mkfifo(tmp_path / "u.vcd.part")
    TraceWriter(tmp_path / "u.vcd", board).close(5)
    assert (tmp_path / "u.vcd").is_file()
    (tmp_path / "v.vcd.part").mkdir()
    with pytest.raises(TraceError, match="cannot be written"):
        TraceWriter(tmp_path / "v.vcd", board)


def test_a_new_fram_is_not_written_through_what_lies_beside_it(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / f".fram.{os.getpid()}").symlink_to(victim)
    FileFram(tmp_path / "fram").close()
    assert victim.read_text() == "kept"
