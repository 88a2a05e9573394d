"""Workers on other machines, by Dask distributed: the same rows as from workers here.

The library is an optional extra (`dask`). A worker that is lost is the scheduler's business: it
gives the job to another, and as a job depends on nothing but the plan, the row is the same. A job
that killed several or is not done in time is told as here, after one more try with nothing beside
it: whoever was at the same worker is suspected too.
"""

from __future__ import annotations

import importlib
import pickle
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from firmware.lib.errors import CONFIGURATION, FAILED, NO_DEVICE, USAGE, Failure
from tools.fast import switch
from tools.hil.campaign import far, work, worker_pool
from tools.hil.campaign.plan import Plan

CONNECT_S = 10.0
WORKER_S = 30.0  # so long a scheduler may have no worker
AHEAD = 4  # jobs out for each thread: none waits for us, and little is lost with us
_LOOK_S = 0.05

_now_s = time.monotonic


def rows(plan: Plan, indices: Sequence[int], address: str) -> Iterator[dict[str, Any]]:
    """The rows of those jobs, as they come, from the workers of the scheduler at `address`.

    Raises Failure if there is none, or its workers are of another version.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        sentence = "--dask needs the library: pip install 'cylindre[dask]'."
        raise Failure(CONFIGURATION, sentence) from None
    try:
        distributed.comm.resolve_address(address)  # a Client of a bad one waits as it is forgotten
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except ValueError as error:
        sentence = f"--dask {address}: {error}. Give one like tcp://HOST:8786."
        raise Failure(USAGE, sentence) from None
    except OSError as error:
        why = str(error).splitlines()[0]
        sentence = f"No Dask scheduler answers at {address} ({why}): start dask scheduler there."
        raise Failure(NO_DEVICE, sentence) from None
    with client:
        field = _Field(distributed, client, plan, address)
        suspects = []
        for index, row in field.play(indices):
            if row is None:
                suspects.append(index)
            else:
                yield row
        for suspect in suspects:
            for index, row in field.play([suspect]):
                yield worker_pool.lost(plan, index) if row is None else row


class _Job(NamedTuple):
    number: int  # its index in the plan
    future: Any
    since_s: float


class _Field:
    """The workers of one scheduler."""

    def __init__(self, distributed: Any, client: Any, plan: Plan, address: str) -> None:
        self._distributed = distributed
        self._client = client
        self._plan = plan
        self._address = address
        self._out: dict[Any, _Job] = {}  # by the future's key
        self._stuck = 0  # threads that are lost to jobs that are never done

    def play(self, indices: Sequence[int]) -> Iterator[tuple[int, dict[str, Any] | None]]:
        """Each job with its row; None: its workers died, or it is not done after HUNG_S.

        Raises Failure if there is nobody left to play, or nobody answers any more.
        """
        waiting = list(reversed(indices))
        running = self._distributed.as_completed(loop=self._client.loop)
        answered_s = _now_s()
        try:
            while waiting or self._out:
                threads = self._threads()
                while waiting and len(self._out) < AHEAD * threads:
                    running.add(self._submit(waiting.pop()))
                done = [each for each in running.next_batch(block=False) if each.key in self._out]
                for future in done:
                    answered_s = _now_s()
                    yield self._out.pop(future.key).number, self._row(future)
                if not done:
                    for index in self._overdue(threads, answered_s, alone=len(indices) == 1):
                        yield index, None
                    time.sleep(_LOOK_S)
        finally:
            self._client.cancel([each.future for each in self._out.values()])
            self._out.clear()

    def _threads(self) -> int:
        """How many jobs can be played at a time. Waits for a worker if there is none."""
        try:
            self._client.wait_for_workers(1, timeout=WORKER_S)
        except TimeoutError:
            sentence = f"The Dask scheduler at {self._address} has no worker: start dask worker"
            raise Failure(
                NO_DEVICE, f"{sentence} {self._address}, then the same command goes on."
            ) from None
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def _submit(self, index: int) -> Any:
        future = self._client.submit(
            far.play, pickle.dumps(self._plan), index, work.sources(), switch.kind(), pure=False
        )
        self._out[future.key] = _Job(index, future, _now_s())
        return future

    def _overdue(self, threads: int, answered_s: float, *, alone: bool) -> list[int]:
        """Jobs that are given up. Nobody can stop them where they are played: a thread each."""
        limit_s = _now_s() - worker_pool.HUNG_S
        late = [each for each in self._out.values() if each.since_s < limit_s]
        if answered_s < limit_s and self._stuck + len(late) >= threads and not alone:
            jobs = ", ".join(str(each.number) for each in late)
            sentence = (
                f"No Dask worker has answered for {worker_pool.HUNG_S:.0f} s, since jobs {jobs}:"
            )
            raise Failure(FAILED, f"{sentence} start the workers anew; the same command goes on.")
        self._stuck += len(late)
        self._client.cancel([self._out.pop(each.future.key).future for each in late])
        return [each.number for each in late]

    def _row(self, future: Any) -> dict[str, Any] | None:
        try:
            row: dict[str, Any] = future.result()
        except self._distributed.KilledWorker:
            return None
        except far.OtherKind as error:
            raise Failure(FAILED, str(error)) from None
        except Exception as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            sentence = f"A Dask worker cannot play ({why}): install this version of Cylindre on"
            raise Failure(FAILED, f"{sentence} each.") from None
        return row
