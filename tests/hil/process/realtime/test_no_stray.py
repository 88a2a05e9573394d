"""However a stage ends, no process of it lives on."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from patience import LAST_RESORT_S, Waiting

ROOT = Path(__file__).parents[4]
POLL_S = 0.05
# A controller that stands still takes no signal but one.
CODE = """
import sys
from tools.hil.places import process
from tools.hil.scenario import FaultInjection, Scenario
fault = FaultInjection("controller_stopped", coup=1, moment="start", lasts_us=60_000_000)
process.run(Scenario("stray", "stray", "boule", coups=1, displays=1, faults=(fault,)))
"""

CAMPAIGN = "hil campaign campaign --coups 0 --faults display_dead --places process --jobs 1"


def living(folder: Path) -> dict[int, str]:
    """The processes whose command line names something in that folder, with their state."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                named = str(folder).encode() in (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:  # it has gone meanwhile
                continue
            if named and state != "Z":
                found[int(entry.name)] = state
    return found


class Stage:
    """Python at work on a stage, in a folder of its own, that is ended by a signal."""

    def __init__(self, folder: Path, number: signal.Signals, arguments: Sequence[str]) -> None:
        folder.mkdir()
        self.folder = folder
        self.number = number
        self.popen = subprocess.Popen(
            [sys.executable, "-P", *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
            stderr=subprocess.DEVNULL,
        )

    def stands_still(self) -> bool:
        """Whether wheel, controller and display live, and the controller has been stopped."""
        assert self.popen.poll() is None
        found = living(self.folder)
        return len(found) >= 3 and "T" in found.values()

    def plays(self) -> bool:
        """Whether wheel, controller and two displays live."""
        assert self.popen.poll() is None
        return len(living(self.folder)) >= 4

    def leaves(self) -> list[str]:
        """The files in its folder that are needed to go on, and those that are not."""
        needless = ("junit.xml", "report.html")  # only who was asked politely has written them
        # Folders may go while we look: os.walk passes them over.
        found = [name for _, _, files in os.walk(self.folder) for name in files]
        found += [path.name for path in self.folder.glob("campaign/failures/*")]
        return sorted(name for name in found if name not in needless)

    def until(self, done: Callable[[], bool]) -> None:
        """Waits until then, or for the end of the stage, again and again."""
        with Waiting("the stage", 120.0, lambda: living(self.folder)) as waiting:
            while not done():
                waiting.on()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.popen.wait(POLL_S)


@pytest.fixture
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose name leaves room for a socket's."""
    return tmp_path_factory.mktemp("s")


def test_nobody_lives_on(short: Path) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
    stages = [Stage(short / str(number.value), number, ("-c", CODE)) for number in numbers]
    end_all(stages, Stage.stands_still)
    # Who was asked politely has cleared up, too.
    assert list(stages[0].folder.iterdir()) == []


def test_of_a_campaign_nobody_lives_on_either(short: Path) -> None:
    numbers = (signal.SIGINT, signal.SIGKILL)
    arguments = ("-m", "tools.cli", *CAMPAIGN.split())
    stages = [Stage(short / str(number.value), number, arguments) for number in numbers]
    end_all(stages, Stage.plays)
    for stage in stages:
        # The workers of one that was killed clear up by themselves, and may take a moment.
        stage.until(lambda stage=stage: stage.leaves() == ["campaign.json", "results.jsonl"])


def end_all(stages: Sequence[Stage], at_work: Callable[[Stage], bool]) -> None:
    """Sends each its signal when it is `at_work`, and waits until nobody of it lives."""
    try:
        for stage in stages:
            stage.until(lambda stage=stage: at_work(stage))
            stage.popen.send_signal(stage.number)
        for stage in stages:
            assert stage.popen.wait(LAST_RESORT_S) != 0
            stage.until(lambda stage=stage: not living(stage.folder))
    finally:
        for stage in stages:
            stage.popen.kill()
            stage.popen.wait()
