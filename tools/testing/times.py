"""What the steps of .ci/run took, beside the last time that was kept, and their limits.

`python -m tools.testing.times NAME=SECONDS ...` prints the table, and writes var/ci-times.json:
`python -m tools.testing.durations` takes from there what is kept.
"""

from __future__ import annotations

import json
import sys

from tools.testing import durations, runs
from tools.testing.durations import CI_TIMES
from tools.testing.progress import duration

WHOLE = "whole"
REST = "the rest"  # of make test-all, less make test
TEST, ALL = "make test", "make test-all"
CPU = "CPU of make test"
LIMITS_S = {TEST: 360, CPU: 540, ALL: 1080, WHOLE: 1800}  # on two idle cores


def table(times: dict[str, float], last: dict[str, float]) -> list[str]:
    """A line a step; more than its limit is said, not failed: a machine may be busy."""
    lines = [f"{'step':<24}{'took':>14}{'the last time':>16}{'limit':>14}"]
    for name, seconds in times.items():
        limit = LIMITS_S.get(name)
        over = "  LONGER" if limit is not None and seconds > limit else ""
        before = duration(last[name]) if name in last else ""
        lines.append(
            f"{name:<24}{duration(seconds):>14}{before:>16}"
            f"{duration(limit) if limit else '':>14}{over}"
        )
    return lines


def main(words: list[str]) -> None:
    """Prints and keeps them. Raises ValueError if a word is no NAME=SECONDS."""
    times = {}
    for word in words:
        name, _, seconds = word.rpartition("=")
        times[name] = float(seconds)
    times[WHOLE] = sum(times.values())
    times[ALL] = times.get(TEST, 0.0) + times.get(REST, 0.0)
    times[CPU] = sum(runs.cpu_s("test"))
    for line in table(times, durations.kept().get("times", {})):
        print(line)
    CI_TIMES.parent.mkdir(parents=True, exist_ok=True)
    CI_TIMES.write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
