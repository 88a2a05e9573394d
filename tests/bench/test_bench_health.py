"""The bench of the watch over a wheel's health: bounds, rivals, what it prints and ends with."""

from __future__ import annotations

import runpy
from math import inf, log
from typing import Any

import pytest
from click.testing import CliRunner

from firmware.core.health.facts import TILT, Notice
from tools.testing import machine

if machine.is_here("numpy"):
    import numpy as np

    from tools.bench.health import cases, command, rivals
    from tools.bench.health.cases import Case, Fault
    from tools.bench.health.delays import Outcome, play, quantile
    from tools.health.drawn import Drawn, forecasts
    from tools.health.fair_years import FalseNotice

pytestmark = pytest.mark.needs("numpy")
STRONG_ROWS = ((1, 1.5, 0.0, 0), (9, 0.6, 0.0, 0), (0, 0.0, 0.9, 0), (0, 0.0, 0.9, 2_000))


def outcome(case: Any, **changed: Any) -> Any:
    figures: dict[str, Any] = {"bound": 100.0, "watch": [150] * 20, "early": 0, "right": 20}
    figures |= {rival: [200, None] for rival in ("cusum", "month", "day")}
    return Outcome(case, **figures | changed)


def reported(outcomes: list[Any], capsys: Any, false: Any = (), blocks: int = 1) -> tuple[int, str]:
    missed = command.report(outcomes, {"numbers": 1.0}, false, blocks)
    return missed, capsys.readouterr().out


# --- which wheels, and the bound -----------------------------------------------------------------
@pytest.mark.parametrize(
    ("width", "more", "coups"),
    [(1, 0.1, 51_300), (1, 0.2, 13_200), (9, 0.03, 48_100), (9, 0.1, 4_390)],
)
def test_the_bound_is_that_of_the_design_by_the_familys_share(
    width: int, more: float, coups: int
) -> None:
    case = Case(width=width, more=more)
    of_all = log(1e3) / log(1e3 / 0.25)  # the design's are those of a share of 1
    assert Fault(case, 4, 1).bound(forecasts()) * of_all == pytest.approx(coups, rel=0.005)


def test_an_unannounced_fault_has_a_larger_bound_and_three_beams_see_less_than_the_angle() -> None:
    known, unknown = (
        Fault(Case(kappa=0.2, before=n), 8, 1).bound(forecasts()) for n in (0, 50_000)
    )
    assert unknown > 1.5 * known
    assert known > log(1e3 / 0.25) / (0.2**2 / 4)  # an angle shows kappa^2 / 4 a coup


def test_the_grid_has_every_row_of_the_issue_twice() -> None:
    assert len(set(cases.ALL)) == 18
    assert [case.name for case in cases.ALL[:9]] == [
        *(f"pocket +{more}%" for more in (10, 20, 30)),
        *(f"sector of 9 +{more}%" for more in (3, 5, 10)),
        *(f"drops kappa {kappa}" for kappa in (0.1, 0.2, 0.5)),
    ]
    assert {case.goal for case in cases.ALL[:9]} == {2.0}
    assert {case.goal for case in cases.ALL[9:]} == {1.5}


def test_a_place_is_right_within_what_the_issue_allows() -> None:
    def right(case: Any, place: float, notice: Any) -> bool:
        fault = Fault(case, 1, 0)
        fault._place = np.array([place])
        return bool(fault.is_named_by(0, notice))

    pocket, sector, drops = Case(width=1, more=0.1), Case(width=9, more=0.1), Case(kappa=0.1)
    named = [right(pocket, 0, Notice("pocket", place, "")) for place in (0, 1, 36, 2, 35, None)]
    assert named == [True, True, True, False, False, False]
    named = [right(sector, 34, Notice("sector", place, "")) for place in (1, 5, 34, 6, 33)]
    assert named == [True, True, True, False, False]
    named = [right(drops, 10, Notice(TILT, place, "")) for place in (10, 55, 330, 60, 320)]
    assert named == [True, True, True, False, False]
    assert not right(drops, 10, Notice("flaw", 10, ""))


