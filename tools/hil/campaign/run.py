"""Plays a campaign to its end, or as far as it gets: rows, failures, reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tools.hil.campaign import cluster, failures, junit, report, worker_pool
from tools.hil.campaign.folder import Folder
from tools.hil.campaign.plan import COUPS, Plan, count, job
from tools.hil.campaign.summary import Total
from tools.testing.progress import Progress

# Jobs in real time sleep nearly always: so many at once for each worker that a jumping job keeps
# busy, as those at `virtual` and `kernel` do. What keeps them is the start of their processes; what
# may keep them waiting, gives way.
REAL_JOBS = 6
START_S = 2.0  # of a core, for one of them
GIVES_WAY = 10  # added to the niceness of jumping jobs beside them

# What a job costs a worker, beside one in jumping time without a line.
LINE_COST = 6.0  # ten bits a byte, to two displays at least
ELSEWHERE_COST = 60.0  # about: in real time, REAL_JOBS at once; or the start of a kernel


class Workers(NamedTuple):
    """Who plays: so many processes here, or a Dask scheduler's workers."""

    jobs: int
    dask: str | None = None


def cost(plan: Plan, index: int) -> float:
    """Of that job, beside the others."""
    todo = job(plan, index)
    if todo.place != "virtual":
        return ELSEWHERE_COST
    return (LINE_COST if todo.scenario.displays else 1.0) * todo.scenario.coups / COUPS


def play(folder: Folder, workers: Workers, progress: Progress) -> Total:
    """Plays what is missing, and tells its cost. The reports are written in any case."""
    jobs = count(folder.plan)
    coups = sum(row["coups"] for row in folder.rows.values())
    failed = sum(bool(row["broken"]) for row in folder.rows.values())
    try:
        for row in _rows(folder, workers):
            folder.add(row)
            coups += row["coups"]
            failed += bool(row["broken"])
            note = f"{len(folder.rows)} of {jobs} jobs, {coups} coups"
            note += f", {failed} FAILED" if failed else ""
            progress.add(cost(folder.plan, row["job"]), note)
    except BaseException:
        # Stopped, or it cannot go on: what there is, is told; what stopped it matters more.
        _report_quietly(folder)
        raise
    total = Total(folder.rows.values())
    _report(folder, total)
    if total.failed():
        failures.keep(folder, total, progress.print_line)
        _report(folder, total)  # it links to what is kept
    return total


def _rows(folder: Folder, workers: Workers) -> Iterator[dict[str, Any]]:
    plan = folder.plan
    left = [index for index in range(count(plan)) if index not in folder.rows]
    at = {index: job(plan, index).place for index in left}
    if "kernel" in at.values():
        _begin_kernel()
    here = [index for index in left if at[index] == "virtual"]
    if workers.dask is not None:
        yield from cluster.rows(plan, here, workers.dask) if here else ()
        here = []
    kept = folder.path / "failures"
    busy = [*here, *(index for index in left if at[index] == "kernel")]
    asleep = [index for index in left if at[index] not in ("virtual", "kernel")]
    yield from worker_pool.rows(
        plan,
        worker_pool.Team(busy, workers.jobs, kept, niceness=GIVES_WAY if asleep else 0),
        worker_pool.Team(asleep, workers.jobs * REAL_JOBS, kept, apart_s=START_S / workers.jobs),
    )


def _begin_kernel() -> None:
    """Builds it, and sees that it runs, before anybody has a job there. Raises Failure."""
    from tools.hil.kernel import guest  # no campaign without it shall want it

    guest.check()


def _report(folder: Folder, total: Total) -> None:
    jobs = count(folder.plan)
    folder.write("junit.xml", junit.render(total, folder.path))
    folder.write(
        "report.html",
        report.render(total, plan=folder.plan, jobs=jobs, commit=folder.commit, folder=folder.path),
    )


def _report_quietly(folder: Folder) -> None:
    try:
        _report(folder, Total(folder.rows.values()))
    except Exception:
        return
