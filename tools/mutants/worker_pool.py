"""Plays many mutants, some at once, each worker in a copy of its own."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue

from firmware.lib.errors import FAILED, Failure, cause
from tools.mutants.catalogue import Mutant
from tools.mutants.play import Player
from tools.mutants.results import Result, key
from tools.mutants.tree import Tree


def play(
    mutants: Sequence[Mutant],
    root: Path,
    *,
    workers: int,
    done: Callable[[Result], None],
) -> None:
    """Plays each; `done` is told of each as it ends.

    What is under way at a KeyboardInterrupt is ended, and not told. Raises Failure.
    """
    folder = root / "var" / "mutants"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".copies-") as name:
            _play(mutants, root, Path(name), min(workers, len(mutants)), done)
    except OSError as error:
        raise Failure(FAILED, f"No mutant can be played in {folder}: {cause(error)}.") from None


def _play(
    mutants: Sequence[Mutant],
    root: Path,
    folder: Path,
    workers: int,
    done: Callable[[Result], None],
) -> None:
    stop = threading.Event()
    free: SimpleQueue[Player] = SimpleQueue()
    for number in range(workers):
        free.put(Player(Tree(root, folder / str(number)), stop))

    def one(mutant: Mutant) -> Result:
        player, begun_s = free.get(), time.monotonic()
        try:
            seen = player.play(mutant)
        finally:
            free.put(player)
        took_s = round(time.monotonic() - begun_s, 1)
        return Result(mutant.name, key(mutant, root), *seen, took_s)

    pool = ThreadPoolExecutor(workers)
    try:
        waiting: set[Future[Result]] = {pool.submit(one, mutant) for mutant in mutants}
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for each in ended:
                done(each.result())
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
