"""A configuration on trial: whole at every power cut, and settled by the starts that follow."""

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest
from config_bench import ROOT, Run, Wheel

from firmware.lib import durable
from firmware.lib.errors import FAILED, OK
from firmware.services.configuring import settle
from firmware.services.configuring.trial import STARTS_MAX, Mark, Trial

OLD = b'[wheel]\nid = "old"\n'
NEW = b'[wheel]\nid = "new"\n'
# One process changes the files as `apply` does, and its power is cut before the Nth change of the
# disk: an audit hook sees every opening for writing, rename and removal before it happens.
CUT = """
import os, sys
from pathlib import Path
from firmware.services.configuring.trial import Trial

left = int(sys.argv[2])
folder = str(Path(sys.argv[1]).parent)


def cut(event, arguments):
    global left
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & 3
    if event in ("os.rename", "os.remove") or writes:
        if str(arguments[0]).startswith(folder):
            if left == 0:
                os._exit(9)
            left -= 1


trial = Trial(Path(sys.argv[1]))
sys.addaudithook(cut)
with trial.alone("weber"):
    trial.keep()
    trial.begin_trial(sys.argv[3].encode())
    getattr(trial, sys.argv[4])()
"""


def laid(folder: Path) -> Trial:
    trial = Trial(folder / "wheel.toml")
    trial.path.write_bytes(OLD)
    return trial


def cut_at(trial: Trial, change: int, end: str) -> bool:
    """Applies NEW, then `end`s; whether it was cut before that change of the disk."""
    command = [sys.executable, "-c", CUT, str(trial.path), str(change), NEW.decode(), end]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode in (0, 9)
    return done.returncode == 9


@pytest.mark.parametrize("end", ["proved", "go_back"])
def test_a_power_cut_anywhere_leaves_a_whole_configuration_and_a_way_back(
    tmp_path: Path, end: str
) -> None:
    """The issue: "power cut [...]: one sentence, nothing lost, a way back"."""
    cuts = 0
    seen = set()
    while True:
        folder = tmp_path / str(cuts)
        folder.mkdir()
        trial = laid(folder)
        if not cut_at(trial, cuts, end):
            break
        left = trial.path.read_bytes()
        assert left in (OLD, NEW)
        seen.add((left, trial.mark() is not None))
        # Starts that never come up: what is not proven gives way.
        for _ in range(STARTS_MAX + 1):
            settle.before_start(trial.path)
        good = trial.path.read_bytes()
        proven = end == "proved" and trial.good.exists() and trial.good.read_bytes() == NEW
        assert good == (NEW if proven else OLD)
        assert trial.mark() is None
        cuts += 1
    assert cuts > 8
    assert {(OLD, False), (OLD, True), (NEW, True)} <= seen
    assert trial.path.read_bytes() == (NEW if end == "proved" else OLD)


def test_what_is_on_trial_has_three_starts(tmp_path: Path, run: Run) -> None:
    trial = laid(tmp_path)
    trial.keep()
    trial.begin_trial(NEW)
    for start in range(2, STARTS_MAX + 1):  # the first is what `apply` itself asked for
        done = run("settle", "--file", str(trial.path))
        assert (done.returncode, trial.path.read_bytes()) == (OK, NEW)
        assert f"start {start} of {STARTS_MAX}" in done.stdout
    done = run("settle", "--file", str(trial.path))
    assert (done.returncode, trial.path.read_bytes()) == (OK, OLD)
    assert "did not prove itself" in done.stdout
    assert run("settle", "--file", str(trial.path)).stdout == "No configuration is on trial.\n"


def test_what_is_no_configuration_any_more_gives_way_at_once(tmp_path: Path) -> None:
    """An update, too, may have come between the two starts."""
    trial = laid(tmp_path)
    trial.keep()
    trial.begin_trial(b"format = 99\n")
    assert "did not prove itself" in settle.before_start(trial.path)
    assert trial.path.read_bytes() == OLD


def test_while_somebody_applies_a_start_is_his_own(tmp_path: Path, run: Run) -> None:
    trial = laid(tmp_path)
    trial.keep()
    trial.begin_trial(NEW)
    with trial.alone("weber"):
        done = run("settle", "--file", str(trial.path))
    assert done.returncode == OK
    assert "weber is applying" in done.stdout
    assert trial.mark() is not None
    assert trial.mark().starts == 1  # type: ignore[union-attr]