# --- the rivals ----------------------------------------------------------------------------------
def test_the_chi_square_of_fair_wheels_is_wrong_once_in_a_hundred() -> None:
    drawn = Drawn((5,), [None] * 100)
    for family in ("numbers", "drops"):
        wrong = 0
        coups = drawn.coups(4_300)
        seen = rivals.Seen(family, drawn.chances)
        for day in range(10):
            square = rivals.ChiSquare(seen, 100, rivals.DAY)
            part = [values[:, day * 430 : (day + 1) * 430] for values in coups[:-1]]
            square.play(type(coups)(*part))
            assert set(square.told) <= {None, 430}
            wrong += sum(each is not None for each in square.told)
        assert 1 <= wrong <= 22  # of 1 000


def test_the_line_of_cusum_is_as_high_as_its_false_alarms_ask_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rivals, "_FAIR_PARTS", 2)
    lines = {}
    for low in (0.5, 2.0):
        monkeypatch.setattr(rivals, "_ALARMS", low)
        lines[low] = rivals.simulated_line("drops", 1)
    assert 1e6 < lines[0.5] < 5e6
    assert lines[2.0] == pytest.approx(lines[0.5], rel=0.5)


# --- what is played and printed ------------------------------------------------------------------
@pytest.mark.parametrize("row", STRONG_ROWS)
def test_a_strong_fault_is_told_soon_and_at_its_place(row: tuple[int, float, float, int]) -> None:
    width, more, kappa, before = row
    one = play(Case(width, more, kappa, before), 6, 3, 1e4)
    assert one.early == 0 and one.right >= 5
    assert 0.3 < one.ratio < 5.0  # strength beyond the watch's grid costs
    assert sum(each is not None for each in one.cusum) >= 3
    assert all(each is None or each > 0 for each in (*one.watch, *one.cusum, *one.day, *one.month))


def test_quantiles_are_those_of_all_wheels_the_ones_not_told_of_last() -> None:
    assert quantile([3, 1, None, 2], 0.5) == 2
    assert quantile([3, 1, None, 2], 0.95) == inf
    assert quantile([], 0.5) == inf


def test_so_many_false_notices_are_allowed_as_98_of_100_runs_have() -> None:
    assert [command.allowed(mean) for mean in (0.05, 0.1, 2.0)] == [1, 1, 5]


def test_each_goal_can_be_missed(capsys: pytest.CaptureFixture[str]) -> None:
    case = Case(width=1, more=0.1)
    unannounced = case._replace(before=50_000)
    assert reported([outcome(case), outcome(unannounced)], capsys)[0] == 0
    assert reported([outcome(case, watch=[201] * 20)], capsys)[0] == 1
    assert reported([outcome(unannounced, watch=[151] * 20)], capsys)[0] == 1
    missed, said = reported([outcome(case, right=18)], capsys)
    assert missed == 1 and "90.0%  goal 95%  MISSED" in said
    one = FalseNotice(0, 3, "pauses", 77, Notice("pocket", 5, "numbers"))
    missed, said = reported([outcome(case)], capsys, [one, one])
    assert missed == 1 and "pauses, coup 77: pocket 5 numbers" in said
    assert reported([outcome(case)], capsys, [one])[0] == 0


def test_the_command_prints_the_tables_and_ends_with_whether_all_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "ALL", tuple(Case(*row) for row in STRONG_ROWS[1:3]))
    monkeypatch.setattr(command, "simulated_line", lambda family, seed: 1e4)
    options = ["--wheels", "6", "--blocks", "0", "--jobs", "1"]
    done = CliRunner().invoke(command.main, options)
    assert "sector of 9 +60%" in done.output and "drops kappa 0.9" in done.output, done.output
    assert done.exit_code == ("MISSED" in done.output)


def test_without_numpy_the_bench_says_what_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "is_here", lambda name: False)
    with pytest.raises(SystemExit, match="1"):
        runpy.run_module("tools.bench.health", run_name="__main__")
    assert capsys.readouterr().err.startswith("numpy: make setup")
