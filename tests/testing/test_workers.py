"""Tasks in processes: each result with its place, and what they tell on the way."""

import io
from functools import partial

import pytest

from tools.testing import workers
from tools.testing.progress import Progress


def square(number, tell):
    for _ in range(number):
        tell(1.0)
    if number == 13:
        raise ValueError("13")
    return number**2


def done(numbers, jobs):
    progress = Progress("squares", sum(numbers), unit="steps", out=io.StringIO(), beats=False)
    tasks = [partial(square, number) for number in numbers]
    return dict(workers.each(tasks, jobs=jobs, progress=progress)), progress.line()


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_each_result_has_its_place_and_all_that_was_told_has_come(jobs):
    found, line = done([5, 1, 0, 300], jobs)
    assert found == {0: 25, 1: 1, 2: 0, 3: 90_000}
    assert "306 of 306 steps" in line
    assert done([], jobs)[0] == {}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_fails_is_an_error_here(jobs):
    with pytest.raises(ValueError, match="13"):
        done([1, 13], jobs)