def test_what_somebody_wrote_by_hand_meanwhile_is_left_alone(tmp_path: Path) -> None:
    trial = laid(tmp_path)
    trial.keep()
    trial.begin_trial(NEW)
    trial.path.write_bytes(b'[wheel]\nid = "hand"\n')
    for _ in range(STARTS_MAX + 2):
        settle.before_start(trial.path)
    assert trial.path.read_bytes() == b'[wheel]\nid = "hand"\n'


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"sha256":1}', b"\xff", b'{"starts":"x"}'])
def test_a_marker_that_says_nothing_harms_nothing(tmp_path: Path, text: bytes) -> None:
    trial = laid(tmp_path)
    (tmp_path / "wheel.toml.trying").write_bytes(text)
    settle.before_start(trial.path)
    assert trial.path.read_bytes() == OLD
    assert trial.mark() is None


def test_without_a_good_one_what_is_there_is_put_aside_not_lost(tmp_path: Path) -> None:
    trial = Trial(tmp_path / "wheel.toml")
    trial.keep()
    trial.begin_trial(NEW)
    trial.go_back()
    assert not trial.path.exists()
    assert (tmp_path / "wheel.toml.failed").read_bytes() == NEW


def test_the_lock_goes_with_who_held_it(tmp_path: Path) -> None:
    trial = laid(tmp_path)
    lock = tmp_path / "wheel.toml.lock"
    with trial.alone("weber"), lock.open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with lock.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    trial = laid(tmp_path)
    trial.keep()
    code = (
        "import resource, sys; from pathlib import Path;"
        "from firmware.services.configuring.trial import Trial;"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200));"
        "Trial(Path(sys.argv[1])).begin_trial(b'#' * 1000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(trial.path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert b"File too large" in done.stderr
    assert trial.path.read_bytes() == OLD
    settle.before_start(trial.path)
    assert trial.mark() is None


def test_a_configuration_proves_itself_when_the_wheel_is_up(wheel: Wheel, run: Run) -> None:
    trial = Trial(wheel.file)
    trial.keep()
    trial.begin_trial(wheel.file.read_bytes() + b"# new\n")
    where = ("--file", str(wheel.file), "--socket", str(wheel.sockets))
    done = run("settle", "--up", *where)
    assert done.returncode == OK, done.stderr
    assert "has proved itself" in done.stdout
    assert trial.mark() is None
    assert trial.good.read_bytes() == wheel.file.read_bytes()


def test_a_wheel_that_is_not_up_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tools import cli

    monkeypatch.setattr(settle, "UP_S", 0.2)
    trial = laid(tmp_path)
    trial.keep()
    trial.begin_trial(NEW)
    options = ["config", "settle", "--up", "--file", str(trial.path), "--socket", str(tmp_path)]
    assert cli.main(options) == FAILED
    assert "has not proved itself: no controller answers" in capsys.readouterr().err
    assert isinstance(trial.mark(), Mark)


def test_a_dry_run_says_what_the_next_start_would_do_and_counts_none(tmp_path: Path) -> None:
    trial = laid(tmp_path)
    assert settle.would(trial.path) == "No configuration is on trial."
    trial.keep()
    trial.begin_trial(NEW)
    while "would take its place" not in (said := settle.would(trial.path)):
        assert "the next start would be" in said and said == settle.would(trial.path)
        settle.before_start(trial.path)
        assert trial.path.read_bytes() == NEW
    settle.before_start(trial.path)
    assert trial.path.read_bytes() == OLD
    trial.begin_trial(NEW)
    trial.path.write_bytes(OLD + b"# by hand\n")
    assert "is not what was on trial" in settle.would(trial.path)
    assert trial.mark() is not None


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no file can be written, and what is there can be moved."""

    def refuse(_: Path, content: bytes, mode: int) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(durable, "_write_part", refuse)


def test_on_a_full_disk_it_goes_back_all_the_same(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    trial = laid(tmp_path)
    trial.keep()
    trial.begin_trial(NEW)
    request.getfixturevalue("full")
    trial.go_back()
    assert trial.path.read_bytes() == OLD
    assert trial.mark() is None


def test_a_start_that_cannot_be_counted_is_not_one_of_endless_tries(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    trial = laid(tmp_path)
    trial.keep()
    trial.begin_trial(NEW)
    request.getfixturevalue("full")
    assert "no space left on device" in settle.before_start(trial.path)
    assert trial.path.read_bytes() == OLD


def test_a_full_disk_is_told_with_the_file_that_it_does_not_take(
    tmp_path: Path, full: None, capsys: pytest.CaptureFixture[str]
) -> None:
    from tools import cli

    trial = laid(tmp_path)
    new = tmp_path / "new.toml"
    new.write_bytes(NEW)
    options = ["--offline", "--file", str(trial.path), "--socket", str(tmp_path)]
    assert cli.main(["config", "apply", str(new), *options, "--restart", "true"]) == FAILED
    (told,) = [line for line in capsys.readouterr().err.splitlines() if "no space" in line]
    assert told.startswith(f"{trial.good}: no space left on device: nothing is changed.")
    assert trial.path.read_bytes() == OLD
    assert trial.mark() is None
