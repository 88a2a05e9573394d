"""Issue 26: fair wheels of all kinds, looked at after every coup, all families together.

In `make soak` 2 000 wheel-years, in blocks that are played one by one; what each was told is kept
beside, and none may bring all of them together above what is allowed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.hil.campaign.work import sources
from tools.testing.sizes import is_soaking, size

pytestmark = pytest.mark.needs("numpy")
BLOCK = 50
BLOCKS = size("fair wheel-years") // BLOCK
FOLDER = Path(__file__).parents[3] / "var" / "fair_years"
WHOLE_MOST = 5  # of 2 000 wheel-years: one in a thousand may be told of, 98 % of Poisson's counts


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_fair_wheel_is_not_told_of(
    block: int, tmp_path: Path, counted: Callable[[str, int], None]
) -> None:
    from tools.bench.health.command import allowed
    from tools.health import fair_years

    assert fair_years.BLOCK == BLOCK
    folder = FOLDER / sources() if is_soaking() else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    found = list(fair_years.play(block))
    (folder / f"{block}.json").write_text(json.dumps([str(each) for each in found]))
    counted("fair wheel-years", BLOCK)
    counted("fairness notices", len(found))
    told = [each for path in folder.glob("*.json") for each in json.loads(path.read_text())]
    most = allowed(BLOCKS * BLOCK / 1_000)
    assert allowed(2.0) == WHOLE_MOST
    assert len(told) <= most, told
