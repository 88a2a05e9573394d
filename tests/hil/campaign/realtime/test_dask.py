"""Workers of a Dask scheduler give the same rows as workers here, also when one is lost."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from feigned_place import PLAN, by_job, feign
from patience import LAST_RESORT_S, until

from firmware.lib.errors import FAILED, NO_DEVICE, USAGE, Failure
from tools.hil.campaign import cluster, work, worker_pool
from tools.hil.campaign.plan import count

ROOT = Path(__file__).parents[4]
OPTIONS = ("--coups", "64", "--pairs", "16", "--faults", "beam_jitters,index_jitters,void_late")


@contextmanager
def _process(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _rows(path: Path) -> list[str]:
    lines = (path / "results.jsonl").read_text().splitlines()
    return [json.dumps(row) for row in by_job(map(json.loads, lines))]


def _await(found: Path, what: str) -> None:
    until(lambda: found.exists() and what in found.read_text(), str(found), 120.0)


def test_two_workers_of_which_one_is_killed_give_the_same_rows(tmp_path: Path) -> None:
    here = ("tools.cli", "hil", "campaign", str(tmp_path / "here"), "--jobs", "2", *OPTIONS)
    there = ("tools.cli", "hil", "campaign", str(tmp_path / "there"), *OPTIONS)
    file = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        options = ("--no-dashboard", "--port", "0", "--host", "127.0.0.1")
        stack.enter_context(
            _process("distributed.cli.dask_scheduler", *options, "--scheduler-file", str(file))
        )
        _await(file, '"address"')
        address = json.loads(file.read_text())["address"]
        worker = ("distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard",
                  "--nthreads", "1", "--local-directory", str(tmp_path))  # fmt: skip
        lost, _ = (stack.enter_context(_process(*worker)) for _ in range(2))
        campaign = stack.enter_context(_process(*there, "--dask", address))
        _await(tmp_path / "there" / "results.jsonl", "\n")
        lost.kill()
        code = campaign.wait(LAST_RESORT_S)
    with _process(*here) as campaign:
        assert campaign.wait(LAST_RESORT_S) == code
    assert _rows(tmp_path / "there") == _rows(tmp_path / "here")
    assert len(_rows(tmp_path / "here")) == 5


def test_no_scheduler_is_one_sentence(tmp_path: Path) -> None:
    command = [
        "tools.cli",
        "hil",
        "campaign",
        str(tmp_path),
        "--dask",
        "tcp://127.0.0.1:9",
        *OPTIONS,
    ]
    told = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 3
    assert told.stderr.splitlines()[-1].startswith("No Dask scheduler answers at tcp://127.0.0.1:9")


@pytest.mark.parametrize("address", ["", "garbage", "tcp://", "tcp://127.0.0.1:x", "foo://a:1"])
def test_an_address_that_is_none_is_one_sentence(address: str) -> None:
    with pytest.raises(Failure, match=r"^--dask .*: .* Give one like tcp://HOST:8786\.$") as no:
        list(cluster.rows(PLAN, [0], address))
    assert no.value.exit_code == USAGE


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Iterator["Hall"]:
    feign(monkeypatch)
    hall = Hall()
    monkeypatch.setattr(work, "play", hall.play)
    monkeypatch.setattr(cluster, "_now_s", hall.now_s)
    yield hall
    hall.over.set()


class Hall:
    """What becomes of jobs at workers, which are threads here."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.deadly: dict[int, int] = {}  # how often, by job
        self.hangs: set[int] = set()
        self.got: list[int] = []
        self.leaps_after = count(PLAN)  # so many rows: then each look at the clock takes an hour
        self._play = work.play
        self._s = 0.0

    def play(self, plan: object, index: int) -> dict[str, object]:
        if self.deadly.get(index):
            self.deadly[index] -= 1
            from distributed import KilledWorker

            raise KilledWorker(str(index), SimpleNamespace(address="x"), 3)  # type: ignore[arg-type]
        if index in self.hangs:
            self.over.wait()
        return self._play(PLAN, index)

    def now_s(self) -> float:
        if len(self.got) >= self.leaps_after:
            self._s += 3600.0
        return self._s

    def rows(self, threads: int) -> list[dict[str, object]]:
        from distributed import LocalCluster  # here: it takes long, and all collect this module

        found = []
        with LocalCluster(
            n_workers=min(1, threads), threads_per_worker=threads or 1, processes=False,
            scheduler_kwargs={"dashboard": False, "dashboard_address": ":0"},  # any port is free
        ) as workers:  # fmt: skip
            try:
                for row in cluster.rows(PLAN, range(count(PLAN)), workers.scheduler_address):
                    found.append(row)
                    self.got.append(row["job"])
            finally:
                self.over.set()
        return by_job(found)


def _as_here(hall: Hall, *lost: int) -> list[dict[str, object]]:
    """What the workers of this machine tell."""
    return [
        worker_pool.lost(PLAN, at) if at in lost else hall._play(PLAN, at)
        for at in range(count(PLAN))
    ]


def test_a_job_that_kills_its_workers_is_told_as_here_and_who_was_beside_it_is_played(
    hall: Hall,
) -> None:
    hall.deadly = {0: 99, 2: 1}
    assert hall.rows(threads=2) == _as_here(hall, 0)


def test_a_job_that_is_never_done_is_told_as_here(hall: Hall) -> None:
    hall.hangs, hall.leaps_after = {3}, count(PLAN) - 1
    assert hall.rows(threads=2) == _as_here(hall, 3)


def test_workers_that_answer_no_more_are_one_sentence(hall: Hall) -> None:
    hall.hangs, hall.leaps_after = {3}, 3
    with pytest.raises(Failure, match="No Dask worker has answered for 1800 s, since jobs 3") as no:
        hall.rows(threads=1)
    assert no.value.exit_code == FAILED and hall.got == [0, 1, 2]


def test_a_scheduler_without_workers_is_one_sentence(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "WORKER_S", 0.1)
    with pytest.raises(Failure, match="has no worker: start dask worker inproc") as no:
        hall.rows(threads=0)
    assert no.value.exit_code == NO_DEVICE
