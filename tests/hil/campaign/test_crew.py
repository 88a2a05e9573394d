"""The rows do not depend on who plays the jobs, nor on what becomes of him."""

import multiprocessing
import os
import signal
import threading
from pathlib import Path

import pytest
from feigned_place import PLAN, broken_if, by_job, dies, feign, verdict_of
from patience import LAST_RESORT_S

from firmware.lib.errors import FAILED, Failure
from tools.hil.campaign import work, worker_pool
from tools.hil.campaign.plan import Plan, count
from tools.hil.campaign.worker_pool import Team
from tools.hil.places import Unplayed
from tools.hil.scenario import Scenario
from tools.hil.verdict import Verdict

JOBS = range(count(PLAN))


def test_one_worker_and_three_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    feign(monkeypatch)
    alone = by_job(worker_pool.rows(PLAN, Team(JOBS, 1)))
    assert (
        alone
        == by_job(worker_pool.rows(PLAN, Team(JOBS, 3)))
        == [work.play(PLAN, at) for at in JOBS]
    )
    assert not any(row["broken"] for row in alone)


def test_the_job_of_a_worker_that_died_is_given_to_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    feign(monkeypatch)
    whole = by_job(worker_pool.rows(PLAN, Team(JOBS, 2)))
    feign(monkeypatch, dies(tmp_path / "marker", times=1))
    assert by_job(worker_pool.rows(PLAN, Team(JOBS, 2))) == whole
    assert (tmp_path / "marker").exists()


def test_a_job_that_kills_every_worker_is_told_as_a_crash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    feign(monkeypatch, dies(tmp_path / "marker", times=99))
    rows = by_job(worker_pool.rows(PLAN, Team(JOBS, 2)))
    assert [row["job"] for row in rows] == list(JOBS)
    assert [row["job"] for row in rows if row["broken"]] == [0]
    assert rows[0]["broken"][0]["rule"] == "crashed"


def test_an_exception_is_told_as_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(scenario: object) -> None:
        raise AssertionError("impossible")

    feign(monkeypatch, fails)  # type: ignore[arg-type]
    told = work.play(PLAN, 0)["broken"][0]
    assert told["rule"] == "crashed" and "AssertionError: impossible" in told["text"]


def test_no_worker_outlives_its_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    feign(monkeypatch)
    rows = worker_pool.rows(PLAN, Team(JOBS, 3))
    next(rows)
    workers = multiprocessing.active_children()
    assert workers
    rows.close()  # type: ignore[attr-defined]
    assert not any(worker.is_alive() for worker in workers)


def test_a_worker_that_is_stopped_in_a_destructor_leaves_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Stopped:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

    def plays_on(scenario: Scenario) -> Verdict:
        held = [Stopped()]
        held.clear()
        threading.Event().wait(LAST_RESORT_S)
        return verdict_of(scenario)

    feign(monkeypatch, plays_on)
    (row,) = worker_pool.rows(PLAN, Team((0,), 1))
    assert row["broken"][0]["rule"] == "crashed"
    assert capfd.readouterr().err == ""


def test_teams_are_at_work_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    both = multiprocessing.get_context("fork").Barrier(2, timeout=LAST_RESORT_S)

    def meet(scenario: Scenario) -> Verdict:
        both.wait()
        return verdict_of(scenario)

    feign(monkeypatch, meet)
    rows = by_job(worker_pool.rows(PLAN, Team((0,), 1), Team((1,), 1)))
    assert [row["broken"] for row in rows] == [[], []]


def test_a_team_that_gives_way_does(monkeypatch: pytest.MonkeyPatch) -> None:
    nicer = min(os.nice(0) + 3, 19)

    def look(scenario: Scenario) -> Verdict:
        assert os.nice(0) == nicer
        return verdict_of(scenario)

    feign(monkeypatch, look)
    (row,) = worker_pool.rows(PLAN, Team((0,), 1, niceness=3))
    assert row["broken"] == []


def test_jobs_that_begin_apart_are_all_played(monkeypatch: pytest.MonkeyPatch) -> None:
    feign(monkeypatch)
    rows = by_job(worker_pool.rows(PLAN, Team(range(3), 2, apart_s=0.01)))
    assert [row["job"] for row in rows] == [0, 1, 2]


def _real(tmp_path: Path) -> tuple[Plan, Team]:
    plan = PLAN._replace(places=("process",), real_coups=1)
    return plan, Team((0,), 1, folder=tmp_path / "failures")


def test_a_folder_that_takes_nothing_stops_the_campaign_and_is_no_crash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    feign(monkeypatch)
    (tmp_path / "failures").touch()
    plan, team = _real(tmp_path)
    with pytest.raises(Failure, match=r"job-000000: .*the same command goes on from there") as no:
        list(worker_pool.rows(plan, team))
    assert no.value.exit_code == FAILED


@pytest.mark.parametrize("least_bytes", [0, 1 << 62])
def test_what_breaks_where_there_is_no_room_tells_of_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, least_bytes: int
) -> None:
    feign(monkeypatch, broken_if(lambda scenario: True))
    monkeypatch.setattr(work, "LEAST_BYTES", least_bytes)
    plan, team = _real(tmp_path)
    if least_bytes:
        with pytest.raises(Failure, match="no space left on device"):
            list(worker_pool.rows(plan, team))
    else:
        assert [row["broken"][0]["rule"] for row in worker_pool.rows(plan, team)] == ["late_call"]


def test_a_place_that_cannot_be_used_ends_the_campaign_with_its_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(scenario: object) -> Verdict:
        raise Failure(FAILED, "The kernel of the rig could not be built: see above.")

    feign(monkeypatch, fails)
    rows: list[object] = []
    with pytest.raises(Failure, match="could not be built"):
        rows.extend(worker_pool.rows(PLAN, Team(JOBS, 2)))
    assert rows == []


def test_a_scenario_that_a_place_could_not_end_is_a_crash_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(scenario: object) -> Verdict:
        raise Unplayed(FAILED, "The guest ended without a word.")

    feign(monkeypatch, fails)
    told = work.play(PLAN, 0)["broken"][0]
    assert told["rule"] == "crashed" and "without a word" in told["text"]
