"""Issue 22: new wheels, drawn in the ranges of PHYSICS.md, call soon, and never late.

With fewer wheels than make soak has, the median may miss by a fifth.
"""

from __future__ import annotations

from tools.bench.call.new_wheels import FIRST, Fleet, play
from tools.bench.call.promises import promises
from tools.testing.sizes import is_soaking, size

WHEELS = size("new wheels")
MISSED_BY = 1.0 if is_soaking() else 1.2


def test_the_first_coups_of_new_wheels_are_called_soon_and_none_late() -> None:
    newcomers = play(Fleet(0, WHEELS, seed=1))
    assert len(newcomers) == WHEELS
    *_, late, times = promises([], (), newcomers)
    assert late.name == f"first {FIRST} coups of {WHEELS} new wheels: late calls" and late.kept
    assert times.name == f"first {FIRST} coups of {WHEELS} new wheels: learned leads"
    assert times.value <= times.limit * MISSED_BY
    # Not all by caution: after the first three coups they call much later.
    for one in newcomers:
        assert one.first_s[FIRST - 1] < max(one.first_s[:3])
