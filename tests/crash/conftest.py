"""Lets the tests of this folder import the bench they share, and stops what a test leaves."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from crash_bench import CrashBench


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Callable[..., CrashBench]]:
    """Makes a wheel with a display, each in a folder of its own."""
    made: list[CrashBench] = []

    def make(**choices) -> CrashBench:
        made.append(CrashBench(tmp_path / f"bench{len(made)}", **choices))
        return made[-1]

    yield make
    for bench in made:
        bench.close()
