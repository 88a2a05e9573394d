"""What self-test and calibration write where the page may write in its own folder alone, as on a
device: there the controller's folders are the controller's."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "selftest"))

from jumping import JumpingBench
from willing import Willing, hand_of

from firmware.config import Config
from firmware.config.game import choose
from firmware.services.page import jobs
from firmware.services.page.jobs import Job, JobParts
from tools.technician import page_jobs
from tools.technician.calibrate.notes import Notes
from tools.technician.page_providers import run_job

BUILT = {"pocket_deg": (60.9, 178.7, 301.1)}


class Bench(JumpingBench):
    """The wheel, in jumping time."""

    def close(self) -> None:
        """It has no connection."""


class Tries:
    """Jobs, with the sockets in a folder where nobody can write: the parent of it is a file."""

    def __init__(self, folder: Path, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (folder / "run").touch()
        self.folder = folder
        self.notes = notes
        self.certificates: list[str] = []
        self.job = Job("calibrate", cast(Any, SimpleNamespace(name="weber")), lambda told: None)
        self.game = choose("roulette_ref", Config())
        board = self.game.board
        self.bench = Bench({**board, "geometry": {**board["geometry"], **BUILT}})
        monkeypatch.setattr(page_jobs, "SocketBench", lambda *_: self.bench)

    def run(self, what: str, person: Any) -> dict[str, Any]:
        """How it ended."""
        session = SimpleNamespace(name="weber", role="supervisor", act=lambda *said: None)
        parts = JobParts(
            what=what,
            session=cast(Any, session),
            person=person,
            game=self.game,
            config=Config(),
            folder=self.folder / "run" / "cylindre",
            notes=self.notes,
            options={},
            say=self.job.add_step,
            check=self.job.check,
            keep=self.job.keep,
        )
        jobs._work(self.job, parts, run_job)
        return self.job.steps[-1]

    def willing(self, but: Any = lambda text: True) -> Willing:
        return Willing(hand_of(self.bench), self.bench.names, but)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The page's own folder."""
    made = tmp_path / "page"
    made.mkdir()
    return made


def test_a_calibration_goes_on_from_the_pages_own_folder_and_leaves_nothing_there(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = state / "calibrating.json"
    tries = Tries(tmp_path, path, monkeypatch)
    some = tries.run("calibrate", tries.willing(lambda text: "Lay" in text))
    assert (some["state"], some["text"][:19]) == ("failed", "Nothing is signed; ")
    assert len(Notes(path, "roulette_ref").lays) == 4
    ended = tries.run("calibrate", tries.willing(lambda text: "Lay" not in text))
    assert (ended["state"], ended["text"]) == ("passed", "")
    assert len(tries.bench.kept) == 1
    assert not list(state.iterdir())


def test_a_selftest_writes_nothing(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = Tries(tmp_path, state / "calibrating.json", monkeypatch)
    assert tries.run("selftest", tries.willing())["state"] in ("passed", "incomplete", "failed")
    assert tries.job.certificate is not None
    assert not list(state.iterdir())


def test_a_disk_that_refuses_is_one_sentence_and_no_mistake_of_ours(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = Tries(tmp_path, tmp_path / "run" / "calibrating.json", monkeypatch)
    ended = tries.run("calibrate", tries.willing())
    assert ended["state"] == "failed"
    assert ended["text"].startswith("What was measured cannot be kept in ")
    assert tries.bench.turns == []
    assert "fr" in ended["translations"]
