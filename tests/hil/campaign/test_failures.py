"""A failure is left as small as it can be, with what repeats it."""

import html
import shlex
from pathlib import Path

import pytest
from feigned_place import PLAN, broken_if, feign

from firmware.lib.errors import FAILED
from tools import cli
from tools.hil import scenario_file
from tools.hil.campaign.failures import shrink
from tools.hil.campaign.folder import Folder
from tools.hil.campaign.run import Workers, play
from tools.hil.scenario import FaultInjection, Scenario
from tools.testing.progress import Progress

MANY = Scenario(
    "many", "Many.", "roulette", 20, learned=True, hand=True, confirm="croupier",
    faults=tuple(
        FaultInjection(name, coup, "launch", 1_234_000, 30_500_000, (("line", "rim1"),))
        for name, coup in (("beam_blind", 3), ("beam_jitters", 7), ("beam_bounces", 12))
    ),
)  # fmt: skip


def _has(fault: str, scenario: Scenario) -> bool:
    return any(use.fault == fault for use in scenario.faults)


def test_what_does_not_matter_is_left_out() -> None:
    small = shrink(MANY, lambda scenario: _has("beam_jitters", scenario))
    assert (small.coups, small.learned, small.hand, small.confirm) == (1, False, False, "auto")
    assert len(small.faults) == 1
    assert small.faults[0]._replace(lasts_us=0) == FaultInjection(
        "beam_jitters", 1, "launch", 0, 0, (("line", "rim1"),)
    )


def test_no_fault_is_made_shorter_or_earlier_than_its_entry_allows() -> None:
    """A press that nobody could feel is not noticed either: that would be another failure."""
    use = FaultInjection("void_held", 1, "launch", 1_234_000, 30_500_000, (("presses", 1),))
    held = Scenario("held", "Held.", "roulette", 1, faults=(use,))
    small = shrink(held, lambda scenario: _has("void_held", scenario)).faults[0]
    assert small.after_us == 100_000 and 2_000_000 <= (small.lasts_us or 0) < 4_000_000


def test_a_failure_that_is_a_matter_of_luck_is_looked_for_in_a_single_coup() -> None:
    """Any other coup of the wheel goes another way: only some break the rule."""

    def breaks(scenario: Scenario) -> bool:
        lucky = scenario == MANY or (scenario.seed - MANY.seed) % 20 == 13
        return lucky and _has("beam_jitters", scenario)

    small = shrink(MANY, breaks)
    assert (small.coups, small.seed) == (1, MANY.seed + 13)
    assert [(use.fault, use.coup) for use in small.faults] == [("beam_jitters", 1)]


def test_two_that_began_together_stay_together() -> None:
    pair = tuple(use._replace(coup=9) for use in MANY.faults[:2])
    both = MANY._replace(faults=(*pair, MANY.faults[2]))

    def breaks(scenario: Scenario) -> bool:
        return _has("beam_blind", scenario) and _has("beam_jitters", scenario)

    small = shrink(both, breaks)
    assert (small.coups, len(small.faults)) == (1, 2)


def test_what_matters_stays() -> None:
    def breaks(scenario: Scenario) -> bool:
        return scenario.hand and _has("beam_blind", scenario) and _has("beam_bounces", scenario)

    small = shrink(MANY, breaks)
    assert breaks(small) and len(small.faults) == 2


def test_each_failure_is_written_with_its_smallest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(scenario: Scenario) -> bool:
        return _has("beam_blind", scenario)

    feign(monkeypatch, broken_if(breaks))
    with Folder(tmp_path, PLAN) as folder:
        total = play(folder, Workers(1), Progress("campaign", 1))
    assert not total.good and total.broken["late_call"] > 1
    first = total.failed()[0]["job"]
    name = tmp_path / "failures" / f"job-{first:06}"
    whole = scenario_file.load(name.with_suffix(".toml"))
    small = scenario_file.load(name.with_name(name.name + "-small.toml"))
    assert breaks(small) and small.coups == 1 < whole.coups
    assert "<failure" in (tmp_path / "junit.xml").read_text()


def test_the_command_that_repeats_a_failure_is_told_everywhere_and_works_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feign(monkeypatch, broken_if(lambda scenario: True))
    (tmp_path / "a place").mkdir()
    monkeypatch.chdir(tmp_path / "a place")
    arguments = ["hil", "campaign", "--coups", "20", "--jobs", "1", "--faults", "beam_blind"]
    assert cli.main(arguments) == FAILED
    folder = tmp_path / "a place/var/campaign"
    command = f"cylindre hil run '{folder}/failures/job-000001.toml' --place virtual"
    assert f"Job 1 failed: {command}\n" in capsys.readouterr().out
    assert command in html.unescape((folder / "report.html").read_text())
    assert command in html.unescape((folder / "junit.xml").read_text())
    monkeypatch.chdir("/")
    assert cli.main([*shlex.split(command)[1:]]) == FAILED
    assert "BROKEN late_call" in capsys.readouterr().out


def test_what_failed_in_real_time_is_left_as_it_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feign(monkeypatch, broken_if(lambda scenario: _has("beam_blind", scenario)))
    plan = PLAN._replace(places=("process",), real_coups=1)
    with Folder(tmp_path, plan) as folder:
        total = play(folder, Workers(1), Progress("campaign", 1))
    assert [row["job"] for row in total.failed()] == [0]
    assert scenario_file.load(tmp_path / "failures" / "job-000000.toml").coups == 3
    # The place's own folder of the failure; nothing smaller, and none of what did not fail.
    names = sorted(path.name for path in (tmp_path / "failures").iterdir())
    assert names == ["job-000000", "job-000000.toml"]
    command = f"cylindre hil run {tmp_path}/failures/job-000000.toml --place process"
    assert command in (tmp_path / "report.html").read_text()
