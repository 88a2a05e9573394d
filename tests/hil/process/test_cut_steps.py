"""Power cut at every step of a result's way: the process is gone, the journal is whole."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from own_journal import opened, result

from firmware.store.fram import Head
from firmware.store.fram_file import FileFram
from firmware.store.journal import Journal
from tools.hil.stage import kill_at_step

STEPS = 24  # 19 here; another SQLite may take some more
BEGUN = ("begun", {"coup": 1})


@contextlib.contextmanager
def at_work(folder: Path) -> Iterator[Journal]:
    """The journal and its FRAM, opened as at a start."""
    fram = FileFram(folder / "fram")
    journal = opened(folder / "journal.db", head=Head(fram))
    try:
        yield journal
    finally:
        journal.close(10)
        fram.close()


def record(folder: Path, step: int) -> int:
    """Another process records a coup and dies at that step; its exit code."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            steps = kill_at_step.Steps(step)
            kill_at_step.hook(steps)
            with at_work(folder) as journal:
                steps.arm()
                journal.put(1, *result(1, 5))
        os._exit(0)  # never reached: the end of the record is the last step
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_at_every_step_the_result_is_there_or_not_and_the_journal_goes_on(tmp_path: Path) -> None:
    seen = []
    for step in range(1, STEPS + 1):
        folder = tmp_path / str(step)
        folder.mkdir()
        with at_work(folder) as journal:
            journal.put(0, *BEGUN)
        assert record(folder, step) == -signal.SIGKILL
        with at_work(folder) as journal:  # all of it is checked
            seen.append(journal.restart_state.seq)
            journal.put(0, *result(journal.restart_state.seq + 1, 7))
        assert journal.trouble() is None
    # Nothing before the first step; and once it is there, it is there at every later one.
    assert seen[0] == 0
    assert seen == sorted(seen)
    assert seen[-1] == 1
