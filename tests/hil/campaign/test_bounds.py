"""What a count of coups shows: the rate that is not exceeded, with 95 % confidence."""

import math
from typing import Any

import pytest

from tools.hil.campaign.summary import Total, rate_bound
from tools.hil.verdict import LATE_CALL, WRONG_NUMBER


def row(job: int, **changed: Any) -> dict[str, Any]:
    return {
        "job": job, "kind": "clean", "coups": 64, "right": 64, "void": 0, "late_void": 0,
        "clean": 64, "wheel_s": 0, "clean_voids": {}, "voids": {}, "broken": [], "uses": [],
        "lead_ms": [], "rest_ms": [],
    } | changed  # fmt: skip


# Exact limits of a Poisson mean, half the 95 % quantile of chi-square of 2 (n + 1) degrees (tables
# of statistics): of 0, 1, 2, 10 and 100 events.
@pytest.mark.parametrize(
    ("seen", "mean"), [(0, 2.9957), (1, 4.7439), (2, 6.2958), (10, 16.9622), (100, 118.0796)]
)
def test_the_bound_is_that_of_the_tables(seen: int, mean: float) -> None:
    bound = rate_bound(seen, 1_000_000)
    assert bound is not None and math.isclose(bound * 1_000_000, mean, rel_tol=1e-4)


@pytest.mark.parametrize(("seen", "coups"), [(0, 0), (0, 2), (5, 6)])
def test_too_few_coups_show_nothing(seen: int, coups: int) -> None:
    assert rate_bound(seen, coups) is None


def test_a_campaign_tells_the_bound_of_what_it_counted() -> None:
    rows = [row(at) for at in range(1000)]
    rows[3] = row(3, clean_voids={"encoder": 2}, right=62, void=2)
    rows[7] = row(7, broken=[{"rule": LATE_CALL, "coup": 1, "fault": None, "text": "late"}])
    total = Total(rows)
    bounds = total.as_json()["bounds"]
    assert bounds == {
        WRONG_NUMBER: rate_bound(0, 64_000),
        LATE_CALL: rate_bound(1, 64_000),
        "clean_void": rate_bound(2, 64_000),
    }
    assert total.bounds_sentence() == (
        "With 95 % confidence: wrong numbers fewer than 1 in 21,363, late calls fewer than"
        " 1 in 13,491, clean voids fewer than 1 in 10,165."
    )


def test_nothing_played_shows_nothing() -> None:
    assert Total([]).bounds_sentence() == ""
